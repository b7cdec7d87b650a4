"""The Godzillas rules of 2016, each beside those of 2022 in the same position (G13)."""

from typing import Any

import pytest

from smallcity_env import Ask, Game, batch
from smallcity_env.rules.tables.promises import BY_NUMBER
from tests.rulebook.walks import spaces_with, ways_out
from tests.rulebook.words import play, spaces
from tests.scene import scene

EDITIONS = ("2022", "2016")


# -- (a) the second space beside a level-1 factory


def arrives(drawn: str, edition: str, *answers: str, **given: Any) -> Game:
    """A godzilla comes to seat 0; with $1 the council is next."""
    given = {"modules": ["godzillas"], "die": 1, "money": 1, **given}
    return play(scene(drawn, "", phase="pollution", godzilla_rules=edition, **given), *answers)


SMALL = """
       A    B    C    D
    1  .    .    .    R1:0
    2  .    F1   .    .
    3  .    .    .    .
"""


@pytest.mark.parametrize(("edition", "size"), [("2022", 4), ("2016", 48)])
def test_G13_a_the_second_space_is_any_other_of_the_zone(edition: str, size: int) -> None:
    game = arrives(SMALL, edition)
    assert game.ask is Ask.ARRIVE_BESIDE
    assert {"A2", "C2", "B1", "B3"} <= spaces(game) and len(spaces(game)) == size
    assert "B2" not in spaces(game)
    assert ("D1" in spaces(game)) == (edition == "2016")


NEAR_REFINERY = """
       A    B    C    D
    1  .    .    .    .
    2  .    F1   Re   .
    3  .    .    .    .
"""


def test_G13_a_it_never_appears_in_the_refinery() -> None:
    """Any other space of the zone but the Refinery's; by the rules of 2022 every adjacent one."""
    everywhere = {f"{col}{row}" for col in "ABCDEFG" for row in range(1, 8)}
    assert spaces(arrives(NEAR_REFINERY, "2022")) == {"B1", "A2", "C2", "B3"}
    assert spaces(arrives(NEAR_REFINERY, "2016")) == everywhere - {"B2", "C2"}


def test_G13_a_whoever_stands_there_is_eaten_and_nothing_is_marked() -> None:
    """D1 was not entered: as it walks off, the space is free again without a marker."""
    game = arrives(SMALL, "2016", "at D1")
    assert spaces_with(game, "godzilla") == "D1 B2"
    assert not game.state.borough[0].citizens.any()
    play(game, "west")
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("A2 B2", "")


def test_G13_a_it_leaves_by_the_space_of_the_factory() -> None:
    """Four ways, even onto its second space; none leads off from that one."""
    assert ways_out(arrives(SMALL, "2016", "at D1")) == {"B2 north", "B2 east", "B2 south", "B2 west"}
    assert spaces_with(arrives(SMALL, "2016", "at C2", "east"), "godzilla") == "B2 C2"


@pytest.mark.parametrize("drawn", ["F2 F2 . .", "F3 F3 F3 .", "Ha Ha .\nHa Ha F1"])
def test_G13_a_only_where_all_factories_have_level_1(drawn: str) -> None:
    stood = [arrives(drawn, edition) for edition in EDITIONS]
    assert {game.ask for game in stood} == {Ask.LEAVE}
    assert spaces_with(stood[0], "godzilla") == spaces_with(stood[1], "godzilla")


def test_G13_a_not_beside_a_lone_marker() -> None:
    """Again (G4): adjacent in both editions."""
    towns = [arrives(". . .\n. .:* .\n. . F1", edition) for edition in EDITIONS]
    assert [spaces(game) for game in towns] == [{"B1", "A2", "C2", "B3"}] * 2


def test_G13_a_without_a_way_out_it_stays_on_both() -> None:
    """A factory on an island of its own; the break leaves a marker on each."""
    game = arrives("F1 - P1", "2016", size=0)
    assert spaces_with(game, "godzilla") == "A1 C1"


# -- (b) the last tie-breaker


@pytest.mark.parametrize("industry", ["Re", "Ha Ha\nHa Ha"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_G13_b_refinery_and_harbor_attract_it(industry: str, edition: str) -> None:
    """Equal dice, pollution and factories: in 2022 nobody hosts, in 2016 who has more industry does."""
    hosts = [_wakes(industry, edition, seed) for seed in range(80)]
    assert {tuple(host) for host in hosts if host is not None} == {(edition == "2016", False)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_G13_b_every_space_of_them_counts(edition: str) -> None:
    """A Harbor and a level-1 factory are five spaces of industry, a level-3 factory is three."""
    hosts = [_wakes("Ha Ha\nHa Ha", edition, seed, ("F1", "F3 F3 F3")) for seed in range(80)]
    assert {tuple(host) for host in hosts if host is not None} == {(edition == "2016", edition == "2022")}


def _wakes(
    industry: str, edition: str, seed: int, factories: tuple[str, str] = ("F2 F2", "F2 F2")
) -> list[bool] | None:
    """Who has a godzilla, where both rolled the same and have one factory each."""
    drawn = (f"{industry}\n{factories[0]} .", f".\n{factories[1]} .")
    given: dict[str, Any] = {"round": 5, "modules": ["godzillas"], "godzilla_rules": edition, "seed": seed}
    game = scene(*drawn, phase="pollution", money={0: 1, 1: 1}, **given)
    dice = game.state.die[:2]
    if dice[0] != dice[1]:
        return None
    return [bool(any(b.godzilla)) for b in game.state.borough[:2]]


# -- (c) points at the end


def score(drawn: str, edition: str, **given: Any) -> int:
    """The score of seat 0 at the end of the last round."""
    given = {"modules": ["godzillas", "new_buildings", "promise_cards", "real_buildings"], **given}
    game = scene(drawn, "", phase="visit", round=8, godzilla_rules=edition, **given)
    assert game.over
    return game.scores()[0]


@pytest.mark.parametrize(
    ("victory", "drawn", "old", "new"),
    [
        ("votes", "C2:* C2 Sc:* R1:*", 30, 30),  # votes are on the track
        ("economics", "C4 C4:* C4:Z C4", 12 + 7, 6 + 7),
        ("economics", "F3 F3:* F3", 6 + 7, 4 + 7),
        ("economics", "Wa:m Wa:*", 5 + 7, 5 + 7),
        ("population", "R3:0 R3:*\nR3:* .", 5 + 3, 5 + 1),
        ("culture", "Sc:*", 8, 0),
        ("culture", "Sc Li:* Li", 16, 8),
        ("culture", "Un Un:Z\nUn Un:Z", 8, 0),
        ("culture", "Po Po:* Fi Fi\n. . Fi .", 8, 4),
        ("culture", "Bb:*", 8, 0),
        ("culture", "Bb Op Op\n. Op Op:*", 16, 8),
    ],
)
def test_G13_c_unusable_spaces_count_for_no_condition(victory: str, drawn: str, old: int, new: int) -> None:
    given = {"victory": victory, "votes": 30, "money": 7}
    assert [score(drawn, edition, **given) for edition in EDITIONS] == [old, new]


SHOPS_8 = "C4a C4a C4a C4a\nC4b C4b C4b C4b{}"
AIRPORT = "A8 A8 A8 A8\nA8 A8 A8 A8{}"
HOME_5 = "R5 R5\nR5 R5\nR5{} ."
BOTH = (True, True)
ONLY_2022 = (True, False)


@pytest.mark.parametrize(
    ("number", "drawn", "kept"),
    [
        (3, "Sc Li Li{}", ONLY_2022),
        (4, "R4a R4a R4b R4b\nR4a R4a R4b R4b{}", ONLY_2022),
        (7, "F3a F3a F3a\nF3b F3b F3b{}", ONLY_2022),
        (9, SHOPS_8, ONLY_2022),
        (10, "Sc Li Li Me Me\nCl Cl Cl{}", ONLY_2022),
        (11, "R4 R4\nR4 R4{}", ONLY_2022),  # three usable spaces: a level 3
        (11, HOME_5, BOTH),  # four of five: a level 4
        (14, HOME_5, ONLY_2022),
        (22, SHOPS_8 + "\nC2 C2", ONLY_2022),
        (23, "F3a F3a F3a\nF3b F3b F3b\nF2 F2{}", ONLY_2022),
        (26, "R5a R5a R5b R5b R4 R4\nR5a R5a R5b R5b R4 R4\nR5a{} . R5b", ONLY_2022),
        (27, "R3a R3a R3b R3b\nR3a . R3b{} .", ONLY_2022),
        (29, "Un Un\nUn Un{}", ONLY_2022),
        (30, "Mu:0 Mu:0\nMu{}", ONLY_2022),
        (32, "Po Po Fi Fi\n. . Fi{}", ONLY_2022),
        (33, AIRPORT, BOTH),  # it stands while one of its spaces is usable
        (34, "Ba Ba\nBa Ba{}", BOTH),
        (35, "Rc Rc Rc\nRc{} . .", BOTH),
        (36, "Tr Tr Tr Tr Tr{}", BOTH),
        (39, AIRPORT + "\nF3 F3 F3", BOTH),
        (39, AIRPORT.format("") + "\nF3 F3 F3{}", ONLY_2022),
        (40, "Ba Ba C4 C4 C4 C4\nBa Ba C2 C2{}", ONLY_2022),
        (41, "Rc Rc Rc\nRc{} . .", BOTH),
    ],
)  # fmt: skip
def test_G13_c_promises_count_usable_spaces_only(number: int, drawn: str, kept: tuple[bool, bool]) -> None:
    """The same town without and with one Radiation marker."""
    assert [_keeps(number, drawn.format(""), edition) for edition in EDITIONS] == [True, True]
    assert tuple(_keeps(number, drawn.format(":*"), edition) for edition in EDITIONS) == kept


def _keeps(number: int, drawn: str, edition: str) -> bool:
    """Whether seat 0 has kept a promise."""
    name = "special" if BY_NUMBER[number].special else "promise"
    card: dict[str, Any] = {name: number, "advanced": True, "victory": "votes"}
    return score(drawn, edition, **card) - score(drawn, edition) > 0


def test_G13_c_a_building_wholly_under_radiation_does_not_stand() -> None:
    ruined = "Ba:* Ba:*\nBa:* Ba:*"
    assert [_keeps(34, ruined, edition) for edition in EDITIONS] == [True, False]


def test_G13_c_metropolis_counts_usable_tile_spaces() -> None:
    """Promise 15, with just as many tile spaces as it asks for."""
    (need,) = BY_NUMBER[15].needs
    rows, rest = divmod(need.low, 10)
    town = "\n".join([" ".join(["P1"] * 10)] * rows + [" ".join(["P1"] * rest)] * bool(rest))
    assert [_keeps(15, town, edition) for edition in EDITIONS] == [True, True]
    assert [_keeps(15, town.replace("P1", "P1:*", 1), edition) for edition in EDITIONS] == [True, False]


def test_G13_c_the_usable_spaces_of_a_ruined_building_are_tile_spaces() -> None:
    """A Library with a marker is no building any more, yet its other space still fills promise 15."""
    (need,) = BY_NUMBER[15].needs
    rows = [["P1"] * 10 for _ in range(need.low // 10)]
    rows[0][:2] = ["Li:*", "Li"]
    extra = ["P1"] * (need.low % 10 + 1)
    town = "\n".join(" ".join(row) for row in [*rows, extra])
    assert [_keeps(15, town, edition) for edition in EDITIONS] == [True, True]
    assert [_keeps(15, town.removesuffix(" P1").removesuffix("P1"), edition) for edition in EDITIONS] == [
        True,
        False,
    ]


@pytest.mark.parametrize("mark", ["*", "Z"])
def test_G13_c_seven_by_seven_neither_asks_for_ruins_nor_misses_them(mark: str) -> None:
    """Promise 8: a ruined space fills nothing and is not asked for, with a tile or without."""
    rows = [["P1"] * 7 for _ in range(7)]
    for ruined in (f"P1:{mark}", f".:{mark}"):
        rows[3][3] = ruined
        town = "\n".join(" ".join(row) for row in rows)
        assert [_keeps(8, town, edition) for edition in EDITIONS] == [True, True]


@pytest.mark.parametrize("edition", EDITIONS)
def test_G13_c_a_marked_cemetery_is_still_one(edition: str) -> None:
    """Promise 28, No Graves."""
    assert not _keeps(28, ".:+*", edition)


def test_G13_c_stockholm_still_pays_for_the_markers() -> None:
    given = {"victory": "culture", "stockholm": True}
    assert [score("Sc:* Li Li", edition, **given) for edition in EDITIONS] == [8 + 8 + 1, 8 + 1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_G13_c_what_others_see_counts_alike(edition: str) -> None:
    given: dict[str, Any] = {"modules": ["godzillas"], "victory": "economics", "money": 2}
    game = scene("C1a:* C1b", "", phase="build", seat=0, godzilla_rules=edition, **given)
    assert batch.visible_scores(game.states)[0, 0] == 2 + {"2022": 6, "2016": 3}[edition]
