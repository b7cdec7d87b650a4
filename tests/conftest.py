"""One browser for all tests of pages, as Playwright drives one at a time; rules r2 for tests/rulebook."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .browser import chromium

if TYPE_CHECKING:
    from playwright import sync_api as playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
TIMEOUT = 60_000  # of a step, on a busy machine
RULEBOOK = Path(__file__).parent / "rulebook"
R2 = Path(__file__).parents[1] / "docs" / "numbers-r2.toml"
NUMBERS = "SMALLCITY_NUMBERS"


def _given(config: pytest.Config) -> list[Path]:
    """The files and folders whose tests are run."""
    return [Path(argument.partition("::")[0]).resolve() for argument in config.args]


def pytest_configure(config: pytest.Config) -> None:
    """Play the positions of tests/rulebook by the numbers they are drawn with, not by the standard ones."""
    drawn = [path.is_relative_to(RULEBOOK) for path in _given(config)]
    if all(drawn):
        os.environ[NUMBERS] = str(R2)
    elif any(drawn):
        raise pytest.UsageError("tests/rulebook has numbers of its own: run it without other tests")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave tests/rulebook out of a run of all tests, which has the standard numbers."""
    return True if collection_path == RULEBOOK and NUMBERS not in os.environ else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say so."""
    if any(RULEBOOK.is_relative_to(path) for path in _given(config)) and NUMBERS not in os.environ:
        terminalreporter.write_line("tests/rulebook was left out: it is run by itself, as `make test` does")


@pytest.fixture(scope="session")
def browser() -> Iterator["playwright.Browser"]:
    from playwright import sync_api

    path = chromium()
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: "playwright.Browser") -> Iterator[Callable[..., "playwright.Page"]]:
    """Open an address in a browser of its own; only what is expected may be wrong when the test ends."""
    wrong, contexts = [], []

    def open_page(
        address: str, width: int = 1400, height: int = 900, expected: str = "nothing", **options: object
    ) -> "playwright.Page":
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", **options
        )
        context.add_init_script("localStorage.setItem('smallcity.speed', '\"instant\"')")
        context.set_default_timeout(TIMEOUT)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda output: note(output.text) if output.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: note(str(error)))

        def note(words: str) -> None:
            if expected not in words:
                wrong.append(words)

        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []
