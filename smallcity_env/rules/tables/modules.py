"""The modules of the game: their names, and what the file of each declares."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from . import declare
from .declare import Expansion, Field, Tile

MODULES: Final = (
    "godzillas",
    "doctors",
    "mayor",
    "action_cards",
    "promise_cards",
    "new_buildings",
    "real_buildings",
    "power_plants",
)
_FOLDER: Final = Path(__file__).parents[1] / "modules"


def _declared(name: str) -> Expansion:
    """What a module declares above its first function: rules need tables, and tables need this first."""
    file = _FOLDER / f"{name}.py"
    above = file.read_text().partition("\n\n\n")[0]
    for statement in ast.parse(above).body:
        match statement:
            case ast.Assign(targets=[ast.Name("EXPANSION")], value=value):
                code = compile(ast.Expression(value), file, "eval")
                expansion: Expansion = eval(code, dict(vars(declare)))
                return expansion
    raise LookupError(f"{file} declares no EXPANSION above its first function")


EXPANSIONS: Final = {name: _declared(name) for name in MODULES}
QUESTIONS: Final = [ask for expansion in EXPANSIONS.values() for ask in expansion.questions]
CARDS: Final = {card: name for name, expansion in EXPANSIONS.items() for card in expansion.cards}
TILES: Final[list[Tile]] = [
    replace(tile, module=name) for name, expansion in EXPANSIONS.items() for tile in expansion.tiles
]
FIELDS: Final[list[Field]] = [field for expansion in EXPANSIONS.values() for field in expansion.fields]


def number_of(module: str) -> int:
    """The number of a module by which kernels look it up: from 1, and 0 for what needs no module."""
    return MODULES.index(module) + 1 if module else 0


def added(members: Mapping[str, Any], names: Iterable[str]) -> dict[str, int]:
    """Those names that an enum does not have yet, numbered on from its last member."""
    last = max(number for number in members.values() if isinstance(number, int))
    new = [name for name in names if name not in members]
    return {name: number for number, name in enumerate(new, start=last + 1)}
