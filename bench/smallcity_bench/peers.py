"""The cases of others. Where forced answers cannot be told apart, they count in their favour.

catanatron   whole games of Catan by `Game.play` with four `RandomPlayer`s; every answer, forced ones too
OpenSpiel    C++: whole games of two uniform random bots by `evaluate_bots`; every move, no dice
             Python: whole games with a numpy observation and a mask at every move; moves with a choice
             MCTS: its C++ bot on mid-game positions of backgammon; simulations, as its root counts them
envpool      steps of 1,024 games of backgammon in C++, one thread, answers chosen by our compiled code;
             every step but those that only begin a game, forced ones too
pgx          steps of 1,024 games in one compiled loop of JAX, on the processor; steps with a choice
PettingZoo   whole games of connect four by the loop that plays ours; steps with a choice
"""

import os
from importlib import import_module
from itertools import count
from random import Random
from typing import Any, Final

import numpy as np

from smallcity_env import batch
from smallcity_env.rules.rng import streams

from .measure import Case, Ready, Tally
from .ours import aec_run

ROLLOUT, VECTOR, AEC = "rollout/godzillas/4/1", "vector/godzillas/4/1024", "aec/godzillas/4"
SPIEL: Final = ("pyspiel", "open_spiel")
SPIEL_GAMES: Final = 4  # of a run in C++
POSITIONS: Final = 8  # that are searched
MIDDLE: Final = 80  # moves and rolls before a search of backgammon: at most half a random game
SIMULATIONS: Final = 64
C_UCT, MEGABYTES = 2.0, 1000
BATCH: Final = 1024
ENVPOOL_STEPS: Final = 8  # of one run
MIXED: Final = 300  # steps after which the games of envpool no longer begin together
PGX_STEPS: Final = {"chess": 1, "backgammon": 4, "connect_four": 64}  # fewer where a step takes longer
ONE_CORE: Final = {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def cases() -> list[Case]:
    """All cases of the peers."""
    return [
        Case("catanatron", "catanatron, 4 random players", _catanatron, needs=("catanatron",), like=ROLLOUT),
        *(_spiel(name) for name in ("chess", "backgammon")),
        *(_spiel_python(name) for name in ("chess", "backgammon")),
        Case("open_spiel/backgammon/mcts", "OpenSpiel backgammon, C++ MCTS bot, mid-game", _spiel_mcts,
             "playouts", needs=SPIEL, like="playouts/godzillas/4"),
        Case("envpool/backgammon", f"envpool backgammon, {BATCH:,} games, observation and mask", _envpool,
             needs=("envpool",), like=VECTOR),
        *(_pgx(name) for name in PGX_STEPS),
        Case("pettingzoo/connect_four", "PettingZoo connect four, env()", _pettingzoo,
             needs=("pettingzoo", "pygame"), like=AEC),
    ]  # fmt: skip


def _catanatron() -> Ready:
    catan = import_module("catanatron")

    def run() -> Any:
        game = catan.Game([catan.RandomPlayer(color) for color in catan.Color])
        game.play()
        return game

    return Ready(run, lambda game: Tally(len(game.state.actions), 1))


def _spiel(name: str) -> Case:
    def prepare() -> Ready:
        spiel, turn = import_module("pyspiel"), count()
        game = spiel.load_game(name)

        def play(seed: int) -> Any:
            state = game.new_initial_state()
            bots = [spiel.make_uniform_random_bot(player, 2 * seed + player) for player in range(2)]
            spiel.evaluate_bots(state, bots, seed)
            return state

        def tally(states: Any) -> Tally:
            moves = sum(step.player >= 0 for state in states for step in state.full_history())
            return Tally(moves, len(states))

        return Ready(lambda: [play(next(turn)) for _ in range(SPIEL_GAMES)], tally)

    what = f"OpenSpiel {name}, C++, evaluate_bots"
    return Case(f"open_spiel/{name}/c++", what, prepare, needs=SPIEL, like=ROLLOUT)


def _spiel_python(name: str) -> Case:
    def prepare() -> Ready:
        game = import_module("pyspiel").load_game(name)
        view = import_module("open_spiel.python.observation").make_observation(game)
        chance = Random(0)
        return Ready(lambda: _spiel_game(game.new_initial_state(), view, chance))

    what = f"OpenSpiel {name}, Python, observation and mask"
    return Case(f"open_spiel/{name}/python", what, prepare, needs=SPIEL, like=VECTOR)


def _spiel_game(state: Any, view: Any, chance: Random) -> Tally:
    """A random game, observed before every move."""
    decisions = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            view.set_from(state, state.current_player())
            state.legal_actions_mask()
            decisions += len(state.legal_actions()) > 1
        _random_step(state, chance)
    return Tally(decisions, 1)


def _random_step(state: Any, chance: Random) -> None:
    """A random move, or a roll of the dice."""
    options, weights = state.legal_actions(), None
    if state.is_chance_node():
        options, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(chance.choices(options, weights)[0])


def _spiel_mcts() -> Ready:
    spiel = import_module("pyspiel")
    game, evaluator = spiel.load_game("backgammon"), spiel.RandomRolloutEvaluator(1, 0)
    positions = [_middle(game, Random(seed)) for seed in range(POSITIONS)]
    bot = spiel.MCTSBot(game, evaluator, C_UCT, SIMULATIONS, MEGABYTES, False, 0, False)

    def run() -> Tally:
        done = sum(bot.mcts_search(position).explore_count for position in positions)
        return Tally(done, done)

    return Ready(run)


def _middle(game: Any, chance: Random) -> Any:
    """A mid-game position of a random game, after the dice are rolled."""
    state = game.new_initial_state()
    while state.move_number() < MIDDLE or state.is_chance_node():
        _random_step(state, chance)
    return state


def _envpool() -> Ready:
    make = import_module("envpool").make_gymnasium
    env = make("Backgammon-v1", num_envs=BATCH, batch_size=BATCH, num_threads=1, seed=0)
    info: Any = env.reset()[1]
    masks, chance = batch.new_masks(BATCH), streams(np.arange(BATCH))

    def play(steps: int) -> Tally:
        nonlocal info
        ended = 0
        for _ in range(steps):
            legal = info["legal_action_mask"]
            masks[:, : legal.shape[1]] = legal  # padded to our width, for our random choice
            chosen = batch.pick(masks, chance).astype(np.int32)
            _, _, over, _, info = env.step(chosen, info["env_id"])
            ended += int(np.count_nonzero(over))
        return Tally(steps * BATCH - ended, ended)

    play(MIXED)
    return Ready(lambda: play(ENVPOOL_STEPS))


def _pgx(name: str) -> Case:
    def prepare() -> Ready:
        for setting, value in ONE_CORE.items():
            os.environ.setdefault(setting, value)
        jax: Any = import_module("jax")
        env = import_module("pgx").make(name)
        loop = jax.jit(_pgx_loop(jax, env, PGX_STEPS[name]))
        keys = jax.random.split(jax.random.PRNGKey(0), BATCH)
        carry = [jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(1)]

        def run() -> Any:
            carry[0], carry[1], counted = loop(*carry)
            return jax.block_until_ready(counted)

        return Ready(run, lambda counted: Tally(*(int(number) for number in counted)))

    what = f"pgx {name.replace('_', ' ')}, {BATCH:,} games, observation and mask"
    return Case(f"pgx/{name}", what, prepare, needs=("pgx", "jax"), like=VECTOR)


def _pgx_loop(jax: Any, env: Any, steps: int) -> Any:
    """A loop of random steps that counts those with a choice, and finished games."""
    wild = import_module("pgx.experimental")
    step = jax.vmap(wild.auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key, decisions, ended = carry
        key, choice, chance = jax.random.split(key, 3)
        decisions += (state.legal_action_mask.sum(axis=1) > 1).sum()
        action = wild.act_randomly(choice, state.legal_action_mask)
        state = step(state, action, jax.random.split(chance, BATCH))
        return (state, key, decisions, ended + state.terminated.sum()), None

    def loop(state: Any, key: Any) -> Any:
        (state, key, *counted), _ = jax.lax.scan(one, (state, key, 0, 0), None, length=steps)
        return state, key, counted

    return loop


def _pettingzoo() -> Ready:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    return aec_run(import_module("pettingzoo.classic.connect_four_v3").env())
