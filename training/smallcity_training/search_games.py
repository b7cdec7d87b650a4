"""The games of `train search`: a batch depends only on the configuration, the nets and its number."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from smallcity_agents import Agent, make
from smallcity_agents.agent import Actions, Streams
from smallcity_agents.arena.playing import Playing
from smallcity_agents.evaluation.weights import PERSONALITIES
from smallcity_agents.search.agent import Search
from smallcity_agents.value_net import model
from smallcity_agents.value_net.forward import ValueNet
from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.config import Config, ConfigError
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import POWER_ROUNDS, Ask

from .config import Count, Device, Fraction, LearningRate, Section, Seed, Threads
from .positions import Positions, Recorder, labelled
from .scripted_games import draw_config, scripted_positions

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
BATCH_SEEDS: Final = 100_000  # seeds reserved for a batch of games
GREEDY, RANDOM = "greedy", "random"  # agents that vary the games
SEARCH, PAST, TEACHER, OPPONENTS = 0, 1, 2, 3  # agents of a batch: the first opponent is the last of these
OPENING: Final = 3  # the longest opening, in rounds
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
    view: Count = 32  # of an answer
    scripted_batches: Count = 120  # of the first iteration, each with rules of its own
    scripted_games: Count = 256  # in a batch
    search_batches: Count = 300  # of every later iteration
    search_games: Count = 48  # in a batch of two-player games; other batches have as many seats
    search_kept: Fraction = 0.06  # share of the positions that are sampled, besides the first of each round
    td_lambda: Fraction = 0.7  # of the targets in search games; 1: their outcomes
    player: str = "search:sims=16,candidates=8,noise=0.5,temperature=0.01,prior_net=1"  # plays, with a net
    teacher: str = "search:sims=128,candidates=16,noise=1,prior_net=1"  # likewise; its policies are learned
    taught: Fraction = 0.25  # share of the player's decisions that the teacher makes
    opponents: tuple[str, ...] = ("greedy",)
    opponents_share: Fraction = 0.1  # of the seats in search games
    past_share: Fraction = 0.1  # of the seats: the search with an earlier net
    greedy_rounds: Fraction = 0.15  # share of the rounds in which greedy answers for all seats
    random_answers: Fraction = 0.01  # share of random answers
    random_promises: Fraction = 0.3  # share of random piles of promises
    styled_openings: Fraction = 0.2  # share of the games whose first rounds greedy's personalities play
    epochs: Annotated[float, Meta(gt=0, le=1000)] = 3.0  # of the first iteration
    learning_rate: LearningRate = 2e-3
    search_epochs: Annotated[float, Meta(gt=0, le=1000)] = 2.0  # of every later one
    search_learning_rate: LearningRate = 1e-3
    anchors: tuple[str, ...] = ("greedy", "rollout:sims=64", "mcts:sims=256")
    evaluate_player: str = "search:sims=128,prior_net=1"  # likewise, of the evaluations
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
        for name in (self.player, self.teacher, self.evaluate_player):
            searching(name, model.blank())

    def agent_names(self) -> list[str]:
        """All agents the configuration names."""
        return [self.player, self.teacher, self.evaluate_player, *self.opponents, *self.anchors]


def searching(name: str, net: ValueNet) -> Search:
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
    teacher = Teacher(searching(settings.teacher, accepted))
    agents: list[Agent] = [*(searching(settings.player, net) for net in (accepted, past)), teacher]
    agents += [make(name) for name in (*settings.opponents, *PERSONALITIES, GREEDY, RANDOM)]
    players = Players(settings, config.players, random)
    recorder = Recorder(seed, settings.search_kept, share_of_first=1)
    playing = Playing(config, agents, players.seated, np.arange(len(players.seated)) + seed)
    while not playing.over.all():
        recorder.sample(playing.states)
        now = players.now(playing.states)
        teacher.expect(np.flatnonzero(~playing.over & (asked(now, playing.states) == TEACHER)))
        playing.step(now)
    states, games = recorder.sampled()
    states, games = np.concatenate([states, *teacher.states]), np.concatenate([games, *teacher.games])
    policies = np.concatenate([np.zeros((0, ACTIONS)), *teacher.policies])
    given = (states.view(STATE), playing.states, games, seed, accepted, settings.td_lambda)
    return td_positions(*given, policies)


class Teacher(Agent):
    """A search that keeps its positions and improved policies."""

    label, description = "teacher", "a search that keeps its policies"

    def __init__(self, search: Search) -> None:
        self.search = search
        self.states, self.games = list[States](), list[Ints]()
        self.policies = list[Floats]()

    def expect(self, games: Ints) -> None:
        """Be told which games the next questions belong to."""
        self.games += [games] if len(games) else []

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The search's answers."""
        found = self.search.search(states, seats, legal, streams)
        self.states.append(states)
        self.policies.append(found.policy)
        return found.actions


class Players:
    """Who answers in a batch of games: those seated, and at times others, so that games vary."""

    def __init__(self, settings: SearchConfig, players: int, random: np.random.Generator) -> None:
        self.settings, self.random = settings, random
        self.seated = _seating(settings, players, random)
        n, styles = len(self.seated), OPPONENTS + len(settings.opponents)
        self.greedy = styles + len(PERSONALITIES)
        self.styles = random.integers(styles, self.greedy, self.seated.shape)
        opened = random.random(n) < settings.styled_openings
        self.openings = np.where(opened, random.integers(1, OPENING + 1, n), -1)  # their last round
        self.by_greedy = random.random((n, POWER_ROUNDS + 2)) < settings.greedy_rounds

    def now(self, states: States) -> Ints:
        """Who answers for each seat now (n, players)."""
        settings, rounds, games = self.settings, states["round_no"], np.arange(len(states))
        who = np.where((rounds <= self.openings)[:, None], self.styles, self.seated)
        who = np.where(self.by_greedy[games, rounds, None], self.greedy, who)
        who = np.where((who == SEARCH) & self._drawn(settings.taught), TEACHER, who)
        promise = states["ask"][:, None] == Ask.DIFFICULTY
        by_chance = self._drawn(np.where(promise, settings.random_promises, settings.random_answers))
        return np.where(by_chance, self.greedy + 1, who)

    def _drawn(self, share: Any) -> npt.NDArray[np.bool_]:
        """A share of the games (n, 1), drawn."""
        return np.asarray(self.random.random((len(self.seated), 1)) < share)


def _seating(settings: SearchConfig, players: int, random: np.random.Generator) -> Ints:
    """Who sits where: the search, at least once in a game, its past, and opponents."""
    share = settings.opponents_share / max(len(settings.opponents), 1)
    shares = [settings.past_share, 0, *[share] * len(settings.opponents)]
    shape = (max(2 * settings.search_games // players, 1), players)
    seated = random.choice(len(shares) + 1, shape, p=[1 - sum(shares), *shares])
    seated[np.arange(len(seated)), random.integers(players, size=len(seated))] = SEARCH
    return seated


def asked(seated: Ints, states: States) -> Ints:
    """Who of those seated (n, players) is asked in each game."""
    return np.asarray(seated[np.arange(len(states)), states["seat"]])


def td_positions(
    states: States,
    final: States,
    games: Ints,
    seed: int,
    net: ValueNet,
    td_lambda: float,
    policies: Floats | None = None,
) -> Positions:
    """Positions of games with TD(lambda) targets for payoffs and scores; `games` numbers the final states.

    The net sees the games as they were, with all that was hidden: its values are targets, not answers.
    """
    data = labelled(states, batch.take(final, games), games + seed, policies)
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
