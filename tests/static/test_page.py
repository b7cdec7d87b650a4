"""The page without a server, in Chromium: a whole game with the network cut, kept in the browser."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Frame, Page, expect

from tests.web.person import Clicker

Visit = Callable[..., Page]
TABLE = "() => location.hash.startsWith('#/t/')"
PUZZLE = 77  # in which one can build no more
MEMORY = "async () => Boolean(await caches.match('memory'))"
DAMAGE = """async () => {
    const [name] = await caches.keys(), found = await caches.match("memory");
    await (await caches.open(name)).put("memory", new Response("damaged", { headers: found.headers }));
    return (await found.arrayBuffer()).byteLength;
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and tells nobody."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder, as `python -m http.server` serves it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def inner(page: Page) -> Frame:
    """The page in its frame, when it is ready."""
    page.wait_for_selector("iframe", state="attached")
    frame = next(frame for frame in page.frames if frame.parent_frame)
    frame.wait_for_selector("body[data-ready=yes]", state="attached")
    return frame


def test_a_whole_game_by_clicks_with_the_network_cut(folder: Path, tmp_path: Path, visit: Visit) -> None:
    with served(folder) as address:
        page, asked = visit(f"{address}/"), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        inner(page)
        page.evaluate("async () => { await navigator.serviceWorker.ready }")
        page.wait_for_function(MEMORY)
    page.context.set_offline(True)
    page.reload()
    frame = inner(page)
    assert page.evaluate(DAMAGE) > 2**25  # bytes; the next visit finds it damaged
    frame.click('[data-ready="first"]')
    page.wait_for_function(TABLE)
    person = Clicker(frame)
    person.play(questions=8)
    hinted = frame.locator('[data-do="hint"]')
    if hinted.is_enabled():
        hinted.click()
        frame.wait_for_selector(".hint, .hinted, #toast.on", state="attached")
    version = person.version
    page.reload()
    frame = inner(page)
    person = Clicker(frame, seed=2)
    person.wait()
    assert person.version == version
    person.play()
    assert frame.locator(".result .total").count() == 2
    with page.expect_download() as found:
        frame.click('a[download="smallcity.log"]')
    found.value.save_as(tmp_path / "log")
    assert (tmp_path / "log").read_text().startswith("smallcity log 1\n")
    frame.click('[data-do="replay"]')
    frame.wait_for_selector("body[data-step='0']")
    frame.click('[data-do="review"]')
    frame.locator(".costliest button").first.click()
    frame.wait_for_selector("text=/Your answer cost about/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    frame.click('[data-do="link"]')
    frame.wait_for_selector("#toast.on")
    link = frame.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{address}/#/g/")
    frame.evaluate("() => { location.href = '/' }")
    frame.wait_for_selector('[data-ready="puzzle"]')
    page.goto(link)  # with the network cut
    frame.wait_for_selector("body[data-step='0']")
    frame.evaluate("() => { location.href = '/' }")
    frame.click('[data-ready="puzzle"]')
    frame.wait_for_selector("text=/Puzzle .* one answer is clearly best/")
    frame.evaluate(f"() => {{ location.href = '/p/{PUZZLE}' }}")
    frame.click('.answer[data-name="no"]')
    frame.wait_for_selector("text=What each answer costs")
    assert not [url for url in asked if not url.startswith((address, f"blob:{address}", "data:"))]


def test_who_waits_is_told_why_in_the_language_of_the_browser(folder: Path, visit: Visit) -> None:
    with served(folder) as address:
        page = visit(f"{address}/", locale="fr-FR")
        frame = next(frame for frame in page.frames if frame.parent_frame)
        frame.wait_for_load_state()
        starting = page.locator("#starting")
        expect(starting).to_contain_text("Small City arrive dans votre navigateur", use_inner_text=True)
        inner(page)
        expect(starting).to_have_count(0)
        assert frame.inner_text(".skip") == "Aller au jeu"


def test_numbers_of_your_own_are_refused_in_a_sentence(folder: Path, visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "numbers.toml").write_text("[tiles.museum]\ncost = 3\n")
    with served(folder) as address:
        frame = inner(visit(f"{address}/"))
        frame.set_input_files("#numbers", tmp_path / "numbers.toml")
        expect(frame.locator(".own .wrong")).to_contain_text("other numbers need one: `smallcity web`")


def test_every_file_is_kept_and_found_without_a_root(folder: Path) -> None:
    kept = json.loads((folder / "files.json").read_text())
    assert all((folder / name).exists() for name in kept)
    assert not [
        name for name in kept if name.endswith((".js", ".html")) and "/static/" in _text(folder / name)
    ]


def _text(path: Path) -> str:
    return path.read_text().replace('"static/', "").replace("`static/", "")
