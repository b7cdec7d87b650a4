"""The site is built strictly: no broken link, no page that is not in its navigation."""

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

import smallcity_agents
import smallcity_env

from . import docs_reference

ROOT = Path(__file__).parents[1]


def build(project: Path, to: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(to)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=1800)


def test_the_site_is_built(tmp_path: Path) -> None:
    built = build(ROOT, tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    pages = [*(ROOT / "docs").glob("*.md"), *ROOT.glob("C*.md"), *(ROOT / "notebooks").glob("*.ipynb")]
    assert {page.stem for page in pages} <= {page.stem for page in tmp_path.rglob("*.html")}
    reference = (tmp_path / "api.html").read_text()
    assert "play_forced" not in reference
    for package in (smallcity_env, smallcity_agents):
        assert not [name for name in package.__all__ if f"{package.__name__}.{name}" not in reference]
    assert not [page for page in tmp_path.glob("*.html") if re.search(r">[\w/-]+\.md</a>", page.read_text())]
    for page in tmp_path.rglob("*.html"):
        for target in re.findall(r'href="([\w.][\w./-]*\.html)[#"]', page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [("[gone](nowhere.md)", "nowhere.md"), ("[gone](../smallcity_env/nowhere.py)", "does not exist")],
)
def test_a_broken_link_is_refused(tmp_path: Path, line: str, complaint: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text(f"# Start\n\n{line}\n")
    (tmp_path / "docs/hooks.py").write_text((ROOT / "docs/hooks.py").read_text())
    settings = "site_name: Test\nstrict: true\nhooks: [docs/hooks.py]\nexclude_docs: hooks.py\n"
    (tmp_path / "mkdocs.yml").write_text(settings)
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode != 0 and complaint in built.stdout + built.stderr


def public(path: str, listed: Any) -> Iterator[tuple[str, Any]]:
    """A name of the reference and the public names in it."""
    yield path, listed
    for name, member in vars(listed).items() if inspect.ismodule(listed) or inspect.isclass(listed) else ():
        own = getattr(member, "__module__", listed.__name__) == getattr(listed, "__module__", listed.__name__)
        kind = inspect.isroutine(member) or inspect.isclass(member) or isinstance(member, property)
        if kind and own and not name.startswith("_"):
            yield from public(f"{path}.{name}", getattr(listed, name))


def reference() -> dict[str, Any]:
    """Every public name of the API page, with what it names."""
    listed = re.findall(r"^::: (\S+)", (ROOT / "docs/api.md").read_text(), re.MULTILINE)
    return dict(pair for path in listed for pair in public(path, resolve_name(path)))


def test_every_name_of_the_reference_is_documented() -> None:
    names = reference()
    assert len(names) > 100
    assert not [path for path, value in names.items() if not inspect.getdoc(value)]


INSIDE = ("changes.md", "modules.md", "translating.md", "CONTRIBUTING.md")  # pages about the code itself
IMPORT = re.compile(r"^(?:>>> |\.\.\. )? *from (smallcity_[\w.]+) import ([\w, ]+)", re.MULTILINE)


def guides() -> dict[str, str]:
    """What users read and copy: pages, recipes and the code of notebooks."""
    pages = [
        ROOT / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted(ROOT.glob("recipes/**/*.py")),
    ]
    texts = {path.name: path.read_text() for path in pages if path.name not in INSIDE}
    for path in ROOT.glob("notebooks/*.ipynb"):
        cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
        texts[path.name] = "\n".join("".join(cell["source"]) for cell in cells)
    return texts


def test_everything_the_guides_import_is_on_the_page() -> None:
    page = (ROOT / "docs/api.md").read_text()
    spans = [span for span in re.findall(r"`(smallcity_[\w.]+)`", page) if "openenv" not in span]
    known = {id(value) for value in (*reference().values(), *map(resolve_name, spans))}
    imports = [
        (guide, module, part.split(" as ")[0].strip())
        for guide, text in guides().items()
        for module, names in IMPORT.findall(text)
        for part in names.split(",")
    ]
    assert len(imports) > 60
    assert not [found for found in imports if not is_listed(*found[1:], known, page)]


def is_listed(module: str, name: str, known: set[int], page: str) -> bool:
    """Whether an import is on the page; one that needs a library that is not installed, by its name."""
    try:
        return id(resolve_name(f"{module}:{name}")) in known
    except ImportError:
        return f"`{module}.{name}`" in page


def test_the_page_of_commands_is_made_from_the_parsers() -> None:
    made = docs_reference.PAGE.read_text(encoding="utf-8")
    assert made == docs_reference.page(), "make it again: python -m tests.docs_reference"
