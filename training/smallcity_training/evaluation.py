"""How strong a net is: paired games against fixed anchors, and the curve of a run."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from smallcity_agents import make
from smallcity_agents.agent import Agent
from smallcity_agents.arena.playing import play
from smallcity_agents.net.features import decode
from smallcity_agents.policy import Policy
from smallcity_env import batch
from smallcity_env.batch import Mask, Seen
from smallcity_env.config import Config

from .net import Net, tensors
from .run import Run, curve

FIRST_SEED = 1_000_000  # games of evaluations are not those of training
SURE = 0.999  # a share that counts as all, for the rating
ELO = 400


class Torch(Policy):
    """The net being trained, as an agent."""

    def __init__(self, net: Net, temperature: float = 0.0) -> None:
        self.checkpoint, self.temperature, self.net = "", temperature, net
        self.forward = self._look

    @torch.no_grad()
    def _look(self, seen: Seen, legal: Mask) -> tuple[Any, Any]:
        logits, values = self.net(*tensors(decode(seen), legal))
        return logits.numpy(), values.numpy()


class Outcome(NamedTuple):
    """What paired games came to."""

    wins: float  # share, ties count half
    margin: float  # mean of score less the other's
    score: float  # mean


def match(
    agent: Agent, other: Agent, games: int, game: Config | None = None, seed: int = FIRST_SEED
) -> Outcome:
    """Two players, every seed twice with seats changed."""
    pairs = max(games // 2, 1)
    seeds = np.repeat(np.arange(seed, seed + pairs), 2)
    seatings = np.tile([[0, 1], [1, 0]], (pairs, 1))
    played = play(game or Config(players=2), [agent, other], seatings, seeds)
    scores, places = batch.scores(played.states)
    rows, mine = np.arange(len(seeds)), np.tile([0, 1], pairs)
    ahead = np.sign(places[rows, 1 - mine] - places[rows, mine])
    own, others = scores[rows, mine], scores[rows, 1 - mine]
    return Outcome(float((ahead + 1).mean() / 2), float((own - others).mean()), float(own.mean()))


def rating(wins: float) -> float:
    """Elo points above an anchor that is beaten so often."""
    share = min(max(wins, 1 - SURE), SURE)
    return ELO * math.log10(share / (1 - share))


def evaluate(run: Run, net: Net, steps: int, anchors: Sequence[str], games: int) -> dict[str, float]:
    """Play the anchors, and bring the curve up to date."""
    net.eval()
    numbers: dict[str, float] = {"hours": run.hours()}
    for name in anchors:
        found = match(Torch(net), make(name), games)
        numbers |= {f"wins {name}": found.wins, f"elo {name}": rating(found.wins)}
        numbers |= {f"margin {name}": found.margin, f"score {name}": found.score}
    run.tell(steps, numbers, "curve")
    draw(run.folder)
    return numbers


def draw(folder: Path) -> bool:
    """The curve as a picture; False without matplotlib."""
    lines = curve(folder)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    steps = [line["steps"] / 1e6 for line in lines]
    for key in (key for key in lines[0] if key.startswith("wins ")):
        name = key.removeprefix("wins ")
        left.plot(steps, [line[key] for line in lines], marker=".", label=f"against {name}")
        right.plot(steps, [line[f"margin {name}"] for line in lines], marker=".", label=f"against {name}")
    left.set(xlabel="million decisions", title="games won", ylim=(0, 1))
    right.set(xlabel="million decisions", title="points ahead")
    left.grid(alpha=0.3)
    right.grid(alpha=0.3)
    left.legend()
    figure.savefig(folder / "curve.png", dpi=110)
    return True
