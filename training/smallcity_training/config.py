"""Training configuration: structs with documented defaults, read from and written to YAML by msgspec.

Unknown keys, wrong types and values out of range are refused in one sentence that names the key.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
import torch
import yaml
from msgspec import Meta, Struct, field

from smallcity_env import files, typed
from smallcity_env.config import DEFAULT_BOARD, EDITIONS, Config, ConfigError
from smallcity_env.envs import rewards
from smallcity_env.refusal import Refused

Count = Annotated[int, Meta(ge=1, le=10**12)]
Threads = Annotated[int, Meta(ge=1, le=1024)]
Games = Annotated[int, Meta(ge=1, le=10**6)]
Width = Annotated[int, Meta(ge=1, le=2**14)]
Seed = Annotated[int, Meta(ge=0, lt=2**32)]
Fraction = Annotated[float, Meta(ge=0, le=1)]
Share = Annotated[float, Meta(gt=0, le=1)]
LearningRate = Annotated[float, Meta(gt=0, lt=1)]
Decay = Annotated[float, Meta(ge=0, lt=1)]
Coefficient = Annotated[float, Meta(ge=0, le=1000)]
Device = Literal["auto", "cpu", "cuda"]


def torch_device(name: Device) -> torch.device:
    """The device of a trainer's nets; auto is cuda where torch finds it."""
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device cannot be cuda: torch finds none here; choose cpu or auto")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


class Section(Struct, forbid_unknown_fields=True, kw_only=True):
    """A mapping of the YAML file."""


class Variant(Section):
    """One kind of game, and its share of the batch."""

    players: int = 2
    modules: list[str] = field(default_factory=lambda: ["godzillas"])
    boards: list[str] = field(default_factory=lambda: [DEFAULT_BOARD])  # one for all players, or one each
    victory: str = "votes"
    advanced: bool = False
    stockholm: bool = False
    godzilla_rules: str = EDITIONS[0]
    rounds: int = 0  # end the game after this round; 0: play all rounds
    share: Share = 1.0  # of the games in the batch

    def __post_init__(self) -> None:
        self.game()

    def game(self) -> Config:
        """The game as the environment takes it."""
        boards = self.boards[0] if len(self.boards) == 1 else tuple(self.boards)
        options = (self.victory, self.advanced, self.stockholm, self.godzilla_rules, self.rounds)
        return Config(self.players, tuple(self.modules), boards, *options)


class Stage(Section):
    """One stage of the curriculum."""

    until: Share = 1.0  # the fraction of all steps at which it ends
    reward: str = "score"  # rank, margin or score (docs/observations.md)
    variants: list[Variant] = field(default_factory=lambda: [Variant()])

    def __post_init__(self) -> None:
        rewards.checked(self.reward)
        total = sum(variant.share for variant in self.variants)
        if abs(total - 1) > 1e-6:
            raise ConfigError(f"the shares of a stage's variants must add up to 1, not {total:g}")


class NetSize(Section):
    """The width of the net's layers."""

    channels: Width = 16  # per space of a borough
    district: Width = 64  # per borough
    trunk: Width = 256


SectionT = TypeVar("SectionT", bound=Section)


def read(kind: type[SectionT], path: Path | None) -> SectionT:
    """The configuration in a YAML file; without a file, the defaults."""
    return parse(kind, {} if path is None else load(path))


def load(path: Path) -> Any:
    """The plain values of a YAML file."""
    try:
        values = yaml.safe_load(files.read_text(path, "the configuration"))
    except Refused as error:
        raise ConfigError(str(error)) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a date like 2024-99-99
        raise ConfigError(f"{path} is not YAML: {' '.join(str(error).split())}") from None
    return {} if values is None else values


def parse(kind: type[SectionT], values: Any) -> SectionT:
    """A configuration from plain values, or a ConfigError of one sentence."""
    try:
        return typed.convert(values, kind, "the configuration", strict=False)  # 3e-4 is a string in YAML 1.1
    except ValueError as error:
        raise ConfigError(str(error)) from None


def write(config: Section, path: Path) -> None:
    """Write a configuration as YAML."""
    files.write(path, yaml.safe_dump(msgspec.to_builtins(config), sort_keys=False))
