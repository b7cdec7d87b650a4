"""How a game ended is in the infos of every environment, and the mask after the end is all ones."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import RecordEpisodeStatistics
from stable_baselines3.common.vec_env import VecMonitor

from smallcity_env import batch, smallcity_v0
from smallcity_env.envs.gymnasium import SmallCity
from smallcity_env.envs.outcomes import UNDECIDED, standings
from smallcity_env.envs.sb3 import SmallCitySB3
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules import rng
from smallcity_env.rules.tables import Ask, Phase

BY_SEAT = ("scores", "places", "won", "returns")
KEYS = {*BY_SEAT, "length"}


def play(env: Any, seed: int) -> tuple[dict[str, Any], dict[str, float], int]:
    """Random play to the end: the last infos of all agents, what `last()` paid, the number of answers."""
    env.reset(seed=seed)
    pick, infos, paid, answers = np.random.default_rng(seed), {}, dict.fromkeys(env.agents, 0.0), 0
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        paid[agent] += reward
        if over:
            infos[agent] = info
            assert observation["action_mask"].all() and info["action_mask"].all()
        answers += not over
        env.step(None if over else pick.choice(np.flatnonzero(observation["action_mask"])))
    assert all(env.observe(agent)["action_mask"].all() for agent in env.possible_agents)
    return infos, paid, answers


@pytest.mark.parametrize("reward", ["rank", "margin", "score"])
@pytest.mark.parametrize("players", [1, 2, 4])
def test_pettingzoo_tells_every_seat_how_the_game_ended(players: int, reward: str) -> None:
    env = smallcity_v0.env(players=players, reward=reward)
    for seed in range(4):
        infos, paid, answers = play(env, seed)
        scores, places = (found[0, :players] for found in batch.scores(env._states))
        for info in infos.values():
            assert set(info) >= KEYS
            assert np.array_equal(info["scores"], scores) and np.array_equal(info["places"], places)
            assert info["length"] == answers
            assert players == 1 or np.array_equal(info["won"], places == 0)
            assert np.allclose(info["returns"], list(paid.values()), atol=1e-5)


def test_alone_a_title_is_a_win() -> None:
    states = batch.new(64, SmallCity(players=1).games.config, range(64))
    batch.rollout(states, range(64))
    found = standings(batch.results(states), 1)
    assert np.array_equal(found["won"], found["scores"] >= 0) and 0 < found["won"].sum() < 64


def test_an_eliminated_seat_learns_nothing_that_is_hidden() -> None:
    env = smallcity_v0.env(players=3, modules=())
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        if env._states["phase"][0] == Phase.BUILD:
            env._states["borough"]["busy_factories"][0, 1], env._states["borough"]["pollution"][0, 1] = 30, 99
        env.step(int(env.action_masks().argmax()))
    assert env.agent_selection == "seat_1" and env._states["ask"][0] != Ask.OVER
    seen, _, over, _, info = env.last()
    assert over and seen["action_mask"].all() and info["action_mask"].all()
    assert np.array_equal(info["scores"], batch.visible_scores(env._states)[0, :3])
    assert info["places"].tolist() == [UNDECIDED, 2, UNDECIDED] and not info["won"].any()
    env.step(None)
    assert not env.terminations[env.agent_selection] and "scores" not in env.last()[4]


@pytest.mark.parametrize("illegal", [-1, 198])
def test_who_answers_illegally_has_not_won(illegal: int) -> None:
    env, games = smallcity_v0.env(players=2), SmallCityVec(2, players=2)
    env.reset(seed=1)
    env.step(illegal)
    assert all(set(env.infos[agent]) >= KEYS and not env.infos[agent]["won"].any() for agent in env.agents)
    assert env.infos["seat_0"]["returns"].sum() == -1 and env.infos["seat_0"]["length"] == 0
    games.reset(seed=1)
    *_, infos = games.step(np.array([illegal, games.action_masks()[1].argmax()]))
    assert infos["_won"].tolist() == [True, False] and not infos["won"].any()
    assert (infos["places"][0] == UNDECIDED).all() and infos["returns"].sum() == -1


def test_the_parallel_environment_has_the_same_infos() -> None:
    env = smallcity_v0.parallel_env(players=3)
    seen, _ = env.reset(seed=2)
    infos: dict[str, Any] = {}
    while env.agents:
        actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in env.agents}
        seen, _, over, _, infos = env.step(actions)
    assert all(over.values()) and all(info["action_mask"].all() for info in infos.values())
    assert all(set(info) >= KEYS and info["won"].any() for info in infos.values())


@pytest.mark.parametrize("key", [None, "observation"])
def test_gymnasium_agrees_with_its_own_statistics(key: str | None) -> None:
    env = RecordEpisodeStatistics(
        gymnasium.make("SmallCity-v0", players=3, reward="score", observation_key=key)
    )
    seen, info = env.reset(seed=5)
    over = False
    while not over:
        seen, _, over, _, info = env.step(info["action_mask"].argmax())
    assert info["length"] == info["episode"]["l"] and info["action_mask"].all()
    assert info["returns"][info["seat"]] == pytest.approx(info["episode"]["r"], abs=1e-5)
    assert all(info[name].shape == (3,) for name in BY_SEAT)
    assert key is None or seen["action_mask"].all()


@pytest.mark.parametrize("opponents", [None, "random"])
@pytest.mark.parametrize("reward", ["rank", "score"])
def test_a_batch_tells_the_same_in_every_autoreset_mode(opponents: str | None, reward: str) -> None:
    options: dict[str, Any] = {"players": 2, "opponents": opponents, "reward": reward}
    games = [
        SmallCityVec(6, autoreset_mode=mode, observation_key="seen", **options) for mode in AutoresetMode
    ]
    for seed in range(3):
        for one in games:
            one.reset(seed=seed)
        (seen, infos), (_, last), (_, also) = until_the_first_end(games, seed)
        over = infos["_won"]
        for name in KEYS:
            for found in (infos, last["final_info"], also):
                assert np.array_equal(found[f"_{name}"], over)
                assert np.array_equal(found[name], infos[name])
        assert all(
            mask[over].all() for mask in (infos["action_mask"], seen["action_mask"], also["action_mask"])
        )
        assert all(last["final_obs"][row]["action_mask"].all() for row in np.flatnonzero(over))
        assert last["final_info"]["action_mask"][over].all()


def until_the_first_end(games: list[SmallCityVec], seed: int) -> list[tuple[Any, dict[str, Any]]]:
    """Play equal games until one has ended, and check what its infos say; what the last step returned."""
    chance, returns, lengths = rng.streams(np.arange(6) + seed), np.zeros(6), 0
    while True:
        actions = batch.pick(games[0].action_masks(), chance)
        results = [one.step(actions) for one in games]
        _, rewards, over, _, infos = results[0]
        returns, lengths = returns + rewards, lengths + 1
        if over.any():
            break
        assert not KEYS & set(infos)
    rows = np.flatnonzero(over)
    scores, places = (found[rows, :2] for found in batch.scores(games[0]._states))
    assert np.array_equal(infos["scores"][rows], scores) and np.array_equal(infos["places"][rows], places)
    assert np.array_equal(infos["won"][rows], places == 0) and not infos["won"][~over].any()
    assert (infos["length"][rows] == lengths).all()
    if games[0].opponents:
        assert np.allclose(infos["returns"][rows, infos["seat"][rows]], returns[rows], atol=1e-5)
    elif games[0].reward == "rank":
        assert np.allclose(infos["returns"][rows], infos["rewards"][rows])
    return [(result[0], result[4]) for result in results]


def test_a_second_game_is_counted_from_its_beginning() -> None:
    games = SmallCityVec(4, players=2, reward="score", rounds=2)
    chance, total, lengths, ends = rng.streams(np.arange(4)), np.zeros((4, 2)), np.zeros(4, np.int64), 0
    games.reset(seed=1)
    fresh = np.zeros(4, np.bool_)
    while ends < 16:
        _, _, over, _, infos = games.step(batch.pick(games.action_masks(), chance))
        total, lengths = total + infos["rewards"], lengths + ~fresh
        if over.any():
            assert np.allclose(infos["returns"][over], total[over], atol=1e-5)
            assert np.array_equal(infos["length"][over], lengths[over])
        total[over], lengths[over], ends, fresh = 0, 0, ends + int(over.sum()), over


def test_sb3_gets_what_its_monitor_writes_and_who_won() -> None:
    games = SmallCitySB3(4, players=2, opponents="random", reward="score", rounds=2)
    monitored, episodes, wins = VecMonitor(games, info_keywords=("is_success", "length")), [], []
    monitored.reset()
    while len(episodes) < 12:
        _, _, dones, infos = monitored.step(games.games.action_masks().argmax(axis=1))
        for info in (infos[row] for row in np.flatnonzero(dones)):
            assert set(info) >= KEYS | {"terminal_observation"}
            assert info["is_success"] == info["won"][info["seat"]]
            episodes.append(info["episode"])
            wins.append(info["is_success"])
    times = [episode["t"] for episode in episodes]
    assert 0 < times[0] < times[-1] < 600 and times == sorted(times) and set(wins) == {True, False}
    assert all(episode["l"] == episode["length"] for episode in episodes)
    *_, dones, infos = next(ended(games))
    own = infos[int(np.flatnonzero(dones)[0])]["episode"]
    assert own["t"] >= times[-1] and own["l"] > 5


def ended(games: SmallCitySB3) -> Any:
    """Steps of a batch in which a game ends."""
    while True:
        result = games.step(games.games.action_masks().argmax(axis=1))
        if result[2].any():
            yield result
