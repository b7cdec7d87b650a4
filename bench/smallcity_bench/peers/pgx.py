"""pgx: chess, backgammon and connect four in JAX, 1,024 games at once, on the processor.

A run is several steps of the whole batch inside one compiled loop, with its own `act_randomly` and
`auto_reset`; observations and masks are part of its states. The cost of a step hardly depends on the
position, so a few are enough. Compiling is part of the set-up and reported separately.
"""

import os
from importlib import import_module
from typing import Any, Final

from ..measure import Case, Ready, Tally

BATCH: Final = 1024
STEPS: Final = {"chess": 1, "backgammon": 4, "connect_four": 64}  # per run, fewer where a step takes longer
ONE_CORE: Final = {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def cases() -> list[Case]:
    """Three games."""
    return [_case(name) for name in STEPS]


def _case(name: str) -> Case:
    return Case(
        f"pgx/{name}", "pgx", f"pgx {name.replace('_', ' ')}, {BATCH:,} games, observation and mask",
        "steps of the whole batch in one compiled loop", lambda: _prepare(name), needs=("pgx", "jax"),
    )  # fmt: skip


def _prepare(name: str) -> Ready:
    for setting, value in ONE_CORE.items():
        os.environ.setdefault(setting, value)
    jax: Any = import_module("jax")
    env = import_module("pgx").make(name)
    loop = jax.jit(_loop(jax, env, STEPS[name]))
    keys = jax.random.split(jax.random.PRNGKey(0), BATCH)
    carry_over = [jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(1)]

    def run() -> Any:
        carry_over[0], carry_over[1], counted = loop(*carry_over)
        return jax.block_until_ready(counted)

    def tally(counted: Any) -> Tally:
        forced, ended = (int(number) for number in counted)
        return Tally(STEPS[name] * BATCH - forced, forced, ended)

    return Ready(run, tally)


def _loop(jax: Any, env: Any, steps: int) -> Any:
    """A loop of random steps that counts forced answers and finished games."""
    wild = import_module("pgx.experimental")
    step = jax.vmap(wild.auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key, forced, ended = carry
        key, choice, chance = jax.random.split(key, 3)
        forced += (state.legal_action_mask.sum(axis=1) == 1).sum()
        action = wild.act_randomly(choice, state.legal_action_mask)
        state = step(state, action, jax.random.split(chance, BATCH))
        return (state, key, forced, ended + state.terminated.sum()), None

    def loop(state: Any, key: Any) -> Any:
        (state, key, forced, ended), _ = jax.lax.scan(one, (state, key, 0, 0), None, length=steps)
        return state, key, (forced, ended)

    return loop
