"""The table as plain text: everything, or what one seat may see."""

from typing import Any, Final

from ..rules.tables import Ask, Phase
from ..rules.tables.maps import NAMES as BOARD_NAMES
from ..rules.tables.maps import Board
from ..text.notation import draw
from . import poster

TRACKS: Final = ("votes", "money", "pollution")


def text(state: Any, seat: int | None = None) -> str:
    """The question, then every borough with its tracks; `seat` hides what that seat may not see."""
    boroughs = poster.seen(state, seat)
    views = (_borough(state, p, borough) for p, borough in enumerate(boroughs))
    return "\n".join([headline(state, seat), *views])


def headline(state: Any, seat: int | None = None) -> str:
    """Round, phase and question in one line."""
    if state["ask"] == Ask.OVER:
        return f"round {state['round_no']}: the game is over"
    asked = f"is asked {Ask(state['ask']).name.lower()}"
    does = poster.behind_a_screen(state) if poster.hidden(state, seat) else asked
    return f"round {state['round_no']}, {Phase(state['phase']).name.lower()}: seat {state['seat']} {does}"


def _borough(state: Any, p: int, borough: Any) -> str:
    """One borough with its tracks."""
    board = int(state["rules"]["board"][p])
    tracks = "  ".join(f"{track} {borough[track]}" for track in TRACKS)
    return f"\nseat {p}, {BOARD_NAMES[Board(board)]}  {tracks}\n{draw(borough, board)}"
