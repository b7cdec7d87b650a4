"""Files of nets: an npz of weights, and a card that says how they were made and names their rows."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env import files
from smallcity_env.refusal import Refused
from smallcity_env.rules.tables.in_force import FINGERPRINT

from . import AgentError
from .names import Names, from_json, tell_news, to_json

CARD: Final = "card"
LARGEST: Final = 1000.0  # of a weight: far larger ones overflow, and every answer looks the same
Arrays = dict[str, Any]
Shapes = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class NetFile:
    """How nets of one kind are kept in files."""

    what: str
    written_by: str
    format: str
    names: Names  # of the rows of a net for the rules in force
    shapes: Callable[[Arrays, Names], Shapes]  # of all arrays, by the size of some and what a net knows
    kinds: Sequence[type] = (np.float32,)
    told: Mapping[str, type] = field(default_factory=dict)  # what every card tells

    def write(self, path: Path, arrays: Arrays, card: dict[str, Any]) -> None:
        """Write weights and card atomically."""
        card = {"numbers": FINGERPRINT} | card | {"format": self.format, "names": to_json(self.names)}
        files.write_arrays(path, arrays | {CARD: np.array(json.dumps(card))}, compressed=True)

    def read(self, path: Path) -> tuple[Arrays, Names, dict[str, Any]]:
        """Weights, what they know, and card; raises AgentError if the file is damaged or no such net."""
        if not files.is_file(path):
            raise AgentError(f"there is no {self.what} {path}: `{self.written_by}` writes them")
        try:
            arrays = files.read_arrays(path, f"the {self.what}", files.LARGEST_NET)
            card = json.loads(str(arrays.pop(CARD)))
        except Refused as wrong:
            raise AgentError(str(wrong)) from None
        except (ValueError, KeyError, RecursionError):
            raise AgentError(f"{path} is not a {self.what} of this project") from None
        try:
            self._check_card(card)
            known = from_json(card.get("names"), self.names.tables)
            self._check_arrays(arrays, self.shapes(arrays, known))
        except ValueError as damage:
            raise AgentError(f"the {self.what} {path} cannot be used: {damage}") from None
        tell_news(f"the {self.what}", path, known, self.names)
        return arrays, known, card

    def _check_card(self, card: Any) -> None:
        """Raise ValueError if a card does not say what every card says."""
        if not isinstance(card, dict):
            raise ValueError("its card is not a mapping")
        if card.get("format") != self.format:
            raise ValueError(f"its format is {card.get('format')!r}, not {self.format!r}")
        for name, kind in self.told.items():
            if type(card.get(name)) is not kind:
                raise ValueError(f"its card must tell {name} as {kind.__name__}, not {card.get(name)!r}")
            if kind is not str and not 0 <= card[name] < np.inf:
                raise ValueError(f"its card tells {card[name]} {name}")

    def _check_arrays(self, arrays: Arrays, expected: Shapes) -> None:
        """Raise ValueError if arrays are not the weights of a net."""
        if missing := [name for name in expected if name not in arrays]:
            raise ValueError(f"it has no {missing[0]}")
        kinds = " or ".join(kind.__name__ for kind in self.kinds)
        for name, shape in expected.items():
            array = arrays[name]
            if array.shape != shape or array.dtype not in self.kinds:
                raise ValueError(f"{name} must be {kinds} {shape}, not {array.dtype} {array.shape}")
            if not (np.abs(array) <= LARGEST).all():
                raise ValueError(f"{name} is not finite, or has a number beyond {LARGEST:g}")
        if strange := sorted(arrays.keys() - expected.keys()):
            raise ValueError(f"it holds {strange[0]!r}, which is not a weight of a net")


def width(arrays: Arrays, name: str) -> int:
    """The last dimension of an array, at least 1."""
    array = arrays.get(name)
    return max(array.shape[-1], 1) if array is not None and array.ndim else 1
