"""Random valid files of numbers, and games played by each: python -m tests.number_files --files 300.

A file changes some numbers, or nearly all, each within what its kind allows. Every file is played in a
process of its own, in plain Python; what goes wrong is printed with the seed of its file, which
`--first SEED --files 1` plays again and `--write` prints.
"""

import argparse
import json
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from smallcity_env.rules import numbers
from smallcity_env.rules.numbers import NUMBERS, Number, NumbersError, Supply, Whole, Wholes, Words, toml
from smallcity_env.rules.tables.maps import ANYWHERE, Map
from smallcity_env.rules.tables.promises import Metric, Needs
from smallcity_env.rules.tables.shapes import Shapes
from tests.interpreter import PLAIN, run_python

EXTREMES = ("least", "most")  # names of files, in place of a seed


def text_of(seed: int | str) -> str:
    """A valid file: the least or the most of every number, or random ones."""
    if isinstance(seed, str):
        return _valid(
            [(number, _extreme(number, min if seed == EXTREMES[0] else max)) for number in NUMBERS.values()]
        )
    rng = random.Random(seed)
    share = rng.choice((0.02, 0.1, 0.3, 1.0))
    chosen = [number for number in NUMBERS.values() if rng.random() < share] or [
        rng.choice(list(NUMBERS.values()))
    ]
    rng.shuffle(chosen)
    return _valid([(number, drawn(number, rng)) for number in chosen])


def _valid(given: list[tuple[Number, Any]]) -> str:
    """Those numbers of a file that fit together, taken one after the other, those refused once more."""
    lines: list[str] = []
    for number, value in given * 2:
        line = f"{number.key} = {json.dumps(value)}"
        try:
            numbers.check(toml.parse("\n".join([*lines, line]), "random.toml"))
        except NumbersError:
            continue
        lines.append(line)
    return "\n".join(lines) + "\n"


def _extreme(number: Number, pick: Any) -> Any:
    """The least or the most a number may be; of drawings and sentences, the standard ones."""
    kind = number.kind
    if isinstance(kind, Whole | Supply):
        return pick(kind.low, kind.high)
    if isinstance(kind, Wholes):
        ends = range(kind.low, kind.low + kind.count), range(kind.high - kind.count + 1, kind.high + 1)
        return list(pick(*ends, key=min)) if kind.rising else [pick(kind.low, kind.high)] * kind.count
    return None


def drawn(number: Number, rng: random.Random) -> Any:
    """A value of a number's kind, as a file writes it."""
    match number.kind:
        case Supply(low, high, by_players):
            return rng.choice([_whole(low, high, rng), *(word for word, _ in by_players)])
        case Whole(low, high):
            return _whole(low, high, rng)
        case Wholes() as kind:
            count = rng.randint(1, kind.most) if kind.most else kind.count
            if kind.rising:
                return sorted(rng.sample(range(kind.low, kind.high + 1), count))
            return [_whole(kind.low, kind.high, rng) for _ in range(count)]
        case Words(count, options):
            return rng.choices(options, k=count)
        case Shapes(low, high):
            return _shape(rng.randint(low, high), rng)
        case Needs():
            return [_need(rng) for _ in range(rng.randint(1, 2))]
        case Map():
            return _map(number.standard, rng)
    raise AssertionError(f"{number.key} is of no known kind")


def _whole(low: int, high: int, rng: random.Random) -> int:
    """A whole number, often one of the ends."""
    return rng.choice((low, high, rng.randint(low, high), rng.randint(low, min(high, low + 9))))


def _shape(size: int, rng: random.Random) -> list[str]:
    """A shape in one piece."""
    cells = {(0, 0)}
    while len(cells) < size:
        r, c = rng.choice(sorted(cells))
        cells.add(rng.choice(((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))))
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    wide, high = max(c for _, c in cells) - left + 1, max(r for r, _ in cells) - top + 1
    return ["".join("#" if (r + top, c + left) in cells else "." for c in range(wide)) for r in range(high)]


def _need(rng: random.Random) -> str:
    """What a promise may ask for."""
    metric = rng.choice([metric for metric in Metric if metric])
    bound = rng.choice((0, 1, 2, 5, 17, 30_000))
    return f"{metric.name.lower().replace('_', '-')} {rng.choice(('>=', '<='))} {bound}"


def _map(standard: tuple[str, ...], rng: random.Random) -> list[str]:
    """A board with some spaces of it changed."""
    share, letters = rng.choice((0.03, 0.2, 0.5)), ANYWHERE + "".join(set("".join(standard)) - set(ANYWHERE))
    return [
        "".join(
            rng.choice(letters) if rng.random() < share and letter in ANYWHERE else letter for letter in row
        )
        for row in standard
    ]


def fault(seed: int | str) -> str:
    """What goes wrong with a file, in its last lines; empty if nothing does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.toml"
        path.write_text(text_of(seed))
        env = PLAIN | {numbers.VARIABLE: str(path)}
        try:
            return run_python("-m", "tests.numbers_played", "whole", str(seed), env=env).strip()
        except AssertionError as failed:
            return str(failed).strip()


def main() -> int:
    """Play by many files; 1 if something went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.number_files")
    parser.add_argument("--files", type=int, default=300, help="how many (default 300)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first (default 0)")
    parser.add_argument("--processes", type=int, default=1, help="at once (default 1)")
    parser.add_argument("--write", action="store_true", help="print the first file and play nothing")
    asked = parser.parse_args()
    if asked.write:
        print(text_of(asked.first), end="")
        return 0
    seeds: list[int | str] = [*EXTREMES, *range(asked.first, asked.first + asked.files)]
    wrong = 0
    with ThreadPoolExecutor(asked.processes) as pool:
        for seed, said in zip(seeds, pool.map(fault, seeds), strict=True):
            wrong += bool(said)
            print(f"file {seed}: {said or 'sound'}", flush=True)
    print(f"{len(seeds)} files, {wrong} with faults")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
