"""Tasks for training language models: a game, a round or a single position, on either side of the split.

The same task and the same replies give the same texts and rewards. A reward comes with the last reply.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from smallcity_env.game import Game
from smallcity_env.language import _
from smallcity_env.refusal import Refused
from smallcity_env.rules.payoff import payoff
from smallcity_env.rules.tables import SEATS

from ..benchmark import mixes
from ..level import LEVELS
from ..play import analysis
from ..play.match import HUMAN, Match
from .positions import HELD_OUT, SHIPPED, SPLITS, TRAIN, Position, read
from .session import Reply, Session

GAME, ROUND, POSITION = "game", "round", "position"
NUMBERED: Final = {GAME: 100, ROUND: 100}  # tasks of a kind with a number, on each side of the split
MISTAKES: Final = 10  # replies in a row without an answer that end a task
AROUND: Final = "greedy"  # has the other seats of a position, which end with the answer
LARGEST: Final = 2**63


@dataclass(frozen=True)
class Task:
    """What is to be done; the seed decides the rules, the chance and the seat, or which position it is."""

    kind: str = GAME
    split: str = TRAIN
    seed: int = 0
    level: int = 3  # of the others
    players: int = 0  # 0: drawn

    def __post_init__(self) -> None:
        if self.kind not in BEGIN:
            raise Refused(f"there is no task {self.kind!r}: choose from {', '.join(BEGIN)}")
        if self.split not in SPLITS:
            raise Refused(f"there is no split {self.split!r}: choose from {', '.join(SPLITS)}")
        ranges = {"seed": (0, LARGEST), "level": (1, len(LEVELS)), "players": (0, SEATS)}
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise Refused(f"{name} of a task is a whole number from {low} to {high}")


class Told(NamedTuple):
    """What a reply led to."""

    text: str
    reward: float | None = None  # 0 to 1, with the last reply
    done: bool = False


class Episode:
    """A task being done."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.session, self._is_done, self._reward = BEGIN[task.kind](task)
        self.session.match.history.mark_all_reported()
        self.text: Final = f"{self.session.rules}\n\n{self.session.message(whole=True)}"
        self.done, self._mistakes = self._is_done(), 0

    def reply(self, reply: str) -> Told:
        """Use a reply; many in a row without an answer end the task with the reward 0."""
        if self.done:
            return Told(_("this task is done: begin another"), 0.0, True)
        used = self.session.reply(reply)
        self._mistakes = 0 if used.used else self._mistakes + 1
        if self._is_done():
            self.done = True
            return Told(_ending(self.session, used), self._reward(), True)
        if self._mistakes >= MISTAKES:
            self.done = True
            ends = _("The task ends after {n} replies without an answer.", n=MISTAKES)
            return Told(f"{used.said} {ends}", 0.0, True)
        return Told("\n\n".join(filter(None, [used.said, self.session.message()])))


def _ending(session: Session, used: Reply) -> str:
    """The last message: of a game, how it ended."""
    return session.message() if session.over else used.said or _("The task is done.")


def count(kind: str, split: str) -> int:
    """The number of tasks of a kind."""
    return NUMBERED[kind] if kind in NUMBERED else len(read(SHIPPED[split])[1])


# -- how tasks begin, when they are done, and what they are worth

Begun = tuple[Session, Callable[[], bool], Callable[[], float]]


def _game(task: Task) -> Begun:
    """A whole game: half for the place, half for the lead."""
    match, seat = _match(task)
    session = Session(_taken(match, seat))
    return session, lambda: session.over, lambda: _payoff(session)


def _round(task: Task) -> Begun:
    """One round of a game: the lead that the value net expects after it."""
    match, seat = _match(task)
    last = int(np.random.default_rng(task.seed).integers(1, int(match.game.state["rules"]["rounds"]) + 1))
    while match.game.round < last and not match.game.over:
        match.agent_answers()
    session = Session(_taken(match, seat))
    return session, lambda: session.over or session.match.game.round > last, lambda: _payoff(session)


def _position(task: Task) -> Begun:
    """A single question: one minus the regret of the first answer."""
    positions = read(SHIPPED[task.split])[1]
    position: Position = positions[task.seed % len(positions)]
    game = position.reached()
    names = [AROUND] * game.config.players
    session = Session(_taken(Match.begin(game, names, position.seed), game.seat))
    at = len(game.log)

    def answer() -> float:
        return position.reward(session.match.game.log.entries[at].action)

    return session, lambda: len(session.match.game.log) > at, answer


BEGIN: Final[dict[str, Callable[[Task], Begun]]] = {GAME: _game, ROUND: _round, POSITION: _position}


def _match(task: Task) -> tuple[Match, int]:
    """A new game of agents, by rules of one side of the split, and the seat of the task."""
    config = next(mixes.sample(task.seed, task.split == HELD_OUT, task.players))
    names = [f"level:{task.level}"] * config.players
    return Match.begin(Game(config, task.seed), names, task.seed), task.seed % config.players


def _taken(match: Match, seat: int) -> Match:
    """A match whose seat is taken over from its agent."""
    names = [HUMAN if p == seat else name for p, name in enumerate(match.names)]
    return Match(match.game, names, match.streams)


def _payoff(session: Session) -> float:
    """What the game is worth to the seat, 0 to 1: at the end, or by the scores to expect."""
    game, you = session.match.game, session.you
    scores = game.scores() if session.over else analysis.standing(game.states, you)
    return float(payoff(game.state, you, np.array(scores, np.float64)))
