"""Looking up the codes of spaces for torch: compiled, for torch's own way back is thirty times slower."""

from typing import Any

import numpy as np
import torch

from smallcity_agents.net.model import STARTS
from smallcity_env.rules._jit import entry


@entry
def _look_up(codes: Any, starts: Any, table: Any, out: Any) -> None:
    """Add up the rows of the table that the codes of each space name."""
    for i in range(len(codes)):
        for k in range(len(starts)):
            row = table[starts[k] + codes[i, k]]
            for c in range(len(row)):
                out[i, c] += row[c]


@entry
def _hand_back(codes: Any, starts: Any, slopes: Any, out: Any) -> None:
    """The way back: every row gets the slopes of all spaces that named it."""
    for i in range(len(codes)):
        for k in range(len(starts)):
            row = out[starts[k] + codes[i, k]]
            for c in range(len(row)):
                row[c] += slopes[i, c]


class LookUp(torch.autograd.Function):
    """codes (m, layers) and a table (rows, channels) make (m, channels)."""

    @staticmethod
    def forward(ctx: Any, codes: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        """The sums of the rows."""
        ctx.save_for_backward(codes)
        ctx.rows = len(table)
        out = np.zeros((len(codes), table.shape[1]), np.float32)
        _look_up(codes.numpy(), STARTS, table.detach().contiguous().numpy(), out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, slopes: torch.Tensor) -> Any:
        """The slopes of the rows."""
        (codes,) = ctx.saved_tensors
        out = np.zeros((ctx.rows, slopes.shape[1]), np.float32)
        _hand_back(codes.numpy(), STARTS, slopes.contiguous().numpy(), out)
        return None, torch.from_numpy(out)
