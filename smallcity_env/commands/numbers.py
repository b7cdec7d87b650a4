"""`smallcity numbers`: every number of the rules, as a file to edit and play with, or as tables."""

import argparse

from ..rules.numbers import IN_FORCE, Number, sections
from ..rules.tables.in_force import FINGERPRINT

HEAD = """\
# The numbers of Small City. Change some (the other lines may be deleted) and play by them:
#     smallcity --numbers mine.toml arena greedy random
# After each number: its rule in docs/rules.md and its source:
# [S] the rulebooks of the expansions, [P] public facts about the base game, [R] reconstructed.
"""


def options(parser: argparse.ArgumentParser) -> None:
    """The output format."""
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables instead of TOML")
    parser.add_argument("--changed", action="store_true", help="only numbers that differ from the standard")


def run(args: argparse.Namespace) -> None:
    """Print the numbers in force."""
    parts = [(name, _selected(numbers, args.changed)) for name, numbers in sections().items()]
    write = _markdown if args.markdown else _toml
    print(f"Numbers in force: {FINGERPRINT}.\n" if args.markdown else HEAD)
    print("\n\n".join(write(name, numbers) for name, numbers in parts if numbers))


def _selected(numbers: list[Number], changed: bool) -> list[Number]:
    """All numbers, or only those that were changed."""
    return [number for number in numbers if not changed or IN_FORCE[number.key] != number.standard]


def _toml(name: str, numbers: list[Number]) -> str:
    """One table of the TOML file."""
    return "\n".join([f"[{name}]", *map(_entry, numbers)])


def _entry(number: Number) -> str:
    """One number; the note of a multi-line drawing goes above it."""
    value, word = number.kind.write(IN_FORCE[number.key]), number.key.rpartition(".")[2]
    if "\n" in value:
        return f"# {number.note}\n{word} = {value}"
    return f"{word} = {value}  # {number.note}"


def _markdown(name: str, numbers: list[Number]) -> str:
    """One Markdown table."""
    rows = [f"| {number.key.rpartition('.')[2]} | {_cell(number)} | {number.note} |" for number in numbers]
    return "\n".join([f"### {name}", "", "| number | in force | rule |", "|---|---|---|", *rows])


def _cell(number: Number) -> str:
    """A value as a table cell; the lines of a drawing are separated by <br>."""
    lines = number.kind.write(IN_FORCE[number.key]).strip('"\n').split("\n")
    return "<br>".join(f"`{line}`" if line else "" for line in lines)
