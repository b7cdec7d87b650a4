"""The effect of single numbers in play, with the numbers in force: python -m tests.numbers_played NAME."""

import hashlib
import sys
from collections.abc import Callable
from typing import Any

from smallcity_env import Config, Game, batch
from tests.random_games import EVERYTHING, spread, table
from tests.reference.invariants import broken
from tests.scene import scene

HALL = """
    .  .  .
    .  .  .
    .  .  Hl Hl
    .  .  Hl Hl
"""
STOCKED = """
    .  .  .
    .  .  .
    .  .  Hl:w Hl:s
    .  .  Hl   Hl
"""
HARBOR = """
    Ha Ha .  Hl Hl
    Ha Ha .  Hl Hl
"""


def mine(game: Game) -> Any:
    return game.state["borough"][0]


def built(game: Game, tile: str) -> Game:
    """Build a tile wherever it can lie, with all that comes along."""
    game.step(f"build {tile}")
    while game.ask.name in ("WHERE", "WAY"):
        game.step(int(game.legal()[0]))
    return game


def cost() -> int:
    return int(mine(built(scene(HALL, HALL, money=5), "factory-1"))["money"])


def supply() -> bool:
    game = scene(HALL, HALL, money=5)
    return "build park-1" in [game.describe(action) for action in game.legal()]


def shape() -> int:
    return int(spread(mine(built(scene(STOCKED, HALL), "library"))["tiled"]).sum())


def map_space() -> bool:
    game = Game(Config(players=1))
    return bool(game.mask()[game.parse("at D4")])


def promise() -> int:
    home = "R1 R1\n. . Hl Hl\n. . Hl Hl"
    return scene(home, HALL, phase="visit", round=8, promise=4, difficulty=0).scores()[0]


def council() -> int:
    game = scene(HALL, HALL, phase="council", money=1)
    game.step("row finance")
    return int(mine(game)["money"])


def start_money() -> list[int]:
    return sorted(Game(Config(players=2)).state["borough"]["money"][:2].tolist())


def markers() -> int:
    game = scene(HARBOR, HALL, modules=("godzillas",), phase="pollution", round=5, die={0: 6})
    while game.phase.name == "POLLUTION":
        game.step(int(game.legal()[0]))
    return int(spread(mine(game)["markers"]).sum())


def votes() -> int:
    return int(mine(built(scene(STOCKED, HALL), "school"))["votes"])


def limit() -> bool:
    return built(scene(HALL, HALL, money=9), "park-1").phase.name == "BUILD"


def games(n: int = 2) -> str:
    """A hash of random games."""
    states = batch.new(n, Config(players=2), range(n))
    batch.rollout(states, range(n))
    return hashlib.sha256(states.tobytes()).hexdigest()


def sound() -> list[str]:
    """The invariants broken in a random game with all modules; there should be none."""
    play = table(EVERYTHING, 1, seed=3, generous=True)
    violations = [wrong for n in play.play() if n % 10 == 0 for wrong in broken(play.states)]
    return violations if batch.over(play.states).all() else ["the game did not end"]


def saved() -> str:
    """A save, in digits."""
    return Game(Config(players=2), seed=1).save().hex()


def log() -> str:
    return Game(Config(players=2), seed=1).log.to_text()


PLAYED: dict[str, Callable[[], object]] = {
    f.__name__: f
    for f in (cost, supply, shape, map_space, promise, council, start_money, markers, votes, limit, games,
              sound, saved, log)
}  # fmt: skip

if __name__ == "__main__":
    print(PLAYED[sys.argv[1]]())
