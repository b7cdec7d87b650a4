"""Whole games as text, to be read, reviewed and replayed: tests/golden/*.txt.

python -m tests.golden_games      # rewrites them; review with `git diff`, then see tests/behaviour.py
"""

import hashlib
from pathlib import Path

import numpy as np

from smallcity_env import MODULES, Config, Game
from smallcity_env.rules import actions
from tests import behaviour
from tests.random_games import EVERYTHING

FOLDER = Path(__file__).parent / "golden"
SEED = 2026


def _with(module: str) -> tuple[str, ...]:
    """A module, and the one it needs."""
    return ("new_buildings", module) if module == "promise_cards" else (module,)


GOLDEN = {
    "solo": Config(players=1, modules=()),
    "two": Config(players=2, modules=()),
    "three-economics": Config(players=3, modules=(), victory="economics", advanced=True),
    "four-expert": Config(players=4, modules=(), boards="base-expert", victory="culture", advanced=True),
    "population": Config(players=2, modules=(), victory="population", advanced=True),
    **{f"module-{m.replace('_', '-')}": Config(2, _with(m), advanced=m == "promise_cards") for m in MODULES},
    "solo-godzilla": Config(players=1, modules=("godzillas",), stockholm=True),
    "terrain": Config(4, (), ("mountain-easy", "mountain-expert", "river-easy", "river-expert")),
    "asia-west": Config(4, (), ("shanghai", "seoul", "hong-kong", "tokyo")),
    "asia-east": Config(4, (), ("beijing", "bangkok", "delhi", "ulaanbaatar")),
    "everything": EVERYTHING,
}


def played(config: Config) -> Game:
    """A game played at random, with builds a little likelier."""
    game = Game(config, seed=SEED)
    rng = np.random.default_rng(SEED)
    while not game.over:
        legal = game.legal()
        eager = legal[(legal != actions.NO)] if rng.random() < 0.7 else legal
        game.step(int(rng.choice(eager if len(eager) else legal)))
    return game


def fingerprint(game: Game) -> str:
    """A short hash of the final state."""
    return hashlib.sha256(game.states.tobytes()).hexdigest()[:16]


def to_text(game: Game) -> str:
    """A game as text: config, every answer under its round and phase, and the result."""
    lines = [str(game.config), f"seed {SEED}"]
    twin = Game(game.config, seed=SEED)
    shown: tuple[int, str] = (-1, "")
    for entry in (entry for entry in game.log.entries if not entry.forced):
        now = (twin.round, twin.phase.name.lower())
        if now != shown:
            lines.append(f"\nround {now[0]} {now[1]}")
            shown = now
        lines.append(f"  {entry}")
        twin.step(entry.action)
    forced = sum(entry.forced for entry in game.log.entries)
    lines += ["", f"forced answers {forced}", f"scores {game.scores()}", f"ranking {game.ranking()}"]
    return "\n".join([*lines, f"state {fingerprint(game)}", ""])


def answers(text: str) -> list[str]:
    """The answers a golden text gives, in order."""
    return [line.split(": ", 1)[1] for line in text.splitlines() if line.startswith("  seat ")]


def write_all() -> None:
    """Play every game and write it down."""
    FOLDER.mkdir(exist_ok=True)
    for name, config in GOLDEN.items():
        (FOLDER / f"{name}.txt").write_text(to_text(played(config)))


if __name__ == "__main__":
    write_all()
    print(behaviour.warning())
