"""Whole games at a real terminal, driven by pexpect."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).parents[2]
MAIN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from smallcity_env.cli import main
sys.exit(main())
"""
CODES = re.compile("\033\\[[0-9;?]*[a-zA-Z]")


def start(*words: str, columns: int = 120) -> "pexpect.spawn[str]":
    arguments = ["-c", MAIN, "play", *words]
    child = pexpect.spawn(sys.executable, arguments, cwd=str(ROOT), encoding="utf-8", timeout=900,
                          dimensions=(50, columns), env={**_environment(), "TERM": "xterm"})  # fmt: skip
    child.delaybeforesend = None
    return child


def _environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}


def heard(child: "pexpect.spawn[str]") -> str:
    """The output up to the next question or the end, without colours."""
    child.expect([r"\n> ", pexpect.EOF])
    return CODES.sub("", child.before or "").replace("\r", "")


def tell(child: "pexpect.spawn[str]", line: str) -> str:
    child.sendline(line)
    return heard(child)


def finish(child: "pexpect.spawn[str]", answers: Iterator[str], last: str = "") -> str:
    """Answer to the end, where a replay is offered; return the whole output."""
    refusal = ""
    while child.isalive() and "The game is over" not in refusal:
        refusal += tell(child, next(answers))
    child.sendline(last)
    child.expect(pexpect.EOF)
    child.close()
    return refusal + CODES.sub("", child.before or "")


def always(answer: str) -> Iterator[str]:
    while True:
        yield answer


def test_a_solo_game_with_every_kind_of_input(tmp_path: Path) -> None:
    words = ["--opponents", "none", "--seed", "5", "--hints", "random"]
    child = start(*words, "--save", str(tmp_path / "a.save"))
    output = heard(child)
    assert "You have seat 0, alone." in output and "Where does the City Hall go?" in output
    assert "99 is not in the list" in tell(child, "99")
    assert "'castle' is neither an answer nor a command" in tell(child, "castle")
    assert "'J10' is not allowed here" in tell(child, "J10")
    assert "there is no answer of yours to undo" in tell(child, "undo")
    assert "which way round it lies" in tell(child, "?")
    assert "undo" in tell(child, "help") and "R1-R5 homes" in tell(child, "board")
    assert "random would answer:" in tell(child, "hint") and "points" in tell(child, "scores")
    assert "How much do you promise the voters?" in tell(child, "C3")
    assert "drawn" not in tell(child, "1")
    assert "has been drawn since" in tell(child, "undo")
    assert "What do you build?" in tell(child, "opponent")
    assert "Where does the Residential 1 go?" in tell(child, "residential-1")
    assert "is undone" in tell(child, "undo")
    end = finish(child, always("1"), last="r")
    assert re.search(r"-> +(below|from) -?\d+ +\w+", end) and "earn the title" in end
    assert re.search(r"(kept|broke) '", end)
    assert "shows the game step by step" in end and (tmp_path / "a.html").exists()
    assert child.exitstatus == 0 and not (tmp_path / "a.save").exists()


@pytest.mark.parametrize("leave", ["ctrl-D", "ctrl-C", "quit"])
def test_a_game_of_two_is_left_and_resumed(tmp_path: Path, leave: str) -> None:
    saved = str(tmp_path / "b.save")
    child = start("--opponents", "first", "--seed", "6", "--seat", "1", "--save", saved, columns=80)
    assert "You have seat 1, against seat 0 (first)." in heard(child)
    output = tell(child, "2")
    for _ in range(12):
        output += tell(child, "1")
    assert "seat 0 (first): Built City Hall on " in output
    {"ctrl-D": child.sendeof, "ctrl-C": child.sendintr, "quit": lambda: child.sendline("quit")}[leave]()
    child.expect(pexpect.EOF)
    assert f"resume it with: smallcity play --resume {saved}" in CODES.sub("", child.before or "")
    child.close()
    assert child.exitstatus == 0
    again = start("--resume", saved)
    assert "You have seat 1, against seat 0 (first)." in heard(again)
    end = finish(again, always("1")) if leave == "ctrl-D" else again.close() or ""
    if leave == "ctrl-D":
        assert re.search(r"You finished (first|second) of 2", end) and again.exitstatus == 0


@pytest.mark.parametrize("columns", [80, 120, 200])
def test_nothing_is_wider_than_the_terminal(tmp_path: Path, columns: int) -> None:
    words = ["--opponents", "random,first,random", "--seed", "3", "--save", str(tmp_path / "c.save")]
    child = start(*words, columns=columns)
    output = heard(child)
    for answer in ["1", "1", "?", "scores", *["1"] * 12, "?"]:
        output += tell(child, answer)
    assert max(map(len, output.splitlines())) <= columns
    child.close()
