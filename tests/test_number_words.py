"""Every number a person reads is the one in force: changed numbers, and the texts that tell them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from smallcity_env.rules import numbers
from smallcity_env.rules.numbers import NUMBERS, Number, NumbersError, Supply, Whole, Wholes, Words, toml
from smallcity_env.rules.tables.promises import Needs
from smallcity_env.rules.tables.shapes import Shapes
from tests.interpreter import PLAIN, run_python
from tests.number_words import texts, unchanged

DRAWN: Final = {
    2: "##",
    3: "###",
    4: "####",
    5: "#####",
    6: "###\n###",
    7: "####\n###",
    8: "####\n####",
    9: "###\n###\n###",
}
SMALL: Final = 10  # up to here a number may stand in a text for something else
FIRST: Final = ("shape", "power_plants", "money")  # keys that others must fit: changed before them
# numbers of the standard texts that no file changes, each with the word before and after it
FIXED: Final = re.compile(
    r"(Residential|Commercial|Factory|Park|Airport|Plant|[A-Z]{1,2}|-) \d+ .|[:,] \d spaces?|\| \d+ \|"
    r"|(level|Phase|Columns|column|council|\)) \d .+|[Nn]eeds \d (different|homes)|powers \d columns?"
    r"|(to|for|of|the|x) (1|4|10) (cost|players|to|x|cards|\.)|(;|which) 8 of|removes 1 pollution"
    r"|(,|has) 4 (in|people|spaces)|, 1 people|> 4 shops|> Two islands|make two and|the six spaces"
    r"|(On|Which|between|its|last|on) two (spaces|empty|markers|\.)"
    r"|(,|to|and|Promises|promises) \d\d (to|and|,|\.)|[.|] Four more"
)
UNTOLD: Final = {  # seen on tracks and in supplies
    "godzillas.markers", "money.start", "money.start_power_plants", "pollution.eliminated", "terrain.stones",
}  # fmt: skip


class Others:
    """Values that are not the standard ones, each used once where the range allows."""

    def __init__(self) -> None:
        self.used: set[int] = set()

    def whole(self, standard: int, low: int, high: int) -> int:
        """A number above SMALL that no other has, or else one of the ends."""
        for value in range(min(high, low + 200), max(low, SMALL), -1):
            if value != standard and value not in self.used:
                self.used.add(value)
                return value
        return high if standard != high else low

    def of(self, number: Number) -> Any:
        """Another value of a number as a file writes it; None to leave it."""
        kind, standard = number.kind, number.standard
        match kind:
            case Supply(low, high):
                return self.whole(standard, low, high) if standard >= 0 else None
            case Whole(low, high):
                return self.whole(standard, low, high)
            case Wholes():
                if kind.rising:
                    return list(range(kind.high - len(standard) + 1, kind.high + 1))
                return [self.whole(n, kind.low, kind.high) for n in standard]
            case Words():
                return list(kind.options[-1:]) * kind.count
            case Shapes(low, high):
                sizes = [n for n in range(high, max(low, 2) - 1, -1) if n != len(standard[0])]
                return DRAWN[sizes[0]] if sizes else None
            case Needs():
                return [self._need(*need.split()) for need in json.loads(kind.write(standard))]
        return None

    def _need(self, metric: str, how: str, bound: str) -> str:
        return f"{metric} {how} {self.whole(int(bound), 2, 300) if int(bound) > 1 else bound}"


def changes() -> Iterator[tuple[str, Any]]:
    """As many changed numbers as fit together, by key."""
    others, lines = Others(), list[str]()
    for number in sorted(NUMBERS.values(), key=lambda number: not number.key.endswith(FIRST)):
        value = others.of(number)
        line = f"{number.key} = {json.dumps(value)}"
        if value is None:
            continue
        try:
            numbers.check(toml.parse("\n".join([*lines, line]), "other.toml"))
        except NumbersError:
            continue
        lines.append(line)
        yield number.key, value


CHANGED: Final = dict(changes())


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The texts by the changed numbers."""
    path: Path = tmp_path_factory.mktemp("numbers") / "other.toml"
    path.write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in CHANGED.items()))
    told: dict[str, str] = json.loads(
        run_python("-m", "tests.number_words", env=PLAIN | {numbers.VARIABLE: str(path)})
    )
    return told


def test_no_text_keeps_a_number_that_has_changed(told: dict[str, str]) -> None:
    standard = texts()
    assert told.keys() == standard.keys() and len(CHANGED) > 240
    kept = {(name, what) for name in told for what in unchanged(standard[name], told[name])}
    assert not [(name, what) for name, what in sorted(kept) if not FIXED.fullmatch(what)]


def test_texts_tell_the_numbers_in_force(told: dict[str, str]) -> None:
    whole = " ".join(told.values()).replace(",", "")
    untold = {
        key
        for key, value in CHANGED.items()
        for n in re.findall(r"\d+", json.dumps(value))
        if int(n) > SMALL and not re.search(rf"\b{n}\b", whole)
    }
    assert untold == UNTOLD


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("question DIFFICULTY", "worth {promises.worth[0]}, {promises.worth[1]} or {promises.worth[2]}?"),
        ("question ENGINEER", "He removes {godzillas.cleaned} Radiation markers now"),
        ("tile BANK", "need {bank.residences} homes fewer"),
        ("council build", "the Police Station from 9 spaces, the Fire Station from 9."),
        ("promise 8", "{promises.square} x {promises.square} ("),
        ("promise 8", " the first {promises.square} x {promises.square} at the end"),
        ("tile MUSEUM", "{tiles.museum.rooms} people spaces"),
        ("council board", "costs {council.cost[3]}"),
        ("scale", "below {scores.solo[0]}  Recalled"),
    ],
)  # fmt: skip
def test_a_text_tells_its_number(name: str, sentence: str, told: dict[str, str]) -> None:
    numbered = re.sub(r"\{([\w.-]+)(?:\[(\d)\])?\}", _value, sentence)
    assert numbered in told[name]


def _value(key: "re.Match[str]") -> str:
    value = CHANGED[key[1]]
    return str(value if key[2] is None else value[int(key[2])])
