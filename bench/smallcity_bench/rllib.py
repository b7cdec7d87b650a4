"""RLlib's PPO beside ours: decisions learned from per second, in one run.

    PYTHONPATH=bench:recipes .venv-rllib/bin/python -m smallcity_bench.rllib     # `make ecosystem` does

Both train in two-player self-play in which every seat learns, without a league or other opponents:
2,048 decisions per update, four epochs, minibatches of 256. RLlib is set up by recipes/rllib_ppo.py. They
differ in how games are played and learned from, and in the net: RLlib's has two layers of 128. One update
warms up, then some are timed; start-up is excluded.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from smallcity_agents.cluster import LOCAL, Ray
from smallcity_env.refusal import Refused, needing, script

from .cluster import processor_seconds
from .report import markdown, put

DECISIONS: Final = 2048  # of an update
HEAD: Final = ("trainer", "observation", "weights", "workers", "decisions/s", "of one core's time")


class Learner(NamedTuple):
    """A learner; `update` returns the number of decisions it has learned from."""

    weights: int
    update: Callable[[], int]


class Case(NamedTuple):
    """A trainer and where its games are played; 0 workers: in the process that learns."""

    trainer: str
    observation: str
    workers: int
    make: Callable[[str, int], Any]  # a context with a Learner


class Speed(NamedTuple):
    """Decisions per second, by the clock and of processor time."""

    weights: int
    by_clock: float
    by_processor: float


@contextmanager
def rllib(observation: str, workers: int) -> Iterator[Learner]:
    """RLlib, by the recipe without its league."""
    with needing("rllib"):
        import ray
        from ray.tune import registry

        recipe = import_module("rllib_ppo")
    config = recipe.ppo("smallcity_self_play", seed=0).rl_module(rl_module_spec=recipe.masked())
    config.environment(env_config={"observation": observation}).env_runners(num_env_runners=workers)
    config.training(train_batch_size_per_learner=DECISIONS)
    config.multi_agent(policies={recipe.SHARED}, policy_mapping_fn=lambda *_, **__: recipe.SHARED)
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "error"}
    ray.init("local", num_cpus=workers + 1, **quiet)  # not a cluster that happens to run here
    registry.register_env("smallcity_self_play", recipe.self_play)  # known to one cluster only
    algorithm = config.build_algo()
    weights = sum(tensor.numel() for tensor in algorithm.get_module(recipe.SHARED).parameters())
    yield Learner(weights, lambda: int(algorithm.train()["env_runners"]["num_env_steps_sampled"]))
    algorithm.stop()
    ray.shutdown()


@contextmanager
def ours(observation: str, workers: int) -> Iterator[Learner]:
    """`smallcity train ppo`; with workers, two streams for each."""
    with needing("rllib"):
        from smallcity_training.ppo import PPOConfig
        from smallcity_training.run import Run
        from smallcity_training.streams import trainer_of
    streams, horizon = 2 * workers, 64
    config = PPOConfig(
        games=DECISIONS // horizon // max(workers, 1), horizon=horizon, epochs=4, minibatch_size=256,
        streams=streams, opponents_share=0.0, pool_share=0.0,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        trainer: Any = trainer_of(Run.create(Path(folder) / "run", "ppo", config), config)
        if workers:
            trainer.executor = Ray(LOCAL, workers)

        def update() -> int:
            before = trainer.steps
            trainer.update()
            return int(trainer.steps - before)

        yield Learner(sum(tensor.numel() for tensor in trainer.net.parameters()), update)
        trainer.executor.close() if workers else None
        trainer.run.close()


CASES: Final = [
    Case("RLlib, as in the recipe", "vector", 0, rllib),
    Case("RLlib", "compact", 0, rllib),
    Case("`smallcity train ppo`", "compact", 0, ours),
    Case("RLlib", "compact", 2, rllib),
    Case("`smallcity train ppo --ray local --workers 2`", "compact", 2, ours),
]


def speed(case: Case, updates: int) -> Speed:
    """Time some updates of a trainer."""
    with case.make(case.observation, case.workers) as learner:
        learner.update()
        began, used = time.monotonic(), processor_seconds()
        learned = sum(learner.update() for _ in range(updates))
        took, worked = time.monotonic() - began, processor_seconds() - used
    return Speed(learner.weights, learned / took, learned / worked)


def row(case: Case, measured: Speed) -> tuple[str, ...]:
    """A row of the table."""
    figures = (measured.by_clock, measured.by_processor)
    where = str(case.workers) if case.workers else "in one process"
    return (
        case.trainer,
        f"`{case.observation}`",
        f"{measured.weights:,}",
        where,
        *(f"{f:,.0f}" for f in figures),
    )


def main() -> None:
    """Print the table, and write it into a page."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--updates", type=int, default=4, help="updates to time (default 4)")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table between its markers")
    args = parser.parse_args()
    rows = []
    for case in CASES:
        rows.append(row(case, speed(case, args.updates)))
        print(*rows[-1], sep=" | ", flush=True)
    table = markdown(HEAD, rows)
    if args.write and not put(args.write, "rllib", table):
        raise Refused(f"{args.write} has no markers <!-- bench: rllib -->")


if __name__ == "__main__":
    sys.exit(script(main))
