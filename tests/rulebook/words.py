"""Steps that rulebook tests share: read what is offered, and play on."""

from collections.abc import Callable

from smallcity_env import Game
from smallcity_env.rules import actions
from smallcity_env.rules.tables import SIDE, Phase
from smallcity_env.text.grid import members

HARMLESS = ("no", "card opponent", "card architect", "card mediator", "card engineer", "old-effect")


def offered(game: Game) -> set[str]:
    """The answers to the question being asked, by name."""
    return {actions.name(int(action)) for action in game.legal()}


def spaces(game: Game) -> set[str]:
    """The spaces among them: D4 ..."""
    return {name.removeprefix("at ") for name in offered(game) if name.startswith("at ")}


def play(game: Game, *answers: str) -> Game:
    """Give these answers one after the other."""
    for answer in answers:
        game.step(answer)
    return game


def idle(game: Game, until: Callable[[Game], bool]) -> Game:
    """Answer as passively as possible until a condition holds."""
    while not until(game) and not game.over:
        may = offered(game)
        quiet = [answer for answer in HARMLESS if answer in may]
        game.step(quiet[0] if quiet else int(game.legal()[0]))
    return game


def idle_to(game: Game, phase: str, round: int | None = None) -> Game:
    """Answer as passively as possible until a phase begins, in this round or a given one."""
    due = game.round if round is None else round
    return idle(game, lambda g: (g.round, g.phase) >= (due, Phase[phase.upper()]))


def at(*names: str) -> set[str]:
    """Spaces as answers: at D4 ..."""
    return {f"at {name}" for name in names}


def asked(game: Game) -> tuple[int, str]:
    """The space a question is about, and the borough it lies in."""
    return int(game.state.asked_borough), actions.space_name(int(game.state.space))


def with_things(picture: str, **things: str) -> str:
    """The picture with things added on some of its spaces: with_things(CITY, C3="0!")."""
    rows = [row.split() for row in picture.strip().splitlines()]
    for name, what in things.items():
        row, col = divmod(actions.space_number(name), SIDE)
        rows[row][col] += f":{what}"
    return "\n".join(" ".join(row) for row in rows)


def materials(game: Game, seat: int = 0) -> tuple[int, ...]:
    """How many wood, stone and metal lie in a borough."""
    return tuple(len(members(spaces)) for spaces in game.state.borough[seat].materials)
