"""What a training run does: documented dataclasses, as YAML in and out, checked at once.

Unknown keys, wrong types and numbers that make no sense are refused in one sentence.
"""

import dataclasses
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml

from smallcity_env.config import DEFAULT_BOARD, EDITIONS, Config, ConfigError
from smallcity_env.envs import rewards
from smallcity_env.rules.tables import POWER_ROUNDS

ALL = 1.0


@dataclass
class Table:
    """One kind of game that is played."""

    players: int = 2
    modules: list[str] = field(default_factory=lambda: ["godzillas"])
    boards: list[str] = field(default_factory=lambda: [DEFAULT_BOARD])  # one for all, or one for each
    victory: str = "votes"
    advanced: bool = False
    stockholm: bool = False
    godzilla_rules: str = EDITIONS[0]
    rounds: int = 0  # fewer than the rules ask for; 0: as the rules ask
    share: float = ALL  # of the games at one time

    def game(self) -> Config:
        """The game as the environment knows it."""
        boards = self.boards[0] if len(self.boards) == 1 else tuple(self.boards)
        variants = (self.victory, self.advanced, self.stockholm, self.godzilla_rules)
        return Config(self.players, tuple(self.modules), boards, *variants)

    def wrong(self) -> str:
        """What cannot be, or nothing."""
        self.game()
        most = POWER_ROUNDS if "power_plants" in self.modules else POWER_ROUNDS - 1
        if not 0 <= self.rounds <= most:
            return f"a game with these modules has 1 to {most} rounds (0: all of them), not {self.rounds}"
        if not 0 < self.share <= ALL:
            return f"the share of a table must be above 0 and at most 1, not {self.share}"
        return ""


@dataclass
class Stage:
    """A part of the curriculum."""

    until: float = ALL  # the share of all steps at which it ends
    reward: str = "score"  # rank, margin or score (docs/observations.md)
    tables: list[Table] = field(default_factory=lambda: [Table()])

    def wrong(self) -> str:
        """What cannot be, or nothing."""
        rewards.checked(self.reward)
        if not 0 < self.until <= ALL:
            return f"a stage ends at a share of the steps above 0 and at most 1, not {self.until}"
        shares = sum(table.share for table in self.tables)
        if not self.tables or abs(shares - ALL) > 1e-6:
            return f"the shares of a stage's tables must add up to 1, not {shares:g}"
        return next((wrong for table in self.tables if (wrong := table.wrong())), "")


@dataclass
class Shape:
    """How large the net is."""

    channels: int = 16  # numbers for each space of a borough
    district: int = 64  # numbers for a borough as a whole
    trunk: int = 256  # numbers for everything


@dataclass
class Common:
    """What every way to train has."""

    seed: int = 0
    threads: int = 1  # of torch; a second one gains about a third
    steps: int = 1_000_000  # decisions to learn from
    games: int = 256  # played at one time, in one batch
    start: str = ""  # a checkpoint to begin with; empty: from nothing
    net: Shape = field(default_factory=Shape)
    learning_rate: float = 3e-4
    minibatch: int = 512  # decisions in one step of the optimiser
    max_slope: float = 0.5  # gradients longer than this are cut back
    average: float = 0.998  # checkpoints hold a running mean of the weights; 0: the weights themselves
    checkpoint_every: int = 200_000  # steps between checkpoints
    evaluate_every: int = 200_000  # steps between evaluations
    evaluate_games: int = 100  # of two players, seats changed, against each anchor
    anchors: list[str] = field(default_factory=lambda: ["random", "greedy"])

    def agents(self) -> list[str]:
        """Everybody who is named."""
        return self.anchors

    def wrong(self) -> str:
        """What cannot be, or nothing."""
        counts = ("threads", "steps", "games", "minibatch")
        for name in (*counts, "checkpoint_every", "evaluate_every", "evaluate_games"):
            if getattr(self, name) < 1:
                return f"{name} must be at least 1, not {getattr(self, name)}"
        if not 0 < self.learning_rate < 1:
            return f"learning_rate must lie between 0 and 1, not {self.learning_rate}"
        if not 0 <= self.average < 1:
            return f"average must be at least 0 and below 1, not {self.average}"
        return ""


@dataclass
class PPO(Common):
    """Proximal policy optimisation in self-play: `smallcity train ppo`."""

    horizon: int = 64  # decisions of every game between two updates
    epochs: int = 2  # times every decision is learnt from
    discount: float = 1.0  # of what comes later, a decision of the same seat
    trace: float = 0.95  # GAE's lambda: how far a surprise is carried back
    clip: float = 0.2  # how much likelier or less likely an answer may become in one update
    entropy: float = 0.01  # how much is paid for keeping answers open
    value_weight: float = 0.5  # of the value's error in the loss
    anneal: float = 0.1  # the share of the learning rate that is left at the end
    opponents: list[str] = field(default_factory=lambda: ["greedy"])
    opponents_share: float = 0.25  # of the games, against one of the opponents
    pool_share: float = 0.25  # of the games, against a past checkpoint of this run
    pool_size: int = 10  # how many checkpoints are kept to play against
    pool_every: int = 200_000  # steps between two checkpoints in the pool
    stages: list[Stage] = field(default_factory=lambda: [Stage()])

    def agents(self) -> list[str]:
        """Everybody who is named."""
        return self.anchors + self.opponents

    def wrong(self) -> str:
        """What cannot be, or nothing."""
        if wrong := super().wrong() or _wrong_stages(self.stages, self.games):
            return wrong
        shares = self.opponents_share + self.pool_share
        if min(self.opponents_share, self.pool_share) < 0 or shares > ALL:
            return f"opponents_share and pool_share must be at least 0 and together at most 1, not {shares:g}"
        if self.opponents_share and not self.opponents:
            return "opponents_share needs opponents: name some, or set it to 0"
        for name in ("horizon", "epochs", "pool_size", "pool_every"):
            if getattr(self, name) < 1:
                return f"{name} must be at least 1, not {getattr(self, name)}"
        return next(
            (
                f"{n} must lie between 0 and 1, not {getattr(self, n)}"
                for n in ("discount", "trace", "clip", "anneal")
                if not 0 <= getattr(self, n) <= 1
            ),
            "",
        )


@dataclass
class Imitate(Common):
    """Learning a teacher's answers: `smallcity train imitate`."""

    teacher: str = "greedy"  # any agent
    student_share: float = 0.5  # of the games are played by the net, so that it learns to mend its mistakes
    horizon: int = 32  # decisions of every game between two updates
    epochs: int = 1  # times every decision is learnt from
    policy_weight: float = 1.0  # of the answers in the loss
    value_weight: float = 0.5  # of the value's error in the loss
    discount: float = 1.0  # of what comes later, a decision of the same seat
    trace: float = 0.95  # how far what happens is carried back; 1: only how it ends counts
    anneal: float = 0.1  # the share of the learning rate that is left at the end
    stages: list[Stage] = field(default_factory=lambda: [Stage()])

    def agents(self) -> list[str]:
        """Everybody who is named."""
        return [*self.anchors, self.teacher]

    def wrong(self) -> str:
        """What cannot be, or nothing."""
        if not 0 <= self.student_share <= ALL:
            return f"student_share must lie between 0 and 1, not {self.student_share}"
        return super().wrong() or _wrong_stages(self.stages, self.games)


@dataclass
class Value(Imitate):
    """Learning what positions are worth from how games end: `smallcity train value`."""

    teacher: str = "policy"  # who plays the games
    student_share: float = 0.0


def _wrong_stages(stages: list[Stage], games: int) -> str:
    """What cannot be about a curriculum, or nothing."""
    ends = [stage.until for stage in stages]
    if not stages or ends != sorted(set(ends)) or ends[-1] != ALL:
        return f"stages must end one after the other and the last at 1.0, not {ends}"
    few = [table.share for stage in stages for table in stage.tables if table.share * games < 1]
    if few:
        return f"a table with the share {few[0]:g} of {games} games has no game: raise one of them"
    return next((wrong for stage in stages if (wrong := stage.wrong())), "")


Kind = TypeVar("Kind", bound=Common)


def read(kind: type[Kind], path: Path | None) -> Kind:
    """The configuration in a file; without one, the default."""
    if path is None:
        return checked(kind, {})
    try:
        found = yaml.safe_load(path.read_text())
    except OSError as wrong:
        raise ConfigError(f"there is no configuration {path}: {wrong.strerror}") from None
    except yaml.YAMLError as wrong:
        raise ConfigError(f"{path} is not YAML: {' '.join(str(wrong).split())}") from None
    return checked(kind, found or {})


def checked(kind: type[Kind], values: Any) -> Kind:
    """A configuration of plain values, or one sentence that says what is wrong."""
    made: Kind = _made(kind, values, kind.__name__)
    if wrong := made.wrong():
        raise ConfigError(wrong)
    return made


def plain(config: Any) -> dict[str, Any]:
    """A configuration as plain values."""
    return dataclasses.asdict(config)


def write(config: Any, path: Path) -> None:
    """A configuration as YAML."""
    path.write_text(yaml.safe_dump(plain(config), sort_keys=False))


def _made(kind: Any, value: Any, name: str) -> Any:
    """A value of the type wanted, lists and dataclasses all the way down."""
    if dataclasses.is_dataclass(kind):
        return _dataclass(typing.cast(Any, kind), value, name)
    if isinstance(kind, types.GenericAlias):
        if not isinstance(value, list):
            raise ConfigError(f"{name} must be a list, not {value!r}")
        return [_made(kind.__args__[0], item, name) for item in value]
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ConfigError(f"{name} must be of type {kind.__name__}, not {value!r}")
    return value


def _dataclass(kind: Any, values: Any, name: str) -> Any:
    """A dataclass of a mapping; unknown keys are refused with those known."""
    if not isinstance(values, dict):
        raise ConfigError(f"{name} must be keys with values, not {values!r}")
    hints = typing.get_type_hints(kind)
    if unknown := [str(key) for key in values if key not in hints]:
        raise ConfigError(f"{name} has no {', '.join(unknown)}: there are {', '.join(hints)}")
    return kind(**{key: _made(hints[key], value, key) for key, value in values.items()})
