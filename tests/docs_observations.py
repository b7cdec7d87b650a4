"""The index tables of docs/observation-tables.md, from the layouts of the rules.

python -m tests.docs_observations    # after a change of what is observed
"""

from pathlib import Path
from typing import Final

from smallcity_env.rules import layout, planes

PAGE: Final = Path(__file__).parents[1] / "docs" / "observation-tables.md"
TEXT: Final = """# Observations, number by number

Where everything stands in the two forms of [an observation](observations.md), for four players. This page
is made from the code by `python -m tests.docs_observations`.

## Compact

{compact}

## Planes

`planes` has the planes of `borough+0`, then those of `borough+1` and so on, rows 1 to 10 from the top and
columns A to J from the left. A plane is 1 where:

{planes}

`vector` is the table of the compact form, with packed numbers unpacked:

{vector}
"""


def index_table(rows: list[layout.Row]) -> str:
    """The index table of a vector."""
    lines, (at, _) = ["| from | to | what | meaning |", "|---|---|---|---|"], layout.offsets(rows)
    lines += [f"| {at[name]} | {at[name] + n - 1} | {name} | {meaning} |" for name, n, meaning in rows]
    return "\n".join(lines)


def plane_table() -> str:
    """The planes."""
    rows = enumerate(planes.PLANES.items())
    lines = ["| plane | what | 1 means |", "|---|---|---|"]
    return "\n".join(lines + [f"| {plane} | {name} | {meaning} |" for plane, (name, meaning) in rows])


def page() -> str:
    """The whole page."""
    return TEXT.format(
        compact=index_table(layout.ROWS_OF_COMPACT),
        vector=index_table(layout.ROWS_OF_TABLE),
        planes=plane_table(),
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
