"""Who plays whom, where, and on which seed: the matches of an arena.

A *table* is a choice of agents that sit down together. With at least as many agents as seats every choice
is a table; with fewer, the seats are shared out as evenly as they can be, and every way to do so is
a table. A *circle* is who sits next to whom; a *rotation* says who has seat 0.

For each seed, every table plays every rotation of one circle: on that seed all agents have every
seat equally often, and so host the Mayor equally often, and meet the same chance. From seed to seed
the circle changes, so that everybody comes to sit left of everybody. The games of one seed are a *block*;
an arena plays whole blocks.
"""

from collections.abc import Iterator
from itertools import combinations, count, permutations
from typing import NamedTuple

Seating = tuple[int, ...]  # the agent of each seat


class Match(NamedTuple):
    """One game to be played."""

    seed: int
    seating: Seating


def schedule(agents: int, players: int, games: int, seed: int = 0) -> list[Match]:
    """Whole blocks, one for each seed from `seed` on, of at least so many games in all."""
    matches: list[Match] = []
    for k in count():
        if len(matches) >= games:
            return matches
        matches += [Match(seed + k, seating) for seating in block(agents, players, k)]
    raise AssertionError("count() does not end")


def block(agents: int, players: int, number: int) -> list[Seating]:
    """The seatings of the games played on one seed."""
    return [seating for table in tables(agents, players) for seating in _rotations(_circle(table, number))]


def tables(agents: int, players: int) -> list[Seating]:
    """Which agents sit down together: every choice; with too few agents, seats shared out evenly."""
    if agents >= players:
        return list(combinations(range(agents), players))
    everybody = tuple(range(agents)) * (players // agents)
    return [tuple(sorted(everybody + more)) for more in combinations(range(agents), players % agents)]


def _circle(table: Seating, number: int) -> Seating:
    """The way this table sits together on the seed of that number: each way in its turn."""
    circles = list(_circles(table))
    return circles[number % len(circles)]


def _circles(table: Seating) -> Iterator[Seating]:
    """Every different way to sit round a table, whoever has seat 0."""
    known: set[Seating] = set()
    for rest in permutations(table[1:]):
        circle = (table[0], *rest)
        if circle not in known:
            known.update(_rotations(circle))
            yield circle


def _rotations(circle: Seating) -> list[Seating]:
    """Everybody one seat on, and on, as long as that is a different seating."""
    turned = [circle[k:] + circle[:k] for k in range(len(circle))]
    return list(dict.fromkeys(turned))
