"""How the code is built: what imports what, how long things are, where numbers stand."""

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from smallcity_env.rules import actions
from smallcity_env.rules.schema import BOROUGH, RULES, STATE

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "smallcity_env"
RULES_ROOM = PACKAGE / "rules"
FILES = sorted(RULES_ROOM.rglob("*.py"))
PACKAGES = ["smallcity_env", *(f"{name}/smallcity_{name}" for name in ("agents", "training", "bench"))]
ALL_FILES = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
ROOMS = [
    "library", "_version", "language", "registration", "refusal", "typed", "interrupt", "files", "plain",
    "rules", "arguments", "calls", "config", "batch", "text", "log", "history", "render", "game", "show",
    "terminal", "envs", "smallcity_v0", "commands", "cli", "ship", "__main__",
]  # fmt: skip
ORDER = [
    "numbers", "tables", "_library", "_sets", "spaces", "schema", "limits", "actions", "_emit", "_flags",
    "draw",
    "questions", "rng", "turns", "supply", "borough", "zone", "storage", "people", "modules", "prices",
    "placing", "phases", "why_not", "scoring", "payoff", "determinize", "step", "validity", "layout",
    "planes", "bounds", "observe", "entries",
]  # fmt: skip
TABLES = [
    "declare",
    "modules",
    "__init__",
    "shapes",
    "cards",
    "tiles",
    "expansions",
    "maps",
    "promises",
    "names",
    "in_force",
]
LONGEST_FILE = 400
LONGEST_FUNCTION = 48  # the two dispatches by question; everything else is far shorter
USUAL_FUNCTION = 10
PLAIN_NUMBERS = {-1, 0, 1}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def rank(order: list[str], module: str) -> int:
    """The place of a file in an order: a folder stands where its name stands."""
    return order.index(module.split("/")[0])


def imports(path: Path, room: Path) -> Iterator[str]:
    """The files of a room that a file of it imports, as names like `tables/cards`."""
    here = list(path.relative_to(PACKAGE).parent.parts)
    prefix = [*room.relative_to(PACKAGE).parts]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - node.level + 1] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                parts = [*base, alias.name]
                if parts[: len(prefix)] == prefix:
                    yield "/".join(parts[len(prefix) :])


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            yield node


def is_kernel(function: ast.FunctionDef) -> bool:
    marks = {ast.unparse(decorator).split("(")[0] for decorator in function.decorator_list}
    return bool(marks & {"kernel", "library.entry", "library.long_entry"})


KERNELS = [(path, function) for path in FILES for function in functions(path) if is_kernel(function)]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=name_of)
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    room = name_of(path).split("/")[0]
    if room != "__init__":
        assert all(rank(ROOMS, module) <= ROOMS.index(room) for module in imports(path, PACKAGE))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_of_the_rules_imports_only_files_above_it(path: Path) -> None:
    name = path.relative_to(RULES_ROOM).with_suffix("").as_posix()
    if name != "__init__":
        room = "/" in name  # files of one folder may import each other
        limit = rank(ORDER, name) + room
        assert all(rank(ORDER, module) < limit for module in imports(path, RULES_ROOM)), path


MEETING = {"godzillas": {"trample"}, "trample": {"doctors"}}  # G9: the Doctor is eaten


def test_a_module_never_calls_another_module_but_where_the_rules_meet() -> None:
    for path in (RULES_ROOM / "modules").glob("*.py"):
        if path.stem != "__init__":
            names = [module.split("/") for module in imports(path, RULES_ROOM)]
            others = {name[1] for name in names if name[0] == "modules"}
            assert others <= MEETING.get(path.stem, set()), path


def test_tables_import_only_tables_above_them() -> None:
    for path in (RULES_ROOM / "tables").glob("*.py"):
        for module in imports(path, RULES_ROOM):
            if module.startswith("numbers"):
                continue
            table = module.split("/")[1]
            known = table if table in TABLES else "__init__"  # a name of tables/__init__.py
            assert TABLES.index(known) < TABLES.index(path.stem), (path, module)


REFERENCE = [path for path in (ROOT / "tests" / "reference").glob("*.py") if path.stem != "dense_positions"]
SHARED = ("actions", "schema", "tables", "phases.pollution.DYING", "phases.pollution.TRAMPLING")


@pytest.mark.parametrize("path", REFERENCE, ids=lambda path: path.stem)
def test_the_reference_shares_with_the_engine_only_the_record_ids_and_tables(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, ast.Import) or "smallcity" not in node.names[0].name
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("smallcity"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}".removeprefix("smallcity_env.rules.")
                assert name.startswith(SHARED), name


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
