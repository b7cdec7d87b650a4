"""The fixtures of an arena: who plays whom, in which seats, on which seed.

A *lineup* is the agents of one game. With at least as many agents as seats, every combination is a lineup;
with fewer, every way to share the seats as evenly as possible. A *table* is a lineup given by the user: the
only one played. A *circle* is a cyclic order of a lineup; a *rotation* of it decides who has seat 0.

For each seed, every lineup plays every rotation of one circle: on that seed all agents have every seat
equally often, host the Mayor equally often, and face the same chance. The circle changes from seed to seed,
so that every agent sits left of every other. The games of one seed are a *block*; an arena plays whole
blocks.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, count, permutations
from typing import NamedTuple

Seating = tuple[int, ...]  # the agent of each seat


class Fixture(NamedTuple):
    """A scheduled game."""

    seed: int
    seating: Seating


def schedule(agents: int, players: int, games: int, seed: int = 0, table: Seating = ()) -> list[Fixture]:
    """Whole blocks on consecutive seeds, at least `games` games in all; with a table, only its games."""
    played = [table] if table else lineups(agents, players)
    fixtures: list[Fixture] = []
    for k in count():
        if len(fixtures) >= games:
            return fixtures
        fixtures += [Fixture(seed + k, seating) for seating in block(played, k)]
    raise AssertionError("count() does not end")


def block(played: Sequence[Seating], number: int) -> list[Seating]:
    """The seatings of the games that lineups play on one seed."""
    return [seating for lineup in played for seating in _rotations(_circle(lineup, number))]


def lineups(agents: int, players: int) -> list[Seating]:
    """Every combination of agents; with too few agents, every even distribution of the seats."""
    if agents >= players:
        return list(combinations(range(agents), players))
    everybody = tuple(range(agents)) * (players // agents)
    return [tuple(sorted(everybody + more)) for more in combinations(range(agents), players % agents)]


def _circle(lineup: Seating, number: int) -> Seating:
    """The circle of a lineup in the block of that number: all circles in turn."""
    circles = list(_circles(lineup))
    return circles[number % len(circles)]


def _circles(lineup: Seating) -> Iterator[Seating]:
    """Every distinct cyclic order of a lineup."""
    known: set[Seating] = set()
    for rest in permutations(lineup[1:]):
        circle = (lineup[0], *rest)
        if circle not in known:
            known.update(_rotations(circle))
            yield circle


def _rotations(circle: Seating) -> list[Seating]:
    """Every distinct rotation of a circle."""
    return list(dict.fromkeys(circle[k:] + circle[:k] for k in range(len(circle))))
