"""A turn: everything a person is shown with a question, the same at the terminal and in the browser."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from smallcity_env.game import Game
from smallcity_env.language import _
from smallcity_env.rules import actions
from smallcity_env.rules.tables import BUILDS, Ask, Phase
from smallcity_env.rules.tables.names import tile_title
from smallcity_env.rules.tables.tiles import BUILT_KINDS, LATER_KINDS, UPGRADING_KINDS, Kind
from smallcity_env.text.reasons import Refusals
from smallcity_env.text.wording import shown

from . import preview, view
from .movers import Mover, movers, tourists
from .questions import PHASES, question


@dataclass(frozen=True)
class Answer:
    """One legal answer."""

    action: int
    name: str  # as it can be typed
    label: str  # in words, with what it gives
    effect: str  # its own, on the borough of the person asked
    follows: str  # what happens by itself after it, before the next question


@dataclass(frozen=True)
class Refused:
    """A build of this game that is not possible now."""

    action: int
    name: str
    reason: str


@dataclass(frozen=True)
class About:
    """What a question is about: a borough, spaces in it, a tile."""

    seat: int
    spaces: tuple[int, ...] = ()
    kind: Kind = Kind.NONE
    upgrade: bool = False


@dataclass(frozen=True)
class Turn:
    """A question put to a person."""

    seat: int
    round_no: int
    rounds: int
    phase: Phase
    ask: Ask
    question: str
    help: str
    count: str  # such as `build 2 of 3`
    about: About
    answers: tuple[Answer, ...]
    refused: tuple[Refused, ...]
    movers: tuple[Mover, ...]  # citizens who can be moved in one go, this one first
    tourists: dict[int, int]  # the number of them who can go to each other borough
    undo: str  # what would be undone; empty if nothing can be

    @property
    def title(self) -> str:
        """The round and the phase."""
        phase = str(PHASES[self.phase])
        if not self.round_no:
            return phase
        return _("Round {n} of {rounds}, {phase}", n=self.round_no, rounds=self.rounds, phase=phase)

    @property
    def reasons(self) -> dict[str, list[str]]:
        """The builds that are not possible now, by the reason."""
        reasons: dict[str, list[str]] = {}
        for refused in self.refused:
            reasons.setdefault(refused.reason, []).append(refused.name)
        return reasons

    @property
    def legal(self) -> list[int]:
        """The actions of the answers."""
        return [answer.action for answer in self.answers]


def turn(game: Game, undo: str = "") -> Turn:
    """The turn of the seat being asked."""
    state, seat = game.state, game.seat
    asked, moving = question(state, seat), movers(game)
    return Turn(
        seat=seat,
        round_no=game.round,
        rounds=int(state["rules"]["rounds"]),
        phase=game.phase,
        ask=game.ask,
        question=asked.asks,
        help=asked.help,
        count=_count(state),
        about=_about(state, seat),
        answers=answers(game),
        refused=tuple(_refused(state, game.legal().tolist())) if game.ask is Ask.WHAT else (),
        movers=moving,
        tourists=tourists(game, moving),
        undo=undo,
    )


def answers(game: Game) -> tuple[Answer, ...]:
    """The legal answers with their effects."""
    legal = [int(action) for action in game.legal()]
    effects = preview.effects(game.states, game.seat, legal)
    return tuple(Answer(a, shown(a), view.label(game.state, game.seat, a), *effects[a]) for a in legal)


def _count(state: Any) -> str:
    """The person's progress in a series of questions."""
    if state["ask"] in (Ask.WHAT, Ask.WHERE, Ask.WAY) and state["phase"] == Phase.BUILD:
        number = BUILDS - int(state["builds"]) + 1
        counts = number <= BUILDS and not state["warehouse_due"]
        return _("build {n} of {all}", n=number, all=BUILDS) if counts else ""
    return ""


_OF_A_SPACE = (Ask.MOVE, Ask.ABROAD, Ask.TRADE, Ask.TAKE_FROM)


def _about(state: Any, seat: int) -> About:
    """What the question is about."""
    ask = Ask(state["ask"])
    if ask in _OF_A_SPACE:
        return About(int(state["asked_borough"]), (int(state["space"]),))
    if ask in (Ask.WHERE, Ask.WAY):
        spaces = (int(state["anchor"]),) if ask is Ask.WAY else ()
        return About(seat, spaces, Kind(int(state["kind"])), bool(state["upgrade"]))
    return About(view.asked_about(state, seat))


def _refused(state: Any, legal: Sequence[int]) -> list[Refused]:
    """The builds of this game that are not possible now, with reasons."""
    why = Refusals(state)
    new = [(Kind(int(k)), int(actions.BUILD_ID[k])) for k in (*BUILT_KINDS, *LATER_KINDS)]
    upgrades = [(Kind(int(k)), int(actions.UPGRADE_ID[k])) for k in UPGRADING_KINDS]
    offered = [action for kind, action in new if why.in_game(kind)]
    offered += [action for kind, action in upgrades if why.in_game(kind, upgrade=True)]
    if state["phase"] == Phase.BUILD:
        offered.append(actions.ENLARGE)
    missing = [action for action in offered if action not in legal]
    return [Refused(action, shown(action, tile_title), why.of(action)) for action in missing]
