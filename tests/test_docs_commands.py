"""Every command of every page: those in blocks are run, those in sentences have options that exist."""

import argparse
import importlib.util
import io
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from smallcity_env.cli import COMMANDS, LANG, NUMBERS, _parser, main

from .docs_commands import ALL, FILE, NOT_RUN, Command, small
from .interpreter import ROOT, run_python

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
SHOWN = [command for command in ALL if command.tool == "smallcity"]
RUN = sorted({command.page for command in SHOWN if command.block and not command.reason_not_to_run})


def of_tool(tool: str) -> list[Command]:
    return [command for command in ALL if command.tool == tool]


def without_numbers(words: list[str]) -> list[str]:
    """The words of `smallcity` without `--numbers FILE`, which may stand anywhere."""
    at = words.index(NUMBERS) if NUMBERS in words else len(words)
    return words[1:at] + words[at + 2 :]


def options(name: str) -> set[str]:
    """All options of a command."""
    strings: set[str] = set()
    for action in _parser(name)._actions:
        if isinstance(action, argparse._SubParsersAction):
            strings |= set(action.choices[name]._option_string_actions)
    return strings


@pytest.mark.parametrize("command", SHOWN, ids=lambda command: f"{command.page.stem}: {command.text}")
def test_a_command_is_known_and_so_are_its_options(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = without_numbers(command.words)
    if words[0].startswith("-") or words == ["..."]:
        return
    assert words[0] in COMMANDS
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= options(words[0]) | {LANG}
    if command.block:
        _parser(words[0]).parse_args(words)


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other in a folder that holds the files the page shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in FILE.findall(page.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for command in SHOWN:
        if command.page == page and command.block and not command.reason_not_to_run:
            run(command, tmp_path, monkeypatch)


def run(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command with a small budget; whoever is asked for an answer quits."""
    words = small(command.words[1:], folder)
    if NUMBERS in words or command.output:  # numbers are chosen before the rules are imported
        words = [str(folder / word) if word.endswith((".toml", ".jsonl")) else word for word in words]
        out = run_python("-m", "smallcity_env", *words, stdin="quit\n")
        if command.output:
            (folder / command.output).write_text(out, encoding="utf-8")
    else:
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        assert main(words) == 0, command.text


def test_exceptions_are_still_shown() -> None:
    assert set(NOT_RUN.values()) == {command.reason_not_to_run for command in SHOWN if command.block} - {""}


# -- other tools


def test_targets_of_make_exist() -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("no make here")
    for target in {command.words[1] for command in of_tool("make")}:
        planned = subprocess.run([make, "-n", target], cwd=ROOT, capture_output=True, text=True)
        assert planned.returncode == 0, planned.stderr


def test_modules_and_scripts_exist() -> None:
    for command in of_tool("python"):
        words = command.words
        if words[1] == "-m":
            assert importlib.util.find_spec(words[2]), command.text
        else:
            assert (ROOT / words[1]).exists() or words[1] == "my_script.py", command.text


MODULES = sorted(
    {
        command.words[2]
        for command in of_tool("python")
        if " --" in command.text and "pytest" not in command.text
    }
)


@pytest.mark.parametrize("module", MODULES)
def test_options_of_modules_exist(module: str) -> None:
    known = run_python("-m", module, "--help")
    for command in of_tool("python"):
        if command.words[2:3] == [module]:
            assert all(word in known for word in command.words if word.startswith("--")), command.text


def test_extras_exist() -> None:
    named = {extra for command in of_tool("pip") for extra in re.findall(r"\[(.*?)\]", command.text)}
    assert named and {extra for group in named for extra in group.split(",")} <= set(EXTRAS)
