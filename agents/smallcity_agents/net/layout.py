"""The names of what the net has weights for: codes of spaces, numbers of an observation, and answers."""

import math
from collections.abc import Sequence
from typing import Final

from smallcity_env.rules.layout import ROWS_OF_COMPACT, SEAT, TABLE, How
from smallcity_env.rules.tables import SEATS, SIDE

from ..names import NONE, Families, used
from ..vocabulary import AXES, count
from .features import MARKS, PARTS

CONDITIONS: Final = ("cemetery", "marker", "godzilla", "mayor", "fresh", "growing", "later", "zone")
BY_HOW: Final[dict[How, Sequence[str]]] = {
    How.SEAT: ("seat",),
    How.BY_SEAT: ("seat",),
    How.SPACE: ("coordinate",),
}
BY_ROW: Final[Families] = {  # the axes of rows of an observation, where they are longer than one number
    "ask": ("question",),
    "phase": ("phase",),
    "rules.players": ("players",),
    "rules.victory": ("victory",),
    "kind": ("tile",),
    "supply": ("tile",),
    "council_row": ("council row",),
    "council": ("council row",),
    "tourism_column": ("council column",),
    "product": ("material",),
    "goods": ("material",),
    "stock": ("material",),
    "goods_abroad": ("seat", "material"),
    "heading": ("heading",),
    "circle": ("card",),
    "card": ("card",),
    "difficulty": ("difficulty",),
    "board": ("board",),
    "promise": ("promise",),
    "special": ("promise",),
    "powered": ("column",),
}


def _things() -> list[str]:
    """The codes of what lies on a space; seats are counted from the viewer."""
    others = [f"of seat+{k}" for k in range(1, SEATS)]
    citizens = ["own citizen", *(f"citizen {other}" for other in others)]
    workers = ["own worker", *(f"worker {other}" for other in others)]
    return [NONE, *citizens, *workers, *AXES["material"]]


def _scalars() -> dict[str, Sequence[str]]:
    """The rows of an observation before the boroughs, and their axes."""
    how, scalars = {block.name: block.how for block in (*TABLE, *SEAT)}, dict[str, Sequence[str]]()
    for row, length, _ in ROWS_OF_COMPACT:
        if row.startswith("borough+"):
            break
        name = row.partition(".")[2] if row.startswith("seat+") else row
        known = BY_ROW.get(name) or BY_HOW.get(how.get(name, How.NUMBER), ())
        fitting = length == math.prod([len(_AXES[axis]) for axis in known])
        scalars[row] = () if length == 1 else known if fitting else (f"{length} numbers",)
        _AXES.setdefault(f"{length} numbers", count(length, 1))
    return scalars


_AXES: Final = AXES | {
    "players": count(SEATS, 1),
    "seat": [f"seat+{k}" for k in range(SEATS)],
    "coordinate": ["row", "column"],
    "column": count(SIDE, 1),
    "part": count(PARTS),
    "thing": _things(),
    "condition": CONDITIONS,
    "mark": [NONE, *MARKS],
}
_EMBEDDINGS: Final = {
    "tile": {"tile": ("tile",)},
    "part": {"part": ("part",)},
    "thing": {"thing": ("thing",)},
    "state": {"state": ("condition",)},
    "mark": {"mark": ("mark",)},
    "place": {"place": ("space",)},
}
NAMES: Final = used(_AXES, {**_EMBEDDINGS, "scalars": _scalars(), "answer": {"answer": ("answer",)}})
