"""The bench counts what it claims to count. No clock is read here; `smallcity bench` measures speed."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_bench import command, compare, measure, ours, peers, report, targets
from smallcity_bench.measure import Case, Measured, Ready, Results, Round, Spread, Tally
from smallcity_bench.ours import aec_game, midgame
from smallcity_env import Ask, Config, batch
from smallcity_env.cli import main
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.rng import streams
from tests.interpreter import ROOT

CASES = {case.key: case for case in [*ours.cases(), *peers.cases()]}
GODZILLAS = Config(players=3)
FEW = ["rollout/base/2/1", "aec/all/4", "fork/godzillas/4", "pettingzoo/connect_four"]


def silent(what: str) -> None:
    assert what


def stepped(games: int, config: Config, seeds: Any) -> int:
    """The decisions of random games, counted one by one at their questions."""
    decisions = 0
    for seed in seeds:
        states, random_streams = batch.new(1, config, np.arange(games)[seed : seed + 1]), streams([seed])
        while states["ask"][0] != Ask.OVER:
            legal = batch.masks(states)
            if legal.sum() > 1:
                decisions += 1
                action = batch.pick(legal, random_streams)[0]
            else:
                action = legal.argmax()
            batch.answer_one(states, int(action))
    return decisions


def measured(key: str, *rounds: Round, cores: int = 1) -> Measured:
    """A case with known rounds."""
    case = Case(key, key, lambda: Ready(lambda: None, lambda _: Tally(1)), cores=cores)
    return Measured(case, list(rounds))


# -- counting


def test_a_rollout_has_as_many_decisions_as_are_found_by_stepping() -> None:
    played = batch.rollout(batch.new(4, GODZILLAS, np.arange(4)), np.arange(4))
    assert played.sum(axis=0)[0] == stepped(4, GODZILLAS, range(4))


def test_the_bench_counts_rollouts_as_stepping_does() -> None:
    ready = ours.rollout_case(ours.USUAL, games=3).prepare()
    assert ready.tally(ready.run()) == Tally(stepped(3, ours.GAMES[ours.USUAL][1], range(3)), 3)


def test_recorded_games_count_decisions_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "RECORDED", 10**6)
    ready = ours.step_case(ours.USUAL, 3).prepare()
    assert ready.run() == ready.run() == Tally(stepped(3, ours.GAMES[ours.USUAL][1], range(3)), 3)
    monkeypatch.setattr(ours, "RECORDED", 5)
    assert ours.step_case(ours.USUAL, 3).prepare().run() == Tally(15, 0)


def test_a_step_that_only_begins_a_game_is_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "STEPS", 150)
    monkeypatch.setitem(ours.GAMES, "base/1", ("base game, 1 player", Config(1, ())))
    ready = ours.vector_case("base/1", 2).prepare()
    tally = ready.tally(ready.run())
    env, random_streams = SmallCityVec(2, players=1, modules=()), streams(np.arange(2))
    env.reset(seed=0)
    decisions = ended = 0
    waiting = np.zeros(2, np.bool_)
    for _ in range(150):
        legal = env.action_masks()
        assert (legal.sum(axis=1) > 1).all()
        decisions += int((~waiting).sum())
        waiting = env.step(batch.pick(legal, random_streams))[2].copy()
        ended += int(waiting.sum())
    assert tally == Tally(decisions, ended) and ended > 2


class First:
    """A space from which the first allowed answer is drawn."""

    def sample(self, mask: Any) -> int:
        return int(mask.argmax())


class Asked:
    """An AEC environment of one agent whose masks are known."""

    def __init__(self, options: list[int]) -> None:
        self.options, self.answers = options, list[int | None]()

    def reset(self, seed: int) -> None:
        self.answers = []

    def action_space(self, agent: Any) -> First:
        return First()

    def agent_iter(self) -> Any:
        return range(len(self.options) + 1)

    def last(self) -> tuple[Any, ...]:
        over = len(self.answers) == len(self.options)
        mask = np.arange(5) < (0 if over else self.options[len(self.answers)])
        return {"action_mask": mask.astype(np.int8)}, 0.0, over, False, {}

    def step(self, action: int | None) -> None:
        self.answers.append(action)


def test_an_aec_game_tells_decisions_from_forced_answers() -> None:
    env = Asked([3, 1, 2, 5, 1])
    assert aec_game(env, 0) == Tally(3, 1)
    assert env.answers[-1] is None and env.answers[1] == 0 == env.answers[4]


def test_the_middle_of_a_game_is_neither_its_beginning_nor_its_end() -> None:
    states = midgame(8, GODZILLAS)
    assert len(states) and not batch.over(states).any() and (states["round_no"] > 1).all()


# -- measuring


def test_every_case_runs_in_every_round_in_turn() -> None:
    order: list[str] = []

    def case(key: str) -> Case:
        return Case(key, key, lambda: Ready(lambda: order.append(key), lambda _: Tally(2, 1)))

    results = measure.measure([case("a"), case("b")], 3, 1e-9, silent)
    assert order == ["a", "b"] + ["a", "b"] * 3  # once to warm up
    assert [(r.done, r.games) for r in results.measured["a"].rounds] == [(2, 1)] * 3


def test_ratios_are_taken_round_by_round() -> None:
    fast = measured("fast", Round(1, 1, 30, 3), Round(4, 2, 80, 8), Round(1, 1, 90, 9))
    slow = measured("slow", Round(1, 1, 10, 1), Round(1, 1, 10, 0), Round(1, 2, 10, 2))
    assert measure.ratio(fast, slow) == Spread(4.0, 3.0, 18.0)  # by the processor: 30, 40, 90 to 10, 10, 5
    assert measure.ratio(fast, slow, "games") == Spread(6.0, 3.0, 9.0)  # a round without an end says nothing
    parallel = measured("two cores", *fast.rounds, cores=2)
    assert measure.ratio(parallel, slow) == Spread(3.0, 2.0, 9.0)  # by the clock
    assert measure.ratio(fast, measured("endless", *[Round(1, 1, 1, 0)] * 3), "games") is None


def test_a_figure_is_the_median_with_the_lowest_and_the_highest() -> None:
    one = measured("one", Round(2, 1, 10, 1), Round(2, 2, 10, 1), Round(1, 4, 10, 1))
    assert one.figure() == Spread(5.0, 2.5, 10.0) and one.figure("games") == Spread(0.5, 0.25, 1.0)
    assert measured("two", *one.rounds, cores=2).figure() == Spread(5.0, 5.0, 10.0)


# -- what is missing


def test_missing_peers_are_named_and_nothing_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "find_spec", lambda name: None)
    results = measure.measure(peers.cases(), 1, 1e-9, silent)
    assert not results.measured and len(results.missing) == len(peers.cases())
    assert all("not installed: pip install" in why for why in results.missing.values())
    text = report.missing(results)
    assert all(case.what in text for case in peers.cases())
    assert all(target.figure(results) is None for target in targets.TARGETS)
    assert {row[2] for row in report.target_rows(results)} == {"not measured"}


def test_a_peer_that_does_not_run_is_named_with_its_reason() -> None:
    def broken() -> Ready:
        raise RuntimeError("it wants another processor\nand more")

    case = Case("broken", "the broken one", broken, needs=("numpy",))
    results = measure.measure([case], 1, 1e-9, silent)
    assert results.missing == {"the broken one": "RuntimeError: it wants another processor"}
    with pytest.raises(RuntimeError):  # our own must run
        measure.measure([Case("ours", "", broken)], 1, 1e-9, silent)


@pytest.mark.parametrize("case", peers.cases(), ids=lambda case: case.key)
def test_every_peer_that_is_here_plays_and_counts(case: Case) -> None:
    if case.missing():
        pytest.skip(case.missing())
    ready = case.prepare()
    tally = ready.tally(ready.run())
    assert tally.done > 0 and tally.games >= 0


# -- targets and tables


def test_the_targets_and_comparisons_name_cases_that_there_are() -> None:
    values = {"bytes of a game", "build", "wheel", "second checkout", "started again"}
    two_cores = {"rollout/godzillas/4/4096/2"}  # not on a machine with one
    for target in targets.TARGETS:
        assert target.ours in {*CASES, *values, *two_cores}
        assert not target.theirs or target.theirs in CASES
    assert {case.like for case in peers.cases()} <= set(CASES)
    assert len(targets.TARGETS) == 20
    assert len(CASES) == len(ours.cases()) + len(peers.cases())


def test_only_what_targets_compare_can_be_chosen() -> None:
    chosen = {case.key for case in command.chosen(None, targets=True)}
    assert {"envpool/backgammon", "vector/planes/godzillas/4/1024", "train/ppo"} <= chosen < set(CASES)


def test_targets_are_met_or_not() -> None:
    results = Results(values={"bytes of a game": 8192, "build": 61})
    results.measured[peers.ROLLOUT] = measured(peers.ROLLOUT, Round(1, 1, 300, 29))
    results.measured["catanatron"] = measured("catanatron", Round(1, 1, 12, 1))
    met = [target.met(figure) for target in targets.TARGETS if (figure := target.figure(results))]
    assert met == [True, False, True, False]  # 25 x, 29 x of 30, 8 KiB, 61 s of 30
    assert ("61.0 s", "", "no") in [row[2:] for row in report.target_rows(results)]


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567, "1,230,000"), (41.54, "41.5"), (0.6251, "0.625"), (999.6, "1,000"), (0, "0"), (7, "7.00")],
)
def test_figures_have_the_digits_they_are_good_for(value: float, text: str) -> None:
    assert report.number(value) == text


def test_a_text_is_put_between_its_marks_and_nowhere_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("above\n<!-- bench: targets -->\nold\n<!-- /bench: targets -->\nbelow\n")
    assert report.put(page, "targets", "new\n")
    assert page.read_text() == "above\n<!-- bench: targets -->\nnew\n<!-- /bench: targets -->\nbelow\n"
    assert not report.put(page, "compare", "new")


# -- the command


def test_the_command_writes_what_it_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- bench: targets -->\n<!-- /bench: targets -->\n")
    short = ["--only", *FEW, "--repeats", "2", "--seconds", "0.001"]
    assert main(["bench", *short, "--write", str(page)]) == 0
    out = capsys.readouterr().out
    assert f"numpy {np.__version__}" in out and "2 rounds of 0.001 s each" in out
    assert all(CASES[key].what in out for key in FEW)
    heading, *rows = page.read_text().splitlines()[1:-1]
    assert heading == out.splitlines()[0] and len([row for row in rows if row]) == 2 + len(targets.TARGETS)
    assert main(["bench", "--seconds", "nan"]) == 2
    assert capsys.readouterr().err == "smallcity: --seconds needs a number above 0, not nan\n"


# -- two versions


def _pairs(*ratios: float) -> list[tuple[Round, Round]]:
    """Pairs of rounds, the first this many times as fast as the second by processor time."""
    return [(Round(0.1, 1, int(1000 * ratio), 0), Round(ratio, 1, 1000, 0)) for ratio in ratios]


def test_ratios_of_versions_have_medians_and_intervals() -> None:
    slower = compare.compared("a case", _pairs(0.5, 0.8, 0.6, 0.9, 0.7))
    assert slower.ratio == Spread(0.7, 0.5, 0.9) and slower.verdict == "slower"
    assert 0.5 <= slower.interval[0] < 0.7 < slower.interval[1] <= 0.9
    assert compare.compared("a case", _pairs(0.5, 1.0, 1.0, 1.0, 1.5)).verdict == "the same"
    assert compare.compared("a case", _pairs(1.2, 1.3, 1.2)).verdict == "faster"
    assert compare.compared("a case", _pairs(2, 2), by_clock=True).ratio.median == 40  # 20,000/s and 500/s


def test_a_revision_is_compared_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forked = tmp_path / "forked by the revision"
    monkeypatch.setattr(compare, "ROOT", _repository(tmp_path / "repository", forked))
    monkeypatch.setattr(compare, "SLOWER", 1e-9)  # nothing is: how fast it was is not tested
    call = ["bench", "--only", "fork/godzillas", "--repeats", "2", "--seconds", "0.01", "--compare"]
    assert main([*call, "HEAD"]) == 0
    printed = capsys.readouterr().out
    assert "batch.fork, Godzillas, 4 players" in printed and "the same" in printed
    assert forked.exists()
    assert main([*call, "nowhere"]) == 2
    assert "there is no revision 'nowhere'" in capsys.readouterr().err


def _repository(folder: Path, forked: Path) -> Path:
    """These sources after a revision whose `batch.fork` touches a file."""
    for name in (*compare.SOURCES, "bench"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "smallcity_env" / "batch.py"
    sources, line = file.read_text(), "    copies = clone(states)\n"
    assert line in sources
    file.write_text(sources.replace(line, f"{line}    open({str(forked)!r}, 'w').close()\n"))
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    for words in (["init", "--quiet"], ["add", "."], [*who, "commit", "--quiet", "-m", "a revision"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    file.write_text(sources)
    return folder
