"""The pictures of the browser game in docs/images: python -m tests.web.screenshots"""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from smallcity_agents import make
from smallcity_agents.play.match import Match
from smallcity_agents.play.turn import turn
from smallcity_agents.web.table import Table
from smallcity_env import Config, Game
from smallcity_env.rules.tables import Ask

from ..browser import chromium
from .conftest import FLAGS
from .served import ROOT, Server

IMAGES = ROOT / "docs" / "images"
NAMES = ["human", "greedy", "culture", "merchant"]
SEED = 12


def table(folder: Path, name: str, round_no: int, ready: Callable[[Game], bool]) -> str:
    """A game greedy has played for everybody, up to a moment of the person; returns the person's link."""
    config = Config(4, ("godzillas",), ("base-easy", "river-easy", "mountain-easy", "base-expert"))
    match = Match.begin(Game(config, SEED), NAMES, SEED)
    greedy = make("greedy")
    match.agents_answer()
    while not (match.game.round >= round_no and ready(match.game)):
        match.answer(match.hint(greedy))
        match.agents_answer()
    made = Table(match, {f"{name}-person": 0, f"{name}-watcher": -1}, folder / f"{name}.table")
    made.save(*made.unsaved() or ())
    return f"{name}-person"


def open_page(browser: Browser, address: str, width: int, height: int, dark: bool = False) -> Page:
    """A page as a person sees it."""
    scheme = "dark" if dark else "light"
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
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
        build = table(Path(tables), "build", 6, lambda game: game.ask is Ask.WHAT and game.phase == 2)
        move = table(Path(tables), "move", 6, lambda game: len(turn(game).movers) > 3)
        server = Server(Path(tables))
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            page = open_page(browser, server.address, 1440, 940)
            page.screenshot(path=folder / "web-setup.png")
            page = open_page(browser, f"{server.address}/t/{build}", 1440, 980)
            place_a_tile(page)
            page.wait_for_timeout(800)
            page.screenshot(path=folder / "web-desktop.png")
            page = open_page(browser, f"{server.address}/t/{move}", 1440, 980, dark=True)
            move_a_citizen(page)
            page.click('[data-do="coach"]')
            page.wait_for_selector(".graph")
            page.wait_for_timeout(800)
            page.screenshot(path=folder / "web-dark.png")
            page = open_page(browser, f"{server.address}/t/{build}", 390, 844)
            place_a_tile(page)
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(800)
            page.screenshot(path=folder / "web-phone.png")
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else IMAGES)
