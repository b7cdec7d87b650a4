"""The games of `train search`: a batch depends only on the configuration, the nets and its number."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from smallcity_agents import Agent, make
from smallcity_agents.arena.playing import Playing
from smallcity_agents.search.agent import Search
from smallcity_agents.value_net import model
from smallcity_agents.value_net.forward import ValueNet
from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.config import Config, ConfigError
from smallcity_env.rules.tables import POWER_ROUNDS

from .config import Count, Device, Fraction, LearningRate, Section, Seed, Threads
from .positions import Positions, Recorder, labelled
from .scripted_games import draw_config, scripted_positions

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
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
    evaluate_player: str = "search:sims=128"  # likewise, of the evaluations
    evaluate_games: Count = 40  # two-player games against each anchor and the accepted net

    def __post_init__(self) -> None:
        if (total := self.opponents_share + self.past_share) > 1:
            raise ConfigError(f"opponents_share and past_share must add up to at most 1, not {total:g}")

    def start_path(self) -> Path | None:
        """The file of the net to begin with, if there is one."""
        if self.start in NO_NET:
            return None
        return model.SHIPPED if self.start == model.VALUE_NET else Path(self.start)

    def check_nets(self) -> None:
        """Refuse a net to begin with, or a player, that is none."""
        if path := self.start_path():
            model.read(path)
        for name in (self.player, self.evaluate_player):
            searching(name, model.blank())

    def agent_names(self) -> list[str]:
        """All agents the configuration names."""
        return [self.player, self.evaluate_player, *self.opponents, *self.anchors]


def searching(name: str, net: ValueNet) -> Agent:
    """A search whose leaves a value net evaluates."""
    agent = make(name)
    if not isinstance(agent, Search):
        raise ConfigError(f"{name} is not a search: a value net cannot evaluate its leaves")
    player = replace(agent, leaf_value=model.VALUE_NET)
    player.net = net
    return player


class Iteration(NamedTuple):
    """What all batches of an iteration share."""

    config: SearchConfig
    number: int
    nets: list[ValueNet]  # all up to the accepted one, which is the last


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
    accepted, past = iteration.nets[-1], iteration.nets[random.integers(len(iteration.nets))]
    agents = [searching(settings.player, net) for net in (accepted, past)]
    agents += [make(name) for name in (*settings.opponents, GREEDY, RANDOM)]
    seated = _seating(settings, config.players, random)
    recorder = Recorder(seed, settings.search_kept, share_of_first=1)
    playing = Playing(config, agents, seated, np.arange(len(seated)) + seed)
    by_greedy = random.random((len(seated), POWER_ROUNDS + 2)) < settings.greedy_rounds
    while not playing.over.all():
        recorder.sample(playing.states)
        greedy = by_greedy[np.arange(len(seated)), playing.states["round_no"], None]
        by_chance = random.random((len(seated), 1)) < settings.random_answers
        playing.step(np.where(by_chance, len(agents) - 1, np.where(greedy, len(agents) - 2, seated)))
    states, games = recorder.sampled()
    return td_positions(states, playing.states, games, seed, accepted, settings.td_lambda)


def _seating(settings: SearchConfig, players: int, random: np.random.Generator) -> Ints:
    """Who sits where: 0 the search, at least once in a game, 1 its past, then the opponents."""
    share = settings.opponents_share / max(len(settings.opponents), 1)
    shares = [settings.past_share, *[share] * len(settings.opponents)]
    shape = (max(2 * settings.search_games // players, 1), players)
    seated = random.choice(len(shares) + 1, shape, p=[1 - sum(shares), *shares])
    seated[np.arange(len(seated)), random.integers(players, size=len(seated))] = 0
    return seated


def td_positions(
    states: States, final: States, games: Ints, seed: int, net: ValueNet, td_lambda: float
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


def lambda_returns(games: Ints, rounds: Ints, values: Any, outcomes: Any, td_lambda: float) -> Floats:
    """TD(lambda) targets (n, ...) of positions in the order they were played.

    The target of a position in round r mixes the value at the beginning of round r + 1, with weight
    1 - lambda, and the target of that beginning, with weight lambda; in the last round it is the outcome.
    With 1 it is the outcome everywhere: true, but as noisy as a whole game.

    The first position of a round must be among them if its value (n, ...) is to count; `outcomes` (n, ...)
    are those of the game of each position.
    """
    begins = _at_beginnings(games, rounds, np.asarray(values, np.float64))
    later = np.zeros_like(begins[:, 0])
    later[games] = outcomes
    targets = np.zeros_like(begins)
    for r in reversed(range(begins.shape[1])):  # 0: before the first round
        targets[:, r] = later
        mixed = (1 - td_lambda) * begins[:, r] + td_lambda * later
        later = np.where(np.isnan(mixed), later, mixed)
    return np.asarray(targets[games, rounds])


def _at_beginnings(games: Ints, rounds: Ints, values: Floats) -> Floats:
    """The value at the first position of each game and round (games, rounds + 1, ...); nan without one."""
    numbers = int(rounds.max()) + 1
    table = np.full((int(games.max()) + 1, numbers, *values.shape[1:]), np.nan)
    _, first = np.unique(games * numbers + rounds, return_index=True)
    table[games[first], rounds[first]] = values[first]
    return table
