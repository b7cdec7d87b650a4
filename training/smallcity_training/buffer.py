"""What is remembered of the games between two updates, and answers drawn from a net's numbers."""

from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from smallcity_agents.net.features import LAYERS, SCALARS, Features
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS, SPACES

NEVER: Final = -1e9  # the logit of an answer that is not allowed


class Memory:
    """Every decision since the last update, (horizon, games)."""

    def __init__(self, horizon: int, games: int) -> None:
        shape = horizon, games
        self.codes = np.zeros((*shape, SEATS, SPACES, len(LAYERS)), np.uint8)
        self.playing = np.zeros((*shape, SEATS), np.bool_)
        self.table = np.zeros((*shape, SCALARS), np.float32)
        self.legal = np.zeros((*shape, ACTIONS), np.bool_)
        self.answers = np.zeros(shape, np.int64)
        self.values, self.seats = np.zeros(shape, np.float32), np.zeros(shape, np.int64)
        self.paid = np.zeros((*shape, SEATS), np.float32)
        self.over = np.zeros(shape, np.bool_)

    def see(self, t: int, sight: Features, legal: Any, seats: Any) -> None:
        """What is asked at one step."""
        self.codes[t], self.playing[t], self.table[t] = sight
        self.legal[t], self.seats[t] = legal, seats

    def flat(self, name: str) -> Tensor:
        """Something of all decisions, one after the other."""
        array = getattr(self, name)
        return torch.from_numpy(array.reshape(-1, *array.shape[2:]))


def log_likely(logits: Tensor, legal: Tensor) -> Tensor:
    """Logarithms of how likely each answer is; NEVER where it is not allowed."""
    return torch.log_softmax(logits.masked_fill(~legal, NEVER), dim=1)


def drawn(likely: Tensor) -> Tensor:
    """One answer of each row, by chance (Gumbel's way)."""
    return (likely - torch.empty_like(likely).exponential_().log()).argmax(dim=1)
