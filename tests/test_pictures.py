"""Pictures: well-formed at every moment, all that is on the table in them, nothing a seat may not see."""

import builtins
import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_env import MODULES, Config, Game, batch, render, smallcity_v0
from smallcity_env.arguments import ArgumentError
from smallcity_env.refusal import install
from smallcity_env.render import colours
from smallcity_env.render.glyphs import glyph
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import Ask, Card, Family, Phase
from smallcity_env.rules.tables.maps import NAMES, Board
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.text import wording
from tests.docs_pictures import FOLDER, GRIDS, POSITIONS, WORKED, drawn, grids_drawn
from tests.random_games import EVERYTHING, random_config, table
from tests.reference.dense_positions import asian, crowded
from tests.scene import scene
from tests.test_secrecy import BEHIND_A_SCREEN, built_otherwise, hidden, moments, promised_otherwise

USE = "{http://www.w3.org/2000/svg}use"
GROUP = "{http://www.w3.org/2000/svg}g"
TEXT = "{http://www.w3.org/2000/svg}text"
CONFIGS = [EVERYTHING, *(random_config(seed) for seed in range(700, 712))]


def tree(picture: str) -> ET.Element:
    return ET.fromstring(picture)


def group(picture: str, name: str) -> ET.Element:
    """One part of a picture by its name."""
    (part,) = [g for g in tree(picture).iter(GROUP) if g.get("id") == name]
    return part


def signs(picture: str, name: str) -> Counter[str]:
    """How often each symbol is used in a part of a picture."""
    return Counter(use.attrib["href"][1:] for use in group(picture, name).iter(USE))


def texts(picture: str, name: str) -> list[str]:
    return [text.text or "" for text in group(picture, name).iter(TEXT)]


# -- always


@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
def test_a_picture_is_well_formed_and_whole_at_every_moment(config: Config) -> None:
    played = table(config, games=2, seed=5, generous=True)
    for n in played.play():
        if n % 29 == 0:
            for state in played.states:
                for seat in (None, config.players - 1):
                    drawing = tree(render.svg(state, seat))
                    names = [g.get("id") for g in drawing.iter(GROUP) if g.get("id")]
                    assert len(names) == len(set(names))
                    used = {use.attrib["href"][1:] for use in drawing.iter(USE)}
                    assert used <= set(names)
                    assert {f"seat-{p}-tiles" for p in range(config.players)} <= set(names)


def test_a_picture_is_the_same_for_the_same_position() -> None:
    game = Game(EVERYTHING, seed=4)
    assert game.svg() == game.clone().svg() == render.svg(game.states[0])


@pytest.mark.parametrize("board", Board, ids=str)
def test_every_board_and_size_is_drawn(board: Board) -> None:
    game = Game(Config(players=1, boards=NAMES[board]), seed=1)
    size = int(game.state["borough"][0]["zone_side"])
    assert f'id="ground-{NAMES[board]}-{size}"' in game.svg()
    assert f">{NAMES[board].replace('-', ' ')}<" in game.svg()


@pytest.mark.parametrize("seat", [-1, 2, 9])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    with pytest.raises(render.BadSeat, match=rf"there is no seat {seat}: choose from 0, 1"):
        Game(Config(players=2)).svg(seat)


@pytest.mark.parametrize("ask", Ask, ids=str)
def test_every_question_has_words(ask: Ask) -> None:
    state = Game(Config(players=2)).clone().state
    state["ask"] = ask
    words = wording.question(state)
    assert words and "{" not in words and len(words) < 60


# -- what is on the table is in the picture

TOWN = """
R5:0! R5:0 F2:1! F2   .    Hl:0 Hl:w .
R5    R5   .     P3   .    Hl   Hl:m .
R5    C3:0 C3    C3   .    .:+  .:+  .
P3b   .    Wa:s  Wa   .:*  .:*  .:Z  .:Z
P3b   P3b  Sc    .    .:M  .:M  .    .
"""


@pytest.fixture(scope="module")
def town() -> str:
    game = scene(
        TOWN.replace("P3 ", "P1 ").replace("P3b", "P3a"), "Hl:1 Hl\nHl   Hl", phase="move", round=6, seat=0,
        modules=("godzillas",), money={0: 17, 1: 3}, votes={0: 23}, pollution={0: 61, 1: 4},
        card={0: "engineer", 1: "mayor"}, council={0: {"finance": 2, "tourism": 4}}, promise={0: 8, 1: 5},
        difficulty={0: 2},
    )  # fmt: skip
    return game.svg()


def test_tiles_are_drawn_by_kind_with_family_sign_and_level(town: str) -> None:
    drawn = signs(town, "seat-0-tiles")
    kinds = Counter(re.sub(r"-way-\d+$", "", name) for name in drawn.elements())
    assert kinds == {
        "residential-5": 1, "factory-2": 1, "park-1": 1, "park-3": 1, "commercial-3": 1, "warehouse": 1,
        "school": 1, "city-hall": 1,
    }  # fmt: skip
    (home,) = [name for name in drawn if name.startswith("residential-5")]
    assert signs(town, home) == {"residential": 5}
    assert texts(town, home) == ["5"]
    (shop,) = [name for name in drawn if name.startswith("commercial-3")]
    assert texts(town, shop) == ["a", "b", "c", "3"]
    (factory,) = [name for name in drawn if name.startswith("factory-2")]
    assert signs(town, factory) == {"factory": 2, "wood": 1, "stone": 1}


def test_a_tile_has_one_outline_around_its_spaces(town: str) -> None:
    title = next(g for g in group(town, "seat-0-tiles").iter(GROUP) if g[0].text == "School: C5")
    assert [use.get("x") for use in title.iter(USE)] == ["80"]
    (home,) = [name for name in signs(town, "seat-0-tiles") if name.startswith("residential-5")]
    outline = group(town, home)[1].attrib["d"]
    assert outline.count("Q") == 6 and outline.endswith("Z")  # the corners of a P5


def test_people_pieces_and_markers_are_drawn(town: str) -> None:
    assert signs(town, "seat-0-things") == {
        "citizen-0": 4, "tourist-1": 1, "worked": 2, "wood": 1, "stone": 1, "metal": 1, "grave": 2,
        "radiation": 2, "godzilla": 1, "mayor": 1,
    }  # fmt: skip
    assert signs(town, "seat-1-things") == {"citizen-1": 1}


def test_the_numbers_of_a_player_are_written(town: str) -> None:
    written = texts(town, "seat-0-numbers")
    tracks = dict(pairwise(written))
    assert (tracks["votes"], tracks["money"], tracks["pollution"]) == ("23", "17", "61")
    assert (tracks["in the borough"], tracks["dead"], tracks["card"]) == ("4", "2", "Engineer")
    assert tracks["7 x 7"] == "18"
    assert "Seat 0" in texts(town, "seat-0-frame")
    assert texts(town, "seat-1-numbers")[:4] == ["votes", "0", "money", "3"]


def test_the_round_the_phase_and_the_question_are_written(town: str) -> None:
    head = texts(town, "header")
    assert head[0] == "Round 6 of 8"
    assert "where does the citizen at A1 go?" in head
    lit = [t.text for t in group(town, "header").iter(TEXT) if t.get("font-weight") and t.text != head[0]]
    assert lit == ["3 Move", "0"]
    assert tree(town)[0].text == "Small City, round 6, move. seat 0: where does the citizen at A1 go?"


def test_discs_lie_on_the_council_board_and_cards_with_who_took_them(town: str) -> None:
    discs = [t for t in group(town, "council").iter(TEXT) if t.text == "0"]
    assert len(discs) == 2
    taken = texts(town, "cards")
    engineer = taken.index("D  Engineer")
    assert taken[engineer + 1] == "0" and taken[taken.index("A  Mayor") + 1] == "1"


def test_the_zone_edge_moves_with_the_zone() -> None:
    for size in (7, 9):
        ground = group(scene("Hl Hl\nHl Hl", size=size).svg(), f"ground-base-easy-{size}")
        (edge,) = [path.attrib["d"] for path in ground if path.get("stroke") == colours.EDGE]
        assert f"{40 * size} {40 * size}" in edge


def test_one_who_is_out_and_the_end_are_shown() -> None:
    state = batch.clone(Game(Config(players=2), seed=1).states)[0]
    state["borough"][1]["out"], state["round_no"] = 5, 8
    state["phase"], state["ask"] = Phase.OVER, Ask.OVER
    state["borough"][0]["votes"] = 30
    shown = render.svg(state)
    assert "Out in round 5" in shown
    assert "the game is over: seat 0 wins with 30 points" in shown
    assert "place 1: 30 + 0 - 0 = 30" in shown and "place 2: 0 + 0 - 0 = 0" in shown


CLEAN_AIR, HIGH_RISE = 1, 11  # promises


def test_the_end_shows_the_sum_and_whether_promises_were_kept() -> None:
    state = batch.clone(Game(Config(players=2), seed=1).states)[0]
    state["phase"], state["ask"] = Phase.OVER, Ask.OVER
    state["borough"]["promise"][:2] = CLEAN_AIR, HIGH_RISE
    state["borough"]["difficulty"][:2] = 0, 1
    state["borough"]["votes"][:2], state["borough"]["pollution"][:2] = 20, 3
    kept, broken = (texts(render.svg(state), f"seat-{p}-numbers") for p in (0, 1))
    assert "kept +6" in kept and "place 1: 20 + 6 - 3 = 23" in kept
    assert "broken -4" in broken and "place 2: 20 - 4 - 3 = 13" in broken


def test_names_of_players_are_shown() -> None:
    state = Game(Config(players=2), seed=1).state
    shown = render.svg(state, names=["greedy", "mcts:sims=64"])
    assert "greedy" in texts(shown, "seat-0-frame") and "mcts:sims=64" in texts(shown, "seat-1-frame")
    with pytest.raises(ArgumentError, match="names must be 2, one for each seat, not 1"):
        render.svg(state, names=["greedy"])


def test_the_supply_shows_tiles_of_the_modules_in_play() -> None:
    plain, full = (Game(Config(players=2, modules=m), seed=1).svg() for m in ((), ("real_buildings",)))
    assert {sign for sign in signs(full, "supply") if sign not in signs(plain, "supply")} == {
        "big-ben",
        "opera",
    }


def test_alone_the_end_is_a_title() -> None:
    state = batch.clone(Game(Config(players=1), seed=1).states)[0]
    state["phase"], state["ask"], state["borough"][0]["votes"] = Phase.OVER, Ask.OVER, 45
    assert "the game is over: 45 points, Deputy" in render.svg(state)


def test_every_module_has_its_signs() -> None:
    full = render.svg(crowded(1, seed=1)[0])
    things = signs(full, "seat-0-things")
    assert things["doctor"] == 1 and things["tourist-2"] == 1
    tiles = signs(full, "seat-0-tiles")
    assert tiles["plant-1"] == 10
    kinds = {re.sub(r"-way-\d+$", "", name) for name in tiles}
    assert {"airport-8", "bank", "recycling", "tramway", "big-ben"} <= kinds
    assert "J  Artist" in texts(full, "cards")
    cities = render.svg(asian(1, seed=1)[0])
    assert {"terrain-sea", "terrain-imperial", "terrain-flood"} <= {
        use.attrib["href"][1:] for use in tree(cities).iter(USE)
    }


def test_every_kind_of_tile_has_a_sign_of_its_own() -> None:
    names = {glyph(kind).name for kind in Kind if kind}
    assert len(names) == 4 + sum(int(kind) > Kind.PARK_3 for kind in Kind) - 1  # both airports share theirs


# -- what may be seen

_PLAYED = [config for config in CONFIGS if config.players > 1][:5]
with_secrets = pytest.mark.parametrize("config", _PLAYED, ids=range(len(_PLAYED)))


def asked_otherwise(states: batch.States, seat: int) -> None:
    """While screens are up, a question put to another seat does not show."""
    for i in np.flatnonzero(hidden(states) & (states["seat"] != seat)):
        for name in BEHIND_A_SCREEN:
            states[i][name] = 1 - min(int(states[i][name]), 1)
        states[i]["ask"] = Ask.WHERE if states[i]["ask"] != Ask.WHERE else Ask.WAY


@with_secrets
def test_what_a_seat_may_not_see_changes_nothing_in_its_picture(config: Config) -> None:
    rng = np.random.default_rng(1)
    for states in moments(config, every=31):
        for seat in range(config.players):
            other = batch.clone(states)
            promised_otherwise(other, seat, rng)
            built_otherwise(other, seat, rng)
            asked_otherwise(other, seat)
            other["stream"] = streams(rng.integers(1 << 40, size=len(states)))
            for a, b in zip(states, other, strict=True):
                assert render.svg(a, seat) == render.svg(b, seat)


@with_secrets
def test_the_referee_and_the_seat_itself_see_the_promise(config: Config) -> None:
    for states in moments(config, every=97):
        for state in states[states["borough"]["promise"][:, 0] > 0]:
            other = state.copy()
            other["borough"][0]["promise"] = other["borough"][0]["promise"] % 2 + 1
            assert render.svg(state) != render.svg(other)
            assert render.svg(state, 0) != render.svg(other, 0)
            assert render.svg(state, 1) == render.svg(other, 1)


OPEN = [
    ("money", 99), ("votes", 99), ("pollution", 88), ("career", 77), ("card", Card.OPPONENT),
    ("cemetery", 1 << 30), ("markers", 1 << 31), ("godzilla", 1 << 32), ("mayor", 1 << 33), ("zone_side", 8),
    ("citizens", 1 << 34), ("materials", 1 << 35), ("council", 4), ("powered", 1), ("out", 3),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), OPEN)
def test_what_is_open_shows_in_every_picture(field: str, value: Any) -> None:
    state = crowded(1, seed=1)[0]
    for p in range(3):
        other = state.copy()
        other["borough"][p][field] = value
        for seat in (None, 0, 1, 2):
            assert render.svg(state, seat) != render.svg(other, seat)


def test_a_screen_says_so() -> None:
    game = Game(Config(players=2), seed=7)
    for answer in ["at C3", "at D4", "promise 6", "promise 12", "at F7", "card supporter", "pay votes"]:
        game.step(answer)
    game.step("card mediator")
    asked, other = game.seat, 1 - game.seat
    game.step("build residential-1")
    assert "where to lay the Residential 1?" in game.svg(asked)
    assert "residential-1" not in texts(game.svg(other), "header")[1:][1]
    assert "builds behind a screen" in game.svg(other)
    assert "behind its screen: as last shown" in game.svg(other)
    assert "secret promise" in game.svg(0) and "secret promise" not in game.svg()


# -- pixels


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_pixels_have_one_size_for_each_number_of_players(players: int) -> None:
    env = smallcity_v0.env(players=players, modules=MODULES, render_mode="rgb_array")
    shapes, frames = set(), set()
    rng = np.random.default_rng(2)
    env.reset(seed=players)
    for _ in range(4):
        frame = env.render()
        assert frame.dtype == np.uint8 and frame.ndim == 3 and frame.std() > 20
        shapes.add(frame.shape)
        frames.add(frame.tobytes())
        for _ in range(5):
            env.step(rng.choice(np.flatnonzero(env.action_masks())))
    assert len(shapes) == 1 and len(frames) == 4
    svg = tree(render.svg(env._states[0]))
    assert shapes == {(int(svg.attrib["height"]), int(svg.attrib["width"]), 3)}


def test_pixels_show_the_colours_of_the_drawing() -> None:
    state = scene("P1 .\n. Hl Hl\n. Hl Hl", pollution=90).state
    image = render.pixels(state)
    for colour in (colours.FAMILY_PAINTS[Family.PARK].face, colours.HALL.face, colours.PAPER):
        rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert (image == rgb).all(axis=2).sum() > 100


def test_the_same_seat_sees_the_same_in_pixels() -> None:
    env = smallcity_v0.env(players=2, render_mode="rgb_array")
    env.reset(seed=3)
    seat = int(env._seat[0])
    assert np.array_equal(env.render(), render.pixels(env._states[0], seat))


def test_without_pillow_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def no_pillow(name: str, *rest: Any, **more: Any) -> Any:
        if name == "PIL":
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", no_pillow)
    game = Game(Config(players=1))
    with pytest.raises(render.NoPillow, match=re.escape(f"rgb_array needs Pillow: {install('pictures')}")):
        render.pixels(game.state)
    assert game.svg()


# -- the documentation


@pytest.mark.parametrize("position", POSITIONS, ids=lambda path: path.stem)
def test_the_pictures_of_the_documentation_are_how_pictures_look(position: Path) -> None:
    picture = position.with_suffix(".svg").read_text(encoding="utf-8")
    assert picture == drawn(position), "draw them again: python -m tests.docs_pictures"
    assert len(picture.encode()) < 150_000


def test_the_worked_position_shows_its_mask_and_planes() -> None:
    assert GRIDS.read_text(encoding="utf-8") == grids_drawn(WORKED), "python -m tests.docs_pictures"


def test_the_documentation_has_pictures() -> None:
    pages = [FOLDER.parents[1] / "README.md", *FOLDER.parent.glob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert POSITIONS and all(f"pictures/{path.stem}.svg" in text for path in POSITIONS)
