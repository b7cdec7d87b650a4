"""Generalised advantage estimation, seat by seat.

In self-play the deciding seat changes from step to step, and a seat is often rewarded while others decide.
So each seat's transition runs from its decision to its own next decision and collects every reward between.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Trajectories(NamedTuple):
    """Decisions of `games` games over `steps` steps."""

    seats: Ints  # (steps, games): who decided
    values: Floats  # (steps, games): the value predicted for that seat
    rewards: Floats  # (steps, games, seats): each seat's reward for the step
    dones: Bools  # (steps, games): the step ended the game
    last_seats: Ints  # (games,): who decides after the last step
    last_values: Floats  # (games,): the value predicted for that seat


class Estimates(NamedTuple):
    """Per decision, (steps, games)."""

    advantages: Floats
    returns: Floats
    valid: Bools  # False: the seat has not decided again yet, so its transition is incomplete


def advantages(played: Trajectories, gamma: float, gae_lambda: float) -> Estimates:
    """Walk back through the steps; at each step the deciding seat's transition is complete."""
    games, seats = played.rewards.shape[1:]
    rows = np.arange(games)
    reward = np.zeros((games, seats), np.float32)  # between this decision of the seat and its next
    next_value, next_advantage = np.zeros_like(reward), np.zeros_like(reward)
    known = np.zeros((games, seats), np.bool_)  # the seat's next decision, or the end, has been seen
    estimates, valid = np.zeros_like(played.values), np.zeros_like(played.dones)
    next_value[rows, played.last_seats] = played.last_values
    known[rows, played.last_seats] = True
    for t in reversed(range(len(played.seats))):
        done = played.dones[t]
        reward[done], next_value[done], next_advantage[done], known[done] = 0, 0, 0, True
        reward += played.rewards[t]
        at = rows, played.seats[t]
        td_error = reward[at] + gamma * next_value[at] - played.values[t]
        valid[t] = known[at]
        estimates[t] = np.where(valid[t], td_error + gamma * gae_lambda * next_advantage[at], 0)
        reward[at], next_value[at], next_advantage[at] = 0, played.values[t], estimates[t]
        known[at] = True
    return Estimates(estimates, estimates + played.values, valid)
