"""Targets of the value net from whole games: TD(lambda), with values at the beginnings of rounds.

The target of a position in round r mixes the value at the beginning of round r + 1, with weight 1 - lambda,
and the target of that beginning, with weight lambda; in the last round it is the outcome. With 1 it is the
outcome everywhere: true, but as noisy as a whole game.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def lambda_returns(games: Ints, rounds: Ints, values: Any, outcomes: Any, td_lambda: float) -> Floats:
    """The targets (n, ...) of positions in the order they were played.

    The first position of a round must be among them if its value (n, ...) is to count; `outcomes` (n, ...)
    are those of the game of each position.
    """
    begins = _at_beginnings(games, rounds, np.asarray(values, np.float64))
    later = np.zeros_like(begins[:, 0])
    later[games] = outcomes
    targets = np.zeros_like(begins)
    for r in reversed(range(begins.shape[1])):  # 0: before the first round
        targets[:, r] = later
        mixed = (1 - td_lambda) * begins[:, r] + td_lambda * later
        later = np.where(np.isnan(mixed), later, mixed)
    return np.asarray(targets[games, rounds])


def _at_beginnings(games: Ints, rounds: Ints, values: Floats) -> Floats:
    """The value at the first position of each game and round (games, rounds + 1, ...); nan without one."""
    numbers = int(rounds.max()) + 1
    table = np.full((int(games.max()) + 1, numbers, *values.shape[1:]), np.nan)
    _, first = np.unique(games * numbers + rounds, return_index=True)
    table[games[first], rounds[first]] = values[first]
    return table
