"""`smallcity evidence`: games are played by the commands of a plan, and tables written into pages."""

from pathlib import Path

import pytest

from smallcity_agents import evidence
from smallcity_env.cli import main
from smallcity_env.terminal import Refused
from tests.interpreter import ROOT

PLAN = """
[duel]
page = "page.md"
show = "{show}"
commands = [
    "arena --table first,random --games 40 --seed 5",
    "arena --table first --modules none --games 20 --seed 5",
]
"""
PAGE = "# Page\n\n<!-- evidence: duel -->\nold\n<!-- /evidence -->\n\nThe end.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN.format(show="strength"))
    (tmp_path / "page.md").write_text(PAGE)
    return tmp_path


def make(*words: str) -> int:
    return main(["evidence", "--plan", "plan.toml", *words])


def test_a_table_is_played_and_written(folder: Path) -> None:
    make("--share", "0.1")
    before, _, table = (folder / "page.md").read_text().partition("<!-- evidence: duel -->\n")
    assert (
        before == "# Page\n\n" and table.endswith("<!-- /evidence -->\n\nThe end.\n") and "old" not in table
    )
    assert f"rules {evidence.shipped()['rules']}" in table.splitlines()[1]
    match, alone = table.splitlines()[5:7]
    assert match.startswith("| `first` | `random` | 2 players, godzillas, on base-easy | 4 |")
    assert (
        alone.startswith("| `first` | alone | 1 player, no modules, on base-easy | 2 |  |") and "±" in alone
    )


def test_the_first_agent_of_a_table_has_the_row_whoever_ended_first(folder: Path) -> None:
    make("--share", "0.1")
    page = (folder / "page.md").read_text()
    for path in folder.glob("runs/evidence/*/*.jsonl"):
        path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    make("--share", "0.1")
    assert (folder / "page.md").read_text() == page


def test_the_same_command_plays_nothing_again(folder: Path) -> None:
    make("--share", "0.1")
    games = {path: path.read_bytes() for path in folder.glob("runs/evidence/*/*.jsonl")}
    make("duel", "--share", "0.1")
    assert len(games) == 2 and all(path.read_bytes() == data for path, data in games.items())


def test_the_list_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    make("--list", "--share", "0.5")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("smallcity arena --table first,random --games 20 --seed 5 --results ")
    assert "--games 10 " in second


@pytest.mark.parametrize(
    ("show", "share", "shown"),
    [("standings", "0.1", "| first |"), ("balance", "1", "|  | 2 players |"), ("balance", "1", " ± ")],
)
def test_other_tables(folder: Path, show: str, share: str, shown: str) -> None:
    plan = PLAN.format(show=show).replace(
        '    "arena --table first --modules none --games 20 --seed 5",\n', ""
    )
    (folder / "plan.toml").write_text(plan)
    make("--share", share)
    page = (folder / "page.md").read_text()
    assert shown in page and page.count("<!-- figures: ") > 1


def test_training_runs_are_shown_as_curves_and_rates(folder: Path) -> None:
    small = "--set games=4 --set n_steps=8 --set batch_size=16 --set evaluate_games=4 --set anchors=[random]"
    commands = [f"train sb3 --set seed={seed} --set steps=320 {small}" for seed in (1, 2)]
    plan = f'[duel]\npage = "page.md"\nshow = "learning"\ncommands = {commands}\n'
    (folder / "plan.toml").write_text(plan)
    make("--share", "0.1")
    row = (folder / "page.md").read_text().splitlines()[-5]
    assert row.startswith("| `sb3` | 2 | 32 | ") and row.count(",") == 1
    picture = folder / "docs" / "pictures" / "learning.svg"
    picture.unlink()
    make("--share", "0.1")  # draws again, trains nothing
    assert picture.is_file() and (folder / "page.md").read_text().splitlines()[-5] == row


def test_refusals(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make("cards") == 2 and "no table cards: choose from duel" in capsys.readouterr().err
    assert make("--share", "2") == 2 and "at most 1, not 2" in capsys.readouterr().err
    (folder / "page.md").write_text("nothing")
    with pytest.raises(Refused, match="no block <!-- evidence: duel -->"):
        evidence.write(folder / "page.md", "duel", "table")
    (folder / "plan.toml").write_text(PLAN.format(show="poem"))
    with pytest.raises(Refused, match="'poem': choose from standings"):
        evidence.read_plan(folder / "plan.toml")
    (folder / "plan.toml").write_text("[duel]\npage = 3\n")
    with pytest.raises(Refused, match="is not a plan of evidence"):
        evidence.read_plan(folder / "plan.toml")


def test_the_shipped_plan_fits_its_pages() -> None:
    plan = evidence.read_plan(ROOT / "docs" / "results" / "evidence.toml")
    for name, entry in plan.items():
        text = (ROOT / entry.page).read_text(encoding="utf-8")
        assert text.count(f"<!-- evidence: {name} -->\n") == 1, name
