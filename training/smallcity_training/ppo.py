"""`smallcity train ppo`: proximal policy optimisation in self-play, from configuration to checkpoint.

`PPO.train` repeats an update: play a rollout of `horizon` decisions in each of `games` games, estimate
advantages seat by seat (gae.py), and take minibatch steps on the clipped objective. One net (net.py) plays
every seat; in some games an opponent (opponent_pool.py) takes all seats but one, and its decisions are played
but not trained on.

Around it: parallel.py shares the rows of a batch among threads, resume.py saves and restores a run.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import numpy as np
import numpy.typing as npt
import torch
from msgspec import Meta, field
from torch import Tensor

from smallcity_agents import AgentError
from smallcity_agents.net import checkpoint
from smallcity_agents.net.features import LAYERS, SCALARS, Features
from smallcity_env.config import ConfigError
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS, SPACES
from smallcity_env.terminal import Progress, Refused, duration

from . import gae
from .config import (
    Coefficient,
    Count,
    Decay,
    Device,
    Fraction,
    Games,
    LearningRate,
    NetSize,
    Section,
    Seed,
    Share,
    Stage,
    Threads,
    torch_device,
)
from .evaluation import TorchPolicy, evaluate, summary
from .games import GameBatch
from .net import Net, load_weights, update_ema
from .opponent_pool import OpponentPool
from .parallel import Batch, GradientWorkers, Metrics
from .resume import Resumable
from .run import Run, read_log

INPUTS: Final = (*Features._fields, "legal")  # what the net takes, in this order
ILLEGAL: Final = -1e9  # the logit of an illegal action
NEGLIGIBLE: Final = -80.0  # a log-probability that adds nothing to a float32
Ints = npt.NDArray[np.int64]


class CommonConfig(Section):
    """Hyper-parameters that imitation shares."""

    seed: Seed = 0
    threads: Threads = 1  # that share the rows of a batch
    device: Device = "auto"  # of the nets: cpu, cuda, or auto: cuda where torch finds it
    steps: Count = 1_000_000  # decisions to train on
    games: Games = 256  # played in parallel, in one batch
    start: str = ""  # a checkpoint to initialise the net from; empty: random weights
    start_temperature: Share = 1.0  # divides its logits: below 1, samples stay closer to its best answers
    net: NetSize = field(default_factory=NetSize)
    greedy_logits: Fraction = 0.0  # a new net's weight of greedy's points; 0: never seen, 0.5: acts like it
    horizon: Count = 64  # decisions per game and rollout
    epochs: Count = 2  # passes over each rollout
    minibatch_size: Count = 512
    learning_rate: LearningRate = 3e-4
    final_lr_fraction: Fraction = 0.1  # the learning rate decays linearly to this fraction
    max_grad_norm: Annotated[float, Meta(gt=0, le=1000)] = 0.5
    ema_decay: Decay = 0.998  # checkpoints hold an exponential moving average of the weights; 0: the weights
    gamma: Fraction = 1.0  # discount between two decisions of the same seat
    gae_lambda: Fraction = 0.95
    vf_coef: Coefficient = 0.5  # weight of the value loss
    checkpoint_every: Count = 200_000  # steps
    evaluate_every: Count = 200_000  # steps; also before the first update and after the last
    evaluate_games: Count = 100  # two-player games against each anchor, in pairs with seats swapped
    anchors: list[str] = field(default_factory=lambda: ["random", "greedy"])  # agents to evaluate against
    stages: list[Stage] = field(default_factory=lambda: [Stage()])  # the curriculum

    def __post_init__(self) -> None:
        ends = [stage.until for stage in self.stages]
        if not ends or ends != sorted(set(ends)) or ends[-1] != 1:
            raise ConfigError(f"stages must end at increasing fractions, the last at 1.0, not {ends}")
        shares = [variant.share for stage in self.stages for variant in stage.variants]
        if min(shares) * self.games < 1:
            raise ConfigError(f"a variant with share {min(shares):g} gets none of {self.games} games")

    def agent_names(self) -> list[str]:
        """All agents the configuration names."""
        return self.anchors

    def opponent_pool(self, folder: Path) -> OpponentPool:
        """Opponents of the net: none."""
        return OpponentPool([], (0, 0), folder)


class PPOConfig(CommonConfig):
    """Hyper-parameters of PPO."""

    clip_range: Fraction = 0.2  # of the probability ratio
    ent_coef: Coefficient = 0.01  # weight of the entropy bonus
    opponents: list[str] = field(default_factory=lambda: ["greedy"])  # scripted; repeat a name to weight it
    opponents_share: Fraction = 0.25  # of the games are played against a scripted opponent
    pool_share: Fraction = 0.25  # of the games are played against a past checkpoint of this run
    pool_size: Count = 10  # checkpoints in the pool
    pool_every: Count = 200_000  # steps between checkpoints added to the pool

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.opponents_share + self.pool_share > 1:
            total = self.opponents_share + self.pool_share
            raise ConfigError(f"opponents_share and pool_share must add up to at most 1, not {total:g}")
        if self.opponents_share and not self.opponents:
            raise ConfigError("opponents_share needs opponents: name some, or set it to 0")

    def agent_names(self) -> list[str]:
        """All agents the configuration names."""
        return self.anchors + self.opponents

    def opponent_pool(self, folder: Path) -> OpponentPool:
        """Scripted opponents, and past checkpoints of the run."""
        shares = self.opponents_share, self.pool_share
        return OpponentPool(self.opponents, shares, folder, self.pool_size, self.pool_every)


class Buffer:
    """The decisions of a rollout, (horizon, games)."""

    def __init__(self, horizon: int, games: int) -> None:
        shape = horizon, games
        self.codes = np.zeros((*shape, SEATS, SPACES, len(LAYERS)), np.uint8)  # the net's inputs: Features
        self.playing = np.zeros((*shape, SEATS), np.bool_)
        self.scalars = np.zeros((*shape, SCALARS), np.float32)
        self.greedy_logits = np.zeros((*shape, ACTIONS), np.float32)
        self.legal = np.zeros((*shape, ACTIONS), np.bool_)
        self.actions, self.seats = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.values, self.log_probs = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.rewards = np.zeros((*shape, SEATS), np.float32)
        self.dones = np.zeros(shape, np.bool_)
        self.by_learner = np.zeros(shape, np.bool_)

    def store_inputs(self, t: int, rows: Ints, features: Features, legal: Any) -> None:
        """What the net saw at step t in some games."""
        for name, part in zip(INPUTS, (*features, legal), strict=True):
            getattr(self, name)[t, rows] = part


class PPO(Resumable):
    """Self-play PPO: `train` is the loop, `update` one pass of it."""

    def __init__(self, run: Run, config: Any) -> None:
        torch.set_num_threads(1)  # threads share a minibatch instead (parallel.py), which scales better
        torch.manual_seed(config.seed)
        self.run, self.config = run, config
        self.rng = np.random.default_rng(config.seed)
        self.net, self.ema = initial_net(config), initial_net(config)
        self.ema.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.Adam(self.trained(), config.learning_rate, eps=1e-5, fused=True)
        self.steps, self.finished, self.stage = 0, 0, 0  # decisions trained on, games played, curriculum
        self.buffer = Buffer(config.horizon, config.games)
        self.workers = GradientWorkers(config.threads)
        self.opponents = config.opponent_pool(run.folder / "checkpoints")
        self.evaluated = ""  # summary of the last evaluation
        self.start_stage()

    def trained(self) -> Iterator[torch.nn.Parameter]:
        """The weights to train."""
        return self.net.parameters()

    def start_stage(self) -> None:
        """Begin the games of the current stage of the curriculum and assign their seats."""
        config, stage = self.config, self.stage
        seed, with_greedy = config.seed + stage * config.games, self.net.uses_greedy()
        self.games = GameBatch(config.stages[stage], config.games, seed, with_greedy)
        self.opponents.reset(self.games.players, config.seed + stage)

    # -- the loop

    def train(self, until: int | None = None) -> None:
        """Train to the end or to this many steps; ctrl-C saves the run as of the last update."""
        config, last = self.config, self.config.steps if until is None else until
        progress = Progress(config.steps, begun=self.steps)
        with self.saving() as completed:
            if self.steps == 0:
                self.evaluate()
            while self.steps < last:
                began, before = time.monotonic(), self.steps
                self._advance_curriculum()
                self._set_learning_rate()
                metrics = self.update()
                speed = (self.steps - before) / (time.monotonic() - began)
                self.run.log(self.steps, metrics | {"games": self.finished, "steps_per_second": speed})
                if passed(before, self.steps, self.opponents.every):
                    self.opponents.add_checkpoint(self.save().name)
                if passed(before, self.steps, config.evaluate_every):
                    self.evaluate()
                if passed(before, self.steps, config.checkpoint_every):
                    self.save()
                completed()
                done = f"{self.steps:,} steps, {speed:,.0f}/s, {self.finished:,} games{self.evaluated}"
                progress.show(self.steps, done)
            progress.close()
            self.evaluate()

    def _advance_curriculum(self) -> None:
        stages = self.config.stages
        while self.stage < len(stages) - 1 and self.steps >= stages[self.stage].until * self.config.steps:
            self.stage += 1
            self.start_stage()

    def _set_learning_rate(self) -> None:
        remaining, final = 1 - min(self.steps / self.config.steps, 1), self.config.final_lr_fraction
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * (final + (1 - final) * remaining)

    def update(self) -> Metrics:
        """Play a rollout and train on the learner's decisions."""
        self.opponents.set_opponent(self.opponents.draw_checkpoint(self.rng), self.net)
        return self.learn(*self.rollout())

    # -- the rollout

    def rollout(self) -> tuple[Batch, Ints]:
        """Play `horizon` decisions in every game; return them, and the rows the learner can train on."""
        for t in range(self.config.horizon):
            self._step(t)
        games, b = self.games, self.buffer
        *_, last_values = self.workers.predict(self.net, games.inputs, games.legal)
        played = gae.Trajectories(b.seats, b.values, b.rewards, b.dones, games.seats, last_values.numpy())
        estimates = gae.advantages(played, self.config.gamma, self.config.gae_lambda)
        data = {name: flatten(getattr(b, name)) for name in (*INPUTS, "actions", "log_probs")}
        data |= {name: flatten(array) for name, array in estimates._asdict().items()}
        return data, np.flatnonzero(estimates.valid & b.by_learner)

    def _step(self, t: int) -> None:
        """One decision in every game, by an opponent or the learner."""
        games, buffer = self.games, self.buffer
        buffer.seats[t] = games.seats
        rows = self.opponents.act(games, buffer.actions[t])
        if len(rows):
            self._decide(t, rows)
        buffer.by_learner[t] = False
        buffer.by_learner[t, rows] = True
        buffer.rewards[t], buffer.dones[t] = games.step(buffer.actions[t])
        ended = np.flatnonzero(buffer.dones[t])
        self.finished += len(ended)
        self.opponents.assign_seats(ended)

    def _decide(self, t: int, rows: Ints) -> None:
        """Sample the learner's actions from the net."""
        buffer, legal = self.buffer, self.games.legal[rows]
        features, logits, values = self.workers.predict(self.net, self.games.inputs[rows], legal)
        log_probs = masked_log_probs(logits, torch.from_numpy(legal))
        actions = sample(log_probs)
        buffer.store_inputs(t, rows, features, legal)
        buffer.actions[t, rows], buffer.values[t, rows] = actions.numpy(), values.numpy()
        buffer.log_probs[t, rows] = log_probs.gather(1, actions[:, None])[:, 0].numpy()

    # -- learning from it

    def learn(self, data: Batch, rows: Ints) -> Metrics:
        """Take minibatch steps on some rows of the data; return the mean metrics."""
        if not len(rows):
            raise Refused(f"nothing to train on: a horizon of {self.config.horizon} is too short")
        self.steps += len(rows)
        history: list[Metrics] = []
        for _ in range(self.config.epochs):
            for part in minibatches(self.rng.permutation(rows), self.config.minibatch_size):
                index = torch.from_numpy(part)
                batch = {name: tensor[index].to(self.net.place.device) for name, tensor in data.items()}
                batch["advantages"] = normalised(batch["advantages"])
                history.append(self.workers.backward(self.loss, batch, self.net))
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.max_grad_norm)
                self.optimizer.step()
                update_ema(self.ema, self.net, self.config.ema_decay)  # plays better than the net itself
        metrics = {key: float(np.mean([metrics[key] for metrics in history])) for key in history[0]}
        return metrics | {"explained_variance": explained_variance(data, rows)}

    def loss(self, batch: Batch) -> tuple[Tensor, Metrics]:
        """The clipped policy loss, the value loss and the entropy bonus, as means over a batch."""
        logits, values = self.net(*(batch[name] for name in INPUTS))
        log_probs = masked_log_probs(logits, batch["legal"])
        log_ratio = log_probs.gather(1, batch["actions"][:, None])[:, 0] - batch["log_probs"]
        ratio, clip, advantages = log_ratio.exp(), self.config.clip_range, batch["advantages"]
        policy_loss = -torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()
        value_loss = (values - batch["returns"]).square().mean()
        entropy = entropies(log_probs).mean()
        loss = policy_loss + self.config.vf_coef * value_loss - self.config.ent_coef * entropy
        return loss, {
            "policy_loss": policy_loss.item(),
            "value_loss": value_loss.item(),
            "entropy": entropy.item(),
            "approx_kl": (ratio.detach() - 1 - log_ratio.detach()).mean().item(),
            "clip_fraction": ((ratio.detach() - 1).abs() > clip).float().mean().item(),
        }

    # -- evaluation

    def evaluate(self) -> None:
        """Play the anchors with the averaged weights, unless the curve has these steps already."""
        config, curve = self.config, read_log(self.run.folder)
        if self.steps not in (line["steps"] for line in curve):
            evaluate(self.run, TorchPolicy(self.ema), self.steps, config.anchors, config.evaluate_games)
        self.evaluated = f"; {summary(read_log(self.run.folder)[-1])}"

    def report(self) -> str:
        """A summary of the run: its length, the first and the last evaluation, and the checkpoint."""
        curve, took = read_log(self.run.folder), duration(self.run.hours() * 3600)
        evaluations = dict.fromkeys([summary(curve[0]), summary(curve[-1])])
        lines = [f"{self.steps:,} steps, {self.finished:,} games, {took}", *evaluations]
        return "\n".join([*lines, f"play it: policy:checkpoint={self.run.checkpoints()[-1]}"])


def initial_net(config: CommonConfig) -> Net:
    """A new net, or the one of the checkpoint to start from, on its device."""
    net = Net(**msgspec.to_builtins(config.net), greedy_logits=config.greedy_logits)
    if config.start:
        arrays, _ = checkpoint.read(Path(config.start))
        try:
            load_weights(net, arrays)
        except RuntimeError:
            raise AgentError(f"the net of {config.start} is not of size {config.net}") from None
        net.divide_logits(config.start_temperature)
    return net.to(torch_device(config.device))


def passed(before: int, now: int, every: int) -> bool:
    """Whether a multiple of `every` was reached or passed; 0: never."""
    return bool(every) and before // every < now // every


def flatten(array: npt.NDArray[Any]) -> Tensor:
    """An array (horizon, games, ...) as a tensor with one row per decision, without a copy."""
    return torch.from_numpy(array.reshape(-1, *array.shape[2:]))


def minibatches(order: Ints, size: int) -> list[Ints]:
    """Split into near-equal parts of at most `size`: a minibatch of one has no std to normalise by."""
    return np.array_split(order, -(-len(order) // size))


def normalised(advantages: Tensor) -> Tensor:
    """Advantages of a minibatch with mean 0 and std 1."""
    return advantages if len(advantages) < 2 else (advantages - advantages.mean()) / (advantages.std() + 1e-8)


def masked_log_probs(logits: Tensor, legal: Tensor) -> Tensor:
    """Log-probabilities of the actions; practically zero probability where illegal."""
    return torch.log_softmax(logits.masked_fill(~legal, ILLEGAL), dim=1)


def entropies(log_probs: Tensor) -> Tensor:
    """The entropy of each row (n,); the clamp spares exp its underflow, which takes eight times as long."""
    return -(log_probs.clamp(min=NEGLIGIBLE).exp() * log_probs).sum(dim=1)


def sample(log_probs: Tensor) -> Tensor:
    """Sample one action per row (Gumbel-max trick)."""
    return (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(dim=1)


def explained_variance(data: Batch, rows: Ints) -> float:
    """The share of the variance of known returns that the values explain."""
    known = rows[data["valid"].numpy()[rows]]
    errors, returns = data["advantages"].numpy()[known], data["returns"].numpy()[known]
    return 1 - float(errors.var() / max(float(returns.var()), 1e-8))
