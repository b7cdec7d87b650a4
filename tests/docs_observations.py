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


def page() -> str:
    """The whole page."""
    return TEXT.format(
        compact=layout.index_table(layout.ROWS_OF_COMPACT),
        vector=layout.index_table(layout.ROWS_OF_TABLE),
        planes=planes.plane_table(),
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
