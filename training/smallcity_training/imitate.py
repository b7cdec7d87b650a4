"""`smallcity train imitate`: behaviour cloning and value fitting on a teacher's games.

The teacher labels every position, including those the net reaches in games of its own, so that the net
learns to recover from its mistakes (DAgger). A teacher that searches gives its improved policy, any other its
action. The value head is fitted to the returns at the same time. The loop is that of ppo.py, with labels in
place of advantages.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from smallcity_agents import make
from smallcity_agents.agent import Streams
from smallcity_agents.search.agent import Search
from smallcity_env.batch import Mask, States
from smallcity_env.rules.actions import ACTIONS

from .config import Coefficient, Count, Fraction
from .parallel import Batch, Metrics
from .ppo import INPUTS, PPO, CommonConfig, Ints, flatten, masked_log_probs, sample
from .run import Run
from .state import State


class ImitateConfig(CommonConfig):
    """Hyper-parameters of imitation, besides those of CommonConfig."""

    teacher: str = "greedy"  # any agent
    student_share: Fraction = 0.5  # of the games are played by the net
    policy_coef: Coefficient = 1.0  # weight of the policy loss; 0: only the value head is trained
    horizon: Count = 32
    epochs: Count = 1

    def agent_names(self) -> list[str]:
        """All agents the configuration names."""
        return [*self.anchors, self.teacher]


class Imitate(PPO):
    """Trains on the teacher's actions and on the returns."""

    def __init__(self, run: Run, config: ImitateConfig) -> None:
        super().__init__(run, config)
        self.teacher = make(config.teacher)
        self.targets = np.zeros((config.horizon, config.games, ACTIONS), np.float32)

    def trained(self) -> Iterator[torch.nn.Parameter]:
        """All weights; only those of the value head where the policy loss has no weight."""
        return self.net.parameters() if self.config.policy_coef else self.net.value.parameters()

    def start_stage(self) -> None:
        """Begin the games of a stage and choose those the net plays."""
        super().start_stage()
        self.by_student = self._draw_student_games(self.config.games)

    def _draw_student_games(self, n: int) -> Any:
        return self.rng.random(n) < self.config.student_share

    def rollout(self) -> tuple[Batch, Ints]:
        """Play a rollout; every decision has a label, whether or not its return is known."""
        data, _ = super().rollout()
        return data | {"targets": flatten(self.targets)}, np.arange(self.buffer.seats.size)

    def _step(self, t: int) -> None:
        """One decision in every game, by the student or the teacher; the teacher labels them all."""
        games, buffer, rows = self.games, self.buffer, np.arange(self.config.games)
        features, logits, values = self.workers.predict(self.net, games.inputs, games.legal)
        buffer.store_inputs(t, rows, features, games.legal)
        sampled = sample(masked_log_probs(logits, torch.from_numpy(games.legal))).numpy()
        buffer.seats[t], buffer.values[t] = games.seats, values.numpy()
        self.targets[t] = games.query(self._label, rows)
        actions = np.where(self.by_student, sampled, self.targets[t].argmax(axis=1))
        buffer.rewards[t], buffer.dones[t] = games.step(actions)
        ended = np.flatnonzero(buffer.dones[t])
        self.finished += len(ended)
        self.by_student[ended] = self._draw_student_games(len(ended))

    def _label(self, states: States, seats: Ints, legal: Mask, streams: Streams) -> Any:
        """The teacher's probability of each action."""
        if isinstance(self.teacher, Search):
            return self.teacher.search(states, seats, legal, streams).policy
        return np.eye(ACTIONS)[self.teacher.act(states, seats, legal, streams)]

    def loss(self, batch: Batch) -> tuple[Tensor, Metrics]:
        """Cross-entropy with the teacher's policy, and the value loss where the return is known."""
        logits, values = self.net(*(batch[name] for name in INPUTS))
        log_probs = masked_log_probs(logits, batch["legal"])
        policy_loss = -(batch["targets"] * log_probs).sum(dim=1).mean()
        value_loss = ((values - batch["returns"]).square() * batch["valid"]).mean()
        accuracy = (log_probs.argmax(dim=1) == batch["targets"].argmax(dim=1)).float().mean()
        loss = self.config.policy_coef * policy_loss + self.config.vf_coef * value_loss
        metrics = {"policy_loss": policy_loss.item(), "value_loss": value_loss.item()}
        return loss, metrics | {"accuracy": accuracy.item()}

    def state_dict(self) -> State:
        """Also which games the net plays."""
        return super().state_dict() | {"by_student": self.by_student.copy()}

    def load_state_dict(self, saved: State) -> None:
        """Also which games the net plays."""
        super().load_state_dict(saved)
        self.by_student = saved["by_student"].copy()
