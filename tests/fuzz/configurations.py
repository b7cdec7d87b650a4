"""Configurations of training in YAML and numbers of the game in TOML: refused, or read back as written."""

import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from smallcity_env.rules.numbers import NUMBERS, check, toml
from smallcity_training import config
from smallcity_training.commands.train import METHODS

from .attempts import altered, damaged, refused
from .texts import edited

FOLDER = Path(tempfile.mkdtemp())
YAML, AGAIN, TOML = FOLDER / "run.yaml", FOLDER / "again.yaml", FOLDER / "own.toml"
KINDS = sorted(METHODS)


@cache
def _values(method: str) -> Any:
    """The default configuration of a method, as plain values."""
    return msgspec.to_builtins(METHODS[method].config())


def attempt(chance: random.Random) -> bool:
    """One file of two kinds."""
    return chance.choice((_yaml, _yaml, _toml))(chance)


def _yaml(chance: random.Random) -> bool:
    """A configuration of training, which is read back as it was written."""
    method = chance.choice(KINDS)
    values = altered(_values(method), chance)
    text = yaml.safe_dump(values, sort_keys=False)
    match chance.randrange(4):
        case 0:
            YAML.write_bytes(damaged(text.encode(), chance))
        case 1:
            YAML.write_text(edited(text, chance), encoding="utf-8", newline="")
        case _:
            YAML.write_text(text, encoding="utf-8")
    kind, read = METHODS[method].config, list[Any]()
    if refused(lambda: read.append(config.read(kind, YAML))):
        return True
    config.write(read[0], AGAIN)
    assert config.read(kind, AGAIN) == read[0]
    return False


def _toml(chance: random.Random) -> bool:
    """A few numbers of the game, which must fit together if they are taken."""
    keys = chance.sample(list(NUMBERS), chance.choice((1, 1, 2)))
    text = "\n".join(f"{key} = {_number(key, chance)}" for key in keys)
    TOML.write_bytes(damaged(text.encode(), chance) if chance.random() < 0.2 else text.encode())
    return refused(lambda: check(toml.read(TOML)))


def _number(key: str, chance: random.Random) -> str:
    """A value of a number in TOML, often a wrong one."""
    right = NUMBERS[key].kind.write(NUMBERS[key].standard)
    words = ("nan", "inf", "true", "-1", "3", "[1, 2, 3]", "[]", "{}", "''", "9e99", "1" * 5000, "2024-01-01")
    return chance.choice((right, edited(right, chance), chance.choice(words)))
