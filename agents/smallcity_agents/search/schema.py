"""The data of compiled simulations: settings, and scratch memory for one thread."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.library import group, writes
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import SEATS

from ..evaluation.schema import FEATURES
from ..memory import apart
from ..value_net.forward import SCRATCH, Scratch, ValueNet, new_scratch
from .tree import MAX_DEPTH

DECISIONS, PHASE, ROUND = range(3)  # units of a future
_SETTINGS = [
    ("explore", "f8"),
    ("widen", "f8"),
    ("unit", "i8"),  # of the future after a leaf: DECISIONS, PHASE or ROUND
    ("length", "i8"),  # number of decisions, or of rounds after the current one
    ("alone", "i8"),  # extra rounds in a solo game
    ("net", "i8"),  # 1: the value net evaluates leaves; 0: greedy does
]
SETTINGS = np.dtype((np.record, _SETTINGS))


class Work(NamedTuple):
    """Scratch memory of one thread."""

    state: Any  # (2,) STATE: the game being simulated, and the fork it began with
    legal: npt.NDArray[np.bool_]  # (ACTIONS,) its mask
    answers: npt.NDArray[np.float64]  # (ACTIONS,) the values of its answers
    features: Any  # (2,) FEATURES
    scores: npt.NDArray[np.float64]  # (SEATS,)
    path: npt.NDArray[np.int64]  # (MAX_DEPTH,) edges from the root
    outcome: npt.NDArray[np.float32]  # (SEATS,) the value of the leaf
    scratch: Scratch  # of the value net


WORK = group(
    Work,
    state=writes(STATE, 2),
    legal=writes("?", ACTIONS),
    answers=writes("f8", ACTIONS),
    features=writes(FEATURES, 2),
    scores=writes("f8", SEATS),
    path=writes("i8", MAX_DEPTH),
    outcome=writes("f4", SEATS),
    scratch=SCRATCH,
)


def new_work(net: ValueNet) -> Work:
    """Scratch memory for one thread, for leaves evaluated by a net."""
    return Work(
        apart((2,), STATE),
        apart((ACTIONS,), np.bool_),
        apart((ACTIONS,), np.float64),
        apart((2,), FEATURES),
        apart((SEATS,), np.float64),
        apart((MAX_DEPTH,), np.int64),
        apart((SEATS,), np.float32),
        new_scratch(net),
    )
