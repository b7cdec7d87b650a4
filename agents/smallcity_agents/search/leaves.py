"""Leaves judged by a net: the score each seat is heading for, for the search agents.

A net trained for the reward `score` expects what is still to come: a seat's gain less the mean gain of
the others. That is added to what everybody can see of the scores already.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.envs.rewards import POINTS

from .. import AgentError
from ..net import checkpoint
from ..net.forward import Floats
from ..policy import values

SHIPPED: Final = "policy"  # the net that comes with the package
REWARD: Final = "score"


def file_of(name: str) -> str:
    """The checkpoint a name stands for."""
    return "" if name == SHIPPED else name


def heading(states: States, leaves: str) -> Floats:
    """The score each seat is heading for (n, players), in the eyes of the net of a checkpoint."""
    file = checked(leaves)
    players = int(states["rules"]["players"][0])
    expected = _expected(states, file, players) * POINTS
    share = (players - 1) / players if players > 1 else 1  # of a gain over the others that is one's own
    return np.asarray(batch.visible_scores(states)[:, :players] + share * expected, np.float32)


def _expected(states: States, file: str, players: int) -> Floats:
    """The reward each seat expects (n, players). Of two, what one gains the other loses."""
    if players != 2:
        return np.stack([values(states, p, file) for p in range(players)], axis=1)
    asked = states["seat"].astype(np.int64)
    own = values(states, asked, file)
    return np.where(np.arange(players) == asked[:, None], own[:, None], -own[:, None])


@lru_cache(maxsize=8)
def checked(leaves: str) -> str:
    """The file of a net that can judge leaves, or one sentence."""
    file = file_of(leaves)
    _, card = checkpoint.read(Path(file) if file else checkpoint.SHIPPED)
    if card["reward"] != REWARD:
        raise AgentError(f"leaves need a net trained for the reward {REWARD}, not {card['reward']}: {leaves}")
    return file
