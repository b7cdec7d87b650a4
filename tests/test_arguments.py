"""What callers pass in: converted without recompiling anything, or refused in one sentence."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

from smallcity_agents import AgentError, greedy, make
from smallcity_agents.search.agent import Search
from smallcity_agents.value_net.model import forecast, load
from smallcity_env import BadLog, Config, Game, IllegalAction, batch, smallcity_v0
from smallcity_env.arguments import ArgumentError
from smallcity_env.envs.gymnasium import SmallCity
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.layout import Buffers, Form

N = 4
TWO = Config(players=2)
NO_WHOLE_NUMBERS = [
    2.5, None, True, float("nan"), 1.9, 10**30, "3", [3], [1, [2]], 1j, np.bool_(True), np.float64(3)
]  # fmt: skip


def begun() -> tuple[batch.States, batch.Mask]:
    legal = batch.new_masks(N)
    return batch.new(N, TWO, range(N), legal), legal


def spread(array: Any) -> Any:
    """The same values as every second row of a larger array: a strided view."""
    wide = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    wide[::2] = array
    return wide[::2]


def read_only(array: Any) -> Any:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


# -- made right

STATES = {"as they are": lambda s: s, "a strided view": spread, "a recarray": lambda s: s.view(np.recarray),
          "reversed": lambda s: s[::-1].copy()[::-1]}  # fmt: skip
MASKS: dict[str, Callable[[Any], Any]] = {
    "bool": lambda m: m, "int8": lambda m: m.astype(np.int8), "int64": lambda m: m.astype(np.int64),
    "Fortran order": np.asfortranarray, "strided": spread,
}  # fmt: skip
ANSWERS: dict[str, Callable[[Any], Any]] = {
    "int64": lambda a: a, "uint64": lambda a: a.astype(np.uint64), "uint8": lambda a: a.astype(np.uint8),
    "a list": list, "strided": spread, "read-only": read_only, "big-endian": lambda a: a.astype(">i4"),
    "objects": lambda a: a.astype(object),
}  # fmt: skip


@pytest.mark.parametrize("answers", ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("masks", MASKS.values(), ids=MASKS)
@pytest.mark.parametrize("games", STATES.values(), ids=STATES)
def test_a_step_writes_to_the_callers_own_arrays(games, masks, answers):
    states, legal = begun()
    own, mask = games(states.copy()), masks(legal.copy())
    for _ in range(5):
        chosen = legal.argmax(axis=1)
        forced = batch.step(own, answers(chosen), mask)
        assert (forced == batch.step(states, chosen, legal)).all()
        assert own.tobytes() == states.tobytes() and (np.asarray(mask) == legal).all()


@pytest.mark.parametrize("games", [*STATES.values(), read_only], ids=[*STATES, "read-only"])
def test_what_is_only_read_may_be_read_only(games):
    states, legal = begun()
    own = games(states.copy())
    assert (batch.masks(own) == legal).all()
    assert (batch.observe(own, 0) == batch.observe(states, 0)).all()
    assert (batch.scores(own)[0] == batch.scores(states)[0]).all()
    assert batch.fork(own, 0, range(N)).tobytes() == batch.fork(states, 0, range(N)).tobytes()
    assert batch.take(own, [2, 1]).tobytes() == batch.take(states, [2, 1]).tobytes()
    assert not batch.over(own).any()


def test_views_are_rolled_out_in_place():
    states, _ = begun()
    own = spread(states)
    for threads in (1, 2):
        other = spread(states)
        batch.rollout(other, range(N), threads)
        batch.rollout(own := states.copy(), range(N))
        assert other.tobytes() == own.tobytes() and batch.over(other).all()


def test_streams_are_written_to_the_callers_own_array():
    _, legal = begun()
    table, streams = np.ones((N, 3), np.uint64), np.ones(N, np.uint64)
    assert (batch.pick(legal.astype(np.int8), table[:, 1]) == batch.pick(legal, streams)).all()
    assert (table[:, 1] == streams).all() and (streams != 1).all() and (table[:, 0] == 1).all()
    assert (table[:, 2] == 1).all()


@pytest.mark.parametrize("form", Form)
def test_observations_are_written_to_the_callers_own_buffers(form):
    states, legal = begun()
    own, fitting = (batch.new_observations(N, form, players=2) for _ in range(2))
    wide = Buffers(
        form, spread(own.vector).astype(np.float64), np.asfortranarray(own.planes.astype(np.int64))
    )
    batch.observe(states, 1, fitting)
    assert (batch.observe(states, 1, wide) == fitting.vector).all() and (wide.planes == fitting.planes).all()
    assert fitting.vector.any() and fitting.planes.any() == (form is Form.PLANES)
    batch.step(states.copy(), legal.argmax(axis=1), legal.copy(), wide)
    batch.step(states, legal.argmax(axis=1), legal, fitting)
    assert (wide.vector == fitting.vector).all() and (wide.planes == fitting.planes).all()


@pytest.mark.parametrize("form", Form)
def test_buffers_for_more_players_will_do_and_those_for_fewer_will_not(form):
    states, _ = begun()
    few, many = (batch.new_observations(N, form, players) for players in (2, 4))
    numbers = few.vector.shape[1]
    assert (batch.observe(states, 1, many)[:, :numbers] == batch.observe(states, 1, few)).all()
    assert (many.planes[:, : few.planes.shape[1]] == few.planes).all()
    assert not many.vector[:, numbers:].any() and not many.planes[:, few.planes.shape[1] :].any()
    four = batch.new(N, Config(), range(N))
    if form is Form.COMPACT:
        assert batch.observe(four, 1, few).any()
    else:
        with pytest.raises(ArgumentError, match=f"observations must be an array \\({N}, "):
            batch.observe(four, 1, few)


def test_put_reaches_the_callers_view():
    states, legal = begun()
    own, before = spread(states), states[3:].tobytes()
    batch.step(states, legal.argmax(axis=1), legal)
    batch.put(own, [0], states[2:3])
    assert own[:1].tobytes() == states[2:3].tobytes() and own[3:].tobytes() == before


@pytest.mark.parametrize("name", ["random", "first", "greedy", "level:1", "policy:temperature=1"])
def test_agents_take_views_and_write_streams_back(name):
    states, legal = begun()
    seats, streams, table = states["seat"], np.ones(N, np.uint64), np.ones((N, 2), np.uint64)
    agent = make(name)
    plain = agent.act(states, seats.astype(np.int64), legal, streams)
    viewed = agent.act(spread(states), seats, np.asfortranarray(legal.astype(np.int8)), table[:, 0])
    assert (plain == viewed).all() and (table[:, 0] == streams).all()


# -- refused, and nothing is changed


def refusals() -> dict[str, Callable[[Any, Any], Any]]:
    """Calls with arguments that cannot be converted, for a batch of N games and their masks."""
    some, streams = [0] * N, np.ones(N, np.uint64)
    return {
        "read-only states": lambda s, m: batch.step(read_only(s), m.argmax(axis=1), m),
        "read-only masks": lambda s, m: batch.step(s, m.argmax(axis=1), read_only(m)),
        "too few masks": lambda s, m: batch.step(s, m.argmax(axis=1), m[:1]),
        "too many masks": lambda s, m: batch.masks(s[:2], m),
        "narrow masks": lambda s, m: batch.masks(s, np.zeros((N, ACTIONS - 1), np.bool_)),
        "masks of numbers": lambda s, m: batch.step(s, m.argmax(axis=1), m.astype(np.float32)),
        "a list of masks": lambda s, m: batch.step(s, m.argmax(axis=1), m.tolist()),
        "too few actions": lambda s, m: batch.answer(s, some[1:], m),
        "no states": lambda s, m: batch.masks(None),
        "states of numbers": lambda s, m: batch.masks(np.zeros(N)),
        "one record": lambda s, m: batch.masks(s[0]),
        "states in two rows": lambda s, m: batch.masks(s.reshape(2, -1)),
        "blank states": lambda s, m: batch.rollout(np.zeros_like(s), range(N)),
        "blank states set up": lambda s, m: batch.set_up(np.zeros_like(s)),
        "seat 2 of two": lambda s, m: batch.observe(s, 2),
        "a negative seat": lambda s, m: batch.fork(s, [0, 0, 0, -1], range(N)),
        "half a seat": lambda s, m: batch.observe(s, 0.5),
        "too few seats": lambda s, m: batch.observe(s, [0, 1]),
        "observations of no form": lambda s, m: batch.new_observations(N, "planes"),
        "observations of nobody": lambda s, m: batch.new_observations(N, Form.PLANES, 0),
        "too few streams": lambda s, m: batch.play_on(s, 0, streams[1:], m),
        "one stream": lambda s, m: batch.pick(m, 1),
        "no streams": lambda s, m: batch.play_on(s, 0, None, m),
        "signed streams": lambda s, m: batch.pick(m, streams.astype(np.int64)),
        "seats of others": lambda s, m: batch.play_on(s, -1, streams, m),
        "threads": lambda s, m: batch.rollout(s, range(N), threads=-1),
        "rows of bools": lambda s, m: batch.take(s, [True] * N),
        "a row too far": lambda s, m: batch.put(s, [N], s[:1]),
        "a negative row": lambda s, m: batch.take(s, [-1]),
        "more rows than games": lambda s, m: batch.put(s, [0, 1], s[:1]),
        "dice of another shape": lambda s, m: batch.wake([[1, 2]], [[1, 2]], [[1]], [[True, True]]),
        "more games than there is room for": lambda s, m: batch.new_masks(2**62),
        "minus one game": lambda s, m: batch.new(-1, TWO, []),
        "a config that is none": lambda s, m: batch.new(1, None, [1]),
        "an agent's seat": lambda s, m: make("greedy").act(s, [9] * N, m, streams),
        "an agent's masks": lambda s, m: make("first").act(s, 0, m[1:], streams),
    }  # fmt: skip


@pytest.mark.parametrize("call", refusals().values(), ids=refusals())
def test_what_cannot_be_made_right_is_refused_in_one_sentence(call):
    states, legal = begun()
    before = states.tobytes(), legal.tobytes()
    with pytest.raises(ArgumentError) as refused:
        call(states, legal)
    assert "\n" not in str(refused.value)
    assert (states.tobytes(), legal.tobytes()) == before


def unfit_buffers() -> dict[str, Any]:
    """What observations of N games of two cannot be written to."""
    seen, board = (batch.new_observations(N, form, 2) for form in Form)
    return {
        "few rows": batch.new_observations(N - 1),
        "many rows": batch.new_observations(N + 1),
        "narrow": seen._replace(vector=seen.vector[:, 1:]),
        "read-only": seen._replace(vector=read_only(seen.vector)),
        "whole numbers": seen._replace(vector=seen.vector.astype(int)),
        "an array": seen.vector,
        "no form": seen._replace(form=3),
        "another form": board._replace(form=0),
        "planes for one": batch.new_observations(N, Form.PLANES, 1),
        "narrow planes": board._replace(planes=board.planes[:, 1:]),
        "few planes": board._replace(planes=board.planes[1:]),
        "read-only planes": board._replace(planes=read_only(board.planes)),
        "planes of fractions": board._replace(planes=board.planes * 0.5),
    }


@pytest.mark.parametrize("unfit", unfit_buffers().values(), ids=unfit_buffers())
def test_observations_are_not_written_to_unfit_buffers(unfit):
    states, legal = begun()
    before = states.tobytes(), legal.tobytes()
    with pytest.raises(ArgumentError, match="observations"):
        batch.observe(states, 0, unfit)
    with pytest.raises(ArgumentError, match="observations"):
        batch.step(states, legal.argmax(axis=1), legal, unfit)
    assert (states.tobytes(), legal.tobytes()) == before


# -- numbers, the same everywhere


def faces(illegal: str = "raise") -> dict[str, Callable[[Any], Any]]:
    """Every way to answer in one game."""
    states, legal = begun()
    env = smallcity_v0.env(players=2, illegal=illegal)
    env.reset(seed=1)
    gym = gymnasium.make("smallcity_env:SmallCity-v0", disable_env_checker=True, illegal=illegal).unwrapped
    gym.reset(seed=1)
    vector = SmallCityVec(1, illegal=illegal)
    vector.reset(seed=1)
    return {
        "Game": Game(TWO).step,
        "batch": lambda action: batch.step(states[:1], [action], legal[:1]),
        "env": env.step,
        "gym": gym.step,
        "vector": lambda action: vector.step([action]),
    }


FACES = list(faces())


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    "action", [*(n for n in NO_WHOLE_NUMBERS if n != "3"), -5, 199, 2**63, -(2**70)], ids=repr
)
def test_no_face_takes_what_is_no_action(face, action):
    with pytest.raises(IllegalAction):
        faces()[face](action)


@pytest.mark.parametrize("face", ["env", "gym", "vector"])
def test_to_the_environments_a_wrong_id_is_illegal_and_what_is_no_id_raises(face):
    for action in (n for n in NO_WHOLE_NUMBERS if n != "3"):
        with pytest.raises(IllegalAction):
            faces("terminate")[face](action)
    for action in (-5, -(2**63) + 1, ACTIONS, 2**63 - 1):
        faces("terminate")[face](action)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int64, np.uint64, np.array])
def test_every_face_takes_every_kind_of_whole_number(face, kind):
    faces()[face](kind(12))


@pytest.mark.parametrize("seed", [*NO_WHOLE_NUMBERS, -1, 2**64], ids=repr)
def test_no_face_takes_what_is_no_seed(seed):
    for begin in (
        lambda: Game(TWO, seed=seed),
        lambda: batch.new(1, TWO, [seed]),
        lambda: smallcity_v0.env().reset(seed=seed),
        lambda: gymnasium.make("smallcity_env:SmallCity-v0").unwrapped.reset(seed=seed),
        lambda: SmallCityVec(1).reset(seed=[seed]),
    ):
        if seed is None and begin.__code__.co_names[0] != "Game":
            continue  # None is a seed of one's own to the environments
        with pytest.raises(ArgumentError):
            begin()


@pytest.mark.parametrize("seed", [0, np.uint64(2**64 - 1), np.int8(3)])
def test_every_face_takes_every_kind_of_seed(seed):
    assert Game(TWO, seed).states.tobytes() == Game(TWO, int(seed)).states.tobytes()
    assert batch.new(2, TWO, [seed, 1])[:1].tobytes() == batch.new(1, TWO, seed).tobytes()
    smallcity_v0.env().reset(seed=seed)
    SmallCityVec(2).reset(seed=seed)


@pytest.mark.parametrize(
    "given",
    [
        {"players": True}, {"players": 2.0}, {"modules": 5}, {"modules": [5]}, {"boards": None},
        {"victory": []}, {"advanced": "no"}, {"stockholm": 1}, {"godzilla_rules": 2016}, {"boards": [[]]},
    ],
    ids=repr,
)  # fmt: skip
def test_configs_of_the_wrong_types_are_refused(given):
    with pytest.raises(ArgumentError):
        Config(**given)


def test_numbers_that_are_missing_are_refused() -> None:
    states = batch.new(N, Config(players=2), range(N))
    legal = batch.masks(states)
    given = np.ma.masked_array(legal.argmax(axis=1))
    batch.step(batch.clone(states), given, legal.copy())
    given[1] = np.ma.masked
    with pytest.raises(IllegalAction, match="whole numbers as actions"):
        batch.step(states, given, legal)


def test_only_batches_are_joined() -> None:
    states = batch.new(N, Config(players=2), range(N))
    assert len(batch.join([states, states[:1]])) == N + 1 and len(batch.join([])) == 0
    for wrong in (None, 5, np.array(5), [states, None]):
        with pytest.raises(ArgumentError):
            batch.join(wrong)


def test_what_agents_say_of_a_position_is_said_of_a_player() -> None:
    states = batch.new(N, Config(players=2), range(N))
    assert greedy.value(states[::2], 1).shape == (len(states[::2]), 4)
    for viewers in (2, -1, [0, 1], None, 0.5):
        with pytest.raises(ArgumentError):
            greedy.value(states, viewers)
    for wrong in (np.zeros_like(states), states.view(np.uint8)):
        with pytest.raises(ArgumentError):
            forecast(wrong, load())
    agent, streams = Search(sims=2, candidates=2), np.ones(N, np.uint64)
    with pytest.raises(ArgumentError, match="there is no seat 3 in game 0"):
        agent.search(states, 3, batch.masks(states), streams)
    with pytest.raises(AgentError, match="games in which there is a legal answer"):
        agent.search(states, 0, batch.new_masks(N), streams)


def test_the_parallel_environment_needs_the_action_of_the_seat_being_asked() -> None:
    env = smallcity_v0.parallel_env(players=2)
    env.reset(seed=1)
    for actions in (None, 5, [1, 2], {}, {"seat_9": 1}):
        with pytest.raises(ArgumentError, match="actions must be a dict with that of 'seat_"):
            env.step(actions)
    assert len(env.agents) == 2


@pytest.mark.parametrize("key", ["action_mask", True, 3, [], b"x"])
def test_an_observation_has_a_name_of_its_own(key: Any) -> None:
    for face in (smallcity_v0.env, smallcity_v0.parallel_env, SmallCity, partial(SmallCityVec, 2)):
        with pytest.raises(ArgumentError, match="observation_key is the name of the observation, not "):
            face(observation_key=key)


def test_only_several_answers_are_replayed() -> None:
    game = Game(TWO, 1)
    assert len(Game.replay(game.log, answers=[]).log) == len(game.log)
    with pytest.raises(BadLog, match="answers must be several entries of a log, not 5"):
        Game.replay(game.log, answers=5)
