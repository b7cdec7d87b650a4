"""Planes agree with the record: each is checked against it."""

import numpy as np
import pytest

from smallcity_env import MODULES, Config, batch
from smallcity_env.rules import layout, planes
from smallcity_env.rules.layout import Form
from smallcity_env.rules.spaces import HALF
from smallcity_env.rules.tables import SEATS, Ask, Terrain
from smallcity_env.rules.tables.maps import GRID
from smallcity_env.rules.tables.tiles import NAMES as TILE_NAMES
from smallcity_env.rules.tables.tiles import ROWS

NAMES = list(planes.PLANES)
BOARDS = ("river-expert", "mountain-easy", "tokyo", "bangkok")


def positions() -> batch.States:
    """Games on all kinds of boards, after some decisions, with no screens up."""
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
    buffers = batch.new_observations(len(states), Form.PLANES)
    batch.observe(states, 1, buffers)
    return states, buffers.planes.reshape(len(states), SEATS, planes.COUNT, 10, 10)


SETS = {"cemetery": "cemetery", "radiation": "markers", "godzilla": "godzilla", "mayor": "mayor",
        "just built": "just_built", "growing": "growing", "growing later": "growing_later", "zone": "zone",
        "worked": "worked"}  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_sets_of_spaces(name: str, table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    for k in range(SEATS):
        expected = as_plane(states["borough"][SETS[name]][:, (1 + k) % SEATS])
        assert np.array_equal(board[:, k, NAMES.index(name)], expected)


def test_citizens_by_colour_and_materials(table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    for k in range(SEATS):
        b = states["borough"][:, (1 + k) % SEATS]
        for colour in range(SEATS):
            plane = board[:, k, NAMES.index(f"citizen of seat+{colour}")]
            assert np.array_equal(plane, as_plane(b["citizens"][:, (1 + colour) % SEATS]))
        for material, name in enumerate(("wood", "stone", "metal")):
            assert np.array_equal(board[:, k, NAMES.index(name)], as_plane(b["materials"][:, material]))


def test_tiles_by_kind_and_level_and_how_they_hang_together(table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    kinds_seen = set()
    for k in range(SEATS):
        b = states["borough"][:, (1 + k) % SEATS]
        tiled, first = as_plane(b["tiled"]) > 0, b["first"].reshape(-1, 10, 10)
        kinds = np.take_along_axis(b["kind"], b["first"].astype(int), axis=1).reshape(-1, 10, 10)
        kinds = np.where(tiled, kinds, 0)
        kinds_seen |= set(kinds.flat)
        for tile in ROWS:
            assert np.array_equal(board[:, k, NAMES.index(TILE_NAMES[tile.kind])], kinds == tile.kind)
        for level in range(1, 6):
            of_level = [tile.kind for tile in ROWS if tile.level == level]
            assert np.array_equal(board[:, k, NAMES.index(f"level {level}")], np.isin(kinds, of_level))
        east, south = (board[:, k, NAMES.index(f"joined {way}")] for way in ("east", "south"))
        assert np.array_equal(
            east[..., :-1], (first[..., :-1] == first[..., 1:]) & tiled[..., :-1] & tiled[..., 1:]
        )
        assert np.array_equal(south[:, :-1], (first[:, :-1] == first[:, 1:]) & tiled[:, :-1] & tiled[:, 1:])
        assert not east[..., -1].any() and not south[:, -1].any()
    assert len(kinds_seen) > 15


def test_terrain_is_that_of_the_board(table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    for k in range(SEATS):
        grid = GRID[states["rules"]["board"][:, (1 + k) % SEATS]].reshape(-1, 10, 10)
        for terrain in list(Terrain)[1:]:
            assert np.array_equal(board[:, k, NAMES.index(terrain.name.lower())], grid == terrain)


def test_the_space_a_question_is_about(table: tuple[batch.States, np.ndarray]) -> None:
    states, board = table
    marked = board[:, :, NAMES.index("asked about")].reshape(len(states), SEATS, 100)
    moving = states["ask"] == Ask.MOVE
    assert moving.any() and (marked.sum(axis=(1, 2)) <= 1).all()
    for game in np.flatnonzero(moving):
        seat, space = int(states["asked_borough"][game]), int(states["space"][game])
        assert np.argwhere(marked[game]).tolist() == [[(seat - 1) % SEATS, space]]
        assert states["borough"]["citizens"][game, seat].any()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_buffers_for_more_players_have_zeros_where_nobody_sits(players: int) -> None:
    states = batch.new(8, Config(players=players), range(8))
    batch.rollout(states, range(8))
    own, wide = (batch.new_observations(8, Form.PLANES, seats) for seats in (players, SEATS))
    for seat in range(players):
        wide.planes[:] = 7
        batch.observe(states, seat, own)
        batch.observe(states, seat, wide)
        assert own.vector.shape == (8, layout.TABLE_SIZE) and own.planes.shape == (8, players * planes.SIZE)
        assert np.array_equal(own.vector, wide.vector) and set(np.unique(own.planes)) == {0, 1}
        assert np.array_equal(own.planes, wide.planes[:, : players * planes.SIZE])
        assert not wide.planes[:, players * planes.SIZE :].any()
