"""`policy`: a trained net that answers at once; by default the one that comes with the package."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import Mask, Seen, States

from . import AgentError
from .agent import Actions, Agent, Streams
from .net import checkpoint
from .net.forward import Floats
from .net.model import Net

Look = Callable[[Seen, Mask], tuple[Floats, Floats]]  # logits and values of what is seen


@lru_cache(maxsize=8)
def net_of(path: str) -> Net:
    """The net of a checkpoint, read once; no path: the one of the package."""
    return Net(checkpoint.read(Path(path) if path else checkpoint.SHIPPED)[0])


@dataclass
class Policy(Agent):
    """Plays what the net likes best; with a temperature, what it likes, by chance."""

    label = "policy"
    description = "a trained net, answering at once (checkpoint: a file of `smallcity train`)"
    checkpoint: str = ""
    temperature: float = 0.0

    def __post_init__(self) -> None:
        if self.temperature < 0:
            raise AgentError(f"the temperature of policy must be at least 0, not {self.temperature}")
        self.look: Look = net_of(self.checkpoint)

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The net's answer for each game, from what its seat sees."""
        logits, _ = self.look(batch.observe(states, seats), legal)
        return choose(logits, legal, streams, self.temperature)


def values(states: States, seats: npt.ArrayLike, path: str = "") -> Floats:
    """The reward each seat may expect from what it sees: for the leaves of a search."""
    return net_of(path)(batch.observe(states, seats), batch.new_masks(len(states)))[1]


def priors(states: States, seats: npt.ArrayLike, legal: Mask, path: str = "") -> tuple[Floats, Floats]:
    """How likely the net would give each answer (n, actions), and the reward the seat may expect."""
    logits, expected = net_of(path)(batch.observe(states, seats), legal)
    return _likely(logits, legal), expected


def choose(logits: Floats, legal: Mask, streams: Streams, temperature: float) -> Actions:
    """The best legal answer, or one by chance; turns the streams."""
    if temperature == 0:
        return np.asarray(np.where(legal, logits, -np.inf).argmax(axis=1), np.int64)
    reached = _likely(logits / temperature, legal).cumsum(axis=1)
    drawn = _draw(streams)[:, None] * reached[:, -1:]
    return np.asarray((reached > drawn).argmax(axis=1), np.int64)


def _likely(logits: Floats, legal: Mask) -> Floats:
    """Probabilities of the legal answers."""
    open_ = np.where(legal, logits, -np.inf)
    shares = np.exp(open_ - open_.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float32)


_A, _B, _C, _DROPPED = (np.uint64(n) for n in (13, 7, 17, 11))
_STEPS = 2.0**53


def _draw(streams: Streams) -> npt.NDArray[np.float64]:
    """A number from 0 to 1 off each stream, which is turned (as in rng.py)."""
    streams ^= streams << _A
    streams ^= streams >> _B
    streams ^= streams << _C
    return (streams >> _DROPPED).astype(np.float64) / _STEPS
