"""What a game pays its players, for whole batches: rank, margin and score.

rank    at the end, or on elimination: +1 for the first place down to -1 for the last, evenly spaced;
        equal players share the mean of their places. The table sums to 0.
margin  at the end, or on elimination: the difference to the best other score / 100, from -1 to 1;
        an eliminated player gets -1.
score   at every step: the change of what everybody can see of your score (condition less pollution)
        less the mean change of the others, / 100; promises come at the end. Over a whole game without
        eliminations: your score less the mean of the others, less the same at the start.

Alone: rank is the step reached on the scale of SO1, from 0 (Recalled) to 1 (Legend); margin is how
far the score lies above the step below, as a share of the way to the next one; score the change itself.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .. import batch
from ..config import ConfigError
from ..rules.tables.cards import SCALE

REWARDS: Final = ("rank", "margin", "score")
POINTS = 100  # scores are scaled by this
FAR = 10.0**6  # more than any score
_STEPS: Final = np.array([least for least, _ in SCALE])

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


def by_rank(places: Ints, players: int) -> Floats:
    """+1 for the first place down to -1 for the last; equal players share the mean (n, players)."""
    tied = (places[:, :, None] == places[:, None, :]).sum(axis=2)
    mean_place = places + (tied - 1) / 2
    return np.asarray(1 - 2 * mean_place / (players - 1), np.float32)


def ahead(scores: npt.NDArray[Any], out: npt.NDArray[np.bool_]) -> Floats:
    """How far each is ahead of the best other who is still in; very far if nobody is (n, players)."""
    players = scores.shape[1]
    standing = np.where(out, -FAR, scores)
    others = np.where(np.eye(players, dtype=bool), -FAR, standing[:, None, :].repeat(players, axis=1))
    return np.asarray(scores - others.max(axis=2), np.float32)


def by_margin(scores: Ints, out: npt.NDArray[np.bool_]) -> Floats:
    """The difference to the best other who is still in, scaled; -1 for the eliminated (n, players)."""
    return np.where(out, -1.0, np.clip(ahead(scores, out) / POINTS, -1, 1)).astype(np.float32)


def alone_by_rank(scores: Ints, out: npt.NDArray[np.bool_]) -> Floats:
    """The step reached on the scale, 0 to 1 (n, 1)."""
    step = np.searchsorted(_STEPS, scores, side="right")
    return np.where(out, 0.0, step / len(_STEPS)).astype(np.float32)


def alone_by_margin(scores: Ints, out: npt.NDArray[np.bool_]) -> Floats:
    """The share of the way from the step below to the next one; below the scale, negative (n, 1)."""
    step = np.searchsorted(_STEPS, scores, side="right")
    width = int(_STEPS[1] - _STEPS[0])
    below = np.where(step > 0, _STEPS[np.maximum(step - 1, 0)], 0)
    return np.where(out, -1.0, np.clip((scores - below) / width, -1, 1)).astype(np.float32)


def final(name: str, scores: Ints, places: Ints, out: npt.NDArray[np.bool_]) -> Floats:
    """The reward of finished games (n, players) for rank and margin."""
    players = scores.shape[1]
    if name == "rank":
        return alone_by_rank(scores, out) if players == 1 else by_rank(places, players)
    if name == "margin":
        return alone_by_margin(scores, out) if players == 1 else by_margin(scores, out)
    raise ConfigError(f"there is no final reward {name!r}: choose rank or margin")


def against_others(gains: Ints) -> Floats:
    """Each player's gain less the mean gain of the others, scaled (n, players)."""
    players = gains.shape[1]
    if players == 1:
        return (gains / POINTS).astype(np.float32)
    others = (gains.sum(axis=1, keepdims=True) - gains) / (players - 1)
    return np.asarray((gains - others) / POINTS, np.float32)


def pay(name: str, states: batch.States, ended: npt.NDArray[np.bool_], seen: Ints) -> Floats:
    """What every seat is paid by what has just happened (n, players).

    `ended` (n, players) marks the seats whose game has ended and been paid, `seen` (n, players) holds
    the scores that could be seen before; both are brought up to date.
    """
    players = ended.shape[1]
    over, out = batch.over(states)[:, None], states["borough"]["out"][:, :players] > 0
    leaving = (over | out) & ~ended
    paid = np.zeros(ended.shape, np.float32)
    if name == "score":
        now = batch.visible_scores(states)[:, :players]
        paid += np.where(ended, 0, against_others(now - seen))
        seen[:] = now
    rows = np.flatnonzero(leaving.any(axis=1))
    if len(rows):
        parting = _parting(name, batch.take(states, rows), out[rows], seen[rows])
        paid[rows] += np.where(leaving[rows], parting, 0)
    ended |= leaving
    return paid


def _parting(name: str, states: batch.States, out: npt.NDArray[np.bool_], seen: Ints) -> Floats:
    """What those who leave the game are paid (n, players)."""
    scores, places = (found[:, : out.shape[1]] for found in batch.scores(states))
    if name == "score":
        return against_others(scores - seen)
    return final(name, scores, places, out)


def checked(name: str) -> str:
    """The name of a reward, or one sentence."""
    if name not in REWARDS:
        raise ConfigError(f"there is no reward {name!r}: choose from {', '.join(REWARDS)}")
    return name
