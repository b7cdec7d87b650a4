"""The index tables of docs/observation-tables.md, from the layouts of the rules.

python -m tests.docs_observations    # after a change of what is observed
"""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from smallcity_env.rules import layout, planes
from smallcity_env.rules.tables import SEATS

PAGE: Final = Path(__file__).parents[1] / "docs" / "observation-tables.md"
REPEATED: Final = re.compile(r"(\w+)\+(\d)\.(.+)")  # seat+1.money
TEXT: Final = """# Observations, number by number

Where everything stands in the two forms of [an observation](observations.md). In Python, `OFFSETS` and
`TABLE_OFFSETS` of `smallcity_env.rules.layout` are the places by name, of the compact form and of the vector
beside planes. This page is made from the code by `python -m tests.docs_observations`.

## Compact

{compact}

## Planes

`planes` has the planes of `borough+0`, then those of `borough+1` and so on, rows 1 to 10 from the top and
columns A to J from the left. A plane is 1 where:

{planes}

`vector` is the table of the compact form, with packed numbers unpacked, which moves what follows them:

{vector}
"""


def page() -> str:
    """The whole page."""
    compact, vector = layout.ROWS_OF_COMPACT, layout.ROWS_OF_TABLE
    unpacked = [row for row in vector if row not in compact]
    return TEXT.format(compact=index(compact), planes=plane_table(), vector=index(vector, unpacked))


def index(rows: list[layout.Row], shown: list[layout.Row] | None = None) -> str:
    """The index tables of a vector; of `shown` rows only."""
    at, _ = layout.offsets(rows)
    once = [row for row in rows if not REPEATED.match(row[0])]
    lines = _table(at, [row for row in once if shown is None or row in shown])
    for name, stretch in repeated(rows):
        first, second = (at[f"{name}+{k}.{stretch[0][0]}"] for k in (0, 1))
        lines += ["", f"`{name}+k` begins at {first} + {second - first} k:"]
        if shown is None:
            lines += ["", *_table(layout.offsets(stretch)[0], stretch)]
    return "\n".join(lines if shown is None else [line.replace(" k:", " k.") for line in lines])


def repeated(rows: list[layout.Row]) -> Iterator[tuple[str, list[layout.Row]]]:
    """What stands there for every seat: its name and the rows of one of them."""
    found = [(match, row) for row in rows if (match := REPEATED.match(row[0]))]
    for name, group in groupby(found, key=lambda pair: pair[0][1]):
        by_seat = [
            [(match[3], *row[1:]) for match, row in seat]
            for _, seat in groupby(group, key=lambda pair: pair[0][2])
        ]
        assert by_seat == [by_seat[0]] * SEATS, name
        yield name, by_seat[0]


def _table(at: dict[str, int], rows: list[layout.Row]) -> list[str]:
    """Rows with the places they stand at."""
    lines = [f"| {at[name]} | {at[name] + n - 1} | {name} | {meaning} |" for name, n, meaning in rows]
    return ["| from | to | what | meaning |", "|---|---|---|---|", *lines]


def plane_table() -> str:
    """The planes; those that mean the same in one row."""
    lines, at = ["| planes | what | 1 means |", "|---|---|---|"], 0
    for meaning, group in groupby(planes.PLANES.items(), key=lambda plane: plane[1]):
        names = [name for name, _ in group]
        last = at + len(names) - 1
        lines.append(f"| {at if at == last else f'{at}-{last}'} | {', '.join(names)} | {meaning} |")
        at = last + 1
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
