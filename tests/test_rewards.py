"""What a step pays: rank, margin and score, alone and with others."""

import numpy as np
import pytest

from smallcity_env import batch, smallcity_v0
from smallcity_env.envs import rewards
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.tables.cards import SCALE
from tests.scene import scene
from tests.test_env import dirty, play

LEAST = [least for least, _ in SCALE]
IN, OUT = np.zeros((1, 1), bool), np.ones((1, 1), bool)


def alone(score: int) -> tuple[float, float]:
    """Rank and margin of a solo score."""
    scores = np.array([[score]])
    return rewards.alone_by_rank(scores, IN).item(), rewards.alone_by_margin(scores, IN).item()


@pytest.mark.parametrize("step", range(len(LEAST)))
def test_alone_rank_is_the_step_reached_and_margin_the_way_to_the_next(step: int) -> None:
    width = LEAST[1] - LEAST[0]
    assert alone(LEAST[step]) == (pytest.approx((step + 1) / len(LEAST)), 0)
    assert alone(LEAST[step] - 1)[0] == pytest.approx(step / len(LEAST))
    assert alone(LEAST[step] + 1)[1] == pytest.approx(1 / width)


def test_alone_below_the_scale_above_it_and_out() -> None:
    width = LEAST[1] - LEAST[0]
    assert alone(LEAST[0] - 1) == (0, pytest.approx((LEAST[0] - 1) / width))
    assert alone(-9 * width)[1] == -1 and alone(LEAST[-1] + 9 * width) == (1, 1)
    high = np.array([[LEAST[-1]]])
    assert (rewards.alone_by_rank(high, OUT).item(), rewards.alone_by_margin(high, OUT).item()) == (0, -1)


def test_margins_are_hundredths_of_the_lead_within_one() -> None:
    leads, out = np.array([[25, -25, 150, -150, 40]]), np.array([[False] * 4 + [True]])
    assert rewards.by_margin(leads, out)[0].tolist() == [0.25, -0.25, 1, -1, -1]


def test_a_gain_is_paid_less_the_mean_gain_of_the_others() -> None:
    assert rewards.against_others(np.array([[30]]), 1).tolist() == [[pytest.approx(0.3)]]
    assert rewards.against_others(np.array([[30, 0, 10]]), 3)[0] == pytest.approx([0.25, -0.2, -0.05])


@pytest.mark.parametrize("name", rewards.REWARDS)
def test_a_seat_is_paid_its_end_once_and_nothing_after_it(name: str) -> None:
    states = scene("R1:0", "", phase="visit", round=8, votes={0: 30}).states
    ended, visible = np.zeros((1, 2), bool), np.zeros((1, 2), np.int64)
    first = rewards.pay(name, states, ended, visible)
    assert ended.all() and first[0, 0] == -first[0, 1] > 0
    assert rewards.pay(name, states, ended, visible).tolist() == [[0, 0]]


def test_nothing_but_scores_is_paid_on_the_way() -> None:
    for name, expected in (("rank", 0), ("margin", 0), ("score", 0.07)):
        states = scene("R1:0", "", phase="council", money=1).states
        ended, visible = np.zeros((1, 2), bool), batch.visible_scores(states)[:, :2]
        states["borough"]["votes"][0, 0] += 7
        assert rewards.pay(name, states, ended, visible)[0] == pytest.approx([expected, -expected])
        assert not ended.any()


@pytest.mark.parametrize("name", ["rank", "margin"])
def test_an_eliminated_player_is_paid_and_the_others_are_not_yet(name: str) -> None:
    states = scene("R1:0", "", "", phase="council", money=1, out={1: 1}, pollution={1: 100}).states
    ended, visible = np.zeros((1, 3), bool), np.zeros((1, 3), np.int64)
    assert rewards.pay(name, states, ended, visible).tolist() == [[0, -1, 0]]
    assert ended.tolist() == [[False, True, False]]


@pytest.mark.parametrize("name", ["rank", "margin"])
def test_an_elimination_is_paid_at_one_step_only(name: str) -> None:
    env = dirty(3, name)
    while not env.terminations["seat_1"]:
        play(env, steps=1)
    assert env.rewards == {"seat_0": 0, "seat_1": -1, "seat_2": 0}
    for _ in range(3):
        play(env, steps=1)
        assert env.rewards == {"seat_0": 0, "seat_2": 0}


def test_scores_are_paid_at_the_step_that_changes_them() -> None:
    env, pick, paying = smallcity_v0.env(players=2, reward="score"), np.random.default_rng(3), 0
    env.reset(seed=1)
    while True:
        before = batch.visible_scores(env._states)[0]
        env.step(pick.choice(np.flatnonzero(env.action_masks())))
        if any(env.terminations.values()):
            break
        gain = batch.visible_scores(env._states)[0] - before
        lead = int(gain[0] - gain[1]) / rewards.POINTS
        assert env.rewards == pytest.approx({"seat_0": lead, "seat_1": -lead})
        paying += lead != 0
    assert paying > 10


def test_games_begun_anew_are_not_paid_for_the_scores_of_the_last_ones() -> None:
    used, unused = (SmallCityVec(3, players=2, reward="score") for _ in range(2))
    used.reset(seed=1)
    while not used._scores.any():
        used.step(used.action_masks().argmax(axis=1))
    used.reset(seed=2)
    unused.reset(seed=2)
    for _ in range(20):
        chosen = used.action_masks().argmax(axis=1)
        assert used.step(chosen)[1].tolist() == unused.step(chosen)[1].tolist()
