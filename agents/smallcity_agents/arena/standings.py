"""Standings: win shares with intervals, scores, places, ratings, head-to-head shares.

Games on one seed share their chance, so they are not independent: the *seed* is the sampling unit. The
variance of a win share over S seeds is that of a clustered sample,

    var = S / (S - 1) * sum over seeds of (wins - share * games)^2 / games_in_all^2

and the interval is Wilson's for the number of independent games with that variance: at most the games
played, and only the number of seeds if all games were won or lost or there is one seed, where the
correlation within a seed cannot be estimated.

Mean scores and places have intervals of the same kind: ± 1.96 standard errors of the clustered sample.

Solo games on the same seed are compared by their scores.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .results import Result

Z: Final = 1.959964  # 95 %
RECALLED: Final = -math.inf  # eliminated in a solo game: below every score


class Duel(NamedTuple):
    """Agents that met on a seed, and their places."""

    seed: int
    agents: list[str]  # one agent can have several seats
    places: list[int]  # 0 is first; ties share a place


@dataclass(frozen=True)
class Row:
    """The record of one agent."""

    agent: str
    games: int  # seats in all games
    wins: float  # a shared first place counts in part
    interval: tuple[float, float]
    score: float
    place: float  # from 1
    errors: tuple[float, float]  # half the 95 % intervals of score and place; nan with one seed
    out: int
    seconds: float  # per decision
    rating: tuple[float, float] | None = None  # mu and sigma

    @property
    def share(self) -> float:
        """The share of games won."""
        return self.wins / self.games


def duels(results: Iterable[Result]) -> list[Duel]:
    """Every game as a duel; solo games of one set-up and seed together are one."""
    games, solo = [], defaultdict(list)
    for result in results:
        if len(result.agents) > 1:
            games.append(Duel(result.seed, result.agents, result.places))
        else:
            solo[result.key[0], result.seed].append(result)
    return games + [_solo_duel(seed, played) for (_, seed), played in solo.items()]


def _solo_duel(seed: int, games: list[Result]) -> Duel:
    """Solo games on one seed, ranked by score."""
    scores = [RECALLED if game.out[0] else game.scores[0] for game in games]
    places = [sum(other > score for other in scores) for score in scores]
    return Duel(seed, [game.agents[0] for game in games], places)


def standings(results: Sequence[Result]) -> list[Row]:
    """A row for each agent, best first."""
    met = duels(results)
    skill = ratings(met)
    rows = [_row(agent, results, met, skill) for agent in agents_in(results)]
    return sorted(rows, key=lambda row: (-row.share, row.place))


def agents_in(results: Iterable[Result]) -> list[str]:
    """The agents, in order of first appearance."""
    return list(dict.fromkeys(agent for result in results for agent in result.agents))


def _row(
    agent: str, results: Sequence[Result], met: Sequence[Duel], skill: dict[str, tuple[float, float]] | None
) -> Row:
    """The record of an agent over all its seats."""
    seats = [(result, p) for result in results for p, who in enumerate(result.agents) if who == agent]
    decisions = sum(result.decisions[p] for result, p in seats)
    met_in = [(duel, k) for duel in met for k, who in enumerate(duel.agents) if who == agent]
    places = [(duel.seed, duel.places[k]) for duel, k in met_in]
    scores = [(result.seed, result.scores[p]) for result, p in seats]
    wins = won(agent, met)
    return Row(
        agent=agent,
        games=len(seats),
        wins=float(wins[:, 0].sum()),
        interval=interval(wins[:, 0], wins[:, 1]),
        score=float(np.mean([score for _, score in scores])),
        place=float(np.mean([place for _, place in places])) + 1,
        errors=(half_interval(scores), half_interval(places)),
        out=sum(result.out[p] > 0 for result, p in seats),
        seconds=sum(result.seconds[p] for result, p in seats) / max(decisions, 1),
        rating=skill.get(agent) if skill else None,
    )


def won(agent: str, met: Iterable[Duel]) -> npt.NDArray[np.float64]:
    """Wins and games of an agent by seed, (seeds, 2); tied winners share a win."""
    by_seed: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for duel in met:
        winners = duel.places.count(0)
        for who, place in zip(duel.agents, duel.places, strict=True):
            if who == agent:
                by_seed[duel.seed][0] += (place == 0) / winners
                by_seed[duel.seed][1] += 1
    return np.array(list(by_seed.values()))


def interval(wins: npt.ArrayLike, games: npt.ArrayLike) -> tuple[float, float]:
    """The 95 % interval of a win share, from wins and games on each seed."""
    w, n = np.asarray(wins, float), np.asarray(games, float)
    seeds, played = len(w), float(n.sum())
    share = float(w.sum()) / played
    scatter = float(((w - share * n) ** 2).sum()) / played**2
    variance = scatter * seeds / (seeds - 1) if seeds > 1 else 0.0
    single = share * (1 - share)  # the variance of one game
    if single == 0 or seeds == 1:
        return wilson(share, seeds)
    return wilson(share, max(single / max(variance, single / played), 1.0))


def half_interval(values: Sequence[tuple[int, float]]) -> float:
    """Half the 95 % interval of the mean of values, each with the seed it was played on."""
    seeds, cluster = np.unique([seed for seed, _ in values], return_inverse=True)
    value = np.array([value for _, value in values], float)
    if len(seeds) < 2:
        return math.nan
    sums = np.bincount(cluster, value - value.mean())
    variance = len(seeds) / (len(seeds) - 1) * float((sums**2).sum()) / len(value) ** 2
    return Z * math.sqrt(variance)


def wilson(share: float, games: float) -> tuple[float, float]:
    """Wilson's interval of a share of this many independent games."""
    middle = (share + Z**2 / (2 * games)) / (1 + Z**2 / games)
    half = Z * math.sqrt(share * (1 - share) / games + Z**2 / (4 * games**2)) / (1 + Z**2 / games)
    return max(middle - half, 0.0), min(middle + half, 1.0)


# -- head to head


def head_to_head(results: Sequence[Result], agents: Sequence[str]) -> npt.NDArray[np.float64]:
    """How often the agent of the row finished ahead of that of the column, (a, a); nan: never met."""
    at = {agent: k for k, agent in enumerate(agents)}
    ahead, met = np.zeros((len(at), len(at))), np.zeros((len(at), len(at)))
    for duel in duels(results):
        for one, place in zip(duel.agents, duel.places, strict=True):
            for other, behind in zip(duel.agents, duel.places, strict=True):
                if one != other and one in at and other in at:
                    met[at[one], at[other]] += 1
                    ahead[at[one], at[other]] += (place < behind) + (place == behind) / 2
    return np.divide(ahead, met, out=np.full_like(ahead, np.nan), where=met > 0)


# -- ratings


def ratings(met: Iterable[Duel]) -> dict[str, tuple[float, float]] | None:
    """OpenSkill's mu and sigma (Plackett-Luce) after all duels in order; None without the package.

    An agent with several seats is ranked by their mean place.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    skill: dict[str, Any] = defaultdict(model.rating)
    for duel in met:
        places: dict[str, list[int]] = defaultdict(list)
        for agent, place in zip(duel.agents, duel.places, strict=True):
            places[agent].append(place)
        teams = [[skill[agent]] for agent in places]
        if len(teams) > 1:
            rated = model.rate(teams, ranks=[float(np.mean(each)) for each in places.values()])
            skill.update(zip(places, (team[0] for team in rated), strict=True))
    return {agent: (rating.mu, rating.sigma) for agent, rating in skill.items()}
