"""The codes and numbers of the value net, counted again from the record, and what follows from them."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from smallcity_agents.value_net import model
from smallcity_agents.value_net.forward import PAYOFF, PAYOFF_SLOPE, PLACE_SLOPE, STRENGTH
from smallcity_agents.value_net.layout import EXTRAS, GREEDY_VALUE, START
from smallcity_env import batch
from smallcity_env.config import Config
from smallcity_env.rules import rng
from smallcity_env.rules.spaces import HALF
from smallcity_env.rules.tables import COLUMNS, MODULES, ROWS, SEATS, SPACES, Phase
from smallcity_env.rules.tables.tiles import KINDS

from .test_value_net import CONFIGS, EVERYTHING, encoded, positions, random_net, relu

VARIANTS = [
    *CONFIGS,
    Config(players=4, modules=("godzillas",), advanced=True, stockholm=True, godzilla_rules="2016"),
]
MOMENTS = (0, 3, 25, 60, 110, 200)


@cache
def some_games(config: Config) -> batch.States:
    """Games at several moments; in one of them a player is out."""
    legal, chance, seen = batch.new_masks(2), rng.streams([1, 2]), []
    states = batch.new(2, config, [1, 2], legal)
    for n in range(MOMENTS[-1] + 1):
        if n in MOMENTS:
            seen.append(batch.take(states, np.flatnonzero(~batch.over(states))))
        batch.step(states, batch.pick(legal, chance), legal)
    games = batch.join(seen)
    games["borough"]["out"][-1, 0] = 1
    return games


def spaces_in(field: Any) -> list[int]:
    """The spaces of a set in a record."""
    return [n for n in range(SPACES) if int(field[n // HALF]) >> (n % HALF) & 1]


def kind_on(b: Any, space: int) -> int:
    """The kind of the tile on a space, 0 without one."""
    return int(b["kind"][b["first"][space]]) if space in spaces_in(b["tiled"]) else 0


def facts(s: Any, p: int, config: Config) -> Iterator[tuple[str, int]]:
    """Every code of a seat: its group, and its number in it."""
    b, players = s["borough"][p], config.players
    yield from (("tile", kind_on(b, space) * SPACES + space) for space in spaces_in(b["tiled"]))
    for name, field in (("marker", "markers"), ("godzilla", "godzilla")):
        yield from ((name, kind_on(b, space)) for space in spaces_in(b[field]))
    for q in range(players):
        there = s["borough"][q]
        for space in spaces_in(there["citizens"][p]):
            worked = KINDS * (space in spaces_in(there["worked"]))
            yield "citizen" if q == p else "abroad", kind_on(there, space) + worked
        if q != p:
            yield from (("guest", kind_on(b, space)) for space in spaces_in(b["citizens"][q]))
            yield "rival", int(s["rules"]["board"][q])
    yield "board", int(s["rules"]["board"][p])
    yield from ((name, int(b[name])) for name in ("card", "difficulty", "promise", "special"))
    yield from (("council", row * (COLUMNS + 1) + int(b["council"][row])) for row in range(ROWS))
    yield "out", int(b["out"] > 0)
    yield from moment(s, p, players)
    yield from rules(s, config)


def moment(s: Any, p: int, players: int) -> Iterator[tuple[str, int]]:
    """The codes of the turn and the question."""
    place, asked = (p - int(s["host"])) % players, bool(s["seat"] == p)
    yield "order", place * (SEATS + 1) + players
    yield "turn", int(s["phase"]) + len(Phase) * (place < s["turn"])
    yield "ask", 2 * int(s["ask"]) + asked
    if asked and s["kind"]:
        yield "building", int(s["kind"]) + KINDS * (s["upgrade"] > 0)


def rules(s: Any, config: Config) -> Iterator[tuple[str, int]]:
    """The codes of the table."""
    yield "left", max(int(s["rules"]["rounds"]) - int(s["round_no"]), 0)
    yield "players", config.players
    yield "victory", int(s["rules"]["victory"])
    yield from (("module", n) for n, name in enumerate(MODULES) if name in config.modules)
    on = (config.advanced, config.stockholm, config.godzilla_rules == "2016")
    yield from (("variant", n) for n in np.flatnonzero(on))
    yield from (("circle", card) for card in np.flatnonzero(s["circle"] > 0))


@pytest.mark.parametrize("config", VARIANTS, ids=range(len(VARIANTS)))
def test_the_codes_of_a_seat_are_the_facts_about_it(config: Config) -> None:
    states = some_games(config)
    codes, _ = encoded(states)
    for i, s in enumerate(states):
        for p in range(config.players):
            expected = Counter(getattr(START, name) + number for name, number in facts(s, p, config))
            assert Counter(codes[i * config.players + p].tolist()) == expected


@pytest.mark.parametrize("config", VARIANTS, ids=range(len(VARIANTS)))
def test_the_numbers_of_a_seat_are_those_of_its_borough(config: Config) -> None:
    states = batch.clone(some_games(config))
    states["die"], states["hosts"][::2] = 5, 1
    extras = encoded(states)[1][:, GREEDY_VALUE:].reshape(len(states), config.players, len(EXTRAS))
    for i, s in enumerate(states):
        for p in range(config.players):
            b, said = s["borough"][p], dict(zip(EXTRAS, extras[i, p].tolist(), strict=True))
            fields = {"made": "pollution_made", "smoke": "busy_factories", "flood": "flood"}
            assert all(said[name] == b[field] for name, field in fields.items())
            assert said["zone"] == len(spaces_in(b["zone"])) and said["markers"] == len(
                spaces_in(b["markers"])
            )
            assert said["builds"] == (s["builds"] if s["seat"] == p else 0)
            assert said["die"] == (5 if s["hosts"][p] > 0 else 0)
            assert said["land_1"] >= said["land_2"] >= said["land_3"] >= said["land_4"] >= 0


@pytest.mark.parametrize("config", VARIANTS, ids=range(len(VARIANTS)))
def test_payoffs_and_places_follow_from_leads_and_strengths(config: Config) -> None:
    states, net, n = some_games(config), random_net(), config.players
    codes, numbers = encoded(states)
    first = [
        relu(net.first + net.codes[c].sum(axis=0) + x @ net.numbers)
        for c, x in zip(codes, numbers, strict=True)
    ]
    sums = np.array(first).reshape(len(states), n, -1)
    hidden = relu(net.second + sums @ net.own + sums.sum(axis=1, keepdims=True) @ net.everybody)
    outputs = net.last + relu(net.third + hidden @ net.deep) @ net.heads
    forecast = model.forecast(states, net)
    left = np.maximum(states["rules"]["rounds"] - states["round_no"], 0)
    pace, scores = net.calibration[left, n], forecast.scores[:, :n]
    strengths = outputs[:, :, STRENGTH] + pace[:, None, PLACE_SLOPE] * scores
    shares = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    assert forecast.places[:, :n, 0] == pytest.approx(shares / shares.sum(axis=1, keepdims=True), abs=1e-3)
    out = states["borough"]["out"][:, :n] > 0
    for i, p in np.ndindex(len(states), n):
        rivals = [scores[i, p] - scores[i, q] for q in range(n) if q != p and not out[i, q]]
        lead = scores[i, p] if n == 1 else min(rivals, default=100)
        payoff = 1 / (1 + np.exp(-np.clip(outputs[i, p, PAYOFF] + pace[i, PAYOFF_SLOPE] * lead, -50, 50)))
        assert forecast.payoffs[i, p] == pytest.approx(0 if out[i, p] else payoff, abs=2e-3)


def test_who_is_left_alone_leads_far() -> None:
    states = positions(EVERYTHING)
    states["borough"]["out"][:, 1:] = 1
    net = random_net()
    ahead = net._replace(calibration=net.calibration * 0 + np.eye(4, dtype=np.float32)[PAYOFF_SLOPE] * 0.01)
    without = model.forecast(states, net._replace(calibration=net.calibration * 0)).payoffs[:, 0]
    odds = [np.log(x / (1 - x)) for x in (model.forecast(states, ahead).payoffs[:, 0], without)]
    assert odds[0] - odds[1] == pytest.approx(np.ones(len(states)), abs=1e-2)
