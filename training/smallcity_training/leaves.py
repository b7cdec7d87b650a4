"""Training positions of the value net: leaves as a search reaches them, each with its own outcome.

A leaf is a fork of a root position after a random answer, continued by greedy to the end of the round, as in
a simulation of the search. From there greedy plays the game out, for the outcome. So the net sees
where good and bad answers lead, and the leaves of a game have independent outcomes.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from smallcity_agents.evaluation.weights import search_weights
from smallcity_agents.search.schema import SETTINGS, new_work
from smallcity_agents.value_net.model import blank
from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.rules import rng
from smallcity_env.rules.tables import POWER_ROUNDS

from .entries import make_leaves, play_out
from .positions import Positions, labelled

AT_ONCE: Final = 0.2  # share of leaves directly after the answer, not at the end of the round
PLAYOUTS: Final = np.zeros(3, SETTINGS)  # none, the rest of the round, the rest of the game
PLAYOUTS["rounds"] = -1, 0, POWER_ROUNDS


def leaf_positions(roots: States, games: npt.NDArray[np.int64], seed: int) -> Positions:
    """A leaf of each root, with the outcomes of the games that greedy plays from them.

    `games` numbers the game of each root within its batch; the seed distinguishes batches.
    """
    streams = rng.streams(np.arange(len(roots), dtype=np.uint64) + np.uint64(seed))
    at_once = np.random.default_rng(seed).random(len(streams)) < AT_ONCE
    states = batch.clone(roots)
    work, weights = new_work(blank()), search_weights()
    make_leaves(states, streams, at_once, work, weights, PLAYOUTS)
    live = np.flatnonzero(~batch.over(states))
    states, streams = batch.take(states, live), streams[live]
    final = batch.clone(states)
    play_out(final, rng.streams(streams), work, weights, PLAYOUTS)
    return labelled(states, final, games[live] + seed)
