"""envpool: backgammon in C++, 1,024 games at once, one thread.

A run is several steps of the whole batch, with observations (of both players) and masks. The answers are
chosen by the same compiled code as ours. A step that only begins a new game is not a decision; forced
answers count as decisions, and their share is estimated beforehand from a few hundred steps, which also
desynchronise the games.
"""

from importlib import import_module
from typing import Any, Final

import numpy as np

from smallcity_env import batch
from smallcity_env.rules.rng import streams

from ..measure import AMONG, Case, Ready, Tally

BATCH: Final = 1024
STEPS: Final = 8  # of one run
SAMPLE: Final = 300  # steps in which forced answers are counted


def cases() -> list[Case]:
    """Backgammon."""
    what = f"envpool backgammon, {BATCH:,} games, observation and mask"
    counts = "steps of the whole batch; forced answers count as decisions"
    return [Case("envpool/backgammon", "envpool", what, counts, _prepare, forced=AMONG, needs=("envpool",))]


class _Pool:
    """The games and their current masks."""

    def __init__(self) -> None:
        make = import_module("envpool").make_gymnasium
        self.env = make("Backgammon-v1", num_envs=BATCH, batch_size=BATCH, num_threads=1, seed=0)
        self.info: Any = self.env.reset()[1]
        self.masks, self.streams = batch.new_masks(BATCH), streams(np.arange(BATCH))

    def play(self, steps: int) -> int:
        """Take random steps; return how many games ended."""
        ended = 0
        for _ in range(steps):
            legal = self.info["legal_action_mask"]
            self.masks[:, : legal.shape[1]] = legal  # padded to our width, for our random choice
            chosen = batch.pick(self.masks, self.streams).astype(np.int32)
            _, _, over, _, self.info = self.env.step(chosen, self.info["env_id"])
            ended += int(np.count_nonzero(over))
        return ended


def _prepare() -> Ready:
    pool = _Pool()
    alone = 0
    for _ in range(SAMPLE):
        pool.play(1)
        alone += int((pool.info["legal_action_mask"].sum(axis=1) == 1).sum())
    share = alone / (SAMPLE * BATCH)

    def tally(ended: int) -> Tally:
        done = STEPS * BATCH - ended
        return Tally(done, round(share * done), ended)

    return Ready(lambda: pool.play(STEPS), tally)
