"""The page as people see and hear it: nothing for axe-core to complain about, no scrolling, causes, names."""

import pytest
from playwright.sync_api import Page

from .axe import complaints
from .person import Clicker
from .served import Server
from .test_browser import Visit

SCROLLED = (
    "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
)

CUT = """() => [...document.querySelectorAll(
  ".strip li, .others h2, .question, .slot, .slot .level, .answer, .chip, .council-pane, .scroll"
)].filter((node) => node.checkVisibility() && (node.scrollWidth > node.clientWidth + 1
  || (node.matches(".question, .council-pane") && node.scrollHeight > node.clientHeight + 1)
)).map((node) => `${node.className}: ${node.textContent.slice(0, 60)}`)"""


def asked_to_build(server: Server, visit: Visit, *players: str, ask: str = "WHAT", **options: object) -> Page:
    """A table at which the person is asked what to build, or something else."""
    page = visit(
        f"{server.address}/t/{server.table(*players, modules=['godzillas', 'power_plants'])[0]}", **options
    )
    person = Clicker(page)
    person.wait()
    while page.evaluate("document.body.dataset.asked") != ask:
        person.play(questions=1)
    return page


def test_four_players_fit_a_small_screen(server: Server, visit: Visit) -> None:
    players = ("human", "level:1", "greedy", "greedy")
    page = asked_to_build(server, visit, *players, width=1280, height=720)
    assert page.evaluate(SCROLLED) == [0, 0]
    for what in ('.answer[data-name="no"]', ".strip [aria-current]", ".log", ".about"):
        box = page.locator(what).bounding_box()
        assert box and box["y"] >= 0 and box["y"] + min(box["height"], 40) <= 720, what
    assert page.locator(".strip [aria-current]").inner_text() == "2 Build"
    names = page.locator(".borough .name").all_inner_texts()
    assert sorted(names) == ["Greedy Violet", "Greedy Yellow", "Level 1", "You"]
    assert page.locator(".slot.refused").count() == 0 and page.locator("details.refused li").count() > 0
    page.click('.others .borough[data-seat="2"] .name')
    assert page.locator(".own-borough .borough").get_attribute("data-seat") == "2"
    for pane in ("council", "legend", "log"):
        page.click(f'[data-pane="{pane}"]')
        assert complaints(page) == [], pane


def test_nothing_is_cut_off_in_the_longer_language(server: Server, visit: Visit) -> None:
    players = ("human", "level:1", "greedy", "greedy")
    page = asked_to_build(server, visit, *players, width=1280, height=720, locale="fr-FR")
    assert page.evaluate(CUT) == []
    page.click('[data-pane="council"]')
    assert page.evaluate(CUT) == []
    assert page.locator(".rest .board:visible").count() == 0
    page.evaluate("localStorage.setItem('smallcity.summary', 'false')")
    person = Clicker(page)
    while page.evaluate("document.body.dataset.asked") != "ROW":
        person.play(questions=1)
    assert page.evaluate(CUT) == []
    assert page.locator(".question .council .answer small").count() > 0


@pytest.mark.parametrize("locale", ["en-US", "fr-FR"])
def test_all_action_cards_fit_a_small_screen(server: Server, visit: Visit, locale: str) -> None:
    players = ("human", "level:1", "greedy", "greedy")
    page = asked_to_build(server, visit, *players, ask="CARD", width=1280, height=720, locale=locale)
    assert page.locator(".cards .answer").count() > 5 and page.evaluate(CUT) == []


def test_those_who_watch_four_see_the_log(server: Server, visit: Visit) -> None:
    token = server.table(*["greedy"] * 4, modules=["godzillas"], advanced=True)[-1]
    page = visit(f"{server.address}/t/{token}", width=1280, height=720)
    page.wait_for_selector('body[data-over="yes"]', state="attached")
    box = page.locator(".log").bounding_box()
    assert box and box["height"] >= 40 and box["y"] + box["height"] <= 720


def test_the_council_fits_a_phone(server: Server, visit: Visit) -> None:
    page = asked_to_build(
        server, visit, "human", "greedy", ask="ROW", width=390, height=844, locale="fr-FR", has_touch=True
    )
    table = ".question .scroll"
    assert page.evaluate(f"document.querySelector('{table}').scrollWidth") <= page.evaluate(
        f"document.querySelector('{table}').clientWidth"
    )


def test_a_phone_is_not_scrolled_sideways(server: Server, visit: Visit) -> None:
    page = asked_to_build(server, visit, "human", "greedy", width=390, height=844)
    assert page.evaluate(SCROLLED)[1] == 0
    assert complaints(page) == []


def test_a_round_is_told_with_its_causes_and_summed_up(server: Server, visit: Visit) -> None:
    page = asked_to_build(server, visit, "human")
    person = Clicker(page)
    while not page.locator(".summary").count():
        person.play(questions=1)
    assert "Round 1 is over" in page.locator(".summary").inner_text()
    assert complaints(page) == []
    rounds = page.locator(".log details").evaluate_all("nodes => nodes.map(node => node.dataset.round)")
    assert rounds[:2] == ["0", "1"]
    page.keyboard.press("Escape")
    assert not page.locator(".summary").count()
    while not page.locator('.log [data-round="2"]').count():
        person.play(questions=1)
    assert page.locator(".log details[open]").count() == 1
    page.click('.log [data-round="1"] summary')
    person.play(questions=1)
    assert page.locator('.log [data-round="1"][open]').count() == 1
    while not page.locator(".summary").count():
        person.play(questions=1)
    page.click("text=Never show this")
    assert not page.locator(".summary").count()
    assert page.evaluate("localStorage.getItem('smallcity.summary')") == "false"


def test_those_who_watch_pause_and_go_step_by_step(server: Server, visit: Visit) -> None:
    page = visit(f"{server.address}/t/{server.table('greedy', 'first', modules=[])[-1]}")
    page.wait_for_selector('[data-do="pause"]')
    page.evaluate("document.querySelector('[data-do=pause]').click()")
    assert page.locator('[data-do="pause"]').inner_text() == "Resume"
    shown = page.evaluate("document.body.dataset.version")
    page.wait_for_timeout(300)
    assert page.evaluate("document.body.dataset.version") == shown
    page.click('[data-do="pause"]')
    page.wait_for_selector('body[data-over="yes"]', state="attached")


@pytest.mark.parametrize("path", ["/", "/p/1"])
def test_every_other_page_is_clean(server: Server, visit: Visit, path: str) -> None:
    page = visit(server.address + path)
    page.wait_for_selector("body[data-ready=yes]", state="attached")
    assert complaints(page) == []
