"""The training loop every method shares: curriculum, learning rate, checkpoints, evaluation, resume."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from smallcity_agents import AgentError
from smallcity_agents.net import checkpoint
from smallcity_env.terminal import Interrupt, Progress, Refused, duration

from . import gae, state
from .buffer import Ints, RolloutBuffer, minibatches
from .evaluation import evaluate
from .games import Games
from .net import Net, load_weights, update_ema, weights
from .parallel import Batch, GradientWorkers, Metrics
from .run import Run
from .state import State


class Trainer:
    """Trains a net in a run folder; a method implements `update` and `loss`."""

    def __init__(self, run: Run, config: Any) -> None:
        torch.set_num_threads(1)  # threads share a minibatch instead (parallel.py), which scales better

        torch.manual_seed(config.seed)
        self.run, self.config = run, config
        self.rng = np.random.default_rng(config.seed)
        self.net, self.ema = initial_net(config), initial_net(config)
        self.ema.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.Adam(self.trained(), config.learning_rate, eps=1e-5, fused=True)
        self.steps, self.finished, self.stage = 0, 0, 0  # decisions trained on, games played, curriculum
        self.buffer = RolloutBuffer(config.horizon, config.games)
        self.workers = GradientWorkers(config.threads)
        self.standing = ""  # summary of the last evaluation

    def trained(self) -> Iterator[torch.nn.Parameter]:
        """The weights to train."""
        return self.net.parameters()

    def update(self) -> Metrics:
        """Play a rollout and train on it; adds to `steps` and `finished`."""
        raise NotImplementedError

    def prepare(self, batch: Batch) -> Batch:
        """Add to a minibatch what `loss` needs to know about the whole of it."""
        return batch

    def loss(self, batch: Batch) -> tuple[torch.Tensor, Metrics]:
        """The mean loss of a part of a minibatch, and the metrics to log, also means."""
        raise NotImplementedError

    def start_stage(self) -> None:
        """Begin the games of the current stage of the curriculum."""
        seed = self.config.seed + self.stage * self.config.games
        self.games = Games(self.config.stages[self.stage], self.config.games, seed)

    def reached(self, before: int) -> None:
        """Evaluate and save at the configured intervals; `before`: steps before the last update."""
        if passed(before, self.steps, self.config.evaluate_every):
            self.evaluate()
        if passed(before, self.steps, self.config.checkpoint_every):
            self.save()

    # -- the loop

    def train(self, until: int | None = None) -> None:
        """Train to the end or to this many steps; ctrl-C saves the run as of the last update."""
        last = self.config.steps if until is None else until
        self._complete: State = {}  # the state after the last update; empty: nothing has changed
        try:
            with Interrupt() as interrupt:
                self._complete = self.state_dict()
                self._train(last, interrupt)
                self._end()
        except KeyboardInterrupt:
            if self._complete:
                self._restore(self._complete)
            self._end()
            raise

    def _end(self) -> None:
        """Save, and release the run folder."""
        self.save()
        self.run.close()

    def _train(self, last: int, interrupt: Interrupt) -> None:
        """Update until this many steps are reached."""
        progress = Progress(self.config.steps, begun=self.steps)
        if self.steps == 0:
            self.evaluate()
        while self.steps < last:
            metrics = self._timed_update()
            self._complete = self.state_dict()
            interrupt.check()
            speed = f"{metrics['steps_per_second']:,.0f}/s, {self.finished:,} games"
            progress.show(self.steps, f"{self.steps:,} steps, {speed}{self.standing}")
        progress.close()

    def _timed_update(self) -> Metrics:
        """One update with its bookkeeping."""
        began, before = time.monotonic(), self.steps
        self._advance_curriculum()
        self._set_learning_rate()
        metrics = self.update()
        speed = (self.steps - before) / (time.monotonic() - began)
        metrics |= {"games": self.finished, "steps_per_second": speed}
        self.run.log(self.steps, metrics)
        self.reached(before)
        return metrics

    def _advance_curriculum(self) -> None:
        stages = self.config.stages
        while self.stage < len(stages) - 1 and self.steps >= stages[self.stage].until * self.config.steps:
            self.stage += 1
            self.start_stage()

    def _set_learning_rate(self) -> None:
        left, final = 1 - min(self.steps / self.config.steps, 1), self.config.final_lr_fraction
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * (final + (1 - final) * left)

    # -- the parts of an update

    @torch.no_grad()
    def estimate_advantages(self) -> gae.Estimates:
        """Advantages and returns of the rollout in the buffer."""
        games = self.games
        *_, last_values = self.workers.predict(self.net, games.inputs, games.legal)
        rollout = self.buffer.rollout(games.seats, last_values.numpy())
        return gae.advantages(rollout, self.config.gamma, self.config.gae_lambda)

    def fit(self, data: Batch, rows: Ints) -> Metrics:
        """Take minibatch steps on some rows of the data; return the mean metrics."""
        if not len(rows):
            raise Refused(f"nothing to train on: a horizon of {self.config.horizon} is too short")
        history: list[Metrics] = []
        for _ in range(self.config.epochs):
            for part in minibatches(self.rng.permutation(rows), self.config.minibatch_size):
                index = torch.from_numpy(part)
                batch = self.prepare({name: tensor[index] for name, tensor in data.items()})
                history.append(self.workers.backward(self.loss, batch, self.net))
                self._optimizer_step()
        return {key: float(np.mean([metrics[key] for metrics in history])) for key in history[0]}

    def _optimizer_step(self) -> None:
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.max_grad_norm)
        self.optimizer.step()
        update_ema(self.ema, self.net, self.config.ema_decay)  # it plays better than the weights themselves

    def evaluate(self) -> None:
        """Play the anchors with the averaged weights."""
        config = self.config
        metrics = evaluate(self.run, self.ema, self.steps, config.anchors, config.evaluate_games)
        beats = [f"{name} {metrics[f'win_rate {name}']:.0%}" for name in config.anchors]
        self.standing = f", beats {', '.join(beats)}" if beats else ""

    def report(self) -> str:
        """A two-line summary of the run."""
        took = duration(self.run.hours() * 3600)
        summary = f"{self.steps:,} steps, {self.finished:,} games, {took}{self.standing}"
        return f"{summary}\nplay it: policy:checkpoint={self.run.checkpoints()[-1]}"

    # -- saving and resuming

    def save(self) -> Path:
        """Write a checkpoint and the state to resume from."""
        reward = self.config.stages[self.stage].reward
        return self.run.save(weights(self.ema), self.steps, reward, self.state_dict())

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
        }

    def load_state_dict(self, saved: State) -> None:
        """Continue from a saved state."""
        self.steps, self.finished = saved["steps"], saved["finished"]
        self.run.info["hours"] = saved["hours"]
        load_weights(self.net, saved["net"])
        load_weights(self.ema, saved["ema"])
        _load_adam_state(self.optimizer, saved["optimizer"])
        self.games.load_state_dict(saved["games"])
        self.rng.bit_generator.state = saved["rng"]
        torch.set_rng_state(torch.from_numpy(saved["torch"]))


def passed(before: int, now: int, every: int) -> bool:
    """Whether a multiple of `every` was reached or passed."""
    return before // every < now // every


def initial_net(config: Any) -> Net:
    """A new net, or the one of the checkpoint to start from."""
    net = Net(**msgspec.to_builtins(config.net), opinion=config.opinion)
    if config.start:
        arrays, _ = checkpoint.read(Path(config.start))
        try:
            load_weights(net, arrays)
        except RuntimeError:
            raise AgentError(f"the net of {config.start} is not of size {config.net}") from None
        net.divide_logits(config.start_temperature)
    return net


def _adam_state(optimizer: torch.optim.Adam) -> State:
    """Adam's moments by parameter; zeros before the first step."""
    moments: State = {}
    for k, weight in enumerate(optimizer.param_groups[0]["params"]):
        known = optimizer.state.get(weight, {})
        zeros = torch.zeros_like(weight)
        blank = {"step": torch.zeros(()), "exp_avg": zeros, "exp_avg_sq": zeros}
        moments[str(k)] = {key: known.get(key, blank[key]).numpy().copy() for key in blank}
    return moments


def _load_adam_state(optimizer: torch.optim.Adam, moments: State) -> None:
    """Set Adam's moments."""
    for k, weight in enumerate(optimizer.param_groups[0]["params"]):
        optimizer.state[weight] = {key: torch.from_numpy(array) for key, array in moments[str(k)].items()}
