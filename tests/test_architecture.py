"""How the code is built: what imports what, how long things are, where numbers stand."""

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from smallcity_env import actions
from smallcity_env.schema import BOROUGH, RULES, STATE

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "smallcity_env"
FILES = sorted(PACKAGE.rglob("*.py"))
ALL_FILES = [path for name in ("smallcity_env", "agents", "training") for path in (ROOT / name).rglob("*.py")]
ORDER = [
    "_jit", "tables", "spaces", "schema", "actions", "rng", "turns", "borough", "zone", "storage", "people",
    "modules", "prices", "placing", "phases", "scoring", "secrecy", "step", "layout", "observe", "engine",
    "config", "batch", "planes", "picture", "fields", "notation", "wording", "art", "log", "game", "show",
    "replay", "rewards", "env", "smallcity_v0", "opponents", "vector", "gym", "sb3", "terminal", "bench",
    "commands", "cli",
]  # fmt: skip
TABLES = ["__init__", "shapes", "tiles", "maps", "cards", "promises"]
LONGEST_FILE = 400
LONGEST_FUNCTION = 48  # the two dispatches by question; everything else is far shorter
USUAL_FUNCTION = 10
PLAIN_NUMBERS = {-1, 0, 1}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def rank(module: str) -> int:
    """The place of a file in the order: a folder stands where its name stands."""
    return ORDER.index(module.split("/")[0].split(".")[0])


def imports(path: Path) -> Iterator[str]:
    """The files of the package a file imports, as names like `tables/cards`."""
    here = list(path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - node.level + 1]
            if node.module:
                yield "/".join([*base, *node.module.split(".")])
            else:
                yield from ("/".join([*base, alias.name]) for alias in node.names)


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            yield node


def is_kernel(function: ast.FunctionDef) -> bool:
    names = {decorator.id for decorator in function.decorator_list if isinstance(decorator, ast.Name)}
    return bool(names & {"kernel", "entry"})


KERNELS = [(path, function) for path in FILES for function in functions(path) if is_kernel(function)]


@pytest.mark.parametrize("path", [path for path in FILES if path.parent == PACKAGE], ids=name_of)
def test_a_file_imports_only_files_above_it(path: Path) -> None:
    if path.name != "__init__.py":
        assert all(rank(found) < rank(name_of(path)) for found in imports(path))


@pytest.mark.parametrize("folder", ["modules", "phases"])
def test_modules_and_phases_import_only_what_stands_above_them(folder: str) -> None:
    for path in (PACKAGE / folder).glob("*.py"):
        assert all(rank(found) <= ORDER.index(folder) for found in imports(path)), path


MEETING = {"godzilla": {"modules/trample"}, "trample": {"modules/doctors"}}  # G9: the Doctor is eaten


def test_a_module_never_calls_another_module_but_where_the_rules_meet() -> None:
    for path in (PACKAGE / "modules").glob("*.py"):
        if path.stem not in ("__init__", "questions"):
            others = {found for found in imports(path) if found.startswith("modules/")}
            assert others <= MEETING.get(path.stem, set()), path


def test_tables_import_only_tables_above_them() -> None:
    for path in (PACKAGE / "tables").glob("*.py"):
        for found in imports(path):
            table = found.removeprefix("tables").strip("/") or "__init__"
            known = table if table in TABLES else "__init__"  # a name of tables/__init__.py
            assert TABLES.index(known) < TABLES.index(path.stem), (path, found)


@pytest.mark.parametrize("path", ALL_FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST_FILE


def test_functions_are_short() -> None:
    lengths = [f.end_lineno - f.lineno + 1 for path in ALL_FILES for f in functions(path) if f.end_lineno]
    assert max(lengths) <= LONGEST_FUNCTION
    assert statistics.median(lengths) <= USUAL_FUNCTION


def test_kernels_hold_no_numbers_but_0_1_and_minus_1() -> None:
    for path, function in KERNELS:
        constants = (node.value for node in ast.walk(function) if isinstance(node, ast.Constant))
        numbers = {value for value in constants if type(value) in (int, float)}
        assert numbers <= PLAIN_NUMBERS, (name_of(path), function.name, numbers - PLAIN_NUMBERS)


def test_every_kernel_says_what_it_does() -> None:
    assert len(KERNELS) > 300
    for path, function in KERNELS:
        assert ast.get_docstring(function), (name_of(path), function.name)


@pytest.mark.parametrize("block", [RULES, BOROUGH, STATE])
def test_no_field_has_the_name_of_a_method_of_a_record(block: np.dtype) -> None:
    assert not set(block.names or ()) & set(dir(np.record))


def test_a_game_is_at_most_8_kib() -> None:
    assert STATE.itemsize <= 8 * 1024


def drawn_blocks() -> dict[int, str]:
    """The first id of each line of the map in actions.py, and what the line goes on with."""
    lines = re.findall(r"^ +(\d+)[ .,]+(?:\d+ +)?(.*)$", actions.__doc__ or "", re.MULTILINE)
    return {int(first): text for first, text in lines}


def test_the_map_of_the_action_space_is_true() -> None:
    blocks = [actions.AT, actions.BUILD, actions.UPGRADE, actions.ENLARGE, actions.WAY, actions.HEADING]
    blocks += [actions.CARD, actions.ROW, actions.MATERIAL, actions.PROMISE, actions.SEAT, actions.PAY]
    blocks += [actions.STORE, actions.CLEAN, actions.YES]
    assert list(drawn_blocks()) == blocks
    for first, text in drawn_blocks().items():
        assert text.split()[0].strip(",") == actions.name(first).split()[0]
    assert actions.ACTIONS <= 320


def test_every_action_has_a_name_that_parses_back() -> None:
    for action in range(actions.ACTIONS):
        assert actions.parse(actions.name(action)) == action
