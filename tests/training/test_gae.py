"""Per-seat advantages against a slow reference that follows one seat at a time."""

import numpy as np
import pytest

from smallcity_training import gae
from smallcity_training.ppo import minibatches

STEPS, GAMES, SEATS = 40, 12, 3


def random_rollout(seed: int) -> gae.Trajectories:
    rng = np.random.default_rng(seed)
    shape = STEPS, GAMES
    rewards = rng.normal(size=(*shape, SEATS)) * (rng.random((*shape, SEATS)) < 0.3)
    return gae.Trajectories(
        seats=rng.integers(SEATS, size=shape),
        values=rng.normal(size=shape).astype(np.float32),
        rewards=rewards.astype(np.float32),
        dones=rng.random(shape) < 0.1,
        last_seats=rng.integers(SEATS, size=GAMES),
        last_values=rng.normal(size=GAMES).astype(np.float32),
    )


def episodes(rollout: gae.Trajectories, game: int) -> list[tuple[int, int, bool]]:
    """First step, end and whether it finished, for each episode of a game."""
    ends = [int(t) + 1 for t in np.flatnonzero(rollout.dones[:, game])]
    spans = [(first, end, True) for first, end in zip([0, *ends], ends, strict=False)]
    return spans if ends and ends[-1] == STEPS else [*spans, (ends[-1] if ends else 0, STEPS, False)]


def reference(rollout: gae.Trajectories, game: int, seat: int, gamma: float, lam: float) -> dict[int, float]:
    """Each decision's advantage as the definition has it: a discounted sum of the seat's TD errors."""
    advantages: dict[int, float] = {}
    for first, end, finished in episodes(rollout, game):
        turns = [t for t in range(first, end) if rollout.seats[t, game] == seat]
        values = [float(rollout.values[t, game]) for t in turns]
        if finished:
            values.append(0.0)
        elif rollout.last_seats[game] == seat and (not rollout.dones[-1, game]):
            values.append(float(rollout.last_values[game]))
        else:
            turns, end = turns[:-1], turns[-1] if turns else end
        stops = [*turns[1:], end]
        errors = [
            rollout.rewards[t:stop, game, seat].sum() + gamma * values[k + 1] - values[k]
            for k, (t, stop) in enumerate(zip(turns, stops, strict=False))
        ]
        for k, t in enumerate(turns):
            advantages[t] = sum((gamma * lam) ** (j - k) * errors[j] for j in range(k, len(turns)))
    return advantages


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("gamma", "gae_lambda"), [(1.0, 0.95), (0.9, 0.5), (1.0, 1.0)])
def test_advantages_are_those_of_each_seat_on_its_own(seed: int, gamma: float, gae_lambda: float) -> None:
    rollout = random_rollout(seed)
    estimates = gae.advantages(rollout, gamma, gae_lambda)
    valid = np.zeros((STEPS, GAMES), bool)
    for game in range(GAMES):
        for seat in range(SEATS):
            for t, advantage in reference(rollout, game, seat, gamma, gae_lambda).items():
                valid[t, game] = True
                assert estimates.advantages[t, game] == pytest.approx(advantage, abs=1e-4)
    assert (valid == estimates.valid).all()
    assert estimates.returns == pytest.approx(estimates.advantages + rollout.values)


def test_without_values_returns_are_the_rewards_to_come_of_the_seat() -> None:
    rollout = random_rollout(1)
    rollout.values[:], rollout.last_values[:] = 0, 0
    rollout.dones[:] = False
    rollout.dones[-1] = True
    estimates = gae.advantages(rollout, gamma=1.0, gae_lambda=1.0)
    for game in range(GAMES):
        for t in range(STEPS):
            to_come = rollout.rewards[t:, game, rollout.seats[t, game]].sum()
            assert estimates.returns[t, game] == pytest.approx(to_come, abs=1e-4)


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 129, 640])
def test_minibatches_hold_everything_once_and_none_has_size_one(n: int) -> None:
    parts = minibatches(np.arange(n), 64)
    assert np.concatenate(parts).tolist() == list(range(n))
    assert max(map(len, parts)) <= 64 and (n == 1 or min(map(len, parts)) > 1)
