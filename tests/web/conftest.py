"""One server and one browser for all tests in the browser."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright import sync_api as playwright

from ..browser import chromium
from .person import TIMEOUT
from .served import Server

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser() -> Iterator[playwright.Browser]:
    path = chromium()
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("tables"))
    server.warm_up()
    yield server
    server.kill()


@pytest.fixture
def visit(browser: playwright.Browser) -> Iterator[Callable[..., playwright.Page]]:
    """Open an address in a browser of its own; only what is expected may be wrong when the test ends."""
    wrong, contexts = [], []

    def open_page(
        address: str, width: int = 1400, height: int = 900, expected: str = "nothing", **options: object
    ) -> playwright.Page:
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


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    return tmp_path / "tables"
