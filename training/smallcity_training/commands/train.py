"""`smallcity train`: train a net by one of several methods."""

import argparse
import importlib
import re
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import yaml

from smallcity_agents import make, refuse_own
from smallcity_agents.cluster import Workers, worker_options, workers
from smallcity_env.rules.tables.counted import counted
from smallcity_env.terminal import Refused, variant_options

from .. import config
from ..ppo import CommonConfig, initial_net
from ..run import Run


class Method(NamedTuple):
    """One way to train; its module is imported only when it is used."""

    module: str
    trainer_name: str
    config_name: str
    summary: str

    @property
    def config(self) -> type[Any]:
        """The class of its configuration."""
        kind: type[Any] = getattr(importlib.import_module(self.module), self.config_name)
        return kind

    @property
    def trainer(self) -> Any:
        """What makes a trainer from a run and a configuration."""
        return getattr(importlib.import_module(self.module), self.trainer_name)


DISTRIBUTED: Final = "search"  # the method whose games workers can play
VARIANTS: Final = ("victory", "advanced", "stockholm", "godzilla_rules", "rounds")
METHODS: Final = {
    "ppo": Method("smallcity_training.ppo", "PPO", "PPOConfig", "PPO in self-play"),
    "imitate": Method("smallcity_training.imitate", "Imitate", "ImitateConfig", "imitate a teacher"),
    "search": Method(
        "smallcity_training.search", "SearchTrainer", "SearchConfig", "a value net, by games of search"
    ),
    "sb3": Method("smallcity_training.sb3_ppo", "SB3", "SB3Config", "MaskablePPO of sb3-contrib, one seat"),
}


def options(parser: argparse.ArgumentParser) -> None:
    """The method, its configuration and the run folder."""
    summaries = "; ".join(f"{name}: {method.summary}" for name, method in METHODS.items())
    parser.add_argument("method", help=summaries)
    parser.add_argument("--config", type=Path, help="a YAML file (default: the values in docs/training.md)")
    parser.add_argument("--run", type=Path, dest="folder", help="the run folder (default runs/METHOD)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override one key")
    variant_options(parser)
    parser.set_defaults(**dict.fromkeys(VARIANTS))  # by default the configuration decides
    parser.add_argument("--resume", action="store_true", help="continue exactly where the run stopped")
    own = "an agent of your own that the configuration may name: its code will run"
    parser.add_argument("--agent", action="append", default=[], metavar="MODULE.CLASS", help=own)
    worker_options(parser)
    parser.add_argument("--overwrite", action="store_true", help="replace an existing run folder")


def run(args: argparse.Namespace) -> None:
    """Train, or resume training."""
    if args.method not in METHODS:
        raise Refused(f"there is no training method {args.method!r}: choose from {', '.join(METHODS)}")
    if (args.ray or args.workers) and args.method != DISTRIBUTED:
        only = f"--ray and --workers are for {DISTRIBUTED}"
        raise Refused(f"{args.method} plays its games in this process: {only}")
    folder = args.folder or Path("runs") / args.method
    with workers(args.ray, args.workers, _own(args)) as executor:
        trainer = resume(folder, args, executor) if args.resume else start(folder, args, executor)
        train(trainer, folder, args)


def train(trainer: Any, folder: Path, args: argparse.Namespace) -> None:
    """Train to the end, or until ctrl-C."""
    print(f"training in {folder}: {counted(trainer.config.steps, 'step')}; ctrl-C stops and saves")
    try:
        trainer.train()
    except KeyboardInterrupt:
        again = f"continue with `smallcity train {args.method} --run {folder} --resume`"
        advice = again if args.method != "sb3" else f"the model so far is in {folder}"
        print(f"\nstopped: {advice}", file=sys.stderr)
        raise
    print(trainer.report())


def start(folder: Path, args: argparse.Namespace, executor: Workers) -> Any:
    """A new run."""
    method = METHODS[args.method]
    settings = _settings(method, args)
    _make_agents(settings, args)
    if isinstance(settings, CommonConfig):
        initial_net(settings)  # refuse a wrong checkpoint before the folder is made
    elif args.method == "search":
        settings.check_nets()
    return trainer_of(args, Run.create(folder, args.method, settings, args.overwrite), settings, executor)


def resume(folder: Path, args: argparse.Namespace, executor: Workers) -> Any:
    """An existing run, as it was saved."""
    if args.config or args.set or args.overwrite or _variants(args):
        raise Refused("--resume uses the run's own configuration: leave out all other options")
    if args.method == "sb3":
        raise Refused("sb3 runs cannot be resumed: stable-baselines3 would unpickle the saved model")
    method, existing = METHODS[args.method], Run.open(folder, args.method)
    settings = config.read(method.config, folder / "config.yaml")
    _make_agents(settings, args)
    trainer = trainer_of(args, existing, settings, executor)
    trainer.resume()
    return trainer


def trainer_of(args: argparse.Namespace, run: Run, settings: Any, executor: Workers) -> Any:
    """The trainer of a run; gives it the executor if its method can use one."""
    trainer = METHODS[args.method].trainer(run, settings)
    if args.method == DISTRIBUTED and (args.ray or args.workers):
        trainer.executor = executor
    return trainer


def _own(args: argparse.Namespace) -> list[str]:
    """The names on the command line that may be the user's own agents."""
    return [*args.agent, *(name for text in args.set for name in re.findall(r"[\w.]+", text))]


def _make_agents(settings: Any, args: argparse.Namespace) -> None:
    """Make every agent once, to refuse wrong names early; own agents must be named on the command line."""
    refuse_own(settings.agent_names(), "the configuration", _own(args), "--agent")
    for name in settings.agent_names():
        make(name)


def _settings(method: Method, args: argparse.Namespace) -> Any:
    """The configuration file with the overrides of --set."""
    values = {} if args.config is None else config.load(args.config)
    for override in args.set:
        key, equals, value = override.partition("=")
        if not equals:
            raise Refused(f"--set takes KEY=VALUE, not {override!r}")
        try:
            values[key] = yaml.safe_load(value)
        except (yaml.YAMLError, TypeError, ValueError, RecursionError):
            raise Refused(f"--set {override!r} is not YAML") from None
    return _with_variants(method, config.parse(method.config, values), _variants(args))


def _variants(args: argparse.Namespace) -> dict[str, Any]:
    """The victory condition and the variants named on the command line."""
    return {name: value for name in VARIANTS if (value := getattr(args, name)) is not None}


def _with_variants(method: Method, settings: Any, variants: dict[str, Any]) -> Any:
    """A configuration whose games are all played with these variants."""
    values = msgspec.to_builtins(settings)
    if variants and "stages" not in values:
        raise Refused(f"this method has no {', '.join(variants)}: use ppo or imitate")
    for stage in values.get("stages", ()):
        for variant in stage["variants"]:
            variant.update(variants)
    return config.parse(method.config, values)
