"""Varied games of scripted players for the first value net: any rules, several styles, some noise.

The net learns from leaves as a search reaches them: a position is forked, a random answer is given, and
greedy plays to the end of the round, as in a simulation. From there greedy plays the game out, for the
outcome. So the net sees where good and bad answers lead, and the leaves of a game have independent outcomes.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_agents.agent import Actions, Streams
from smallcity_agents.benchmark import mixes
from smallcity_agents.evaluation.weights import (
    PERSONALITIES,
    ROW_BY_PLAYERS,
    SOLO,
    TUNED,
    search_weights,
    weights_of,
)
from smallcity_agents.greedy import answer_values
from smallcity_agents.search.schema import SETTINGS, new_work
from smallcity_agents.value_net.model import blank
from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.config import Config
from smallcity_env.rules import rng
from smallcity_env.rules.tables import POWER_ROUNDS, SEATS

from .entries import make_leaves, play_out
from .positions import Positions, Recorder, labelled

Random = np.random.Generator
PLAYERS: Final = (0.25, 0.35, 0.15, 0.25)  # shares of games by number of players; of more, as of four
BASE: Final = 0.5  # share of games on base boards, with Godzillas or without modules
TEMPERATURES: Final = (0.0, 0.0, 0.3, 1.0)  # of a player's choices, in points
RANDOM_SHARES: Final = (0.0, 0.02, 0.1)  # of random answers
AT_ONCE: Final = 0.2  # share of leaves directly after the answer, not at the end of the round
PLAYOUTS: Final = np.zeros(3, SETTINGS)  # none, the rest of the round, the rest of the game
PLAYOUTS["rounds"] = -1, 0, POWER_ROUNDS
SCRIPTS: Final = (SOLO, TUNED, *PERSONALITIES)


def _shares() -> npt.NDArray[np.float64]:
    """The shares of games by number of players, for any number of seats."""
    shares = np.array([PLAYERS[min(n, len(PLAYERS) - 1)] for n in range(SEATS)])
    return np.asarray(shares / shares.sum())


def draw_config(random: Random) -> Config:
    """Draw a configuration: half of the time a usual one, otherwise any rule mix."""
    players = int(random.choice(np.arange(SEATS) + 1, p=_shares()))
    if random.random() < BASE:
        return Config(players, ("godzillas",) if random.random() < 0.75 else ())
    return mixes.draw(random, players)


class ScriptedPlayers:
    """A personality of greedy for every seat of every game, with its own temperature and random answers."""

    def __init__(self, games: int, players: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.weights = np.concatenate([weights_of(style) for style in SCRIPTS])
        usual = ROW_BY_PLAYERS[players] - 1  # SCRIPTS begin as those rows do
        others = random.integers(len(SCRIPTS), size=(games, SEATS))
        self.styles = np.where(random.random((games, SEATS)) < 0.5, usual, others)
        self.temperatures = random.choice(TEMPERATURES, (games, SEATS))
        self.random_shares = random.choice(RANDOM_SHARES, (games, SEATS))
        self.random = random

    def act(self, states: States, legal: Mask, streams: Streams) -> Actions:
        """An action in every game; SKIP where the game is over."""
        n, seats = np.arange(len(states)), states["seat"].astype(np.int64)
        actions, values = answer_values(states, seats, legal, streams, self.weights, self.styles[n, seats])
        rows = np.flatnonzero(legal.any(axis=1) & (self.temperatures[n, seats] > 0))
        temperatures = self.temperatures[rows, seats[rows]]
        actions[rows] = self._sample(values[rows], legal[rows], temperatures)
        by_chance = self.random.random(len(states)) < self.random_shares[n, seats]
        return np.where(by_chance, batch.pick(legal, streams), actions)

    def _sample(self, values: npt.NDArray[np.float64], legal: Mask, temperatures: Any) -> Actions:
        """Sample from the softmax of the values (Gumbel-max trick)."""
        noise = temperatures[:, None] * self.random.gumbel(size=values.shape)
        return np.asarray(np.where(legal, values + noise, -np.inf).argmax(axis=1), np.int64)


def scripted_positions(config: Config, games: int, seed: int) -> Positions:
    """Leaves of a batch of games of one configuration, with their outcomes."""
    legal = batch.new_masks(games)
    states = batch.new(games, config, np.arange(games) + seed, legal)
    players, recorder = ScriptedPlayers(games, config.players, seed), Recorder(seed)
    streams = rng.streams(np.arange(games) + seed)
    while legal.any():
        recorder.sample(states)
        batch.step(states, players.act(states, legal, streams), legal)
    return leaf_positions(*recorder.sampled(), seed)


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
