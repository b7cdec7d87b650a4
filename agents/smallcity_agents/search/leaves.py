"""Leaf evaluation by the value net, or by the values of a policy net.

The value net predicts the payoff itself. A policy net trained for the reward `score` predicts a seat's future
gain less the mean gain of the others; this is added to the visible scores.
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
from ..value_net import model
from ..value_net.forward import ValueNet

SHIPPED: Final = "policy"  # the policy net that ships with the package
VALUE_NET: Final = "value_net"  # the value net that ships with the package
REWARD: Final = "score"


def path_of(name: str) -> str:
    """The checkpoint of a name; empty for the shipped one."""
    return "" if name == SHIPPED else name


def is_value_net(leaves: str) -> bool:
    """Whether a name or file is that of a value net."""
    return leaves == VALUE_NET or model.is_value_net(Path(leaves))


def value_net(leaves: str) -> ValueNet:
    """The value net of a name or file; raises AgentError if it cannot be used."""
    return model.load("" if leaves == VALUE_NET else leaves)


def forecast(states: States, leaves: str) -> model.Forecast:
    """What each seat can expect in determinised games, by the value net."""
    return model.forecast(states, value_net(leaves))


def expected_scores(states: States, leaves: str) -> Floats:
    """The expected final score of each seat (n, players), by the net of a checkpoint."""
    path = checked(leaves)
    players = int(states["rules"]["players"][0])
    expected = _rewards(states, path, players) * POINTS
    share = (players - 1) / players if players > 1 else 1  # of a lead over the mean that is one's own gain
    return np.asarray(batch.visible_scores(states)[:, :players] + share * expected, np.float32)


def _rewards(states: States, path: str, players: int) -> Floats:
    """The reward each seat expects (n, players); zero-sum for two."""
    if players != 2:
        return np.stack([values(states, p, path) for p in range(players)], axis=1)
    asked = states["seat"].astype(np.int64)
    own = values(states, asked, path)
    return np.where(np.arange(players) == asked[:, None], own[:, None], -own[:, None])


@lru_cache(maxsize=8)
def checked(leaves: str) -> str:
    """The path or name of a net that can evaluate leaves; raises AgentError for any other."""
    if is_value_net(leaves):
        value_net(leaves)
        return leaves
    path = path_of(leaves)
    _, card = checkpoint.read(Path(path) if path else checkpoint.SHIPPED)
    if card["reward"] != REWARD:
        raise AgentError(f"leaves need a net trained for the reward {REWARD}, not {card['reward']}: {leaves}")
    return path
