"""`smallcity train imitate`: a teacher's answers are learnt, in games that teacher and net play.

The teacher is asked in every position, also in those the net has got itself into: so the net learns
to mend its own mistakes, not only to go on where the teacher would be. What games are worth is learnt
beside it.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from smallcity_agents import make
from smallcity_agents.net.features import decode

from .buffer import Memory, drawn, log_likely
from .gae import worth
from .learner import Learner, minibatches
from .net import tensors

TINY = 1e-8  # keeps a quotient finite


class Imitate(Learner):
    """Behaviour cloning with the net's own games among the teacher's."""

    def __init__(self, run: Any, wanted: Any) -> None:
        super().__init__(run, wanted)
        self.memory = Memory(wanted.horizon, wanted.games)
        self.teacher = make(wanted.teacher)
        self.new_tables()

    def new_tables(self) -> None:
        """Which games the net plays."""
        self.by_net = self.chance.random(self.config.games) < self.config.student_share

    def kept(self) -> dict[str, Any]:
        """Also which games the net plays."""
        return super().kept() | {"by_net": self.by_net.copy()}

    def go_on(self, kept: dict[str, Any]) -> None:
        """Also which games the net plays."""
        super().go_on(kept)
        self.by_net = kept["by_net"].copy()

    def update(self) -> dict[str, float]:
        """Play on for a horizon, then learn from it."""
        self.net.eval()
        for t in range(self.config.horizon):
            self._play(t)
        found = self._worth()
        self.steps += found.known.size
        self.net.train()
        told = self._learn(found.returns.ravel(), found.known.ravel())
        returns, errors = found.returns[found.known], found.advantages[found.known]
        return told | {"explained": 1 - float(errors.var() / (returns.var() + TINY))}

    @torch.no_grad()
    def _play(self, t: int) -> None:
        """One answer in every game, and the teacher's."""
        tables, memory = self.tables, self.memory
        sight = decode(tables.seen)
        memory.see(t, sight, tables.legal, tables.seats)
        logits, values = self.net(*tensors(sight, tables.legal))
        own = drawn(log_likely(logits, torch.from_numpy(tables.legal))).numpy()
        memory.answers[t] = tables.ask(self.teacher, np.arange(self.config.games))
        memory.values[t] = values.numpy()
        memory.paid[t], memory.over[t] = tables.step(np.where(self.by_net, own, memory.answers[t]))
        ended = np.flatnonzero(memory.over[t])
        self.games += len(ended)
        self.by_net[ended] = self.chance.random(len(ended)) < self.config.student_share

    @torch.no_grad()
    def _worth(self) -> Any:
        """What every position came to."""
        memory = self.memory
        _, last = self.net(*tensors(decode(self.tables.seen), self.tables.legal))
        return worth(
            memory.seats,
            memory.values,
            memory.paid,
            memory.over,
            self.tables.seats,
            last.numpy(),
            self.config.discount,
            self.config.trace,
        )

    def _learn(self, returns: Any, known: Any) -> dict[str, float]:
        """Cross entropy with the teacher's answers, and the value's error."""
        data = {name: self.memory.flat(name) for name in ("codes", "playing", "table", "legal", "answers")}
        data |= {"returns": torch.from_numpy(returns), "known": torch.from_numpy(known)}
        told: list[tuple[float, float, float]] = []
        for _ in range(self.config.epochs):
            for part in minibatches(self.chance.permutation(len(returns)), self.config.minibatch):
                rows = torch.from_numpy(part)
                loss, said = self._loss({name: array[rows] for name, array in data.items()})
                self.descend(loss)
                told.append(said)
        policy, error, agreed = np.mean(told, axis=0).tolist()
        return {"policy": policy, "error": error, "agreed": agreed}

    def _loss(self, part: dict[str, Tensor]) -> tuple[Tensor, tuple[float, float, float]]:
        """The loss of a minibatch, and what is told of it."""
        logits, values = self.net(part["codes"], part["playing"], part["table"], part["legal"])
        likely = log_likely(logits, part["legal"])
        policy = -likely.gather(1, part["answers"][:, None]).mean()
        error = ((values - part["returns"]).square() * part["known"]).mean()
        agreed = (likely.argmax(dim=1) == part["answers"]).float().mean()
        loss = self.config.policy_weight * policy + self.config.value_weight * error
        return loss, (float(policy.detach()), float(error.detach()), float(agreed))
