"""What teaches, in a real browser: the review of a game, puzzles, the record, the rules beside the page."""

from collections.abc import Callable
from typing import Any

from .axe import complaints
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
    assert complaints(page) == []
    page.click('[data-do="overview"]')
    page.wait_for_selector(".costliest .answer")


def test_fast_presses_are_all_steps(server: Server, visit: Visit) -> None:
    log = server.post("/api/replays", {"token": finished(server, "first")})
    page = visit(f"{server.address}/r/{log['token']}")
    page.wait_for_selector("body[data-step='0']")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("body[data-step='10']")
    page.keyboard.press("End")
    page.wait_for_selector(".result .total")
    assert complaints(page) == []


def test_a_puzzle_is_failed_and_solved(server: Server, visit: Visit) -> None:
    number = next(n for n in range(1, 50) if server.get(f"/api/puzzles/{n}")["turn"]["ask"] == "CARD")
    actions = [answer["action"] for answer in server.get(f"/api/puzzles/{number}")["turn"]["answers"]]
    best = server.get(f"/api/puzzles/{number}/{actions[0]}")["best"]
    answers = server.get(f"/api/puzzles/{number}/{actions[0]}")["answers"]
    wrong, words = next((action, words) for action, words, _cost in reversed(answers) if action != best)
    page = visit(f"{server.address}/p/{number}")
    page.click(f'.answer[data-action="{wrong}"]')
    page.wait_for_selector("body[data-solved=no]")
    assert page.locator(".question .why li").count() and page.locator(".expected .best").count() == 1
    assert words in page.locator(".expected li").last.inner_text()  # what was answered, with its cost
    assert complaints(page) == []
    page.reload()
    page.click(f'.answer[data-action="{best}"]')
    page.wait_for_selector("body[data-solved=yes]")
    assert page.locator("text=You have solved 0 of 1 puzzle.").count() == 1  # the first try counts
    page.click('[data-do="next"]')
    page.wait_for_selector(f"text=/Puzzle {number + 1} of/")


def test_the_puzzle_of_the_day_is_offered(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    page.click('[data-ready="puzzle"]')
    page.wait_for_selector("text=/Puzzle .* one answer is clearly best/")


def test_the_links_of_all_seats_are_seen_again(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    page.select_option("#player-1", "human")
    page.click("text=Begin")
    page.wait_for_selector(".links a")
    links = page.eval_on_selector_all(".links a", "all => all.map(link => link.href)")
    page.goto(server.address)
    page.click('[data-do="links"]')
    page.wait_for_selector(".links a")
    assert page.eval_on_selector_all(".links a", "all => all.map(link => link.href)") == links
    page.goto(server.address)
    page.click("text=Kept in this browser only")
    assert complaints(page) == []
    with page.expect_download() as saved:
        page.click('[data-do="export"]')
    assert links[0].rpartition("/")[2] in saved.value.path().read_text()


def test_a_rematch_moves_everybody_on(server: Server, visit: Visit) -> None:
    page = visit(f"{server.address}/t/{finished(server, 'first')}")
    page.click('[data-do="rematch"]')
    page.wait_for_selector("body[data-over='']")
    assert server.get(f"/api/view/{page.url.rpartition('/')[2]}")["names"] == ["first", "human"]


def test_the_rules_open_beside_the_game(server: Server, visit: Visit) -> None:
    page = visit(f"{server.address}/t/{server.table('human', modules=[])[0]}", width=1280, height=720)
    page.click('[data-do="rules"]')
    page.wait_for_selector(".manual img")
    assert page.locator(".manual h4").count() >= 5 and page.locator(".manual td").count() > 10
    assert page.evaluate("document.querySelector('.manual img').naturalWidth") > 0
    page.click('.manual [data-tab="cards"]')
    page.wait_for_selector(".manual .tiles svg")
    assert complaints(page) == []
    board, panel = (page.locator(name).first.bounding_box() for name in (".own-borough", ".manual"))
    assert board["x"] + board["width"] <= panel["x"]
    page.keyboard.press("Escape")
    assert page.locator(".manual").count() == 0
