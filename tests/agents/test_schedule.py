"""Fixtures are balanced over seats, opponents and seeds."""

from collections import Counter

import pytest

from smallcity_agents.arena.schedule import Fixture, block, lineups, schedule

SIZES = [(agents, players) for agents in range(1, 6) for players in range(1, 5)]


def whole(agents: int, players: int) -> list[Fixture]:
    """Enough seeds for every circle to come up equally often."""
    fixtures: list[Fixture] = []
    for k in range(6):
        fixtures += [Fixture(k, seating) for seating in block(lineups(agents, players), k)]
    return fixtures


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_everybody_has_every_seat_equally_often_on_every_seed(agents: int, players: int) -> None:
    for k in range(3):
        seatings = block(lineups(agents, players), k)
        seats = Counter((a, p) for seating in seatings for p, a in enumerate(seating))
        assert set(seats) == {(a, p) for a in range(agents) for p in range(players)}
        assert len(set(seats.values())) == 1


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_everybody_meets_everybody_equally_often(agents: int, players: int) -> None:
    met: Counter[tuple[int, int]] = Counter()
    for fixture in whole(agents, players):
        met.update((a, b) for p, a in enumerate(fixture.seating) for b in fixture.seating[p + 1 :] if a != b)
    pairs = {frozenset(pair): 0 for pair in met}
    for (a, b), times in met.items():
        pairs[frozenset((a, b))] += times
    assert len(set(pairs.values())) <= 1
    if players > 1:
        assert len(pairs) == agents * (agents - 1) / 2


@pytest.mark.parametrize(("agents", "players"), [(2, 2), (3, 3), (4, 4), (4, 3), (5, 4)])
def test_everybody_sits_left_of_everybody_equally_often(agents: int, players: int) -> None:
    left = Counter(
        (fixture.seating[p], fixture.seating[(p + 1) % players])
        for fixture in whole(agents, players)
        for p in range(players)
    )
    assert len(left) == agents * (agents - 1)
    assert len(set(left.values())) == 1


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_no_game_is_played_twice_and_blocks_are_whole(agents: int, players: int) -> None:
    fixtures = schedule(agents, players, games=50, seed=7)
    assert len(set(fixtures)) == len(fixtures) >= 50
    seeds = sorted({fixture.seed for fixture in fixtures})
    assert seeds == list(range(7, 7 + len(seeds)))
    for k, seed in enumerate(seeds):
        played = block(lineups(agents, players), k)
        assert [fixture.seating for fixture in fixtures if fixture.seed == seed] == played


def test_two_players_swap_seats_on_every_seed() -> None:
    assert schedule(2, 2, games=3) == [(0, (0, 1)), (0, (1, 0)), (1, (0, 1)), (1, (1, 0))]


def test_lineups() -> None:
    assert lineups(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert lineups(2, 4) == [(0, 0, 1, 1)]
    assert lineups(2, 3) == [(0, 0, 1), (0, 1, 1)]
    assert lineups(1, 3) == [(0, 0, 0)]


@pytest.mark.parametrize("table", [(0,), (0, 1, 1), (0, 1, 1, 1), (0, 0, 1, 2), (0, 1, 2, 3)])
def test_a_table_rotates_over_the_seats_and_its_order_changes(table: tuple[int, ...]) -> None:
    agents, players = len(set(table)), len(table)
    fixtures = schedule(agents, players, games=24 * players, seed=3, table=table)
    assert {tuple(sorted(fixture.seating)) for fixture in fixtures} == {table}
    for seed in {fixture.seed for fixture in fixtures}:
        seats = Counter((a, p) for f in fixtures if f.seed == seed for p, a in enumerate(f.seating))
        assert all(seats[a, p] * players % table.count(a) == 0 for a, p in seats)
        assert all(seats[a, p] == seats[a, 0] > 0 for a in table for p in range(players))
    beside = Counter((f.seating[p], f.seating[p - 1]) for f in fixtures for p in range(players))
    assert players == 1 or all(beside[a, b] for a in set(table) for b in set(table) - {a})


def test_more_games_extend_the_schedule() -> None:
    assert schedule(3, 3, games=60)[:30] == schedule(3, 3, games=30)


def test_circles_repeat_only_after_all_have_been_played() -> None:
    blocks = [frozenset(block([(0, 0, 1, 1)], number)) for number in range(4)]
    assert blocks[0] != blocks[1] and blocks[2:] == blocks[:2]
