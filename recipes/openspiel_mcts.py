"""OpenSpiel: Small City as a pyspiel game, and OpenSpiel's MCTS and IS-MCTS playing it.

    python recipes/openspiel_mcts.py
    smallcity arena recipes.openspiel_mcts.IsMcts:sims=200 greedy --games 20

Importing this file registers `python_smallcity`; `pyspiel.load_game("python_smallcity(players=3)")` makes it.

Chance: wherever the engine draws from its random stream, OpenSpiel sees a chance node with `SAMPLES` equally
likely outcomes, each a seed for what is drawn there. So a state is determined by its history, and a clone
contains no future dice. The game is declared explicit-stochastic, not sampled-stochastic, since OpenSpiel
serialises sampled games through `GetRNGState`, which a Python game cannot implement.

Secrecy: the questions of a simultaneous phase come one after another, and no observation of a seat shows
what it may not see of that phase. `information_state_string` is the seat's own answers and observations.
OpenSpiel's bots search the state itself: give them `determinized(state)`, in which everything hidden from
the seat to move has been resampled.
"""

import hashlib
import time
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from smallcity_agents import Agent
from smallcity_env import ACTIONS, Config, actions, batch
from smallcity_env.envs import rewards
from smallcity_env.rules import rng
from smallcity_env.rules.layout import SIZE

SAMPLES: Final = 256  # outcomes of a chance node
LONGEST: Final = 10_000  # answers: more than any game has

GAME_TYPE: Final = pyspiel.GameType(
    short_name="python_smallcity",
    long_name="Small City",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"players": 2},
)


# glue: begin
class SmallCityGame(pyspiel.Game):
    """The game; `players` is its only parameter."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.config = Config(players=(params or {}).get("players", 2))
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=SAMPLES,
            num_players=self.config.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> "SmallCityState":
        """A game before its first chance node."""
        return SmallCityState(self)

    def max_chance_nodes_in_history(self) -> int:
        """At most one for every answer, and the set-up."""
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What a seat may see, as `batch.observe` gives it."""
        return Observer()


class SmallCityState(pyspiel.State):
    """One game: its record, an answer waiting for its chance outcome, and what each seat has seen."""

    def __init__(self, game: SmallCityGame) -> None:
        super().__init__(game)
        self.config = game.config
        self.states: Any = None  # None: not set up
        self.legal = batch.new_masks(1)
        self.pending = -1  # an answer whose outcome depends on chance
        self.seed = 0  # of all chance so far
        self.seen = [""] * game.config.players  # digests of answers and observations

    def current_player(self) -> int:
        """The seat asked, chance, or the end."""
        if self.states is None or self.pending >= 0:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.states["seat"][0])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.states is not None and bool(batch.over(self.states)[0])

    def _legal_actions(self, player: int) -> list[int]:
        """The legal answers in ascending order."""
        return [int(action) for action in np.flatnonzero(self.legal[0])]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Equally likely seeds."""
        return [(k, 1 / SAMPLES) for k in range(SAMPLES)]

    def _apply_action(self, action: int) -> None:
        """Answer, or draw what the last answer left to chance."""
        if self.states is None:
            self.states = batch.new(1, self.config, [action], self.legal)
            self.seed = action
        elif self.pending >= 0:
            self.seed = int(rng.streams([self.seed * SAMPLES % 2**48 + action])[0] >> np.uint64(16))
            self.states["stream"] = rng.streams([self.seed])
            batch.step(self.states, [self.pending], self.legal)
            self.pending = -1
        else:
            self._answer(action)

    def _answer(self, action: int) -> None:
        """Apply an answer; if it draws from the stream, take it back and wait for chance."""
        seat = self.states["seat"][0]
        digest = hashlib.sha256(self.seen[seat].encode() + self._observed(seat).tobytes())
        self.seen[seat] = f"{digest.hexdigest()[:16]} {action}"
        before, legal = batch.clone(self.states), self.legal.copy()
        batch.step(self.states, [action], self.legal)
        if self.states["stream"][0] != before["stream"][0]:
            self.states, self.legal, self.pending = before, legal, action

    def returns(self) -> list[float]:
        """The rank rewards at the end, 0 before."""
        players = self.config.players
        if not self.is_terminal():
            return [0.0] * players
        paid = rewards.final("rank", batch.results(self.states), players)[0, :players]
        return [float(reward) for reward in paid]

    def _observed(self, player: int) -> Any:
        """What a seat may see; nothing before the set-up."""
        return np.zeros(SIZE, np.float32) if self.states is None else batch.observe(self.states, player)[0]

    def information_state_string(self, player: int | None = None) -> str:
        """A digest of everything the seat has seen and answered, and what it sees now."""
        seat = self.current_player() if player is None else player
        now = hashlib.sha256(self._observed(seat).tobytes()).hexdigest()[:16]
        return f"seat {seat}: {self.seen[seat]} {now}"

    def _action_to_string(self, player: int, action: int) -> str:
        """An answer by name, a chance outcome by number."""
        return f"seed {action}" if player == pyspiel.PlayerId.CHANCE else actions.name(action)

    def __str__(self) -> str:
        where = "set-up" if self.states is None else f"round {self.states['round_no'][0]}"
        return f"{where}, {len(self.history())} moves"


class Observer:
    """OpenSpiel's observer: the observation vector of one seat."""

    def __init__(self) -> None:
        self.tensor = np.zeros(SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SmallCityState, player: int) -> None:
        """Write what a seat may see."""
        self.tensor[:] = state._observed(player)

    def string_from(self, state: SmallCityState, player: int) -> str:
        """The observation as a digest."""
        return f"seat {player} sees {hashlib.sha256(state._observed(player).tobytes()).hexdigest()[:16]}"


def determinized(state: SmallCityState, seed: int) -> SmallCityState:
    """A copy in which everything hidden from the seat to move is resampled: the state to search from."""
    copy = state.clone()
    copy.states = batch.fork(state.states, state.current_player(), [seed])
    return copy


pyspiel.register_game(GAME_TYPE, SmallCityGame)
# glue: end


class Playouts(mcts.Evaluator):
    """Random playouts inside the compiled engine, instead of through OpenSpiel one answer at a time."""

    def __init__(self, seed: int) -> None:
        self.draw = np.random.default_rng(seed)

    def evaluate(self, state: SmallCityState) -> list[float]:
        """The returns of one playout."""
        end = state.clone()
        if end.is_chance_node():
            end.apply_action(int(self.draw.integers(SAMPLES)))
        end.states["stream"] = rng.streams(self.draw.integers(2**63, size=1))
        batch.rollout(end.states, self.draw.integers(2**63, size=1))
        return end.returns()

    def prior(self, state: SmallCityState) -> list[tuple[int, float]]:
        """Uniform over the legal actions."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


@dataclass
class IsMcts(Agent):
    """OpenSpiel's information-set MCTS as an agent, for two to four players by any rules."""

    description = "OpenSpiel's IS-MCTS with random playouts"
    sees = "view"
    sims: int = 256  # a decision; below 2 it has no answer

    def act(self, states: Any, seats: Any, legal: Any, streams: Any) -> Any:
        """The most visited answer of a search in each game."""
        draws = [np.random.RandomState(stream % 2**32) for stream in streams]
        streams[:] = rng.streams(streams)
        rows = ([n] for n in range(len(states)))
        return np.array([self._answer(batch.take(states, row), legal[row], draws[row[0]]) for row in rows])

    def _answer(self, states: Any, legal: Any, draw: np.random.RandomState) -> int:
        """Search from the record of a game: what its seats saw before does not count."""
        game = pyspiel.load_game(f"python_smallcity(players={states['rules']['players'][0]})")
        state = game.new_initial_state()
        state.states, state.legal, state.seed = states, legal, draw.randint(2**31)
        bot = ismcts.ISMCTSBot(game, Playouts(draw.randint(2**31)), 2.0, self.sims, random_state=draw)
        bot.set_resampler(lambda state, player: determinized(state, draw.randint(2**31)))
        return int(bot.step(state))


def check() -> str:
    """OpenSpiel's own test of Python games: random games, cloned, serialised and compared on the way."""
    pyspiel.random_sim_test(pyspiel.load_game("python_smallcity"), num_sims=1, serialize=True, verbose=False)
    return "`random_sim_test`"


def moves_per_second(seconds: float = 2.0) -> float:
    """How fast random moves are played through OpenSpiel."""
    game, draw, moves = pyspiel.load_game("python_smallcity"), np.random.default_rng(0), 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(int(draw.integers(SAMPLES) if chance else draw.choice(state.legal_actions())))
            moves += 1
    return moves / (time.process_time() - began)


def play(simulations: int, seed: int) -> float:
    """The reward of OpenSpiel's MCTS (in seat `seed % 2`) against random answers."""
    game, draw = pyspiel.load_game("python_smallcity"), np.random.RandomState(seed)
    bot = mcts.MCTSBot(game, 2.0, simulations, Playouts(seed), random_state=draw)
    state, seat = game.new_initial_state(), seed % 2
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(draw.randint(SAMPLES))
        elif state.current_player() == seat:
            state.apply_action(bot.step(determinized(state, draw.randint(2**31))))
        else:
            state.apply_action(draw.choice(state.legal_actions()))
    return float(state.returns()[seat])


if __name__ == "__main__":
    rewards_won = [play(simulations=20, seed=seed) for seed in range(4)]
    print(
        f"MCTS with 20 simulations, rewards of {len(rewards_won)} games against random answers: {rewards_won}"
    )
