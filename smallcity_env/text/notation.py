"""A whole position as readable, editable text, and parsing it back exactly.

    smallcity position 1

    players 2
    rounds 8
    victory votes
    boards base-easy river-easy
    modules godzillas

    round 1
    phase build
    ask what
    seat 0
    host 0
    supply residential-1 30 residential-2 24 ...

    borough 0
    money 4  votes 0  pollution 0  career 11  size 7  card mayor
        A  B    C    D ...
     1  .  .    .    .
     2  .  Hl:0 Hl:0 .
     ...

First come the rules, then the common fields, then every borough and its picture (grid.py), then,
while all build in secret, what each borough shows to the others (`shown 0`). A line is a field
(fields.py); fields that are 0 are left out. Spacing, blank lines, lines that begin with # and the
order of fields do not matter on reading; anything else unknown raises a NotationError.
"""

from collections import Counter
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ..config import MODULES, Config, ConfigError
from ..rules.schema import BOROUGH, RULES, STATE
from ..rules.tables import SEATS, SIDE
from . import fields
from .grid import DRAWN, Line, NotationError, draw, is_header, lines_of, read_picture, read_rows

__all__ = ["NotationError", "draw", "from_text", "read_picture", "to_text"]

TITLE: Final = "smallcity position 1"
SECTIONS: Final = ("borough", "shown")
MODULE_NAMES: Final = {module.replace("_", "-"): module for module in MODULES}

RULE_FIELDS: Final = fields.fields_of(RULES, but=MODULES)
_COMMON = fields.fields_of(STATE, but=("rules", *SECTIONS))
STATE_FIELDS: Final = dict(sorted(_COMMON.items(), key=lambda named: named[1].spaces))  # sets last
BOROUGH_FIELDS: Final = fields.fields_of(BOROUGH, but=DRAWN)
SEAT_FIELDS: Final = ("seat", "host", "asked_borough", "pilgrim_of")
_MODULE_NUMBERS: Final = {word: number for number, word in enumerate(MODULE_NAMES)}

Block: TypeAlias = tuple[dict[str, fields.Field], np.void]


class Section(NamedTuple):
    """The lines of a borough, as it is or as it is shown to others."""

    line: int
    name: str
    seat: int
    lines: list[Line]

    def wrong(self, why: str) -> NotationError:
        """An error in this section."""
        return NotationError(self.line, f"{self.name} {self.seat} {why}")


# -- writing


def to_text(state: np.void) -> str:
    """The text of a position; equal positions have equal texts."""
    players = range(state["rules"]["players"])
    parts = [[TITLE], _rule_lines(state["rules"]), fields.write(STATE_FIELDS.values(), state)]
    parts += [_borough_lines(state, "borough", seat) for seat in players]
    screened = [seat for seat in players if any(state["shown"][seat].tobytes())]
    parts += [_borough_lines(state, "shown", seat) for seat in screened]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _rule_lines(rules: np.void) -> list[str]:
    """The configuration of the game."""
    lines = fields.write((field for field in RULE_FIELDS.values() if field.scalar), rules)
    boards = [fields.VALUES["board"][int(board)] for board in rules["board"][: rules["players"]]]
    modules = [word for word, module in MODULE_NAMES.items() if rules[module]]
    lines.append(" ".join(["boards", *boards]))
    if modules:
        lines.append(" ".join(["modules", *modules]))
    return lines


def _borough_lines(state: np.void, name: str, seat: int) -> list[str]:
    """A borough: its numbers on one line, its lists, its picture."""
    b = state[name][seat]
    known = BOROUGH_FIELDS.values()
    numbers = fields.write((field for field in known if field.scalar), b)
    lists = fields.write((field for field in known if not field.scalar), b)
    picture = draw(b, int(state["rules"]["board"][seat]))
    return [f"{name} {seat}", "  ".join(numbers), *lists, picture]


# -- reading


def from_text(text: str) -> "np.ndarray[Any, Any]":
    """The position a text describes, an array of one state."""
    lines = [row for row in lines_of(text) if not row[1][0].startswith("#")]
    if not lines or lines[0][1] != TITLE.split():
        raise NotationError(lines[0][0] if lines else 1, f"a position begins with '{TITLE}'")
    states = np.zeros(1, STATE)
    common, sections = _sections(lines[1:])
    _read_common(common, states[0])
    _check_boroughs(lines[-1][0], sections, int(states[0]["rules"]["players"]))
    for section in sections:
        _read_borough(section, states[0])
    return states


def _sections(lines: list[Line]) -> tuple[list[Line], list[Section]]:
    """Split the text into the common lines and the boroughs."""
    common: list[Line] = []
    sections: list[Section] = []
    for line, words in lines:
        if words[0] in SECTIONS:
            if len(words) != 2:
                raise NotationError(line, f"{words[0]} must be followed by one seat, as in {words[0]} 0")
            sections.append(Section(line, words[0], fields.seat_number(line, words[1]), []))
        else:
            (sections[-1].lines if sections else common).append((line, words))
    return common, sections


def _check_boroughs(last: int, sections: list[Section], players: int) -> None:
    """Check that every player has one borough, shown to others at most once."""
    times = Counter((section.name, section.seat) for section in sections)
    for section in sections:
        if section.seat >= players:
            raise section.wrong(f"has no player: there are {players}")
        if times[section.name, section.seat] > 1:
            raise section.wrong("is given more than once")
    for seat in range(players):
        if ("borough", seat) not in times:
            raise NotationError(last, f"borough {seat} of {players} players is missing")


def _read_common(lines: list[Line], state: np.void) -> None:
    """Read the rules and the fields common to all boroughs."""
    rules = state["rules"]
    given: set[str] = set()
    for line, words in lines:
        if words[0] == "modules":
            _once(line, "modules", given)
            for word in words[1:]:
                rules[MODULES[fields.named(line, "module", _MODULE_NUMBERS, word)]] = 1
        else:
            _read_fields(line, words, given, (RULE_FIELDS, rules), (STATE_FIELDS, state))
    _check_common(lines[0][0] if lines else 1, state)


def _check_common(line: int, state: np.void) -> None:
    """Check that the configuration is valid and that every seat named has a player."""
    try:
        Config.of(state)
    except ConfigError as error:
        raise NotationError(line, str(error)) from None
    players = int(state["rules"]["players"])
    if any(state["rules"]["board"][players:]):
        raise NotationError(line, f"there are more boards than {players} players")
    for name in SEAT_FIELDS:
        if state[name] >= players:
            word = name.strip("_")
            raise NotationError(line, f"{word} is {state[name]}, but there are {players} players")


def _read_fields(line: int, words: list[str], given: set[str], *blocks: Block) -> None:
    """Read a line of fields: one list, or numbers each with its name."""
    while words:
        field, record = _find(line, words[0], blocks)
        values = words[1:2] if field.scalar else words[1:]
        if not values:
            raise NotationError(line, f"{field.word} must be followed by its value")
        _once(line, f"{field.word} {values[0]}" if field.by_seat else field.word, given)
        fields.read(line, field, values, record)
        words = words[1 + len(values) :]


def _find(line: int, word: str, blocks: tuple[Block, ...]) -> tuple[fields.Field, np.void]:
    """The field of this name and the record it belongs to."""
    for known, record in blocks:
        if word in known:
            return known[word], record
    allowed = ", ".join(name for known, _record in blocks for name in known)
    raise NotationError(line, f"unknown field {word!r}; allowed are {allowed}")


def _once(line: int, name: str, given: set[str]) -> None:
    """Check that nothing is given twice."""
    if name in given:
        raise NotationError(line, f"{name} is given twice")
    given.add(name)


def _read_borough(section: Section, state: np.void) -> None:
    """Read the fields and the picture of one borough."""
    b = state[section.name][section.seat]
    given: set[str] = set()
    rows = []
    for line, words in section.lines:
        if words[0].isdecimal() or is_header(words):
            rows.append((line, words))
        else:
            _read_fields(line, words, given, (BOROUGH_FIELDS, b))
    _check_rows(section, [row for row in rows if not is_header(row[1])])
    read_rows(rows, int(state["rules"]["board"][section.seat]), int(b["zone_side"]), b)
    _check_colours(section, b, int(state["rules"]["players"]))


def _check_rows(section: Section, rows: list[Line]) -> None:
    """Check that there is one complete picture."""
    if len(rows) != SIDE:
        raise section.wrong(f"needs one picture of {SIDE} numbered rows, but has {len(rows)} rows")
    for line, (number, *words) in rows:
        if len(words) != SIDE:
            raise NotationError(line, f"row {number} has {len(words)} spaces instead of {SIDE}")


def _check_colours(section: Section, b: np.void, players: int) -> None:
    """Check that no citizen belongs to a seat that is not in play."""
    for seat in range(players, SEATS):
        if any(b["citizens"][seat]) or b["riders"][seat]:
            raise section.wrong(f"has a citizen of seat {seat}, but there are {players} players")
