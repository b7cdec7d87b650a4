"""The rollout buffer, and actions sampled from masked logits."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from smallcity_agents.net.features import LAYERS, SCALARS, Features
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS, SPACES

from .gae import Rollout

INPUTS: Final = (*Features._fields, "legal")  # what the net takes, in this order
ILLEGAL: Final = -1e9  # the logit of an illegal action
NEGLIGIBLE: Final = -80.0  # a log-probability that adds nothing to a float32
Ints = npt.NDArray[np.int64]


class RolloutBuffer:
    """Every decision since the last update, (horizon, games)."""

    def __init__(self, horizon: int, games: int) -> None:
        shape = horizon, games
        self.codes = np.zeros((*shape, SEATS, SPACES, len(LAYERS)), np.uint8)
        self.playing = np.zeros((*shape, SEATS), np.bool_)
        self.scalars = np.zeros((*shape, SCALARS), np.float32)
        self.opinions = np.zeros((*shape, ACTIONS), np.float32)
        self.legal = np.zeros((*shape, ACTIONS), np.bool_)
        self.actions, self.seats = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.values, self.log_probs = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.rewards = np.zeros((*shape, SEATS), np.float32)
        self.dones = np.zeros(shape, np.bool_)
        self.by_learner = np.zeros(shape, np.bool_)

    def store(self, t: int, rows: Ints, features: Features, legal: Any) -> None:
        """What the net saw at step t in some games."""
        for name, part in features._asdict().items():
            getattr(self, name)[t, rows] = part
        self.legal[t, rows] = legal

    def rollout(self, last_seats: Ints, last_values: npt.NDArray[np.float32]) -> Rollout:
        """The buffer as `gae.advantages` takes it."""
        return Rollout(self.seats, self.values, self.rewards, self.dones, last_seats, last_values)

    def tensors(self, *names: str) -> dict[str, Tensor]:
        """What the net saw and other arrays, flattened to one row per decision, without a copy."""
        return {name: flatten(getattr(self, name)) for name in (*INPUTS, *names)}


def flatten(array: npt.NDArray[Any]) -> Tensor:
    """An array (horizon, games, ...) as a tensor with one row per decision."""
    return torch.from_numpy(array.reshape(-1, *array.shape[2:]))


def minibatches(order: Ints, size: int) -> list[Ints]:
    """Split into near-equal parts of at most `size`: a minibatch of one has no std to normalise by."""
    return np.array_split(order, -(-len(order) // size))


def masked_log_probs(logits: Tensor, legal: Tensor) -> Tensor:
    """Log-probabilities of the actions; practically zero probability where illegal."""
    return torch.log_softmax(logits.masked_fill(~legal, ILLEGAL), dim=1)


def entropies(log_probs: Tensor) -> Tensor:
    """The entropy of each row (n,); the clamp spares exp its underflow, which takes eight times as long."""
    return -(log_probs.clamp(min=NEGLIGIBLE).exp() * log_probs).sum(dim=1)


def sample(log_probs: Tensor) -> Tensor:
    """Sample one action per row (Gumbel-max trick)."""
    return (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(dim=1)


def explained_variance(errors: npt.NDArray[np.float32], returns: npt.NDArray[np.float32]) -> float:
    """The share of the returns' variance that the values explain."""
    return 1 - float(errors.var() / max(float(returns.var()), 1e-8))
