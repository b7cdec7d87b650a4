"""Links that carry a whole game, and files of replays, opened in the page."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from smallcity_env.config import Config
from smallcity_env.game import Game
from smallcity_env.render.replay import page as replay_page

from .served import Server

Visit = Callable[..., Page]
PACK = "async (log) => (await import('/static/links.js')).pack(log)"
DAMAGED = {"en": "This link is damaged or was cut short", "fr": "Ce lien est abîmé ou a été coupé"}


def finished(seed: int = 5) -> Game:
    """A game of two, each answer the first of those allowed."""
    game = Game(Config(players=2), seed)
    while not game.over:
        game.step(int(game.legal()[0]))
    return game


def test_a_link_brings_the_whole_game(server: Server, visit: Visit) -> None:
    log = finished().log.to_text()
    page = visit(f"{server.address}/", permissions=["clipboard-read", "clipboard-write"])
    packed = page.evaluate(PACK, log)
    assert re.fullmatch(r"[\w-]+", packed) and len(packed) < len(log) / 2
    page.goto(f"{server.address}/#/g/{packed}")
    page.wait_for_selector("body[data-step='0']")
    page.click('[data-do="link"]')
    page.wait_for_selector("#toast.on")
    assert page.evaluate("navigator.clipboard.readText()") == f"{server.address}/#/g/{packed}"


@pytest.mark.parametrize("language", DAMAGED)
@pytest.mark.parametrize("wrong", ["cut", "letters", "nothing", "endless"])
def test_a_damaged_link_says_so(server: Server, visit: Visit, wrong: str, language: str) -> None:
    page = visit(f"{server.address}/", locale=language)
    packed = page.evaluate(PACK, finished().log.to_text())
    endless = page.evaluate(PACK, "smallcity log 1\n" * 1_000_000)  # 16 MB in 20 KB
    bad = {"cut": packed[: len(packed) // 2], "letters": "!%20?", "nothing": "", "endless": endless}[wrong]
    page.goto(f"{server.address}/#/g/{bad}")
    page.wait_for_selector(f".failed >> text={DAMAGED[language]}")


def test_the_file_of_a_replay_opens(server: Server, visit: Visit, tmp_path: Path) -> None:
    game = finished()
    (tmp_path / "open.html").write_text(replay_page(game.log, names=("<b>@DATA@", "two")))
    (tmp_path / "seat.html").write_text(replay_page(game.log, seat=0))
    page = visit(f"{server.address}/")
    page.set_input_files("#log", tmp_path / "seat.html")
    page.wait_for_selector("#toast.on >> text=it has no log to open")
    page.set_input_files("#log", tmp_path / "open.html")
    page.wait_for_selector("body[data-step='0']")


def test_the_file_of_a_seat_does_not_carry_the_log() -> None:
    game = finished()
    assert "smallcity log 1" in replay_page(game.log)
    assert "smallcity log 1" not in replay_page(game.log, seat=0)
