"""A training that can be stopped at any point and continues exactly where it was saved."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from smallcity_env.terminal import Interrupt, Refused

from . import state
from .games import GameBatch
from .net import Net, load_weights, weights
from .opponent_pool import OpponentPool
from .run import Run
from .state import State


class Resumable:
    """Saves and restores everything that a trainer changes."""

    run: Run
    config: Any
    steps: int
    finished: int
    stage: int
    rng: np.random.Generator
    net: Net
    ema: Net
    optimizer: torch.optim.Adam
    games: GameBatch
    opponents: OpponentPool

    def start_stage(self) -> None:
        """Begin the games of the current stage."""
        raise NotImplementedError

    @contextmanager
    def saving(self) -> Iterator[Callable[[], None]]:
        """Yield what to call after each update; ctrl-C restores and saves the state of its last call."""
        complete: State = {}  # empty: nothing has changed

        def completed() -> None:
            nonlocal complete
            complete = self.state_dict()
            interrupt.check()

        try:
            with Interrupt() as interrupt:
                completed()
                yield completed
                self._close()
        except KeyboardInterrupt:
            if complete:
                self._restore(complete)
            self._close()
            raise

    def save(self) -> Path:
        """Write a checkpoint of the averaged weights, and the state to resume from."""
        reward = self.config.stages[self.stage].reward
        return self.run.save(weights(self.ema), self.steps, reward, self.state_dict())

    def _close(self) -> None:
        """Save, and release the run folder."""
        self.save()
        self.run.close()

    def resume(self) -> None:
        """Continue exactly where the run was saved."""
        saved = self.run.load_state()
        damaged = f"the training state of {self.run.folder} is damaged"
        if saved.get("stage") not in range(len(self.config.stages)):
            raise Refused(f"{damaged}: there is no such stage")
        try:
            self._restore(saved)
            if min(self.steps, self.finished) < 0:
                raise ValueError("it has trained on a negative number of steps")
        except (ValueError, TypeError, OverflowError, RuntimeError) as error:
            raise Refused(f"{damaged}: {error}") from None
        self.run.rewind(self.steps)

    def _restore(self, saved: State) -> None:
        """Check a state and continue from it."""
        torch.set_grad_enabled(True)  # a signal can interrupt `no_grad` before it restores the mode
        self.stage = saved["stage"]
        self.start_stage()
        state.check(saved, self.state_dict())
        self.load_state_dict(saved)

    def state_dict(self) -> State:
        """Everything needed to resume exactly."""
        return {
            "steps": self.steps,
            "finished": self.finished,
            "stage": self.stage,
            "hours": self.run.hours(),
            "rng": self.rng.bit_generator.state,
            "torch": torch.get_rng_state().numpy(),
            "net": weights(self.net),
            "ema": weights(self.ema),
            "optimizer": _adam_state(self.optimizer),
            "games": self.games.state_dict(),
            "opponents": self.opponents.state_dict(),
        }

    def load_state_dict(self, saved: State) -> None:
        """Continue from a saved state."""
        self.steps, self.finished = saved["steps"], saved["finished"]
        self.run.info["hours"] = saved["hours"]
        load_weights(self.net, saved["net"])
        load_weights(self.ema, saved["ema"])
        _load_adam_state(self.optimizer, saved["optimizer"])
        self.games.load_state_dict(saved["games"])
        self.opponents.load_state_dict(saved["opponents"])
        self.rng.bit_generator.state = saved["rng"]
        torch.set_rng_state(torch.from_numpy(saved["torch"]))


def _adam_state(optimizer: torch.optim.Adam) -> State:
    """Adam's moments by parameter; zeros before the first step."""
    moments: State = {}
    for k, weight in enumerate(optimizer.param_groups[0]["params"]):
        zeros = torch.zeros_like(weight)
        blank = {"step": torch.zeros(()), "exp_avg": zeros, "exp_avg_sq": zeros}
        known = blank | optimizer.state.get(weight, {})
        moments[str(k)] = {key: moment.cpu().numpy().copy() for key, moment in known.items()}
    return moments


def _load_adam_state(optimizer: torch.optim.Adam, moments: State) -> None:
    """Set Adam's moments."""
    for k, weight in enumerate(optimizer.param_groups[0]["params"]):
        arrays = moments[str(k)].items()
        optimizer.state[weight] = {key: torch.from_numpy(array).to(weight.device) for key, array in arrays}
