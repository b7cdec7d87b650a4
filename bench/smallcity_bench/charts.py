"""The measurements as charts; needs matplotlib, which comes with the extra `bench`."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from smallcity_env import files

from .measure import Results
from .ours import GROUP
from .report import chart_rows, number

if TYPE_CHECKING:
    from .growth import Plot

OURS: Final = "#c0392b"
THEIRS: Final = "#7f8c8d"
COLOURS: Final = ("#c0392b", "#2c3e50", "#d68910", "#148f77")
ROW: Final = 0.24  # inches of a bar


def _pyplot() -> Any:
    """matplotlib set up to draw into files, with small and reproducible SVG."""
    matplotlib = import_module("matplotlib")
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "smallcity", "font.size": 9})
    return import_module("matplotlib.pyplot")


def draw_bars(results: Results, title: str, path: Path) -> None:
    """A bar chart with error bars, our cases in another colour."""
    rows = chart_rows(results)[::-1]
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(7, ROW * len(rows) + 1))
    for place, measured in enumerate(rows):
        middle, low, high = measured.per_cpu()
        colour = OURS if measured.case.group == GROUP else THEIRS
        axes.barh(place, middle, color=colour, xerr=[[middle - low], [high - middle]], ecolor="black")
        axes.text(high * 1.1, place, number(middle), va="center", fontsize=7)
    axes.set_yticks(range(len(rows)), [m.case.what for m in rows], fontsize=7)
    axes.set_xscale("log")
    axes.set_xlim(right=axes.get_xlim()[1] * 3)
    axes.set_xlabel("decisions in a second of processor time, random legal play (log scale)")
    axes.set_title(title, fontsize=8, loc="right")
    _save(pyplot, figure, path)


def draw_plot(plot: "Plot", path: Path) -> None:
    """Curves, or bars if the axis has names."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(6, 3.4))
    for colour, curve in zip(COLOURS, plot.curves, strict=False):
        across, middles = list(curve.points), [point.median for point in curve.points.values()]
        low = [point.median - point.low for point in curve.points.values()]
        high = [point.high - point.median for point in curve.points.values()]
        if plot.kind == "names":
            axes.barh(across[::-1], middles[::-1], xerr=[low[::-1], high[::-1]], color=colour)
        else:
            axes.errorbar(across, middles, [low, high], marker="o", ms=3, label=curve.name, color=colour)
    _axes(axes, plot)
    _save(pyplot, figure, path)


def _axes(axes: Any, plot: "Plot") -> None:
    """Set scales and labels."""
    axes.set_title(plot.title, fontsize=10)
    if plot.kind == "names":
        axes.set_xlabel(plot.up)
        return
    axes.set_xlabel(plot.across)
    axes.set_ylabel(plot.up)
    if plot.kind == "log":
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
        axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(fontsize=8)


def _save(pyplot: Any, figure: Any, path: Path) -> None:
    metadata = {"Date": None} if path.suffix == ".svg" else None
    files.write_figure(path, figure, dpi=80, metadata=metadata, bbox_inches="tight")
    pyplot.close(figure)
