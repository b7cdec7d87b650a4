"""The value net in torch, for training; smallcity_agents/value_net runs the same net compiled."""

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from smallcity_agents.evaluation.weights import VALUE, weights_of
from smallcity_agents.value_net import forward
from smallcity_agents.value_net.forward import FAR, OUTPUTS, PACES, PAYOFF, SCORE, STRENGTH
from smallcity_agents.value_net.layout import CODE_COUNT, NUMBER_COUNT
from smallcity_env.rules.tables import POWER_ROUNDS, SEATS

from .embedding import embedding_sum
from .positions import Positions

POINTS = 10.0  # a unit of the net's score output
EMPTY_SEAT = -1e9  # its strength
CODES_STD = 0.05  # initial std of the embeddings
START_PACES = (0.9, 5.0, 0.08, 0.08)  # slope and shift of greedy's score, slopes of places and payoff


class Minibatch(NamedTuple):
    """Some positions, seats padded to SEATS."""

    at: tuple[Tensor, Tensor]  # position and seat of every line
    codes: Tensor
    ends: Tensor  # (lines,): where the codes of a line end
    numbers: Tensor  # (lines, NUMBER_COUNT)
    greedy_values: Tensor  # (n, SEATS)
    scores: Tensor
    payoffs: Tensor
    places: Tensor
    seated: Tensor
    playing: Tensor  # seated and not eliminated
    players: Tensor  # (n,)
    rounds_left: Tensor


def minibatch(data: Positions, begins: Any, rows: Any, device: torch.device) -> Minibatch:
    """The positions of some rows, on a device; `begins` has the first line of each position."""
    players = data.players[rows].astype(np.int64)
    seats = np.arange(SEATS)
    seated = seats < players[:, None]
    position, seat = np.nonzero(seated)
    lines = begins[rows][position] + seat

    def by_seat(values: Any, fill: float = 0.0) -> Tensor:
        padded = np.full(seated.shape, fill, np.float32)
        padded[position, seat] = values[lines]
        return tensor(padded)

    def tensor(array: Any) -> Tensor:
        return torch.from_numpy(array).to(device)

    codes, ends = _codes_of(data, lines)
    return Minibatch(
        (tensor(position), tensor(seat)), tensor(codes), tensor(ends),
        tensor(data.numbers[lines].astype(np.float32)),
        by_seat(data.greedy_values), by_seat(data.scores), by_seat(data.payoffs), by_seat(data.places, SEATS),
        tensor(seated), by_seat(~data.out) > 0,
        tensor(players), tensor(np.maximum(data.left[rows], 0).astype(np.int64)),
    )  # fmt: skip


def _codes_of(data: Positions, lines: Any) -> tuple[Any, Any]:
    """The codes of some lines, one line after another, and where each line's end."""
    begins = np.where(lines > 0, data.ends[lines - 1], 0)
    parts = [data.codes[begin:end] for begin, end in zip(begins, data.ends[lines], strict=True)]
    return np.concatenate(parts).astype(np.int64), np.cumsum(data.ends[lines] - begins)


class ValueNet(nn.Module):
    """Expected score, strength and payoff (as a logit) of every seat."""

    scale: Tensor

    def __init__(self, width: int = 64, hidden: int = 32) -> None:
        super().__init__()
        self.codes = nn.Parameter(torch.randn(CODE_COUNT, width) * CODES_STD)
        self.numbers = nn.Linear(NUMBER_COUNT, width)
        self.register_buffer("scale", torch.ones(NUMBER_COUNT))
        self.own, self.everybody = nn.Linear(width, hidden), nn.Linear(width, hidden, bias=False)
        self.deep, self.heads = nn.Linear(hidden, hidden), nn.Linear(hidden, OUTPUTS)
        paces = torch.tensor(START_PACES).expand(POWER_ROUNDS + 1, SEATS + 1, PACES)
        self.paces = nn.Parameter(paces.clone())
        nn.init.normal_(self.heads.weight, std=0.01)
        nn.init.zeros_(self.heads.bias)

    def forward(self, batch: Minibatch) -> tuple[Tensor, Tensor, Tensor]:
        """Each (n, SEATS)."""
        summed = embedding_sum(batch.codes, batch.ends, self.codes)
        seats = torch.relu(summed + self.numbers(batch.numbers * self.scale))
        sums = seats.new_zeros(len(batch.players), SEATS, seats.shape[1]).index_put(batch.at, seats)
        hidden = torch.relu(self.own(sums) + self.everybody(sums.sum(dim=1, keepdim=True)))
        outputs = self.heads(torch.relu(self.deep(hidden)))
        slope, shift, place, payoff = self.paces[batch.rounds_left, batch.players].unbind(dim=1)
        scores = slope[:, None] * batch.greedy_values + shift[:, None] + POINTS * outputs[:, :, SCORE]
        strengths = place[:, None] * scores + outputs[:, :, STRENGTH]
        logits = payoff[:, None] * _leads(scores, batch) + outputs[:, :, PAYOFF]
        return scores, strengths, logits


def _leads(scores: Tensor, batch: Minibatch) -> Tensor:
    """The lead of each seat over the best other seat still playing; solo, the score itself."""
    differences = scores[:, :, None] - scores[:, None, :]
    rival = batch.playing[:, None, :] & ~torch.eye(SEATS, dtype=torch.bool, device=scores.device)
    leads = differences.masked_fill(~rival, float(FAR)).amin(dim=2)
    return torch.where(batch.players[:, None] == 1, scores, leads)


def place_loss(strengths: Tensor, batch: Minibatch) -> Tensor:
    """The negative log-likelihood of the order of finish (Plackett-Luce); ties are broken at random."""
    order = (batch.places + 0.5 * torch.rand_like(batch.places)).argsort(dim=1)
    masked = strengths.masked_fill(~batch.seated, EMPTY_SEAT).gather(1, order)
    rest = masked.flip(1).logcumsumexp(dim=1).flip(1)
    seated = torch.arange(SEATS, device=strengths.device) < batch.players[:, None]
    return ((rest - masked) * seated).sum(dim=1)


@torch.no_grad()
def load_weights(net: ValueNet, weights: forward.ValueNet) -> None:
    """Set the weights to those of a compiled net, divided by the scales of this one."""
    unit = torch.ones(OUTPUTS)
    unit[SCORE] = POINTS
    heads, last = torch.from_numpy(weights.heads) / unit, torch.from_numpy(weights.last) / unit
    numbers = torch.from_numpy(weights.numbers) / net.scale[:, None]
    net.codes.copy_(torch.from_numpy(weights.codes))
    net.paces.copy_(torch.from_numpy(weights.paces))
    layers = (
        (net.numbers, numbers, weights.first),
        (net.own, weights.own, weights.second),
        (net.everybody, weights.everybody, None),
        (net.deep, weights.deep, weights.third),
        (net.heads, heads, last),
    )
    for layer, weight, bias in layers:
        layer.weight.copy_(torch.as_tensor(weight).T)
        if bias is not None:
            layer.bias.copy_(torch.as_tensor(bias))


def export(net: ValueNet) -> forward.ValueNet:
    """The weights in the layout of the compiled net, with the scales folded in."""
    heads = net.heads.weight.T.clone()
    last = net.heads.bias.clone()
    heads[:, SCORE] *= POINTS
    last[SCORE] *= POINTS
    first = (net.codes, (net.numbers.weight * net.scale).T, net.numbers.bias)
    second = (net.own.weight.T, net.everybody.weight.T, net.own.bias)
    tensors = (*first, *second, net.deep.weight.T, net.deep.bias, heads, last, net.paces)
    arrays = [
        np.ascontiguousarray(tensor.detach().cpu().numpy()).astype(np.float32).copy() for tensor in tensors
    ]
    return forward.ValueNet._make([*arrays, weights_of(VALUE)])
