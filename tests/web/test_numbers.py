"""A file of numbers in the browser: a bad one is refused, a good one is played with hints and the coach."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from smallcity_agents.value_net import model
from smallcity_env.cli import main
from tests.agents.test_names import CHANGED

from .person import Clicker
from .served import COMPILING, Server

Visit = Callable[..., Page]


@pytest.fixture
def own_net(tmp_path: Path) -> Path:
    """The shipped net under another name."""
    path = tmp_path / "mine.npz"
    path.write_bytes(model.SHIPPED.read_bytes())
    return path


@pytest.fixture
def server(tmp_path: Path, own_net: Path) -> Iterator[Server]:
    server = Server(tmp_path / "tables", options=("--rate", "2000", "--net", str(own_net)))
    yield server
    server.kill()


def test_a_net_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("web", "play"):
        assert main([command, "--net", "nowhere.npz"]) == 2
        assert "there is no value net nowhere.npz" in capsys.readouterr().err


def test_changed_numbers_are_played_with_hints(server: Server, visit: Visit, tmp_path: Path) -> None:
    bad, same, good = (tmp_path / f"{name}.toml" for name in ("bad", "same", "good"))
    for path, text in ((bad, "zone.grow = -3"), (same, "zone.grow = 2"), (good, CHANGED)):
        path.write_text(text)
    page = visit(server.address, expected="400 (Bad Request)")
    page.set_input_files("#numbers", bad)
    expect(page.locator(".wrong")).to_contain_text("zone.grow needs")
    page.set_input_files("#numbers", same)
    expect(page.locator("#by-numbers")).to_contain_text("the numbers this page plays by")
    expect(page.locator(".wrong")).to_have_text("")
    page.set_input_files("#numbers", good)
    page.wait_for_url(lambda address: not address.startswith(server.address), timeout=1000 * COMPILING)
    expect(page.locator("#by-numbers")).to_contain_text("Played by your own numbers")
    server.address = page.url.rstrip("/")  # that of the server for these numbers
    token = server.table("human", "champion:seconds=0.02", modules=[])[0]
    server.get(f"/api/hint/{token}", COMPILING)
    page.goto(f"{server.address}/t/{token}")
    person = Clicker(page)
    person.wait()
    while server.get(f"/api/view/{token}")["round"] < 2:
        person.play(questions=1)
    page.click('[data-do="hint"]')
    page.wait_for_selector("#toast.on >> text=/Champion would answer.* points, place/")
    page.click('[data-do="coach"]')
    page.wait_for_selector(".coach .graph")
