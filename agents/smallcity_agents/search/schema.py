"""The data of compiled simulations: settings, and scratch memory for one thread."""

from typing import Any

import numpy as np

from smallcity_env.library import writes
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import SEATS

from ..evaluation.schema import FEATURES
from ..memory import memory, record
from ..value_net.forward import SCRATCH, ValueNet, new_scratch

MAX_DEPTH = 128  # edges from the root to a leaf
MAX_N, PARANOID, PRIORS = range(3)  # what the other seats do in a tree
_SETTINGS = [
    ("c_ucb", "f8"),
    ("widening", "f8"),
    ("depth", "i8"),  # edges from the root to a leaf at most; 1: no tree below the candidates
    ("rounds", "i8"),  # of a playout after the current one; -1: no playout
    ("alone", "i8"),  # more of them in a solo game
    ("net", "i8"),  # 1: the value net evaluates leaves; 0: greedy does
    ("learned", "i8"),  # 1: the net's priors order the answers; 0: greedy's values do
    ("others", "i8"),  # MAX_N, PARANOID or PRIORS
    ("all_seeing", "i8"),  # 1: only chance is resampled; 0: all that the seat cannot see
]
SETTINGS = np.dtype((np.record, _SETTINGS))
WORK = record(
    "Work",
    state=writes(STATE, 2),  # the game being simulated, and the fork it began with
    legal=writes("?", ACTIONS),  # its mask
    answers=writes("f8", ACTIONS),  # the values of its answers
    features=writes(FEATURES, 2),
    scores=writes("f8", SEATS),
    path=writes("i8", MAX_DEPTH),  # edges from the root
    outcome=writes("f4", SEATS),  # the value of the leaf
    scratch=SCRATCH,  # of the value net
)


def new_work(net: ValueNet) -> Any:
    """Scratch memory for one thread, for leaves evaluated by a net."""
    return memory(WORK, scratch=new_scratch(net))
