"""Planes say what the vector says: each one checked against the record."""

from pathlib import Path

import numpy as np
import pytest

from smallcity_env import MODULES, Config, batch
from smallcity_env.rules import layout, planes
from smallcity_env.rules.spaces import HALF
from smallcity_env.rules.tables import SEATS, Terrain
from smallcity_env.rules.tables.maps import GRID
from smallcity_env.rules.tables.tiles import ROWS

DOCS = Path(__file__).parents[1] / "docs" / "observations.md"
NAMES = list(planes.PLANES)
BOARDS = ("river-expert", "mountain-easy", "tokyo", "bangkok")


def positions() -> batch.States:
    """Games on all kinds of boards, some way on and with nothing behind screens."""
    legal = batch.new_masks(48)
    states = batch.new(48, Config(4, MODULES, BOARDS), range(48), legal)
    streams = batch.rng.streams(np.arange(48))
    for step in range(330):
        actions = batch.pick(legal, streams)
        batch.step(states, np.where(np.arange(48) * 7 < step, batch.SKIP, actions), legal)
    return states[(states["phase"] > 2) & ~batch.over(states)]  # Phase.BUILD is 2


def as_plane(words: np.ndarray) -> np.ndarray:
    """A set of spaces (..., 2) as 0 and 1 (..., 10, 10)."""
    bits = (words[..., :, None] >> np.arange(HALF, dtype=np.uint64)) & np.uint64(1)
    return bits.reshape(*words.shape[:-1], 10, 10).astype(np.float32)


@pytest.fixture(scope="module")
def table() -> tuple[batch.States, np.ndarray]:
    states = positions()
    assert len(states) > 8
    board, rest = planes.unfold(batch.observe(states, 1))
    assert board.shape == (len(states), SEATS, planes.COUNT, 10, 10)
    assert rest.shape == (len(states), planes.TABLE_SIZE)
    return states, board


SETS = {"cemetery": "cemetery", "marker": "markers", "godzilla": "godzilla", "mayor": "mayor",
        "fresh": "fresh", "growing": "growing", "later": "growing_later", "zone": "zone",
        "worked": "worked"}  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_sets_of_spaces(name: str, table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    for k in range(SEATS):
        wanted = as_plane(states["borough"][SETS[name]][:, (1 + k) % SEATS])
        assert np.array_equal(board[:, k, NAMES.index(name)], wanted)


def test_citizens_by_colour_and_materials(table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    for k in range(SEATS):
        b = states["borough"][:, (1 + k) % SEATS]
        for colour in range(SEATS):
            plane = board[:, k, NAMES.index(f"citizen of seat+{colour}")]
            assert np.array_equal(plane, as_plane(b["citizens"][:, (1 + colour) % SEATS]))
        for material, name in enumerate(("wood", "stone", "metal")):
            assert np.array_equal(board[:, k, NAMES.index(name)], as_plane(b["materials"][:, material]))


def test_tiles_by_family_and_level(table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    for k in range(SEATS):
        b = states["borough"][:, (1 + k) % SEATS]
        kinds = np.take_along_axis(b["kind"], b["first"].astype(int), axis=1).reshape(-1, 10, 10)
        kinds = np.where(as_plane(b["tiled"]) > 0, kinds, 0)
        for tile in ROWS:
            here = board[:, k].transpose(0, 2, 3, 1)[kinds == tile.kind]
            family = tile.family.name.lower()
            wanted = tile.level / 5 if family != "other" else tile.kind / 39
            assert np.allclose(here[:, NAMES.index(family)], wanted)
            assert np.allclose(here[:, NAMES.index("public")], tile.public)
            assert (here[:, NAMES.index("part")] > 0).all()
        empty = board[:, k, : NAMES.index("part") + 1].transpose(0, 2, 3, 1)[kinds == 0]
        assert not empty.any()


def test_terrain_is_that_of_the_board(table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    for k in range(SEATS):
        grid = GRID[states["rules"]["board"][:, (1 + k) % SEATS]].reshape(-1, 10, 10)
        for terrain in list(Terrain)[1:]:
            plane = board[:, k, NAMES.index(terrain.name.lower())]
            assert np.array_equal(plane, (grid == terrain).astype(np.float32))


def test_empty_seats_are_empty_and_buffers_are_filled() -> None:
    states = batch.new(3, Config(players=2, modules=MODULES), range(3))
    seen, buffer = batch.observe(states, 0), np.full((3, SEATS, planes.COUNT, 10, 10), 7, np.float32)
    board, _ = planes.unfold(seen, buffer)
    assert board is buffer and not board[:, 2:].any() and board[:, :2].any()
    with pytest.raises(ValueError, match=rf"an array \(n, {layout.SIZE}\) of float32, not .* \(3, 5\)"):
        planes.unfold(seen[:, :5])


def test_the_table_of_planes_in_the_docs_is_made_from_the_code() -> None:
    assert planes.plane_table() in DOCS.read_text()
