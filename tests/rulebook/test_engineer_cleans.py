"""The Engineer's cleaning and what radiation is worth in the end (G11, G12, RU6)."""

from typing import Any

import pytest

from smallcity_env import Ask, Game
from tests.rulebook.walks import spaces_with
from tests.rulebook.words import at, idle_to, offered, play
from tests.scene import assert_picture, scene


def choosing(drawn: str, **given: Any) -> Game:
    """Seat 0 is about to take a card, seat 1 after him."""
    return scene(drawn, "", phase="select", seat=0, modules=["godzillas"], **given)


def cleaning(drawn: str) -> Game:
    """Seat 0 has taken the Engineer and cleans."""
    return play(choosing(drawn), "card engineer", "clean")


# -- G11


def test_G11_the_engineer_cleans_or_has_his_old_effect() -> None:
    game = play(choosing(".:* ."), "card engineer")
    assert game.ask is Ask.ENGINEER
    assert offered(game) == {"clean", "old-effect"}


def test_G11_without_markers_the_old_effect() -> None:
    """A godzilla alone is no marker. Nothing is asked."""
    game = play(choosing(".:Z .:Z"), "card engineer")
    assert (game.ask, game.seat) == (Ask.CARD, 1)
    assert str(game.log.entries[-1]) == "seat 0 engineer: old-effect (only answer)"


def test_G11_two_markers_go_back_to_the_supply() -> None:
    game = play(cleaning("P1:* .:* .:*"), "at A1", "at B1")
    assert_picture(game, 0, "P1 . .:*")
    assert game.state.markers == 40 - 1
    assert (game.ask, game.seat) == (Ask.CARD, 1)
    assert game.state.borough[0].cleaned == 1  # which everybody observes


def test_G11_two_even_when_both_are_the_last_ones() -> None:
    game = play(cleaning(".:* .:*"), "at B1")
    assert spaces_with(game, "markers") == ""
    assert game.state.markers == 40


def test_G11_one_if_there_is_only_one() -> None:
    game = cleaning(". .:* .")
    assert spaces_with(game, "markers") == ""
    assert (game.ask, game.seat) == (Ask.CARD, 1)
    assert game.state.markers == 40


def test_G11_only_in_ones_own_borough() -> None:
    game = scene("", ".:* .:* .:*", phase="select", seat=0, modules=["godzillas"])
    play(game, "card engineer")
    assert (game.ask, game.seat) == (Ask.CARD, 1)


def test_G11_a_group_is_not_split() -> None:
    """The middle of three can be taken only once it is an end."""
    game = cleaning(".:* .:* .:*")
    assert offered(game) == at("A1", "C1")
    play(game, "at A1")
    assert offered(game) == at("B1", "C1")


def test_G11_a_cross_keeps_its_middle() -> None:
    game = cleaning(". .:* .\n.:* .:* .:*\n. .:* .")
    assert offered(game) == at("B1", "A2", "C2", "B3")
    play(game, "at B1")
    assert offered(game) == at("A2", "C2", "B3")


def test_G11_a_ring_can_be_opened_anywhere_but_not_cut_in_two() -> None:
    game = cleaning(".:* .:* .:*\n.:* . .:*\n.:* .:* .:*")
    assert offered(game) == at("A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3")
    play(game, "at B1")
    assert offered(game) == at("A1", "C1")


def test_G11_a_block_has_no_middle() -> None:
    game = cleaning(".:* .:*\n.:* .:*")
    assert offered(game) == at("A1", "B1", "A2", "B2")
    play(game, "at A1")
    assert offered(game) == at("B1", "A2")


def test_G11_diagonal_markers_are_two_groups() -> None:
    """A1 B1 touches C2 only at a corner: B1 is an end, C2 a group of its own."""
    game = cleaning(".:* .:* .\n. . .:*")
    assert offered(game) == at("A1", "B1", "C2")


def test_G11_each_group_by_itself() -> None:
    """One marker of each, and a group of one may vanish; the middles B1 and F1 stay."""
    game = cleaning(".:* .:* .:* . .:* .:* .:*\n\n. . . .\n. . . .:*")
    assert offered(game) == at("A1", "C1", "E1", "G1", "D3")
    play(game, "at D3", "at G1")
    assert spaces_with(game, "markers") == "A1 B1 C1 E1 F1"


def test_G11_a_marker_under_a_godzilla_may_be_cleaned() -> None:
    """T3: the space stays unusable while it stands there."""
    game = cleaning("R1:0 C1 C1:*Z C1:Z")
    assert spaces_with(game, "markers") == ""
    idle_to(game, "move")
    assert offered(game) == {"at B1", "no"}


# -- G11: instead of the old effect


WORKSHOP = "R1:0 . . .\n. . . F1:* .\n. . F1 . Wa Wa"


@pytest.mark.parametrize(("effect", "made"), [("clean", 2), ("old-effect", 1)])
def test_G11_cleaning_takes_the_place_of_the_old_effect(effect: str, made: int) -> None:
    """P1.3 D: one person, and the smoke of his work unless the Engineer is at his old job."""
    game = play(choosing(WORKSHOP, money=1), "card engineer", effect)
    idle_to(game, "move")
    play(game, "at C3")
    assert game.phase.name == "COUNCIL"
    assert game.state.borough[0].pollution_made == made


def test_G11_the_choice_is_for_one_round() -> None:
    """He cleaned in round 1; in round 2 his old effect works again."""
    game = scene(WORKSHOP, "", phase="council", modules=["godzillas"], money=1, card="engineer", cleaned=1)
    idle_to(play(game, "no"), "select", 2)
    while game.ask is not Ask.CARD or game.seat != 0:
        game.step(int(game.legal()[0]))
    play(game, "card engineer", "old-effect")
    idle_to(game, "move")
    play(game, "at C3")
    assert game.state.borough[0].pollution_made == 1


def test_G11_without_the_module_nothing_is_asked() -> None:
    game = play(scene("", "", phase="select", seat=0), "card engineer")
    assert (game.ask, game.seat) == (Ask.CARD, 1)
    assert [entry.ask for entry in game.log.entries] == [Ask.CARD]


# -- RU6


def test_RU6_he_cleans_before_the_next_player_chooses() -> None:
    """With the last of the supply lying about: it is back before seat 1 is asked."""
    game = choosing(".:* .:* .:*", markers=0)
    play(game, "card engineer")
    assert (game.ask, game.seat) == (Ask.ENGINEER, 0)
    play(game, "clean")
    assert (game.ask, game.seat) == (Ask.CLEAN, 0)
    play(game, "at A1")
    assert (game.ask, game.seat, game.state.markers) == (Ask.CLEAN, 0, 1)
    play(game, "at B1")
    assert (game.ask, game.seat, game.state.markers) == (Ask.CARD, 1, 2)
    assert "card engineer" not in offered(game)


# -- G12


def score(drawn: str, **given: Any) -> int:
    """What seat 0 would score."""
    given = {"modules": ["godzillas"], "stockholm": True, "money": 1, **given}
    return scene(drawn, "", phase="build", seat=0, **given).scores()[0]


RUINS = "P1:* .:*+ .:*Z .:Z"


@pytest.mark.parametrize(("stockholm", "total"), [(True, 13), (False, 10)])
def test_G12_each_marker_adds_one(stockholm: bool, total: int) -> None:
    """On tiles and cemeteries too; under the godzilla only the space that is marked."""
    assert score(RUINS, stockholm=stockholm, votes=10) == total


@pytest.mark.parametrize(
    ("victory", "count"), [("votes", 10), ("economics", 7), ("population", 5 + 1), ("culture", 8)]
)
def test_G12_in_every_victory_condition(victory: str, count: int) -> None:
    given = {"victory": victory, "votes": 10, "money": 7, "pollution": 2}
    assert score(RUINS + "\nR1:0 Sc", **given) == count + 3 - 2


@pytest.mark.parametrize(("votes", "kept"), [(59, False), (60, True)])
def test_G12_after_the_promises_are_judged(votes: int, kept: bool) -> None:
    """Promise 16 asks for 60 votes before scoring: markers are no such votes."""
    assert score(RUINS, votes=votes, promise=16, difficulty=2) == votes + 3 + (18 if kept else -6)


@pytest.mark.parametrize(("votes", "kept"), [(39, False), (40, True)])
def test_G12_after_the_special_promises_too(votes: int, kept: bool) -> None:
    given = {"advanced": True, "special": 17}
    assert score(RUINS, votes=votes, **given) == votes + 3 + (10 if kept else -3)
