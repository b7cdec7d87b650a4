"""Fit the value net to outcomes of games and policies of searches; measure it on games it has not seen."""

import copy
import math
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from smallcity_env.rules.tables import SEATS
from smallcity_env.terminal import Progress

from .net import update_ema
from .positions import Positions
from .value_net import EMPTY_SEAT, POINTS, Choices, Minibatch, ValueNet, minibatch, place_loss

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
HELD_OUT: Final = 10  # one game in this many is for testing
CHUNK: Final = 4096  # positions evaluated at once
FEWEST: Final = 20  # seats of a round, for statistics
PAYOFF_WEIGHT, PLACE_WEIGHT, POLICY_WEIGHT = 4.0, 0.5, 0.5  # of the losses, relative to that of the score


class FitConfig(NamedTuple):
    """Hyper-parameters of a fit."""

    epochs: float = 4
    size: int = 1024  # positions of a minibatch
    learning_rate: float = 2e-3
    weight_decay: float = 1e-2
    ema_decay: float = 0.995
    seed: int = 0


def first_lines(data: Positions) -> Ints:
    """The first line of each position."""
    players = data.players.astype(np.int64)
    return np.asarray(np.cumsum(players) - players)


def split(data: Positions) -> tuple[Ints, Ints]:
    """Positions to train on, and positions of other games to test on."""
    held_out = data.games % HELD_OUT == 0
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)


def losses(net: ValueNet, batch: Minibatch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The mean losses of score, payoff, places and policy."""
    scores, strengths, logits, priors = net(batch)
    seated, playing = batch.seated.float(), batch.playing.float()
    error = nn.functional.smooth_l1_loss(scores / POINTS, batch.scores / POINTS, reduction="none", beta=3.0)
    payoff = nn.functional.binary_cross_entropy_with_logits(logits, batch.payoffs, reduction="none")
    several = (batch.players > 1).float()
    places = (place_loss(strengths, batch) * several).sum() / several.sum().clamp(min=1)
    score, payoffs = (error * seated).sum() / seated.sum(), (payoff * playing).sum() / playing.sum()
    return score, payoffs, places, policy_loss(priors, batch.choices)


def policy_loss(priors: Tensor, choices: Choices) -> Tensor:
    """The mean divergence of the priors from the policies, over positions whose policy is known."""
    log_policy = choices.policy.clamp(min=1e-6).log()
    return (choices.policy * (log_policy - priors)).sum() / choices.policy.sum().clamp(min=1)


def fit(net: ValueNet, data: Positions, rows: Ints, config: FitConfig) -> ValueNet:
    """Train on some positions; return the moving average of the weights."""
    random = np.random.default_rng(config.seed)
    begins, steps = first_lines(data), max(int(config.epochs * len(rows) / config.size), 1)
    ema = copy.deepcopy(net)
    optimizer = torch.optim.AdamW(net.parameters(), config.learning_rate, weight_decay=config.weight_decay)
    bar = Progress(steps)
    for step, part in enumerate(_parts(rows, steps, config.size, random)):
        for group in optimizer.param_groups:
            group["lr"] = config.learning_rate * 0.5 * (1.02 + math.cos(math.pi * step / steps))
        score, payoff, places, policy = losses(net, minibatch(data, begins, part, net.scale.device))
        optimizer.zero_grad()
        total = score + PAYOFF_WEIGHT * payoff + PLACE_WEIGHT * places + POLICY_WEIGHT * policy
        total.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        update_ema(ema, net, min(config.ema_decay, (1 + step) / (10 + step)))
        named = {"score": score, "payoff": payoff, "places": places, "policy": policy}
        now = "losses: " + ", ".join(f"{name} {loss.item():.3f}" for name, loss in named.items())
        bar.show(step + 1, f"fitting to {len(rows):,} positions; {now}")
    bar.close()
    return ema


def _parts(rows: Ints, steps: int, size: int, random: np.random.Generator) -> Iterator[Ints]:
    """Minibatches of reshuffled rows."""
    order: Ints = np.zeros(0, np.int64)
    for _ in range(steps):
        if len(order) < size:
            order = np.concatenate([order, random.permutation(rows)])
        part, order = order[:size], order[size:]
        yield np.sort(part)


def set_scale(net: ValueNet, data: Positions, rows: Ints) -> None:
    """Scale every number by its standard deviation."""
    lines = first_lines(data)[rows]
    deviations = data.numbers[lines].astype(np.float32).std(axis=0)
    net.scale[:] = torch.from_numpy(1 / np.maximum(deviations, 0.1))


class Predictions(NamedTuple):
    """Predicted and real outcomes of every seat of some positions, in one row each."""

    rounds: Ints
    greedy: Floats
    score: Floats
    payoff: Floats
    first: Floats  # probability of first place
    real_score: Floats
    real_payoff: Floats
    real_first: Floats  # 1, or a share of it in a tie


@torch.no_grad()
def predict(net: ValueNet, data: Positions, rows: Ints) -> Predictions:
    """The net's predictions for some positions."""
    begins, parts = first_lines(data), []
    for k in range(0, len(rows), CHUNK):
        batch = minibatch(data, begins, rows[k : k + CHUNK], net.scale.device)
        scores, strengths, logits, _ = net(batch)
        first = strengths.masked_fill(~batch.seated, EMPTY_SEAT).softmax(dim=1)
        won = ((batch.places == 0) & batch.seated).float()
        real = won / won.sum(dim=1, keepdim=True).clamp(min=1)
        rounds = np.repeat(data.rounds[rows[k : k + CHUNK]], SEATS)
        columns = (batch.greedy_values, scores, logits.sigmoid(), first, batch.scores, batch.payoffs, real)
        table = [rounds, *(column.reshape(-1).cpu().numpy() for column in columns)]
        parts.append([column[batch.playing.reshape(-1).cpu().numpy()] for column in table])
    return Predictions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def explained(predicted: Any, real: Any) -> float:
    """The explained share of the variance."""
    return float(1 - ((predicted - real) ** 2).mean() / real.var())


def explained_by_round(p: Predictions) -> list[dict[str, float]]:
    """Explained variance by round: greedy's value (best linear fit), the net's score, payoff, first place."""
    table = []
    for number in range(1, int(p.rounds.max()) + 1):
        here = p.rounds == number
        if here.sum() < FEWEST:
            continue
        line = np.polyval(np.polyfit(p.greedy[here], p.real_score[here], 1), p.greedy[here])
        table.append({
            "round": number, "n": int(here.sum()),
            "greedy": explained(line, p.real_score[here]),
            "score": explained(p.score[here], p.real_score[here]),
            "payoff": explained(p.payoff[here], p.real_payoff[here]),
            "first": explained(p.first[here], p.real_first[here]),
        })  # fmt: skip
    return table
