"""Evaluation: paired games against fixed anchors, and the learning curve of a run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from smallcity_agents import make
from smallcity_agents.agent import Agent
from smallcity_agents.arena.playing import play
from smallcity_agents.net.features import decode
from smallcity_agents.policy import Policy
from smallcity_env import batch, files
from smallcity_env.batch import Mask
from smallcity_env.config import Config
from smallcity_env.rules.layout import Seen

from .net import Net
from .run import Run, read_log

FIRST_SEED: Final = 1_000_000  # keeps evaluation games distinct from training games


class TorchPolicy(Policy):
    """A torch net as an agent."""

    def __init__(self, net: Net, temperature: float = 0.0) -> None:
        self.checkpoint, self.temperature, self.net = "", temperature, net
        self.forward = self._forward

    def _forward(self, observations: Seen, legal: Mask) -> tuple[Any, Any]:
        logits, values = self.net.predict(decode(observations), legal)
        return logits.numpy(), values.numpy()


class MatchResult(NamedTuple):
    """The result of paired games."""

    win_rate: float  # ties count half
    margin: float  # mean score difference
    score: float  # mean score


def match(agent: Agent, other: Agent, games: int) -> MatchResult:
    """Two-player games, each seed played twice with seats swapped."""
    pairs = max(games // 2, 1)
    seeds = np.repeat(np.arange(FIRST_SEED, FIRST_SEED + pairs), 2)
    seatings = np.tile([[0, 1], [1, 0]], (pairs, 1))
    played = play(Config(players=2), [agent, other], seatings, seeds)
    scores, places = batch.scores(played.states)
    rows, mine = np.arange(len(seeds)), np.tile([0, 1], pairs)
    ahead = np.sign(places[rows, 1 - mine] - places[rows, mine])
    scored, others = scores[rows, mine], scores[rows, 1 - mine]
    return MatchResult(float((ahead + 1).mean() / 2), float((scored - others).mean()), float(scored.mean()))


def evaluate(run: Run, agent: Agent, steps: int, anchors: Sequence[str], games: int) -> None:
    """Play the anchors, log the results and redraw the curve."""
    metrics: dict[str, float] = {"hours": run.hours()}
    for name in anchors:
        result = match(agent, make(name), games)
        metrics |= {f"{what} {name}": number for what, number in result._asdict().items()}
    run.log(steps, metrics, "curve")
    plot_curve(run.folder)


def summary(line: dict[str, float]) -> str:
    """The win rates of an evaluation, and the step it is of."""
    rates = {key.partition(" ")[2]: rate for key, rate in line.items() if key.startswith("win_rate ")}
    beats = ", ".join(f"{name} {rate:.0%}" for name, rate in rates.items())
    return f"step {line['steps']:,.0f}: {f'beats {beats}' if beats else 'no anchors to play'}"


def plot_curve(folder: Path, unit: str = "million decisions", steps_per_unit: int = 1_000_000) -> bool:
    """Draw the curve as curve.png; False without matplotlib."""
    lines = read_log(folder)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    steps = [line["steps"] / steps_per_unit for line in lines]
    for axes, metric in ((left, "win_rate "), (right, "margin ")):
        for key in (key for key in lines[0] if key.startswith(metric)):
            label = f"against {key.removeprefix(metric)}"
            axes.plot(steps, [line[key] for line in lines], marker=".", label=label)
    left.set(xlabel=unit, title="win rate", ylim=(0, 1))
    right.set(xlabel=unit, title="score difference")
    for axes in (left, right):
        axes.xaxis.get_major_locator().set_params(integer=steps_per_unit == 1)
        axes.grid(alpha=0.3)
    left.legend()
    files.write_figure(folder / "curve.png", figure, dpi=110)
    return True
