"""A finished game reviewed for one seat: what decisions cost, and what better answers would have brought."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.language import _, decimal, ngettext
from smallcity_env.log import Log, Step, replay_steps, state_of
from smallcity_env.text import wording

from . import analysis
from .analysis import play_round
from .view import label

QUICK: Final = 128  # simulations of the search for each decision: there are many
DEEP: Final = 512  # of each of two answers, where the quick search found one much better
LOOKED_AT: Final = 24  # decisions, the costliest
LEAST_COST: Final = 0.5  # points: less is within the error of the search
COPIES: Final = 64  # of a position, played on by greedy with what is hidden resampled
LEAST: Final = 0.5  # of a difference that is worth mentioning


@dataclass(frozen=True)
class Decision:
    """A decision of a game, the champion's answer, and the points its own answer cost."""

    number: int  # in the log
    step: int  # number of answers with a choice before it
    round_no: int
    question: str
    action: int
    given: str
    best: int
    better: str
    cost: float


def decisions(log: Log, seat: int) -> list[Decision]:
    """Every decision of a seat."""
    asked, step = list[tuple[int, int, Step]](), 0
    for number, one in enumerate(replay_steps(log)):
        if not one.entry.forced:
            if one.entry.seat == seat:
                asked.append((number, step, one))
            step += 1
    if not asked:
        return []
    states = batch.join([state_of(one.before.tobytes()) for *_, one in asked])
    found = better_answers(states, [one.entry.action for *_, one in asked])
    return [_decision(*one, *better) for one, better in zip(asked, found, strict=True)]


def _decision(number: int, step: int, one: Step, best: int, cost: float) -> Decision:
    before, seat, action = one.before, one.entry.seat, one.entry.action
    given, better = (label(before, seat, answer) for answer in (action, best))
    asks, round_no = wording.question(before), int(before["round_no"])
    return Decision(number, step, round_no, asks, action, given, best, better, round(cost, 1))


def better_answers(states: States, chosen: list[int]) -> list[tuple[int, float]]:
    """The champion's answers in many games, and the cost in points of those that were chosen.

    A quick search of all finds answers that may be better. A deeper one compares the costliest again,
    with other chance: the best of many values is partly luck.
    """
    searched, seats = analysis.search(states, QUICK), states["seat"].astype(np.int64)
    rows, best, given = np.arange(len(states)), searched.actions.copy(), np.array(chosen, np.int64)
    values = np.nan_to_num(searched.values[rows, :, seats], nan=0.0)  # 0: not considered
    players = states["rules"]["players"]
    costs = analysis.points(values[rows, best], values[rows, given], players)
    again = [n for n in np.argsort(-costs, kind="stable")[:LOOKED_AT] if best[n] != given[n]]
    costs[:] = 0
    if again:
        pairs = np.stack([best[again], given[again]], axis=1)
        found = analysis.compare(batch.take(states, again), pairs, DEEP, seed=2)
        costs[again] = analysis.points(found[:, 0], found[:, 1], players[again])
    best[costs < LEAST_COST] = given[costs < LEAST_COST]
    return [(int(answer), max(float(cost), 0.0)) for answer, cost in zip(best, costs, strict=True)]


# -- why


class Future(NamedTuple):
    """What copies of a position come to, played on by greedy: means over the copies."""

    votes: float  # at the end of the round
    money: float
    pollution: float
    people: float
    score: float  # at the end of the game
    final_pollution: float
    kept: float  # share of the copies in which every promise is kept


def future(states: States, action: int) -> Future:
    """What an answer comes to, as far as the seat asked can know."""
    seat = int(states["seat"][0])
    many = batch.take(states, np.zeros(COPIES, np.int64))
    copies = batch.fork(many, np.full(COPIES, seat), np.arange(1, COPIES + 1))
    batch.step(copies, np.full(COPIES, action), batch.masks(copies))
    play_round(copies)
    soon = copies["borough"][:, seat].copy()
    people = np.bitwise_count(soon["citizens"]).sum(axis=(1, 2))
    while not batch.over(copies).all():
        play_round(copies)
    late = copies["borough"][:, seat]
    without = batch.clone(copies)
    without["borough"]["promise"][:, seat] = without["borough"]["special"][:, seat] = 0
    score = batch.scores(copies)[0][:, seat]
    kept = score > batch.scores(without)[0][:, seat]
    tracks = (soon["votes"], soon["money"], soon["pollution"], people)
    return Future(*(float(np.mean(n)) for n in (*tracks, score, late["pollution"], kept)))


def why(states: States, given: int, better: int) -> list[str]:
    """What the better answer would have brought, in words."""
    mine, best = future(states, given), future(states, better)
    promised = bool(states["borough"][0, int(states["seat"][0])]["promise"])
    return [*_soon(mine, best), *_late(mine, best, promised)]


def _soon(mine: Future, best: Future) -> Iterator[str]:
    """The differences at the end of the round."""
    votes, money, pollution, people = (round(b - a) for a, b in zip(mine[:4], best[:4], strict=True))
    if votes > 0:
        yield ngettext(
            "{n} vote more at the end of the round", "{n} votes more at the end of the round", votes
        )
    if votes < 0:
        yield ngettext(
            "{n} vote fewer at the end of the round", "{n} votes fewer at the end of the round", -votes
        )
    if money > 0:
        yield _("${n} more at the end of the round", n=money)
    if money < 0:
        yield _("${n} less at the end of the round", n=-money)
    if pollution > 0:
        yield _("{n} more pollution at the end of the round", n=pollution)
    if pollution < 0:
        yield _("{n} less pollution at the end of the round", n=-pollution)
    if people > 0:
        yield ngettext(
            "{n} person more in the borough at the end of the round",
            "{n} people more in the borough at the end of the round",
            people,
        )
    if people < 0:
        yield ngettext(
            "{n} person fewer in the borough at the end of the round",
            "{n} people fewer in the borough at the end of the round",
            -people,
        )


def _late(mine: Future, best: Future, promised: bool) -> Iterator[str]:
    """The differences at the end of the game, if sound play makes any of the better answer."""
    points, dirt = best.score - mine.score, best.final_pollution - mine.final_pollution
    if points >= LEAST:
        yield _("played on soundly, {n} points more at the end of the game", n=decimal(points))
        if dirt <= -LEAST:
            yield _("played on soundly, {n} less pollution at the end of the game", n=decimal(-dirt))
        if promised and best.kept - mine.kept >= 0.1:
            yield _(
                "the promise is kept in {better}% of the games played on, instead of {given}%",
                better=round(100 * best.kept),
                given=round(100 * mine.kept),
            )
    else:
        yield _("what it prepares pays later, and only if what follows fits")
