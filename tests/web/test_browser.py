"""Games in a real browser: by clicks, by keys, on a phone, by two people; refresh, crash, undo, help."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smallcity_agents.play.match import Match
from smallcity_env import Config, Game
from smallcity_env.rules import actions

from .axe import complaints
from .person import Clicker, Typist
from .served import Server

Visit = Callable[..., Any]
STALE = """async ([token, version, action]) => {
  const headers = {"Content-Type": "application/json"};
  const body = JSON.stringify({version, answers: [action]});
  return (await fetch(`/api/answer/${token}`, {method: "POST", headers, body})).status;
}"""


def test_a_whole_guided_game_by_clicks_alone(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    page.click('[data-ready="first"]')
    page.wait_for_selector(".guide .lesson >> text=City Hall")
    page.wait_for_selector(".guide .suggested")
    person, told = Clicker(page), set[str]()
    while not person.over:
        if server.get(f"/api/view/{page.url.rpartition('/')[2]}")["round"] <= 4:
            page.wait_for_selector(f'body[data-guided="{person.version}"]', state="attached")
            told |= set(page.locator(".guide p").all_inner_texts())
        person.play(questions=1)
    for words in ("Your promise", "Phase 2", "Phase 5", "by yourself"):
        assert any(words in sentence for sentence in told), words
    assert page.locator(".result .total").count() == 2 and not page.locator(".guide").count()
    assert {"WHERE", "DIFFICULTY", "CARD", "WHAT", "MOVE"} <= set(person.asked)
    link = page.url
    page.click('[data-do="replay"]')
    page.wait_for_selector("body[data-step='0']")
    assert page.locator(".replay .borough h2").all_inner_texts() == ["0 Red", "1 Level 1"]
    page.click('[aria-label="To the end"]')
    page.wait_for_selector(".result .total")
    assert page.locator(".controls [data-step]").inner_text().split(" of ")[0] != "0"
    page.goto(server.address)
    page.wait_for_selector("[data-rating]")
    assert "of 2" in page.locator(".games tbody tr").first.inner_text()
    page.goto(link)
    page.click('[data-do="next-level"]')
    page.wait_for_url(lambda url: url != link)
    assert "level:2" in server.get(f"/api/view/{page.url.rpartition('/')[2]}")["names"]


def test_a_whole_game_by_keys_alone(server: Server, visit: Visit) -> None:
    person = Typist(visit(f"{server.address}/t/{server.table('human', modules=['godzillas'])[0]}"))
    person.play()
    assert person.page.locator(".result .total").count() == 1


def test_a_whole_game_on_a_phone(server: Server, visit: Visit) -> None:
    token = server.table("human", "greedy", modules=["godzillas"])[0]
    page = visit(f"{server.address}/t/{token}", width=390, height=844, has_touch=True, is_mobile=True)
    person = Clicker(page, seed=3)
    person.play(questions=5)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".borough:visible").count() == 1
    page.click(".tabs button >> nth=1")
    assert page.locator(".borough:visible").get_attribute("data-seat") == "1"
    person.play()
    assert page.locator(".result .total").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert {"WHERE", "CARD", "WHAT", "MOVE"} <= set(person.asked)


def once(person: Clicker) -> None:
    """Answer one question, when it is asked."""
    person.page.wait_for_selector('body:not([data-asked=""])', state="attached")
    version = person.version
    person.answer()
    person.page.wait_for_selector(f'body:not([data-version="{version}"])', state="attached")


def test_two_people_see_their_own_secrets_only(server: Server, visit: Visit) -> None:
    tokens = server.table("human", "human", modules=[])
    people = {seat: Clicker(visit(f"{server.address}/t/{tokens[seat]}"), seed=seat) for seat in (0, 1)}
    heard = {seat: [] for seat in people}
    for seat, person in people.items():
        person.page.on("response", lambda response, seat=seat: heard[seat].append(response.url))
    for _ in range(30):
        asked = server.get(f"/api/view/{tokens[0]}")["asked"]
        once(people[asked])
    for seat, person in people.items():
        promises = person.page.locator(f'.borough[data-seat="{seat}"] .promise').all_inner_texts()
        others = person.page.locator(f'.borough[data-seat="{1 - seat}"] .promise').all_inner_texts()
        assert promises and others and all("secret" in words for words in others)
        assert not any("secret" in words for words in promises)
        assert not any(tokens[1 - seat] in url for url in heard[seat])
        assert not any(words in people[1 - seat].page.content() for words in promises)


def test_two_people_build_at_once_and_an_agent_takes_over(server: Server, visit: Visit) -> None:
    tokens = server.table("human", "human", modules=[])
    people = [Clicker(visit(f"{server.address}/t/{tokens[seat]}"), seed=seat) for seat in (0, 1)]
    while people[0].page.locator(".tray").count() == 0:
        once(people[server.get(f"/api/view/{tokens[0]}")["asked"]])
    for person in people:
        person.page.wait_for_selector(".tray")
    asked = server.get(f"/api/view/{tokens[0]}")["asked"]
    first, second = people[asked], people[1 - asked]
    before = server.get(f"/api/view/{tokens[asked]}")
    second.build()
    second.page.wait_for_selector('body:not([data-asked="WHAT"]), .count >> text=Build 2')
    assert server.get(f"/api/view/{tokens[asked]}") == before
    second.page.close()
    left = '[data-do="substitute"]'
    while not first.page.locator(left).count():
        once(first)
        first.page.wait_for_selector(f'{left}, body:not([data-asked=""])', state="attached")
    first.page.click('[data-do="substitute"]')
    first.wait()
    assert "Your turn" in first.page.title()
    page = visit(f"{server.address}/t/{tokens[1 - asked]}")
    page.click('[data-do="back"]')
    page.wait_for_selector('[data-do="back"]', state="detached")
    assert server.get(f"/api/view/{tokens[asked]}")["substitutes"] == {}


def test_refresh_and_another_device_bring_the_seat_back(server: Server, visit: Visit) -> None:
    link = f"{server.address}/t/{server.table('human', 'first', modules=[])[0]}"
    person = Clicker(visit(link))
    person.play(questions=6)
    version, asked = person.version, person.page.locator(".question h2").inner_text()
    person.page.reload()
    person.wait()
    assert (person.version, person.page.locator(".question h2").inner_text()) == (version, asked)
    other = Clicker(visit(link))
    other.wait()
    assert other.version == version
    other.answer()
    person.page.wait_for_selector(f'body:not([data-version="{version}"])', state="attached")


def test_wrong_and_stale_clicks_change_nothing(server: Server, visit: Visit) -> None:
    token = server.table("human", modules=[])[0]
    page = visit(f"{server.address}/t/{token}", expected="409")
    person = Clicker(page)
    person.wait()
    before = server.get(f"/api/view/{token}")
    page.locator('.own-borough .cell[data-space="99"]').dispatch_event("click")
    page.locator(".cell >> nth=79").click(force=True)
    assert server.get(f"/api/view/{token}")["version"] == before["version"]
    first = before["turn"]["answers"][0]["action"]
    server.post(f"/api/answer/{token}", {"version": before["version"], "answers": [first]})
    page.wait_for_selector('body[data-asked="DIFFICULTY"]', state="attached")
    refused = page.evaluate(STALE, [token, before["version"], first])
    assert refused == 409


def test_a_killed_server_loses_nothing(visit: Visit, tables: Path) -> None:
    server = Server(tables)
    try:
        token = server.table("human", "first", modules=[])[0]
        person = Clicker(visit(f"{server.address}/t/{token}", expected="net::ERR_"))
        person.play(questions=8)
        person.wait()  # else an agent goes on meanwhile
        before = server.get(f"/api/view/{token}")
        server.kill()
        person.page.wait_for_selector("body.offline")
        server.start(server.port)
        person.page.wait_for_selector("body:not(.offline)", timeout=60_000)
        assert server.get(f"/api/view/{token}") == before
        person.play(questions=3)
    finally:
        server.kill()


def test_undo_hints_and_the_coach(server: Server, visit: Visit) -> None:
    token = server.table("human", "first", modules=[])[0]
    page = visit(f"{server.address}/t/{token}")
    person = Clicker(page)
    person.wait()
    while page.evaluate("document.body.dataset.asked") != "WHAT":
        person.play(questions=1)
    page.click('[data-do="hint"]')
    page.wait_for_selector("#toast.on >> text=/Champion would answer.* points, place/")
    assert page.locator(".coach .foreseen li").count() > 1
    assert page.locator(".borough .advised").count() + page.locator(".answer.hinted").count() > 0
    page.click('[data-do="coach"]')
    page.wait_for_selector(".coach .graph")
    assert page.locator(".coach .expected .best").count() == 1 and complaints(page) == []
    money = page.locator('.own-borough [data-track="money"]').inner_text()
    page.locator(f'.slot[data-action="{actions.parse("build park-1")}"]').click()
    page.wait_for_selector(".placing-bar")
    person.place()
    page.wait_for_selector("text=Build 2 of 3")
    page.click('[data-do="undo"]')
    page.wait_for_selector("text=Build 1 of 3")
    assert page.locator('.own-borough [data-track="money"]').inner_text() == money


def test_a_hint_lights_every_move_it_names(server: Server, visit: Visit) -> None:
    token = server.table("human", modules=[], seed=3)[0]
    marks: list[Any] = []
    while len({tuple(mark["spaces"]) for mark in marks if mark["start"] is not None}) < 2:
        view = server.get(f"/api/view/{token}")
        hint = server.get(f"/api/hint/{token}")
        marks = hint["marks"] if view["turn"]["ask"] == "MOVE" else []
        if not marks or len(marks) < 2:
            server.post(f"/api/answer/{token}", {"version": view["version"], "answers": [hint["action"]]})
            marks = []
    page = visit(f"{server.address}/t/{token}")
    Clicker(page).wait()
    page.click('[data-do="hint"]')
    page.wait_for_selector(".coach .foreseen")
    spaces = {space for mark in marks for space in mark["spaces"]}
    assert page.locator(".own-borough rect.advised").count() == len(spaces)
    assert page.locator(".own-borough line.advised").count() == sum(m["start"] is not None for m in marks)


def test_refused_tiles_say_why(server: Server, visit: Visit) -> None:
    page = visit(f"{server.address}/t/{server.table('human', modules=[])[0]}")
    person = Clicker(page)
    person.wait()
    while page.evaluate("document.body.dataset.asked") != "WHAT":
        person.play(questions=1)
    assert not page.locator(f'.slot[data-action="{actions.parse("build museum")}"]').count()
    page.click("details.refused summary")
    page.wait_for_selector("details.refused li >> text=/costs 1 wood.*Museum/i")


def test_a_hot_seat_has_a_curtain(server: Server, visit: Visit) -> None:
    token = server.table("human", "human", modules=[], hot_seat=True)[-2]
    page = visit(f"{server.address}/t/{token}")
    page.click("text=lift the curtain")
    person = Clicker(page)
    person.wait()
    person.answer()
    page.wait_for_selector("text=Everybody else looks away")
    assert page.locator(".board").count() == 0


def test_set_up_explains_impossible_mixes(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    page.check("#promise_cards")
    page.wait_for_selector("text=“New promise cards” can only be played with “New buildings”.")
    page.check("#new_buildings")
    page.wait_for_selector(".own button:enabled >> text=Begin")


def test_citizens_are_dragged_in_any_order(server: Server, visit: Visit) -> None:
    token = server.table("human", modules=[], seed=3)[0]
    movers: list[Any] = []
    while len(movers) < 2:
        view = server.get(f"/api/view/{token}")
        movers = [mover for mover in view["turn"]["movers"] if mover["goals"]]
        if len(movers) < 2:
            action = server.get(f"/api/hint/{token}")["action"]
            server.post(f"/api/answer/{token}", {"version": view["version"], "answers": [action]})
    page = visit(f"{server.address}/t/{token}")
    Clicker(page).wait()
    last = movers[-1]
    start = page.locator(f"#s0-{last['space']}").bounding_box()
    goal = page.locator(f"#s0-{last['goals'][0]}").bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(goal["x"] + 10, goal["y"] + 10, steps=4)
    page.mouse.up()
    page.wait_for_selector(".plan li")
    page.click('[data-do="done"]')
    page.wait_for_selector('body:not([data-asked="MOVE"])', state="attached")
    people = server.get(f"/api/view/{token}")["boroughs"][0]["people"]
    assert [last["goals"][0], 0, True] in people


def test_a_log_is_replayed_as_each_seat_saw_it(server: Server, visit: Visit, tmp_path: Path) -> None:
    match = Match.begin(Game(Config(2), 5), ["first", "greedy"], 5)
    match.agents_answer()
    (tmp_path / "game.log").write_text(match.log.to_text())
    page = visit(server.address)
    page.set_input_files("#log", tmp_path / "game.log")
    page.wait_for_selector("body[data-step='0']")
    assert page.locator("[aria-label='Whose view'] option").all_inner_texts()[1:] == [
        "as First saw it",
        "as Greedy saw it",
    ]
    page.click('[aria-label="To the end"]')
    page.wait_for_selector(".result .total")
    page.keyboard.press("Home")
    page.wait_for_selector("body[data-step='0']")
    for step in range(1, 6):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"body[data-step='{step}']")
    page.select_option("[aria-label='Whose view']", "1")
    page.wait_for_selector('.borough[data-seat="0"] .promise >> text=secret')
    with page.expect_download() as download:
        page.click("text=Share as one file")
    shared = download.value.path().read_text()
    assert "as Greedy saw it" in shared and not re.search(r"\b[Ss]eat \d", shared)


def test_agents_are_watched(server: Server, visit: Visit) -> None:
    page = visit(f"{server.address}/t/{server.table('first', 'greedy', modules=['godzillas'])[-1]}")
    page.wait_for_selector('body[data-over="yes"]', state="attached")
    assert page.locator(".result .player").all_inner_texts() != []
    assert page.locator(".log li").count() > 10
