"""What a net knows, by name, so that it can play by rules that have changed since it was trained.

The rows of a table of weights belong to families; a family has a row for every combination of the names on
its axes. A net's file holds these names. When it is read, known rows keep their weights, vanished ones are
dropped, and new ones start from what is most like them: the nearest number, the mean of their axis, or zero.
"""

import itertools
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Rows: TypeAlias = npt.NDArray[Any]
Families: TypeAlias = Mapping[str, Sequence[str]]  # family: its axes
NONE: Final = "none"  # like nothing else on its axis
MOST_TOLD: Final = 8  # names in a line
_TOLD: Final = set[Path]()  # files whose news have been told


@dataclass(frozen=True)
class Names:
    """The names of the rows of some tables."""

    axes: Mapping[str, Sequence[str]]  # axis: its names
    tables: Mapping[str, Families]

    def shape(self, table: str, family: str) -> tuple[int, ...]:
        """The length of every axis of a family."""
        return tuple(len(self.axes[axis]) for axis in self.tables[table][family])

    def size(self, table: str) -> int:
        """The number of rows of a table."""
        return sum(math.prod(self.shape(table, family)) for family in self.tables[table])

    def starts(self, table: str) -> dict[str, int]:
        """The first row of every family."""
        sizes = [math.prod(self.shape(table, family)) for family in self.tables[table]]
        return dict(zip(self.tables[table], itertools.accumulate([0, *sizes]), strict=False))

    def labels(self, table: str) -> list[str]:
        """Every row in words, like `tile school D4`."""
        return [
            " ".join((family, *names))
            for family, axes in self.tables[table].items()
            for names in itertools.product(*(self.axes[axis] for axis in axes))
        ]


def used(axes: Mapping[str, Sequence[str]], tables: Mapping[str, Families]) -> Names:
    """The names of some tables, without the axes that none of them uses."""
    needed = {axis for families in tables.values() for own in families.values() for axis in own}
    return Names({axis: names for axis, names in axes.items() if axis in needed}, tables)


def to_json(names: Names) -> dict[str, Any]:
    """Names as `from_json` reads them."""
    return asdict(names)


def from_json(raw: Any, tables: Mapping[str, Families]) -> Names:
    """The names of these tables in a card; raises ValueError if it does not have them."""
    if not isinstance(raw, dict) or raw.keys() != {"axes", "tables"}:
        raise ValueError("it does not name what it knows")
    if not _lists_of_words(raw["axes"]) or any(len(set(axis)) < len(axis) for axis in raw["axes"].values()):
        raise ValueError("its axes must be lists of different names")
    named = raw["tables"]
    if not isinstance(named, dict) or named.keys() != tables.keys():
        raise ValueError(f"it must name the rows of {', '.join(tables)}")
    for table, families in named.items():
        if not _lists_of_words(families) or not raw["axes"].keys() >= {*itertools.chain(*families.values())}:
            raise ValueError(f"the rows of its {table} must be families with known axes")
    return Names(raw["axes"], named)


def _lists_of_words(raw: Any) -> bool:
    """Whether a JSON value is a mapping of lists of strings."""
    lists = raw.values() if isinstance(raw, dict) else [None]
    return all(isinstance(words, list) and all(isinstance(word, str) for word in words) for words in lists)


def fit(rows: Rows, table: str, known: Names, wanted: Names, mean: bool) -> Rows:
    """The rows of a table for other names; new names start from the mean of their axis, or from zero."""
    begins, blocks = known.starts(table), []
    for family, axes in wanted.tables[table].items():
        block = np.zeros((*wanted.shape(table, family), *rows.shape[1:]), rows.dtype)
        if list(axes) == list(known.tables[table].get(family, [NONE])):
            shape = known.shape(table, family)
            block = rows[begins[family] :][: math.prod(shape)].reshape(*shape, *rows.shape[1:])
            for i, axis in enumerate(axes):
                block = _along(block, i, known.axes[axis], wanted.axes[axis], mean)
        blocks.append(block.reshape(-1, *rows.shape[1:]))
    return np.concatenate(blocks)


def _along(block: Rows, axis: int, known: Sequence[str], wanted: Sequence[str], mean: bool) -> Rows:
    """A block with other names on one axis."""
    rows, at = np.moveaxis(block, axis, 0), {name: n for n, name in enumerate(known)}
    alike = [[at[name]] if name in at else _alike(name, known, mean) for name in wanted]
    nothing = np.zeros(rows.shape[1:], rows.dtype)
    picked = [rows[n[0]] if len(n) == 1 else rows[n].mean(axis=0) if n else nothing for n in alike]
    return np.moveaxis(np.array(picked, rows.dtype).reshape(len(wanted), *rows.shape[1:]), 0, axis)


def _alike(name: str, known: Sequence[str], mean: bool) -> list[int]:
    """Where the known names most like a new one stand: `build fountain` is like every other `build ...`."""
    everything = [n for n, other in enumerate(known) if other != NONE]
    if name.isdecimal() and all(other.isdecimal() for other in known):
        return sorted(everything, key=lambda n: abs(int(known[n]) - int(name)))[:1]
    if not mean:
        return []
    first = name.partition(" ")[0]
    return [n for n in everything if known[n].partition(" ")[0] == first] or everything


def tell_news(what: str, path: Path, known: Names, wanted: Names) -> None:
    """Say on stderr what is new to a net, once for each file."""
    news = [
        f"{axis} {name}"
        for axis, names in wanted.axes.items()
        for name in names
        if axis in known.axes and name not in known.axes[axis]
    ]
    for table, families in wanted.tables.items():
        news += [f"{family} ({table})" for family in families if family not in known.tables[table]]
    if news and path not in _TOLD:
        _TOLD.add(path)
        more = f" and {len(news) - MOST_TOLD} more" if len(news) > MOST_TOLD else ""
        new = f"{', '.join(news[:MOST_TOLD])}{more}"
        start = "these start from what is most like them"
        print(f"smallcity: {what} {path} has not met: {new}; {start}", file=sys.stderr, flush=True)
