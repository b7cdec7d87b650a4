"""The net in torch, for training; smallcity_agents/net runs the same net compiled and explains its design."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from smallcity_agents.net.features import LAYERS, SCALARS, Features
from smallcity_agents.net.model import BITS, CONDITIONS, STARTS
from smallcity_env.batch import Mask
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SIDE, SPACES

from .embedding import embedding_sum

IN_FILES = "opinion"  # what files call greedy_weight
HEAD_STD = 0.01  # initial std of the output layers: near-uniform policy, values near 0


class Net(nn.Module):
    """Policy logits and values."""

    bits: Tensor
    starts: Tensor

    def __init__(
        self, channels: int = 16, district: int = 64, trunk: int = 256, greedy_logits: float = 0.0
    ) -> None:
        super().__init__()
        for name, size in LAYERS.items():
            rows = CONDITIONS if name == "state" else size
            self.register_parameter(name, nn.Parameter(torch.randn(rows, channels) / 2))
        self.place = nn.Parameter(torch.zeros(SPACES, channels))
        self.near = nn.Conv2d(channels, channels, 3, padding=1)
        self.far = nn.Conv2d(channels, channels, 3, padding=1, stride=2)
        self.district = nn.Linear(channels * (SIDE // 2) ** 2, district)
        self.first = nn.Linear(2 * district + SCALARS, trunk)
        self.second = nn.Linear(trunk, trunk)
        self.seek = nn.Linear(trunk, channels)
        self.answer = nn.Linear(trunk, ACTIONS)
        self.greedy_weight = nn.Linear(trunk, 1)
        self.value = nn.Linear(trunk, 1)
        for head in (self.seek, self.answer, self.value):
            nn.init.normal_(head.weight, std=HEAD_STD)
            nn.init.zeros_(head.bias)
        nn.init.zeros_(self.greedy_weight.weight)
        nn.init.constant_(self.greedy_weight.bias, greedy_logits)
        self.register_buffer("bits", torch.from_numpy(BITS), persistent=False)
        self.register_buffer("starts", torch.from_numpy(STARTS), persistent=False)

    def forward(
        self, codes: Tensor, playing: Tensor, scalars: Tensor, greedy_logits: Tensor, legal: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Logits (n, actions) and values (n,); spaces are scored only where some space is legal."""
        viewer = self._embed(codes[:, 0])
        rows, others = torch.nonzero(playing[:, 1:], as_tuple=True)
        around = scalars.new_zeros(len(scalars), self.district.out_features)
        if len(rows):
            around = around.index_add(0, rows, self._encode(self._embed(codes[rows, others + 1])))
        first = torch.relu(self.first(torch.cat([self._encode(viewer), around, scalars], dim=1)))
        trunk = first + torch.relu(self.second(first))
        logits = self.answer(trunk) + self.greedy_weight(trunk) * greedy_logits
        pointed = torch.nonzero(legal[:, :SPACES].any(dim=1))[:, 0]
        if len(pointed):
            spaces = self._score_spaces(viewer[pointed], trunk[pointed])
            logits = logits.index_add(0, pointed, nn.functional.pad(spaces, (0, ACTIONS - SPACES)))
        return logits, self.value(trunk)[:, 0]

    @torch.no_grad()
    def predict(self, features: Features, legal: Mask) -> tuple[Tensor, Tensor]:
        """Logits and values of some arrays, without gradients, in the processor's memory."""
        inputs = (torch.from_numpy(np.ascontiguousarray(part)) for part in (*features, legal))
        logits, values = self(*(part.to(self.place.device) for part in inputs))
        return logits.cpu(), values.cpu()

    def uses_greedy(self) -> bool:
        """Whether greedy's evaluation has a weight in the logits; one of 0 stays 0 if the net sees zeros."""
        return bool(self.greedy_weight.weight.any() or self.greedy_weight.bias.any())

    @torch.no_grad()
    def divide_logits(self, temperature: float) -> None:
        """Divide all logits by a temperature, by way of the weights they are linear in."""
        for head in (self.answer, self.seek, self.greedy_weight):
            head.weight.div_(temperature)
            head.bias.div_(temperature)

    def _score_spaces(self, viewer: Tensor, trunk: Tensor) -> Tensor:
        """The dot product of each space's features with the trunk's query (m, SPACES)."""
        fine = torch.relu(self.near(viewer)).permute(0, 2, 3, 1).reshape(len(viewer), SPACES, -1)
        return torch.bmm(fine, self.seek(trunk)[:, :, None])[:, :, 0]

    def _embed(self, codes: Tensor) -> Tensor:
        """Embedded boroughs (m, channels, SIDE, SIDE), channels last in memory."""
        rows = (codes.reshape(-1, len(LAYERS)) + self.starts).reshape(-1)
        ends = torch.arange(len(LAYERS), len(rows) + 1, len(LAYERS), device=rows.device)
        spaces = embedding_sum(rows, ends, self._embeddings()).reshape(len(codes), SPACES, -1) + self.place
        return spaces.reshape(len(codes), SIDE, SIDE, -1).permute(0, 3, 1, 2)

    def _embeddings(self) -> Tensor:
        """The embedding rows of all layers; a state's row is the sum of its conditions' rows."""
        layers: dict[str, Tensor] = dict(self.named_parameters(recurse=False))
        layers["state"] = self.bits @ layers["state"]
        return torch.cat([layers[name] for name in LAYERS])

    def _encode(self, borough: Tensor) -> Tensor:
        """Encode embedded boroughs (m, district)."""
        coarse = torch.relu(self.far(borough)).permute(0, 2, 3, 1)  # as it lies in memory
        return torch.relu(self.district(coarse.flatten(1)))


@torch.no_grad()
def update_ema(ema: nn.Module, net: nn.Module, decay: float) -> None:
    """Update the exponential moving average of a net's weights."""
    for mean, weight in zip(ema.parameters(), net.parameters(), strict=True):
        mean.lerp_(weight, 1 - decay)


def weights(net: nn.Module) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """A copy of the weights as numpy arrays, under their names in files."""
    named = {name.replace("greedy_weight", IN_FILES): tensor for name, tensor in net.state_dict().items()}
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in named.items()}


def load_weights(net: nn.Module, arrays: dict[str, np.ndarray[Any, np.dtype[np.float32]]]) -> None:
    """Set the weights, named as in files; raises RuntimeError if names or shapes differ."""
    named = {name.replace(IN_FILES, "greedy_weight"): array for name, array in arrays.items()}
    net.load_state_dict({name: torch.from_numpy(array) for name, array in named.items()})
