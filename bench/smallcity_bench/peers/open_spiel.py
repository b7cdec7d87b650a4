"""OpenSpiel: chess and backgammon, in C++ by `evaluate_bots`, from Python, and its C++ MCTS.

In C++ a run is several whole games of two uniform random bots. Every move of a player counts as a decision,
dice rolls do not; forced moves count too, and their share is estimated beforehand by replaying a few games.
From Python a run is a whole game with a numpy observation and a mask at every move.
The MCTS bot searches mid-game positions of backgammon; a simulation is one descent and one random playout,
as counted by the root of its tree.
"""

from importlib import import_module
from itertools import count
from random import Random
from typing import Any, Final

from ..measure import AMONG, Case, Ready, Tally

GAMES: Final = ("chess", "backgammon")
PLAYED: Final = 4  # games of a run in C++
SAMPLE: Final = 8  # games in which forced moves are counted, positions that are searched
MIDDLE: Final = 40  # moves before a search of backgammon: at most half the length of a random game
SIMULATIONS: Final = 64
EXPLORE: Final = 2.0  # the constant of UCT
MEGABYTES: Final = 1000
NEEDS: Final = ("pyspiel", "open_spiel")


def cases() -> list[Case]:
    """Both games from C++ and from Python, and the search."""
    return [*(_in_cpp(name) for name in GAMES), *(_from_python(name) for name in GAMES), _mcts()]


def _in_cpp(name: str) -> Case:
    def prepare() -> Ready:
        game, turn = import_module("pyspiel").load_game(name), count()
        share = _forced_share(game)

        def tally(states: Any) -> Tally:
            moves = sum(len(_moves(state)) for state in states)
            return Tally(moves, round(share * moves), len(states))

        return Ready(lambda: [_random_game(game, next(turn)) for _ in range(PLAYED)], tally)

    counts = "whole games by evaluate_bots; forced moves count as decisions, dice do not"
    what = f"OpenSpiel {name}, C++, evaluate_bots"
    return Case(f"open_spiel/{name}/c++", "OpenSpiel", what, counts, prepare, forced=AMONG, needs=NEEDS)


def _random_game(game: Any, seed: int) -> Any:
    """The final state of a game between two random bots."""
    spiel, state = import_module("pyspiel"), game.new_initial_state()
    bots = [spiel.make_uniform_random_bot(player, 2 * seed + player) for player in range(2)]
    spiel.evaluate_bots(state, bots, seed)
    return state


def _moves(state: Any) -> list[int]:
    """The players' moves, without dice rolls."""
    return [step.action for step in state.full_history() if step.player >= 0]


def _forced_share(game: Any) -> float:
    """The share of forced moves, from replaying a few games."""
    options: list[int] = []
    for seed in range(SAMPLE):
        again = game.new_initial_state()
        for step in _random_game(game, seed).full_history():
            if step.player >= 0:
                options.append(len(again.legal_actions()))
            again.apply_action(step.action)
    return options.count(1) / len(options)


def _from_python(name: str) -> Case:
    def prepare() -> Ready:
        game = import_module("pyspiel").load_game(name)
        view = import_module("open_spiel.python.observation").make_observation(game)
        chance = Random(0)
        return Ready(lambda: _python_game(game.new_initial_state(), view, chance), lambda tally: tally)

    return Case(
        f"open_spiel/{name}/python", "OpenSpiel", f"OpenSpiel {name}, Python, observation and mask",
        "whole games from Python, the observation in its numpy buffer and the mask each", prepare,
        needs=NEEDS,
    )  # fmt: skip


def _python_game(state: Any, view: Any, chance: Random) -> Tally:
    """A random game, observed before every move."""
    done = forced = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_rolled(state, chance))
            continue
        view.set_from(state, state.current_player())
        state.legal_actions_mask()
        legal = state.legal_actions()
        state.apply_action(legal[int(chance.random() * len(legal))])
        done += 1
        forced += len(legal) == 1
    return Tally(done - forced, forced, 1)


def _rolled(state: Any, chance: Random) -> int:
    """A random outcome of the dice."""
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return int(chance.choices(outcomes, weights)[0])


def _mcts() -> Case:
    def prepare() -> Ready:
        spiel = import_module("pyspiel")
        game = spiel.load_game("backgammon")
        positions = [_middle(game, Random(seed)) for seed in range(SAMPLE)]
        bot = spiel.MCTSBot(
            game, spiel.RandomRolloutEvaluator(1, 0), EXPLORE, SIMULATIONS, MEGABYTES, False, 0, False
        )

        def run() -> int:
            return sum(bot.mcts_search(position).explore_count for position in positions)

        return Ready(run, lambda simulations: Tally(simulations, 0, simulations))

    return Case(
        "open_spiel/backgammon/mcts", "OpenSpiel", "OpenSpiel backgammon, C++ MCTS bot, mid-game",
        f"{SIMULATIONS} simulations in each of {SAMPLE} positions, one random playout each", prepare,
        "playouts", needs=NEEDS,
    )  # fmt: skip


def _middle(game: Any, chance: Random) -> Any:
    """A mid-game position of a random game with more than one legal move."""
    state, moves = game.new_initial_state(), 0
    while moves < MIDDLE or state.is_chance_node() or len(state.legal_actions()) == 1:
        if state.is_terminal():
            return _middle(game, chance)
        if state.is_chance_node():
            state.apply_action(_rolled(state, chance))
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            moves += 1
    return state
