from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.notebooks import NOTEBOOKS, ROOT, executed, read

LARGEST = 500_000  # bytes
MOST_LINES = 200  # of an output
PICTURES = {"image/png", "image/svg+xml"}

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def text(output: Any) -> str:
    """What is printed or shown as text; the words behind a picture are not shown."""
    data = output.get("data", {})
    return output.get("text", "") or ("" if PICTURES & set(data) else data.get("text/plain", ""))


def shows(notebook: Any) -> list[set[str]]:
    """What each output is: a stream or an error by name, anything else by all its types."""
    return [set(output.get("data", [output.get("name", "error")])) for output in outputs(notebook)]


def test_there_are_notebooks_and_the_readme_names_each() -> None:
    assert NOTEBOOKS
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"](notebooks/{path.name})" in readme for path in NOTEBOOKS)


@each
def test_a_notebook_is_a_page_with_its_outputs(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert path.stat().st_size <= LARGEST
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "not run in order"
    assert sum(bool(kinds & PICTURES) for kinds in shows(notebook)) >= 2
    assert all(len(text(output).splitlines()) <= MOST_LINES for output in outputs(notebook))
    assert {"error", "stderr"}.isdisjoint(set().union(*shows(notebook)))
    assert str(Path.home()) not in path.read_text(encoding="utf-8")


@each
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for part in cell.source.split("](")[1:]:
                target = part.split(")")[0].split("#")[0]
                assert target.startswith("http") or (path.parent / target).exists(), target


@each
def test_a_notebook_runs_from_a_clean_kernel_and_warns_of_nothing(path: Path, tmp_path: Path) -> None:
    fresh = executed(path, tmp_path)
    shown = [text(output) for output in outputs(fresh) if output.get("name") == "stderr"]
    assert not [words for words in shown if "Warning" in words]
