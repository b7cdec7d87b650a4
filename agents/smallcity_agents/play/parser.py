"""Parse input: a number from the list, the name of an answer or part of it, or a command."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from smallcity_env.language import Listed, _, current, lazy
from smallcity_env.rules import actions
from smallcity_env.text.wording import normalised, shown

from .movers import Mover, Plan

COMMANDS: Final = {
    "?": lazy("explain the question and its answers; `? bank` explains a tile, `? museum` why not"),
    "board": lazy("show all boroughs, as you see them, and the legend"),
    "scores": lazy("show everybody's tracks, cards and council, and your promise"),
    "log": lazy("show the rounds so far"),
    "council": lazy("show the council board"),
    "go": lazy("move several citizens in one go: `go C3-D4 E5-A1`; `go C3-D4 rest` keeps the rest at home"),
    "none": lazy(
        "answer no to questions like this until you have something else to pay with or the phase ends"
    ),
    "auto": lazy("show what is answered for you; `auto store` and `auto none` switch it on or off"),
    "hint": lazy("show what the champion would answer, and what it expects; `hint greedy` asks greedy"),
    "undo": lazy("undo your last answer, if nothing has come of it yet"),
    "save": lazy("save the game; `save FILE` saves it in FILE"),
    "quit": lazy("save the game and leave, like ctrl-C and ctrl-D"),
    "help": lazy("show this list"),
}


ALIASES: Final = {  # of the commands, by language
    "fr": {
        "aide": "help", "plateau": "board", "legende": "board", "tableau": "scores", "journal": "log",
        "conseil": "council", "aller": "go", "aucun": "none", "indice": "hint", "annuler": "undo",
        "sauver": "save", "quitter": "quit",
    },
}  # fmt: skip


class ParseError(ValueError):
    """Input that is neither an answer nor a command, with the reason."""


def command(text: str) -> tuple[str, str] | None:
    """A command and its argument; None if the input is not a command."""
    word, _blank, rest = " ".join(text.split()).partition(" ")
    aliases = {"h": "help", "legend": "board", "exit": "quit", "q": "quit"}
    for names in ALIASES.values():
        aliases |= names
    known = aliases.get(normalised(word), word.lower())
    return (known, rest) if known in COMMANDS else None


def called(known: str) -> str:
    """The name of a command in the language in use."""
    return next((name for name, meant in ALIASES.get(current(), {}).items() if meant == known), known)


REST: Final = ("rest", "reste")
_MOVE: Final = re.compile(r"([a-j]\d+)-(?:(\d):)?([a-j]\d+)", re.IGNORECASE)


def moves(text: str, movers: Sequence[Mover]) -> tuple[Plan, bool]:
    """Parse moves like `C3-D4 E5-1:A1 rest` (1: is the borough of seat 1), and whether the rest stays."""
    words = text.lower().split()
    plan: Plan = {}
    for word in words:
        if word in REST:
            continue
        if not (parts := _MOVE.fullmatch(word)):
            raise ParseError(
                _("{word} is not a move: write C3-D4, or C3-1:A1 for a space of seat 1", word=repr(word))
            )
        start, host, goal = actions.space_number(parts[1]), parts[2], actions.space_number(parts[3])
        mover = next((m for m in movers if m.space == start and (m.where, start) not in plan), None)
        if mover is None:
            raise ParseError(_("no citizen of yours at {space} can still move", space=parts[1].upper()))
        plan[mover.where, start] = [goal] if host is None else [actions.SEAT + int(host), goal]
    return plan, any(word in REST for word in words)


def answer(text: str, legal: Sequence[int], printed: Mapping[str, int]) -> int:
    """The legal answer meant, by its number in the list, its name or part of it, or as printed."""
    words = normalised(text)
    if words in printed:
        return printed[words]
    if words.isdecimal() and 1 <= int(words) <= len(legal):
        return legal[int(words) - 1]
    names = {action: _names(action) for action in legal}
    if words in actions.ALIASES and actions.ALIASES[words] in names:
        return actions.ALIASES[words]
    for matches in (_is_name, _is_rest, _is_prefix):
        matching = [
            action for action in legal if words and any(matches(words, name) for name in names[action])
        ]
        if len(matching) == 1:
            return matching[0]
        if matching:
            several = Listed(map(shown, matching))
            raise ParseError(_("{text} is ambiguous: {several}", text=repr(text.strip()), several=several))
    raise ParseError(_refusal(text.strip(), len(legal)))


def _names(action: int) -> set[str]:
    """What an action can be called: by its name, and as the language in use shows it."""
    return {actions.name(action).lower(), normalised(shown(action))}


def _is_name(words: str, name: str) -> bool:
    """The whole name."""
    return words == name


def _is_rest(words: str, name: str) -> bool:
    """The name without its first word: `residential-1`, `d4`, `architect`, `6`."""
    return words == name.partition(" ")[2]


def _is_prefix(words: str, name: str) -> bool:
    """The beginning of the name or of its second word."""
    return not words.isdecimal() and (name.startswith(words) or name.partition(" ")[2].startswith(words))


def _refusal(text: str, answers: int) -> str:
    """Why the input is not an answer."""
    if text.isdecimal():
        return _("{n} is not in the list: its numbers go from 1 to {last}", n=text, last=answers)
    words = normalised(text)
    names = [name for action in range(actions.ACTIONS) for name in _names(action)]
    if words in actions.ALIASES or any(_is_name(words, name) or _is_rest(words, name) for name in names):
        return _("{text} is not allowed here: choose from the list, or type ? for help", text=repr(text))
    return _(
        "{text} is neither an answer nor a command: type a number, a name, or ? for help", text=repr(text)
    )
