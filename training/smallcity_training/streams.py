"""PPO whose games are played by workers: rollouts arrive in any order, with weights some updates old.

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

__all__ = ["PPOConfig", "StreamPPO", "play_rollout", "trainer_of"]

STREAM_SEEDS: Final = 1_000_003  # distance between the seeds of two streams
NOT_STARTED: Final[State] = {}  # the state of a stream before its first rollout


class Published(NamedTuple):
    """The weights of one version, with all that its rollouts need."""

    config: dict[str, Any]
    stage: int
    version: int
    net: Weights
    past: Weights | None  # of the opponent drawn from the pool


class Ticket(NamedTuple):
    """A rollout to play: the next one of a stream."""

    stream: int
    version: int
    state: State


class Rollout(NamedTuple):
    """The learner's decisions, the number of games that ended, and the stream's state afterwards."""

    data: dict[str, Any]
    finished: int
    state: State


class NoRun:
    """Stands in for the run folder in a worker, which neither reads nor writes it."""

    folder = Path()


def play_rollout(published: Published, ticket: Ticket) -> Rollout:
    """Play a rollout of a stream, in a worker."""
    config = msgspec.convert(published.config, PPOConfig)
    config.seed = (config.seed + STREAM_SEEDS * (ticket.stream + 1)) % 2**32
    player = PPO(NoRun(), config)  # type: ignore[arg-type]
    player.stage = published.stage
    player.start_stage()
    if ticket.state:
        _load(player, ticket.state)
    load_weights(player.net, published.net)
    player.opponents.face(published.past, player.net)
    data, used = player.rollout()
    chosen = {name: tensor[torch.from_numpy(used)].numpy() for name, tensor in data.items()}
    return Rollout(chosen, player.finished, _state_of(player))


def published_by(learner: PPO, version: int, past: Weights | None = None) -> Published:
    """A learner's weights as a numbered version."""
    config = msgspec.to_builtins(learner.config)
    return Published(config, learner.stage, version, weights(learner.net), past)


def _state_of(player: PPO) -> State:
    """The state of a stream between two rollouts."""
    opponents = player.opponents.state_dict() | {"checkpoints": []}
    random = torch.get_rng_state().numpy()
    return {"games": player.games.state_dict(), "opponents": opponents, "torch": random}


def _load(player: PPO, saved: State) -> None:
    """Restore the state of a stream."""
    player.games.load_state_dict(saved["games"])
    player.opponents.load_state_dict(saved["opponents"])
    torch.set_rng_state(torch.from_numpy(saved["torch"].copy()))


class StreamPPO(PPO):
    """PPO that learns from the rollouts of many streams."""

    def __init__(self, run: Run, config: PPOConfig) -> None:
        super().__init__(run, config)
        self.executor = Workers()
        self.version = 0
        self.published: dict[int, Published] = {}  # versions used by rollouts in flight
        self.tickets = dict[int, Ticket]()  # rollouts in flight, by stream
        self._submitted: set[int] = set()

    def update(self) -> Metrics:
        """Publish the weights, wait for enough rollouts, and train on them."""
        self._publish()
        fresh: list[Rollout] = []
        dropped = 0
        while len(fresh) < -(-self.config.streams // 2):
            self._submit()
            for done in self.executor.ready():
                rollout = self._receive(done)
                fresh += [rollout] if rollout else []
                dropped += not rollout
        self.version += 1
        data = {name: np.concatenate([rollout.data[name] for rollout in fresh]) for name in fresh[0].data}
        tensors = {name: torch.from_numpy(array) for name, array in data.items()}
        metrics = self.learn(tensors, np.arange(len(data["actions"])))
        return metrics | {"rollouts": len(fresh), "dropped": dropped}

    def _publish(self) -> None:
        """Publish the current weights under a new version; forget versions no longer in use."""
        past = self.opponents.draw_checkpoint(self.rng)
        self.published[self.version] = published_by(self, self.version, past)
        for stream in range(self.config.streams):
            if stream not in self.tickets:
                self._queue(stream, NOT_STARTED)
        used = {ticket.version for ticket in self.tickets.values()}
        self.published = {v: self.published[v] for v in sorted(used | {self.version})}

    def _queue(self, stream: int, saved: State) -> None:
        """Queue a stream's next rollout, with the current weights, behind those already waiting."""
        self.tickets.pop(stream, None)
        self.tickets[stream] = Ticket(stream, self.version, saved)

    def _submit(self) -> None:
        """Submit every rollout that no worker has yet."""
        for version, published in self.published.items():
            tickets = [ticket for ticket in self.tickets.values() if ticket.version == version]
            waiting = [ticket for ticket in tickets if ticket.stream not in self._submitted]
            shared = self.executor.share(published) if waiting else None
            for ticket in waiting:
                self.executor.submit(play_rollout, shared, ticket)
                self._submitted.add(ticket.stream)

    def _receive(self, done: Done) -> Rollout | None:
        """Log a rollout and queue the next of its stream; None if it is too old to learn from."""
        ticket: Ticket = done.item
        if done.error:
            raise Refused(f"a rollout of stream {ticket.stream} could not be played: {done.error}")
        rollout: Rollout = done.value
        used = self.version - ticket.version <= self.config.max_lag
        arrival = {"stream": ticket.stream, "version": ticket.version, "used": used}
        self.run.log(self.version, arrival, "arrivals")
        self._submitted.discard(ticket.stream)
        self.finished += rollout.finished
        same = self.published[ticket.version].stage == self.stage  # a new stage begins with new games
        self._queue(ticket.stream, rollout.state if same else NOT_STARTED)
        return rollout if used else None

    # -- resuming

    def state_dict(self) -> State:
        """Also the streams and the weights of their rollouts."""
        tickets = {str(t.stream): {"version": t.version, "state": t.state} for t in self.tickets.values()}
        published = {
            str(p.version): {"stage": p.stage, "net": p.net, "past": p.past or {}}
            for p in self.published.values()
        }
        more = {"version": self.version, "streams": tickets, "published": published}
        return super().state_dict() | more

    def _restore(self, saved: State) -> None:
        """Check a state and continue from it; streams and versions, whose number varies, are checked here."""
        self.published, self.tickets, self._submitted = {}, {}, set()  # of a run that was stopped
        super()._restore(saved | {"streams": {}, "published": {}})
        config = msgspec.to_builtins(self.config)
        for version, p in saved["published"].items():
            state.check(p["net"], weights(self.net), "published")
            self.published[int(version)] = Published(
                config, int(p["stage"]), int(version), p["net"], p["past"] or None
            )
        for stream, ticket in saved["streams"].items():
            if ticket["state"] and self.published[ticket["version"]].stage == self.stage:
                state.check(ticket["state"], _state_of(self), f"streams/{stream}")
            self.tickets[int(stream)] = Ticket(int(stream), ticket["version"], ticket["state"])

    def load_state_dict(self, saved: State) -> None:
        """Also the version; `_restore` loads the streams."""
        super().load_state_dict(saved)
        self.version = saved["version"]
        self.run.rewind(self.version - 1, "arrivals")


def trainer_of(run: Run, config: PPOConfig) -> PPO:
    """The trainer for a configuration: with streams, workers play its games."""
    return StreamPPO(run, config) if config.streams else PPO(run, config)
