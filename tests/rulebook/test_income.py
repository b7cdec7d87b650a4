"""Phase 4: what citizens earn and trade (P4.0, P4.2); products have their own page."""

import pytest

from smallcity_env.rules.tables import Ask, Phase
from tests.rulebook.words import asked, offered, play
from tests.scene import assert_picture, scene

WORTH = {"wood": (2, 3), "stone": (3, 5), "metal": (5, 7)}  # on a space b in money, d in votes


# -- P4.0


def test_P4_0_each_collects_everything_before_the_next_player() -> None:
    """A Tourist's product overflows into the host's last warehouse space, before or after his own."""
    boroughs = ("Hl:0 Hl:0\nHl:0 Hl:0", "Hl:1 Hl:1 F2:0! F2:1!\nHl:1 Hl:1 Wa Wa:m")
    after = "Hl:1 Hl:1 F2:0! F2:1!\nHl:1 Hl:1 Wa:{} Wa:m"
    # a vote to spend stops the game in Phase 7, before the round is over
    game = scene(*boroughs, phase="income", host=0, votes=1)
    assert_picture(game, 1, after.format("w"))  # the Tourist's wood was there first
    game = scene(*boroughs, phase="income", host=1, votes={0: 1, 1: 1})
    assert_picture(game, 1, after.format("s"))  # the host's own stone was


def test_P4_0_goods_are_traded_before_new_ones_are_made() -> None:
    game = scene("Hl Hl C2 C2:0!\nHl Hl F1:0! .", phase="income", votes=1)
    assert game.phase == Phase.COUNCIL  # nothing to trade yet: not asked
    assert_picture(game, 0, "Hl:w Hl C2 C2:0!\nHl Hl F1:0! .")


def test_P4_0_a_trade_makes_room_for_a_product() -> None:
    game = scene("Hl:s Hl:s C2 C2:0!\nHl:0 Hl:0 F1:0! .", phase="income", votes=1)
    play(game, "stone")
    assert_picture(game, 0, "Hl:w Hl:s C2 C2:0!\nHl:0 Hl:0 F1:0! .")
    assert game.state.borough[0].money == 3


def test_P4_0_salaries_come_last() -> None:
    """The Doctor is paid with what the same turn earns, Tourists' fees and trades included."""
    drawn = "Hl:w Hl C2 C2:0!\nHl Hl Cl Cl Cl"
    game = scene(drawn, phase="income", modules=["doctors"], doctor=1, votes=1)
    assert game.ask == Ask.TRADE
    play(game, "wood")
    assert (game.ask, offered(game)) == (Ask.SALARY, {"yes", "no"})
    broke = scene(drawn, phase="income", modules=["doctors"], doctor=1, votes=1)
    play(broke, "no")
    assert broke.phase == Phase.COUNCIL  # $0: he went without being asked about
    assert broke.state.borough[0].doctor == 0


def test_P4_0_in_turn_order_from_the_host() -> None:
    boroughs = ("C2 C2:0!\nWa:w Wa", "C2 C2:1!\nWa:w Wa", "C2 C2:2!\nWa:w Wa")
    game = scene(*boroughs, phase="income", host=2)
    seats = []
    while game.ask == Ask.TRADE:
        seats.append(game.seat)
        play(game, "no")
    assert seats == [2, 0, 1]


# -- P4.2


@pytest.mark.parametrize(
    ("drawn", "money", "votes"),
    [
        ("C1:0!", 3, 0),
        ("C3:0! C3 C3", 3, 0),
        ("C3 C3 C3:0!", 0, 4),
        ("C4:0! C4 C4:0! C4", 3, 4),
        ("C1:0! C1:0! C3a C3a C3a:0!\n. C3b C3b C3b:0!", 6, 8),
        ("C1:0", 0, 0),
        ("C3:0 C3:0 C3:0", 0, 0),
    ],
)
def test_P4_2_a_earns_money_and_c_votes_for_whom_worked(drawn: str, money: int, votes: int) -> None:
    game = scene(drawn, phase="income")
    assert (game.state.borough[0].money, game.state.borough[0].votes) == (money, votes)


@pytest.mark.parametrize("material", WORTH)
@pytest.mark.parametrize("space", ["b", "d"])
def test_P4_2_b_trades_for_money_and_d_for_votes(space: str, material: str) -> None:
    shop = "C4 C4:0! C4 C4" if space == "b" else "C4 C4 C4 C4:0!"
    game = scene(f"{shop}\nHl:w Hl:s\nHl:m Hl", phase="income")
    assert (game.ask, offered(game)) == (Ask.TRADE, {"wood", "stone", "metal", "no"})
    play(game, material)
    money, votes = WORTH[material]
    b = game.state.borough[0]
    assert (b.money, b.votes) == ((money, 0) if space == "b" else (0, votes))
    left = f"{shop}\nHl:w Hl:s\nHl:m Hl".replace(f":{material[0]}", "")
    assert_picture(game, 0, left)


def test_P4_2_a_trade_may_be_declined() -> None:
    drawn = "C2 C2:0!\nHl:w Hl\nHl Hl"
    game = play(scene(drawn, phase="income", votes=1), "no")
    assert (game.state.borough[0].money, game.state.borough[0].votes) == (0, 1)
    assert_picture(game, 0, drawn)


def test_P4_2_only_what_there_is_can_be_traded() -> None:
    game = scene("C2 C2:0!\nHl:s Hl\nHl Hl", phase="income")
    assert offered(game) == {"stone", "no"}
    assert scene("C2 C2:0!\nHl Hl\nHl Hl", phase="income", votes=1).phase == Phase.COUNCIL


def test_P4_2_one_material_a_trade() -> None:
    game = scene("C2a C2a:0! C2b C2b:0!\nHl:w Hl:s\nHl Hl", phase="income", votes=1)
    play(game, "wood")
    assert (asked(game), offered(game)) == ((0, "D1"), {"stone", "no"})
    play(game, "stone")
    assert game.phase == Phase.COUNCIL
    assert game.state.borough[0].money == 2 + 3


def test_P4_2_who_did_not_work_does_not_trade() -> None:
    game = scene("C4 C4:0 C4 C4:0\nHl:w Hl\nHl Hl", phase="income", votes=1)
    assert game.phase == Phase.COUNCIL


def test_P4_2_a_and_c_pay_before_the_first_trade() -> None:
    game = scene("C2 C2:0! C1:0!\nC3 C3 C3:0!\nWa:w Wa", phase="income")
    assert (game.ask, asked(game)) == (Ask.TRADE, (0, "B1"))
    assert (game.state.borough[0].money, game.state.borough[0].votes) == (3, 4)


def test_P4_2_trades_at_home_in_reading_order_then_abroad_by_seat() -> None:
    game = scene(
        "C2 C2:1!",
        "C4 C4:1! C4 C4:1!\nC2 C2:1! Wa:w Wa",
        "C4 C4:1! C4 C4:1!",
        phase="income",
        seat=1,
    )
    seen = []
    while game.ask == Ask.TRADE:
        seen.append(asked(game))
        play(game, "no")
    assert seen == [(1, "B1"), (1, "D1"), (1, "B2"), (0, "B1"), (2, "B1"), (2, "D1")]


def test_P4_2_a_tourist_trades_what_his_own_player_has() -> None:
    game = scene("C2 C2:1!\nWa:m Wa", "Wa:w Wa", phase="income")
    assert (game.seat, offered(game)) == (1, {"wood", "no"})
    play(game, "wood")
    assert (game.state.borough[0].money, game.state.borough[1].money) == (1, 2)
    assert_picture(game, 1, "Wa Wa")


@pytest.mark.parametrize(
    ("drawn", "money", "votes"),
    [
        (". C4:0! .\nC4 C4 C4", 3, 0),  # a is the first space in reading order
        (". C4 .\nC4 C4:0! C4", 0, 4),  # c the third
        ("C4 .\nC4 C4:0!\nC4 .", 0, 4),
        ("C3:0!\nC3\nC3", 3, 0),
        ("C3\nC3\nC3:0!", 0, 4),
    ],
)
def test_P4_2_the_letters_follow_the_tile_however_it_lies(drawn: str, money: int, votes: int) -> None:
    game = scene(drawn, phase="income")
    assert (game.state.borough[0].money, game.state.borough[0].votes) == (money, votes)


@pytest.mark.parametrize(
    ("drawn", "gain"),
    [
        (". C4 .\nC4:0! C4 C4\nWa:w Wa", (2, 0)),  # b
        (". C4 .\nC4 C4 C4:0!\nWa:w Wa", (0, 3)),  # d
        ("C4 .\nC4:0! C4\nC4 .\nWa:w Wa", (2, 0)),
        ("C4 .\nC4 C4\nC4:0! .\nWa:w Wa", (0, 3)),
    ],
)
def test_P4_2_so_do_those_of_the_trades(drawn: str, gain: tuple[int, int]) -> None:
    game = play(scene(drawn, phase="income"), "wood")
    assert (game.state.borough[0].money, game.state.borough[0].votes) == gain
