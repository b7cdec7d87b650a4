"""The pages: links lead to files, anchors to headings, and the code of the guides does what they say."""

import doctest
import re
from pathlib import Path

import pytest
import yaml

from smallcity_env.rules import numbers
from smallcity_env.rules.numbers import toml
from smallcity_env.rules.tables import in_force
from smallcity_training.config import parse
from smallcity_training.ppo import PPOConfig

from .docs_commands import FENCE, FILE, PAGES
from .interpreter import ROOT

PLAYED = re.compile(r"<!-- evidence: .*?<!-- /evidence -->", re.DOTALL)  # tables that a command writes
LINK = re.compile(r"\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the usual renderers make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_pages_are_short() -> None:
    written = {page.relative_to(ROOT).as_posix(): PLAYED.sub("", page.read_text()) for page in PAGES}
    words = {page: len(text.split()) for page, text in written.items()}
    assert sum(words.values()) < 57_000
    assert sum(n for page, n in words.items() if not page.startswith("docs/fr/")) < 53_000
    assert {page for page, n in words.items() if n > 3_000} <= {"docs/rules.md", "docs/cards.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for name, anchor in LINK.findall(page.read_text()):
        target = page.parent / name if name else page
        assert target.exists(), f"{page.name} links to {name}, which does not exist"
        assert not anchor or anchor in anchors(target), f"{name} has no heading #{anchor}"


def test_every_promise_names_tests_that_exist() -> None:
    table = (ROOT / "docs" / "safety.md").read_text().split("|---|---|\n", 1)[1].split("\n\n")[0]
    for row in table.splitlines():
        promise, tests = row.strip("| ").split(" | ")
        named = re.findall(r"`(tests/[^`:]+)(?:::([^`]+))?`", tests)
        assert ", ".join(f"`{path}{'::' * bool(name)}{name}`" for path, name in named) == tests, promise
        for path, name in named:
            assert not name or f"def {name}(" in (ROOT / path).read_text(), f"{path} has no {name}"
            assert (ROOT / path).is_file(), f"there is no {path}"


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


# -- files that are not Python

LANGUAGES = {"", "python", "toml", "yaml", "dockerfile", "json"}  # a block in any other is not tested


def blocks(language: str) -> list[tuple[str, str]]:
    """All blocks of a language, each with the name of its page."""
    return [
        (page.name, body)
        for page in PAGES
        for kind, body in FENCE.findall(page.read_text())
        if kind == language
    ]


def test_every_block_has_a_language_that_is_tested() -> None:
    assert {kind for page in PAGES for kind, _ in FENCE.findall(page.read_text())} <= LANGUAGES


ROUNDS = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/results/rounds").glob("*.toml"))]


@pytest.mark.parametrize("body", [*(body for _, body in blocks("toml")), *ROUNDS])
def test_numbers_of_the_pages_are_accepted(body: str) -> None:
    assert in_force.FINGERPRINT == numbers.STANDARD
    assert numbers.fingerprint(numbers.check(toml.parse(body, "the page"))) != numbers.STANDARD


@pytest.mark.parametrize(("page", "body"), blocks("yaml"))
def test_yaml_of_the_pages_is_what_it_is_for(page: str, body: str) -> None:
    values = yaml.safe_load(body)
    if page == "training.md":
        assert parse(PPOConfig, values).stages
    else:
        assert (page, values["kind"]) == ("cluster.md", "RayCluster")


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_workflows_and_templates_are_yaml(path: Path) -> None:
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(values, dict)
    if path.parent.name == "workflows":
        assert all(job["runs-on"] and job["steps"] for job in values["jobs"].values())


def test_actions_are_pinned_by_commit() -> None:
    workflows = (ROOT / ".github" / "workflows").glob("*.yml")
    used = [use for path in workflows for use in re.findall(r"uses: (\S+)", path.read_text())]
    assert used and all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", use) for use in used), used
