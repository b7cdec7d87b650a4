"""Texts of positions, edited at random: refused in one sentence, or a game that plays on and reads back."""

import random
import re

from smallcity_env import Game, batch

from .attempts import play_on, refused, some_game

WORD = re.compile(r"\S+")
OTHERS = [
    "0", "1", "-1", "5", "99", "32767", "99999999999999999999", "none", "over", "what", "where", "A1", "J10",
    "K11", ".", "-", "Hl", "R1", "R1:0", ":", "build", "seat", "yes", "café", "1.5", "#", "borough", "shown",
    "way", "dies", "grave", "\u0663", "\u00b2",
]  # fmt: skip


def attempt(chance: random.Random) -> bool:
    """Edit the text of a position."""
    text = edited(some_game(chance).to_text(), chance)
    read: list[Game] = []
    if refused(lambda: read.append(Game.from_text(text))):
        return True
    play_on(batch.clone(read[0].states))
    assert Game.from_text(read[0].to_text()) == read[0]
    return False


def edited(text: str, chance: random.Random) -> str:
    """A text with some words replaced, lines lost, doubled or swapped."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        text = _edit(text, chance)
    return text


def _edit(text: str, chance: random.Random) -> str:
    words, lines = list(WORD.finditer(text)), text.splitlines(keepends=True)
    if not words:
        return chance.choice(OTHERS)
    word, i, j = chance.choice(words), chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(7):
        case 0 | 1:
            return text[: word.start()] + chance.choice(OTHERS) + text[word.end() :]
        case 2 | 3:
            return text[: word.start()] + chance.choice(words).group() + text[word.end() :]
        case 4:
            del lines[i]
        case 5:
            lines[i], lines[j] = lines[j], lines[i]
        case _:
            at, end = chance.randrange(len(text) + 1), chance.randrange(4)
            made = "".join(chr(chance.choice((32, 10, 13, 48, 65, 233, 8232, 0))) for _ in range(end))
            return text[:at] + made + text[at + chance.randrange(4) :]
    return "".join(lines)
