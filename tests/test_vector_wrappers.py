"""Many games at once as others use them: `make_vec`, TorchRL, Gymnasium's wrappers, pictures, Dicts."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import ReshapeObservation, vector

from smallcity_env import Config, render
from smallcity_env.envs.vector import SmallCityVec


def test_make_vec() -> None:
    games = gymnasium.make_vec("SmallCity-v0", num_envs=3, players=2)
    seen, infos = games.reset(seed=1)
    assert seen.shape == games.observation_space.shape == (3, 2206)
    assert infos["action_mask"].shape == (3, 199)
    assert isinstance(games.unwrapped, SmallCityVec)
    assert games.unwrapped.config == Config(players=2)


def test_make_vec_hands_out_copies_unless_told_otherwise() -> None:
    for options, reused in (({}, False), ({"copy": False}, True)):
        games = gymnasium.make_vec("SmallCity-v0", num_envs=3, players=2, **options)
        first, infos = games.reset(seed=1)
        second, *_ = games.step(infos["action_mask"].argmax(axis=1))
        assert np.shares_memory(first, second) == reused


@pytest.mark.filterwarnings("ignore")  # TorchRL's own
def test_torchrl_wraps_the_games_of_make_vec() -> None:
    torch = pytest.importorskip("torch")
    envs = pytest.importorskip("torchrl.envs")
    options = {"players": 2, "opponents": "random", "observation_key": "observation"}
    games = gymnasium.make_vec("SmallCity-v0", num_envs=3, autoreset_mode="Disabled", **options)
    as_bool = envs.DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    wrapped = envs.GymWrapper(games, categorical_action_encoding=True)
    env = envs.TransformedEnv(wrapped, envs.Compose(as_bool, envs.ActionMask()))
    env.set_seed(1)
    played = env.rollout(200, break_when_any_done=False)
    assert played["next", "done"].sum() >= 3
    assert played["action_mask"].gather(-1, played["action"].unsqueeze(-1)).all()
    seen, after = played["observation"], played["next", "observation"]
    assert (seen[:, 1:] != seen[:, :-1]).any(dim=-1).all()
    goes_on = ~played["next", "done"][:, :-1, 0]
    assert (seen[:, 1:][goes_on] == after[:, :-1][goes_on]).all()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_gymnasiums_vector_wrappers(mode: str) -> None:
    games: Any = SmallCityVec(4, players=2, opponents="random", autoreset_mode=mode)
    games = vector.RecordEpisodeStatistics(games)
    games = vector.TransformReward(vector.ClipReward(games, -0.5, 0.5), lambda reward: reward * 2)
    if mode == "NextStep":  # Gymnasium's wrappers of observations do not support the other
        games = vector.VectorizeTransformObservation(games, ReshapeObservation, shape=(1, 2206))
    games = vector.DictInfoToList(games)
    seen, infos = games.reset(seed=1)
    assert seen.shape == games.observation_space.shape and [info["seat"] for info in infos] == [0, 1, 0, 1]
    ends = 0
    while ends < 6:
        masks = np.array([info["action_mask"] for info in infos])
        seen, rewards, over, _, infos = games.step(masks.argmax(axis=1))
        assert (np.abs(rewards) <= 1).all()
        for row in np.flatnonzero(over):
            final = infos[row].get("final_info", infos[row])
            episode = infos[row]["episode"]
            assert episode["l"] > 10 and episode["r"] in (-1, 0, 1) and "seat" in final
            ends += 1


def test_the_first_games_are_drawn() -> None:
    games = SmallCityVec(6, players=2, render_mode="rgb_array")
    games.reset(seed=1)
    frames = games.render()
    assert frames is not None and len(frames) == 6
    assert {frame.shape for frame in frames} == {frames[0].shape} and frames[0].shape[2] == 3
    assert all(frame.any() for frame in frames[:4]) and not any(frame.any() for frame in frames[4:])
    drawn = render.pixels(games.state(2), games.viewer(2))
    assert np.array_equal(frames[2], drawn)


def test_one_game_is_drawn_and_none_without_a_render_mode() -> None:
    one, unseen = SmallCityVec(1, players=2, render_mode="rgb_array"), SmallCityVec(1, players=2)
    one.reset(seed=1)
    frames = one.render()
    assert frames is not None and len(frames) == 1
    unseen.reset(seed=1)
    with pytest.warns(UserWarning, match="render needs a render_mode"):
        assert unseen.render() is None


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_observation_and_mask_in_one_dict(mode: str) -> None:
    games = SmallCityVec(3, players=2, observation_key="observations", autoreset_mode=mode)
    plain = SmallCityVec(3, players=2, autoreset_mode=mode)
    seen, _ = games.reset(seed=2)
    alone, infos = plain.reset(seed=2)
    over = np.zeros(3, bool)
    while not over.any():
        assert games.observation_space.contains(seen)
        assert np.array_equal(seen["observations"], alone)
        assert np.array_equal(seen["action_mask"], infos["action_mask"])
        actions = alone_actions = infos["action_mask"].argmax(axis=1)
        seen.clear()  # wrappers write into the Dict
        seen, _, over, _, final_infos = games.step(actions)
        alone, *_, infos = plain.step(alone_actions)
    if mode == "SameStep":
        row = int(np.flatnonzero(over)[0])
        assert games.single_observation_space.contains(final_infos["final_obs"][row])
