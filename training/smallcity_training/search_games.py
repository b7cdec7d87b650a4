"""The games of `train search`: a batch depends only on the configuration, the nets and its number."""

import hashlib
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from smallcity_agents import make
from smallcity_agents.arena.playing import Playing
from smallcity_agents.value_net import model
from smallcity_agents.value_net.forward import ValueNet
from smallcity_env import batch, files
from smallcity_env.batch import States
from smallcity_env.config import Config, ConfigError
from smallcity_env.rules.tables import POWER_ROUNDS

from .config import Count, Device, Fraction, LearningRate, Section, Seed, Threads
from .positions import Positions, Recorder, labelled
from .returns import lambda_returns
from .scripted import draw_config, scripted_positions

BATCH_SEEDS: Final = 100_000  # seeds reserved for a batch of games
GREEDY, RANDOM = "greedy", "random"  # agents that vary the games
NO_NET: Final = ("none", "")  # a run that starts from nothing


class SearchConfig(Section):
    """Hyper-parameters of learning by search."""

    seed: Seed = 0
    threads: Threads = 1  # of torch, and batches of games played at a time
    device: Device = "auto"  # of the net while it is fitted; the games are played on the processor
    steps: Count = 3  # iterations
    start: str = model.VALUE_NET  # the net to begin with: the shipped one, a file or none
    width: Count = 64  # of the sum of embeddings
    hidden: Count = 32
    scripted_batches: Count = 120  # of the first iteration, each with rules of its own
    scripted_games: Count = 256  # in a batch
    search_batches: Count = 300  # of every later iteration
    search_games: Count = 48  # in a batch of two-player games; other batches have as many seats
    search_kept: Fraction = 0.06  # share of the positions that are sampled, besides the first of each round
    td_lambda: Fraction = 0.7  # of the targets in search games; 1: their outcomes
    player: str = "search:sims=16,candidates=8,noise=0.5,temperature=0.01"  # plays; `leaf_value` is added
    opponents: tuple[str, ...] = ("greedy",)
    opponents_share: Fraction = 0.1  # of the seats in search games
    past_share: Fraction = 0.1  # of the seats: the search with an earlier net
    greedy_rounds: Fraction = 0.15  # share of the rounds in which greedy answers for all seats
    random_answers: Fraction = 0.01  # share of random answers
    epochs: Annotated[float, Meta(gt=0, le=1000)] = 3.0  # of the first iteration
    learning_rate: LearningRate = 2e-3
    search_epochs: Annotated[float, Meta(gt=0, le=1000)] = 2.0  # of every later one
    search_learning_rate: LearningRate = 1e-3
    anchors: tuple[str, ...] = ("greedy", "rollout:sims=64", "mcts:sims=256")
    evaluate_player: str = "search:sims=128"  # plays the evaluations; `leaf_value` is added
    evaluate_games: Count = 40  # two-player games against each anchor and the accepted net

    def __post_init__(self) -> None:
        if (total := self.opponents_share + self.past_share) > 1:
            raise ConfigError(f"opponents_share and past_share must add up to at most 1, not {total:g}")

    def start_path(self) -> Path | None:
        """The file of the net to begin with, if there is one."""
        if self.start in NO_NET:
            return None
        return model.SHIPPED if self.start == model.VALUE_NET else Path(self.start)

    def agent_names(self) -> list[str]:
        """All agents the configuration names; those that play with a net can be given one."""
        players = [with_leaves(name, GREEDY) for name in (self.player, self.evaluate_player)]
        return [*players, *self.opponents, *self.anchors]


def with_leaves(name: str, leaves: str | Path) -> str:
    """The name of a search whose leaves a value net evaluates."""
    return f"{name}{',' if ':' in name else ':'}leaf_value={leaves}"


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
    """Positions of search games against itself, its past and scripted agents, with TD(lambda) targets."""
    settings, random = iteration.config, np.random.default_rng(seed)
    past = int(random.integers(len(iteration.nets)))
    players = [_player(iteration, len(iteration.nets) - 1), _player(iteration, past), *settings.opponents]
    agents = [make(name) for name in (*players, GREEDY, RANDOM)]
    seated = _seating(settings, config.players, random)
    recorder = Recorder(seed, settings.search_kept, share_of_first=1)
    playing = Playing(config, agents, seated, np.arange(len(seated)) + seed)
    by_greedy = random.random((len(seated), POWER_ROUNDS + 2)) < settings.greedy_rounds
    while not playing.over.all():
        recorder.sample(playing.states)
        greedy = by_greedy[np.arange(len(seated)), playing.states["round_no"], None]
        by_chance = random.random((len(seated), 1)) < settings.random_answers
        playing.seatings = np.where(by_chance, len(agents) - 1, np.where(greedy, len(agents) - 2, seated))
        playing.step()
    states, games = recorder.sampled()
    net = model.load(str(_file_of(iteration.nets[-1])))
    return td_positions(states, playing.states, games, seed, net, settings.td_lambda)


def _seating(settings: SearchConfig, players: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """Who sits where: 0 the search, at least once in a game, 1 its past, then the opponents."""
    share = settings.opponents_share / max(len(settings.opponents), 1)
    shares = [settings.past_share, *[share] * len(settings.opponents)]
    shape = (max(2 * settings.search_games // players, 1), players)
    seated = random.choice(len(shares) + 1, shape, p=[1 - sum(shares), *shares])
    seated[np.arange(len(seated)), random.integers(players, size=len(seated))] = 0
    return seated


def td_positions(
    states: States, final: States, games: npt.NDArray[np.int64], seed: int, net: ValueNet, td_lambda: float
) -> Positions:
    """Positions of games with TD(lambda) targets for payoffs and scores; `games` numbers the final states.

    The net sees the games as they were, with all that was hidden: its values are targets, not answers.
    """
    data = labelled(states, batch.take(final, games), games + seed)
    expected, players = model.forecast(states, net), int(data.players[0])
    rounds = data.rounds.astype(np.int64)

    def targets(values: Any, outcomes: Any) -> npt.NDArray[np.float32]:
        by_seat = outcomes.reshape(-1, players)
        mixed = lambda_returns(games, rounds, values[:, :players], by_seat, td_lambda)
        return mixed.reshape(-1).astype(np.float32)

    payoffs, scores = targets(expected.payoffs, data.payoffs), targets(expected.scores, data.scores)
    return data._replace(payoffs=payoffs, scores=scores)


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
