"""docs/architecture.md: the walks through the code are short and true, and rooms as large as it says."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
ROOMS = {name: int(lines) for name, lines in re.findall(r"`([\w/]+)` \| (\d+) \|", PAGE)}
HOMES = ["smallcity_env", "agents/smallcity_agents", "training/smallcity_training"]
LAYOUT = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def code_lines(path: Path) -> int:
    """The lines of a file without blank lines, comments and docstrings."""
    source = path.read_text()
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node) is not None:
                lines -= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(lines)


@pytest.mark.parametrize(
    ("walk", "most"),
    [
        ("A decision of the champion", 15),
        ("An update of PPO", 4),
        ("An iteration of `train search`", 8),
        ("A click", 8),
    ],
)
def test_a_walk_is_short_and_its_files_are_there(walk: str, most: int) -> None:
    text = PAGE.partition(f"## {walk}\n")[2].partition("\n## ")[0]
    files = set(re.findall(r"`([\w/]+\.py)`", text))
    assert 1 < len(files) <= most
    assert not [file for file in files if not any((ROOT / home / file).exists() for home in HOMES)]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_about_as_many_lines_as_the_page_says(room: str) -> None:
    lines = sum(map(code_lines, (ROOT / room).rglob("*.py")))
    assert abs(lines - ROOMS[room]) <= max(100, 0.2 * lines), f"{room} has {lines}"
