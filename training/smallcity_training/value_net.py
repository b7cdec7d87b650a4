"""The value net in torch, for training; smallcity_agents/value_net runs the same net compiled."""

from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from smallcity_agents.evaluation.weights import VALUE, weights_of
from smallcity_agents.value_net import forward
from smallcity_agents.value_net.forward import CALIBRATED, FAR, OUTPUTS, PAYOFF, SCORE, STRENGTH
from smallcity_agents.value_net.layout import ANSWER_COUNT, CODE_COUNT, KNEES, NUMBER_COUNT, QUESTIONS
from smallcity_env.rules.tables import POWER_ROUNDS, SEATS

from .embedding import embedding_sum
from .positions import Positions

POINTS = 10.0  # a unit of the net's score output
EMPTY_SEAT = -1e9  # its strength
CODES_STD = 0.05  # initial std of the embeddings
GREEDY_SLOPE = 0.5  # of the first knee, at the beginning: priors like greedy's
PRIOR_STD = 0.1  # initial std of what makes a view a logit
START_CALIBRATION = (0.9, 5.0, 0.08, 0.08)  # slope and shift of greedy's score, slopes of places and payoff


class Choices(NamedTuple):
    """The answers of the positions of a minibatch whose policy is known."""

    at: tuple[Tensor, Tensor]  # position and asked seat, of every answer
    questions: Tensor
    codes: Tensor
    ends: Tensor  # (answers,): where the codes of an answer end
    below: Tensor  # points below greedy's best answer
    policy: Tensor


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
    choices: Choices


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

    codes, ends = _codes_of(data.codes, data.ends, lines)
    (position_of, asked), *known = _choices(data, rows)
    return Minibatch(
        (tensor(position), tensor(seat)), tensor(codes), tensor(ends),
        tensor(data.numbers[lines].astype(np.float32)),
        by_seat(data.greedy_values), by_seat(data.scores), by_seat(data.payoffs), by_seat(data.places, SEATS),
        tensor(seated), by_seat(~data.out) > 0,
        tensor(players), tensor(np.maximum(data.left[rows], 0).astype(np.int64)),
        Choices((tensor(position_of), tensor(asked)), *map(tensor, known)),
    )  # fmt: skip


def _choices(data: Positions, rows: Any) -> tuple[Any, ...]:
    """The answers of some positions: whose they are, questions, codes, greedy's view, policy."""
    counts = data.choices[rows].astype(np.int64)
    position = np.repeat(np.arange(len(rows)), counts)
    before = np.cumsum(data.choices, dtype=np.int64)[rows] - counts  # answers of earlier positions
    answers = np.arange(len(position)) + np.repeat(before - (np.cumsum(counts) - counts), counts)
    own = rows[position]
    codes = _codes_of(data.answer_codes, data.answer_ends, answers)
    seen = (column[answers].astype(np.float32) for column in (data.below, data.policy))
    at = (position, data.asked[own].astype(np.int64))
    return at, data.questions[own].astype(np.int64), *codes, *seen


def _codes_of(codes: Any, ends: Any, lines: Any) -> tuple[Any, Any]:
    """The codes of some lines, one line after another, and where each line's end."""
    begins = np.where(lines > 0, ends[lines - 1], 0)
    lengths = ends[lines] - begins
    last = np.cumsum(lengths)
    where = np.arange(lengths.sum()) + np.repeat(begins - (last - lengths), lengths)
    return codes[where].astype(np.int64), last


class ValueNet(nn.Module):
    """Expected score, strength and payoff (as a logit) of every seat; log-probabilities of answers."""

    scale: Tensor

    def __init__(self, width: int = 64, hidden: int = 32, view: int = 32) -> None:
        super().__init__()
        self.codes = nn.Parameter(torch.randn(CODE_COUNT, width) * CODES_STD)
        self.numbers = nn.Linear(NUMBER_COUNT, width)
        self.register_buffer("scale", torch.ones(NUMBER_COUNT))
        self.own, self.everybody = nn.Linear(width, hidden), nn.Linear(width, hidden, bias=False)
        self.deep, self.heads = nn.Linear(hidden, hidden), nn.Linear(hidden, OUTPUTS)
        calibration = torch.tensor(START_CALIBRATION).expand(POWER_ROUNDS + 1, SEATS + 1, CALIBRATED)
        self.calibration = nn.Parameter(calibration.clone())
        self.view_own, self.view_all = nn.Linear(width, view), nn.Linear(width, view, bias=False)
        self.answers = nn.Parameter(torch.zeros(ANSWER_COUNT, view))
        self.prior = nn.Parameter(torch.randn(view) * PRIOR_STD)
        slopes = torch.tensor([GREEDY_SLOPE, *[0.0] * (len(KNEES) - 1)])
        self.knees = nn.Parameter(slopes.repeat(QUESTIONS, 1))
        nn.init.normal_(self.heads.weight, std=0.01)
        nn.init.zeros_(self.heads.bias)

    def forward(self, batch: Minibatch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Each (n, SEATS), and the log-probabilities of the known answers."""
        summed = embedding_sum(batch.codes, batch.ends, self.codes)
        seats = torch.relu(summed + self.numbers(batch.numbers * self.scale))
        sums = seats.new_zeros(len(batch.players), SEATS, seats.shape[1]).index_put(batch.at, seats)
        hidden = torch.relu(self.own(sums) + self.everybody(sums.sum(dim=1, keepdim=True)))
        outputs = self.heads(torch.relu(self.deep(hidden)))
        slope, shift, place, payoff = self.calibration[batch.rounds_left, batch.players].unbind(dim=1)
        scores = slope[:, None] * batch.greedy_values + shift[:, None] + POINTS * outputs[:, :, SCORE]
        strengths = place[:, None] * scores + outputs[:, :, STRENGTH]
        logits = payoff[:, None] * _leads(scores, batch) + outputs[:, :, PAYOFF]
        return scores, strengths, logits, self._priors(sums, batch.choices)

    def _priors(self, sums: Tensor, choices: Choices) -> Tensor:
        """The log-probabilities of the answers; questions are told apart by their positions."""
        views = self.view_own(sums) + self.view_all(sums.sum(dim=1, keepdim=True))
        seen = torch.relu(views[choices.at] + embedding_sum(choices.codes, choices.ends, self.answers))
        knees = torch.maximum(choices.below[:, None], -torch.from_numpy(KNEES).to(seen.device))
        logits = seen @ self.prior + (knees * self.knees[choices.questions]).sum(dim=1)
        return logits - _log_sums(logits, choices.at[0], len(sums))[choices.at[0]]


def _log_sums(logits: Tensor, position: Tensor, n: int) -> Tensor:
    """The log of the sum of the exponentials of each position (n,)."""
    highest = logits.detach().new_full((n,), EMPTY_SEAT).scatter_reduce(0, position, logits.detach(), "amax")
    sums = logits.new_zeros(n).index_add(0, position, torch.exp(logits - highest[position]))
    return sums.clamp(min=1e-9).log() + highest


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


SAME: Final = ("codes", "calibration", "answers", "prior", "knees")  # in both nets
BIASES: Final = {  # of the linear layers: what the compiled net, where weights are transposed, calls them
    "numbers": "first", "own": "second", "everybody": "", "deep": "third", "heads": "last",
    "view_own": "view_bias", "view_all": "",
}  # fmt: skip
UNITS: Final = torch.ones(OUTPUTS).index_fill(0, torch.tensor(SCORE), POINTS)  # of the outputs


@torch.no_grad()
def load_weights(net: ValueNet, weights: forward.ValueNet) -> None:
    """Set the weights to those of a compiled net, divided by the scales of this one."""
    tensors = {name: torch.from_numpy(getattr(weights, name)) for name in weights._fields[:-1]}
    tensors["numbers"] = tensors["numbers"] / net.scale[:, None]
    tensors |= {name: tensors[name] / UNITS for name in ("heads", "last")}
    for name in SAME:
        getattr(net, name).copy_(tensors[name])
    for name, bias in BIASES.items():
        getattr(net, name).weight.copy_(tensors[name].T)
        if bias:
            getattr(net, name).bias.copy_(tensors[bias])


@torch.no_grad()
def export(net: ValueNet) -> forward.ValueNet:
    """The weights in the layout of the compiled net, with the scales folded in."""
    tensors = {name: getattr(net, name) for name in SAME}
    tensors |= {name: getattr(net, name).weight.T for name in BIASES}
    tensors |= {bias: getattr(net, name).bias for name, bias in BIASES.items() if bias}
    tensors["numbers"] = tensors["numbers"] * net.scale[:, None]
    tensors |= {name: tensors[name] * UNITS.to(net.scale.device) for name in ("heads", "last")}
    arrays = {name: tensor.cpu().numpy().astype(np.float32, order="C") for name, tensor in tensors.items()}
    return forward.ValueNet(**arrays, weights=weights_of(VALUE))
