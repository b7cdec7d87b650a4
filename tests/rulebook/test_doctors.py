"""Doctors: hired through the Tourism row, paid each round, they raise the dead (D1 - D4)."""

from typing import Any

import pytest

from smallcity_env import Ask, Config, Game
from tests.rulebook.walks import spaces_with
from tests.rulebook.words import idle_to, offered, play, spaces
from tests.scene import assert_picture, scene

CLINIC = "Cl Cl Cl . Hl Hl\n. . . . Hl Hl"


def town(drawn: str, other: str = "", **given: Any) -> Game:
    """A position of a game with Doctors."""
    return scene(drawn, other, **{"modules": ["doctors"], **given})


def hiring(drawn: str = CLINIC, column: int = 1, **given: Any) -> Game:
    """Seat 0 advances to this column of the Tourism row."""
    council = {"tourism": column - 1} if column > 1 else {}
    game = town(drawn, **{"phase": "council", "money": column, "council": council, **given})
    return play(game, "row tourism")


def doctors(game: Game) -> tuple[int, int]:
    """Doctors in the Clinic of seat 0 and in the reserve."""
    return int(game.state.borough[0].doctor), int(game.state.doctors)


# -- D1


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_D1_one_doctor_a_player_in_the_reserve(players: int) -> None:
    assert Game(Config(players=players, modules=("doctors",)), seed=1).state.doctors == players
    assert Game(Config(players=players, modules=()), seed=1).state.doctors == 0


# -- D2


@pytest.mark.parametrize(("column", "citizens"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_D2_a_doctor_instead_of_one_of_the_citizens_in_every_column(column: int, citizens: int) -> None:
    game = hiring(column=column)
    assert game.ask is Ask.DOCTOR
    assert offered(game) == {"yes", "no"}
    hired, not_hired = play(game.clone(), "yes"), play(game.clone(), "no")
    assert (doctors(hired), hired.state.reserve[0]) == ((1, 1), 6 - citizens + 1)
    assert (doctors(not_hired), not_hired.state.reserve[0]) == ((0, 2), 6 - citizens)


def test_D2_the_other_citizen_goes_to_city_hall() -> None:
    game = play(hiring(column=4), "yes")
    assert_picture(game, 0, "Cl Cl Cl . Hl:0 Hl\n. . . . Hl Hl")


@pytest.mark.parametrize(("column", "reserve", "left"), [(1, 0, 0), (3, 0, 0), (3, 1, 0)])
def test_D2_also_when_the_reserve_of_citizens_does_not_last(column: int, reserve: int, left: int) -> None:
    game = play(hiring(column=column, reserve={0: reserve}), "yes")
    assert (doctors(game), game.state.reserve[0]) == ((1, 1), left)


@pytest.mark.parametrize(
    ("drawn", "given"),
    [
        pytest.param("Hl Hl\nHl Hl", {}, id="no Clinic"),
        pytest.param(CLINIC, {"doctor": 1}, id="a Doctor in it"),
        pytest.param("Cl Cl:* Cl", {"modules": ["doctors", "godzillas"]}, id="a marker on it"),
        pytest.param("Cl Cl:Z Cl:Z", {"modules": ["doctors", "godzillas"]}, id="a godzilla on it"),
        pytest.param(CLINIC, {"modules": []}, id="without the module"),
    ],
)
def test_D2_only_for_an_uncontaminated_clinic_without_doctor(drawn: str, given: dict[str, Any]) -> None:
    game = hiring(drawn, **given)
    assert Ask.DOCTOR not in {entry.ask for entry in game.log.entries}
    assert game.ask is not Ask.DOCTOR
    assert game.state.reserve[0] == 6 - 1
    assert game.state.borough[0].doctor == given.get("doctor", 0)


def test_D2_other_rows_bring_no_doctor() -> None:
    game = play(town(CLINIC, phase="council", money=1), "row finance")
    assert doctors(game) == (0, 2)


def test_D2_the_city_councilors_advance_too() -> None:
    """P1.3 G: the reward at once, in Phase 1."""
    game = town(CLINIC, phase="select", seat=0, money=1)
    play(game, "card councilor", "row tourism", "yes")
    assert doctors(game) == (1, 1)


def test_D2_each_player_may_hire_his_own() -> None:
    game = scene(CLINIC, CLINIC, "", phase="council", money={0: 1, 1: 1}, modules=["doctors"])
    play(game, "row tourism", "yes", "row tourism", "yes")
    assert [int(game.state.borough[p].doctor) for p in range(3)] == [1, 1, 0]
    assert game.state.doctors == 1


def test_D2_the_last_one_of_the_reserve_too() -> None:
    game = play(hiring(doctor={1: 1}, other=CLINIC), "yes")
    assert doctors(game) == (1, 0)


# -- D3


DEAD = "Cl Cl Cl . Hl:0 Hl\n.:+ . .:+ . Hl Hl"


def payday(drawn: str = DEAD, **given: Any) -> Game:
    """Phase 4 of seat 0, who has a Doctor and $2, if not said otherwise."""
    return town(drawn, **{"phase": "income", "doctor": 1, "money": 3, **given})


def test_D3_pay_or_let_him_go() -> None:
    game = payday()
    assert game.ask is Ask.SALARY
    assert offered(game) == {"yes", "no"}


def test_D3_unpaid_he_goes_back_to_the_reserve_and_nobody_gets_up() -> None:
    game = play(payday(), "no")
    assert doctors(game) == (0, 2)
    assert game.state.borough[0].money == 3
    assert_picture(game, 0, DEAD)


def test_D3_paid_one_of_the_dead_gets_up_into_city_hall() -> None:
    """The player's choice; where he lay is no cemetery any more."""
    game = play(payday(), "yes")
    assert game.ask is Ask.REVIVE
    assert spaces(game) == {"A2", "C2"}
    play(game, "at C2")
    assert_picture(game, 0, "Cl Cl Cl . Hl:0 Hl:0\n.:+ . . . Hl Hl")
    assert game.state.borough[0].money == 3 - 2
    assert doctors(game) == (1, 1)


def test_D3_the_only_dead_one_gets_up_without_asking() -> None:
    game = play(payday("Cl Cl Cl .:+\nHl Hl\nHl Hl"), "yes")
    assert_picture(game, 0, "Cl Cl Cl .\nHl:0 Hl\nHl Hl")


@pytest.mark.parametrize("hall", ["Hl:0 Hl:0\nHl:w Hl:0", "Hl:0 Hl:*\nHl:0 Hl:*"])
def test_D3_without_room_in_city_hall_he_goes_to_the_career_center(hall: str) -> None:
    """RU3: four taken, or the last spaces not usable."""
    game = payday(f"Cl Cl Cl .:+\n{hall}", modules=["doctors", "godzillas"])
    before = int(game.state.borough[0].career)
    play(game, "yes")
    assert game.state.borough[0].career == before + 1
    assert spaces_with(game, "cemetery") == ""


@pytest.mark.parametrize("money", [0, 1])
def test_D3_who_cannot_pay_loses_him_without_being_asked(money: int) -> None:
    game = payday(money=money, votes=1)
    assert doctors(game) == (0, 2)
    assert spaces_with(game, "cemetery") == "A2 C2"
    assert game.state.borough[0].money == money


def test_D3_exactly_2_is_enough() -> None:
    game = play(payday(money=2, votes=1), "yes", "at A2")
    assert game.state.borough[0].money == 0


def test_D3_with_nobody_dead_he_is_paid_all_the_same() -> None:
    game = payday(CLINIC)
    assert offered(game) == {"yes", "no"}
    play(game, "yes")
    assert game.state.borough[0].money == 1
    assert doctors(game) == (1, 1)


def test_D3_what_was_earned_in_this_phase_pays() -> None:
    """P4.0: step 4 comes after Tourists and shops."""
    game = payday("Cl Cl Cl .:+\nC1:0! .", money=0, votes=1)
    assert game.ask is Ask.SALARY
    assert game.state.borough[0].money == 3


def test_D3_products_are_stored_before_anybody_gets_up() -> None:
    """P4.0: step 4 comes after the factories; the last space of City Hall is taken by the wood."""
    game = payday("Cl Cl Cl .:+\nHl:0 Hl:0\nHl:0 Hl\n. . . F1:0!")
    before = int(game.state.borough[0].career)
    play(game, "yes")
    assert_picture(game, 0, "Cl Cl Cl .\nHl:0 Hl:0\nHl:0 Hl:w\n. . . F1:0!")
    assert game.state.borough[0].career == before + 1


def test_D3_every_round_again() -> None:
    game = play(payday(money=5), "yes", "at A2")
    idle_to(game, "income", 2)
    assert (game.round, game.seat, game.ask) == (2, 0, Ask.SALARY)


def test_D3_each_player_pays_in_his_own_turn() -> None:
    """P4.0: seat 1, the host, before seat 0; each for himself."""
    game = scene(
        CLINIC, CLINIC, "", phase="income", host=1, doctor={0: 1, 1: 1}, money={0: 4, 1: 3},
        modules=["doctors"],
    )  # fmt: skip
    assert (game.seat, game.ask) == (1, Ask.SALARY)
    play(game, "yes")
    assert (game.seat, game.ask) == (0, Ask.SALARY)
    play(game, "no")
    assert [int(game.state.borough[p].money) for p in (0, 1)] == [4, 1]
    assert [int(game.state.borough[p].doctor) for p in (0, 1)] == [0, 1]


def test_D3_without_a_doctor_nothing_is_asked_and_nobody_gets_up() -> None:
    game = town(DEAD, phase="income", money=3)
    assert game.phase.name == "COUNCIL"
    assert spaces_with(game, "cemetery") == "A2 C2"


def test_D3_who_got_up_has_not_worked() -> None:
    """T6: he stands in City Hall, neither voting nor polluting this round."""
    game = play(payday("Cl Cl Cl .:+\nHl Hl\nHl Hl"), "yes")
    assert (game.state.borough[0].votes, game.state.borough[0].pollution_made) == (0, 0)


def test_D3_where_he_lay_can_be_built_on_again() -> None:
    game = play(payday("Cl Cl Cl .:+\nHl Hl\nHl Hl", money=9), "yes")
    idle_to(game, "build", 2)
    assert "D1" in spaces(play(game, "build park-1"))


# -- D4


def test_D4_the_doctor_takes_no_people_space() -> None:
    game = town("Cl Cl Cl\nR1:0", phase="move", doctor=1)
    assert spaces(game) == {"A1", "B1", "C1"}


def test_D4_the_doctor_makes_no_pollution_and_does_not_vote() -> None:
    game = town(CLINIC, phase="vote", doctor=1, money=1)
    assert (game.state.borough[0].votes, game.state.borough[0].pollution_made) == (0, 0)


def test_D4_the_doctor_alone_prevents_no_death() -> None:
    """P6.3: that takes a citizen who worked in the Clinic."""
    drawn = "Cl Cl Cl .\nR1:0 . . ."
    game = town(drawn, phase="pollution", doctor=1, money=1, pollution=24)
    assert game.ask is Ask.GRAVE
    busy = town("Cl:0! Cl Cl .", phase="pollution", doctor=1, money=1, pollution=24)
    assert busy.phase.name == "COUNCIL"


def test_D4_the_doctor_is_no_living_citizen_and_is_not_chosen_to_die() -> None:
    """Population counts nobody; and with nobody else there is no death."""
    game = town(CLINIC, phase="council", doctor=1, money=1, victory="population")
    assert game.scores()[0] == 0
    game = town(CLINIC, phase="pollution", round=5, doctor=1, money=1, pollution=24, smoke=1)
    assert game.state.borough[0].pollution == 25
    assert doctors(game) == (1, 1)
    assert spaces_with(game, "cemetery") == ""


def test_D4_a_marked_cemetery_does_not_stop_him() -> None:
    """The marker stays."""
    game = payday("Cl Cl Cl .:+*\nHl Hl\nHl Hl", modules=["doctors", "godzillas"])
    play(game, "yes")
    assert_picture(game, 0, "Cl Cl Cl .:*\nHl:0 Hl\nHl Hl")


def test_D4_a_cemetery_under_a_godzilla_does_not_stop_him_either() -> None:
    game = payday("Cl Cl Cl .:+Z\nHl Hl\nHl Hl", modules=["doctors", "godzillas"])
    play(game, "yes")
    assert spaces_with(game, "cemetery") == ""
