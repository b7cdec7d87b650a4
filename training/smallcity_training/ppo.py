"""`smallcity train ppo`: proximal policy optimisation in self-play, one net on every seat.

An update plays a rollout of `horizon` decisions in each of `games` games, estimates advantages seat by seat,
and takes minibatch steps on the clipped objective. Opponents' decisions are played but not trained on.
"""

from typing import Annotated

import numpy as np
import torch
from msgspec import Meta, field
from torch import Tensor

from smallcity_env.config import ConfigError

from .buffer import INPUTS, Ints, entropies, explained_variance, flatten, masked_log_probs, sample
from .config import Coefficient, Common, Count, Fraction
from .opponent_pool import OpponentPool
from .parallel import Batch, Metrics
from .run import Run
from .state import State
from .trainer import Trainer, passed


class PPOConfig(Common):
    """Hyper-parameters of PPO, besides those every method shares."""

    clip_range: Fraction = 0.2  # of the probability ratio
    ent_coef: Coefficient = 0.01  # weight of the entropy bonus
    opponents: list[str] = field(default_factory=lambda: ["greedy"])  # scripted; repeat a name to weight it
    opponents_share: Fraction = 0.25  # of the games are played against a scripted opponent
    pool_share: Fraction = 0.25  # of the games are played against a past checkpoint of this run
    pool_size: Count = 10  # checkpoints in the pool
    pool_every: Count = 200_000  # steps between checkpoints added to the pool
    streams: Annotated[int, Meta(ge=0, le=10**5)] = 0  # batches of games for workers; 0: one, in this process
    max_lag: Annotated[int, Meta(ge=0, le=100)] = 4  # a rollout more updates behind than this is dropped

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


class PPO(Trainer):
    """Self-play PPO."""

    def __init__(self, run: Run, config: PPOConfig) -> None:
        super().__init__(run, config)
        shares = config.opponents_share, config.pool_share
        folder = run.folder / "checkpoints"
        self.opponents = OpponentPool(config.opponents, shares, config.pool_size, folder)
        self.start_stage()

    def start_stage(self) -> None:
        """Begin the games of a stage and assign their seats."""
        super().start_stage()
        self.opponents.reset(self.games.players, self.config.seed + self.stage)

    def update(self) -> Metrics:
        """Play a rollout and train on the learner's decisions."""
        self.opponents.face(self.opponents.draw_checkpoint(self.rng), self.net)
        data, used = self.rollout()
        return self.learn(data, used)

    def rollout(self) -> tuple[dict[str, Tensor], Ints]:
        """Play `horizon` decisions in every game; return them, and the rows the learner can train on."""
        for t in range(self.config.horizon):
            self._step(t)
        estimates = self.estimate_advantages()
        data = self.buffer.tensors("actions", "log_probs")
        data |= {"advantages": flatten(estimates.advantages), "returns": flatten(estimates.returns)}
        return data, np.flatnonzero(estimates.valid & self.buffer.by_learner)

    def learn(self, data: dict[str, Tensor], used: Ints) -> Metrics:
        """Train on some decisions."""
        self.steps += len(used)
        metrics = self.fit(data, used)
        advantages, returns = data["advantages"].numpy()[used], data["returns"].numpy()[used]
        return metrics | {"explained_variance": explained_variance(advantages, returns)}

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

    @torch.no_grad()
    def _decide(self, t: int, rows: Ints) -> None:
        """Sample the learner's actions from the net."""
        buffer, legal = self.buffer, self.games.legal[rows]
        features, logits, values = self.workers.predict(self.net, self.games.inputs[rows], legal)
        log_probs = masked_log_probs(logits, torch.from_numpy(legal))
        actions = sample(log_probs)
        buffer.store(t, rows, features, legal)
        buffer.actions[t, rows], buffer.values[t, rows] = actions.numpy(), values.numpy()
        buffer.log_probs[t, rows] = log_probs.gather(1, actions[:, None])[:, 0].numpy()

    def prepare(self, batch: Batch) -> Batch:
        """Normalise the advantages of a minibatch."""
        advantages = batch["advantages"]
        if len(advantages) > 1:
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        return batch | {"advantages": advantages}

    def loss(self, batch: Batch) -> tuple[Tensor, Metrics]:
        """The clipped policy loss, the value loss and the entropy bonus."""
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

    def reached(self, before: int) -> None:
        """Also add the current net to the opponent pool at its interval."""
        if passed(before, self.steps, self.config.pool_every):
            self.opponents.add_checkpoint(self.save().name)
        super().reached(before)

    def state_dict(self) -> State:
        """Also the opponent pool."""
        return super().state_dict() | {"opponents": self.opponents.state_dict()}

    def load_state_dict(self, saved: State) -> None:
        """Also the opponent pool."""
        super().load_state_dict(saved)
        self.opponents.load_state_dict(saved["opponents"])
