"""Rewards for whole batches of games: rank, margin and score.

rank    at the end, or on elimination: +1 for the first place down to -1 for the last, evenly spaced;
        ties share the mean of their places. The rewards of a game sum to 0.
margin  at the end, or on elimination: the lead over the best other score / 100, clipped to [-1, 1];
        an eliminated player gets -1.
score   at every step: the change in the public part of your score (condition minus pollution), minus
        the mean change of the others, / 100; promises are added at the end. Over a game without
        eliminations it sums to the final lead over the mean of the others, minus the initial lead.

An illegal action, where it ends the episode, pays its player ILLEGAL and everybody else 0.

Solo: rank is the step reached on the scale of SO1, from 0 (Recalled) to 1 (Legend); margin is how far
the score lies above that step, as a fraction of the way to the next; score is the change itself.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from .. import batch
from ..config import ConfigError
from ..rules import entries
from ..rules.tables.cards import SCALE

REWARDS: Final = ("rank", "margin", "score")
ILLEGAL: Final = -1.0  # as bad as last place
POINTS = 100  # scores are divided by this
_STEPS: Final = np.array([least for least, _ in SCALE])

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


def alone_by_rank(scores: Ints, out: npt.NDArray[np.bool_]) -> Floats:
    """Solo: the step reached on the scale, 0 to 1 (n, 1)."""
    step = np.searchsorted(_STEPS, scores, side="right")
    return np.where(out, 0.0, step / len(_STEPS)).astype(np.float32)


def alone_by_margin(scores: Ints, out: npt.NDArray[np.bool_]) -> Floats:
    """Solo: the fraction of the way from the step reached to the next; negative below the scale (n, 1)."""
    step = np.searchsorted(_STEPS, scores, side="right")
    width = int(_STEPS[1] - _STEPS[0])
    below = np.where(step > 0, _STEPS[np.maximum(step - 1, 0)], 0)
    return np.where(out, -1.0, np.clip((scores - below) / width, -1, 1)).astype(np.float32)


def final(name: str, results: batch.Results, players: Ints | int) -> Floats:
    """The rank or margin rewards of games that end now, by their numbers of players (n, SEATS)."""
    alone, out = np.equal(players, 1), results.ends == entries.OUT
    if name == "rank":
        paid, paid_alone = results.ranks, alone_by_rank
    elif name == "margin":
        paid, paid_alone = by_margin(results.leads, out), alone_by_margin
    else:
        raise ConfigError(f"there is no final reward {name!r}: choose rank or margin")
    return np.where(alone, paid_alone(results.scores, out), paid) if alone.any() else paid


def by_margin(leads: Ints, out: npt.NDArray[np.bool_]) -> Floats:
    """The lead over the best other player still in the game, scaled; -1 if eliminated (n, players)."""
    return np.where(out, -1.0, np.clip(leads / POINTS, -1, 1)).astype(np.float32)


def against_others(gains: Ints, players: Ints | int) -> Floats:
    """Each player's gain minus the mean gain of the others, scaled; 0 where nobody sits (n, seats)."""
    others = (gains.sum(axis=1, keepdims=True) - gains) / np.maximum(players - 1, 1)
    seated = np.arange(gains.shape[1]) < players
    return np.where(seated, (gains - others) / POINTS, 0).astype(np.float32)


def pay(name: str, states: batch.States, ended: npt.NDArray[np.bool_], visible: Ints) -> Floats:
    """The reward of every seat since the last call (n, seats); games can have fewer players than seats.

    `ended` (n, seats) marks the seats whose game has ended and been rewarded; `visible` (n, seats) holds the
    public scores at the last call; both are updated in place.
    """
    paid, seats = np.zeros(ended.shape, np.float32), ended.shape[1]
    if name == "score":
        now = batch.visible_scores(states)[:, :seats]
        paid += np.where(ended, 0, against_others(now - visible, states["rules"]["players"][:, None]))
        visible[:] = now
    leaving = (batch.over(states)[:, None] | (states["borough"]["out"][:, :seats] > 0)) > ended
    if len(rows := np.flatnonzero(leaving.any(axis=1))):
        paid[rows] += pay_ends(name, batch.results(states, rows), states, rows, ended, visible)
    return paid


def pay_ends(
    name: str,
    results: batch.Results,
    states: batch.States,
    rows: Ints,
    ended: npt.NDArray[np.bool_],
    visible: Ints,
) -> Floats:
    """What `pay` pays in some games to the seats whose game ends now (rows, seats); marks them in `ended`."""
    players = states["rules"]["players"][rows, None]
    done, seats = ended[rows], ended.shape[1]
    leaving = (results.ends[:, :seats] > 0) > done
    ended[rows] = done | leaving
    if name == "score":
        return np.where(leaving, against_others(results.scores[:, :seats] - visible[rows], players), 0)
    return np.where(leaving, final(name, results, players)[:, :seats], np.float32(0))


def checked(name: str) -> str:
    """The name of a reward, or a ConfigError."""
    if name not in REWARDS:
        raise ConfigError(f"there is no reward {name!r}: choose from {', '.join(REWARDS)}")
    return name
