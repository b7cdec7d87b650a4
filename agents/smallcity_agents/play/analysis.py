"""The champion's analysis of a position: its answer, what it expects of each, and the expected line.

Its search finds the answers worth considering and the line. All of them are then compared by as many
simulations each, with the same chance: one that was dropped early is neither flattered nor wronged, and what
an answer loses against the best is never cut off. The score and the place to expect after the best answer
come from copies of the game that resample what the seat cannot see: greedy plays them to the end of the
round, and the value net evaluates them. The same position gives the same numbers, whatever is hidden in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.language import _, decimal
from smallcity_env.rules import actions, rng
from smallcity_env.rules.payoff import POINTS
from smallcity_env.rules.tables import SIDE, Ask, Way
from smallcity_env.text import wording

from ..greedy import Greedy
from ..search.agent import Champion, Searched
from ..value_net import model
from .view import asked_about

SIMS: Final = 1024  # of the search for a position
COMPARED: Final = 256  # simulations of each answer it has considered, to compare them
FORKS: Final = 16  # copies with what is hidden resampled
SURE: Final = 0.9999  # values beyond this count as won or lost
LINE: Final = 6  # answers of a line
FOLLOWED: Final = 128  # simulations for where and which way, if the line ends before
CHAMPION: Final = Champion.label
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Expected:
    """What a seat can expect after an answer."""

    score: float
    place: float  # 1 is the first

    def __str__(self) -> str:
        return _("{points} points, place {place}", points=decimal(self.score), place=decimal(self.place))


class Mark(NamedTuple):
    """An answer on a borough: spaces, and for a move the space it comes from."""

    board: int
    spaces: list[int]
    start: int | None


@dataclass(frozen=True)
class Analysis:
    """The champion's analysis of a position."""

    best: int
    answers: dict[int, Expected]  # those it has considered, the best first
    line: list[tuple[int, str]]  # the best answer and what should follow: seats and words
    marks: list[Mark]  # where on the boroughs the seat's own answers lie


def analyse(states: States) -> Analysis:
    """The champion's view of one game, for the seat being asked."""
    seat, players = int(states["seat"][0]), int(states["rules"]["players"][0])
    searched = search(states, SIMS)
    worth = _compared(states, searched)
    ranked = sorted(worth, key=worth.__getitem__, reverse=True)
    best = ranked[0]
    top = expect(states, np.array([seat]), [best])[0]
    answers = {action: _less(top, worth[best], worth[action], players) for action in ranked}
    line = searched.line(0, best, LINE)
    return Analysis(best, answers, _in_words(states, seat, line), _marks(states, seat, line))


def _compared(states: States, searched: Searched) -> dict[int, float]:
    """What each answer that a search has considered is worth to the seat asked."""
    first = int(searched.actions[0])
    others = [int(action) for action in np.flatnonzero(searched.visits[0]) if action != first]
    if not others:
        return {first: 0.0}
    copies = batch.take(states, np.zeros(len(others), np.int64))
    values = compare(copies, [[first, other] for other in others], COMPARED, seed=2)
    return {first: float(values[0, 0])} | dict(zip(others, values[:, 1].tolist(), strict=True))


def points(high: npt.ArrayLike, low: npt.ArrayLike, players: npt.ArrayLike) -> Any:
    """The difference of values in points: the inverse of rules/payoff.py."""
    inner = (np.clip(2 * np.asarray(value) - 1, -SURE, SURE) for value in (high, low))
    return POINTS * np.where(np.asarray(players) == 1, 2, 1) * np.subtract(*map(np.arctanh, inner))


def _less(top: Expected, high: float, low: float, players: int) -> Expected:
    """The expectation of an answer that is worth less than the best."""
    loss, place = float(points(high, low, players)), top.place + (high - low) * (players - 1)
    return Expected(round(top.score - loss, 1), round(min(place, players), 2))


def search(states: States, sims: int, legal: batch.Mask | None = None, seed: int = 1) -> Searched:
    """Search some games for the seats being asked, with a budget that does not depend on the clock."""
    champion = replace(Champion(), seconds=0.0, sims=sims)
    seats, streams = states["seat"].astype(np.int64), rng.streams(np.full(len(states), seed, np.uint64))
    return champion.search(states, seats, batch.masks(states) if legal is None else legal, streams)


def compare(states: States, pairs: npt.ArrayLike, sims: int, seed: int = 1) -> Floats:
    """What two answers to each game are worth to the seat asked, each from so many simulations.

    A search of two candidates visits both equally often; the same stream gives both the same chance.
    """
    pair, rows, legal = np.asarray(pairs, np.int64), np.arange(len(states)), batch.new_masks(len(states))
    legal[rows[:, None], pair] = True
    values = search(states, 2 * sims, legal, seed).values
    return values[rows[:, None], pair, states["seat"].astype(np.int64)[:, None]]


# -- expectations


def expect(states: States, seats: npt.NDArray[np.int64], answers: Sequence[int]) -> list[Expected]:
    """What a seat can expect in each game after an answer."""
    copies = _forks(states, seats)
    batch.step(copies, np.repeat(np.array(answers, np.int64), FORKS), batch.masks(copies))
    play_round(copies)
    scores, places = forecast(copies)
    rows, who = np.arange(len(copies)), np.repeat(seats, FORKS)
    each = zip(_means(scores[rows, who]), _means(places[rows, who]), strict=True)
    return [_expected(float(score), place) for score, place in each]


def standing(states: States, viewer: int) -> list[float]:
    """The score every seat can expect in one game, as a viewer sees it."""
    copies = _forks(states, np.array([viewer]))
    play_round(copies)
    players = int(states["rules"]["players"][0])
    return [round(float(score), 1) for score in forecast(copies)[0].mean(axis=0)[:players]]


def _forks(states: States, seats: npt.NDArray[np.int64]) -> States:
    """Copies of each game in which what its seat cannot see is resampled."""
    n = len(states)
    many = batch.take(states, np.repeat(np.arange(n), FORKS))
    return batch.fork(many, np.repeat(seats, FORKS), np.tile(np.arange(1, FORKS + 1), n))


def play_round(copies: States) -> None:
    """Let greedy play every game to the end of its round."""
    greedy, legal = Greedy(), batch.masks(copies)
    rounds, streams = copies["round_no"].copy(), rng.streams(np.arange(len(copies)).astype(np.uint64))
    while len(left := np.flatnonzero((copies["round_no"] == rounds) & ~batch.over(copies))):
        games, masks, chance = batch.take(copies, left), legal[left], streams[left]
        answers = greedy.act(games, games["seat"].astype(np.int64), masks, chance)
        batch.step(games, answers, masks)
        batch.put(copies, left, games)
        legal[left], streams[left] = masks, chance


def forecast(copies: States) -> tuple[Floats, Floats]:
    """Every seat's expected score and chances of each place; of a finished game, the real ones."""
    seen = model.forecast(copies, model.named(model.VALUE_NET))
    scores, places = seen.scores.astype(np.float64), seen.places.astype(np.float64)
    over = np.flatnonzero(copies["ask"] == Ask.OVER)
    if len(over):
        final, ranks = batch.scores(batch.take(copies, over))
        scores[over], places[over] = final, np.arange(places.shape[2]) == ranks[:, :, None]
    return scores, places


def _means(values: Floats) -> Floats:
    """The mean over the copies of each game."""
    return np.asarray(values.reshape(-1, FORKS, *values.shape[1:]).mean(axis=1))


def _expected(score: float, places: Floats) -> Expected:
    place = float((places * np.arange(1, len(places) + 1)).sum())
    return Expected(round(score, 1), round(place, 2))


# -- the line


def foreseen(states: States, action: int) -> list[tuple[int, str]]:
    """An answer and what should follow, in words."""
    return _in_words(states, int(states["seat"][0]), search(states, SIMS).line(0, action, LINE))


def _in_words(states: States, seat: int, line: list[int]) -> list[tuple[int, str]]:
    """A line as seats and words, as far as it is legal in a copy of the game."""
    copy = batch.fork(states, seat, [1])
    legal, words = batch.masks(copy), list[tuple[int, str]]()
    for action in line:
        if not legal[0, action]:
            break
        words.append((int(copy["seat"][0]), wording.describe(copy[0], action)))
        batch.step(copy, np.array([action]), legal)
    return words


# -- on the boroughs

_MOVES: Final = (Ask.MOVE, Ask.ABROAD)
_FOLLOW_UPS: Final = (Ask.WHERE, Ask.WAY, Ask.STREET_WAY, Ask.SPEECH_WAY, Ask.ABROAD)  # of the same answer


def _marks(states: States, seat: int, line: list[int]) -> list[Mark]:
    """The seat's own answers of a line as marks: a build, or all moves of this phase."""
    copy, phase = batch.fork(states, seat, [1]), states["phase"][0]
    marks, coming = list[Mark](), iter(line)
    while copy["seat"][0] == seat and copy["phase"][0] == phase and not batch.over(copy)[0]:
        if marks and copy["ask"][0] == Ask.WHAT:
            break
        legal, action = batch.masks(copy), next(coming, None)
        if action is None and copy["ask"][0] in _FOLLOW_UPS:
            action = int(search(copy, FOLLOWED).actions[0])
        if action is None or not legal[0, action]:
            break
        if mark := _mark(copy[0], seat, action):
            marks.append(mark)
        batch.step(copy, np.array([action]), legal)
    return marks


def _mark(state: Any, seat: int, action: int) -> Mark | None:
    """Where an answer lies, if it is a space or a way."""
    ask, board = Ask(state["ask"]), asked_about(state, seat)
    if ask in (Ask.WAY, Ask.STREET_WAY, Ask.SPEECH_WAY):
        return Mark(board, wording.covered_spaces(state, ask, action - actions.WAY), None)
    here = Mark(int(state["asked_borough"]), [int(state["space"])], None)
    if action < actions.BUILD:
        return Mark(board, [action], here.spaces[0] if ask in _MOVES and here.board == board else None)
    if ask is Ask.MOVE and actions.SEAT <= action < actions.PAY:
        return here
    if ask in (Ask.LEAVE_WAY, Ask.TURN):
        start = int(state["space" if ask is Ask.LEAVE_WAY else "head"])
        return Mark(board, [start + _STEP[Way(action - actions.HEADING)]], start)
    return None


_STEP: Final = {Way.NORTH: -SIDE, Way.EAST: 1, Way.SOUTH: SIDE, Way.WEST: -1}
