"""The pictures of the browser game in docs/images: python -m tests.web.screenshots"""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from smallcity_agents import make
from smallcity_agents.play.match import Match
from smallcity_agents.play.turn import turn
from smallcity_env import Config, Game
from smallcity_env.rules.tables import Ask

from ..browser import chromium
from ..conftest import FLAGS
from .served import ROOT, Server

IMAGES = ROOT / "docs" / "images"
NAMES = ["human", "greedy", "culture", "merchant"]
BOARDS = ("base-easy", "river-easy", "mountain-easy", "base-expert")
SEED = 12


def table(server: Server, round_no: int, ready: Callable[[Game], bool]) -> str:
    """A game greedy has played for everybody, up to a moment of the person; returns the person's link."""
    form = {"modules": ["godzillas"], "boards": list(BOARDS), "seed": SEED}
    token = server.table(*NAMES, **form)[0]
    match, greedy = Match.begin(Game(Config(4, ("godzillas",), BOARDS), SEED), NAMES, SEED), make("greedy")
    match.agents_answer()
    while not (match.game.round >= round_no and ready(match.game)):
        asked = server.post(f"/api/speed/{token}", {"speed": "instant", "next": True})
        answer = match.hint(greedy)
        body = {"version": asked["version"], "answers": [answer], "next": True}
        server.post(f"/api/answer/{token}", body)
        match.answer(answer)
        match.agents_answer()
    return token


def open_page(browser: Browser, address: str, width: int, height: int, **options: Any) -> Page:
    """A page as a person sees it."""
    page = browser.new_page(viewport={"width": width, "height": height}, **options)
    page.goto(address)
    page.wait_for_selector("body[data-ready=yes]")
    return page


def place_a_tile(page: Page) -> None:
    """Hold a tile over the borough."""
    page.locator(".slot:not(.refused)").nth(2).click()
    page.wait_for_selector(".placing-bar")
    site = page.locator(".borough.chosen .cell.site")
    site.nth(site.count() // 2).hover(force=True)


def move_a_citizen(page: Page) -> None:
    """Plan a move."""
    page.locator(".own-borough .cell.lit").first.click(force=True)


def main(folder: Path = IMAGES) -> None:
    """Take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as tables, sync_playwright() as driver:
        server = Server(Path(tables))
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            take(server, browser, folder)
        finally:
            browser.close()
            server.kill()


def take(server: Server, browser: Browser, folder: Path) -> None:
    """Take every picture of a server."""
    build = table(server, 6, lambda game: game.ask is Ask.WHAT and game.phase == 2)
    move = table(server, 6, lambda game: len(turn(game).movers) > 3)
    page = open_page(browser, server.address, 1440, 940)
    page.screenshot(path=folder / "web-setup.png")
    for name, width, height, locale in (
        ("desktop", 1440, 980, "en"), ("phone", 390, 844, "en"), ("french", 1280, 720, "fr"),
    ):  # fmt: skip
        touch = {"has_touch": True, "is_mobile": True} if name == "phone" else {}
        page = open_page(browser, f"{server.address}/t/{build}", width, height, locale=locale, **touch)
        place_a_tile(page)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(800)
        page.screenshot(path=folder / f"web-{name}.png")
    page = open_page(browser, f"{server.address}/t/{move}", 1440, 980, color_scheme="dark")
    move_a_citizen(page)
    page.click('[data-do="coach"]')
    page.wait_for_selector(".graph")
    page.wait_for_timeout(800)
    page.screenshot(path=folder / "web-dark.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else IMAGES)
