"""Arguments of the public functions: made right, or refused in one sentence; no other error, no crash."""

import dataclasses
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from smallcity_agents import make
from smallcity_agents.greedy import value
from smallcity_agents.search.agent import Search
from smallcity_agents.value_net.model import forecast, load
from smallcity_env import Config, Game, batch, render, smallcity_v0
from smallcity_env.envs.gymnasium import SmallCity
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.layout import Buffers, Form
from smallcity_env.rules.schema import STATE

from .attempts import refused

Draw = Callable[[random.Random], Any]
N = 3
TWO = Config(players=2)
LEGAL = batch.new_masks(N)
STATES = batch.new(N, TWO, range(N), LEGAL)
AGENTS = (
    "random", "first", "greedy", "policy", "level:2", "rollout:sims=2", "mcts:sims=2,playout=none",
    "search:sims=4,candidates=2", "search:sims=4,candidates=2,trees=2,threads=2,leaf_value=greedy",
)  # fmt: skip
SEARCH = Search(sims=4, candidates=2, playout="none")
FOUND = SEARCH.search(STATES, STATES["seat"], LEGAL, np.ones(N, np.uint64))
PARALLEL = smallcity_v0.parallel_env(players=2)
ENVIRONMENT = smallcity_v0.env(players=2)
ENVIRONMENT.reset(seed=1)
SINGLE = SmallCity(players=2)
SINGLE.reset(seed=1)
VECTOR = SmallCityVec(N)
VECTOR.reset(seed=1)

ODD: tuple[Any, ...] = (
    2**63, -(2**63) - 1, 2**64, 10**30, -(2**70), 0.0, 1.9, -2.5, 1e300, float("nan"), float("inf"), True,
    False, None, "", "1", "at C3", "é\n", b"", b"abc", 1j, np.int8(3), np.uint64(2**64 - 1), np.float32(1),
    np.bool_(True), np.array(5), np.array([5]), [], [1], [1, [2]], [None] * 3, {}, {"a": 1}, {1: 2},
    (1, 2, 3), object, ..., range(3), "x" * 500, np.datetime64("2024-01-01"),
)  # fmt: skip
DTYPES = ("?", "i1", "u1", "i4", ">i8", "i8", "u8", "f2", "f4", "f8", "c8", "O", "S3", "U2", "M8[s]")
SHAPES = ((), (0,), (N,), (1,), (N + 1,), (N, ACTIONS), (N - 1, ACTIONS), (N, 2), (2, 2, 2))


def scalar(chance: random.Random) -> Any:
    """One value, whole numbers among them."""
    return chance.choice((*ODD, *(chance.randint(-3, 250) for _ in ODD)))


def odd(chance: random.Random) -> Any:
    """One value that is no small number."""
    return chance.choice(ODD)


def array(chance: random.Random) -> Any:
    """An array of any dtype, shape and layout, full of nothing."""
    return laid_out(np.zeros(chance.choice(SHAPES), chance.choice(DTYPES)), chance)


def laid_out(values: Any, chance: random.Random) -> Any:
    """The same array in another layout, dtype or class."""
    plain = values.dtype.names is None
    match chance.randrange(10):
        case 1 if values.ndim:
            wide = np.zeros((2 * len(values), *values.shape[1:]), values.dtype)
            wide[::2] = values
            return wide[::2]
        case 2:
            return np.asfortranarray(values)
        case 3:
            values = values.copy()
            values.flags.writeable = False
        case 4 if plain and values.dtype.kind in "biu":
            return values.astype(chance.choice(("i1", "u1", "i8", "?")))
        case 5:
            return values[:-1] if values.ndim else values
        case 6 if plain and values.size < 50:
            return values.tolist()
        case 7 if plain and values.ndim == 1:
            return np.ma.masked_array(values)
    return values


def states(chance: random.Random) -> Any:
    """Games in any layout, or what is no array of games."""
    other: tuple[Draw, ...] = (
        scalar,
        array,
        lambda _: np.zeros(N, STATE),
        lambda _: STATES.copy().reshape(N, 1),
        lambda _: STATES.view(np.uint8),
        lambda _: STATES[0],
        lambda _: list(STATES),
    )
    if chance.random() < 0.35:
        return chance.choice(other)(chance)
    return laid_out(batch.clone(STATES), chance)


def masks(chance: random.Random) -> Any:
    """Masks of these games, or anything else."""
    return chance.choice((array, scalar, *[lambda c: laid_out(LEGAL.copy(), c)] * 4))(chance)


def wrong_masks(chance: random.Random) -> Any:
    """Masks that agents get: also those that mark illegal answers, which `batch.step` trusts."""
    return chance.choice((masks, masks, masks, lambda _: np.ones_like(LEGAL), lambda _: LEGAL[:, ::-1]))(
        chance
    )


def numbers(low: int, high: int) -> Draw:
    """One number for each game, or for all, or anything else."""

    def draw(chance: random.Random) -> Any:
        few = [chance.randint(low, high) for _ in range(N)]
        kinds: tuple[Draw, ...] = (
            lambda _: few,
            lambda _: few,
            lambda c: laid_out(np.array(few), c),
            lambda c: laid_out(np.array(few), c),
            scalar,
            array,
            lambda c: [scalar(c) for _ in range(c.randrange(4))],
        )
        return chance.choice(kinds)(chance)

    return draw


def streams(chance: random.Random) -> Any:
    """Random streams, or anything else."""
    kinds = (array, scalar, lambda c: laid_out(np.ones(N, np.uint64), c))
    return chance.choice(kinds)(chance)


def small(chance: random.Random) -> Any:
    """A number of things that fit in memory, or what is no number."""
    return chance.choice((chance.randint(-2, 6), odd(chance)))


def name(chance: random.Random) -> Any:
    """A word of a configuration, several, or anything else."""
    words = ("godzillas", "votes", "base-easy", "2016", "promise_cards", "")
    kinds = (scalar, lambda c: [scalar(c)], lambda c: c.choice(words), lambda c: tuple(c.choices(words, k=2)))
    return chance.choice(kinds)(chance)


def config(chance: random.Random) -> Any:
    """A configuration, or none."""
    return chance.choice((TWO, odd(chance)))


def form(chance: random.Random) -> Any:
    """A form of observations, or none."""
    return chance.choice((*Form, scalar(chance)))


def buffers(chance: random.Random) -> Any:
    """Buffers for observations in any form and layout, also of another form or for too few players."""
    if chance.random() < 0.3:
        return chance.choice((array, scalar))(chance)
    made = batch.new_observations(N, chance.choice(list(Form)), chance.randint(1, 4))
    vector, planes = (laid_out(part, chance) if chance.random() < 0.8 else array(chance) for part in made[1:])
    return Buffers(chance.choice((made.form, made.form, form(chance))), vector, planes)


def options(chance: random.Random) -> Any:
    """Options of a reset."""
    keys = ("text", "save", "names", "reset_mask", "x", "%d")
    return chance.choice((odd(chance), {chance.choice(keys): chance.choice((odd, array))(chance)}))


def agent_name(chance: random.Random) -> Any:
    """The name of an agent with options, most of them wrong."""
    keys = (
        "sims",
        "seconds",
        "candidates",
        "playout",
        "leaf_value",
        "c_ucb",
        "depth",
        "temperature",
        "style",
        "x",
    )
    values = ("1", "0", "-1", "nan", "inf", "1e999", "2.5", "", "é", "True", "none", "/", "9" * 30, "a\nb")
    options = ",".join(
        f"{chance.choice(keys)}{chance.choice('===:,')}{chance.choice(values)}"
        for _ in range(chance.randrange(4))
    )
    label = chance.choice(("search", "champion", "level", "mcts", "rollout", "policy", "greedy", ".", "a..b"))
    return chance.choice((scalar(chance), *[chance.choice((label, f"{label}:{options}"))] * 4))


def option(chance: random.Random) -> Any:
    """Options of an agent's class, one of them odd."""
    name = chance.choice([field.name for field in dataclasses.fields(Search)])
    return {"playout": "none", "sims": 2, "candidates": 2} | {name: chance.choice((scalar, array))(chance)}


def observing(chance: random.Random) -> Any:
    """Options of an environment, one of them odd."""
    names = ("observation", "reward", "illegal", "players", "render_mode", "modules", "observation_key")
    words = ("compact", "planes", "rank", "raise", "terminate", "ansi")
    return {chance.choice(names): chance.choice((scalar(chance), chance.choice(words)))}


def in_parallel(chance: random.Random) -> Any:
    """Actions of a parallel environment: a dict of them, or anything else."""
    seats = {f"seat_{chance.randrange(3)}": chance.choice((scalar, array))(chance) for _ in range(2)}
    return chance.choice((seats, scalar(chance), {**seats, "seat_0": 0, "seat_1": 0}))


def searched(options: dict[str, Any]) -> None:
    """Make a search, and let it answer if it can be made and is quick."""
    agent = Search(**options)
    if not agent.seconds and max(agent.threads, agent.trees) < 3:
        assert LEGAL[0, agent.act(STATES[:1], STATES["seat"][:1], LEGAL[:1], np.ones(1, np.uint64))[0]]


def parallel_step(actions: Any) -> None:
    """The first step of a parallel environment."""
    PARALLEL.reset(seed=1)
    PARALLEL.step(actions)


SEATS, ANSWERS, SEEDS = numbers(-1, 4), numbers(-2, ACTIONS + 1), numbers(-1, 2**63 - 1)
CALLS: dict[str, tuple[Callable[..., Any], list[Draw]]] = {
    "new": (batch.new, [small, config, SEEDS]),
    "new_masks": (batch.new_masks, [small]),
    "new_observations": (batch.new_observations, [small, form, small]),
    "masks": (batch.masks, [states, masks]),
    "step": (batch.step, [states, ANSWERS, masks]),
    "step and observe": (
        lambda answers, seen: batch.step(batch.clone(STATES), answers, LEGAL.copy(), seen),
        [ANSWERS, buffers],
    ),
    "answer": (batch.answer, [states, ANSWERS, masks]),
    "apply": (batch.apply, [states, ANSWERS]),
    "why_not": (batch.why_not, [states]),
    "pick": (batch.pick, [masks, streams]),
    "play_on": (batch.play_on, [states, SEATS, streams, masks]),
    "rollout": (batch.rollout, [states, SEEDS, small]),
    "fork": (batch.fork, [states, SEATS, SEEDS]),
    "clone": (batch.clone, [states]),
    "take": (batch.take, [states, numbers(-1, N)]),
    "put": (batch.put, [states, numbers(-1, N), states]),
    "join": (batch.join, [lambda c: c.choice((scalar(c), [states(c) for _ in range(c.randrange(3))]))]),
    "make": (make, [agent_name]),
    "Search": (searched, [option]),
    "line": (lambda game, action: FOUND.line(game, action), [small, scalar]),
    "observing": (lambda options: smallcity_v0.env(**{"players": 2} | options).reset(seed=1), [observing]),
    "parallel": (parallel_step, [in_parallel]),
    "value": (value, [states, SEATS]),
    "forecast": (lambda given: forecast(given, load()), [states]),
    "search": (SEARCH.search, [states, SEATS, wrong_masks, streams]),
    "scores": (batch.scores, [states]),
    "visible_scores": (batch.visible_scores, [states]),
    "observe": (batch.observe, [states, SEATS, buffers]),
    "validate": (batch.validate, [states]),
    "over": (batch.over, [states]),
    "set_up": (batch.set_up, [lambda c: c.choice((scalar(c), array(c), np.zeros(N, STATE)))]),
    "wake": (batch.wake, [array, array, array, array]),
    "Config": (Config, [small, name, name, name, name, name, name]),
    "Game": (Game, [config, scalar]),
    "Game.step": (lambda action: Game(TWO, 1).step(action), [lambda c: c.choice((scalar(c), array(c)))]),
    "Game.describe": (lambda action: Game(TWO, 1).describe(action), [scalar]),
    "Game.parse": (lambda text: Game(TWO, 1).parse(text), [scalar]),
    "Game.load": (Game.load, [scalar]),
    "Game.from_text": (Game.from_text, [scalar]),
    "Game.replay": (Game.replay, [scalar]),
    "svg": (lambda seat: render.svg(STATES[0], seat), [lambda c: c.choice((odd(c) or 9, c.randint(-2, 5)))]),
    "env.step": (lambda action: ENVIRONMENT.clone().step(action), [lambda c: c.choice((scalar, array))(c)]),
    "env.reset": (
        lambda seed, how: smallcity_v0.env(players=2).reset(seed=seed, options=how),
        [scalar, options],
    ),
    "gym.step": (SINGLE.step, [lambda c: c.choice((scalar, array))(c)]),
    "gym.reset": (lambda seed, how: SINGLE.reset(seed=seed, options=how), [scalar, options]),
    "vector.step": (VECTOR.step, [ANSWERS]),
    "vector.reset": (lambda seed, how: VECTOR.reset(seed=seed, options=how), [SEEDS, options]),
    **{agent: (make(agent).act, [states, SEATS, wrong_masks, streams]) for agent in AGENTS},
}


def attempt(chance: random.Random) -> bool:
    """Call something."""
    function, draws = CALLS[chance.choice(list(CALLS))]
    given = [draw(chance) for draw in draws]
    return refused(lambda: function(*given))
