"""`smallcity train lean`: masked PPO in one short loop, on the same games as `ppo` and faster."""

from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from agents.sight import LAYERS, TABLE, Sight, apart
from smallcity_env.actions import ACTIONS
from smallcity_env.tables import SEATS, SPACES

from .learner import minibatches
from .net import tensors
from .seats import Worth, worth
from .selfplay import SelfPlay

NEVER: Final = -1e9  # the logit of an answer that is not allowed


class Memory:
    """Every decision since the last update, (horizon, games)."""

    def __init__(self, horizon: int, games: int) -> None:
        shape = horizon, games
        self.codes = np.zeros((*shape, SEATS, SPACES, len(LAYERS)), np.uint8)
        self.playing = np.zeros((*shape, SEATS), np.bool_)
        self.table = np.zeros((*shape, TABLE), np.float32)
        self.legal = np.zeros((*shape, ACTIONS), np.bool_)
        self.answers = np.zeros(shape, np.int64)
        self.likely, self.values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.seats, self.learner = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
        self.paid = np.zeros((*shape, SEATS), np.float32)
        self.over = np.zeros(shape, np.bool_)

    def see(self, t: int, sight: Sight, legal: Any, seats: Any, learner: Any) -> None:
        """What is asked at one step."""
        self.codes[t], self.playing[t], self.table[t] = sight
        self.legal[t], self.seats[t], self.learner[t] = legal, seats, learner

    def flat(self, name: str) -> Tensor:
        """Something of all decisions, one after the other."""
        array = getattr(self, name)
        return torch.from_numpy(array.reshape(-1, *array.shape[2:]))


class Lean(SelfPlay):
    """Masked PPO in self-play."""

    def __init__(self, run: Any, wanted: Any) -> None:
        super().__init__(run, wanted)
        self.memory = Memory(wanted.horizon, wanted.games)

    def update(self) -> dict[str, float]:
        """Play on for a horizon, then learn from it."""
        self.company.choose_past(self.chance)
        self.net.eval()
        for t in range(self.config.horizon):
            self._play(t)
        found = self._worth()
        used = np.flatnonzero((found.known & self.memory.learner).ravel())
        self.steps += len(used)
        self.net.train()
        return self._learn(used, found)

    @torch.no_grad()
    def _play(self, t: int) -> None:
        """One answer in every game."""
        tables, memory = self.tables, self.memory
        sight, learner = apart(tables.seen), self.company.learners(tables)
        memory.see(t, sight, tables.legal, tables.seats, learner)
        mine = np.flatnonzero(learner)
        logits, values = self.net(*tensors(sight.of(mine), tables.legal[mine]))
        likely = log_likely(logits, torch.from_numpy(tables.legal[mine]))
        answers = drawn(likely)
        memory.answers[t, mine] = answers.numpy()
        memory.likely[t, mine] = likely.gather(1, answers[:, None])[:, 0].numpy()
        memory.values[t, mine] = values.numpy()
        self.company.answer(tables, memory.answers[t])
        memory.paid[t], memory.over[t] = tables.step(memory.answers[t])
        self.ended(memory.over[t])

    @torch.no_grad()
    def _worth(self) -> Worth:
        """What every decision was worth."""
        memory, wanted = self.memory, self.config
        _, last = self.net(*tensors(apart(self.tables.seen), self.tables.legal))
        return worth(
            memory.seats, memory.values, memory.paid, memory.over, self.tables.seats, last.numpy(),
            wanted.discount, wanted.trace,
        )

    def _learn(self, used: Any, found: Worth) -> dict[str, float]:
        """PPO's clipped objective over the decisions used, some times over."""
        names = ("codes", "playing", "table", "legal", "answers", "likely")
        data = {name: self.memory.flat(name) for name in names}
        data["advantages"] = torch.from_numpy(found.advantages.ravel())
        data["returns"] = torch.from_numpy(found.returns.ravel())
        told: list[dict[str, float]] = []
        for _ in range(self.config.epochs):
            for part in minibatches(self.chance.permutation(used), self.config.minibatch):
                rows = torch.from_numpy(part)
                loss, said = self._loss({name: array[rows] for name, array in data.items()})
                self.descend(loss)
                told.append(said)
        numbers = {key: float(np.mean([said[key] for said in told])) for key in told[0]}
        returns, errors = found.returns.ravel()[used], found.advantages.ravel()[used]
        return numbers | {"explained": 1 - float(errors.var() / (returns.var() + 1e-8))}

    def _loss(self, part: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
        """The loss of a minibatch, and what is told of it."""
        wanted = self.config
        logits, values = self.net(part["codes"], part["playing"], part["table"], part["legal"])
        likely = log_likely(logits, part["legal"])
        log_ratio = likely.gather(1, part["answers"][:, None])[:, 0] - part["likely"]
        ratio = log_ratio.exp()
        gain = part["advantages"]
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        policy = -torch.min(ratio * gain, ratio.clamp(1 - wanted.clip, 1 + wanted.clip) * gain).mean()
        error = (values - part["returns"]).square().mean()
        entropy = -(likely.exp() * likely).sum(dim=1).mean()
        loss = policy + wanted.value_weight * error - wanted.entropy * entropy
        told = {"policy": policy, "error": error, "entropy": entropy, "kl": (ratio - 1 - log_ratio).mean()}
        return loss, {name: float(number.detach()) for name, number in told.items()}


def log_likely(logits: Tensor, legal: Tensor) -> Tensor:
    """Logarithms of how likely each answer is; NEVER where it is not allowed."""
    return torch.log_softmax(logits.masked_fill(~legal, NEVER), dim=1)


def drawn(likely: Tensor) -> Tensor:
    """One answer of each row, by chance (Gumbel's way)."""
    return (likely - torch.empty_like(likely).exponential_().log()).argmax(dim=1)
