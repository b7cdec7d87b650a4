"""The end of the game: E1, ties (E2), what is counted (E3)."""

from typing import Any

import pytest

from smallcity_env import Game, batch
from smallcity_env.rules.tables import Phase
from tests.scene import scene


def last(*boroughs: str, **given: Any) -> Game:
    """The game after the last phase of the last round."""
    rounds = 9 if "power_plants" in given.get("modules", ()) else 8
    game = scene(*boroughs, phase="visit", round=rounds, **given)
    assert game.over
    return game


# -- E1


def test_E1_after_round_8() -> None:
    assert scene("", "", phase="visit", round=8).over
    game = scene("", "", phase="visit", round=7)
    assert (game.over, game.round, game.phase) == (False, 8, Phase.SELECT)


def test_E1_after_the_end_seat_0_stands_in_the_record() -> None:
    assert last("", "").seat == 0


def test_E1_after_round_9_with_power_plants() -> None:
    game = scene("", "", phase="visit", round=8, modules=["power_plants"])
    assert (game.over, game.round) == (False, 9)
    assert scene("", "", phase="visit", round=9, modules=["power_plants"]).over


def test_E1_the_council_of_the_last_round_still_meets() -> None:
    game = scene("", "", phase="council", round=8, votes=1)
    assert game.phase == Phase.COUNCIL
    game.step("row finance")
    assert game.over
    assert game.state.borough[0].money == 3


@pytest.mark.parametrize(
    ("difficulty", "number", "worth", "broken"), [(0, 5, 6, -2), (1, 7, 12, -4), (2, 14, 18, -6)]
)
def test_E1_a_promise_adds_its_worth_or_costs_a_third(
    difficulty: int, number: int, worth: int, broken: int
) -> None:
    """Promises 5, 7, 14: $12, six factory spaces, a residence of level 5."""
    rich = "F3a F3a F3a R5 R5\nF3b F3b F3b R5 R5\n. . . R5 ."
    given: dict[str, Any] = {"promise": number, "difficulty": difficulty, "votes": 20}
    assert last(rich, money=12, **given).scores() == [20 + worth]
    assert last("", money=11, **given).scores() == [20 + broken]


def test_E1_a_special_promise_is_plus_10_or_minus_3() -> None:
    assert last("", special=17, votes=40, advanced=True).scores() == [50]
    assert last("", special=17, votes=39, advanced=True).scores() == [36]


def test_E1_both_promises_count() -> None:
    given: dict[str, Any] = {"promise": 1, "special": 17, "advanced": True}
    assert last("", votes=40, **given).scores() == [40 + 6 + 10]
    assert last("", votes=39, pollution=11, **given).scores() == [39 - 2 - 3 - 11]


def test_E1_the_pollution_level_is_subtracted() -> None:
    assert last("", votes=20, pollution=13).scores() == [7]
    assert last("", votes=5, pollution=13).scores() == [-8]


def test_E1_the_highest_score_wins() -> None:
    game = last("", "", "", votes={0: 5, 1: 30, 2: 20}, pollution={1: 20})
    assert (game.scores(), game.ranking()) == ([5, 10, 20], [[2], [1], [0]])


def test_E1_another_condition_stands_in_for_the_votes() -> None:
    given: dict[str, Any] = {"votes": {0: 50}, "money": {1: 9}, "pollution": {1: 2}}
    game = last("", "", victory="economics", **given)
    assert (game.scores(), game.ranking()) == ([0, 7], [[1], [0]])


def test_E1_the_promise_is_judged_before_it_pays() -> None:
    """Golden Age asks for 60 votes: its own 18 do not help."""
    assert last("", votes=59, promise=16, difficulty=2).scores() == [59 - 6]
    assert last("", votes=60, promise=16, difficulty=2).scores() == [60 + 18]


# -- E2


def test_E2_ties_go_to_the_lower_pollution() -> None:
    game = last("", "", votes={0: 10, 1: 8}, pollution={0: 5, 1: 3}, money={0: 9})
    assert game.scores() == [5, 5]
    assert game.ranking() == [[1], [0]]


def test_E2_then_to_more_money() -> None:
    game = last("", "", "", votes={0: 9, 1: 9, 2: 9}, money={0: 1, 1: 3, 2: 2})
    assert game.ranking() == [[1], [2], [0]]


def test_E2_then_the_place_is_shared() -> None:
    game = last("", "", "", "", votes={0: 9, 1: 9, 2: 9, 3: 9}, money={0: 1, 1: 3, 2: 3})
    assert game.ranking() == [[1, 2], [0], [3]]
    _scores, places = batch.scores(game.states)
    assert places[0].tolist() == [2, 0, 0, 3]  # the better place, and nobody on the next


# -- E3


def kept(drawn: str, number: int, **given: Any) -> bool:
    """Whether an ordinary promise is fulfilled."""
    with_it = last(drawn, promise=number, difficulty=0, **given).scores()[0]
    return with_it > last(drawn, **given).scores()[0]


@pytest.mark.parametrize(
    ("number", "drawn"),
    [
        (3, "Sc:* Li Li:*"),
        (4, "R4a:* R4a R4b R4b\nR4a R4a R4b:Z R4b:Z"),
        (7, "F3a:* F3a F3a\nF3b F3b:Z F3b:Z"),
        (9, "C4a C4a:* C4a C4a\nC4b C4b C4b C4b"),
        (10, "Sc:* Li:* Li Me Me:*\nMu:* Mu\nMu ."),
        (11, "R4:* R4\nR4 R4"),
    ],
)
def test_E3_contaminated_tiles_and_spaces_count(number: int, drawn: str) -> None:
    assert kept(drawn, number, modules=["godzillas"])


def test_E3_parks_count_while_usable() -> None:
    six = "P3a P3a P3b P3b\nP3a . P3b{}"
    assert kept(six.format(""), 2, modules=["godzillas"])
    assert not kept(six.format(":*"), 2, modules=["godzillas"])
    assert not kept("P3a P3a P3b P3b\nP3a . P3b:Z\n. . .:Z", 2, modules=["godzillas"])


def test_E3_printed_tiles_count() -> None:
    """Hong Kong has a Factory 3 and a Commercial 2 from the start."""
    island = """
    F3a F3a F3a . . .  .  .
    .   .   .   . . .  .  .
    C4a C4a C4a C4a . C2 C2 .
    C2b C2b .   . . .  .  .
    #   #   #   # # #  #  #
    #   #   #   # # #  #  #
    .   .   .   . . .  .  .
    .   .   F3b F3b F3b . . .
    """
    assert kept(island, 7, boards="hong-kong")
    assert kept(island, 9, boards="hong-kong")
    assert not kept(island.replace("F3b", ".  "), 7, boards="hong-kong")
    assert not kept(island.replace("C2 C2", ".  . "), 9, boards="hong-kong")


TILES_46 = "\n".join(["R4a R4a R4b R4b R4c R4c R2l"] * 2 + ["R4d R4d R4e R4e R4f R4f R2j"] * 2
                     + ["R4g R4g R4h R4h R4i R4i R2k"] * 2 + ["C4 C4 C4 C4"])  # fmt: skip


def test_E3_tile_spaces_are_city_hall_too_but_no_cemetery_and_no_power_plant() -> None:
    hall, graves = "Hl Hl .\nHl Hl .", ".:+ .:+ .:+ .:+"
    assert kept(f"{TILES_46}\n{hall}", 15)
    assert not kept(f"{TILES_46}\n{graves}", 15)
    plants: dict[str, Any] = {"modules": ["power_plants"], "powered": "ABCDEF", "plants": [1, 1, 1]}
    assert not kept(TILES_46, 15, **plants)


def test_E3_materials_are_all_that_lie_in_the_borough() -> None:
    """Promise 12 asks for five; one lies on a plain space beside the mountain."""
    drawn = "Hl:w Hl   ^ Wa:s Wa:m\nHl Hl:m ^ ^\n. . . .{}"
    assert kept(drawn.format(":s"), 12, boards="mountain-easy")
    assert not kept(drawn.format(""), 12, boards="mountain-easy")


def test_E3_the_living_are_the_own_citizens_in_the_borough_city_hall_included() -> None:
    """Promise 6 asks for seven."""
    seven = "Hl:0 Hl:0 R2:0 R2:0\nHl Hl C2:0 C2:0\nF1:0 . . ."
    assert kept(seven, 6)
    boroughs = {"a guest": "F1:1", "the dead": ".:+", "nobody": "F1"}
    for instead in boroughs.values():
        game = seven.replace("F1:0", instead)
        with_it = last(game, "C1:0", promise=6, career=9).scores()[0]  # abroad and in the Career Center
        assert with_it == -2


def test_E3_in_a_building_too_only_the_own_are_counted() -> None:
    """Special promise 30 asks for two in the Museum."""
    assert last("Mu:0 Mu:0\nMu .", "", special=30, victory="culture").scores()[0] == 8 + 10
    assert last("Mu:0 Mu:1\nMu .", "", special=30, victory="culture").scores()[0] == 8 - 3


def test_E3_votes_before_scoring_are_those_on_the_track_when_the_last_round_ends() -> None:
    """A vote spent in the last council is gone."""
    game = scene("", "", phase="council", round=8, votes=40, special=17, advanced=True)
    other = game.clone()
    other.step("no")
    assert other.scores()[0] == 40 + 10
    game.step("row finance")
    assert game.scores()[0] == 39 - 3
