"""batch.validate: accepts every position that play reaches, and refuses or can play on from all others."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from smallcity_env import Config, Game, batch
from smallcity_env.batch import InvalidState
from smallcity_env.rules import actions, limits
from smallcity_env.rules.schema import BOROUGH, RULES, STATE
from smallcity_env.rules.tables import MODULES, Ask, Phase
from smallcity_env.rules.validity import FAULTS
from tests.fuzz.attempts import play_on
from tests.golden_games import FOLDER, GOLDEN, SEED, answers
from tests.random_games import EVERYTHING, Table, begun, bit, random_config, spread, table
from tests.random_games import answers as played
from tests.reference import dense_positions

FIELDS = [(name, dtype) for dtype in (RULES, BOROUGH, STATE) for name in dtype.names or ()]
NUMBERS = [name for name, block in FIELDS if block[name].base == np.int16]


# -- what play reaches


@pytest.mark.parametrize("seed", range(30))
def test_every_question_of_a_game_is_valid(seed):
    games = table(random_config(1000 + seed), 8, seed, generous=seed % 2 == 0)
    for n in games.play():
        if n % 3 == 0:
            batch.validate(games.states)
    batch.validate(games.states)


@pytest.mark.parametrize("seed", range(12))
def test_forced_answers_are_valid_questions_too(seed):
    states = begun(EVERYTHING if seed == 0 else random_config(2000 + seed), seed)
    batch.validate(states)
    for _ in played(states, seed):
        batch.validate(states)


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_games_are_valid(name):
    game = Game(GOLDEN[name], seed=SEED)
    for answer in answers((FOLDER / f"{name}.txt").read_text()):
        game.step(answer)
        batch.validate(game.states)


@pytest.mark.parametrize("towns", [dense_positions.crowded, dense_positions.asian])
def test_dense_towns_are_valid(towns):
    games = Table(towns(4, seed=3), seed=3)
    for _ in games.play():
        batch.validate(games.states)


def test_forks_are_valid():
    games = table(EVERYTHING, 16, seed=5)
    for n in games.play():
        if n % 20 == 0:
            for seat in range(4):
                batch.validate(batch.fork(games.states, seat, range(16)))


# -- what it does not


def middle(seed: int, phase: Phase = Phase.MOVE, ask: Ask | None = None, config: Config = EVERYTHING) -> Any:
    """A game at some question of a phase, in its third round or later; the next hundred's if it has none."""
    games = table(config, 1, seed)
    for _ in games.play():
        s = games.states[0]
        if s.round_no > 2 and s.phase == phase and ask in (None, s.ask):
            return games.states
    return middle(seed + 100, phase, ask, config)


def why(states: Any) -> str:
    with pytest.raises(InvalidState) as refused:
        batch.validate(states)
    return str(refused.value)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("number", [-32768, 32767])
def test_no_number_is_out_of_its_limits(name, number):
    for block in ("rules", "borough", None):
        states = middle(1)
        record = states[0] if block is None else states[0][block]
        if name not in record.dtype.names or record.dtype[name].base != np.int16:
            continue
        (record[0] if block == "borough" else record)[name] = number
        low, high = limits.limits_of(record.dtype, name)
        assert f"{name} is {number}, but must be {low} to {high}" in why(states)


@pytest.mark.parametrize(("name", "block"), FIELDS, ids=lambda part: part if isinstance(part, str) else "")
def test_what_is_not_refused_plays_on(name, block):
    chance = np.random.default_rng(len(name))
    for seed, phase in enumerate((Phase.SELECT, Phase.BUILD, Phase.MOVE, Phase.INCOME, Phase.COUNCIL)):
        for number in (0, 1, int(chance.integers(2, 100)), (1 << 50) - 1):
            states = middle(seed, phase)
            record = states["rules"] if block is RULES else states["borough"] if block is BOROUGH else states
            values = record[name].reshape(-1)  # of one game: a view
            values = record[name] if not np.shares_memory(values, states) else values
            values[...] = np.asarray(number).astype(values.dtype)
            try:
                batch.validate(states)
            except InvalidState:
                continue
            play_on(states)


def _tile(s: Any) -> None:
    first = int(np.flatnonzero(spread(s.borough[0].firsts))[0])
    s.borough[0].kind[first] = 99


WRONG: dict[str, Callable[[Any], Any]] = {
    "rounds must be 1 to 8": lambda s: s.rules.__setattr__("power_plants", 0),
    "has a tile of no kind": _tile,
    "must list the tiles that stand in it": lambda s: s.borough[0].built.__setitem__(3, 50),
    "the zone of borough 1": lambda s: s.borough[1].zone.__setitem__(0, 0),
    "has a citizen where nobody can be": lambda s: s.borough[2].citizens.__setitem__(0, bit(99)),
    "has a material where none can lie": lambda s: s.borough[0].materials.__setitem__(0, s.borough[0].tiled),
    "has a grave, a marker, a godzilla": lambda s: s.borough[0].cemetery.__setitem__(
        slice(None), s.borough[0].tiled
    ),
    "must have at most 2 discs": lambda s: s.borough[0].council.__setitem__(slice(None), 1),
    "seat 3 must have 20 citizens": lambda s: s.reserve.__setitem__(3, s.reserve[3] + 1),
    "the supply of park-1": lambda s: s.supply.__setitem__(13, s.supply[13] + 1),
    "must have taken what stands": lambda s: s.took.__setitem__((0, 13), 1),
    "must have plants above as many columns": lambda s: s.borough[0].__setattr__("powered", 1023),
    "there must be 40 Radiation markers": lambda s: s.__setattr__("markers", 3),
    "the godzillas in the supply": lambda s: s.__setattr__("godzillas", 0),
    "the Doctors in the supply": lambda s: s.__setattr__("doctors", 0),
    "must be in one place": lambda s: s.circle.__setitem__(slice(None), 1),
    "the round must be 0 in the set-up": lambda s: s.__setattr__("round_no", 0),
    "seat, turn, part and stage": lambda s: s.__setattr__("part", 3),
    "the question must be one of this phase": lambda s: s.__setattr__("ask", Ask.CARD),
    "must be the borough before its secret builds": lambda s: s.shown.__setitem__(0, s.borough[0]),
    "the Pilgrim must stand in Ulaanbaatar": lambda s: s.__setattr__("pilgrim", 100),
    "who is waiting in borough": lambda s: s.waiting.__setitem__(3, bit(99)),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_wrong_is_said(sentence):
    states = middle(2)
    batch.validate(states)
    WRONG[sentence](states[0])
    assert sentence in why(states)


def test_a_death_that_is_asked_about_is_due():
    candidates = (middle(seed, Phase.POLLUTION, Ask.DIES) for seed in range(40))
    states = next(states for states in candidates if states[0].ask == Ask.DIES)
    batch.validate(states)
    states[0].deaths = 0
    assert "the question must be one of this phase" in why(states)


def test_nobody_abroad_is_sent_on():
    candidates = (middle(seed, Phase.MOVE, Ask.MOVE) for seed in range(200))
    states = next(s for s in candidates if s[0].ask == Ask.MOVE and s[0].asked_borough != s[0].seat)
    batch.validate(states)
    states[0].ask, states[0].destination = Ask.ABROAD, (states[0].seat + 1) % states[0].rules.players
    assert "the question must be one of this phase" in why(states)


@pytest.mark.parametrize("phase", [Phase.SELECT, Phase.MOVE, Phase.INCOME, Phase.POLLUTION, Phase.COUNCIL])
def test_another_question_is_refused_or_plays_on(phase):
    refused = 0
    for seed in range(6):
        position = middle(seed, phase)
        for other in Ask:
            states = batch.clone(position)
            states[0].ask = other
            try:
                batch.validate(states)
            except InvalidState:
                refused += 1
                continue
            play_on(states)
    assert refused > 6


def test_nothing_lies_and_nobody_stands_in_the_set_up():
    states = batch.new(1, Config(players=2), [1])
    space = int(np.flatnonzero(spread(states[0].borough[0].zone) & ~spread(states[0].borough[0].tiled))[0])
    states[0].borough[0].materials[0] = bit(space)
    assert "borough 0 has a material where none can lie" in why(states)


def test_no_build_is_left_over_where_no_question_is_asked():
    states = middle(1, Phase.BUILD, Ask.WHERE)
    assert states[0].ask == Ask.WHERE
    states[0].ask = Ask.NONE
    assert "the build under way must be one that the player can pay for" in why(states)


@pytest.mark.parametrize("phase", [Phase.BUILD, Phase.COUNCIL])
@pytest.mark.parametrize("seed", range(4))
def test_the_tile_being_placed_is_one_the_mask_offers(phase, seed):
    """Whatever tile is said to have been chosen: valid, if `what` offers it, and only then."""
    states = middle(seed, phase, Ask.WHAT, Config(modules=("power_plants",)) if seed % 2 else EVERYTHING)
    legal, refused, chosen = batch.masks(states)[0], 0, 0
    for action in range(actions.BUILD, actions.ENLARGE):
        other = batch.clone(states)
        other[0].ask, other[0].kind = Ask.WHERE, actions.KIND_OF[action]
        other[0].upgrade = action >= actions.UPGRADE
        if legal[action]:
            batch.validate(other)
            chosen += 1
        else:
            assert "the build under way must be one" in why(other)
            refused += 1
    assert chosen and refused


def test_empty_seats_are_empty():
    states = middle(3, config=Config(players=2))
    states[0].borough[3].money = 1
    assert why(states) == "game 0: borough 3 must be empty, because nobody sits there"


def test_the_configuration_is_one_of_the_rules():
    states = batch.new(3, Config(modules=MODULES), range(3))
    states["rules"]["new_buildings"][1] = 0
    assert "game 1: " in why(states) and "promise_cards needs new_buildings" in why(states)


def test_every_fault_has_a_sentence_with_one_place_for_what_it_is_about():
    for sentence in FAULTS.values():
        assert "\n" not in sentence.format(1) and "{" not in sentence.format(1)
