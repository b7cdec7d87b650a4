"""`policy`: a net without search: the priors of the value net, or a checkpoint of `smallcity train`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Mask, Seen, States, fork
from smallcity_env.language import marked
from smallcity_env.rules.rng import next_stream

from . import AgentError
from .agent import Actions, Agent, Streams, checked, where_asked
from .net import checkpoint
from .net.features import inputs
from .net.forward import Floats
from .net.model import Net
from .search.improve import log_softmax
from .value_net import model

COLD: Final = 1e-6  # a temperature below this is none: logits divided by it would overflow
Forward = Callable[[Seen, Mask], tuple[Floats, Floats]]  # inputs and masks to logits and values


@lru_cache(maxsize=8)
def net_of(path: str) -> Net:
    """The net of a checkpoint, cached."""
    return Net(checkpoint.read(Path(path))[0])


@dataclass
class Policy(Agent):
    """Plays the likeliest answer or, with a temperature, samples one."""

    label = "policy"
    description = marked("a trained net without search (checkpoint: a file written by `smallcity train`)")
    checkpoint: str = ""  # empty: the priors of the value net
    temperature: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.temperature < np.inf:
            raise AgentError(f"the temperature of policy must be at least 0, not {self.temperature}")
        self.forward: Forward | None = net_of(self.checkpoint) if self.checkpoint else None

    @checked
    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The net's answer for each game, from what its seat may see."""
        if self.forward is not None:
            logits, _ = self.forward(inputs(states, seats, legal), legal)
            return choose(logits, legal, streams, self.temperature)
        priors = model.priors(fork(states, seats, streams), seats, legal, model.load())
        streams[:] = next_stream(streams.copy())
        return choose(priors, legal, streams, self.temperature)


def choose(logits: npt.NDArray[Any], legal: Mask, streams: Streams, temperature: float) -> Actions:
    """The likeliest legal answer or, with a temperature, a sampled one; advances the streams."""
    if temperature < COLD:
        return np.asarray(np.where(legal, logits, -np.inf).argmax(axis=1), np.int64)
    streams[:] = next_stream(streams.copy())
    cumulative = np.exp(log_softmax(logits / temperature, legal)).cumsum(axis=1)
    threshold = _uniform(streams)[:, None] * cumulative[:, -1:]
    return np.asarray((cumulative > threshold).argmax(axis=1), np.int64)


def _uniform(streams: Streams) -> npt.NDArray[np.float64]:
    """A number in [0, 1) from the upper 53 bits of each stream."""
    return (streams >> np.uint64(11)).astype(np.float64) / 2.0**53
