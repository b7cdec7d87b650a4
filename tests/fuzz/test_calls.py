"""Arguments of the public functions: made right, or refused in one sentence; no other error, no crash."""

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from smallcity_agents import make
from smallcity_env import Config, Game, batch, render, smallcity_v0
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.layout import Buffers, Form
from smallcity_env.rules.schema import STATE
from tests.fuzz import tries

N = 3
TWO = Config(players=2)
LEGAL = batch.new_masks(N)
STATES = batch.new(N, TWO, range(N), LEGAL)
AGENTS = ("random", "first", "greedy", "policy")
ENVIRONMENT = smallcity_v0.env(players=2)
ENVIRONMENT.reset(seed=1)
VECTOR = SmallCityVec(N)
VECTOR.reset(seed=1)

SCALARS = st.one_of(
    st.integers(-3, 250),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.booleans(),
    st.none(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.complex_numbers(),
    st.sampled_from([np.int8(3), np.uint64(2**64 - 1), np.float32(1), np.bool_(True), np.array(5)]),
)  # fmt: skip
DTYPES = st.sampled_from(
    ["?", "i1", "u1", "i4", ">i8", "i8", "u8", "f2", "f4", "f8", "c8", "O", "S3", "U2", "M8[s]"]
)


@st.composite
def arrays(draw: st.DrawFn) -> Any:
    """Arrays of any dtype, shape and layout, small numbers in them; masks of them are all 0."""
    shape = draw(
        st.sampled_from([(), (0,), (N,), (1,), (N + 1,), (N, ACTIONS), (N - 1, ACTIONS), (N, 2), (2, 2, 2)])
    )
    array = np.zeros(shape, draw(DTYPES))
    return draw(layouts(array))


@st.composite
def layouts(draw: st.DrawFn, array: Any) -> Any:
    """The same array in another layout, dtype or class."""
    match draw(st.integers(0, 6)):
        case 1 if array.ndim:
            wide = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
            wide[::2] = array
            return wide[::2]
        case 2:
            return np.asfortranarray(array)
        case 3:
            array = array.copy()
            array.flags.writeable = False
        case 4 if array.dtype.names is None and array.dtype.kind in "biu":
            return array.astype(draw(st.sampled_from(["i1", "u1", "i8", "?"])))
        case 5:
            return array[:-1] if array.ndim else array
        case 6 if array.dtype.names is None and array.size < 50:
            return array.tolist()
    return array


@st.composite
def states(draw: st.DrawFn) -> Any:
    """Games in any layout, or what is no array of games."""
    match draw(st.integers(0, 7)):
        case 0:
            return draw(st.one_of(SCALARS, arrays()))
        case 1:
            return np.zeros(N, STATE)
        case 2:
            return STATES.copy().reshape(N, 1)
        case 3:
            return STATES.view(np.uint8)
        case 4:
            return STATES[0]
        case 5:
            return list(STATES)
    return draw(layouts(batch.clone(STATES)))


def masks() -> Any:
    return st.one_of(layouts(LEGAL.copy()), arrays(), SCALARS)


def numbers(low: int, high: int) -> Any:
    """One number for each game, or for all, or anything else."""
    few = st.lists(st.integers(low, high), min_size=N, max_size=N)
    return st.one_of(
        few, few.map(np.array).flatmap(layouts), SCALARS, arrays(), st.lists(SCALARS, max_size=4)
    )


SEATS, ACTIONS_GIVEN, SEEDS = numbers(-1, 4), numbers(-2, ACTIONS + 1), numbers(-1, 2**63 - 1)
STREAMS = st.one_of(layouts(np.ones(N, np.uint64)), arrays(), SCALARS)
SMALL = st.one_of(st.integers(-2, 6), SCALARS.filter(lambda n: not isinstance(n, int) or not 6 < n < 2**62))
NAMES = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=2), st.sampled_from(["godzillas", "votes", "base-easy", "2016"])
)

CONFIGS = st.one_of(st.just(TWO), SCALARS)
FORMS = st.one_of(st.sampled_from(Form), SCALARS)


@st.composite
def buffers(draw: st.DrawFn) -> Any:
    """Buffers for observations in any form and layout, also of another form or for too few players."""
    made = batch.new_observations(N, draw(st.sampled_from(Form)), draw(st.integers(1, 4)))
    parts = st.one_of(layouts(made.vector), arrays()), st.one_of(layouts(made.planes), arrays())
    form = draw(st.one_of(st.just(made.form), FORMS))
    return Buffers(form, *(draw(part) for part in parts))


SEEN = st.one_of(st.none(), buffers(), arrays(), SCALARS)


def _step_and_observe(answers: Any, seen: Any) -> None:
    batch.step(batch.clone(STATES), answers, LEGAL.copy(), *(() if seen is None else (seen,)))


CALLS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "new": (batch.new, [SMALL, CONFIGS, SEEDS]),
    "new_masks": (batch.new_masks, [SMALL]),
    "new_observations": (batch.new_observations, [SMALL, FORMS, SMALL]),
    "masks": (batch.masks, [states(), st.one_of(st.none(), masks())]),
    "step": (batch.step, [states(), ACTIONS_GIVEN, masks()]),
    "step and observe": (_step_and_observe, [ACTIONS_GIVEN, SEEN]),
    "answer": (batch.answer, [states(), ACTIONS_GIVEN, masks()]),
    "pick": (batch.pick, [masks(), STREAMS]),
    "play_on": (batch.play_on, [states(), SEATS, STREAMS, masks()]),
    "rollout": (batch.rollout, [states(), SEEDS, SMALL]),
    "fork": (batch.fork, [states(), SEATS, SEEDS]),
    "clone": (batch.clone, [states()]),
    "take": (batch.take, [states(), numbers(-1, N)]),
    "put": (batch.put, [states(), numbers(-1, N), states()]),
    "scores": (batch.scores, [states()]),
    "visible_scores": (batch.visible_scores, [states()]),
    "observe": (batch.observe, [states(), SEATS, SEEN]),
    "validate": (batch.validate, [states()]),
    "over": (batch.over, [states()]),
    "set_up": (batch.set_up, [st.one_of(SCALARS, arrays(), st.just(np.zeros(N, STATE)))]),
    "wake": (batch.wake, [arrays(), arrays(), arrays(), arrays()]),
    "Config": (Config, [SMALL, NAMES, NAMES, NAMES, NAMES, NAMES, NAMES]),
    "Game": (Game, [CONFIGS, SCALARS]),
    "Game.step": (lambda action: Game(TWO, 1).step(action), [st.one_of(SCALARS, arrays())]),
    "Game.describe": (lambda action: Game(TWO, 1).describe(action), [SCALARS]),
    "Game.parse": (lambda text: Game(TWO, 1).parse(text), [SCALARS]),
    "Game.load": (Game.load, [SCALARS]),
    "Game.from_text": (Game.from_text, [SCALARS]),
    "Game.replay": (Game.replay, [SCALARS]),
    "svg": (lambda seat: render.svg(STATES[0], seat), [SCALARS.filter(lambda seat: seat is not None)]),
    "env.step": (lambda action: ENVIRONMENT.clone().step(action), [st.one_of(SCALARS, arrays())]),
    "env.reset": (lambda seed: smallcity_v0.env(players=2).reset(seed=seed), [SCALARS]),
    "vector.step": (VECTOR.step, [ACTIONS_GIVEN]),
    "vector.reset": (lambda seed: SmallCityVec(N).reset(seed=seed), [SEEDS]),
    **{name: (make(name).act, [states(), SEATS, masks(), STREAMS]) for name in AGENTS},
}  # fmt: skip


@given(data=st.data(), name=st.sampled_from(list(CALLS)))
def test_every_call_is_made_right_or_refused(data, name):
    tries.COUNT["calls"] += 1
    function, strategies = CALLS[name]
    given_ = [data.draw(strategy) for strategy in strategies]
    tries.refused(lambda: function(*given_))
