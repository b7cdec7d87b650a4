"""PPO whose games workers play: rollouts arrive in any order, from weights that may be some updates old.

A *stream* is a batch of games with its random numbers. Its state is a value: a worker gets it with the
current weights, plays a rollout, and sends back the learner's decisions and the state after it. A worker
keeps nothing: it may die at any time, and another plays the same rollout again. An update waits for half of
the streams.

Weights are numbered by update. A rollout that began more than `max_lag` updates ago is dropped; all others
count the same, for the clipped ratio of PPO weighs each decision by how likely it is under the weights
that learn from it. Every arrival is a line of arrivals.csv: given their order, a run repeats exactly.
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

STREAM_SEEDS: Final = 1_000_003  # between the seeds of two streams
NONE: Final[State] = {}  # the state of a stream that has not begun


class Published(NamedTuple):
    """What all rollouts of a version are played with."""

    config: dict[str, Any]
    stage: int
    version: int
    net: Weights
    past: Weights | None  # of the opponent from the pool


class Ticket(NamedTuple):
    """A rollout to be played: the next one of a stream."""

    stream: int
    version: int
    state: State


class Rollout(NamedTuple):
    """The learner's decisions, the games that ended, and the stream after them."""

    data: dict[str, Any]
    finished: int
    state: State


class Away:
    """Stands in for the run folder where a worker plays: nothing is read or written there."""

    folder = Path()


def play_rollout(published: Published, ticket: Ticket) -> Rollout:
    """Play a rollout of a stream; what a worker does."""
    config = msgspec.convert(published.config, PPOConfig)
    config.seed = (config.seed + STREAM_SEEDS * (ticket.stream + 1)) % 2**32
    player = PPO(Away(), config)  # type: ignore[arg-type]
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
    """The weights of a learner under their number."""
    config = msgspec.to_builtins(learner.config)
    return Published(config, learner.stage, version, weights(learner.net), past)


def _state_of(player: PPO) -> State:
    """A stream between two rollouts."""
    opponents = player.opponents.state_dict() | {"checkpoints": []}
    random = torch.get_rng_state().numpy()
    return {"games": player.games.state_dict(), "opponents": opponents, "torch": random}


def _load(player: PPO, saved: State) -> None:
    """Continue a stream."""
    player.games.load_state_dict(saved["games"])
    player.opponents.load_state_dict(saved["opponents"])
    torch.set_rng_state(torch.from_numpy(saved["torch"].copy()))


class StreamPPO(PPO):
    """The learner of many streams."""

    def __init__(self, run: Run, config: PPOConfig) -> None:
        super().__init__(run, config)
        self.crew = Workers()
        self.version = 0
        self.published: dict[int, Published] = {}  # versions that rollouts on their way are played with
        self.tickets = dict[int, Ticket]()  # by stream: on its way
        self._submitted: set[int] = set()

    def update(self) -> Metrics:
        """Publish the weights, wait for enough rollouts, and train on them."""
        self._publish()
        fresh: list[Rollout] = []
        dropped = 0
        while len(fresh) < -(-self.config.streams // 2):
            self._submit()
            for done in self.crew.ready():
                kept = self._arrived(done)
                fresh += [kept] if kept else []
                dropped += not kept
        self.version += 1
        data = {name: np.concatenate([rollout.data[name] for rollout in fresh]) for name in fresh[0].data}
        tensors = {name: torch.from_numpy(array) for name, array in data.items()}
        metrics = self.learn(tensors, np.arange(len(data["actions"])))
        return metrics | {"rollouts": len(fresh), "dropped": dropped}

    def _publish(self) -> None:
        """Number the current weights and store them where workers find them."""
        past = self.opponents.draw_checkpoint(self.rng)
        self.published[self.version] = published_by(self, self.version, past)
        for stream in range(self.config.streams):
            if stream not in self.tickets:
                self._next(stream, NONE)
        on_their_way = {ticket.version for ticket in self.tickets.values()}
        self.published = {v: self.published[v] for v in sorted(on_their_way | {self.version})}

    def _next(self, stream: int, saved: State) -> None:
        """A stream's next rollout is played with the current weights, after all that wait."""
        self.tickets.pop(stream, None)
        self.tickets[stream] = Ticket(stream, self.version, saved)

    def _submit(self) -> None:
        """Have every rollout played that no worker has."""
        for version, published in self.published.items():
            tickets = [ticket for ticket in self.tickets.values() if ticket.version == version]
            waiting = [ticket for ticket in tickets if ticket.stream not in self._submitted]
            kept = self.crew.keep(published) if waiting else None
            for ticket in waiting:
                self.crew.submit(play_rollout, kept, ticket)
                self._submitted.add(ticket.stream)

    def _arrived(self, done: Done) -> Rollout | None:
        """Log a rollout and send its stream on; None if it is too old to learn from."""
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
        self._next(ticket.stream, rollout.state if same else NONE)
        return rollout if used else None

    # -- resuming

    def state_dict(self) -> State:
        """Also the streams, and the weights their rollouts are played with."""
        tickets = {str(t.stream): {"version": t.version, "state": t.state} for t in self.tickets.values()}
        published = {
            str(p.version): {"stage": p.stage, "net": p.net, "past": p.past or {}}
            for p in self.published.values()
        }
        more = {"version": self.version, "streams": tickets, "published": published}
        return super().state_dict() | more

    def _restore(self, saved: State) -> None:
        """Continue from a state, which is checked; streams have as many keys as there are of them."""
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
        """Also the version; the streams follow in `_restore`."""
        super().load_state_dict(saved)
        self.version = saved["version"]
        self.run.rewind(self.version - 1, "arrivals")


def trainer_of(run: Run, config: PPOConfig) -> PPO:
    """The trainer of a configuration: with streams, workers play its games."""
    return StreamPPO(run, config) if config.streams else PPO(run, config)
