"""The pictures of the documentation, each drawn from a position beside it.

python -m tests.docs_pictures    # after a change of how pictures look
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from smallcity_env import batch, render
from smallcity_env.render.colours import INK
from smallcity_env.rules.layout import Form
from smallcity_env.rules.planes import PLANES
from smallcity_env.text import notation

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
POSITIONS = sorted(FOLDER.glob("*.txt"))

# -- a position as numbers, for docs/worked-position.md

WORKED = FOLDER / "worked.txt"
GRIDS = FOLDER / "worked-planes.svg"
SHOWN = ("city-hall", "residential-1", "citizen of seat+0", "mayor", "just built", "joined east", "zone")
CELL, GAP, HEAD, COLUMNS = 15, 34, 26, 4


def drawn(position: Path) -> str:
    """The picture of a position in a file; a last line `# seat 1` names the viewer."""
    text = position.read_text(encoding="utf-8")
    last = text.splitlines()[-1]
    seat = int(last.removeprefix("# seat ")) if last.startswith("# seat ") else None
    return render.svg(notation.from_text(text)[0], seat) + "\n"


def grids_of(position: Path) -> dict[str, npt.NDArray[np.bool_]]:
    """The mask of a question about spaces, and some planes of the borough of the seat that is asked."""
    states = notation.from_text(position.read_text(encoding="utf-8"))
    buffers = batch.new_observations(1, Form.PLANES, players=2)
    batch.observe(states, states["seat"], buffers)
    planes = buffers.planes.reshape(-1, 10, 10)
    pictures = {"mask: legal spaces": batch.masks(states)[0, :100].reshape(10, 10)}
    return pictures | {
        f"{list(PLANES).index(name)}: {name}": planes[list(PLANES).index(name)] for name in SHOWN
    }


def grids_drawn(position: Path) -> str:
    """All grids side by side, a filled space for each 1."""
    panels = list(grids_of(position).items())
    step, rows = 10 * CELL + GAP, -(-len(panels) // COLUMNS)
    size = f"{COLUMNS * step + GAP // 2} {rows * (step + HEAD)}"
    parts = [
        _panel(name, grid, n % COLUMNS * step + GAP // 2, n // COLUMNS * (step + HEAD))
        for n, (name, grid) in enumerate(panels)
    ]
    style = f'font-family="sans-serif" font-size="12" fill="{INK}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" {style}>\n{"".join(parts)}</svg>\n'


def _panel(name: str, grid: npt.NDArray[np.bool_], x: int, y: int) -> str:
    """A grid below its name, with letters and numbers."""
    lines = [f'<text x="{CELL + 1}" y="14" font-weight="bold">{name}</text>']
    for at, letter in enumerate("ABCDEFGHIJ"):
        middle = CELL * at + CELL // 2
        lines.append(
            f'<text x="{CELL + middle}" y="{HEAD + 4}" text-anchor="middle" font-size="9">{letter}</text>'
        )
        lines.append(
            f'<text x="{CELL - 4}" y="{HEAD + 11 + middle}" text-anchor="end" font-size="9">{at + 1}</text>'
        )
    for row, column in np.ndindex(10, 10):
        fill = "#2c974b" if grid[row, column] else "#ffffff"
        where = f'x="{CELL * (column + 1)}" y="{HEAD + 8 + CELL * row}" width="{CELL}" height="{CELL}"'
        lines.append(f'<rect {where} fill="{fill}" stroke="#c9c9c9"/>')
    return f'<g transform="translate({x},{y})">\n' + "\n".join(lines) + "\n</g>\n"


if __name__ == "__main__":
    for file in POSITIONS:
        file.with_suffix(".svg").write_text(drawn(file), encoding="utf-8")
    GRIDS.write_text(grids_drawn(WORKED), encoding="utf-8")
