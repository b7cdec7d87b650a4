"""How an episode ended, for the infos of every environment, whatever the reward.

scores   of every seat; of a game that goes on without the learner, what everybody can see of them
places   from 0, ties sharing the better one; -1: not decided, or no player on this seat
won      whether the seat shares the first place of a game that is over; alone: whether it got a title (SO1)
returns  the rewards of the episode, by seat
length   actions taken in the episode: the learner's, or without opponents those of all seats

All but the length are arrays with a number for each seat. The name `episode` is left to those who count for
themselves: Gymnasium's `RecordEpisodeStatistics`, and the `Monitor` of stable-baselines3.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import batch

Infos: TypeAlias = dict[str, Any]
Ints: TypeAlias = npt.NDArray[np.int64]
UNDECIDED = -1


def standings(found: batch.Results, seats: int) -> Infos:
    """Scores, places and winners of some games, (rows, seats) each; hides what is hidden until the end."""
    return {
        "scores": found.shown[:, :seats],
        "places": np.where(found.ends > 0, found.places, UNDECIDED)[:, :seats],
        "won": found.won[:, :seats] > 0,
    }


def spread(found: Infos, rows: Ints, ended: npt.NDArray[np.bool_]) -> Infos:
    """What is known of some rows as Gymnasium's infos of a batch: with zeros in the others, and a mask."""
    infos: Infos = {}
    for name, values in found.items():
        infos[name] = np.zeros((len(ended), *values.shape[1:]), values.dtype)
        infos[name][rows], infos[f"_{name}"] = values, ended
    return infos
