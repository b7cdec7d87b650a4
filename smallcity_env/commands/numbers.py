"""`smallcity numbers`: every number of the rules, as a file to change and play by, or as tables."""

import argparse

from ..rules.numbers import IN_FORCE, Number, sections
from ..rules.tables.in_force import FINGERPRINT

HEAD = """\
# The numbers of Small City. Change some, keep only those lines if you like, and play by them:
#     smallcity --numbers mine.toml arena greedy random
# After each number: its rule in docs/rules.md and where it comes from:
# [S] the rulebooks of the expansions, [P] public facts about the base game, [R] reconstructed.
"""


def options(parser: argparse.ArgumentParser) -> None:
    """How they are written."""
    parser.add_argument("--markdown", action="store_true", help="as tables of a document instead of a file")
    parser.add_argument("--changed", action="store_true", help="only those that differ from the standard")


def run(args: argparse.Namespace) -> None:
    """Write the numbers in force."""
    parts = [(name, _wanted(told, args.changed)) for name, told in sections().items()]
    write = _markdown if args.markdown else _toml
    print(_title() if args.markdown else HEAD)
    print("\n\n".join(write(name, told) for name, told in parts if told))


def _title() -> str:
    return f"Numbers in force: {FINGERPRINT}.\n"


def _wanted(told: list[Number], changed: bool) -> list[Number]:
    """All of them, or those that were changed."""
    return [number for number in told if not changed or IN_FORCE[number.key] != number.standard]


def _toml(name: str, told: list[Number]) -> str:
    """One table of the file."""
    return "\n".join([f"[{name}]", *map(_entry, told)])


def _entry(number: Number) -> str:
    """One number; the note of a drawing stands above it."""
    value, word = number.kind.write(IN_FORCE[number.key]), number.key.rpartition(".")[2]
    if "\n" in value:
        return f"# {number.note}\n{word} = {value}"
    return f"{word} = {value}  # {number.note}"


def _markdown(name: str, told: list[Number]) -> str:
    """One table of a document."""
    rows = [f"| {number.key.rpartition('.')[2]} | {_cell(number)} | {number.note} |" for number in told]
    return "\n".join([f"### {name}", "", "| number | in force | rule |", "|---|---|---|", *rows])


def _cell(number: Number) -> str:
    """A value in a cell; the lines of a drawing one below the other."""
    lines = number.kind.write(IN_FORCE[number.key]).strip('"\n').split("\n")
    return "<br>".join(f"`{line}`" if line else "" for line in lines)
