"""The PettingZoo environment: PettingZoo's own tests, and ours for what those do not cover."""

import copy
import multiprocessing
import pickle
from typing import Any, get_type_hints

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from pettingzoo import make
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test

from smallcity_env import Config, ConfigError, Game, IllegalAction, render, smallcity_v0
from smallcity_env.arguments import ArgumentError
from smallcity_env.config import MODULES, ConfigArguments
from smallcity_env.envs.action_space import Actions
from smallcity_env.envs.rewards import REWARDS
from smallcity_env.envs.sb3 import SmallCitySB3
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import Ask, Phase
from tests.interpreter import run_python

WITH = [("promise_cards", "new_buildings") if module == "promise_cards" else (module,) for module in MODULES]
GAMES: list[dict[str, Any]] = [{"players": n} for n in (1, 2, 3, 4)]
GAMES += [{"players": 2, "modules": modules} for modules in WITH]
GAMES += [{"players": 2, "observation": observation} for observation in ("compact", "planes")]


def play(env: Any, seed: int = 3, steps: int = 10_000) -> dict[str, float]:
    """Random masked play to the end or for some steps; what `last()` paid every seat in all."""
    pick = np.random.default_rng(seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        over = terminated or truncated
        env.step(None if over else pick.choice(np.flatnonzero(observation["action_mask"])))
    return paid


def fresh(**kwargs: Any) -> Any:
    env = smallcity_v0.env(**kwargs)
    env.reset(seed=1)
    return env


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_pettingzoos_own_tests_pass(game: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(smallcity_v0.env(**game), num_cycles=100)
    seed_test(lambda: smallcity_v0.env(**game), num_cycles=50)
    render_test(lambda render_mode: smallcity_v0.env(render_mode=render_mode, **game))
    save_obs_test(smallcity_v0.env(**game))


@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_observations_that_are_kept_do_not_change(observation: str) -> None:
    env = fresh(players=2, observation=observation)
    kept: list[Any] = []
    for _ in range(40):
        kept.append(env.last()[0])
        env.step(int(kept[-1]["action_mask"].argmax()))
    again = fresh(players=2, observation=observation)
    for seen in kept:
        now = again.last()[0]
        assert np.array_equal(seen["action_mask"], now["action_mask"])
        for name in ("planes", "vector") if observation == "planes" else ():
            assert np.array_equal(seen["observation"][name], now["observation"][name])
        if observation != "planes":
            assert np.array_equal(seen["observation"], now["observation"])
            now["observation"][:] = -1  # what a user does to his copy is his own business
            assert np.array_equal(seen["observation"], again.last()[0]["observation"])
        again.step(int(now["action_mask"].argmax()))


@pytest.mark.parametrize("name", ["_states", "_legal"])
def test_a_snapshot_of_other_arrays_is_refused(name: str) -> None:
    env = fresh(players=2)
    with pytest.raises(ArgumentError, match="must be an array"):
        env.set_state(env.get_state() | {name: np.zeros((1, 3), np.float32)})


def test_the_action_space_samples_what_discrete_samples() -> None:
    ours, theirs = Actions(seed=5), Discrete(ACTIONS, seed=5)
    assert ours == theirs and pickle.loads(pickle.dumps(ours)) == theirs
    pick, nothing = np.random.default_rng(0), np.zeros(ACTIONS, np.int8)
    for share in (0.005, 0.1, 0.9) * 20:
        mask = (pick.random(ACTIONS) < share).astype(np.int8)
        drawn = ours.sample(mask)
        assert drawn == theirs.sample(mask) and type(drawn) is np.int64
    assert ours.sample(nothing) == theirs.sample(nothing) == 0
    assert ours.sample() == theirs.sample()
    one = nothing + np.eye(1, ACTIONS, 7, dtype=np.int8)[0]
    assert ours.sample(probability=one.astype(float)) == 7
    for wrong in (one * 2, one.astype(bool), one[:-1], one.tolist()):
        with pytest.raises(AssertionError):
            ours.sample(wrong)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_pettingzoos_own_tests_of_the_parallel_api_pass(players: int) -> None:
    parallel_api_test(smallcity_v0.parallel_env(players=players), num_cycles=1000)
    parallel_seed_test(lambda: smallcity_v0.parallel_env(players=players), num_cycles=50)


def test_it_is_in_pettingzoos_registries_once_the_package_is_imported() -> None:
    program = """import pettingzoo, smallcity_env
print(pettingzoo.make("aec", "smallcity_v0", players=2), pettingzoo.make("parallel", "smallcity_v0"))"""
    assert "smallcity_v0" in run_python("-c", program)
    assert isinstance(make("aec", "smallcity_v0", players=2), smallcity_v0.raw_env)


def test_the_parallel_game_is_the_turn_based_one() -> None:
    turns, together = fresh(players=3), smallcity_v0.parallel_env(players=3)
    together.reset(seed=1)
    for _ in range(200):
        asked, action = turns.agent_selection, int(turns.action_masks().argmax())
        turns.step(action)
        answers = {agent: action if agent == asked else 0 for agent in together.agents}
        seen, _, _, _, infos = together.step(answers)
        assert together.unwrapped._states.tobytes() == turns._states.tobytes()
        asking = [agent for agent in together.agents if seen[agent]["action_mask"].any()]
        assert asking == [agent for agent in infos if infos[agent]["action_mask"].any()]
        assert asking == [turns.agent_selection]


def test_an_environment_takes_a_config_or_its_arguments() -> None:
    config = Config(players=2, modules=("doctors",), victory="culture")
    assert smallcity_v0.env(config=config).config == config
    assert smallcity_v0.env(players=2, modules=("doctors",), victory="culture").config == config
    with pytest.raises(ConfigError, match="either config or players, not both"):
        smallcity_v0.env(config=config, players=2)
    with pytest.raises(TypeError, match="no argument 'colour': a game is configured by players, modules"):
        smallcity_v0.env(colour="red")  # type: ignore[call-arg]


def test_the_arguments_of_an_environment_are_those_of_config() -> None:
    hints = get_type_hints(Config)
    assert get_type_hints(ConfigArguments) == {name: hints[name] for name in Config.__dataclass_fields__}


def test_every_environment_observes_the_vector_unless_told_otherwise() -> None:
    shown = [smallcity_v0.env(players=2).observation_space("seat_0")["observation"]]
    shown += [smallcity_v0.parallel_env(players=2).observation_space("seat_0")["observation"]]
    shown += [gymnasium.make("SmallCity-v0", players=2).observation_space]
    shown += [gymnasium.make_vec("SmallCity-v0", num_envs=2, players=2).single_observation_space]
    shown += [SmallCitySB3(2, players=2).observation_space]
    assert all(
        space == SmallCityVec(players=2, observation="compact").single_observation_space for space in shown
    )


def test_planes_are_bounded_by_one() -> None:
    board = fresh(players=2, observation="planes").observation_space("seat_0")["observation"]["planes"]
    assert not board.low.any() and (board.high == 1).all()


def test_the_observation_can_have_another_name() -> None:
    env = fresh(players=2, observation_key="observations")
    assert set(env.last()[0]) == {"observations", "action_mask"}
    assert env.observation_space("seat_0").contains(env.last()[0])


def test_the_mask_is_in_the_observation_the_info_and_action_masks() -> None:
    env = fresh(players=3)
    observation, _, _, _, info = env.last()
    assert np.array_equal(observation["action_mask"], info["action_mask"])
    assert np.array_equal(observation["action_mask"], env.action_masks())
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(other)["action_mask"].any()


def test_words_come_on_request_only() -> None:
    env = smallcity_v0.env(players=2)
    env.reset(seed=1)
    assert set(env.last()[4]) == {"action_mask"}
    env.reset(seed=1, options={"names": True})
    info = env.last()[4]
    assert (info["phase"], info["ask"]) == ("setup", "where")
    assert "at A1" in info["legal_actions"]


# -- rewards


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ranks_sum_to_zero_and_follow_the_places(players: int) -> None:
    env = fresh(players=players)
    paid = play(env)
    assert sum(paid.values()) == pytest.approx(0)
    best = max(paid, key=lambda agent: paid[agent])
    ranking = Game._from_state(env._states).ranking()
    assert int(best[-1]) in ranking[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_dense_rewards_add_up_to_the_final_scores(players: int) -> None:
    env = fresh(players=players, reward="score", modules=("godzillas",))
    paid = play(env)
    scores = np.array(Game._from_state(env._states).scores())
    others = (scores.sum() - scores) / (players - 1)
    assert list(paid.values()) == pytest.approx(((scores - others) / 100).tolist(), abs=1e-5)


def test_margins_are_the_difference_to_the_best_other() -> None:
    env = fresh(players=2, reward="margin")
    paid = play(env)
    scores = Game._from_state(env._states).scores()
    assert paid["seat_0"] == pytest.approx((scores[0] - scores[1]) / 100)
    assert paid["seat_1"] == pytest.approx((scores[1] - scores[0]) / 100)


def dirty(players: int, reward: str) -> Any:
    """A game in which seat 1 is about to be eliminated."""
    game = Game(Config(players=players, modules=()), seed=2)
    pick = np.random.default_rng(1)
    while game.round < 2:
        game.step(int(pick.choice(game.legal())))
    game.state.borough[1].pollution = 99
    game.state.borough[1].busy_factories = 30
    env = smallcity_v0.env(players=players, reward=reward)
    env.reset(options={"text": game.to_text()})
    return env


@pytest.mark.parametrize("reward", REWARDS)
def test_an_eliminated_seat_terminates_with_its_reward(reward: str) -> None:
    env = dirty(3, reward)
    paid = play(env, steps=400)
    assert "seat_1" not in env.agents
    if reward != "score":
        assert paid["seat_1"] == -1


# -- copies


def through_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("copied", [copy.deepcopy, through_pickle, smallcity_v0.raw_env.clone])
def test_a_copy_in_mid_game_plays_on_alike(copied: Any) -> None:
    env = fresh(players=3, reward="score")
    play(env, steps=90)
    other = copied(env)
    assert play(env, seed=8) == play(other, seed=8)
    assert env._states.tobytes() == other._states.tobytes()


def test_a_state_can_be_gone_back_to() -> None:
    env = fresh(players=2)
    play(env, steps=40)
    state = env.get_state()
    first = play(env, seed=4)
    env.set_state(state)
    assert play(env, seed=4) == first


def _play_in_another_process(env: Any) -> dict[str, float]:
    return play(env, seed=6)


def test_it_can_be_sent_to_another_process() -> None:
    env = fresh(players=2)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        theirs = pool.apply(_play_in_another_process, (env,))
    assert theirs == play(env, seed=6)


# -- options and wrong input


def test_reset_takes_a_position_or_a_saved_game() -> None:
    game = Game(Config(players=2), seed=5)
    pick = np.random.default_rng(1)
    for _ in range(30):
        game.step(int(pick.choice(game.legal())))
    env = smallcity_v0.env(players=2)
    for options in ({"text": game.to_text()}, {"save": game.save()}):
        env.reset(options=options)
        assert env._states.tobytes() == game.states.tobytes()
    with pytest.raises(ConfigError, match="this position has 2 players, the environment 4"):
        smallcity_v0.env().reset(options={"text": game.to_text()})


@pytest.mark.parametrize("first", [0, np.int64(0), np.uint8(0)], ids=lambda first: type(first).__name__)
def test_the_first_id_is_an_action_too(first: Any) -> None:
    env = fresh(players=2, illegal="raise")
    assert env.last()[0]["action_mask"][0]
    asked = env.agent_selection
    env.step(first)
    assert env.agent_selection != asked and not any(env.terminations.values())


@pytest.mark.parametrize("action", [-1, 5000, 198])
def test_a_wrong_action_is_refused_and_the_game_goes_on(action: int) -> None:
    env = fresh(players=2, illegal="raise")
    before = env._states.tobytes()
    with pytest.raises(IllegalAction, match="does not answer 'where'"):
        env.step(action)
    assert env._states.tobytes() == before
    play(env)
    with pytest.raises(IllegalAction, match="call reset"):
        env.step(0)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("action", [-1, 5000, 198])
def test_an_illegal_action_loses_and_ends_the_game(reward: str, action: int) -> None:
    env = fresh(players=3, reward=reward)
    for _ in range(40):
        env.step(int(env.action_masks().argmax()))
    offender, before = env.agent_selection, env._states.tobytes()
    env.step(198 if action == 198 and not env.action_masks()[198] else -1)
    assert env._states.tobytes() == before and all(env.terminations.values())
    assert env.infos[offender]["illegal_action"] and not any(env.truncations.values())
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    paid = play(env)
    assert paid[offender] == -1 and not env.agents
    with pytest.raises(IllegalAction, match="call reset"):
        env.step(0)
    env.reset(seed=2)
    assert not any(env.terminations.values()) and play(env)


@pytest.mark.parametrize(
    "wrong",
    [
        {"reward": "gold"},
        {"illegal": "forgive"},
        {"render_mode": "3d"},
        {"players": 7},
        {"boards": "atlantis"},
    ],
)
def test_wrong_arguments_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=str(next(iter(wrong.values())))):
        smallcity_v0.env(**wrong)


def test_an_unknown_agent_is_named() -> None:
    with pytest.raises(ValueError, match="there is no agent 'seat_9'"):
        fresh(players=2).observe("seat_9")


# -- the viewer


def test_an_illegal_action_does_not_show_a_seat_what_another_sees() -> None:
    env = smallcity_v0.env(players=3, illegal="raise")
    env.reset(seed=4)
    for _ in range(30):
        env.step(int(env.action_masks().argmax()))
    asked = env.agent_selection
    other = next(agent for agent in env.agents if agent != asked)
    own = env.observe(asked)["observation"]
    assert not np.array_equal(own, env.observe(other)["observation"])
    with pytest.raises(IllegalAction):
        env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert np.array_equal(env.observe(asked)["observation"], own)


def test_text_for_a_seat_does_not_say_what_another_is_building() -> None:
    env = smallcity_v0.env(players=2, render_mode="ansi")
    env.reset(seed=1)
    while not (env._states["phase"][0] == Phase.BUILD and env._states["ask"][0] != Ask.WHAT):
        env.step(int(env.action_masks().argmax()))
    asked = int(env._states["seat"][0])
    question = Ask(env._states["ask"][0]).name.lower()
    assert f"is asked {question}" in render.text(env._states[0], asked).splitlines()[0]
    assert "builds behind a screen" in render.text(env._states[0], 1 - asked).splitlines()[0]


@pytest.mark.parametrize("action", [3.5, "at C3", [1]])
def test_what_is_no_number_is_no_action(action: Any) -> None:
    env = smallcity_v0.env(players=2)
    env.reset(seed=1)
    before = env._states.tobytes()
    with pytest.raises(IllegalAction, match="a whole number from 0 to 198, not"):
        env.step(action)
    assert env._states.tobytes() == before


@pytest.mark.parametrize("ask", ["observation_space", "action_space", "observe"])
def test_an_unknown_agent_gets_a_sentence(ask: str) -> None:
    env = smallcity_v0.env(players=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="no agent 'seat_9': there are seat_0, seat_1"):
        getattr(env, ask)("seat_9")
