"""What every way to train shares: the net, its optimiser, the curriculum, and when to keep and evaluate."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from smallcity_agents import AgentError, make
from smallcity_agents.net import checkpoint
from smallcity_env.terminal import Interrupt, Progress

from . import config, evaluation
from .games import Tables
from .net import Net
from .run import Run


class Learner:
    """A net that is being trained in a run's folder; each way says what an update is."""

    def __init__(self, run: Run, wanted: Any) -> None:
        torch.set_num_threads(wanted.threads)
        torch.manual_seed(wanted.seed)
        self.run, self.config = run, wanted
        self.chance = np.random.default_rng(wanted.seed)
        self.net, self.mean = made_net(wanted), made_net(wanted)
        self.mean.load_state_dict(self.net.state_dict())
        self.optimiser: torch.optim.Optimizer = adam(self.net, wanted.learning_rate)
        self.steps, self.games, self.stage = 0, 0, 0
        self.tables = self.seat_down()

    # -- what a way says

    def update(self) -> dict[str, float]:
        """Play, learn, and say how it went; adds to `steps` and `games`."""
        raise NotImplementedError

    def kept(self) -> dict[str, Any]:
        """Everything that is needed to go on exactly from here."""
        return {
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "torch": torch.get_rng_state(),
            "chance": self.chance.bit_generator.state,
            "games": self.games,
            "stage": self.stage,
            "tables": self.tables.kept(),
        }

    def go_on(self, kept: dict[str, Any]) -> None:
        """Go on exactly from what was kept."""
        self.steps, self.games, self.stage = kept["steps"], kept["games"], kept["stage"]
        self.net.load_state_dict(kept["net"])
        self.mean.load_state_dict(kept["mean"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.tables = self.seat_down()
        self.tables.go_on(kept["tables"])
        self.chance.bit_generator.state = kept["chance"]
        torch.set_rng_state(kept["torch"])

    # -- the run

    def seat_down(self) -> Tables:
        """The games of the present stage of the curriculum."""
        seed = self.config.seed + self.stage * self.config.games
        return Tables(self.config.stages[self.stage], self.config.games, seed)

    def learn(self, until: int | None = None) -> None:
        """Train to the end, or until so many steps; ctrl-C keeps what is there and stops."""
        last = self.config.steps if until is None else until
        bar = Progress(self.config.steps, begun=self.steps)
        self._evaluate_first()
        with Interrupt() as interrupt:
            while self.steps < last and not interrupt.wanted:
                began, before = time.monotonic(), self.steps
                self._next_stage()
                self._anneal()
                told = self.update()
                told |= {"games": self.games, "steps/s": (self.steps - before) / (time.monotonic() - began)}
                self.run.tell(self.steps, told)
                bar.show(self.steps, self._words(told))
                self.milestones(before)
        bar.close()
        self.keep()
        self.run.close()
        if interrupt.wanted:
            raise KeyboardInterrupt

    def _words(self, told: dict[str, float]) -> str:
        """Progress in one line."""
        return f"{self.steps:,} steps, {told['steps/s']:,.0f}/s, {self.games:,} games{self.standing}"

    standing = ""  # the last evaluation in words

    def _evaluate_first(self) -> None:
        """The curve begins where the run does."""
        if self.steps == 0:
            self._evaluate()

    def _next_stage(self) -> None:
        """Go on to the next stage of the curriculum when its time has come."""
        stages = self.config.stages
        while self.steps >= stages[self.stage].until * self.config.steps and self.stage < len(stages) - 1:
            self.stage += 1
            self.tables = self.seat_down()
            self.new_tables()

    def new_tables(self) -> None:
        """What else changes with the games."""

    def _anneal(self) -> None:
        """The learning rate falls in a line."""
        left = 1 - min(self.steps / self.config.steps, 1)
        self.rate = self.config.learning_rate * (self.config.anneal + (1 - self.config.anneal) * left)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate

    def milestones(self, before: int) -> None:
        """Evaluate and keep when so many steps are done."""
        if passed(before, self.steps, self.config.evaluate_every):
            self._evaluate()
        if passed(before, self.steps, self.config.checkpoint_every):
            self.keep()

    def _evaluate(self) -> None:
        """Play the anchors."""
        wanted = self.config
        found = evaluation.evaluate(self.run, self.mean, self.steps, wanted.anchors, wanted.evaluate_games)
        wins = [f"{name} {found[f'wins {name}']:.0%}" for name in wanted.anchors]
        self.standing = f", beats {', '.join(wins)}"

    def keep(self) -> Path:
        """A checkpoint from which the run can go on."""
        return self.run.keep(self.mean, self.steps, self.config.stages[self.stage].reward, self.kept())

    def descend(self, loss: torch.Tensor) -> None:
        """One step of the optimiser."""
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.max_slope)
        self.optimiser.step()
        self.follow()

    @torch.no_grad()
    def follow(self) -> None:
        """The mean of the weights goes after the weights: it plays better than they do at any one time."""
        for mean, weight in zip(self.mean.parameters(), self.net.parameters(), strict=True):
            mean.lerp_(weight, 1 - self.config.average)


def adam(net: Net, rate: float) -> torch.optim.Adam:
    """The optimiser of every way."""
    return torch.optim.Adam(net.parameters(), lr=rate, eps=1e-5, fused=True)


def minibatches(order: npt.NDArray[np.int64], size: int) -> list[npt.NDArray[np.int64]]:
    """About equal parts of at most so many: a part of one alone would have no spread to be measured by."""
    return np.array_split(order, -(-len(order) // size))


def passed(before: int, now: int, every: int) -> bool:
    """Whether a multiple was reached or passed."""
    return before // every < now // every


def check(wanted: config.Common) -> None:
    """Refuse agents and checkpoints that are not there, before anything is begun."""
    made_net(wanted)
    for name in wanted.agents():
        make(name)


def made_net(wanted: config.Common) -> Net:
    """A new net, or that of the checkpoint to begin with."""
    net = Net(wanted.net.channels, wanted.net.district, wanted.net.trunk)
    if wanted.start:
        arrays, _ = checkpoint.read(Path(wanted.start))
        try:
            net.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
        except RuntimeError:
            raise AgentError(f"the net of {wanted.start} has another size than {wanted.net}") from None
    return net
