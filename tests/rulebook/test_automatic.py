"""T7: choices the engine makes by itself."""

from smallcity_env.rules.tables import Ask
from tests.rulebook.words import play
from tests.scene import assert_picture, scene


def test_T7_a_material_is_taken_from_city_hall_first() -> None:
    game = scene("Wa:w Wa:w\n. .\nHl:0 Hl:w\nHl:w Hl", money=2)
    play(game, "build school", "at C1")
    assert_picture(game, 0, "Wa:w Wa:w Sc:'\n. .\nHl:0 Hl\nHl:w Hl")


def test_T7_then_from_warehouses_each_in_reading_order() -> None:
    game = scene("Waa Waa:s .\nWab:s Wab:s\nHl:0 Hl:s\nHl Hl", money=2)
    play(game, "build metro", "at C1", "way 1")
    assert_picture(game, 0, "Waa Waa Me:' Me\nWab:s Wab:s\nHl:0 Hl\nHl Hl")


def test_T7_then_from_the_port_of_shanghai() -> None:
    bay = ". . . . . . . . # #\n"
    game = scene(
        bay + "Wa Wa:s . . . . . . # #\n" + bay + "Pt:s Pt\nPt Pt\nPt:s Pt",
        boards="shanghai",
        money=2,
    )
    play(game, "build metro", "at G1", "way 1")
    bay = ". . . . . . Me:' Me # #\n"
    assert_picture(game, 0, bay + "Wa Wa\n. .\nPt Pt\nPt Pt\nPt:s Pt")


def test_T7_covered_plain_spaces_come_first_and_the_others_last() -> None:
    mountains = ". . ^ {} .\n. . ^ ^ .\n{} {} {} . .\nHl:s Hl . Wa:s Wa\nHl Hl:m"
    game = scene(mountains.format(".:s", ".", ".", "."), boards="mountain-easy", money=2)
    stone_left = mountains.format(".:s", "Cl:'", "Cl", "Cl").replace("Hl:s", "Hl").replace("Hl:m", "Hl")
    assert_picture(play(game, "build clinic", "at A3"), 0, stone_left)
    game = scene(mountains.format(".:s", ".", ".:s", "."), boards="mountain-easy", money=2)
    hall_left = mountains.format(".:s", "Cl:'", "Cl", "Cl").replace("Hl:m", "Hl")
    assert_picture(play(game, "build clinic", "at A3"), 0, hall_left)


def test_T7_a_stone_on_a_plain_space_pays_when_there_is_no_other() -> None:
    game = scene(". . ^ .:s\n. . ^ ^\nWa:s Wa:m Hl Hl\n. . Hl Hl", boards="mountain-easy", money=2)
    play(game, "build clinic", "at A5", "way 1")
    assert_picture(game, 0, ". . ^ .:s\n. . ^ ^\nWa Wa Hl Hl\n. . Hl Hl\nCl:' Cl Cl")
    game = scene(". . ^ .:s\n. . ^ ^\nWa Wa:m Hl Hl\n. . Hl Hl", boards="mountain-easy", money=2)
    play(game, "build clinic", "at A5", "way 1")
    assert_picture(game, 0, ". . ^ .\n. . ^ ^\nWa Wa Hl Hl\n. . Hl Hl\nCl:' Cl Cl")


def test_T7_who_leaves_city_hall_leaves_its_last_occupied_space() -> None:
    game = scene("Hl:0 Hl:0 .\nHl:0 Hl:w .", money=3)
    play(game, "build residential-1", "at C1")
    assert_picture(game, 0, "Hl:0 Hl:0 R1:0!'\nHl Hl:w .")
    play(game, "build residential-1", "at C2")
    assert_picture(game, 0, "Hl:0 Hl R1:0!'\nHl Hl:w R1:0!'")


def test_T7_who_arrives_takes_the_first_free_usable_space_of_city_hall() -> None:
    game = scene("Hl:* Hl\nHl:0 Hl", "", phase="council", money=1)
    play(game, "row tourism")
    assert_picture(game, 0, "Hl:* Hl:0\nHl:0 Hl")


def test_T7_a_material_takes_the_first_free_usable_space() -> None:
    picture = "Waa:* Waa:m Hl:0 Hl:*\nWab Wab Hl Hl"
    game = scene(picture, "", phase="council", money=1)
    play(game, "row supplies", "store warehouse")
    assert_picture(game, 0, picture.replace("Wab Wab", "Wab:w Wab"))
    game = scene(picture, "", phase="council", money=1)
    play(game, "row supplies", "store city-hall")
    assert_picture(game, 0, picture.replace("Hl Hl", "Hl:w Hl"))


def test_T7_the_port_counts_as_the_last_warehouse() -> None:
    bay = ". . . . . . . . # #\n"
    shore = bay * 3 + "Pt Pt\nPt Pt\nPt Pt\n. . Hl:0 Hl:0\nWa:m {} Hl:0 Hl:0"
    game = scene(shore.format("Wa"), "", boards=("shanghai", "base-easy"), phase="council", money=1)
    play(game, "row supplies")
    assert_picture(game, 0, shore.format("Wa:w"))
    game = scene(shore.format("Wa:m"), "", boards=("shanghai", "base-easy"), phase="council", money=1)
    play(game, "row supplies")
    assert_picture(game, 0, shore.format("Wa:m").replace("Pt Pt", "Pt:w Pt", 1))


def test_T7_a_question_with_one_answer_is_not_asked() -> None:
    game = scene("Sc . . Hl Hl\nP1 . P1 Hl Hl\nP1 P1 P1 P1 P1", money=3)
    play(game, "build residential-2")
    assert [(entry.ask, entry.forced) for entry in game.log.entries] == [
        (Ask.WHAT, False),
        (Ask.WHERE, True),
        (Ask.WAY, True),
    ]
    assert_picture(game, 0, "Sc R2:' R2 Hl Hl\nP1 . P1 Hl Hl\nP1 P1 P1 P1 P1")
