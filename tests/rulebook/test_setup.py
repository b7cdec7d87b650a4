"""Section 3: the set-up (SU1 - SU6)."""

import pytest

from smallcity_env import Config, Game
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.text.grid import draw
from tests.rulebook.laying import marked
from tests.rulebook.words import idle_to, offered, play, spaces
from tests.scene import assert_picture

SEEDS = range(40)
PILES = {
    6: {1, 2, 3, 4, 5, 6},
    12: {7, 9, 10, 11, 12, 13},
    18: {8, 14, 15, 16},
}


def new(players: int = 4, seed: int = 1, **given: object) -> Game:
    """A new game without modules, at its first question."""
    return Game(Config(players=players, **{"modules": (), **given}), seed=seed)  # type: ignore[arg-type]


def with_halls(players: int = 4, seed: int = 1, **given: object) -> Game:
    """The same with every City Hall on C3."""
    return play(new(players, seed, **given), *["at C3"] * players)


def seats_asked(game: Game) -> list[int]:
    """Who has answered so far, in order, one for each turn."""
    turns = [entry.seat for entry in game.log.entries]
    return [seat for i, seat in enumerate(turns) if i == 0 or turns[i - 1] != seat]


# -- SU1


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_SU1_a_random_seat_hosts_the_mayor(players: int) -> None:
    hosts = [int(new(players, seed).state.host) for seed in SEEDS]
    assert set(hosts) == set(range(players))


@pytest.mark.parametrize("seed", range(8))
def test_SU1_turn_order_is_clockwise_from_the_host(seed: int) -> None:
    game = new(3, seed)
    order = [(int(game.state.host) + turn) % 3 for turn in range(3)]
    play(game, "at A1", "at A1", "at A1")
    assert seats_asked(game) == order
    play(game, "promise 6", "promise 6", "promise 6")
    assert seats_asked(game)[3:] == order
    idle_to(game, "move", round=1)
    first_question = {}
    for entry in game.log.entries:
        first_question.setdefault((entry.ask, entry.seat))
    for ask in (Ask.CARD, Ask.WHAT):
        assert [seat for asked, seat in first_question if asked is ask] == order


# -- SU2


def test_SU2_city_hall_goes_anywhere_in_the_zone() -> None:
    assert spaces(new()) == marked("o o o o o o .\n" * 6)


def test_SU2_but_not_on_waste() -> None:
    assert spaces(new(boards="base-expert")) == marked(
        """
        o o . . o o .
        o o o o o o .
        . o o o o . x
        x o o o o . .
        o o o o o o .
        o o . . o o .
        . . . x . . .
        """
    )


def test_SU2_nor_on_a_river() -> None:
    assert spaces(new(1, boards="river-easy")) == marked(
        """
        o o o . . o .
        o o . . . o .
        o o . . . o .
        o o . . o o .
        o o . . . o .
        o o . . . o .
        . . . . . . .
        """
    )


def test_SU2_nor_on_the_imperial_park() -> None:
    assert spaces(new(1, boards="tokyo")) == marked(
        """
        . . o o o . . .
        . . . . . . . .
        o . . . . . o .
        o . . . . . o .
        o . . . . . o .
        . . . . . . . .
        . . o o o . . .
        . . . . . . . .
        """
    )


def test_SU2_nothing_is_placed_where_it_is_printed() -> None:
    """SU2: only the player of the base board is asked; in Beijing the citizens stand in the printed one."""
    game = new(2, boards=("beijing", "base-easy"))
    assert (game.seat, game.ask) == (1, Ask.WHERE)
    play(game, "at A1")
    assert game.ask is Ask.DIFFICULTY
    assert_picture(game, 0, ".\n.\n.\n. . . Hl:0 Hl:0\n. . . Hl:0 Hl")


def test_SU2_city_halls_are_secret_until_all_are_placed() -> None:
    game = new(3)
    for placed in range(3):
        s = game.state
        assert [int(b.built[Kind.CITY_HALL]) for b in s.shown[:3]] == [0, 0, 0]
        assert sum(int(b.built[Kind.CITY_HALL]) for b in s.borough[:3]) == placed
        assert [draw(b, 0) for b in s.shown[:3]] == [draw(new(1).state.borough[0], 0)] * 3
        play(game, "at C3")
    assert not game.state.shown.tobytes().strip(b"\0")


def test_SU2_three_citizens_stand_in_each_and_eleven_in_the_career_center() -> None:
    game = new(3)
    play(game, "at A1", "at F6")
    assert all(not b.citizens.any() for b in game.state.borough)
    play(game, "at C3")
    in_turn_order = [(int(game.state.host) + turn) % 3 for turn in range(3)]
    pictures = [
        "Hl:{0} Hl:{0}\nHl:{0} Hl",
        ".\n.\n.\n.\n.\n. . . . . Hl:{0} Hl:{0}\n. . . . . Hl:{0} Hl",
        ".\n.\n. . Hl:{0} Hl:{0}\n. . Hl:{0} Hl",
    ]
    for seat, drawn in zip(in_turn_order, pictures, strict=True):
        assert_picture(game, seat, drawn.format(seat))
        assert game.state.borough[seat].career == 11


# -- SU3


def promises(game: Game) -> list[int]:
    return [int(b.promise) for b in game.state.borough[: game.config.players]]


def test_SU3_everybody_chooses_a_difficulty_in_turn_order() -> None:
    game = with_halls(3)
    for turn in range(3):
        assert game.ask is Ask.DIFFICULTY
        assert game.seat == (int(game.state.host) + turn) % 3
        assert offered(game) == {"promise 6", "promise 12", "promise 18"}
        seat = game.seat
        play(game, f"promise {6 * (turn + 1)}")
        assert game.state.borough[seat].difficulty == turn
    assert (game.phase, game.round) == (Phase.SELECT, 1)


@pytest.mark.parametrize("worth", PILES)
def test_SU3_a_promise_is_drawn_from_the_pile_of_that_worth(worth: int) -> None:
    drawn = set()
    for seed in range(60):
        game = play(with_halls(4, seed), *[f"promise {worth}"] * 4)
        assert len(set(promises(game))) == 4  # no card twice
        drawn |= set(promises(game))
    assert drawn == PILES[worth]


def test_SU3_all_four_may_choose_the_smallest_pile() -> None:
    """SU3: there are four promises worth 18."""
    game = play(with_halls(4), "promise 18", "promise 18", "promise 18")
    assert "promise 18" in offered(game)
    play(game, "promise 18")
    assert set(promises(game)) == PILES[18]


@pytest.mark.parametrize(
    ("modules", "more"),
    [
        (("new_buildings",), {6: {34, 36}, 12: {33, 35}, 18: set()}),
        (("power_plants",), {6: {37}, 12: {38}, 18: set()}),
    ],
)
def test_SU3_the_piles_hold_what_is_in_play(modules: tuple[str, ...], more: dict[int, set[int]]) -> None:
    for worth in PILES:
        drawn = set()
        for seed in range(80):
            drawn |= set(promises(play(with_halls(4, seed, modules=modules), *[f"promise {worth}"] * 4)))
        assert drawn == PILES[worth] | more[worth]


def test_SU3_no_special_promise_outside_the_advanced_game() -> None:
    game = play(with_halls(2), "promise 6", "promise 12")
    assert all(b.special == 0 for b in game.state.borough)


# -- SU4, SU5, SU6


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("modules", "first"), [((), 4), (("power_plants",), 8)])
def test_SU4_money_by_turn_order(modules: tuple[str, ...], first: int, seed: int) -> None:
    game = new(4, seed, modules=modules)
    host = int(game.state.host)
    money = [int(game.state.borough[(host + turn) % 4].money) for turn in range(4)]
    assert money == [first, first + 2, first + 4, first + 6]


def test_SU4_no_materials_no_votes_no_pollution_but_in_seoul() -> None:
    game = new(3, boards=("base-easy", "seoul", "base-expert"))
    idle_to(game, "select", round=1)
    boroughs = game.state.borough[:3]
    assert [int(b.votes) for b in boroughs] == [0, 0, 0]
    assert not any(b.materials.any() for b in boroughs)
    assert [int(b.pollution) for b in boroughs] == [0, 7, 0]


def test_SU5_two_council_discs_left_of_the_board() -> None:
    """SU5: each of the four rows can be entered, with the second disc any other, and there is no third."""
    game = idle_to(new(1), "select", round=1)
    assert not game.state.borough[0].council.any()
    rows = {"row finance", "row supplies", "row construction", "row tourism"}
    idle_to(game, "council")
    assert rows <= offered(game)
    play(game, "row finance")
    if game.ask is Ask.PAY:
        play(game, "pay money")
    idle_to(game, "council", round=2)
    assert rows <= offered(game)
    play(game, "row tourism")
    if game.ask is Ask.PAY:
        play(game, "pay money")
    idle_to(game, "council", round=3)
    assert rows & offered(game) == {"row finance", "row tourism"}


def test_SU6_the_default_game() -> None:
    assert Game().config == Config(
        players=4,
        modules=("godzillas",),
        boards=("base-easy",) * 4,
        victory="votes",
        advanced=False,
        stockholm=False,
        godzilla_rules="2022",
    )
    assert Game().state.rules.rounds == 8
