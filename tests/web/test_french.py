"""The page in French: who gets which language, and whole games without an English word."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from smallcity_env import language

from ..catalogue import english_words, words
from .person import Clicker
from .served import Server
from .test_api import answer, begin, client, view  # noqa: F401

MORE = {"level"}  # the terminal and models are told the names of agents
FRENCH = {"Accept-Language": "fr-CH,fr;q=0.9,en;q=0.8"}
NAMES = {  # for programs
    "ask", "boards", "id", "legend", "modules", "name", "names", "players",
    "svg", "symbol", "symbols", "version",
}  # fmt: skip
TEXTS = """() => {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (nodes.nextNode()) {
    const parent = nodes.currentNode.parentElement;
    if (!parent.closest("script, style, noscript, code, option[lang]"))
      found.push(nodes.currentNode.textContent);
  }
  for (const node of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    found.push(node.getAttribute("aria-label"), node.title, node.placeholder);
  return found.filter(Boolean);
}"""


def english(texts: list[str]) -> list[str]:
    """The texts with an English word."""
    return [text for text in texts if words([text]) & (english_words() | MORE)]


def ids(texts: list[str]) -> list[str]:
    """The texts with the name a program gives to a piece or a player: `park-1`, `seat 0`."""
    return [text for text in texts if re.search(r"\b(?!level)[a-z]+-\d\b|\bseat \d", text)]


def texts_in(value: Any) -> Iterator[str]:
    """Every text for people in an answer of the server."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from texts_in(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in NAMES:
                yield from texts_in(one)


def test_people_at_one_table_read_their_own_languages(client: TestClient) -> None:  # noqa: F811
    token = begin(client, "human", "first")[0]
    english_view, french_view = view(client, token), client.get(f"/api/view/{token}", headers=FRENCH).json()
    assert english_view["title"] == "Set-up" and french_view["title"] == "Mise en place"
    assert english_view["version"] == french_view["version"]
    assert 'lang="fr"' in client.get("/", headers=FRENCH).text and 'lang="en"' in client.get("/").text


def test_the_switch_comes_before_lang_and_lang_before_the_browser(
    client: TestClient,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    switched = {"Cookie": "language=en"}
    assert 'lang="en"' in client.get("/", headers=FRENCH | switched).text
    monkeypatch.setattr(language, "asked_for", "fr")
    assert 'lang="fr"' in client.get("/", headers={"Accept-Language": "en"}).text
    assert 'lang="en"' in client.get("/", headers=switched).text
    assert 'lang="fr"' in client.get("/", headers={"Cookie": "language=; x"}).text


@pytest.mark.parametrize("asked", [FRENCH, {}], ids=["fr", "en"])
def test_a_whole_game_is_sent_in_one_language_without_ids(
    asked: dict[str, str],
    client: TestClient,  # noqa: F811
) -> None:
    client.headers.update(asked)
    told = list(texts_in([client.get("/api/setup").json()["ready"], client.get("/api/pieces").json()]))
    token = begin(client, "human", "first", modules=["godzillas", "doctors", "new_buildings"])[0]
    while (now := view(client, token))["turn"]:
        told += texts_in(now)
        answer(client, token, now["turn"]["answers"][-1]["action"], version=now["version"])
    told += texts_in(now)
    assert ids(told) == [] and (english(told) == []) == bool(asked)


@pytest.mark.parametrize("path", ["/", "/t/", "/p/1"])
def test_the_page_shows_no_english(path: str, server: Server, visit: Callable[..., Any]) -> None:
    token = server.table("human", "first", modules=["godzillas"])[0] if path == "/t/" else ""
    page = visit(f"{server.address}{path}{token}", locale="fr-FR")
    page.wait_for_selector("body[data-ready=yes]")
    assert page.evaluate("document.documentElement.lang") == "fr"
    assert "\n".join(english(page.evaluate(TEXTS))) == ""
    for _ in range(12 if token else 0):
        page.keyboard.press("1")
        page.wait_for_timeout(150)
        assert "\n".join(english(page.evaluate(TEXTS))) == ""


def test_the_language_is_switched_on_the_page_and_stays(server: Server, visit: Callable[..., Any]) -> None:
    page = visit(server.address, locale="fr-FR")
    page.wait_for_selector("body[data-ready=yes]")
    with page.expect_navigation():
        page.select_option("select.language", "en")
    page.wait_for_selector("html[lang=en] body[data-ready=yes]")
    page.reload()
    page.wait_for_selector("html[lang=en] body[data-ready=yes]")


def test_a_whole_game_in_french_with_its_review_replay_and_a_puzzle(
    server: Server, visit: Callable[..., Any]
) -> None:
    token, told = server.table("human", "level:1", modules=["godzillas"])[0], list[str]()
    page = visit(f"{server.address}/t/{token}", locale="fr-FR")
    person = Clicker(page)

    def read() -> None:
        """What the page says in the log, in the council, in the legend and everywhere else."""
        for pane in ("council", "legend", "log"):
            page.evaluate(f"document.querySelector('[data-pane={pane}]')?.click()")
            told.extend(page.evaluate(TEXTS))
        told.append(page.title())

    person.wait()
    for helper in ("hint", "coach"):
        page.click(f'[data-do="{helper}"]')
        page.wait_for_selector(".coach .foreseen, .coach .graph")
        read()
    while not person.over:
        person.play(questions=1)
        read()
    assert {"WHERE", "CARD", "WHAT", "MOVE", "ROW"} <= set(person.asked)
    page.wait_for_selector(".result :is(.kept, .broken)")
    page.click('[data-do="review"]')
    page.click(".costliest .answer")
    page.wait_for_selector(".review .why")
    read()
    page.goto(page.url.partition("?")[0])
    page.wait_for_selector("body[data-step='0']")
    for key in ("ArrowRight", "End"):
        page.keyboard.press(key)
        page.wait_for_selector("body:not([data-step='0'])")
        read()
    page.wait_for_selector(".result .total")
    read()
    page.goto(server.address)
    page.click('[data-do="cards"]')
    page.wait_for_selector(".games td >> text=/^place [12] sur 2, .* points$/")
    page.wait_for_selector(".manual .tiles")
    read()
    page.goto(f"{server.address}/p/1")
    page.click(".question .answer, .slot:not(.refused)")
    page.wait_for_selector("body[data-solved]")
    read()
    assert "\n".join(sorted(set(english(told) + ids(told)))) == ""
