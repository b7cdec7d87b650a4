"""Game: one game for people, and its messages when something is wrong."""

import struct
import zlib

import numpy as np
import pytest

from smallcity_env import (
    ACTIONS,
    Ask,
    BadSave,
    Config,
    Game,
    IllegalAction,
    Phase,
    UnknownAction,
    game,
    render,
)
from smallcity_env.rules import actions
from smallcity_env.rules.numbers import IN_FORCE
from tests.random_games import EVERYTHING, random_config
from tests.scene import scene

TWO = Config(players=2)


def finished(config: Config = TWO, seed: int = 3) -> Game:
    """A game played to its end."""
    played, rng = Game(config, seed), np.random.default_rng(seed)
    while not played.over:
        played.step(int(rng.choice(played.legal())))
    return played


# -- playing


def test_a_game_begins_with_the_first_city_hall():
    begun = Game(TWO, seed=7)
    assert (begun.round, begun.phase, begun.ask, begun.over) == (0, Phase.SETUP, Ask.WHERE, False)
    assert begun.seat == begun.state.host
    assert len(begun.legal()) == 36  # a 2 x 2 tile on 7 x 7 spaces


def test_without_anything_said_it_is_the_default_game():
    assert Game().config == Config()
    assert Game() == Game(Config(), seed=0)


def test_the_seed_makes_the_chance():
    assert Game(TWO, seed=1) == Game(TWO, seed=1)
    assert Game(TWO, seed=1) != Game(TWO, seed=2)


def test_the_mask_and_the_legal_answers_are_the_same():
    begun = Game(EVERYTHING, seed=1)
    assert begun.mask().shape == (ACTIONS,)
    assert (np.flatnonzero(begun.mask()) == begun.legal()).all()


def test_the_mask_is_a_copy():
    begun = Game(TWO)
    begun.mask()[:] = True
    assert len(begun.legal()) < ACTIONS


def test_an_answer_is_an_id_or_its_text():
    by_id, by_text = Game(TWO, seed=7), Game(TWO, seed=7)
    by_id.step(22)
    by_text.step("at C3")
    assert by_id == by_text


def test_texts_are_read_kindly():
    one, other = Game(TWO, seed=7), Game(TWO, seed=7)
    one.step("  AT   c3 ")
    other.step("C3")
    assert one == other
    assert {Game().parse(word) for word in ("no", "pass", "stay", "stop", "decline")} == {actions.NO}


def test_questions_with_one_answer_are_taken_and_logged():
    begun = Game(TWO, seed=7)
    begun.step("at C3")
    where, way = begun.log.entries[:2]
    assert str(where) == f"seat {begun.state.host} where: at C3"
    assert str(way) == f"seat {begun.state.host} way: way 1 (only answer)"
    assert str(begun.log).splitlines() == [str(entry) for entry in begun.log.entries]


# -- what is refused


def test_an_illegal_answer_is_refused_in_one_sentence_and_changes_nothing():
    begun = Game(TWO, seed=7)
    before, lines = begun.clone(), len(begun.log)
    with pytest.raises(IllegalAction) as refused:
        begun.step("at G7")  # City Hall would leave the zone
    output = str(refused.value)
    assert output.startswith(f"'at G7' does not answer 'where' of seat {begun.seat}: allowed are at A1,")
    assert "\n" not in output
    assert begun == before and len(begun.log) == lines


@pytest.mark.parametrize("action", [-1, -ACTIONS, ACTIONS, 10**6])
def test_a_number_that_is_no_action_is_refused(action):
    begun = Game(TWO)
    before = begun.clone()
    with pytest.raises(IllegalAction):
        begun.step(action)
    assert begun == before


@pytest.mark.parametrize("text", ["", "build castle", "at K1", "at A11", "at A0", "way", "way 10", "4"])
def test_a_text_that_names_no_action_is_refused(text):
    begun = Game(TWO)
    before = begun.clone()
    with pytest.raises(UnknownAction):
        begun.step(text)
    assert begun == before


def test_a_finished_game_takes_no_answer():
    ended = finished()
    before = ended.clone()
    assert not ended.mask().any() and len(ended.legal()) == 0
    with pytest.raises(IllegalAction, match="the game is over and takes no more actions"):
        ended.step("no")
    assert ended == before


# -- words


def test_every_action_has_a_name_that_reads_back():
    names = [actions.name(action) for action in range(ACTIONS)]
    assert len(set(names)) == ACTIONS
    assert [actions.parse(name) for name in names] == list(range(ACTIONS))
    for action in (-1, ACTIONS):
        with pytest.raises(
            UnknownAction, match=f"{action} is not an action: ids run from 0 to {ACTIONS - 1}"
        ):
            actions.name(action)


@pytest.mark.parametrize("seed", range(12))
def test_every_answer_is_described_in_words(seed):
    played, rng = Game(random_config(800 + seed), seed), np.random.default_rng(seed)
    while not played.over:
        for action in played.legal():
            words = played.describe(int(action))
            assert words and "{" not in words and "None" not in words
            assert played.parse(words) == played.parse(f"  {words.upper()} ") == action
        played.step(int(rng.choice(played.legal())))


def test_what_an_answer_means_depends_on_the_question():
    begun = Game(TWO, seed=7)
    assert begun.describe(22) == "lay the City Hall with its first space on C3"
    moving = scene("R1:0 C1", phase="move")
    assert moving.describe(1) == "the citizen at A1 goes to B1"
    assert moving.describe(actions.NO) == "the citizen at A1 stays"


# -- results


def test_scores_and_ranking_are_there_all_along():
    ended = finished(Config(players=3), seed=4)
    assert len(ended.scores()) == 3
    assert sorted(seat for place in ended.ranking() for seat in place) == [0, 1, 2]
    left = [p for p in range(3) if not ended.state.borough[p].out]
    assert ended.scores()[ended.ranking()[0][0]] == max(ended.scores()[p] for p in left)


BEGINS = IN_FORCE["scores.solo"]
TITLES = ("Recalled", "Clerk", "Councillor", "Deputy", "Mayor", "Governor", "Legend")


@pytest.mark.parametrize(
    ("votes", "title"),
    [
        *zip((begin - 1 for begin in BEGINS), TITLES, strict=False),
        *zip(BEGINS, TITLES[1:], strict=True),
        (250, "Legend"),
    ],
)
def test_alone_the_score_is_read_on_a_scale(votes, title):
    """SO1."""
    alone = Game(Config(players=1))
    alone.state.borough[0].votes = votes
    assert alone.title() == title


def test_alone_and_eliminated_you_are_recalled():
    """SO1."""
    alone = Game(Config(players=1))
    alone.state.borough[0].votes = 250
    alone.state.borough[0].out = 5
    assert alone.title() == "Recalled"


def test_games_are_equal_when_their_records_are():
    assert Game(TWO, 1) == Game(TWO, 1)
    assert Game(TWO, 1) != "a game"
    with pytest.raises(TypeError):
        hash(Game(TWO))


# -- saves


def saved() -> bytes:
    """A game in mid-play."""
    played, rng = Game(TWO, seed=5), np.random.default_rng(5)
    for _ in range(60):
        played.step(int(rng.choice(played.legal())))
    return played.save()


@pytest.mark.parametrize("data", [b"", b"S", b"PK\x03\x04 some archive", b"\x00" * 5000, b"SMALLCITY"])
def test_foreign_bytes_are_refused(data):
    with pytest.raises(BadSave, match="not a saved game of Small City"):
        Game.load(data)


def test_a_truncated_save_is_refused_wherever_it_breaks_off():
    data = saved()
    for length in range(len(data)):
        with pytest.raises(BadSave):
            Game.load(data[:length])


def test_a_save_with_something_after_it_is_refused():
    with pytest.raises(BadSave, match="damaged"):
        Game.load(saved() + b"\x00")


def test_a_save_with_any_byte_changed_is_refused():
    data = saved()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0x55
        with pytest.raises(BadSave):
            Game.load(bytes(changed))


def header(data: bytes, **changed: int) -> bytes:
    """A save with some fields of its header changed."""
    names = ("magic", "version", "schema", "checksum", "length")
    fields = dict(zip(names, game._HEADER.unpack_from(data), strict=True)) | changed
    return game._HEADER.pack(*fields.values()) + data[game._HEADER.size :]


def test_a_save_of_another_version_is_refused_and_says_so():
    data = saved()
    for changed in ({"version": game.VERSION + 1}, {"version": 0}, {"schema": 12345}):
        with pytest.raises(BadSave, match="saved by another version; this one reads version 1"):
            Game.load(header(data, **changed))


@pytest.mark.parametrize("body", [b"", b"short", b"\x00" * 3 * 10_000, b"\xff" * 40_000])
def test_a_save_whose_inside_is_no_game_is_refused(body):
    """Its checksum is right, but what it holds is not."""
    packed = zlib.compress(body)
    data = header(saved(), checksum=zlib.crc32(packed), length=len(packed))
    with pytest.raises(BadSave):
        Game.load(data[: game._HEADER.size] + packed)


def test_a_save_whose_inside_is_not_packed_is_refused():
    plain = b"this was never compressed"
    data = header(saved(), checksum=zlib.crc32(plain), length=len(plain))
    with pytest.raises(BadSave):
        Game.load(data[: game._HEADER.size] + plain)


def test_the_header_is_what_it_says():
    magic, version, _schema, checksum, length = struct.unpack_from("<9sHQIQ", saved())
    body = saved()[game._HEADER.size :]
    assert (magic, version) == (b"SMALLCITY", 1)
    assert (checksum, length) == (zlib.crc32(body), len(body))


def test_saves_are_small():
    assert len(finished().save()) < 8000


@pytest.mark.parametrize("number", [32767, -1, 0])
@pytest.mark.parametrize("start", [False, True])
def test_a_save_of_an_impossible_game_is_refused(number, start):
    """Its checksum is right, but nobody could have played it."""
    played = Game(TWO, seed=5)
    records = np.concatenate([played.states, played.states])
    records[int(start)]["rules"]["players"] = number
    packed = zlib.compress(records.tobytes())
    data = header(saved(), checksum=zlib.crc32(packed), length=len(packed))
    with pytest.raises(BadSave, match=f"rules, players is {number}, but must be 1 to 4"):
        Game.load(data[: game._HEADER.size] + packed)


def test_a_save_that_grows_without_end_is_refused():
    packed = zlib.compress(bytes(1 << 26))
    data = header(saved(), checksum=zlib.crc32(packed), length=len(packed))
    with pytest.raises(BadSave, match="no game is that long"):
        Game.load(data[: game._HEADER.size] + packed)


def test_a_game_shows_itself() -> None:
    game = Game(Config(players=2), seed=7)
    assert str(game) == render.text(game.state) and "seat 1, base-easy  votes 0" in str(game)
    assert repr(game) == "<Game of 2: round 0, setup: seat 0 is asked where>"
    assert game._repr_svg_() == game.svg() and game.svg() in game._repr_html_()
    pick = np.random.default_rng(1)
    while not game.over:
        game.step(int(pick.choice(game.legal())))
    assert repr(game) == "<Game of 2: round 8: the game is over>"
