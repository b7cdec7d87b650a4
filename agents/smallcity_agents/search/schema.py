"""What compiled simulations work with: settings, and scratch memory for one thread."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import SEATS

from ..judge.schema import FEATURES
from ..value_net.forward import Scratch, ValueNet, new_scratch
from .tree import MAX_DEPTH

DECISIONS, PHASE, ROUND = range(3)  # what a future is measured in
_SETTINGS = [
    ("explore", "f8"),
    ("widen", "f8"),
    ("unit", "i8"),  # of the future after a leaf: DECISIONS, PHASE or ROUND
    ("length", "i8"),  # how many decisions, or rounds after the present one
    ("alone", "i8"),  # rounds more in a game alone
    ("net", "i8"),  # whether the value net evaluates leaves, or greedy
]
SETTINGS = np.dtype((np.record, _SETTINGS))
SLOPE: Final = 12.0  # points of lead that make a win likely
_FEATURES = np.dtype((np.record, FEATURES))


class Work(NamedTuple):
    """Scratch memory of one thread."""

    state: Any  # (1,) STATE: the game being simulated
    legal: npt.NDArray[np.bool_]  # (ACTIONS,) its mask
    answers: npt.NDArray[np.float64]  # (ACTIONS,) the values of its answers
    features: Any  # (2,) FEATURES
    scores: npt.NDArray[np.float64]  # (SEATS,)
    path: npt.NDArray[np.int64]  # (MAX_DEPTH,) edges from the root
    outcome: npt.NDArray[np.float32]  # (SEATS,) the value of the leaf
    scratch: Scratch  # of the value net


def new_work(net: ValueNet) -> Work:
    """Scratch memory for one thread, for leaves evaluated by a net."""
    return Work(
        np.zeros(1, STATE),
        np.zeros(ACTIONS, np.bool_),
        np.zeros(ACTIONS),
        np.zeros(2, _FEATURES),
        np.zeros(SEATS),
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros(SEATS, np.float32),
        new_scratch(net),
    )
