"""The games of `train search`: a batch depends only on the configuration, the nets and its number."""

import hashlib
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import numpy as np
from msgspec import Meta

from smallcity_agents import make
from smallcity_agents.arena.playing import Playing
from smallcity_agents.search.leaves import VALUE_NET
from smallcity_env import files
from smallcity_env.config import Config, ConfigError

from .config import Count, Fraction, LearningRate, Section, Seed, Threads
from .leaves import leaf_positions
from .positions import Positions, Recorder
from .scripted import draw_config, scripted_positions

BATCH_SEEDS: Final = 100_000  # seeds reserved for a batch of games


class SearchConfig(Section):
    """Hyper-parameters of learning by search."""

    seed: Seed = 0
    threads: Threads = 1  # of torch, and batches of games played at a time
    steps: Count = 3  # iterations
    width: Count = 64  # of the sum of embeddings
    hidden: Count = 32
    scripted_batches: Count = 120  # of the first iteration, each with rules of its own
    scripted_games: Count = 256  # in a batch
    search_batches: Count = 60  # of every later iteration
    search_games: Count = 24  # in a batch of two-player games; other batches have as many seats
    search_kept: Fraction = 0.4  # share of the positions of search games that are sampled
    search_leaves: Count = 4  # per sampled position
    player: str = "search:sims=16,width=8,noise=0.5,temperature=0.01"  # plays the games; `leaves` is added
    opponents: tuple[str, ...] = ("greedy",)
    opponents_share: Fraction = 0.15  # of the seats in search games
    past_share: Fraction = 0.2  # of the seats: the search with an earlier net
    epochs: Annotated[float, Meta(gt=0, le=1000)] = 3.0
    learning_rate: LearningRate = 2e-3
    anchors: tuple[str, ...] = ("greedy", "rollout:sims=64", "mcts:sims=256")
    evaluate_player: str = "search:sims=32,width=8"  # plays the evaluations; `leaves` is added
    evaluate_games: Count = 40  # two-player games against each anchor and the accepted net

    def __post_init__(self) -> None:
        if (total := self.opponents_share + self.past_share) > 1:
            raise ConfigError(f"opponents_share and past_share must add up to at most 1, not {total:g}")

    def agent_names(self) -> list[str]:
        """All agents the configuration names; those that play with a net can be given one."""
        players = [with_leaves(name, VALUE_NET) for name in (self.player, self.evaluate_player)]
        return [*players, *self.opponents, *self.anchors]


def with_leaves(name: str, leaves: str | Path) -> str:
    """The name of a search whose leaves a value net evaluates."""
    return f"{name}{',' if ':' in name else ':'}leaves={leaves}"


class Iteration(NamedTuple):
    """What all batches of an iteration share."""

    config: SearchConfig
    number: int
    nets: list[bytes]  # files of all nets up to the accepted one, which is the last


def play_batch(iteration: Iteration, number: int) -> Positions:
    """Positions of one batch of games: scripted in the first iteration, by the search in all others."""
    seed = (iteration.config.seed * 1000 + iteration.number * 10_000 + number) * BATCH_SEEDS
    config = draw_config(np.random.default_rng(seed))
    if iteration.number:
        return _search_positions(iteration, config, seed)
    return scripted_positions(config, iteration.config.scripted_games, seed)


def _search_positions(iteration: Iteration, config: Config, seed: int) -> Positions:
    """Leaves of search games against itself, its past and scripted agents, with their outcomes."""
    settings, random = iteration.config, np.random.default_rng(seed)
    past = int(random.integers(len(iteration.nets)))
    names = [_player(iteration, len(iteration.nets) - 1), _player(iteration, past), *settings.opponents]
    share = settings.opponents_share / max(len(settings.opponents), 1)
    shares = [settings.past_share, *[share] * len(settings.opponents)]
    shape = (max(2 * settings.search_games // config.players, 1), config.players)
    seated = random.choice(len(names), shape, p=[1 - sum(shares), *shares])
    seated[np.arange(len(seated)), random.integers(config.players, size=len(seated))] = 0
    recorder = Recorder(seed, settings.search_kept)
    agents = [make(name) for name in names]
    playing = Playing(config, agents, seated, np.arange(len(seated)) + seed)
    while not playing.over.all():
        playing.step()
        recorder.sample(playing.states)
    return leaf_positions(*recorder.sampled(), seed, settings.search_leaves)


def _player(iteration: Iteration, net: int) -> str:
    """The search with one of the nets."""
    return with_leaves(iteration.config.player, _file_of(iteration.nets[net]))


@lru_cache(maxsize=8)
def _file_of(net: bytes) -> Path:
    """A net as a local file, since agents are made by name."""
    path = Path(tempfile.gettempdir()) / "smallcity-nets" / f"{hashlib.sha256(net).hexdigest()[:16]}.npz"
    if not files.is_file(path) or files.read_bytes(path) != net:  # everybody can write there
        files.write(path, net)
    return path
