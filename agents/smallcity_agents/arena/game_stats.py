"""Statistics of played games: votes by source, tiles built and lost, deaths, by seat and round.

    stats = game_stats.collect(config, seeds, played.answers)

A game is its seed and its answers, so statistics are collected afterwards: all games are replayed as one
batch, answer by answer including forced ones, and the states before and after each answer are compared.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.config import Config, blank
from smallcity_env.rules import actions, rng
from smallcity_env.rules.spaces import HALF
from smallcity_env.rules.tables import POWER_ROUNDS, SEATS, SPACES, Ask, Family, Phase
from smallcity_env.rules.tables.cards import TRADE_VOTES
from smallcity_env.rules.tables.shapes import LENGTH, OFFSET
from smallcity_env.rules.tables.tiles import KINDS

Ints = npt.NDArray[np.int64]
ROUNDS: Final = POWER_ROUNDS + 1  # round 0 is the set-up
TRACKS: Final = ("votes", "pollution", "money")
WALK: Final = (Ask.ARRIVE, Ask.ARRIVE_BESIDE, Ask.LEAVE, Ask.LEAVE_WAY, Ask.TURN)
_D: Final = 3  # the last space of a level-4 shop: materials for votes (P4.2)


class VoteSource(IntEnum):
    """Where votes come from and go to."""

    SUPPORTER = 0  # the action card
    CULTURE = 1  # cultural buildings, less what an Airport costs
    SHOPS = 2  # spaces c and d; the Opera House and the homes of its guests
    CITIZENS = 3  # Phase 5: homes, University, the Mayor's speech
    COUNCIL = 4  # paid for advances: negative


SOURCES: Final = {
    VoteSource.SUPPORTER: "Supporter",
    VoteSource.CULTURE: "cultural buildings",
    VoteSource.SHOPS: "shops and trades",
    VoteSource.CITIZENS: "citizens voting",
    VoteSource.COUNCIL: "paid to the council",
}


@dataclass(frozen=True)
class GameStats:
    """Counts of n games, by game, seat and round."""

    tracks: Ints  # (n, TRACKS, SEATS, ROUNDS): at the end of each round
    sources: Ints  # (n, SEATS, ROUNDS, VoteSource): votes
    cards: Ints  # (n, SEATS, ROUNDS): Card taken
    built: Ints  # (n, SEATS, ROUNDS, KINDS): tiles and upgrades built; printed tiles in round 0
    gone: Ints  # (n, SEATS, ROUNDS, KINDS): tiles covered by upgrades or demolished
    ruined: Ints  # (n, SEATS, ROUNDS, KINDS): spaces marked by godzillas; kind 0 is open land
    eaten: Ints  # (n, SEATS, ROUNDS): people eaten in the seat's borough
    spoiled: Ints  # (n, SEATS, ROUNDS): materials trampled there
    died: Ints  # (n, SEATS, ROUNDS): citizens killed by pollution

    @classmethod
    def blank(cls, n: int) -> "GameStats":
        """Zeros for n games."""
        seats = (n, SEATS, ROUNDS)
        shapes = [(n, len(TRACKS), SEATS, ROUNDS), (*seats, len(VoteSource)), seats]
        shapes += [(*seats, KINDS)] * 3 + [seats] * 3
        return cls(*(np.zeros(shape, np.int64) for shape in shapes))


def collect(config: Config, seeds: npt.ArrayLike, answers: npt.NDArray[np.int16]) -> GameStats:
    """Replay games from their seeds and decisions (n, most) and count what happens."""
    games = np.arange(len(answers))
    states = blank(len(games), config)
    states["stream"] = rng.streams(seeds)
    batch.set_up(states)
    stats, taken = GameStats.blank(len(games)), np.zeros(len(games), np.int64)
    stats.built[:, :, 0] += states["borough"]["built"]
    while len(games):
        legal = batch.masks(states)
        forced = legal.sum(axis=1) == 1
        chosen = np.where(forced, legal.argmax(axis=1), answers[games, taken[games] % answers.shape[1]])
        taken[games] += ~forced
        before = batch.clone(states)
        batch.answer(states, chosen, legal)
        _record(stats, games, before, chosen, states)
        if (on := ~batch.over(states)).sum() < len(games):
            games, states = games[on], batch.take(states, np.flatnonzero(on))
    return stats


def _record(stats: GameStats, games: Ints, before: States, chosen: Ints, after: States) -> None:
    """Compare the games before and after one answer each."""
    now = before["round_no"].astype(np.int64)
    ended = (after["round_no"] != now) | batch.over(after)
    for t, track in enumerate(TRACKS):
        stats.tracks[games[ended], t, :, now[ended]] = after["borough"][track][ended]
    _record_tiles(stats, games, now, before, after)
    _record_votes(stats, games, now, before, chosen, after)
    _record_deaths(stats, games, now, before)
    took = np.flatnonzero(before["ask"] == Ask.CARD)
    stats.cards[games[took], before["seat"][took], now[took]] = actions.CARD_OF[chosen[took]]
    marked = (before["borough"]["markers"] != after["borough"]["markers"]).any(axis=(1, 2))
    walked = np.flatnonzero(marked | np.isin(before["ask"], WALK))
    if len(walked):
        old, new = batch.take(before, walked), batch.take(after, walked)
        _record_godzillas(stats, games[walked], now[walked], old, new)


def _record_tiles(stats: GameStats, games: Ints, now: Ints, before: States, after: States) -> None:
    """Count tiles built and tiles gone."""
    change = after["borough"]["built"].astype(np.int64) - before["borough"]["built"]
    rows = np.flatnonzero(change.any(axis=(1, 2)))
    stats.built[games[rows], :, now[rows]] += np.maximum(change[rows], 0)
    stats.gone[games[rows], :, now[rows]] += np.maximum(-change[rows], 0)


def _record_deaths(stats: GameStats, games: Ints, now: Ints, before: States) -> None:
    """Count citizens who die of pollution: one per question who dies."""
    rows = np.flatnonzero(before["ask"] == Ask.DIES)
    stats.died[games[rows], before["seat"][rows], now[rows]] += 1


# -- votes


def _record_votes(
    stats: GameStats, games: Ints, now: Ints, before: States, chosen: Ints, after: States
) -> None:
    """Attribute changed votes to the answer or to the phases that followed it."""
    change = after["borough"]["votes"].astype(np.int64) - before["borough"]["votes"]
    rows = np.flatnonzero(change.any(axis=1))
    games, now, chosen, change = (a[rows] for a in (games, now, chosen, change))
    before, after = batch.take(before, rows), batch.take(after, rows)
    asked = before["ask"]
    sources = np.zeros((len(rows), SEATS, len(VoteSource)), np.int64)
    paid = {Ask.SUPPORT: VoteSource.SUPPORTER, Ask.WAY: VoteSource.CULTURE, Ask.PAY: VoteSource.COUNCIL}
    for ask, source in paid.items():
        sources[asked == ask, :, source] = change[asked == ask]
    shops = traded_votes(before, chosen, after) + _shops(before, chosen, after, change)
    automatic = ~np.isin(asked, list(paid))
    sources[automatic, :, VoteSource.SHOPS] = shops[automatic]
    sources[automatic, :, VoteSource.CITIZENS] = (change - shops)[automatic]
    stats.sources[games, :, now] += sources


def traded_votes(before: States, chosen: Ints, after: States) -> Ints:
    """Votes from trades on a space d, once it is known where the material comes from (P4.2, T7)."""
    n = np.arange(len(before))
    there = before["borough"][n, before["asked_borough"]]
    first = there["first"][n, before["space"]].astype(np.int64)
    way = there["way"][n, first]
    on_d = (LENGTH[way] > _D) & (before["space"] == first + OFFSET[way, _D])
    taken = before["ask"] == Ask.TAKE_FROM
    at_once = (before["ask"] == Ask.TRADE) & (chosen != actions.NO) & (after["ask"] != Ask.TAKE_FROM)
    material = np.where(taken, before["product"], chosen - actions.MATERIAL)
    traded = (taken | at_once) & on_d
    votes = np.zeros((len(before), SEATS), np.int64)
    votes[n, before["seat"]] = np.where(traded, TRADE_VOTES[np.where(traded, material, 0)], 0)
    return votes


def _shops(before: States, chosen: Ints, after: States, change: Ints) -> Ints:
    """Votes from spaces c and the Opera House.

    Where the citizens voted too, the answer is replayed in a copy without shops and Opera House; the
    difference is theirs.
    """
    votes = change - traded_votes(before, chosen, after)
    voted = (before["phase"] <= Phase.VOTE) & (
        (after["phase"] > Phase.VOTE) | (after["round_no"] != before["round_no"]) | batch.over(after)
    )
    rows = np.flatnonzero(voted)
    without = batch.take(before, rows)
    without["borough"]["family"][:, :, Family.COMMERCIAL] = 0
    without["rules"]["real_buildings"] = 0
    batch.answer(without, chosen[rows], np.ones((len(rows), actions.ACTIONS), np.bool_))
    votes[rows] = after["borough"]["votes"][rows].astype(np.int64) - without["borough"]["votes"]
    return votes


# -- godzillas


def _record_godzillas(stats: GameStats, games: Ints, now: Ints, before: States, after: States) -> None:
    """Count spaces marked and, in a walk, people eaten and materials trampled."""
    marked = _bits(after["borough"]["markers"]) & ~_bits(before["borough"]["markers"])
    at, seat, space = np.nonzero(marked)
    there = after["borough"][at, seat]
    row = np.arange(len(at))
    tiled = _bits(there["tiled"])[row, space]
    kind = np.where(tiled, there["kind"][row, there["first"][row, space]], 0)
    np.add.at(stats.ruined, (games[at], seat, now[at], kind), 1)
    rows = np.flatnonzero(np.isin(before["ask"], WALK))
    host = before["seat"][rows]
    town, left = before["borough"][rows, host], after["borough"][rows, host]
    out = (before["borough"]["out"] != after["borough"]["out"]).any(axis=1)[rows]
    stats.eaten[games[rows], host, now[rows]] += _eaten(town, left, out)
    stats.spoiled[games[rows], host, now[rows]] += _count(town["materials"]) - _count(left["materials"])


def _eaten(town: States, left: States, out: npt.NDArray[np.bool_]) -> Ints:
    """People eaten in a walk; where an elimination followed, the people it walked over."""
    fewer = _count(town["citizens"]) - _count(left["citizens"])
    fewer = fewer + (town["riders"].astype(np.int64) - left["riders"]).sum(axis=1)
    trodden = _bits(left["markers"]) | _bits(left["godzilla"])
    under = (_bits(town["citizens"]).any(axis=1) & trodden).sum(axis=1)
    return np.asarray(np.where(out, under, fewer), np.int64)


def _bits(sets: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Sets of spaces (..., 2) as (..., SPACES) flags."""
    shifts = np.arange(HALF, dtype=np.uint64)
    flags = (sets[..., None] >> shifts) & np.uint64(1)
    return flags.reshape(*sets.shape[:-1], SPACES).astype(np.bool_)


def _count(sets: npt.NDArray[np.uint64]) -> Ints:
    """Number of spaces in all sets of each game (n, ..., 2)."""
    n: Ints = np.bitwise_count(sets).sum(axis=tuple(range(1, sets.ndim)), dtype=np.int64)
    return n
