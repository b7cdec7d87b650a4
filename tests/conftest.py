"""One browser for all tests of pages: Playwright drives only one at a time."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from .browser import chromium

if TYPE_CHECKING:
    from playwright import sync_api as playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
TIMEOUT = 60_000  # of a step, on a busy machine


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
