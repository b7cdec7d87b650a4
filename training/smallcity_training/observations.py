"""Compare the forms of observation with a stock learner: same seed, same steps, same small net.

    python -m smallcity_training.observations --steps 300000 --seed 1     one run per form, one after another
    python -m smallcity_training.observations --report                    the table and curves of all runs

MaskablePPO of sb3-contrib plays one seat of two-player games against greedy. Everything but the observation
is the same: the seed, the steps, the hyper-parameters, and two hidden layers of 64 after the features. These
are the numbers themselves or, for planes, a small convolution and the numbers of the table.
"""

import argparse
import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, get_args

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from smallcity_env import files
from smallcity_env.envs.options import Observing
from smallcity_env.envs.sb3 import SmallCitySB3

FORMS: Final = get_args(Observing)
FOLDER: Final = Path("runs/observations")
OPPONENTS: Final = ("random", "greedy")
GAMES: Final = 64
HYPERPARAMETERS: Final[dict[str, Any]] = {
    "n_steps": 64, "batch_size": 512, "n_epochs": 4, "learning_rate": 3e-4, "gamma": 1.0, "gae_lambda": 0.95,
    "ent_coef": 0.01,
}  # fmt: skip
POINTS: Final = 100  # the reward `margin` counts in hundreds
CHANNELS: Final = 32


class Trial(NamedTuple):
    """A run: its observation and its seed."""

    form: Observing
    seed: int

    def path(self, folder: Path) -> Path:
        """The file of the run's curve."""
        return folder / f"{self.form}-{self.seed}.csv"


class Point(NamedTuple):
    """One evaluation."""

    steps: int
    seconds: float
    wins: dict[str, float]  # share of games won, by opponent; ties count half
    points: dict[str, float]  # mean lead


Curves: TypeAlias = dict[Trial, list[Point]]


class Convolution(BaseFeaturesExtractor):
    """Two convolutions of the planes, concatenated with the vector."""

    def __init__(self, space: spaces.Dict) -> None:
        planes, vector = space["planes"].shape, space["vector"].shape
        assert planes is not None and vector is not None
        side = (planes[1] + 1) // 2
        super().__init__(space, CHANNELS * side * side + vector[0])
        self.layers = torch.nn.Sequential(
            torch.nn.Conv2d(planes[0], CHANNELS, 1),
            torch.nn.ReLU(),
            torch.nn.Conv2d(CHANNELS, CHANNELS, 3, stride=2, padding=1),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
        )

    def forward(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        """The features of a batch."""
        return torch.cat([self.layers(seen["planes"].float()), seen["vector"]], dim=1)


def learner(form: Observing, seed: int) -> MaskablePPO:
    """A new model that plays with one form of observation."""
    policy, options = "MlpPolicy", {}
    if form == "planes":
        policy, options = "MultiInputPolicy", {"features_extractor_class": Convolution}
    games = SmallCitySB3(GAMES, players=2, opponents="greedy", reward="score", observation=form)
    return MaskablePPO(policy, games, seed=seed, device="cpu", policy_kwargs=options, **HYPERPARAMETERS)


def play(model: MaskablePPO, form: Observing, opponent: str, seed: int) -> tuple[float, float]:
    """The share of games won against an opponent, and the mean lead in points."""
    games = SmallCitySB3(GAMES, players=2, opponents=opponent, reward="margin", observation=form)
    games.seed(seed)
    seen, lead, going = games.reset(), np.zeros(GAMES), np.ones(GAMES, np.bool_)
    while going.any():
        actions, _ = model.predict(seen, action_masks=games.env_method("action_masks"), deterministic=True)
        seen, rewards, over, _ = games.step(actions)
        lead[going] += rewards[going]
        going &= ~over
    return float((np.sign(lead) / 2 + 0.5).mean()), float(lead.mean() * POINTS)


class Curve(BaseCallback):
    """Evaluate at regular steps and append each result to a CSV file."""

    def __init__(self, form: Observing, path: Path, every: int) -> None:
        super().__init__()
        self.form, self.path, self.every = form, path, every
        self.began, self.paused = time.process_time(), 0.0

    def _on_training_start(self) -> None:
        columns = [f"{what} {opponent}" for what in ("wins", "points") for opponent in OPPONENTS]
        files.write(self.path, ",".join(["steps", "seconds", *columns]) + "\n")
        self._evaluate()

    def _on_step(self) -> bool:
        if self.num_timesteps % self.every < GAMES:
            self._evaluate()
        return True

    def _evaluate(self) -> None:
        """Append one line; the time spent here does not count."""
        now = time.process_time()
        results = [play(self.model, self.form, opponent, seed=10**6) for opponent in OPPONENTS]  # type: ignore[arg-type]
        wins, points = zip(*results, strict=True)
        line = [self.num_timesteps, now - self.began - self.paused, *wins, *points]
        files.append(self.path, (",".join(f"{number:.3f}" for number in line) + "\n").encode())
        self.paused += time.process_time() - now


def train(trial: Trial, steps: int, every: int, folder: Path) -> None:
    """One run."""
    torch.set_num_threads(1)
    learner(*trial).learn(steps, callback=Curve(trial.form, trial.path(folder), every))


def trials(folder: Path) -> list[Trial]:
    """The runs in a folder, by form and seed."""
    curves = {form: folder.glob(f"{form}-*.csv") for form in FORMS}
    return [
        Trial(form, seed)
        for form in FORMS
        for seed in sorted(int(path.stem.rpartition("-")[2]) for path in curves[form])
    ]


def load(path: Path) -> list[Point]:
    """The points of a run."""
    rows = list(csv.DictReader(files.read_text(path, "the curve").splitlines()))
    of = {what: [{opponent: float(row[f"{what} {opponent}"]) for opponent in OPPONENTS} for row in rows]
          for what in ("wins", "points")}  # fmt: skip
    numbers = [(int(float(row["steps"])), float(row["seconds"])) for row in rows]
    return [
        Point(*n, wins, points) for n, wins, points in zip(numbers, of["wins"], of["points"], strict=True)
    ]


def table(curves: Curves) -> str:
    """The results at the last step that all runs reached, as markdown."""
    last = min(points[-1].steps for points in curves.values())
    lines = [
        "| observation | seed | steps | wins against random | against greedy | points ahead of random "
        "| of greedy | steps/s of one core |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for trial, points in curves.items():
        end = next(point for point in points if point.steps >= last)
        wins = " | ".join(f"{end.wins[opponent]:.0%}" for opponent in OPPONENTS)
        lead = " | ".join(f"{end.points[opponent]:+.1f}" for opponent in OPPONENTS)
        speed = end.steps / (end.seconds - points[0].seconds)  # less the start, which may compile
        lines.append(f"| `{trial.form}` | {trial.seed} | {end.steps:,} | {wins} | {lead} | {speed:,.0f} |")
    return "\n".join(lines)


def draw(curves: Curves, path: Path) -> None:
    """Plot the lead over each opponent by steps: a colour for each form, a line for each seed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    for axes, opponent in zip(figure.subplots(1, len(OPPONENTS)), OPPONENTS, strict=True):
        for trial, points in curves.items():
            colour, first = f"C{FORMS.index(trial.form)}", trial.seed == min(k.seed for k in curves)
            steps, lead = [p.steps / 1000 for p in points], [p.points[opponent] for p in points]
            axes.plot(steps, lead, color=colour, label=trial.form if first else None)
        axes.set(title=f"against {opponent}", xlabel="thousand steps", ylabel="points ahead")
        axes.axhline(0, color="grey", linewidth=0.5)
        axes.legend()
    files.write_figure(path, figure, dpi=110)


def main(argv: Sequence[str] | None = None) -> None:
    """Train on all forms or one, or report on all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=FORMS, help="one form instead of all three")
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--every", type=int, default=25_000, help="steps between evaluations")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--report", type=Path, nargs="?", const=FOLDER / "observations.png", metavar="FIGURE")
    args = parser.parse_args(argv)
    if args.report is None:
        for form in [args.only] if args.only else FORMS:
            train(Trial(form, args.seed), args.steps, args.every, args.folder)
        return
    curves = {trial: load(trial.path(args.folder)) for trial in trials(args.folder)}
    if not curves:
        parser.error(f"there is no curve in {args.folder}: train first")
    print(table(curves))
    draw(curves, args.report)


if __name__ == "__main__":
    main()
