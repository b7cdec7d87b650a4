"""Files of numbers: TOML read into keys like `tiles.museum.gain`, with the line of each for messages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from ... import files
from ...refusal import Refused

_HEADER: Final = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(#.*)?$")
_ASSIGNED: Final = re.compile(r"\s*([\w\-.\"' ]+?)\s*=")
_QUOTES: Final = ('"""', "'''")
_AT_LINE: Final = re.compile(r"\s*\(at line (\d+), column \d+\)$")
_AT_END: Final = re.compile(r"\s*\(at end of document\)$")


class NumbersError(Refused, ValueError):
    """An invalid file of numbers; the message is one sentence with file and line."""


@dataclass(frozen=True)
class Source:
    """A file of numbers as it was read: its name, its text, and its values by key."""

    name: str
    text: str
    given: dict[str, Any]

    def error(self, key: str, sentence: str) -> NumbersError:
        """What is wrong with a number, and in which line it stands."""
        return NumbersError(f"{self.name}, line {self.line_of(key)}: {sentence}")

    def unknown(self, key: str, keys: list[str]) -> NumbersError:
        """The error for an unknown key, with the nearest known one."""
        near = get_close_matches(key, keys, n=1, cutoff=0)
        hint = f"did you mean {near[0]!r}?" if near else "there are none"
        return self.error(key, f"there is no number {key[:80]!r}; {hint}")

    def line_of(self, key: str) -> int:
        """The line of a number, or of the nearest part of its key; 1 if there is none."""
        lines = dict(_lines(self.text))
        while key:
            if key in lines:
                return lines[key]
            key = key.rpartition(".")[0]
        return 1


def read(path: Path) -> Source:
    """A file of numbers, or NumbersError."""
    try:
        text = files.read_text(path, "the file of numbers")
    except Refused as wrong:
        raise NumbersError(str(wrong)) from None
    return parse(text, str(path))


def parse(text: str, name: str) -> Source:
    """The values of a text by key, or NumbersError."""
    try:
        import tomllib  # nothing to parse in most processes

        nested = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise _not_toml(str(wrong), text, name) from None
    source = Source(name, text, {})
    for key, value in _flat(nested, ""):
        if key in source.given:
            raise source.error(key, f"{key} is given twice")
        source.given[key] = value
    return source


def _not_toml(wrong: str, text: str, name: str) -> NumbersError:
    """The parser's complaint, with the line in front."""
    at = _AT_LINE.search(wrong)
    line = int(at[1]) if at else text.count("\n") + 1
    sentence = _AT_END.sub("", _AT_LINE.sub("", wrong)).splitlines()[0]
    return NumbersError(f"{name}, line {line}: this is not TOML: {sentence[:80]}")


def _flat(table: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    """Values of nested tables by their whole key; an empty table keeps its own key."""
    for word, value in table.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{word}.")
        else:
            yield f"{prefix}{word}", value


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Every key of a text with its line; later lines of a drawing are passed over."""
    table, quote = "", ""
    for n, line in enumerate(text.split("\n"), start=1):
        if quote:
            quote = "" if quote in line else quote
            continue
        if header := _HEADER.match(line):
            table = _plain(header[1]) + "."
            yield table[:-1], n
        elif assigned := _ASSIGNED.match(line):
            yield table + _plain(assigned[1]), n
        quote = next((q for q in _QUOTES if line.count(q) % 2), "")


def _plain(key: str) -> str:
    """A key without quotes and blanks."""
    return re.sub(r"[\"'\s]", "", key)
