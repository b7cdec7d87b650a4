"""A person at a browser, who answers whatever is asked, by clicks alone or by keys alone."""

import random
from typing import Any

from playwright.sync_api import Page

from smallcity_env.rules import actions

TIMEOUT = 60_000
SMALL = [actions.parse(f"build {name}-1") for name in ("residential", "commercial", "factory")]
OVER = 'body[data-over="yes"]'
ASKED = 'body[data-asked]:not([data-asked=""]):not([data-version="%s"])'


class Person:
    """Looks at the page, decides by chance, and acts."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page, self.chance, self.asked = page, random.Random(seed), list[str]()

    def wait(self, since: str = "") -> None:
        """Wait until something is asked that was not asked before, or the game is over."""
        self.page.wait_for_selector(f"{OVER}, {ASKED % since}", state="attached", timeout=TIMEOUT)

    @property
    def over(self) -> bool:
        """Whether the page shows the end."""
        return bool(self.page.evaluate("document.body.dataset.over === 'yes'"))

    @property
    def version(self) -> str:
        """The question the page shows."""
        return str(self.page.evaluate("document.body.dataset.version"))

    def play(self, questions: int = 1000) -> None:
        """Answer questions until there are no more."""
        self.wait()
        while not self.over and questions:
            version = self.version
            self.asked.append(self.page.evaluate("document.body.dataset.asked"))
            self.answer()
            self.wait(version)
            questions -= 1

    def answer(self) -> None:
        """Answer the question."""
        if self._count(".tray"):
            self.build()
        elif self._count(".placing-bar"):
            self.place()
        elif self._count('[data-do="done"]'):
            self.move()
        elif self._count(".question .answer, .council button"):
            self.press(".question .answer, .council button")
        else:
            self.pick(".cell.lit:visible")

    def _count(self, selector: str) -> int:
        return self.page.locator(selector).count()

    def build(self) -> None:
        """Take a tile and place it, or build no more."""
        if self._count(".slot:not(.refused)") and self.chance.random() < 0.6:
            self.press(self._favourite())
            self.page.wait_for_selector('.placing-bar, body:not([data-asked="WHAT"])', state="attached")
            if self._count(".placing-bar"):
                self.place()
        else:
            self.press('.answer[data-name="no"]')

    def _favourite(self) -> str:
        """A small home, shop or factory if one can be built, else any tile."""
        small = [f'.slot[data-action="{action}"]:not(.refused)' for action in SMALL]
        self.chance.shuffle(small)
        return next((slot for slot in small if self._count(slot)), ".slot:not(.refused)")

    def place(self) -> None:
        """Turn the tile and lay it."""
        raise NotImplementedError

    def move(self) -> None:
        """Move a citizen or two, then be done."""
        raise NotImplementedError

    def press(self, selector: str) -> None:
        """Press one of these buttons."""
        raise NotImplementedError

    def pick(self, selector: str) -> None:
        """Choose one of these spaces."""
        raise NotImplementedError


class Clicker(Person):
    """Uses nothing but the mouse."""

    def press(self, selector: str) -> None:
        elements = self.page.locator(selector)
        elements.nth(self.chance.randrange(elements.count())).click()

    def pick(self, selector: str) -> None:
        elements = self.page.locator(selector)
        elements.nth(self.chance.randrange(elements.count())).click(force=True)

    def place(self) -> None:
        self.pick(".cell.site:visible")

    def move(self) -> None:
        for _ in range(3):
            if self._count(".cell.lit:visible") and self.chance.random() < 0.8:
                self.pick(".cell.lit:visible")
        self.page.click('[data-do="done"]')


class Typist(Person):
    """Uses nothing but the keyboard."""

    def key(self, name: str) -> None:
        """Press a key."""
        self.page.keyboard.press(name)

    def press(self, selector: str) -> None:
        keys = self.page.locator(".question .answer kbd").count()
        if ".slot" in selector:
            self._tab_to(selector)
            self.key("Enter")
        elif selector.endswith('"no"]'):
            names: list[Any] = self.page.eval_on_selector_all(
                ".question .answer", "nodes => nodes.map(node => node.dataset.name)"
            )
            self.key(str(names.index("no") + 1))
        elif keys:
            self.key(str(self.chance.randrange(keys) + 1))
        else:
            self._tab_to(selector)
            self.key("Enter")

    def _tab_to(self, selector: str) -> None:
        """Go on by Tab until one of these is reached."""
        self.key("t")
        for _ in range(300):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.key("Tab")
        raise AssertionError(f"Tab never reaches {selector}")

    def pick(self, selector: str) -> None:
        self.key("b")
        for _ in range(self.chance.randrange(1, 4)):
            self.key("n")
        self.key("Enter")

    def place(self) -> None:
        self.key("b")
        self.key("n")
        self.key("r")
        self.key("Enter")

    def move(self) -> None:
        if self._count(".cell.lit:visible"):
            self.pick(".cell.lit:visible")
        self.key("d")
