"""Ulaanbaatar: whoever leads in votes sends a Pilgrim to the Monastery (AS9)."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.text.grid import members
from tests.rulebook.cities import drawn
from tests.rulebook.words import asked, idle, idle_to, materials, offered, play, spaces
from tests.scene import assert_picture, scene

BOARDS = ["ulaanbaatar", "base-easy", "base-easy"]
ONE = "Hl:1 Hl R1:1\nHl   Hl"  # the boroughs of seats 1 and 2
TWO = "Hl:2 Hl R1:2\nHl   Hl"
HERE = {"pilgrim": "G2", "pilgrim_of": 1, "sender": 1}  # seat 1's Pilgrim stands on the Monastery


def city(one: str = ONE, two: str = TWO, phase: str = "visit", given: Any = None, **words: str) -> Game:
    """Ulaanbaatar at seat 0 with these words on its map, and two base boroughs."""
    return scene(drawn("ulaanbaatar", **words), one, two, boards=BOARDS, phase=phase, **(given or {}))


def pilgrim(game: Game) -> tuple[str, int] | None:
    """Where the Pilgrim stands and whose he is."""
    b, space = game.state.borough[0], int(game.state.pilgrim) - 1
    if space < 0:
        return None
    colour = int(game.state.pilgrim_of)
    assert space in members(b.citizens[colour])
    return "ABCDEFGHIJ"[space % 10] + str(space // 10 + 1), colour


# -- who sends whom


def test_AS9_the_leader_chooses_a_citizen_in_his_borough() -> None:
    """AS9: City Hall included; not the one abroad, in the Career Center or dead."""
    abroad = "Hl:2 Hl C1:1\nHl   Hl"
    game = city(ONE + " . .:+", abroad, given={"votes": {1: 5, 2: 4}})
    assert (game.seat, game.ask.name) == (1, "PILGRIM")
    assert offered(game) == {"at A1", "at C1"}
    play(game, "at C1")
    assert pilgrim(game) == ("G2", 1)
    assert_picture(game, 0, drawn("ulaanbaatar", G2="Mo:1"))
    assert_picture(game, 1, "Hl:1 Hl R1\nHl Hl . .:+")


def test_AS9_from_city_hall() -> None:
    """AS9: the last of two in City Hall, if that is where he comes from."""
    game = play(city("Hl:1 Hl:1 R1:1\nHl Hl", given={"votes": {1: 5}}), "at B1")
    assert_picture(game, 1, "Hl:1 Hl R1:1\nHl Hl")


@pytest.mark.parametrize(("host", "sends"), [(0, 1), (1, 1), (2, 2)])
def test_AS9_of_equals_the_first_in_turn_order_sends(host: int, sends: int) -> None:
    """AS9: seats 1 and 2 have 5 votes each."""
    assert city(given={"votes": {0: 4, 1: 5, 2: 5}, "host": host}).seat == sends


def test_AS9_an_eliminated_player_does_not_send() -> None:
    """AS9: the most votes of those still in."""
    given = {"votes": {1: 9, 2: 1}, "out": {1: 1}, "pollution": {1: 100}, "round": 2}
    assert city(given=given).seat == 2


def test_AS9_with_no_votes_at_all_the_first_in_turn_order_sends() -> None:
    """AS9: everybody has 0 and seat 0 hosts: the Ulaanbaatar player leads himself."""
    assert pilgrim(city()) == ("G2", 0)


def test_AS9_the_citys_player_sends_one_of_his_career_center() -> None:
    """AS9: nobody of his borough, and he is not asked."""
    game = city(given={"votes": {0: 5}, "career": 4}, D4="Hl:0")
    assert pilgrim(game) == ("G2", 0)
    assert game.state.borough[0].career == 3
    assert_picture(game, 0, drawn("ulaanbaatar", D4="Hl:0", G2="Mo:0"))


@pytest.mark.parametrize(
    ("one", "words", "given"),
    [
        pytest.param("Hl Hl\nHl Hl", {}, {"votes": {1: 5}}, id="nobody in the leader's borough"),
        pytest.param(ONE, {}, {"votes": {0: 5}, "career": 0}, id="nobody in the Career Center"),
        pytest.param(ONE, {"G2": "Mo:*"}, {"votes": {1: 5}, "modules": ["godzillas"]}, id="a marker"),
        pytest.param(
            ONE, {"G2": "Mo:Z", "G3": ".:Z"}, {"votes": {1: 5}, "modules": ["godzillas"]}, id="a godzilla"
        ),
        pytest.param(ONE, {"G2": "Mo:*"}, {"votes": {0: 5}, "modules": ["godzillas"]}, id="his own neither"),
    ],
)
def test_AS9_no_pilgrim(one: str, words: dict[str, str], given: dict[str, Any]) -> None:
    """AS9: with nobody to send, or an unusable Monastery."""
    game = city(one, given=given, **words)
    assert pilgrim(game) is None
    assert game.state.sender == 0
    assert (game.round, game.phase.name) == (2, "SELECT")


def test_AS9_not_in_the_last_round() -> None:
    """AS9: after round 8 the game is over; with nine rounds the eighth sends one."""
    assert city(given={"votes": {1: 5}, "round": 8}).over
    long = city(given={"votes": {1: 5}, "round": 8, "modules": ["power_plants"]})
    assert long.ask.name == "PILGRIM"


# -- his round in Ulaanbaatar


def test_AS9_he_moves_as_a_citizen_of_the_city() -> None:
    """AS9: seat 0 is asked for him; he goes anywhere at home but not abroad, unlike the others."""
    game = city("Hl Hl C1\nHl Hl", phase="move", given=HERE, A1="C1", A2="R1:0", G2="Mo:1")
    answers = {}
    while game.seat == 0 and game.ask.name == "MOVE":
        answers[asked(game)[1]] = offered(game)
        play(game, "no")
    assert answers == {"A2": {"no", "at A1", "seat 1"}, "G2": {"no", "at A1"}}


def test_AS9_his_owner_neither_moves_him_nor_takes_him_home() -> None:
    """AS9, T5: he is no Tourist; after everybody's turn he still stands there."""
    game = city(phase="move", given={**HERE, "money": 1}, G2="Mo:1")
    idle_to(game, "council")
    assert pilgrim(game) == ("G2", 1)


def test_AS9_what_he_does_is_done_for_the_city() -> None:
    """AS9: his wood, his shop's money and his vote are seat 0's; nobody pays or earns as for a Tourist."""
    for tile, gain in (("F1", "wood"), ("C1", "money"), ("R2", "vote")):
        words = {"A1": tile, "A2": "R2"} if tile == "R2" else {"A1": tile}
        game = city(phase="move", given={**HERE, "votes": {0: 1}}, G2="Mo:1", **words)
        play(game, "at A1")
        idle_to(game, "council")
        assert pilgrim(game) == ("A1", 1)
        b, owner = game.state.borough[0], game.state.borough[1]
        made = {"wood": materials(game)[0], "money": int(b.money), "vote": int(b.votes) - 1}
        assert made == {"wood": 0, "money": 0, "vote": 0} | {gain: {"wood": 1, "money": 3, "vote": 2}[gain]}
        assert (materials(game, 1), owner.money, owner.votes) == ((0, 0, 0), 0, 0)


def test_AS9_he_pollutes_the_city() -> None:
    """AS9, P6.1: on the Monastery too."""
    game = city(phase="pollution", given={**HERE, "money": 1}, G2="Mo:1")
    assert game.state.borough[0].pollution == 1
    assert game.state.borough[1].pollution == 1  # the one at home


def test_AS9_he_does_not_work_on_the_monastery() -> None:
    """AS9, T6: who stays does nothing for anybody."""
    game = city(phase="move", given={**HERE, "money": 1}, G2="Mo:1", A1="C1")
    play(game, "no")
    assert idle_to(game, "council").state.borough[0].money == 1


def test_AS9_he_counts_for_the_recycling_center() -> None:
    """AS9, NB3: nine citizens of the city and the Pilgrim are ten active ones."""
    homes = dict.fromkeys(["A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2"], "R1:0")
    given = {"modules": ["new_buildings"], "money": 4}
    assert "build recycling" not in offered(city(phase="build", given=given, **homes))
    with_him = city(phase="build", given=given | HERE, G2="Mo:1", **homes)
    assert "build recycling" in offered(with_him)


def test_AS9_he_helps_in_the_clinic() -> None:
    """AS9, P6.3: at work there he prevents a death of the city."""
    clinic = {"A1": "Cl", "B1": "Cl", "C1": "Cl", "A3": "R1:0"}
    given = {**HERE, "pilgrim": "A1", "pollution": 24, "money": 1}
    assert city(phase="pollution", given=given, **clinic | {"A1": "Cl:1!"}).phase.name == "COUNCIL"
    assert city(phase="pollution", given=given, **clinic | {"A1": "Cl:1"}).ask.name != "ROW"


def test_AS9_only_a_pilgrim_stands_on_the_monastery() -> None:
    """AS9: neither the city's people nor Tourists go there, nor he again."""
    game = city("Hl Hl R1:1\nHl Hl", phase="move", A1="R1:0", B1="C1")
    assert spaces(game) == {"B1"}
    play(game, "no")
    assert offered(game) == {"no", "seat 0"}
    play(game, "seat 0")  # B1 is the only space there, so it is not asked
    assert members(game.state.borough[0].citizens[1]) == [1]


def test_AS9_the_monastery_is_no_public_building() -> None:
    """AS9, P2.5: no home is built for it."""
    game = city(phase="build", given={"money": 1})
    play(game, "build residential-1")
    assert spaces(game) == {f"{col}{row}" for col in "CDEF" for row in range(3, 7)} - {"D4", "E4", "D5", "E5"}


@pytest.mark.parametrize("colour", [0, 1])
def test_AS9_he_is_not_chosen_to_die(colour: int) -> None:
    """AS9, P6.4: of whichever colour; alone in the borough nobody dies."""
    given = {**HERE, "pilgrim_of": colour, "pollution": 24, "money": 1}
    game = city(phase="pollution", given=given, G2=f"Mo:{colour}", A1="R1:0")
    assert game.ask.name == "GRAVE"
    assert pilgrim(game) == ("G2", colour)
    alone = city(phase="pollution", given=given, G2=f"Mo:{colour}")
    assert (alone.phase.name, pilgrim(alone)) == ("COUNCIL", ("G2", colour))


def test_AS9_eaten_he_goes_to_the_reserve_of_his_own_colour() -> None:
    """AS9, G9: and nobody comes back in Phase 8."""
    at_work = {**HERE, "pilgrim": "A1", "round": 5, "die": {0: 1}, "pollution": {2: 9}, "money": 1}
    game = city(phase="pollution", given={**at_work, "modules": ["godzillas"]}, A1="F1:1!", B1="P1", A2="P1")
    idle(game, lambda g: g.phase.name == "COUNCIL")
    assert pilgrim(game) is None
    assert list(game.state.reserve[:2]) == [6, 7]
    idle(game, lambda g: g.ask.name == "PILGRIM" or g.round == 6)
    assert_picture(game, 1, ONE)


# -- he comes back


def test_AS9_he_comes_back_to_his_owners_city_hall() -> None:
    """AS9: at the start of the next Phase 8, from wherever he stands."""
    given = {**HERE, "pilgrim": "A1", "votes": {2: 9}}
    game = city(given=given, A1="F1:1")
    assert_picture(game, 0, drawn("ulaanbaatar", A1="F1"))
    assert_picture(game, 1, "Hl:1 Hl:1 R1:1\nHl Hl")


@pytest.mark.parametrize(
    "one",
    [
        pytest.param("Hl:1 Hl:w R1:1\nHl:1 Hl:1", id="full"),
        pytest.param("Hl:M Hl:M R1:1\nHl:1 Hl:1", id="the Mayor has not left yet"),
    ],
)
def test_AS9_without_room_to_the_career_center(one: str) -> None:
    """AS9, RU3: he comes back before the Mayor leaves City Hall."""
    given = {**HERE, "votes": {2: 9}, "modules": ["mayor"], "career": {1: 3}, "host": 1}
    game = city(one, given=given, G2="Mo:1")
    assert game.state.borough[1].career == 4


def test_AS9_the_citys_own_comes_back_to_the_career_center() -> None:
    """AS9: though City Hall has room."""
    given = {"pilgrim": "G2", "pilgrim_of": 0, "sender": 0, "votes": {1: 9}, "career": {0: 3}}
    game = city(given=given, G2="Mo:0")
    assert game.state.borough[0].career == 4
    assert_picture(game, 0, drawn("ulaanbaatar"))


def test_AS9_in_the_last_round_too() -> None:
    """AS9: nobody is away when the game ends."""
    game = city(given={**HERE, "round": 8, "votes": {1: 9}}, G2="Mo:1")
    assert game.over
    assert_picture(game, 1, "Hl:1 Hl:1 R1:1\nHl Hl")


# -- two rounds running


@pytest.mark.parametrize(
    ("one", "may_send"),
    [
        pytest.param("Hl Hl R1:1 R1:1\nHl Hl", {"C1", "D1"}, id="alone in City Hall he stays there"),
        pytest.param("Hl:1 Hl R1:1\nHl Hl", {"A1", "B1", "C1"}, id="another of City Hall may go"),
        pytest.param("Hl:w Hl:w R1:1 R1:1\nHl:w Hl:w", {"C1", "D1"}, id="back in the Career Center"),
        pytest.param("Hl:1 Hl:w R1:1\nHl:w Hl:w", {"A1", "C1"}, id="so the one in City Hall is another"),
    ],
)
def test_AS9_the_same_sender_sends_another(one: str, may_send: set[str]) -> None:
    """AS9: not the one who has just come back; City Hall only if another is there."""
    game = city(one, given={**HERE, "votes": {1: 9}}, G2="Mo:1")
    assert (game.seat, spaces(game)) == (1, may_send)


def test_AS9_after_one_who_was_eaten_anybody_may_go() -> None:
    """AS9: nobody has come back."""
    game = city("Hl:1 Hl R1:1\nHl Hl", given={"sender": 1, "votes": {1: 9}})
    assert (game.seat, spaces(game)) == (1, {"A1", "C1"})


def test_AS9_the_same_sender_with_nobody_else_sends_nobody() -> None:
    """AS9: the one who has just come back is the only one; a round later he may go again."""
    game = city("Hl Hl\nHl Hl", given={**HERE, "votes": {1: 9}}, G2="Mo:1")
    assert pilgrim(game) is None
    idle(game, lambda g: g.round == 3)
    assert pilgrim(game) == ("G2", 1)


def test_AS9_another_sender_is_free_to_choose() -> None:
    """AS9: seat 2 has sent nobody before."""
    game = city(given={**HERE, "votes": {2: 9}}, G2="Mo:1")
    assert (game.seat, spaces(game)) == (2, {"A1", "C1"})


@pytest.mark.parametrize(("career", "again"), [(0, None), (1, ("G2", 0))])
def test_AS9_the_citys_player_leads_again(career: int, again: tuple[str, int] | None) -> None:
    """AS9: his Career Center needs another one beside the one just back."""
    given = {"pilgrim": "G2", "pilgrim_of": 0, "sender": 0, "votes": {0: 9}, "career": {0: career}}
    game = city(given=given, G2="Mo:0")
    assert pilgrim(game) == again
    assert game.state.borough[0].career == 1


def test_AS9_two_rounds_running_from_one_sender() -> None:
    """AS9: a whole round between; the first Pilgrim comes home to City Hall, and another must go."""
    game = city("Hl Hl R1:1 R1:1 R1:1\nHl Hl", given={"votes": {1: 9}, "host": 1})
    play(game, "at C1")
    idle_to(game, "move", round=2)
    assert pilgrim(game) == ("G2", 1)
    idle(game, lambda g: g.ask.name == "PILGRIM" or g.round > 2)
    assert (game.round, game.seat) == (2, 1)
    assert_picture(game, 1, "Hl:1 Hl R1 R1:1 R1:1\nHl Hl")
    assert offered(game) == {"at D1", "at E1"}


# -- elimination


def test_P6_2_an_eliminated_owners_pilgrim_goes_to_the_reserve() -> None:
    """P6.2, AS9: in the round he is put out."""
    given = {**HERE, "pollution": {1: 99}, "money": 1, "reserve": {1: 6}}
    game = city(phase="pollution", given=given, G2="Mo:1")
    assert pilgrim(game) is None
    assert game.state.reserve[1] == 7
    assert_picture(game, 0, drawn("ulaanbaatar"))


def test_P6_2_in_an_eliminated_city_he_goes_home() -> None:
    """P6.2, AS9: to his owner's City Hall; there is no Pilgrim any more."""
    given = {**HERE, "pollution": {0: 99}, "money": {1: 1}, "votes": {1: 9}}
    game = city(phase="pollution", given=given, G2="Mo:1")
    assert pilgrim(game) is None
    assert_picture(game, 1, "Hl:1 Hl:1 R1:1\nHl Hl")
    idle(game, lambda g: g.round == 2)
    assert pilgrim(game) is None


def test_P6_2_the_eliminated_citys_own_pilgrim_goes_to_the_reserve_too() -> None:
    """P6.2: everybody else at home stays there."""
    given = {"pilgrim": "G2", "pilgrim_of": 0, "sender": 0, "pollution": {0: 99}, "money": {1: 1}}
    game = city(phase="pollution", given=given, G2="Mo:0", A1="R1:0")
    assert pilgrim(game) is None
    assert game.state.reserve[0] == 7
    assert_picture(game, 0, drawn("ulaanbaatar", A1="R1:0"))


def test_AS9_at_the_opera_he_gives_the_city_votes_and_goes_home_as_the_pilgrim() -> None:
    """AS9, RB3: 3 votes and the 2 of the home; from there he comes back to his own City Hall."""
    words = {"A1": "Op:1!", "B1": "Op", "A2": "Op", "B2": "Op", "A4": "R2", "A5": "R2"}
    given = {**HERE, "pilgrim": "A1", "modules": ["real_buildings"], "votes": {2: 9}, "money": 1}
    game = city(phase="income", given=given, **words)
    assert pilgrim(game) == ("A4", 1)
    assert game.state.borough[0].votes == 5
    idle(game, lambda g: g.round == 2 or g.ask.name == "PILGRIM")
    assert_picture(game, 1, "Hl:1 Hl:1 R1:1\nHl Hl")


def test_AS9_a_citizen_of_the_tramway_may_be_sent() -> None:
    """AS9, NB4: he is in the borough like any other."""
    tram = "Tr Tr Tr Tr Tr\nHl Hl\nHl Hl"
    game = city(tram, given={"votes": {1: 9}, "riders": {1: [0, 1]}, "modules": ["new_buildings"]})
    assert pilgrim(game) == ("G2", 1)
    assert game.state.borough[1].riders[1] == 0


def test_AS9_he_may_ride_the_tramway_of_the_city_and_comes_home_from_it() -> None:
    """AS9, NB4: on the tram he is still the Pilgrim."""
    tram = dict.fromkeys(["A1", "B1", "C1", "D1", "E1"], "Tr")
    given = {**HERE, "modules": ["new_buildings"], "votes": {2: 9}, "reserve": 0, "money": 1}
    game = city(phase="move", given=given, G2="Mo:1", **tram)
    play(game, "at A1")
    idle_to(game, "council")
    assert game.state.borough[0].money == 1  # no fee
    idle(game, lambda g: g.round == 2)
    assert list(game.state.borough[0].riders) == [0, 0, 0, 0]
    assert len(members(game.state.borough[1].citizens[1])) == 3


def test_AS9_on_a_tram_nobody_is_taken_for_the_pilgrim() -> None:
    """AS9, NB4: a rider who gets off after the Pilgrim got on moves himself, abroad too."""
    tram = {f"{column}8": "Tr" for column in "ABCDE"}
    given = {**HERE, "modules": ["new_buildings"], "riders": 1}
    game = city(phase="move", given=given, G2="Mo:1", A1="C1", **tram)
    play(game, "at A8")
    assert game.state.pilgrim == 70 + 1
    play(game, "at A1")
    assert game.state.pilgrim == 70 + 1
    assert members(game.state.borough[0].citizens[0]) == [0]
