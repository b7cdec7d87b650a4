"""The time from the command to a person's first answer, with compiled rules: python -m tests.web.first"""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from ..browser import chromium
from ..conftest import FLAGS
from .person import Clicker
from .served import Server


def by_program(folder: Path) -> float:
    """Seconds until a program's first answer is acknowledged."""
    began = time.perf_counter()
    server = Server(folder)
    try:
        token = server.table("human", "greedy")[0]
        asked = server.post(f"/api/speed/{token}", {"speed": "instant", "next": True})
        while not asked["legal"]:
            asked = server.post(f"/api/speed/{token}", {"speed": "instant", "next": True})
        server.post(f"/api/answer/{token}", {"version": asked["version"], "answers": asked["legal"][:1]})
        return time.perf_counter() - began
    finally:
        server.kill()


def by_page(folder: Path, browser: Browser) -> float:
    """Seconds until a person who clicks a ready-made table and an answer sees the next question."""
    began = time.perf_counter()
    server = Server(folder)
    try:
        page = browser.new_page()
        page.goto(server.address)
        page.click('[data-ready="First game"]')
        Clicker(page).play(questions=1)
        return time.perf_counter() - began
    finally:
        server.kill()


def main() -> None:
    """Measure both, three times."""
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        for n in range(3):
            program, page = by_program(Path(folder, f"a{n}")), by_page(Path(folder, f"b{n}"), browser)
            print(f"first answer after the command: {program:.1f} s by a program, {page:.1f} s in Chromium")
        browser.close()


if __name__ == "__main__":
    main()
