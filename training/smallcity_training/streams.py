"""PPO whose rollouts are played by workers: they arrive in any order, played with weights some updates old.

A *stream* is a batch of games with its random state. A worker receives the stream's state with the
current weights, plays a rollout, and sends back the learner's decisions and the state after it. A worker
is stateless: it may die at any time, and another plays the same rollout again. An update waits for half of
the streams.

Weights are numbered by update. A rollout that began more than `max_lag` updates ago is dropped; all others
count the same, since PPO's clipped ratio weighs each decision by how likely it is under the weights
being trained. Every arrival is a line of arrivals.csv: given their order, a run repeats exactly.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import torch

from smallcity_agents.cluster import Done, Workers
from smallcity_agents.net.model import Weights
from smallcity_env.refusal import Refused

from . import state
from .net import load_weights, weights
from .parallel import Metrics
from .ppo import PPO, PPOConfig
from .run import Run
from .state import State

__all__ = ["PPOConfig", "StreamPPO", "play_stream", "trainer_of"]

STREAM_SEEDS: Final = 1_000_003  # distance between the seeds of two streams
NOT_STARTED: Final[State] = {}  # the state of a stream before its first rollout


class Snapshot(NamedTuple):
    """The weights of one version, with all that its rollouts need."""

    config: dict[str, Any]
    stage: int
    version: int
    net: Weights
    past: Weights | None  # of the opponent drawn from the pool


class Task(NamedTuple):
    """The next rollout of a stream, still to be played."""

    stream: int
    version: int
    state: State


class StreamRollout(NamedTuple):
    """The learner's decisions of a rollout, how many games ended, and the stream's state afterwards."""

    data: dict[str, Any]
    finished: int
    state: State


class NoRun:
    """Stands in for the run folder in a worker, which neither reads nor writes it."""

    folder = Path()


def play_stream(snapshot: Snapshot, task: Task) -> StreamRollout:
    """Play a rollout of a stream, in a worker."""
    config = msgspec.convert(snapshot.config, PPOConfig)
    config.device = "auto"  # of the worker's machine
    config.seed = (config.seed + STREAM_SEEDS * (task.stream + 1)) % 2**32
    player = PPO(NoRun(), config)  # type: ignore[arg-type]
    player.stage = snapshot.stage
    player.start_stage()
    if task.state:
        player.games.load_state_dict(task.state["games"])
        player.opponents.load_state_dict(task.state["opponents"])
        torch.set_rng_state(torch.from_numpy(task.state["torch"].copy()))
    load_weights(player.net, snapshot.net)
    player.opponents.set_opponent(snapshot.past, player.net)
    data, rows = player.rollout()
    chosen = {name: tensor[torch.from_numpy(rows)].numpy() for name, tensor in data.items()}
    return StreamRollout(chosen, player.finished, _stream_state(player))


def _stream_state(player: PPO) -> State:
    """The state of a stream between two rollouts."""
    opponents = player.opponents.state_dict() | {"checkpoints": []}
    random = torch.get_rng_state().numpy()
    return {"games": player.games.state_dict(), "opponents": opponents, "torch": random}


class StreamPPO(PPO):
    """PPO that learns from the rollouts of many streams."""

    def __init__(self, run: Run, config: PPOConfig) -> None:
        super().__init__(run, config)
        self.executor = Workers()
        self.version = 0
        self.snapshots: dict[int, Snapshot] = {}  # versions used by rollouts in flight
        self.tasks: dict[int, Task] = {}  # rollouts in flight, by stream
        self._submitted: set[int] = set()

    def update(self) -> Metrics:
        """Publish the weights, wait for enough rollouts, and train on them."""
        self.publish()
        collected: list[StreamRollout] = []
        dropped = 0
        while len(collected) < -(-self.config.streams // 2):
            self._submit()
            for done in self.executor.ready():
                played = self._receive(done)
                collected += [played] if played else []
                dropped += not played
        self.version += 1
        names = collected[0].data
        data = {name: np.concatenate([played.data[name] for played in collected]) for name in names}
        tensors = {name: torch.from_numpy(array) for name, array in data.items()}
        metrics = self.learn(tensors, np.arange(len(data["actions"])))
        return metrics | {"rollouts": len(collected), "dropped": dropped}

    def publish(self) -> None:
        """Publish the current weights under a new version; forget versions no longer in use."""
        past = self.opponents.draw_checkpoint(self.rng)
        self.snapshots[self.version] = self._snapshot(self.stage, self.version, weights(self.net), past)
        for stream in range(self.config.streams):
            if stream not in self.tasks:
                self._queue(stream, NOT_STARTED)
        used = {task.version for task in self.tasks.values()}
        self.snapshots = {v: self.snapshots[v] for v in sorted(used | {self.version})}

    def _snapshot(self, stage: int, version: int, net: Weights, past: Weights | None) -> Snapshot:
        return Snapshot(msgspec.to_builtins(self.config), stage, version, net, past)

    def _queue(self, stream: int, saved: State) -> None:
        """Queue a stream's next rollout, with the current weights, behind those already waiting."""
        self.tasks.pop(stream, None)
        self.tasks[stream] = Task(stream, self.version, saved)

    def _submit(self) -> None:
        """Submit every rollout that no worker has yet."""
        for version, snapshot in self.snapshots.items():
            tasks = [task for task in self.tasks.values() if task.version == version]
            waiting = [task for task in tasks if task.stream not in self._submitted]
            shared = self.executor.share(snapshot) if waiting else None
            for task in waiting:
                self.executor.submit(play_stream, shared, task)
                self._submitted.add(task.stream)

    def _receive(self, done: Done) -> StreamRollout | None:
        """Log a rollout and queue the next of its stream; None if it is too old to learn from."""
        task: Task = done.item
        if done.error:
            raise Refused(f"a rollout of stream {task.stream} could not be played: {done.error}")
        played: StreamRollout = done.value
        used = self.version - task.version <= self.config.max_lag
        self.run.log(self.version, {"stream": task.stream, "version": task.version, "used": used}, "arrivals")
        self._submitted.discard(task.stream)
        self.finished += played.finished
        same = self.snapshots[task.version].stage == self.stage  # a new stage begins with new games
        self._queue(task.stream, played.state if same else NOT_STARTED)
        return played if used else None

    # -- resuming

    def state_dict(self) -> State:
        """Also the streams and the weights of their rollouts."""
        tasks = {
            str(task.stream): {"version": task.version, "state": task.state} for task in self.tasks.values()
        }
        snapshots = {
            str(version): {"stage": snapshot.stage, "net": snapshot.net, "past": snapshot.past or {}}
            for version, snapshot in self.snapshots.items()
        }
        return super().state_dict() | {"version": self.version, "streams": tasks, "published": snapshots}

    def _restore(self, saved: State) -> None:
        """Check a state and continue from it; streams and versions, whose number varies, are checked here."""
        self.snapshots, self.tasks, self._submitted = {}, {}, set()  # of a run that was stopped
        super()._restore(saved | {"streams": {}, "published": {}})
        for version, s in saved["published"].items():
            state.check(s["net"], weights(self.net), "published")
            self.snapshots[int(version)] = self._snapshot(
                int(s["stage"]), int(version), s["net"], s["past"] or None
            )
        for stream, task in saved["streams"].items():
            if task["state"] and self.snapshots[task["version"]].stage == self.stage:
                state.check(task["state"], _stream_state(self), f"streams/{stream}")
            self.tasks[int(stream)] = Task(int(stream), task["version"], task["state"])

    def load_state_dict(self, saved: State) -> None:
        """Also the version; `_restore` loads the streams."""
        super().load_state_dict(saved)
        self.version = saved["version"]
        self.run.rewind(self.version - 1, "arrivals")


def trainer_of(run: Run, config: PPOConfig) -> PPO:
    """The trainer for a configuration: with streams, workers play its games."""
    return StreamPPO(run, config) if config.streams else PPO(run, config)
