"""Logs as text, and games replayed from them: in the terminal and as an HTML page."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_env import MODULES, BadLog, Config, Game, Log, render
from smallcity_env.cli import main
from smallcity_env.log import Entry, replay_steps, state_of
from smallcity_env.render.drawing import write
from smallcity_env.render.poster import draw, hidden
from smallcity_env.render.replay import Album, frames, page, scores_by_round
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.promises import PROMISES
from tests.browser import drive
from tests.random_games import EVERYTHING, random_config

CONFIGS = [EVERYTHING, *(random_config(seed) for seed in range(720, 726))]
with_configs = pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))


def played(config: Config, seed: int = 1, answers: int = 10_000) -> Game:
    """A random game, to the end or for some answers."""
    game, rng = Game(config, seed), np.random.default_rng(seed)
    while not game.over and answers:
        game.step(int(rng.choice(game.legal())))
        answers -= 1
    return game


@pytest.fixture(scope="module")
def game() -> Game:
    return played(Config(players=3))


@pytest.fixture(scope="module")
def log(game: Game) -> str:
    return game.log.to_text()


# -- logs as text


def test_names_cannot_begin_or_end_a_script(game: Game) -> None:
    names = ("<!--<script>", "</script><SCRIPT>", "a<b")
    made = page(Log(game.log.start, game.log.entries, names))
    (script,) = re.findall(r"<script>(.*?)</script>", made, re.DOTALL)
    data = script.partition("const game = ")[2].partition(";\n")[0]
    assert tuple(json.loads(data)["players"]) == names
    assert not re.search("<(/|!|script)", data, re.IGNORECASE)


def test_a_log_may_name_the_players(game: Game) -> None:
    named = Log(game.log.start, game.log.entries, ("human", "rollout:sims=64,playout=round", "greedy"))
    text = named.to_text()
    assert "\nplayers human, rollout:sims=64,playout=round, greedy\n" in text
    assert Log.from_text(text) == named and Game.replay(named) == game
    assert '"players":["human","rollout:sims=64,playout=round","greedy"]' in page(named)
    for wrong in ("human", "a, b, c, d", "a, b, \x07", f"a, b, {'c' * 201}", "a, , b"):
        with pytest.raises(BadLog, match="players"):
            Log.from_text(re.sub("\nplayers .*", f"\nplayers {wrong}", text))


@with_configs
def test_a_log_goes_through_text_unchanged(config: Config) -> None:
    for answers in (0, 7, 60, 10_000):
        game = played(config, answers=answers)
        read = Log.from_text(game.log.to_text())
        assert read == game.log
        assert Game.replay(read) == game
        assert Game.replay(read).log == game.log


@with_configs
def test_a_log_is_retold_answer_by_answer(config: Config) -> None:
    game = played(config)
    steps = list(replay_steps(game.log))
    assert [step.entry for step in steps] == game.log.entries
    assert steps[-1].after.tobytes() == game.state.tobytes()
    assert all(a.after.tobytes() == b.before.tobytes() for a, b in pairwise(steps))


def changed(log: str, pattern: str, by: str) -> str:
    """A log with the first match of a pattern replaced; the pattern must match."""
    assert re.search(pattern, log, re.MULTILINE)
    return re.sub(pattern, by, log, count=1, flags=re.MULTILINE)


WRONG = [
    (r"\A.*", "smallcity game", "this is not a game log: a log begins with 'smallcity log 1'"),
    (r"(?s)\A.*", "", "this is not a game log"),
    (r"(?s)^answers.*", "", "this log is cut short: the line 'answers ...' is missing"),
    (r"^answers .*", "answers many", r"line \d+: 'answers' must be followed by their number"),
    (r"\nseat[^\n]*\n\Z", "\n", r"this log is incomplete: it should have \d+ answers and has \d+"),
    (r"^seat \d where.*", "hello", r"line \d+: an answer reads like 'seat 0 where: at C3', not 'hello'"),
    (r"^(seat \d) where", r"\1 wherever", r"line \d+: there is no question 'wherever'"),
    (r"where: at \S+", "where: at Z99", r"line \d+: 'z99' is not a space"),
    (r"^players 3", "players 9", "line 5: players is '9'"),
    (r"^money \d+", "money lots", r"line \d+: "),
]


@pytest.mark.parametrize(("pattern", "by", "sentence"), WRONG, ids=range(len(WRONG)))
def test_a_text_that_is_no_log_is_refused(log: str, pattern: str, by: str, sentence: str) -> None:
    with pytest.raises(BadLog, match=f"^({sentence})"):
        Log.from_text(changed(log, pattern, by))


UNFIT = [
    (r"^(seat \d where: at) \S+$", r"\1 J10", r"answer 1 of this log, 'seat \d where: at J10', is not legal"),
    (r"^seat \d difficulty.*", r"seat 0 way: way 1", "answer .* does not fit: the question is 'difficulty'"),
    (r"\Z", "seat 0 where: at A1\n", "answer .* comes after the end of the game"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "by", "sentence"), UNFIT, ids=range(len(UNFIT)))
def test_a_game_against_the_rules_is_refused(log: str, pattern: str, by: str, sentence: str) -> None:
    text = changed(log, pattern, by)
    lines = len(re.findall(r"^seat .*", text.split("answers ")[1], re.MULTILINE))
    with pytest.raises(BadLog, match=sentence):
        list(replay_steps(Log.from_text(changed(text, r"^answers .*", f"answers {lines}"))))


# -- the page without a browser


def data_of(text: str) -> dict[str, Any]:
    """The data of the game that a page holds."""
    (game,) = re.findall(r"^const game = (.*);$", text, re.MULTILINE)
    data: dict[str, Any] = json.loads(game)
    return data


@with_configs
def test_the_page_holds_the_picture_after_every_choice(config: Config) -> None:
    game = played(config)
    data = data_of(page(game.log))
    moments = frames(game.log, None)
    assert len(moments) == len(data["pictures"]) == 1 + sum(not entry.forced for entry in game.log.entries)
    for i in range(0, len(moments), 37):
        drawing = draw(moments[i].state)
        for group, part in zip(drawing.groups, data["pictures"][i], strict=True):
            shown = [data["lines"][n] for n in data["parts"][part]]
            assert shown == [write(item) for item in group.items]
    assert moments[-1].state.tobytes() == game.state.tobytes()
    assert data["scores"][-1] == game.scores()


def test_the_page_is_small_and_needs_nothing_else() -> None:
    boards = ("tokyo", "seoul", "bangkok", "delhi")
    text = page(played(Config(players=4, modules=MODULES, boards=boards), seed=2).log)
    assert len(text.encode()) < 2_000_000
    assert not re.search(r"""(src|href)=["'](?!#|data:)""", text)
    assert set(re.findall(r"https?://[^\s\"']+", text)) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("seat", [0, 2])
def test_a_seat_sees_no_secret_in_its_replay(game: Game, seat: int) -> None:
    data = data_of(page(game.log, seat))
    own = game.state["borough"][seat]["promise"]
    secret = {str(promise.name) for promise in PROMISES if promise.number != own}
    for picture in data["pictures"][:-1]:
        lines = {data["lines"][n] for part in picture for n in data["parts"][part]}
        written = set(re.findall(r"<text[^>]*>([^<]*)", "".join(lines)))
        assert not written & secret
    sentences = [words for _, _, words, _ in data["moments"]]
    assert len(sentences) < len(frames(game.log, None))
    assert ["builds behind a screen"] in sentences and ["places City Hall in secret"] in sentences


@pytest.mark.parametrize("seat", [0, 1])
def test_what_others_build_in_secret_is_not_told_to_a_seat(game: Game, seat: int) -> None:
    moments = {id(frame): frame for frame in frames(game.log, seat)}
    spoken = " ".join(word for frame in moments.values() for word in frame.words)
    for step in replay_steps(game.log):
        if hidden(step.before, seat):
            assert f"(seat {step.entry.seat}: lay" not in spoken
    building = [frame for frame in moments.values() if frame.words == ["builds behind a screen"]]
    assert building and all(frame.seat != seat for frame in building)


def test_the_scores_of_every_round_are_those_of_the_game(game: Game) -> None:
    scores = scores_by_round(frames(game.log, None), None)
    assert list(scores) == list(range(game.round + 1))
    assert scores[game.round] == game.scores()
    again = Game.replay(Log(game.log.start))
    for entry in game.log.entries:
        if again.round == 4:
            break
        if not entry.forced:
            again.step(entry.action)
    assert scores[3] == again.scores()


def test_a_game_that_began_elsewhere_or_has_not_ended_can_be_shown(tmp_path: Path) -> None:
    later = Game.from_text(played(Config(players=2), answers=60).to_text())
    later.step(int(later.legal()[0]))
    data = data_of(page(later.log))
    assert data["rounds"][0] == int(state_of(later.log.start)[0]["round_no"]) > 0
    with pytest.raises(BadLog, match="this log has no answers"):
        page(Log(later.log.start))


def test_nothing_is_written_twice() -> None:
    album, drawing = Album(), draw(Game(Config(players=2)).state)
    assert album.add(drawing) == album.add(drawing)
    assert render.svg(Game(Config(players=2)).state).count("<g id=") == len(album.symbols) + len(
        drawing.groups
    )


# -- the page in a browser

WALK = """
    const picture = () => document.querySelector("#picture svg").innerHTML;
    const press = (key) => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    const wait = (time) => new Promise((done) => setTimeout(done, time));
    const count = () => document.getElementById("count").textContent;
    const seen = { begin: picture(), counts: [count()] };
    const after = (act) => { act(); seen.counts.push(count()); return picture(); };
    const click = (id) => after(() => document.getElementById(id).click());
    seen.next = click("next"), seen.back = click("back"), seen.key = after(() => press("ArrowRight"));
    seen.last = click("last"), seen.first = after(() => press("Home")), seen.end = after(() => press("End"));
    after(() => press("ArrowUp"));
    const slider = document.getElementById("slider");
    after(() => { slider.value = 5; slider.dispatchEvent(new Event("input")); });
    seen.said = document.getElementById("said").textContent;
    click("play");
    await wait(2500);
    click("play");
    seen.lines = document.querySelectorAll("#chart polyline").length;
    seen.rows = document.querySelectorAll("#story li:not(.round)").length;
    seen.rounds = [...document.querySelectorAll("#rounds button")].map((button) => button.textContent);
    seen.fetched = performance.getEntriesByType("resource").length;
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    seen.twice = ids.filter((id, i) => ids.indexOf(id) !== i);
    const box = document.querySelector("#picture svg").getBoundingClientRect();
    seen.size = [box.width, box.height];
    return seen;
"""


@pytest.fixture(scope="module")
def walked(game: Game, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a browser saw on a walk through the page; without any error on it."""
    seen: dict[str, Any] = drive(page(game.log), WALK, tmp_path_factory.mktemp("page"))
    return seen


def test_buttons_and_keys_step_through_the_game(walked: dict[str, Any], game: Game) -> None:
    last = sum(not entry.forced for entry in game.log.entries)
    assert walked["begin"] != walked["next"] == walked["key"] and walked["back"] == walked["begin"]
    assert walked["last"] == walked["end"] != walked["begin"] == walked["first"]
    assert "the game is over" in walked["last"]
    steps = [int(words.split(" of ")[0]) for words in walked["counts"]]
    assert all(words.endswith(f" of {last}") for words in walked["counts"])
    assert steps[:7] == [0, 1, 0, 1, last, 0, last]
    assert 0 < steps[7] < last and steps[8] == steps[9] == 5
    assert steps[10] > 5  # it played by itself


def test_the_page_has_its_lists_and_nothing_from_outside(walked: dict[str, Any], game: Game) -> None:
    assert walked["lines"] == 3
    assert walked["rows"] == 1 + sum(not entry.forced for entry in game.log.entries)
    assert walked["rounds"] == ["Set-up", *(f"Round {n}" for n in range(1, 9))]
    assert walked["fetched"] == 0 and walked["twice"] == []
    assert min(walked["size"]) > 200 and "seat" in walked["said"]


def test_a_browser_shows_the_replay_of_a_seat_of_everything(tmp_path: Path) -> None:
    script = "document.getElementById('next').click(); return document.title"
    assert "as seat 3 saw it" in drive(page(played(EVERYTHING).log, seat=3), script, tmp_path)


# -- the command


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_demo_writes_a_log_for_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.log"
    shown = run(capsys, "demo", "--players", 2, "--games", 2, "--matches", 0, "--log", file)
    again = run(capsys, "replay", file)
    assert shown.splitlines()[1:-2] == again.splitlines()[1:]
    output = run(capsys, "replay", file, "--html", tmp_path / "game.html", "--seat", 1)
    assert re.match(r".*game\.html: [\d,]+ answers, 0\.\d MB; open it in a browser\.\n$", output)
    assert "as seat 1 saw it" in (tmp_path / "game.html").read_text()


def test_a_game_that_has_not_ended_is_told_as_far_as_it_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.log"
    file.write_text(played(Config(players=2), answers=30).log.to_text())
    assert re.search(r"The log ends in round \d, with seat \d: .*\?\n$", run(capsys, "replay", file))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("replay", "the following arguments are required: game.log"),
        ("replay nowhere.log", "the log nowhere.log cannot be read: no such file or directory"),
        ("replay .", "the log . cannot be read: is a directory"),
        ("replay bytes.log", "the log bytes.log cannot be read: it is not UTF-8 text"),
        ("replay torn.log", "torn.log: this log is incomplete: it should have"),
        ("replay empty.log", "empty.log: this log has no answers: there is nothing to show"),
        ("replay empty.log --html page.html", "empty.log: this log has no answers: there is nothing to show"),
        ("replay good.log --html no/x.html", "argument --html: there is no folder 'no' to write 'x.html' in"),
        ("replay good.log --html .", "argument --html: needs the name of a file, not '.'"),
        pytest.param(
            "replay good.log --html /dev/full", "the file /dev/full cannot be written: no space left",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device"),
        ),
        ("replay good.log --html page.html --seat 3", "there is no seat 3: choose from 0, 1, 2"),
        ("replay good.log --html page.html --seat x", "argument --seat: needs a whole number, not 'x'"),
        ("replay good.log --seat 1", "--seat needs --html: in the terminal everything is shown"),
        ("demo --log no/game.log", "argument --log: there is no folder 'no' to write 'game.log' in"),
    ],
)  # fmt: skip
def test_what_cannot_be_replayed_is_refused_in_one_sentence(
    words: str, sentence: str, log: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("good.log").write_text(log)
    Path("torn.log").write_text(log[: log.rindex("seat")])
    Path("empty.log").write_text(changed(log, r"(?s)^answers.*", "answers 0\n"))
    Path("bytes.log").write_bytes(b"\xff\xfe\x00")
    assert main(words.split()) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"smallcity: {sentence}") and output.err.count("\n") == 1


def test_no_answers_are_none() -> None:
    log = played(Config(players=2), answers=20).log
    assert len(Game.replay(log, answers=[]).log) < len(Game.replay(log).log) == len(log)
    assert Game.replay(log, answers=log.entries) == Game.replay(log)


@pytest.mark.parametrize("start", [b"", b"short", bytes(STATE.itemsize), None])
def test_a_log_that_begins_nowhere_is_refused(start: bytes) -> None:
    for replay in (Game.replay, lambda log: list(replay_steps(log))):
        with pytest.raises(BadLog):
            replay(Log(start))


NO_ANSWERS = [(0, Ask.WHERE, 500, False), (9, Ask.WHERE, 0, False), (0, 3, 0, False), None]


@pytest.mark.parametrize("entry", NO_ANSWERS)
def test_answers_of_no_seat_question_or_action_are_refused(entry: Any) -> None:
    made = Entry(*entry) if entry else entry
    log = Log(Game(Config(players=2)).log.start, [made])
    for replay in (Game.replay, lambda log: list(replay_steps(log))):
        with pytest.raises(BadLog, match="answer 1 of this log is"):
            replay(log)
