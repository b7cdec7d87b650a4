"""Phase 7: influence the City Council (P7.1 - P7.4, P7.6, RU3); the Construction row has its own page."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables import Ask, Phase
from tests.rulebook.words import offered, play
from tests.scene import assert_picture, scene

ROWS = {"row finance", "row supplies", "row construction", "row tourism"}
HALL = "Hl Hl\nHl Hl"
COLUMNS = [1, 2, 3, 4]


def purse(game: Game, seat: int = 0) -> tuple[int, int]:
    """Money and votes."""
    return int(game.state.borough[seat].money), int(game.state.borough[seat].votes)


def council(game: Game, seat: int = 0) -> list[int]:
    """The columns of a player's discs, by row."""
    return game.state.borough[seat].council.tolist()  # type: ignore[no-any-return]


# -- P7.1


@pytest.mark.parametrize(
    ("discs", "rows"),
    [
        ({}, ROWS),
        ({"finance": 1}, ROWS),  # on in its row, or the other disc into any other
        ({"finance": 3, "tourism": 1}, {"row finance", "row tourism"}),
        ({"finance": 4}, ROWS - {"row finance"}),  # not past column 4, and not the row of the other
        ({"finance": 4, "tourism": 3}, {"row tourism"}),
    ],
)
def test_P7_1_a_disc_enters_a_row_of_its_own_or_moves_on(discs: dict[str, int], rows: set[str]) -> None:
    game = scene(HALL, phase="council", money=9, council=discs)
    assert (game.ask, offered(game)) == (Ask.ROW, rows | {"no"})


def test_P7_1_with_both_discs_at_the_end_nothing_is_asked() -> None:
    game = scene(HALL, HALL, phase="council", money={0: 9, 1: 9}, council={"finance": 4, "tourism": 4})
    assert game.seat == 1


@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 2), (2, 3), (3, 4)])
def test_P7_1_one_column_at_a_time(before: int, after: int) -> None:
    game = scene(HALL, phase="council", money=9, council={"finance": before})
    play(game, "row finance")
    assert council(game) == [after, 0, 0, 0]


def test_P7_1_one_advance_a_round_in_turn_order() -> None:
    game = scene(HALL, HALL, HALL, phase="council", money={0: 9, 1: 9, 2: 9}, host=2)
    for seat in (2, 0, 1):
        assert (game.phase, game.seat, game.ask) == (Phase.COUNCIL, seat, Ask.ROW)
        play(game, "row finance")
    assert game.phase != Phase.COUNCIL
    assert game.round == 2


def test_P7_1_discs_of_several_players_share_a_space() -> None:
    game = scene(HALL, HALL, phase="council", money={0: 9, 1: 9})
    play(game, "row finance", "row finance")
    assert (council(game, 0), council(game, 1)) == ([1, 0, 0, 0], [1, 0, 0, 0])


def test_P7_1_an_advance_may_be_declined() -> None:
    game = scene(HALL, HALL, phase="council", money={0: 9, 1: 9})
    play(game, "no")
    assert (game.seat, council(game), purse(game)) == (1, [0, 0, 0, 0], (9, 0))


# -- P7.2


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("way", ["money", "votes"])
def test_P7_2_a_column_costs_its_number_in_money_or_votes(column: int, way: str) -> None:
    before: dict[str, Any] = {"supplies": column - 1}
    game = scene(HALL, phase="council", money=10, votes=20, council=before)
    play(game, "row supplies")
    assert (game.ask, offered(game)) == (Ask.PAY, {"pay money", "pay votes"})
    play(game, f"pay {way}")
    assert purse(game) == ((10 - column, 20) if way == "money" else (10, 20 - column))


@pytest.mark.parametrize("column", COLUMNS)
def test_P7_2_all_of_it_at_once(column: int) -> None:
    """The exact sum will do, one less will not, and money and votes are not mixed."""
    before: dict[str, Any] = {"supplies": column - 1, "finance": 4}
    exact = scene(HALL, phase="council", money=column, council=before)
    play(exact, "row supplies")
    assert purse(exact) == (0, 0)
    exact = scene(HALL, phase="council", votes=column, council=before)
    play(exact, "row supplies")
    assert purse(exact) == (0, 0)
    if column > 1:
        both: dict[str, Any] = {"money": column - 1, "votes": column - 1, "council": before}
        assert "row supplies" not in offered(scene(HALL, phase="council", **both))


def test_P7_2_without_a_dollar_or_a_vote_nothing_is_asked() -> None:
    assert scene(HALL, HALL, phase="council", votes={1: 1}).seat == 1


def test_P7_2_only_rows_that_can_be_paid() -> None:
    game = scene(HALL, phase="council", money=1, council={"finance": 1})
    assert offered(game) == ROWS - {"row finance"} | {"no"}


def test_P7_2_paid_as_it_can_be_without_asking() -> None:
    game = scene(HALL, phase="council", money=1, votes=2, council={"supplies": 1, "tourism": 4})
    play(game, "row supplies")
    assert purse(game) == (1, 0)


# -- P7.3, P7.4


@pytest.mark.parametrize(("column", "reward"), [(1, 3), (2, 5), (3, 7), (4, 9)])
def test_P7_3_P7_4_finance_pays(column: int, reward: int) -> None:
    """P7.3: at once, before the next player."""
    game = scene(HALL, HALL, phase="council", votes={0: column, 1: 1}, council={"finance": column - 1})
    play(game, "row finance")
    assert (game.seat, purse(game)) == (1, (reward, 0))


@pytest.mark.parametrize(("column", "material"), [(1, "w"), (2, "w"), (3, "s"), (4, "m")])
def test_P7_3_P7_4_supplies_bring_a_material(column: int, material: str) -> None:
    """P7.3: at once, before the next player."""
    game = scene(HALL, HALL, phase="council", votes={0: column, 1: 1}, council={"supplies": column - 1})
    play(game, "row supplies")
    assert game.seat == 1
    assert_picture(game, 0, f"Hl:{material} Hl\nHl Hl")


def test_P7_4_stored_in_warehouse_or_city_hall_as_the_player_likes() -> None:
    game = scene(f"{HALL}\nWa Wa", HALL, phase="council", votes={0: 1, 1: 1})
    play(game, "row supplies")
    assert (game.ask, offered(game)) == (Ask.STORE, {"store warehouse", "store city-hall"})
    play(game, "store warehouse")
    assert_picture(game, 0, f"{HALL}\nWa:w Wa")


def test_P7_4_lost_without_room() -> None:
    full = "Hl:0 Hl:m\nHl:0 Hl:0\nWa:s Wa:s"
    game = scene(full, HALL, phase="council", votes={0: 1, 1: 1})
    play(game, "row supplies")
    assert game.seat == 1
    assert_picture(game, 0, full)
    assert council(game) == [0, 1, 0, 0]


# -- P7.6


@pytest.mark.parametrize(
    ("column", "reserve", "come"),
    [(1, 6, 1), (2, 6, 1), (3, 6, 2), (4, 6, 2), (3, 2, 2), (4, 1, 1), (1, 1, 1), (1, 0, 0), (4, 0, 0)],
)
def test_P7_6_citizens_from_the_reserve_as_far_as_it_lasts(column: int, reserve: int, come: int) -> None:
    game = scene(
        HALL, HALL, phase="council", votes={0: column, 1: 1}, council={"tourism": column - 1}, reserve=reserve
    )
    before = int(game.state.borough[0].career)
    play(game, "row tourism")
    assert_picture(game, 0, [HALL, "Hl:0 Hl\nHl Hl", "Hl:0 Hl:0\nHl Hl"][come])
    assert game.state.reserve[0] == reserve - come
    assert game.state.borough[0].career == before


def test_P7_6_RU3_without_room_in_city_hall_to_the_career_center() -> None:
    given: dict[str, Any] = {"phase": "council", "votes": {0: 3, 1: 1}, "council": {"tourism": 2}}
    full = "Hl:0 Hl:w\nHl:0 Hl:m"
    game = play(scene(full, HALL, **given), "row tourism")
    assert_picture(game, 0, full)
    assert game.state.borough[0].career == 12 + 2
    game = play(scene("Hl:0 Hl:w\nHl:0 Hl", HALL, **given), "row tourism")
    assert_picture(game, 0, "Hl:0 Hl:w\nHl:0 Hl:0")
    assert game.state.borough[0].career == 12 + 1


def test_P7_6_the_way_past_fourteen() -> None:
    game = scene("Hl:0 Hl:0\nHl:0 Hl", HALL, phase="council", votes={0: 1, 1: 1})
    assert game.state.borough[0].career == 11
    play(game, "row tourism")
    assert_picture(game, 0, "Hl:0 Hl:0\nHl:0 Hl:0")
    assert game.state.borough[0].career == 11


def test_P7_6_they_come_from_the_own_colours_reserve() -> None:
    game = scene(HALL, HALL, phase="council", votes={0: 1, 1: 1}, reserve={0: 3, 1: 5})
    play(game, "row tourism")
    assert game.state.reserve.tolist()[:2] == [2, 5]
