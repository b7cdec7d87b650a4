"""The learner: decisions that `smallcity train ppo` has learned from, with its default net and settings."""

import tempfile
from pathlib import Path
from typing import Final

from .measure import CORES, UNSEEN, Case, Ready, Tally
from .ours import GROUP

KEY: Final = "train/ppo"


def cases() -> list[Case]:
    """PPO in self-play."""
    cores = min(2, CORES)
    what = f"smallcity train ppo, default settings, {cores} cores"
    counts = "updates: a rollout and two passes over what the learner decided in it"
    return [
        Case(KEY, GROUP, what, counts, _prepare, "learned decisions", UNSEEN, cores=cores, needs=("torch",))
    ]


def _prepare() -> Ready:
    from smallcity_training.ppo import PPO, PPOConfig
    from smallcity_training.run import Run

    config = PPOConfig(threads=min(2, CORES))
    folder = tempfile.TemporaryDirectory()
    trainer = PPO(Run.create(Path(folder.name) / "run", "ppo", config), config)

    def update() -> Tally:
        before, finished = trainer.steps, trainer.finished
        trainer.update()
        return Tally(trainer.steps - before, 0, trainer.finished - finished)

    def tally(done: Tally, _folder: object = folder) -> Tally:  # the folder lasts as long as the case
        return done

    return Ready(update, tally)
