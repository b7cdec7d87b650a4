"""The command line, as people type it."""

import re
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from smallcity_env import __version__
from smallcity_env.cli import COMMANDS, main
from smallcity_env.rules.tables.cards import RECALLED, SCALE
from tests.interpreter import ROOT, run_coroutine, run_python

TINY = {
    "demo": ["--games", "2", "--matches", "0"],
    "replay": [],
    "bench": ["--only", "rollout/base/2/1", "fork", "--repeats", "1", "--seconds", "0.001"],
    "arena": ["--games", "2"],
    "benchmark": ["--tasks", "alone", "--quick"],
    "stats": [],
    "balance": [],
    "evidence": ["--list", "--plan", str(ROOT / "docs" / "results" / "evidence.toml")],
    "dataset": ["--games", "2", "--shard", "1"],
    "play": ["--opponents", "none"],
    "watch": ["--delay", "0"],
    "web": ["--no-open"],
    "mcp": ["--port", "0"],
    "positions": ["--count", "2", "--sims", "4"],
    "numbers": [],
    "train": ["--set", "steps=64", "--set", "games=2", "--set", "evaluate_games=2"],
}
CODES = re.compile("\033\\[[0-9;]*m")


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # for what commands write
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints when all is well."""
    assert main(words) == 0
    output = capsys.readouterr()
    assert output.err == "" or output.err.startswith("smallcity: compiling")
    return output.out


def results(out: str) -> list[list[int]]:
    """The rows of the result: place, seat, score, what was counted, promises, pollution."""
    table = out[out.index("place   who") :].splitlines()[1:]
    rows = [re.findall(r"[-+]?\d+", line)[:6] for line in table if line.lstrip()[:1].isdecimal()]
    return [[int(number) for number in row] for row in rows]


def test_demo_shows_every_round_the_boroughs_and_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "demo", *TINY["demo"])
    heads = re.findall(r"^(Set-up|Round \d)", out, re.MULTILINE)
    assert heads == ["Set-up", *(f"Round {n}" for n in range(1, 9))]
    assert all(f"seat {p} (greedy), base-easy" in out for p in range(4))
    assert re.search(r"A batch of 2 random games: .* decisions a second\.\n$", out)
    assert "\033" not in out


def test_demo_lets_agents_compete(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "demo", *TINY["demo"], "--agent", "random", "--matches", "4")
    assert out.startswith("A game of random, seed 192")
    assert "ms/decision" in out and "finished ahead of" in out
    assert Path("runs/demo.png").exists() and not Path("runs/arena.jsonl").exists()


def test_demo_scores_add_up_and_places_follow_them(capsys: pytest.CaptureFixture[str]) -> None:
    rows = results(run(capsys, "demo", *TINY["demo"]))
    assert sorted(seat for _, seat, *_ in rows) == [0, 1, 2, 3]
    assert all(score == counted + promises + dirt for _, _, score, counted, promises, dirt in rows)
    assert [place for place, *_ in rows] == sorted(place for place, *_ in rows)


def test_demo_is_the_same_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    first, again, other = (
        run(capsys, "demo", *TINY["demo"], "--seed", seed).splitlines()[1:-1] for seed in "334"
    )
    assert first == again != other


def test_demo_alone_ends_with_a_title(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "demo", *TINY["demo"], "--players", "1", "--modules", "none")
    title = re.search(r"earn the title: (\w+)", out)
    assert title and title[1] in {str(RECALLED), *(str(name) for _, name in SCALE)}
    assert "no modules" in out and "GODZILLA" not in out


def test_demo_with_everything(capsys: pytest.CaptureFixture[str]) -> None:
    boards = "mountain-expert,river-easy,tokyo,ulaanbaatar"
    out = run(capsys, "demo", *TINY["demo"], "--modules", "all", "--boards", boards)
    assert "Round 9" in out
    assert all(f"seat {p} (greedy), {board}" in out for p, board in enumerate(boards.split(",")))


VARIANTS = ["--victory", "culture", "--advanced", "--stockholm", "--godzilla-rules", "2016"]
IN_WORDS = "victory by culture, advanced, Stockholm variant, godzillas of 2016"


@pytest.mark.parametrize(
    "words",
    [
        ["demo", *TINY["demo"], "--players", "2", "--agent", "random"],
        ["arena", "random", "first", *TINY["arena"]],
        ["watch", "random", *TINY["watch"], "--by-round"],
        ["play", *TINY["play"], "--seed", "1"],
    ],
    ids=lambda words: words[0],
)
def test_every_game_can_be_played_with_variants(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    assert IN_WORDS in run(capsys, *words, *VARIANTS)
    assert IN_WORDS.split(",")[0] not in run(capsys, *words)


def test_the_log_of_a_game_keeps_its_variants(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "demo", *TINY["demo"], *VARIANTS, "--agent", "random", "--log", "game.log")
    assert IN_WORDS in run(capsys, "replay", "game.log")


def test_train_learns_a_game_with_variants(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "train", "imitate", *TINY["train"], "--set", "teacher=random", *VARIANTS)
    variant = Path("runs/imitate/config.yaml").read_text().split("variants:")[1]
    for line in ("victory: culture", "advanced: true", "stockholm: true", "godzilla_rules: '2016'"):
        assert line in variant


def test_demo_has_colours_only_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = run(capsys, "demo", *TINY["demo"]).splitlines()[:-1]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    coloured = run(capsys, "demo", *TINY["demo"]).splitlines()[:-1]
    assert coloured != plain
    assert [CODES.sub("", line) for line in coloured] == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(capsys, "demo", *TINY["demo"]).splitlines()[:-1] == plain


def test_bench_measures_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "bench", *TINY["bench"])
    assert re.search(r"^batch.rollout, base game, 2 players +[\d,]+ +[\d,]+$", out, re.MULTILINE)
    assert re.search(r"^batch.fork, Godzillas, 4 players +[\d,]+ copies$", out, re.MULTILINE)
    assert re.search(r"^bytes of a game +at most 8,192 +[\d,]+ +yes$", out, re.MULTILINE)
    assert "catanatron" in out and "not measured" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("fly", "there is no command 'fly': choose from demo, replay, bench"),
        ("demo --players 9", "players must be 1 to 4, not 9"),
        ("demo --players four", "argument --players: needs a whole number, not 'four'"),
        ("demo --players 0", "argument --players: needs a number of at least 1, not '0'"),
        ("demo --modules dragons", "there is no module 'dragons': choose from godzillas"),
        ("demo --boards mars", "there is no board 'mars': choose from base-easy"),
        ("demo --boards base-easy,base-easy", "4 players need 4 boards, not 2"),
        ("demo --boards tokyo", "the city 'tokyo' can be played once, not 4 times"),
        ("demo --victory dollars", "there is no victory 'dollars': choose from votes, economics"),
        ("demo --godzilla-rules 1954", "there are no godzilla rules '1954': choose from 2022, 2016"),
        ("play --modules none --stockholm", "stockholm needs godzillas"),
        ("watch random --modules none --godzilla-rules 2016", "the godzilla rules of 2016 need godzillas"),
        ("arena random --boards tokyo,delhi --victory culture", "the Asian boards (tokyo, delhi) allow only"),
        ("train ppo --victory dollars", "there is no victory 'dollars': choose from votes, economics"),
        ("demo --agent nobody", "there is no agent 'nobody': choose from random"),
        ("demo --colour", "unrecognized arguments: --colour"),
        ("demo --seed", "argument --seed: expected one argument"),
        ("bench --repeats -5", "argument --repeats: needs a whole number, not '-5'"),
        ("bench --only snails", "no case begins with snails: there are rollout, step, vector"),
        ("bench --seconds 0", "--seconds needs a number above 0, not 0.0"),
        ("bench --write nowhere.md", "there is no file nowhere.md"),
        (f"demo --seed {'9' * 19}", "argument --seed: needs a number of at most 18 digits, not '99999"),
        ("arena random --games 10000001", "argument --games: needs a number of at most 10,000,000, not"),
        ("arena random --results .", "argument --results: needs the name of a file, not '.'"),
        (
            f"dataset random --out {'a' * 300}",
            f"the file {'a' * 300}/card.json cannot be used: file name too",
        ),
        (f"play --save {'a' * 300}", f"the file {'a' * 300} cannot be used: file name too long"),
        ("web --host nowhere.invalid", "cannot listen on nowhere.invalid:8008: "),
        (f"web --host {'é' * 300}", f"cannot listen on {'é' * 300}:8008: encoding of hostname failed"),
        ("web --host=", "--host needs an address: 127.0.0.1, or 0.0.0.0 for the network"),
        ("train search --set player=greedy", "greedy is not a search: a value net cannot"),
        (
            "train search --set past_share=0.95",
            "opponents_share and past_share must add up to at most 1, not",
        ),
        ("train search --set epochs=nan", "epochs must be float > 0.0, not 'nan'"),
        ("train ppo --set threads=1025", "threads must be int <= 1024, not 1025"),
        ("train sb3 --set observation=x", "observation cannot be 'x'"),
        ("train ppo --set horizon=1000000000000", "there is not enough memory: Unable to allocate"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"smallcity: {sentence}") and output.err.count("\n") == 1


def test_a_refusal_is_one_line_whatever_a_file_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "two\nlines \x1b[31m"]) == 2
    assert capsys.readouterr().err.startswith("smallcity: the log two lines \\x1b[31m cannot be read: ")


def start_and_stop(server: Any, sockets: list[socket.socket]) -> None:
    """Run a web server for no time at all."""
    sockets[0].close()

    async def lifespan() -> None:
        async with server.config.app.router.lifespan_context(server.config.app):
            pass

    run_coroutine(lifespan())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_an_example_that_works(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = run(capsys, name, "--help")
    (example,) = re.findall(r"^example: smallcity (.*)$", out, re.MULTILINE)
    assert example.split()[0] == name
    if name in ("stats", "balance"):
        run(capsys, "arena", "random", *TINY["arena"])
    if name == "replay":
        run(capsys, "demo", *TINY["demo"], "--log", "game.log")
    if name in ("web", "mcp"):
        monkeypatch.setattr("uvicorn.Server.run", start_and_stop)
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    run(capsys, *example.split(), *TINY[name])


def test_without_a_command_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys)
    assert all(command.summary.split(",")[0] in " ".join(out.split()) for command in COMMANDS.values())
    assert run(capsys, "--help") == out


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == f"smallcity {__version__}\n"
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


def test_the_package_is_the_command() -> None:
    assert run_python("-m", "smallcity_env", "--version") == f"smallcity {__version__}\n"
