"""Show standings and the head-to-head matrix, as text and as a picture."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env import files
from smallcity_env.refusal import install

from .. import sees_view
from .results import Result
from .standings import Row, head_to_head

HEADS = ("agent", "games", "wins", "95 %", "score", "rank", "rating", "ordinal", "out", "ms/decision")
NO_RATING = f"Ratings need the package openskill: {install('arena')}."
NO_PICTURE = f"The picture needs the package matplotlib: {install('arena')}."
LONG = 18  # characters per line of a name in a picture
SLANTED: Final[dict[str, Any]] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"}
UPRIGHT: Final[dict[str, Any]] = {"rotation": 90}  # names of several lines
SURE = 3  # sigmas below mu: OpenSkill's ordinal


def cells(row: Row) -> list[str]:
    """One line of the table."""
    low, high = row.interval
    rating, ordinal = "-", "-"
    if row.rating:
        mu, sigma = row.rating
        rating, ordinal = f"{mu:.1f} ± {sigma:.1f}", f"{mu - SURE * sigma:.1f}"
    return [
        f"{row.agent} (view)" if sees_view(row.agent) else row.agent,
        f"{row.games:,}",
        f"{row.share:.1%}",
        f"{low:.1%} - {high:.1%}",
        with_error(row.score, row.errors[0]),
        with_error(row.place, row.errors[1], 2),
        rating,
        ordinal,
        f"{row.out:,}",
        f"{row.seconds * 1000:.2f}",
    ]


def with_error(mean: float, error: float, digits: int = 1, sign: str = "") -> str:
    """A mean and half its interval, if known."""
    return f"{mean:{sign}.{digits}f}" + ("" if np.isnan(error) else f" ± {error:.{digits}f}")


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Align columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for first, *others in table:
        rest = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *rest]).rstrip())
    return lines


def matrix(results: Sequence[Result], agents: Sequence[str]) -> list[list[str]]:
    """The rows of the head-to-head matrix, blank for agents that never met."""
    shares = zip(agents, head_to_head(results, agents), strict=True)
    return [[agent, *("" if np.isnan(x) else f"{x:.0%}" for x in row)] for agent, row in shares]


def draw(results: Sequence[Result], rows: Sequence[Row], path: Path) -> bool:
    """Win shares and the head-to-head matrix as a picture; False without matplotlib."""
    agents = [row.agent for row in rows]
    height = 2.2 + 0.5 * len(agents)

    def paint(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        _bars(left, rows)
        _matrix(right, head_to_head(results, agents), agents)

    return _save(path, (5 + 1.5 * height, height), paint)


def draw_learning(runs: dict[str, list[list[dict[str, float]]]], metrics: Sequence[str], path: Path) -> bool:
    """The curves of training runs by method, a panel for each metric; False without matplotlib."""

    def paint(figure: Any) -> None:
        panels = figure.subplots(1, len(metrics), squeeze=False)[0]
        for axes, metric in zip(panels, metrics, strict=True):
            for colour, (method, curves) in enumerate(runs.items()):
                for k, curve in enumerate(curves):
                    steps, values = ([line[key] for line in curve] for key in ("hours", metric))
                    axes.plot(steps, values, color=f"C{colour}", alpha=0.8, label=None if k else method)
            axes.set(xlabel="hours of training", title=metric.replace("_", " "), ylim=(0, 1))
            axes.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
            axes.grid(alpha=0.3)
        panels[0].legend()

    return _save(path, (5 * len(metrics), 4), paint)


def _save(path: Path, size: tuple[float, float], paint: Callable[[Any], None]) -> bool:
    """Paint a figure and save it; False without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=size, layout="constrained")
    paint(figure)
    files.write_figure(path, figure, dpi=120)
    return True


def _label(agent: str) -> str:
    """A name in a picture: long ones are broken between options, files are shown without folders."""
    lines = [""]
    for part in re.split(r"(?<=[:,])", re.sub(r"[^=,:]*/", "", agent)):
        if lines[-1] and len(lines[-1] + part) > LONG:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def _bars(axes: Any, rows: Sequence[Row]) -> None:
    """Win shares with their intervals, best on top."""
    shares = np.array([row.share for row in rows])
    low, high = np.array([row.interval for row in rows]).T
    axes.barh(range(len(rows)), shares, color="#7fa8d1")
    axes.set_yticks(range(len(rows)), [_label(row.agent) for row in rows])
    ends = np.abs([shares - low, high - shares])
    axes.errorbar(shares, range(len(rows)), xerr=ends, fmt="none", ecolor="#333333", capsize=4)
    axes.set(xlim=(0, 1), xlabel="games won, with the 95 % interval", title="who wins")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
    axes.invert_yaxis()


def _matrix(axes: Any, shares: npt.NDArray[np.float64], agents: Sequence[str]) -> None:
    """The matrix as a heat map with numbers."""
    axes.imshow(shares, cmap="RdYlBu", vmin=-0.4, vmax=1.4)  # pale, so that numbers stay readable
    ticks, names = range(len(agents)), [_label(agent) for agent in agents]
    axes.set_xticks(ticks, names, **(UPRIGHT if "\n" in "".join(names) else SLANTED))
    axes.set_yticks(ticks, names)
    axes.set(title="who finishes ahead of whom", xlabel="... of this one", ylabel="this one ahead ...")
    for row, line in enumerate(shares):
        for col, share in enumerate(line):
            if not np.isnan(share):
                axes.text(col, row, f"{share:.0%}", ha="center", va="center")
