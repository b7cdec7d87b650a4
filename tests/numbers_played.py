"""The effect of single numbers in play, with the numbers in force: python -m tests.numbers_played NAME."""

import hashlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from smallcity_agents import make
from smallcity_agents.play.questions import question
from smallcity_env import Config, Game, batch
from smallcity_env.rules import actions
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import ROUNDS
from smallcity_env.text.notation import to_text
from tests.random_games import EVERYTHING, random_config, spread, table
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
ROOMS = """
    R1:0 Mu  Mu  Cl  Cl  Cl  .
    .    Mu  .   .   .   .   .
    Un   Un  .   Hl  Hl  .   .
    Un   Un  .   Hl  Hl  .   .
    Rc   Rc  Rc  .   .   .   .
    Rc   .   .   .   .   .   .
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
    return bool(game.mask()[game.parse("build park-1")])


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


def rooms() -> str:
    """Where a citizen at home can go: the people spaces of the four buildings, in reading order."""
    game = scene(ROOMS, HALL, modules=("new_buildings",), phase="move")
    return " ".join(actions.name(int(action)) for action in game.legal() if action < actions.BUILD)


def mediator() -> list[int]:
    """What a School and a Harbor leave of $5, with the Mediator."""
    towns = [built(scene(STOCKED, HALL, money=5, card="mediator"), tile) for tile in ("school", "harbor")]
    return [int(mine(town)["money"]) for town in towns]


def councilor() -> list[str]:
    """The question after the City Councilor is taken, the one after his advance, and where Phase 7 stops."""
    game = scene(HALL, HALL, phase="select", money=9, host=1, seat=0)
    game.step("card councilor")
    taken = game.ask.name
    game.step("row finance")
    return [taken, game.ask.name, scene(HALL, HALL, phase="council", money=9).phase.name]


def doctors() -> bool:
    """Whether a game with Doctors comes back from its text and its save."""
    game = Game(Config(players=2, modules=("doctors",)))
    return Game.from_text(game.to_text()) == game == Game.load(game.save())


def square() -> list[int]:
    """What promise 8 adds: with 6 x 6 filled in a zone of that size, and with the same in one of 7 x 7."""
    full = "\n".join(["P1 " * 6] * 6)
    given: dict[str, Any] = {"phase": "visit", "round": ROUNDS, "promise": 8, "difficulty": 2}
    return [scene(full, HALL, size={0: size, 1: 7}, **given).scores()[0] for size in (6, 7)]


def games(n: int = 2) -> str:
    """A hash of random games."""
    states = batch.new(n, Config(players=2), range(n))
    batch.rollout(states, range(n))
    return hashlib.sha256(states.tobytes()).hexdigest()


def saved() -> str:
    """A save, in digits."""
    return Game(Config(players=2), seed=1).save().hex()


def log() -> str:
    return Game(Config(players=2), seed=1).log.to_text()


def whole(seed: str) -> str:
    """What is wrong with a game of everything and one of a random config; empty if nothing is."""
    number = sum(seed.encode())
    for config in (EVERYTHING, random_config(number)):
        if wrong := _random(config, number) or _greedy(config, number):
            return f"{config}: {wrong}"
    return ""


def _random(config: Config, seed: int) -> str:
    """What is wrong with a game of random answers, looked at now and then."""
    play = table(config, 1, seed, generous=True)
    for n in play.play():
        if not play.legal.any() and not batch.over(play.states).all():
            return "a question without an answer"
        if n % 10 == 0 and (wrong := broken(play.states)):
            return str(wrong)
        if n % 40 == 0 and (wrong := _lost(play.states)):
            return str(wrong)
    return str(_lost(play.states) or "")


def _lost(states: batch.States) -> list[str]:
    """What is lost when a game is written, saved, described and drawn."""
    batch.validate(states)
    game = Game.from_text(to_text(states[0]))
    kept = {"text": game.states.tobytes() == states.tobytes(), "save": Game.load(game.save()) == game}
    if not game.over:
        asked = question(game.state, game.seat)
        kept["words"] = bool(asked.asks and all(game.describe(int(action)) for action in game.legal()))
    kept["picture"] = "<svg" in game.svg()
    return [name for name, right in kept.items() if not right]


def _greedy(config: Config, seed: int) -> str:
    """What is wrong with a game of greedy, which looks at nearly every number."""
    states, agent, chance = batch.new(1, config, [seed]), make("greedy"), streams([seed])
    legal = batch.masks(states)
    while legal.any():
        answer = agent.act(states, states["seat"].astype(np.int64), legal, chance)
        if not legal[0, answer[0]]:
            return "greedy gives an answer that is not legal"
        batch.step(states, answer, legal)
    return "" if batch.over(states).all() else "greedy's game did not end"


PLAYED: dict[str, Callable[..., object]] = {
    f.__name__: f
    for f in (cost, supply, shape, map_space, promise, council, start_money, markers, votes, limit, rooms,
              mediator, councilor, doctors, square, games, saved, log, whole)
}  # fmt: skip

if __name__ == "__main__":
    print(PLAYED[sys.argv[1]](*sys.argv[2:]))
