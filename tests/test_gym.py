"""One learning seat: Gymnasium's and stable-baselines3's own checkers, and what they do not check."""

import copy
import importlib
import pickle
import sys
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
import torch
from gymnasium.utils.env_checker import check_env, data_equivalence
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env as check_for_sb3
from stable_baselines3.common.monitor import Monitor

from smallcity_env import MODULES, ConfigError, IllegalAction
from smallcity_env.envs.gymnasium import SmallCity
from smallcity_env.envs.sb3 import SmallCitySB3
from smallcity_env.refusal import Refused, install

ID = "SmallCity-v0"


def play(env: gymnasium.Env[Any, Any], seed: int) -> tuple[int, float]:
    """A game of first legal answers: how many, and the return."""
    env.reset(seed=seed)
    over, steps, total = False, 0, 0.0
    while not over:
        _, reward, over, _, _ = env.step(env.unwrapped.action_masks().argmax())  # type: ignore[attr-defined]
        steps, total = steps + 1, total + float(reward)
    return steps, total


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_gymnasiums_and_sb3s_checkers(players: int) -> None:
    check_env(gymnasium.make(ID, players=players, opponents="random").unwrapped, skip_render_check=True)
    check_for_sb3(SmallCity(players=players))


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_checkers_with_every_form_of_observations(observation: Any) -> None:
    check_env(SmallCity(players=2, observation=observation), skip_render_check=True)
    check_for_sb3(SmallCity(players=2, observation=observation))


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
@pytest.mark.parametrize("key", ["observation", "observations"])
def test_checkers_with_observation_and_mask_in_one_dict(key: str) -> None:
    env = SmallCity(players=3, observation_key=key)
    check_env(env, skip_render_check=True)
    check_for_sb3(env)
    seen, info = env.reset(seed=1)
    assert set(seen) == {key, "action_mask"} and np.array_equal(seen["action_mask"], info["action_mask"])
    assert np.array_equal(seen[key], SmallCity(players=3).reset(seed=1)[0])


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_gymnasium_checks_rendering_too() -> None:
    check_env(gymnasium.make(ID, render_mode="rgb_array").unwrapped)


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
@pytest.mark.parametrize("module", [*MODULES, "every"])
def test_checkers_with_every_module(module: str) -> None:
    needs = {"promise_cards": ("promise_cards", "new_buildings"), "every": MODULES}
    check_env(SmallCity(players=3, modules=needs.get(module, (module,))), skip_render_check=True)


def test_a_game_made_by_name() -> None:
    env = gymnasium.make(ID, players=2, opponents="random")
    steps, total = play(env, 3)
    assert steps > 20 and total in (-1, 0, 1)
    assert play(env, 3) == (steps, total)
    assert play(env, 4) != (steps, total)


def test_masks_are_in_the_info_too() -> None:
    env = gymnasium.make(ID)
    _, info = env.reset(seed=1)
    assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())  # type: ignore[attr-defined]
    assert info["seat"] == 0
    for _ in range(20):
        action = env.action_space.sample(info["action_mask"])
        assert info["action_mask"][action]
        *_, info = env.step(action)


def test_an_illegal_action_ends_the_episode() -> None:
    env = SmallCity()
    for action in (int(np.flatnonzero(~_first_masks(env))[0]), -1, 10**9):
        before, _ = env.reset(seed=1)
        seen, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated, info["illegal_action"]) == (-1, True, False, True)
        assert np.array_equal(seen, before)  # the game has not gone on
        with pytest.raises(IllegalAction, match="call reset before step"):
            env.step(0)


def _first_masks(env: SmallCity) -> npt.NDArray[np.bool_]:
    env.reset(seed=1)
    return env.action_masks()


def test_wrong_input_leaves_the_environment_usable() -> None:
    env = SmallCity(illegal="raise")
    with pytest.raises(IllegalAction, match="call reset before step"):
        env.step(0)
    env.reset(seed=1)
    wrong = int(np.flatnonzero(~env.action_masks())[0])
    for action in (wrong, -1, 10**9):
        with pytest.raises(IllegalAction, match="allowed are"):
            env.step(action)
    over = False
    while not over:
        _, _, over, _, _ = env.step(env.action_masks().argmax())
    with pytest.raises(IllegalAction, match="call reset before step"):
        env.step(0)
    with pytest.raises(ConfigError, match="unknown reset option 'text': only 'reset_mask' is known"):
        env.reset(options={"text": ""})
    assert env.reset()[0].shape == env.observation_space.shape


def test_render_and_unknown_modes(capsys: pytest.CaptureFixture[str]) -> None:
    env = SmallCity(render_mode="ansi")
    env.reset(seed=1)
    assert "round" in str(env.render()).lower()
    with pytest.raises(ConfigError, match="no render mode 'film'"):
        SmallCity(render_mode="film")


@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_copies_go_on_alike(observation: Any) -> None:
    env = SmallCity(players=3, observation=observation, observation_key="observations")
    env.reset(seed=2)
    for _ in range(10):
        env.step(env.action_masks().argmax())
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(10):
        action = int(env.action_masks().argmax())
        seen = env.step(action)[0]
        assert all(data_equivalence(other.step(action)[0], seen, exact=True) for other in others)


# -- stable-baselines3


def test_without_its_extra_the_import_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "smallcity_env.envs.sb3")
    with pytest.raises(ImportError) as missing:
        importlib.import_module("smallcity_env.envs.sb3")
    assert str(missing.value) == f"this needs stable_baselines3: {install('train')}"
    assert isinstance(missing.value, Refused) and missing.value.__suppress_context__


def test_the_face_for_sb3_says_what_sb3_wants_to_know() -> None:
    games = SmallCitySB3(4, players=2, opponents="random")
    assert is_masking_supported(games)
    games.seed(3)
    seen, returns = games.reset(), np.zeros(4)
    ends = 0
    while ends < 6:
        masks = get_action_masks(games)
        assert masks.shape == (4, 199) and masks.any(axis=1).all()
        before = seen.copy()
        new, rewards, dones, infos = games.step(masks.argmax(axis=1))
        assert np.array_equal(before, seen)  # sb3 keeps what it saw before
        seen, returns = new, returns + rewards
        for row in np.flatnonzero(dones):
            assert infos[row]["episode"]["r"] == pytest.approx(returns[row])
            assert infos[row]["terminal_observation"].shape == games.observation_space.shape
            assert infos[row]["TimeLimit.truncated"] is False
            returns[row], ends = 0, ends + 1
        assert all(infos[row] == {} for row in np.flatnonzero(~dones))
    assert games.env_method("action_masks", indices=[1]).shape == (1, 199)
    assert games.get_attr("num_envs", indices=0) == [4] and games.env_is_wrapped(Monitor) == [False] * 4
    with pytest.raises(AttributeError, match="action_masks and set_opponents, not fly"):
        games.env_method("fly")
    with pytest.raises(AttributeError, match="make a new"):
        games.set_attr("seat", 1)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("observation", ["compact", "planes"])
@pytest.mark.parametrize("opponents", ["random", None])
def test_maskable_ppo_learns_on_it(opponents: str | None, observation: str) -> None:
    torch.set_num_threads(1)
    games = SmallCitySB3(8, players=2, opponents=opponents, observation=observation)
    policy = "MultiInputPolicy" if observation == "planes" else "MlpPolicy"
    model = MaskablePPO(policy, games, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(256)
    assert model.num_timesteps == 256
