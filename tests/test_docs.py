"""The pages: links lead to files, anchors to headings, and the code of the guides does what they say."""

import doctest
import re
from pathlib import Path

import pytest

from .docs_commands import FILE, PAGES
from .interpreter import ROOT

LINK = re.compile(r"\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the usual renderers make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for name, anchor in LINK.findall(page.read_text()):
        target = page.parent / name if name else page
        assert target.exists(), f"{page.name} links to {name}, which does not exist"
        assert not anchor or anchor in anchors(target), f"{name} has no heading #{anchor}"


# -- their code

RECIPES = {
    "changes.md",
    "modules.md",
}  # each block names the file it changes: test_changes.py, test_modules_recipe.py
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
QUOTED = [*(ROOT / "smallcity_env").rglob("*.py"), *(ROOT / "recipes").glob("*.py")]
SOURCES = [path.read_text() for path in QUOTED]
WITH_CODE = [page for page in PAGES if BLOCK.search(page.read_text()) and page.name not in RECIPES]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.stem)
def test_pages_do_what_they_say(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files they show are written into an empty folder, and their prompts are answered there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name, code in FILE.findall(page.read_text()):
        (tmp_path / name).write_text(code)
    assert doctest.testfile(str(page), module_relative=False, optionflags=FLAGS).failed == 0


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.stem)
def test_no_block_goes_untested(page: Path) -> None:
    """Every block is typed at the prompt, a whole file, or quoted from the sources."""
    files = {code for _, code in FILE.findall(page.read_text())}
    for code in BLOCK.findall(page.read_text()):
        assert code.startswith(">>>") or code in files or any(code in source for source in SOURCES), code
