"""The net as torch learns it; agents/net.py is the same in numpy and says how it is built."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from smallcity_agents.net.features import LAYERS, SCALARS, Features
from smallcity_agents.net.model import BITS, CONDITIONS
from smallcity_env.batch import Mask
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SIDE, SPACES

from .embedding import LookUp

SMALL = 0.01  # of the last layers at the start: every answer about as likely, nothing expected


class Net(nn.Module):
    """Logits and values of sights: `logits, values = net(*tensors(sight, legal))`."""

    bits: Tensor

    def __init__(self, channels: int = 16, district: int = 64, trunk: int = 256) -> None:
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
        self.worth = nn.Linear(trunk, 1)
        for last in (self.seek, self.answer, self.worth):
            nn.init.normal_(last.weight, std=SMALL)
            nn.init.zeros_(last.bias)
        self.register_buffer("bits", torch.from_numpy(BITS), persistent=False)

    def forward(self, codes: Tensor, playing: Tensor, table: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (n, actions) and values (n,); spaces are looked at closely only where some are legal."""
        own = self._picture(codes[:, 0])
        rows, others = torch.nonzero(playing[:, 1:], as_tuple=True)
        around = torch.zeros(len(table), self.district.out_features)
        if len(rows):
            around = around.index_add(0, rows, self._district(self._picture(codes[rows, others + 1])))
        first = torch.relu(self.first(torch.cat([self._district(own), around, table], dim=1)))
        trunk = first + torch.relu(self.second(first))
        logits = self.answer(trunk)
        pointed = torch.nonzero(legal[:, :SPACES].any(dim=1))[:, 0]
        if len(pointed):
            spaces = self._spaces(own[pointed], trunk[pointed])
            logits = logits.index_add(0, pointed, nn.functional.pad(spaces, (0, ACTIONS - SPACES)))
        return logits, self.worth(trunk)[:, 0]

    def _spaces(self, own: Tensor, trunk: Tensor) -> Tensor:
        """How well each space fits what is looked for (m, SPACES)."""
        fine = torch.relu(self.near(own)).permute(0, 2, 3, 1).reshape(len(own), SPACES, -1)
        return torch.bmm(fine, self.seek(trunk)[:, :, None])[:, :, 0]

    def _picture(self, codes: Tensor) -> Tensor:
        """Pictures (m, channels, SIDE, SIDE) of boroughs."""
        found: Tensor = LookUp.apply(codes.reshape(-1, len(LAYERS)), self._table())  # type: ignore[no-untyped-call]
        picture = found.reshape(len(codes), SPACES, -1) + self.place
        return picture.reshape(len(codes), SIDE, SIDE, -1).permute(0, 3, 1, 2)

    def _table(self) -> Tensor:
        """What each code stands for; a state is the sum of its conditions."""
        known: dict[str, Tensor] = dict(self.named_parameters(recurse=False))
        known["state"] = self.bits @ known["state"]
        return torch.cat([known[name] for name in LAYERS])

    def _district(self, picture: Tensor) -> Tensor:
        """What boroughs are like as a whole."""
        coarse = torch.relu(self.far(picture)).permute(0, 2, 3, 1)  # as it lies in memory
        return torch.relu(self.district(coarse.flatten(1)))


def tensors(sight: Features, legal: Mask) -> tuple[Tensor, ...]:
    """A sight and its masks as the net takes them."""
    return tuple(torch.from_numpy(np.ascontiguousarray(part)) for part in (*sight, legal))


def weights(net: Net) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """The weights as numpy arrays, copied."""
    return {name: tensor.detach().numpy().copy() for name, tensor in net.state_dict().items()}
