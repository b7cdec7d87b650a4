"""`smallcity train`: a net learns to play, in one of several ways."""

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from smallcity_env.terminal import Refused, duration, variant_options

from .. import config
from ..learner import check
from ..run import Run


class Way(NamedTuple):
    """One way to train."""

    learner: str  # where it is written
    config: type[config.Common]
    summary: str


VARIANTS: Final = ("victory", "advanced", "stockholm", "godzilla_rules")
WAYS: Final = {
    "ppo": Way("smallcity_training.ppo:MaskedPPO", config.PPO, "self-play with MaskablePPO of sb3-contrib"),
    "imitate": Way("smallcity_training.imitate:Imitate", config.Imitate, "learn a teacher's answers"),
    "value": Way("smallcity_training.imitate:Imitate", config.Value, "learn what positions are worth"),
}


def options(parser: argparse.ArgumentParser) -> None:
    """Which way, with which configuration, and where it is written down."""
    known = "; ".join(f"{name}: {way.summary}" for name, way in WAYS.items())
    parser.add_argument("way", help=known)
    parser.add_argument("--config", type=Path, help="a YAML file (default: the values of docs/training.md)")
    parser.add_argument("--run", type=Path, dest="folder", help="the run's folder (default runs/WAY)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change one key")
    variant_options(parser)
    parser.set_defaults(**dict.fromkeys(VARIANTS))  # where nothing is said, the configuration's own
    parser.add_argument("--resume", action="store_true", help="go on exactly where the run stopped")
    parser.add_argument("--overwrite", action="store_true", help="begin anew in a folder that is there")


def run(args: argparse.Namespace) -> None:
    """Train, or go on training."""
    if args.way not in WAYS:
        raise Refused(f"there is no way to train called {args.way!r}: choose from {', '.join(WAYS)}")
    folder = args.folder or Path("runs") / args.way
    learner = resumed(folder, args) if args.resume else begun(folder, args)
    print(f"training in {folder}: {learner.config.steps:,} steps; ctrl-C keeps what is there")
    try:
        learner.learn()
    except KeyboardInterrupt:
        print(f"\nstopped: `smallcity train {args.way} --run {folder} --resume` goes on", file=sys.stderr)
        raise
    took = duration(learner.run.hours() * 3600)
    print(f"{learner.steps:,} steps, {learner.games:,} games, {took}{learner.standing}")
    print(f"play it: policy:checkpoint={learner.run.checkpoints()[-1]}")


def begun(folder: Path, args: argparse.Namespace) -> Any:
    """A new run."""
    way = WAYS[args.way]
    wanted = _changed(way.config, config.read(way.config, args.config), args.set, _variants(args))
    check(wanted)
    return _learner(args.way)(Run.new(folder, args.way, wanted, args.overwrite), wanted)


def resumed(folder: Path, args: argparse.Namespace) -> Any:
    """A run as it stopped."""
    if args.config or args.set or args.overwrite or _variants(args):
        raise Refused("a run goes on with the configuration it began with: --resume stands alone")
    found = Run.old(folder, args.way)
    learner = _learner(args.way)(found, config.read(WAYS[args.way].config, folder / "config.yaml"))
    learner.go_on(found.kept())
    return learner


def _learner(way: str) -> Any:
    """The class of a way, read only when it is used."""
    file, _, kind = WAYS[way].learner.partition(":")
    return getattr(importlib.import_module(file), kind)


def _variants(args: argparse.Namespace) -> dict[str, Any]:
    """The victory condition and the variants that were asked for."""
    return {name: value for name in VARIANTS if (value := getattr(args, name)) is not None}


def _changed(
    kind: type[config.Common], wanted: config.Common, changes: list[str], variants: dict[str, Any]
) -> config.Common:
    """A configuration with some keys changed, and the variants of all its tables."""
    values = config.plain(wanted)
    for change in changes:
        key, found, value = change.partition("=")
        if not found:
            raise Refused(f"--set takes KEY=VALUE, not {change!r}")
        values[key] = yaml.safe_load(value)
    made = config.checked(kind, values)
    values = config.plain(made)
    for stage in values["stages"]:
        for table in stage["tables"]:
            table.update(variants)
    return config.checked(kind, values)
