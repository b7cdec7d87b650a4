"""The pages: links lead to files, anchors to headings, and the code of the guides does what they say."""

import doctest
import re
from pathlib import Path

import pytest

from .interpreter import ROOT

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
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


# -- the guides

GUIDES = [ROOT / "docs" / f"{name}.md" for name in ("first-agent", "first-training", "reading-an-arena")]
FILE = re.compile(r"^A file `([\w.]+)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("guide", GUIDES, ids=lambda page: page.stem)
def test_guides_do_what_they_say(guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files they show are written into an empty folder, and their prompts are answered there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    text = guide.read_text()
    for name, code in FILE.findall(text):
        (tmp_path / name).write_text(code)
    failures, tried = doctest.testfile(str(guide), module_relative=False, optionflags=FLAGS)
    blocks = text.count("```python")
    assert tried >= blocks - len(FILE.findall(text)) > 0 and failures == 0
