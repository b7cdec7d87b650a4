"""Many games at once for Gymnasium: one learner or self-play, both autoreset modes."""

import copy
import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.vector import AutoresetMode

from smallcity_agents import AgentError
from smallcity_env import MODULES, ConfigError, IllegalAction, batch, smallcity_v0
from smallcity_env.arguments import ArgumentError
from smallcity_env.envs.options import Observing
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.layout import Form
from smallcity_env.rules.tables import Ask

MODES = ["NextStep", "SameStep"]


def answers(games: SmallCityVec, streams: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Random legal answers; those to games that have ended are ignored."""
    return batch.pick(games.action_masks(), streams)


def history(games: SmallCityVec, steps: int, seed: int = 5) -> list[Any]:
    """Copies of everything that reset and step return in random play."""
    streams = rng.streams(np.arange(games.num_envs))
    seen, infos = games.reset(seed=seed)
    returned = [(seen.copy(), infos["seat"].copy())]
    for _ in range(steps):
        seen, rewards, over, _, infos = games.step(answers(games, streams))
        returned.append((seen.copy(), rewards.copy(), over.copy(), infos["seat"].copy()))
    return returned


@pytest.mark.parametrize("kind", [list, np.int32, ">i8"])
def test_actions_of_any_kind_play_the_same_game_and_stay_as_they_are(kind: Any) -> None:
    one, other = (SmallCityVec(3, players=2, observation="compact") for _ in range(2))
    streams = rng.streams(np.arange(3))
    one.reset(seed=1)
    other.reset(seed=1)
    for k in range(300):
        chosen = answers(one, streams)
        before = chosen.copy()
        other = pickle.loads(pickle.dumps(other)) if k % 50 == 0 else other
        given = other.step(chosen.tolist() if kind is list else chosen.astype(kind))
        for a, b in zip(one.step(chosen)[:4], given[:4], strict=True):
            assert a.tobytes() == b.tobytes()
        assert (chosen == before).all() and one._states.tobytes() == other._states.tobytes()


def test_what_a_step_returns_besides_the_buffers_is_never_written_again() -> None:
    games, kept = SmallCityVec(2, players=2), []
    streams = rng.streams(np.arange(2))
    games.reset(seed=1)
    for _ in range(300):
        _, _, over, truncated, infos = games.step(answers(games, streams))
        arrays = over, truncated, infos["seat"], infos["rewards"]
        kept.append((arrays, [array.tobytes() for array in arrays]))
    assert all([array.tobytes() for array in arrays] == before for arrays, before in kept)
    handed_out = [id(array) for arrays, _ in kept for array in arrays]
    assert len(set(handed_out)) == len(handed_out)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponents", [None, "random", "first"])
def test_spaces_masks_and_ends(players: int, mode: str, opponents: str | None) -> None:
    games = SmallCityVec(6, players=players, opponents=opponents, autoreset_mode=mode)
    assert games.metadata["autoreset_mode"] == AutoresetMode(mode)
    streams, ends = rng.streams(np.arange(6)), 0
    seen, infos = games.reset(seed=3)
    for _ in range(500):
        assert seen.dtype == np.float32 and games.observation_space.contains(seen)
        assert infos["action_mask"].any(axis=1).all()
        assert ((infos["seat"] >= 0) & (infos["seat"] < players)).all()
        seen, rewards, over, cut, infos = games.step(answers(games, streams))
        assert not cut.any() and (np.abs(rewards) <= 1).all() and (rewards[~over] == 0).all()
        ends += int(over.sum())
    assert ends > 6


@pytest.mark.parametrize("opponents", [None, "random", "first"])
def test_the_same_seed_plays_the_same_games(opponents: str | None) -> None:
    games = SmallCityVec(4, players=3, opponents=opponents)
    first, again, other = history(games, 80), history(games, 80), history(games, 80, seed=6)
    for one, two in zip(first, again, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert any(not np.array_equal(a[0], b[0]) for a, b in zip(first, other, strict=True))


def test_a_row_does_not_depend_on_the_others() -> None:
    many, one = (
        SmallCityVec(5, players=2, opponents="first", seat=0),
        SmallCityVec(1, opponents="first", seat=0),
    )
    for of_many, of_one in zip(history(many, 150), history(one, 150), strict=True):
        assert all(np.array_equal(a[:1], b) for a, b in zip(of_many, of_one, strict=True))


def test_next_step_shows_the_end_and_then_begins_again() -> None:
    games = SmallCityVec(3, players=2, observation="compact")
    streams = rng.streams(np.arange(3))
    games.reset(seed=1)
    over = np.zeros(3, bool)
    while not over.any():
        seen, _, over, _, infos = games.step(answers(games, streams))
    row = int(np.flatnonzero(over)[0])
    assert games.state(row)["ask"] == Ask.OVER
    assert np.array_equal(seen[row], batch.observe(games._states, infos["seat"])[row])
    assert infos["action_mask"][row].all()  # whatever is answered is not looked at
    actions = np.where(over, -7, answers(games, streams))
    seen, rewards, over, _, _ = games.step(actions)
    assert not over[row] and rewards[row] == 0
    assert games.state(row)["round_no"] <= 1 and games.state(row)["ask"] != Ask.OVER


@pytest.mark.parametrize("opponents", [None, "random"])
def test_same_step_begins_again_and_keeps_what_was_seen_last(opponents: str | None) -> None:
    both = [SmallCityVec(8, players=2, opponents=opponents, autoreset_mode=mode) for mode in MODES]
    chance = rng.streams(np.arange(8))
    next_step, same_step = both
    next_step.reset(seed=4)
    same_step.reset(seed=4)
    while True:  # until the first end both play the same games
        actions = answers(next_step, chance)
        seen, rewards, over, _, infos = next_step.step(actions)
        new, paid, ended, _, final_infos = same_step.step(actions)
        assert np.array_equal(over, ended) and np.array_equal(rewards, paid)
        if over.any():
            break
        assert "final_obs" not in final_infos and np.array_equal(seen, new)
    assert np.array_equal(final_infos["_final_obs"], over)
    assert np.array_equal(np.stack(final_infos["final_obs"][over]), seen[over])
    assert all(row is None for row in final_infos["final_obs"][~over])
    assert np.array_equal(final_infos["final_info"]["seat"][over], infos["seat"][over])
    assert np.array_equal(new[~over], seen[~over])
    fresh, *_, after = next_step.step(np.where(over, 0, answers(next_step, chance)))
    assert np.array_equal(fresh[over], new[over])  # the same new game, one step later
    assert np.array_equal(after["action_mask"][over], final_infos["action_mask"][over])


@pytest.mark.parametrize("reward", ["rank", "margin", "score"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_self_play_pays_what_the_pettingzoo_environment_pays(reward: str, players: int) -> None:
    games = SmallCityVec(1, players=players, reward=reward, modules=("godzillas", "doctors"))
    env = smallcity_v0.env(players=players, reward=reward, modules=("godzillas", "doctors"))
    games.reset(seed=9)
    env.reset(seed=0)
    env._take(batch.clone(games._states))
    env._select()
    streams, totals, alone = rng.streams([1]), np.zeros(players), 0.0
    over, mine = np.zeros(1, bool), dict.fromkeys(env.agents, 0.0)
    while not over[0]:
        action = answers(games, streams)
        seat = int(games.state(0)["seat"])
        _, rewards, over, _, infos = games.step(action)
        totals += infos["rewards"][0]
        alone += rewards[0] - infos["rewards"][0, seat]
        env.step(int(action[0]))
        while env.agents and env.terminations[env.agent_selection]:
            mine[env.agent_selection] += env.last()[1]
            env.step(None)
        for agent in env.agents:
            mine[agent] += env.rewards[agent]
    assert alone == 0
    if reward != "score":
        assert np.allclose(totals, list(mine.values()), atol=1e-6)
    assert abs(totals.sum()) < 1e-4 or reward == "margin"


def test_an_eliminated_learner_ends_his_game() -> None:
    games = SmallCityVec(8, players=3, opponents="random", seat=1, modules=())
    streams = rng.streams(np.arange(8))
    games.reset(seed=2)
    for _ in range(12):
        games.step(answers(games, streams))
    dirty = games._states["borough"][:4]
    dirty["pollution"][:, 1], dirty["busy_factories"][:, 1] = 99, 30
    lost = np.zeros(8, bool)
    for _ in range(60):
        _, rewards, over, _, _ = games.step(answers(games, streams))
        out = games._states["borough"]["out"][:, 1] > 0
        assert (over[out]).all() and (rewards[out] == -1).all()
        lost |= out & (games._states["ask"] != Ask.OVER)
    assert lost[:4].any() and not lost[4:].any()


@pytest.mark.parametrize("mode", MODES)
def test_self_play_shows_the_end_to_the_seat_that_answered_last(mode: str) -> None:
    games = SmallCityVec(16, players=4, observation="compact", autoreset_mode=mode)
    chance, ends = rng.streams(np.arange(16)), 0
    _, infos = games.reset(seed=7)
    while ends < 16:
        answered = infos["seat"].copy()
        seen, _, over, _, infos = games.step(answers(games, chance))
        ends += int(over.sum())
        seats = infos["final_info"]["seat"] if "final_info" in infos else infos["seat"]
        assert np.array_equal(seats[over], answered[over])
        if mode == "NextStep":
            assert np.array_equal(seen[over], batch.observe(games._states, answered)[over])


def test_buffers_are_reused_or_copied() -> None:
    games, kept = SmallCityVec(2), SmallCityVec(2, copy=True)
    for env, same in ((games, True), (kept, False)):
        seen, infos = env.reset(seed=1)
        after, *_, later = env.step(env.action_masks().argmax(axis=1))
        assert np.shares_memory(seen, after) is same
        assert np.shares_memory(infos["action_mask"], later["action_mask"]) is same


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_a_copy_goes_on_as_the_original_does(copied: Any, observation: Observing) -> None:
    games, streams = (
        SmallCityVec(3, players=2, modules=(), observation=observation),
        rng.streams(np.arange(3)),
    )
    games.reset(seed=2)
    for _ in range(100):
        games.step(answers(games, streams))
    twin = copied(games)
    for _ in range(200):  # over the end of games
        chosen = answers(games, streams)
        (seen, *paid, infos), (also, *same, other_infos) = games.step(chosen), twin.step(chosen)
        flat = [
            [part["vector"], part["planes"]] if observation == "planes" else [part] for part in (seen, also)
        ]
        assert all(np.array_equal(a, b) for a, b in zip(*flat, strict=True))
        assert all(np.array_equal(a, b) for a, b in zip(paid, same, strict=True))
        assert all(np.array_equal(infos[name], other_infos[name]) for name in infos)


@pytest.mark.parametrize("module", [*MODULES, None])
def test_every_module(module: str | None) -> None:
    needs = {"promise_cards": ("new_buildings",)}.get(str(module), ())
    modules = (module, *needs) if module else MODULES
    assert len(history(SmallCityVec(4, players=4, modules=modules, opponents="random"), 120)) == 121


def test_wrong_input_is_one_sentence_and_changes_nothing() -> None:
    games = SmallCityVec(2, illegal="raise")
    with pytest.raises(IllegalAction, match="call reset before the first step"):
        games.step(np.zeros(2, np.int64))
    games.reset(seed=1)
    before = games._states.tobytes()
    wrong = int(np.flatnonzero(~games.action_masks()[1])[0])
    right = int(games.action_masks()[0].argmax())
    for actions in ([right, wrong], [right, 10**6], [right, -1]):
        with pytest.raises(IllegalAction, match="game 1: allowed are"):
            games.step(np.array(actions))
    with pytest.raises(IllegalAction, match="2 games need 2 whole numbers as actions, not float64"):
        games.step(np.zeros(2))
    with pytest.raises(IllegalAction, match=r"not int64 of shape \(3,\)"):
        games.step(np.zeros(3, np.int64))
    assert games._states.tobytes() == before
    games.step(games.action_masks().argmax(axis=1))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"num_envs": 0}, "the number of games must be a whole number from 1 to .*, not 0"),
        ({"seat": 1}, "name opponents too"),
        ({"seat": 2, "opponents": "random"}, "no seat 2: 2 players have 0 to 1"),
        ({"players": 4, "opponents": "random,first"}, "1 opponent for all other seats or 3 of them, not 2"),
        ({"autoreset_mode": "never"}, "no autoreset mode 'never': choose from NextStep, SameStep, Disabled"),
        ({"observation": "pixels"}, "no observation 'pixels': choose from compact, planes"),
        ({"illegal": "forgive"}, "illegal must be raise or terminate, not 'forgive'"),
        ({"reward": "money"}, "no reward 'money'"),
        ({"render_mode": "ansi"}, "no render mode 'ansi': choose from rgb_array"),
    ],
)
def test_impossible_arguments(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        SmallCityVec(**{"num_envs": 2, **arguments})


def test_unknown_opponents_options_and_seeds() -> None:
    with pytest.raises(AgentError, match="no agent 'nobody': choose from random"):
        SmallCityVec(2, opponents="nobody")
    with pytest.raises(ConfigError, match="unknown reset option 'text': only 'reset_mask' is known"):
        SmallCityVec(2).reset(options={"text": ""})
    with pytest.raises(ConfigError, match="2 games need one seed or 2, not 3"):
        SmallCityVec(2).reset(seed=[1, 2, 3])
    assert len(SmallCityVec(2).reset(seed=[1, None])[0]) == 2


@pytest.mark.parametrize("observation", ["compact", "planes"])
@pytest.mark.parametrize("opponents", [None, "random"])
@pytest.mark.parametrize("mode", MODES)
def test_every_form_of_observations(observation: Any, opponents: str | None, mode: str) -> None:
    games = SmallCityVec(5, players=3, opponents=opponents, observation=observation, autoreset_mode=mode)
    form, chance, ends = Form[observation.upper()], rng.streams(np.arange(5)), 0
    seen, infos = games.reset(seed=2)
    while ends < 6:
        assert games.observation_space.contains(seen)
        expected = batch.new_observations(5, form, players=3)
        batch.observe(games._states, infos["seat"], expected)
        if form is Form.PLANES:
            assert np.array_equal(seen["planes"].reshape(5, -1), expected.planes)
        assert np.array_equal(seen["vector"] if form is Form.PLANES else seen, expected.vector)
        before = seen
        seen, _, over, _, infos = games.step(answers(games, chance))
        assert all(map(np.shares_memory, _leaves(before), _leaves(seen)))
        ends += int(over.sum())


def _leaves(seen: Any) -> list[Any]:
    return list(seen.values()) if isinstance(seen, dict) else [seen]


# -- illegal actions


@pytest.mark.parametrize("opponents", [None, "random"])
@pytest.mark.parametrize("mode", MODES)
def test_an_illegal_action_ends_its_row_only(opponents: str | None, mode: str) -> None:
    games, legal_only = (
        SmallCityVec(4, players=3, opponents=opponents, autoreset_mode=mode) for _ in range(2)
    )
    chance = rng.streams(np.arange(4))
    for env in (games, legal_only):
        seen, infos = env.reset(seed=3)
    for _ in range(20):
        actions = answers(games, chance)
        games.step(actions)
        seen, *_, infos = legal_only.step(actions)
    before, seats, right = seen.copy(), infos["seat"].copy(), answers(games, chance)
    expected, *_ = legal_only.step(right)
    wrong = np.array([right[0], -1, right[2], 10**6])
    seen, rewards, over, cut, infos = games.step(wrong)
    assert over.tolist() == [False, True, False, True] and not cut.any()
    assert rewards.tolist() == [0, -1, 0, -1]
    if opponents is None:
        assert infos["rewards"].sum(axis=1).tolist() == [0, -1, 0, -1]
        assert (infos["rewards"][[1, 3], seats[[1, 3]]] == -1).all()
    assert np.array_equal(seen[[0, 2]], expected[[0, 2]])
    final = infos["final_info"] if mode == "SameStep" else infos
    assert np.array_equal(final["illegal_action"], over)
    last = np.stack(infos["final_obs"][over]) if mode == "SameStep" else seen[over]
    assert np.array_equal(last, before[over])
    for _ in range(100):
        *_, infos = games.step(answers(games, chance))
    assert "illegal_action" not in infos


def test_no_is_legal_beside_an_illegal_action() -> None:
    games, last = SmallCityVec(2, players=2), ACTIONS - 1
    games.reset(seed=3)
    while not games.action_masks()[0, last]:
        games.step(games.action_masks().argmax(axis=1))
    *_, over, _, infos = games.step(np.array([last, -1]))
    assert over.tolist() == infos["illegal_action"].tolist() == [False, True]


# -- games begun by the user


def test_disabled_autoreset_waits_for_a_reset_mask() -> None:
    games, chance = SmallCityVec(4, players=2, autoreset_mode="Disabled"), rng.streams(np.arange(4))
    assert games.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    games.reset(seed=5)
    over = np.zeros(4, bool)
    while not over.any():
        seen, _, over, _, _ = games.step(answers(games, chance))
    kept, before = seen[~over].copy(), games._states.copy()
    with pytest.raises(IllegalAction, match=f"games {np.flatnonzero(over)[0]}.* have ended: reset them"):
        games.step(answers(games, chance))
    seen, infos = games.reset(options={"reset_mask": over})
    assert np.array_equal(seen[~over], kept) and (games._states["round_no"][over] <= 1).all()
    assert games._states[~over].tobytes() == before[~over].tobytes()
    assert infos["action_mask"].any(axis=1).all()
    games.step(answers(games, chance))
    for wrong, what in (([0, 1, 0, 1], r"int64 of shape \(4,\)"), ([False, True], r"bool of shape \(2,\)")):
        with pytest.raises(ConfigError, match=f"reset_mask must be 4 bools, not {what}"):
            games.reset(options={"reset_mask": wrong})


def test_a_reset_mask_seeds_only_its_rows() -> None:
    games, mask = SmallCityVec(3, players=2, autoreset_mode="Disabled"), np.array([True, False, True])
    first = games.reset(seed=5)[0].copy()
    games.step(games.action_masks().argmax(axis=1))
    moved = games._observations.arrays[1].copy()
    again, _ = games.reset(seed=5, options={"reset_mask": mask})
    assert np.array_equal(again[mask], first[mask]) and np.array_equal(again[1], moved)
