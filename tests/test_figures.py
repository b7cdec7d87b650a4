"""Every table of playing results says what it was measured with, and that is what is shipped."""

import re
from pathlib import Path

import pytest

from smallcity_agents.evidence import shipped
from smallcity_env.rules.tables.in_force import RULES_VERSION

from .docs_commands import PAGES
from .interpreter import ROOT

MARK = re.compile(r"^<!-- figures: (.+) -->$")
RESULT = re.compile(r"± ?\d|\d ?% \(|\d% - \d|^\|.*\bwins\b.*\|$|^\|.*\bwon\b.*\|$", re.MULTILINE)
TABLE = re.compile(r"((?:^\|.*\n)+)", re.MULTILINE)
EXPLAINS = "| column |"  # a table of what columns mean


def unmarked(text: str) -> list[str]:
    """The first lines of tables of results with no mark above them (other comments may stand between)."""
    found = []
    for table in TABLE.finditer(text):
        above = [line for line in text[: table.start()].splitlines()[-4:] if line]
        if RESULT.search(table[0]) and EXPLAINS not in table[0] and not any(map(MARK.match, above[-2:])):
            found.append(table[0].splitlines()[0])
    return found


def marks(text: str) -> list[tuple[str, str]]:
    """All names and versions of the marks of a page."""
    found = [MARK.match(line) for line in text.splitlines()]
    return [(name, version) for match in found if match for name, version in pairs(match[1])]


def pairs(text: str) -> list[tuple[str, str]]:
    return [(name, version) for name, _, version in (part.partition(" ") for part in text.split(", "))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_figures_are_of_the_shipped_nets_and_rules(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.name != "CHANGELOG.md":
        assert not unmarked(text)
    for name, version in marks(text):
        assert shipped()[name] == version, f"{page.name}: measured with {name} {version}; play it again"


def test_marks_are_looked_for() -> None:
    assert len([mark for page in PAGES for mark in marks(page.read_text(encoding="utf-8"))]) > 10
    table = "| agent | first |\n|---|---|\n| policy | 98 % (96 - 99) |\n"
    assert unmarked(table) and not unmarked(f"<!-- figures: rules r0 -->\n\n{table}")
    assert marks("<!-- figures: policy 12345678, rules r0 -->") == [("policy", "12345678"), ("rules", "r0")]


def test_the_pages_for_citing_name_the_rules() -> None:
    for page in ("CITATION.cff", "docs/releasing.md"):
        assert f"rules {RULES_VERSION}" in (ROOT / page).read_text(encoding="utf-8")
