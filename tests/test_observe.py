"""Observations: everything a seat may see, and nothing else."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from smallcity_env import Config, batch
from smallcity_env.rules import bounds, layout, observe
from smallcity_env.rules.layout import Form
from smallcity_env.rules.limits import MOST, PLENTY
from smallcity_env.rules.schema import BOROUGH, PADDING, STATE
from smallcity_env.rules.tables import COLUMNS, SEATS, SPACES, Ask, Phase, Row
from smallcity_env.rules.tables.shapes import ANCHORS, LENGTH, LONGEST, OFFSET, WAYS
from smallcity_env.rules.tables.tiles import KINDS, Kind
from smallcity_env.text.grid import members
from tests.docs_observations import PAGE, index, page
from tests.random_games import random_config, table
from tests.scene import scene

GAMES = 64
EVERYTHING = ("godzillas", "doctors", "mayor", "action_cards", "promise_cards", "new_buildings",
              "real_buildings", "power_plants")  # fmt: skip
# the engine's own bookkeeping: what is still to be asked, and where it stands within a turn
BOOKKEEPING = {"part", "turn", "stage", "waiting", "waiting_riders", "free", "second", "stones", "start"}
BOOKKEEPING |= {PADDING}
DRAWN_FROM_OTHERS = {"tiled", "firsts", "family", "first", "way", "built", "hall"}  # follow from kind
HIDDEN_IN_BOROUGH = {"promise", "special"}


def games(**config: Any) -> batch.States:
    """Games of one config, each after a different number of decisions."""
    states = batch.new(GAMES, Config(**config), range(GAMES))
    legal, pick = batch.masks(states), np.random.default_rng(5)
    for game in range(GAMES):
        for _ in range(game * 3):
            if states["ask"][game] == Ask.OVER:
                break
            row = slice(game, game + 1)
            batch.step(states[row], [pick.choice(np.flatnonzero(legal[game]))], legal[row])
    return states


@pytest.fixture(scope="module", params=[2, 3, 4])
def states(request: pytest.FixtureRequest) -> batch.States:
    return games(players=request.param, modules=EVERYTHING, advanced=True)


Seeing = Callable[..., np.ndarray]


def observed(form: Form, states: batch.States, viewer: int = 0) -> np.ndarray:
    """The whole observation of this form, as one vector per game."""
    buffers = batch.new_observations(len(states), form, int(states["rules"]["players"][0]))
    return np.concatenate([batch.observe(states, viewer, buffers), buffers.planes], axis=1)


@pytest.fixture(params=list(Form), ids=lambda form: form.name.lower())
def seen(request: pytest.FixtureRequest) -> Seeing:
    return partial(observed, request.param)


def secret(states: batch.States) -> np.ndarray:
    return (states["phase"] == Phase.BUILD) | ((states["phase"] == Phase.SETUP) & (states["part"] == 0))


def scrambled(states: batch.States, field: str, seat: int, where: str = "borough") -> batch.States:
    """Copies with one field of one borough changed in every bit."""
    copies = batch.clone(states)
    values = copies[where][field][:, seat]
    copies[where][field][:, seat] = np.where(values == 0, 1, 0)
    return copies


ROWS = {"compact": layout.ROWS_OF_COMPACT, "planes": layout.ROWS_OF_TABLE}


def test_the_page_of_index_tables_is_made_from_the_code() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make it again: python -m tests.docs_observations"


def places(text: str) -> dict[str, tuple[int, int]]:
    """First and last place of everything that index tables name, by its full name."""
    found, name, begin, size = dict[str, tuple[int, int]](), "", 0, 0
    for line in text.splitlines():
        if repeats := re.match(r"`(\w+)\+k` begins at (\d+) \+ (\d+) k", line):
            name, begin, size = repeats[1], int(repeats[2]), int(repeats[3])
        elif row := re.match(r"\| (\d+) \| (\d+) \| (\S+) \|", line):
            for k in range(SEATS if name else 1):
                at = begin + k * size
                found[f"{name}+{k}.{row[3]}" if name else row[3]] = (int(row[1]) + at, int(row[2]) + at)
    return found


@pytest.mark.parametrize("form", ROWS)
def test_the_index_tables_name_every_number(form: str) -> None:
    rows, at = ROWS[form], layout.offsets(ROWS[form])[0]
    assert places(index(rows)) == {name: (at[name], at[name] + n - 1) for name, n, _ in rows}
    numbers = [place for first, last in places(index(rows)).values() for place in range(first, last + 1)]
    assert sorted(numbers) == list(range(batch.new_observations(1, Form[form.upper()]).vector.shape[1]))


@pytest.mark.parametrize("form", Form, ids=lambda form: form.name.lower())
def test_numbers_stay_within_their_bounds_and_far_from_the_cut(form: Form) -> None:
    highest = bounds.highest(form)
    most, least = np.zeros_like(highest), np.zeros_like(highest)
    for number in range(32):
        played = table(random_config(number), 16, number, generous=number % 2 > 0)
        buffers = batch.new_observations(16, form)
        for step in played.play():
            if step % 7 == 0:
                vectors = batch.observe(played.states, step % played.states["rules"]["players"], buffers)
                most, least = np.maximum(most, vectors.max(axis=0)), np.minimum(least, vectors.min(axis=0))
    assert (least == 0).all() and (most <= highest).all() and (highest[most > 1] > 1).all()
    assert most.max() < 3 < MOST and (highest > 1).sum() < 100


def test_counts_beyond_the_bound_are_cut_off() -> None:
    states = games(players=2, modules=())
    for field in ("money", "votes", "pollution", "flood"):
        states["borough"][field] = PLENTY
    for form in Form:
        vectors = batch.observe(states, 0, batch.new_observations(GAMES, form, 2))
        assert vectors.max() == MOST and (vectors <= bounds.highest(form)).all() and vectors.min() == 0


def test_the_compact_form_is_the_usual_one(states: batch.States) -> None:
    vectors = batch.observe(states, 0)
    assert vectors.dtype == np.float32 and np.array_equal(vectors, observed(Form.COMPACT, states))


@pytest.mark.parametrize("form", Form, ids=lambda form: form.name.lower())
def test_observations_are_written_into_the_buffers_given(states: batch.States, form: Form) -> None:
    buffers = batch.new_observations(len(states), form, int(states["rules"]["players"][0]))
    buffers.vector[:], buffers.planes[:] = 7, 7
    assert batch.observe(states, 1, buffers) is buffers.vector
    assert np.array_equal(np.concatenate(buffers[1:], axis=1), observed(form, states, 1))


@pytest.mark.parametrize("field", sorted(HIDDEN_IN_BOROUGH))
def test_others_promises_are_hidden_and_the_own_one_is_seen(
    seen: Seeing, states: batch.States, field: str
) -> None:
    assert np.array_equal(seen(states), seen(scrambled(states, field, 1)))
    assert (seen(states) != seen(scrambled(states, field, 0))).any(axis=1).all()


def test_the_random_stream_is_hidden(seen: Seeing, states: batch.States) -> None:
    copies = batch.clone(states)
    copies["stream"] ^= np.uint64(0xFFFF)
    assert np.array_equal(seen(states), seen(copies))


@pytest.mark.parametrize("field", [name for name in BOROUGH.names or () if name != "first"])
def test_what_others_build_in_secret_is_hidden(seen: Seeing, states: batch.States, field: str) -> None:
    hidden = states[secret(states)]
    assert len(hidden) > 0
    assert np.array_equal(seen(hidden), seen(scrambled(hidden, field, 1)))


ABOUT_A_BUILD = ["ask", "kind", "upgrade", "anchor", "warehouse_due", "builds", "enlarged", "architect_used"]


@pytest.mark.parametrize("field", ABOUT_A_BUILD)
def test_what_another_is_asked_in_secret_is_hidden(seen: Seeing, states: batch.States, field: str) -> None:
    hidden = states[secret(states) & (states["seat"] != 0)]
    copies = batch.clone(hidden)
    copies[field] = np.where(copies[field] == 0, 1, 0)
    assert np.array_equal(seen(hidden), seen(copies))
    own = states[secret(states) & (states["seat"] == 0)]
    copies = batch.clone(own)
    copies[field] = np.where(copies[field] == 0, 1, 0)
    assert (seen(own) != seen(copies)).any(axis=1).all()


def test_the_space_another_is_asked_about_in_secret_is_hidden(seen: Seeing, states: batch.States) -> None:
    building = states[secret(states)]
    building["ask"], building["anchor"] = Ask.WAY, 33
    copies = batch.clone(building)
    copies["anchor"] = 44
    differs, own = (seen(building) != seen(copies)).any(axis=1), building["seat"] == 0
    assert own.any() and (~own).any() and np.array_equal(differs, own)


@pytest.mark.parametrize("form", Form, ids=lambda form: form.name.lower())
def test_what_others_take_from_the_supply_in_secret_is_hidden(states: batch.States, form: Form) -> None:
    """P2.1: a viewer sees the supply without what others took, and with what he took himself."""
    building, seen = states[states["phase"] == Phase.BUILD], partial(observed, form)
    offsets = layout.OFFSETS if form is Form.COMPACT else layout.TABLE_OFFSETS
    before, at = seen(building), offsets["supply"] + Kind.PARK_1
    for seat in (0, 1):
        copies = batch.clone(building)
        copies["supply"][:, Kind.PARK_1] -= 2
        copies["took"][:, seat, Kind.PARK_1] += 2
        after = seen(copies)
        assert np.allclose(before[:, at] - after[:, at], 2 / layout.SUPPLY_MOST if seat == 0 else 0)
        assert np.array_equal(np.delete(before, at, axis=1), np.delete(after, at, axis=1))


OPEN_BOROUGH = [name for name in BOROUGH.names or () if name not in HIDDEN_IN_BOROUGH | DRAWN_FROM_OTHERS]


@pytest.mark.parametrize("field", [name for name in OPEN_BOROUGH if name != "kind"])
@pytest.mark.parametrize("seat", [0, 1])
def test_every_open_field_of_a_borough_is_seen(
    seen: Seeing, states: batch.States, field: str, seat: int
) -> None:
    shown = states[~secret(states)]
    assert (seen(shown) != seen(scrambled(shown, field, seat))).any(axis=1).all()


def test_every_tile_is_seen(seen: Seeing, states: batch.States) -> None:
    shown = states[~secret(states)]
    copies = batch.clone(shown)
    copies["borough"]["kind"][:, 1] += copies["borough"]["kind"][:, 1] > 0
    assert (seen(shown) != seen(copies)).any(axis=1).all()


OPEN_STATE = sorted(set(STATE.names or ()) - BOOKKEEPING - {"rules", "stream", "borough", "shown", "took"})


@pytest.mark.parametrize("field", OPEN_STATE)
def test_every_open_field_of_the_table_is_seen(seen: Seeing, states: batch.States, field: str) -> None:
    shown = states[~secret(states)]
    copies = batch.clone(shown)
    copies[field] = np.where(copies[field] == 0, 1, 0)
    assert (seen(shown) != seen(copies)).any(axis=1).all()


@pytest.mark.parametrize("form", Form, ids=lambda form: form.name.lower())
def test_seats_are_counted_from_the_viewer(form: Form) -> None:
    states = games(players=3, modules=())
    at = layout.OFFSETS if form is Form.COMPACT else layout.TABLE_OFFSETS
    for viewer in range(3):
        vectors = observed(form, states, viewer)
        shown = ~secret(states)
        for k in range(3):
            money = states["borough"]["money"][:, (viewer + k) % 3] / 50
            assert np.allclose(vectors[shown, at[f"seat+{k}.money"]], money[shown])
        assert not vectors[:, at["seat+3.money"] : at["seat+3.money"] + layout.SEAT_SIZE].any()


STATE_OF_A_SPACE = ("cemetery", "markers", "godzilla", "mayor", "just_built",
                    "growing", "growing_later", "zone")  # fmt: skip


def test_a_borough_can_be_read_back_from_its_numbers() -> None:
    states = scene("R1:0 Li Li\n. Hl Hl\n. Hl:w Hl", "", phase="council", money=1).states
    b, chance = states["borough"][0, 0], np.random.default_rng(1)
    b["council"][:] = range(1, len(Row) + 1)
    bits, tiles, parts = np.zeros((3, SPACES), np.float32)
    for bit, name in enumerate(STATE_OF_A_SPACE):
        b[name][:] = chance.integers(2**50, size=2)
        bits[members(b[name])] += 1 << bit
    for first in members(b["firsts"]):
        way = b["way"][first]
        spaces = first + OFFSET[way, : LENGTH[way]]
        tiles[spaces], parts[spaces] = b["kind"][first], range(1, LENGTH[way] + 1)
    vector, at = batch.observe(states, 0)[0], layout.OFFSETS
    for name, numbers, most in (("state", bits, 255), ("tile", tiles, KINDS - 1), ("part", parts, LONGEST)):
        assert np.array_equal(vector[at[f"borough+0.{name}"] :][:SPACES], numbers / np.float32(most))
    assert vector[at["seat+0.council"] :][: len(Row)] == pytest.approx(b["council"] / COLUMNS)


@pytest.mark.parametrize("whole", range(1, 256))
def test_codes_are_written_as_their_quotient(whole: int) -> None:
    codes = np.arange(whole + 1, dtype=np.float32)
    short, rest = observe._reciprocal(whole)
    assert (codes * short + codes * rest == codes / np.float32(whole)).all()


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_every_space_of_a_tile_is_seen_once(way: int) -> None:
    parts, kinds = observe.new_codes(), observe.new_codes()
    t = int(min(space for space in range(SPACES) if ANCHORS[way, space // 50] >> np.uint64(space % 50) & 1))
    observe.add_tile(parts, kinds, observe.PART_ROW[way], SPACES - t, 7)
    spaces = t + OFFSET[way, : LENGTH[way]]
    assert np.flatnonzero(kinds).tolist() == sorted(spaces.tolist())
    assert parts[spaces].tolist() == list(range(1, LENGTH[way] + 1))
