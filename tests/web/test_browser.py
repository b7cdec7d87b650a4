"""Games in a real browser: by clicks, by keys, on a phone, by two people; refresh, crash, undo, help."""

from collections.abc import Callable
from typing import Any

from .person import Clicker, Typist
from .served import Server

Visit = Callable[..., Any]


def test_a_whole_game_by_clicks_alone(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    page.click('[data-ready="First game"]')
    person = Clicker(page)
    person.play()
    assert page.locator(".result .total").count() == 2
    assert {"WHERE", "DIFFICULTY", "CARD", "WHAT", "MOVE"} <= set(person.asked)
    page.click('[data-do="lost"]')
    page.wait_for_selector(".coach .graph")
    page.click('[data-do="replay"]')
    page.wait_for_selector("body[data-step='0']")
    page.click('[aria-label="To the end"]')
    page.wait_for_selector(".result .total")
    assert page.locator(".controls [data-step]").inner_text().split(" of ")[0] != "0"


def test_a_whole_game_by_keys_alone(server: Server, visit: Visit) -> None:
    person = Typist(visit(f"{server.address}/t/{server.table('human', modules=['godzillas'])[0]}"))
    person.play()
    assert person.page.locator(".result .total").count() == 1


def test_a_game_on_a_phone(server: Server, visit: Visit) -> None:
    token = server.table("human", "first", modules=["godzillas"])[0]
    page = visit(f"{server.address}/t/{token}", width=390, height=844, has_touch=True, is_mobile=True)
    person = Clicker(page, seed=3)
    person.play(questions=40)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".borough:visible").count() == 1
    page.click(".tabs button >> nth=1")
    assert page.locator(".borough:visible").get_attribute("data-seat") == "1"
