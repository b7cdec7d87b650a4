"""Advantages seat by seat, against a slow reference that follows one seat at a time."""

import numpy as np
import pytest

from smallcity_training.gae import worth
from smallcity_training.learner import minibatches

STEPS, GAMES, SEATS = 40, 12, 3


def made_up(seed: int) -> dict[str, np.ndarray]:
    chance = np.random.default_rng(seed)
    shape = STEPS, GAMES
    paid = chance.normal(size=(*shape, SEATS)) * (chance.random((*shape, SEATS)) < 0.3)
    return {
        "seats": chance.integers(SEATS, size=shape),
        "values": chance.normal(size=shape).astype(np.float32),
        "paid": paid.astype(np.float32),
        "over": chance.random(shape) < 0.1,
        "last_seats": chance.integers(SEATS, size=GAMES),
        "last_values": chance.normal(size=GAMES).astype(np.float32),
    }


def decisions_of(data: dict[str, np.ndarray], game: int, seat: int) -> list[list[int]]:
    """When a seat answered, one list for each game played in a row."""
    lives: list[list[int]] = [[]]
    for t in range(STEPS):
        if data["seats"][t, game] == seat:
            lives[-1].append(t)
        if data["over"][t, game]:
            lives.append([])
    return lives


def slow(
    data: dict[str, np.ndarray], game: int, seat: int, discount: float, trace: float
) -> dict[int, float]:
    """The advantage of every decision of one seat that can be known."""
    found: dict[int, float] = {}
    first = 0
    for life in decisions_of(data, game, seat):
        ends = [t for t in range(first, STEPS) if data["over"][t, game]]
        end = ends[0] + 1 if ends else STEPS
        first = end
        asked_last = not ends and data["last_seats"][game] == seat
        chain = 0.0
        for k in range(len(life) - 1, -1, -1):
            t = life[k]
            until = life[k + 1] if k + 1 < len(life) else end
            gain = data["paid"][t:until, game, seat].sum()
            if k + 1 < len(life):
                after = data["values"][life[k + 1], game]
            elif ends:
                after = 0.0
            elif asked_last:
                after = data["last_values"][game]
            else:
                continue
            error = gain + discount * after - data["values"][t, game]
            later = k + 1 < len(life) and life[k + 1] in found
            chain = error + discount * trace * (chain if later else 0.0)
            found[t] = float(chain)
    return found


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("discount", "trace"), [(1.0, 0.95), (0.9, 0.5), (1.0, 1.0)])
def test_every_seat_has_its_own_advantages(seed: int, discount: float, trace: float) -> None:
    data = made_up(seed)
    found = worth(**data, discount=discount, trace=trace)
    known = np.zeros((STEPS, GAMES), bool)
    for game in range(GAMES):
        for seat in range(SEATS):
            for t, advantage in slow(data, game, seat, discount, trace).items():
                known[t, game] = True
                assert found.advantages[t, game] == pytest.approx(advantage, abs=1e-4)
    assert (known == found.known).all()
    assert found.returns == pytest.approx(found.advantages + data["values"])


def test_all_that_is_paid_comes_back_to_the_seat_that_earned_it() -> None:
    data = made_up(1)
    data["values"][:], data["last_values"][:] = 0, 0
    data["over"][:] = False
    data["over"][-1] = True
    found = worth(**data, discount=1.0, trace=1.0)
    for game in range(GAMES):
        for seat in range(SEATS):
            answers = np.flatnonzero(data["seats"][:, game] == seat)
            for t in answers:
                assert found.returns[t, game] == pytest.approx(data["paid"][t:, game, seat].sum(), abs=1e-4)


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 129, 640])
def test_minibatches_hold_everything_once_and_none_is_alone(n: int) -> None:
    parts = minibatches(np.arange(n), 64)
    assert np.concatenate(parts).tolist() == list(range(n))
    assert max(map(len, parts)) <= 64 and (n == 1 or min(map(len, parts)) > 1)
