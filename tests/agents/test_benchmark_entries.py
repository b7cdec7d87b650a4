"""Entries of the benchmark: what agents of a track receive, the file, the check of what others send in."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_agents.agent import Agent
from smallcity_agents.benchmark import check, tracks
from smallcity_agents.benchmark.card import card, training_runs
from smallcity_agents.benchmark.entry import Entry, Game, Header, read
from smallcity_agents.benchmark.play import Entrant, play_block
from smallcity_agents.benchmark.protocol import Block
from smallcity_env import batch
from smallcity_env.cli import main
from smallcity_env.refusal import Refused
from tests.agents.test_benchmark import table as table
from tests.signals import signal_in
from tests.test_secret_builds import CONFIGS, worlds

HEADER = Header("first", "observation", "", {})
Lines = list[dict[str, Any]]


# -- tracks


class Witness(Agent):
    """Keeps what it is given."""

    label, description = "witness", "keeps what it is given"

    def act(self, states: Any, seats: Any, legal: Any, streams: Any) -> Any:
        self.seen = states.tobytes(), legal.tobytes(), streams.tobytes()
        return legal.argmax(axis=1)


@pytest.mark.parametrize("config", CONFIGS[:2], ids=range(2))
@pytest.mark.parametrize("keys", [None, ["game"]])
def test_an_agent_of_the_observation_track_receives_no_secret(config: Any, keys: Any) -> None:
    compared = 0
    for seat, *games in worlds(config):
        seen = []
        for game in games:
            agent, legal = Witness(), batch.masks(game)
            asked = (game, np.array([seat]), legal, np.ones(1, np.uint64))
            viewed = tracks.Viewed(agent)
            viewed.act(*asked) if keys is None else viewed.act_in(keys, *asked)
            seen.append(agent.seen)
        if (batch.masks(games[0]) == batch.masks(games[1])).all():
            assert seen[0] == seen[1]
            compared += games[0].tobytes() != games[1].tobytes()
    assert compared


@pytest.mark.parametrize(
    ("name", "track", "steps", "budget"),
    [
        ("greedy", "observation", 0, ""),
        ("search:sims=32", "search", 0, "32 simulations a decision"),
        ("champion", "search", 0, "0.1 s a decision"),
        ("level:7", "search", 0, ""),
        ("first", "learning", 90_000, "100,000 environment steps"),
        ("first", "learning", 1_000_001, "10,000,000 environment steps"),
    ],
)
def test_every_agent_has_a_track_and_a_budget(name: str, track: str, steps: int, budget: str) -> None:
    agent = make(name)
    assert steps or tracks.track_of(agent) == track
    assert tracks.budget(agent, track, steps) == budget
    assert isinstance(tracks.entrant(name, track), tracks.Viewed) == (track != "search")


def test_training_runs_are_summed_up() -> None:
    header = Header("first", "learning", "100,000 environment steps", {})
    scores = {1: [10], 2: [20], 3: [60]}
    from smallcity_agents.benchmark import anchors
    from tests.agents.test_benchmark import SCORES

    scales = anchors.AnchorTable(anchors.fit({"alone": SCORES}), "", {})
    cards = [
        card(header, [Game("alone", 0, ["first"], 0, own, [0], 1, 0.1, [0])], scales)
        for own in scores.values()
    ]
    assert training_runs(cards) == "3 training runs: level 3.0 in the mean, from 1.0 to 6.0."


# -- the file


def some_games() -> list[Game]:
    return play_block(Entrant("first", "observation"), Block("duel", 0, 2))


def test_games_come_back_as_they_were_written(tmp_path: Path) -> None:
    path, games = tmp_path / "entry.jsonl", some_games()
    with Entry(path, HEADER) as entry:
        entry.put(games)
    with path.open("ab") as file:
        file.write(b'{"task": "du')  # an interruption
    assert read(path) == (HEADER, games)
    with Entry(path, HEADER) as entry:
        assert entry.games == games
    assert path.read_bytes().count(b"\n") == 3 and path.read_bytes().endswith(b"\n")


def test_games_of_another_entry_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "entry.jsonl"
    Entry(path, HEADER).close()
    with pytest.raises(Refused, match=r"has games with the nets \{\}, not"):
        Entry(path, Header("first", "observation", "", {"mine.npz": "12345678"}))


@pytest.mark.parametrize(
    ("line", "changed", "why"),
    [
        (0, {"rules": "r0"}, "is of the rules 'r0', not"),
        (0, {"protocol": "v1"}, "is of the protocol 'v1', not 'v2'"),
        (0, {"track": "fast"}, "line 1 .* no track 'fast'"),
        (0, {"extra": 1}, "line 1 .* it has no key extra"),
        (1, {"task": "chess"}, "line 2 .* no task 'chess'"),
        (1, {"seat": 2}, "line 2 .* an entry for every seat"),
        (1, {"agents": ["first", "bad\nname"]}, r"line 2 .* agents\[1\] must be"),
        (1, {"agents": ["first", "os.system"]}, "'os.system' is not an anchor"),
        (1, {"answers": [-1]}, r"answers\[0\] must be int >= 0"),
        (1, {"seconds": "1"}, "seconds must be float, not '1'"),
        (1, {"counts": {"tokens": -1}}, "counts.* must be int >= 0"),
        (1, None, "line 2 .* is not a line of a benchmark entry"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(
    line: int, changed: dict[str, Any] | None, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "entry.jsonl"
    with Entry(path, HEADER) as entry:
        entry.put(some_games())
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    lines[line] = lines[line] | changed if changed is not None else []
    path.write_text("".join(json.dumps(text) + "\n" for text in lines))
    with pytest.raises(Refused, match=why) as refused:
        read(path)
    assert "\n" not in str(refused.value)


WHERE = (
    "entry.Entry._begin",
    "play.blocks_of",
    "playing.Playing.step",
    "play.play_block",
    "files._add",
    "entry.Entry.put",
    "terminal.Progress.show",
    "files.Appended.close",
)


def test_a_benchmark_stopped_anywhere_resumes(
    tmp_path: Path, table: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallcity_agents.commands.benchmark.QUICK_WAVES", 2)
    file, ends = tmp_path / "v2-observation-first.jsonl", []
    words = f"benchmark first --quick --tasks duel --folder {tmp_path} --anchors {table}".split()
    for stops in (WHERE, ()):
        file.unlink(missing_ok=True)
        for where in stops:
            with signal_in(where):
                assert main(words) == 143, where
        assert main(words) == 0
        ends.append(sorted((game.seed, game.seat, tuple(game.answers)) for game in read(file)[1]))
    assert ends[0] == ends[1] and len(ends[0]) == 16
    assert "Traceback" not in capfd.readouterr().err


# -- bots


def test_the_card_of_a_bot_counts_illegal_answers_forfeits_and_tokens(
    tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallcity_agents.commands.benchmark.QUICK_WAVES", 1)
    bot = tmp_path / "bot.py"
    bot.write_text("""
import json, sys
print(json.dumps({"protocol": 1}), flush=True)
known, legal = set(), []
for line in sys.stdin:
    said = json.loads(line)
    legal = said.get("legal", legal)
    answer = legal[0]["id"] if legal and said["game"] in known else "nonsense"
    if said["type"] != "hello":
        known.add(said["game"])
        print(json.dumps({"answer": answer, "tokens": 7}), flush=True)
""")
    name = f"stdio:{sys.executable} {bot}"
    words = ["benchmark", name, "--quick", "--tasks", "alone", "--folder", str(tmp_path), "--anchors", table]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "illegal  forfeits  tokens" in " ".join(out.split("\n")[0].split(" "))
    (file,) = tmp_path.glob("v2-observation-stdio-*.json")
    counts = json.loads(file.read_text())["overall"]["counts"]
    decisions = sum(game.decisions for game in read(file.with_suffix(".jsonl"))[1])
    assert counts == {"illegal": 4, "forfeits": 0, "tokens": 7 * (decisions + 4)}  # one in each game


# -- the check


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Lines, str]:
    """An entry of two waves, and the table it was played with."""
    folder = tmp_path_factory.mktemp("entry")
    made = table.__wrapped__(folder)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("smallcity_agents.commands.benchmark.QUICK_WAVES", 2)
        words = f"benchmark level:1 --quick --tasks duel --folder {folder} --anchors {made}"
        assert main(words.split()) == 0
    path = folder / "v2-search-level-1.jsonl"
    return path, [json.loads(line) for line in path.read_text().splitlines()], made


def checked(honest: tuple[Path, Lines, str], change: Callable[[Lines], Any]) -> int:
    """The exit code of the check of a changed entry."""
    path, lines, made = honest
    copy: Lines = json.loads(json.dumps(lines))
    change(copy)
    changed = path.with_name("changed.jsonl")
    changed.write_text("".join(json.dumps(line) + "\n" for line in copy))
    return main(["benchmark", "--check", str(changed), "--anchors", made])


@pytest.fixture(autouse=True)
def replay_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "SAMPLE", 1000)


def test_an_honest_entry_passes(honest: tuple[Path, Lines, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(honest, lambda lines: None) == 0
    out = capsys.readouterr().out
    assert "16 games follow protocol v2; 16 of them were replayed" in out and "all answers are those" in out
    assert "level:1 plays like level " in out


def test_the_answers_of_an_unknown_agent_are_only_found_legal(
    honest: tuple[Path, Lines, str], capsys: pytest.CaptureFixture[str]
) -> None:
    def rename(lines: Lines) -> None:
        lines[0]["agent"] = "theirs.Agent"
        for game in lines[1:]:
            game["agents"][game["seat"]] = "theirs.Agent"

    assert checked(honest, rename) == 0
    assert "the anchors' answers are those of the agents here" in capsys.readouterr().out


def other_answer(lines: Lines, own: bool) -> None:
    """Change an answer of the agent or of its opponent to another legal one, in the first game."""
    game = lines[1]
    legal, block = batch.new_masks(1), Block("duel", game["seed"] - 2_000_000, 0)
    states = batch.new(1, block.config, [game["seed"]], legal)
    for n, answer in enumerate(game["answers"]):
        others = np.flatnonzero(legal[0] & (np.arange(legal.shape[1]) != answer))
        if (states["seat"][0] == game["seat"]) == own and len(others):
            game["answers"][n] = int(others[0])
            return
        batch.step(states, np.array([answer]), legal)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: lines[3].update(scores=[99, 0]), "does not end as it says"),
        (lambda lines: lines[3].update(places=lines[3]["places"][::-1]), "does not end|the protocol has"),
        (lambda lines: lines[3]["answers"].pop(), "does not end as it says"),
        (lambda lines: lines[3]["answers"].insert(0, 0), "answer 1 of the game of duel on seed 2000001"),
        (lambda lines: other_answer(lines, own=True), "here level:1 answers"),
        (lambda lines: other_answer(lines, own=False), "here level:2 answers"),
        (lambda lines: lines.pop(5), "a game of duel on seed 2000002 is missing"),
        (lambda lines: lines.append(lines[4]), "a game is in the entry twice"),
        (lambda lines: lines[1].update(agents=["level:1", "level:3"]), "the protocol has level:1, level:2"),
        (lambda lines: lines[1].update(seed=3_000_000), "missing|not of the protocol"),
    ],
)
def test_a_forged_entry_is_refused(
    change: Callable[[Lines], Any],
    why: str,
    honest: tuple[Path, Lines, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert checked(honest, change) == 2
    error = capsys.readouterr().err
    assert any(words in error for words in why.split("|")), error
