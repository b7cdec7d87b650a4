"""What a person types: a number from the list, the name of an answer or part of it, or a command."""

from collections.abc import Sequence
from typing import Final

from smallcity_env.rules import actions

COMMANDS: Final = {
    "?": "about the question, and what each answer would do",
    "board": "all boroughs, as you see them",
    "scores": "tracks, cards and council of everybody, and your promise",
    "log": "what has happened so far, round by round",
    "hint": "what an agent would answer; `hint greedy` asks that one",
    "undo": "take your last answer back, if nothing came of it yet",
    "save": "save the game; `save FILE` there",
    "quit": "save the game and leave; so do ctrl-C and ctrl-D",
    "help": "this list",
}


class Misunderstood(ValueError):
    """Typed words that are neither an answer nor a command, in one sentence."""


def command(text: str) -> tuple[str, str] | None:
    """The command in typed words and what follows it, if it is one."""
    word, _, rest = " ".join(text.split()).partition(" ")
    known = {"h": "help", "exit": "quit", "q": "quit"}.get(word.lower(), word.lower())
    return (known, rest) if known in COMMANDS else None


def answer(text: str, legal: Sequence[int]) -> int:
    """The legal answer that is meant: by its number in the list, its name, or enough of its name."""
    words = " ".join(text.lower().split())
    if words.isdecimal() and 1 <= int(words) <= len(legal):
        return legal[int(words) - 1]
    names = {action: actions.name(action).lower() for action in legal}
    if words in actions.ALIASES and actions.ALIASES[words] in names:
        return actions.ALIASES[words]
    for meant in (_same, _short, _begins):
        found = [action for action, name in names.items() if words and meant(words, name)]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(names[action] for action in found)
            raise Misunderstood(f"{text.strip()!r} could be {several}: say a little more")
    raise Misunderstood(_refusal(text.strip(), len(legal)))


def _same(words: str, name: str) -> bool:
    """The whole name."""
    return words == name


def _short(words: str, name: str) -> bool:
    """The name without its first word: `residential-1`, `d4`, `architect`, `6`."""
    return words == name.partition(" ")[2]


def _begins(words: str, name: str) -> bool:
    """The beginning of the name or of its second word."""
    return not words.isdecimal() and (name.startswith(words) or name.partition(" ")[2].startswith(words))


def _refusal(said: str, answers: int) -> str:
    """Why that is no answer."""
    if said.isdecimal():
        return f"{said} is not in the list: its numbers go from 1 to {answers}"
    words = " ".join(said.lower().split())
    names = map(str.lower, actions.ACTION_NAMES)
    if words in actions.ALIASES or any(_same(words, name) or _short(words, name) for name in names):
        return f"{said!r} is not allowed here: the answers in the list are; type ? for more"
    return f"{said!r} is neither an answer nor a command: type a number, a name, or ? for help"
