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


def final(name: str, results: batch.Results, players: int) -> Floats:
    """The rank or margin rewards of games that end now (n, players)."""
    scores, out = results.scores[:, :players], results.ends[:, :players] == entries.OUT
    if name == "rank":
        return alone_by_rank(scores, out) if players == 1 else results.ranks[:, :players]
    if name == "margin":
        return alone_by_margin(scores, out) if players == 1 else by_margin(results.leads[:, :players], out)
    raise ConfigError(f"there is no final reward {name!r}: choose rank or margin")


def by_margin(leads: Ints, out: npt.NDArray[np.bool_]) -> Floats:
    """The lead over the best other player still in the game, scaled; -1 if eliminated (n, players)."""
    return np.where(out, -1.0, np.clip(leads / POINTS, -1, 1)).astype(np.float32)


def against_others(gains: Ints) -> Floats:
    """Each player's gain minus the mean gain of the others, scaled (n, players)."""
    players = gains.shape[1]
    if players == 1:
        return (gains / POINTS).astype(np.float32)
    others = (gains.sum(axis=1, keepdims=True) - gains) / (players - 1)
    return np.asarray((gains - others) / POINTS, np.float32)


def pay(name: str, states: batch.States, ended: npt.NDArray[np.bool_], visible: Ints) -> Floats:
    """The reward of every seat since the last call (n, players).

    `ended` (n, players) marks the seats whose game has ended and been rewarded; `visible` (n, players)
    holds the public scores at the last call; both are updated in place.
    """
    players = ended.shape[1]
    over, out = batch.over(states)[:, None], states["borough"]["out"][:, :players] > 0
    leaving = (over | out) > ended
    paid = np.zeros(ended.shape, np.float32)
    if name == "score":
        now = batch.visible_scores(states)[:, :players]
        paid += np.where(ended, 0, against_others(now - visible))
        visible[:] = now
    if len(rows := np.flatnonzero(leaving.any(axis=1))):
        final_rewards = _final_rewards(name, batch.results(states, rows), visible[rows])
        paid[rows] += np.where(leaving[rows], final_rewards, 0)
    ended |= leaving
    return paid


def pay_ends(name: str, results: batch.Results, ended: npt.NDArray[np.bool_]) -> Floats:
    """The rank or margin rewards of the seats whose game ends now (n, players); marks them in `ended`."""
    players = ended.shape[1]
    leaving = (results.ends[:, :players] > 0) > ended
    ended |= leaving
    return np.where(leaving, final(name, results, players), np.float32(0))


def pay_rows(
    name: str, states: batch.States, rows: Ints, ended: npt.NDArray[np.bool_], visible: Ints
) -> Floats:
    """`pay` for some games (rows, players); the score reward is paid in all of them."""
    if name == "score" or len(rows) == len(states) > 1:
        return pay(name, states, ended, visible)
    done = ended[rows]
    paid = pay_ends(name, batch.results(states, rows), done)
    ended[rows] = done
    return paid


def pay_mixed(
    name: str, states: batch.States, rows: Ints, ended: npt.NDArray[np.bool_], visible: Ints
) -> Floats:
    """`pay` for some games with different numbers of players (rows, most players)."""
    paid, counts = np.zeros((len(rows), ended.shape[1]), np.float32), states["rules"]["players"][rows]
    for players in np.unique(counts).tolist():
        here = np.flatnonzero(counts == players)
        some, seats = rows[here, None], np.arange(players)
        done, seen = ended[some, seats], visible[some, seats]
        paid[here[:, None], seats] = pay(name, batch.take(states, rows[here]), done, seen)
        ended[some, seats], visible[some, seats] = done, seen
    return paid


def _final_rewards(name: str, results: batch.Results, visible: Ints) -> Floats:
    """The final rewards of seats whose game ends (n, players)."""
    players = visible.shape[1]
    if name == "score":
        return against_others(results.scores[:, :players] - visible)
    return final(name, results, players)


def checked(name: str) -> str:
    """The name of a reward, or a ConfigError."""
    if name not in REWARDS:
        raise ConfigError(f"there is no reward {name!r}: choose from {', '.join(REWARDS)}")
    return name
