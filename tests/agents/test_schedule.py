"""Balanced matches: seats, opponents and seeds."""

from collections import Counter

import pytest

from smallcity_agents.arena.schedule import Match, block, schedule, tables

SIZES = [(agents, players) for agents in range(1, 6) for players in range(1, 5)]


def whole(agents: int, players: int) -> list[Match]:
    """So many seeds that every circle had its turn equally often."""
    matches: list[Match] = []
    for k in range(6):
        matches += [Match(k, seating) for seating in block(agents, players, k)]
    return matches


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_everybody_has_every_seat_equally_often_on_every_seed(agents: int, players: int) -> None:
    for k in range(3):
        seats = Counter((a, p) for seating in block(agents, players, k) for p, a in enumerate(seating))
        assert set(seats) == {(a, p) for a in range(agents) for p in range(players)}
        assert len(set(seats.values())) == 1


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_everybody_meets_everybody_equally_often(agents: int, players: int) -> None:
    met: Counter[tuple[int, int]] = Counter()
    for match in whole(agents, players):
        met.update((a, b) for p, a in enumerate(match.seating) for b in match.seating[p + 1 :] if a != b)
    pairs = {frozenset(pair): 0 for pair in met}
    for (a, b), times in met.items():
        pairs[frozenset((a, b))] += times
    assert len(set(pairs.values())) <= 1
    if players > 1:
        assert len(pairs) == agents * (agents - 1) / 2


@pytest.mark.parametrize(("agents", "players"), [(2, 2), (3, 3), (4, 4), (4, 3), (5, 4)])
def test_everybody_sits_left_of_everybody_equally_often(agents: int, players: int) -> None:
    left = Counter(
        (match.seating[p], match.seating[(p + 1) % players])
        for match in whole(agents, players)
        for p in range(players)
    )
    assert len(left) == agents * (agents - 1)
    assert len(set(left.values())) == 1


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_no_game_is_played_twice_and_blocks_are_whole(agents: int, players: int) -> None:
    matches = schedule(agents, players, games=50, seed=7)
    assert len(set(matches)) == len(matches) >= 50
    seeds = sorted({match.seed for match in matches})
    assert seeds == list(range(7, 7 + len(seeds)))
    for k, seed in enumerate(seeds):
        assert [match.seating for match in matches if match.seed == seed] == block(agents, players, k)


def test_two_players_swap_seats_on_every_seed() -> None:
    assert schedule(2, 2, games=3) == [(0, (0, 1)), (0, (1, 0)), (1, (0, 1)), (1, (1, 0))]


def test_tables() -> None:
    assert tables(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert tables(2, 4) == [(0, 0, 1, 1)]
    assert tables(2, 3) == [(0, 0, 1), (0, 1, 1)]
    assert tables(1, 3) == [(0, 0, 0)]


def test_more_games_keep_the_ones_before() -> None:
    assert schedule(3, 3, games=60)[:30] == schedule(3, 3, games=30)
