"""What teaches, in a real browser: the review of a game."""

from collections.abc import Callable
from typing import Any

from .served import Server

Visit = Callable[..., Any]


def finished(server: Server, *opponents: str) -> str:
    """The link of a person who has played a game badly to its end."""
    token = server.table("human", *opponents, modules=[])[0]
    asked = server.get(f"/api/view/{token}")
    version, legal = asked["version"], [answer["action"] for answer in asked["turn"]["answers"]]
    while legal:
        body = {"version": version, "answers": [legal[0]], "next": True}
        asked = server.post(f"/api/answer/{token}", body)
        version, legal = asked["version"], asked["legal"]
    return token


def test_a_review_leads_from_the_end_to_the_better_answer(server: Server, visit: Visit) -> None:
    page = visit(f"{server.address}/t/{finished(server, 'level:1')}")
    page.click('[data-do="review"]')
    page.wait_for_selector(".costliest .answer")
    assert page.locator(".costliest .answer").count() == 3
    assert page.locator(".graph text").count() > 10
    worst = page.locator(".costliest .answer").first.get_attribute("data-decision")
    page.click(f'.mark[data-decision="{worst}"]')
    page.wait_for_selector(".review .better b >> text=Better:")
    assert page.locator(".review .why li").count() >= 1
    assert page.locator('.borough[data-seat="1"] .promise').first.inner_text().startswith("secret")
    page.click('[data-do="overview"]')
    page.wait_for_selector(".costliest .answer")


def test_fast_presses_are_all_steps(server: Server, visit: Visit) -> None:
    log = server.post("/api/replays", {"token": finished(server, "first")})
    page = visit(f"{server.address}/r/{log['token']}")
    page.wait_for_selector("body[data-step='0']")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("body[data-step='10']")
