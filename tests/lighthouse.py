"""More tests of the Lighthouse of docs/modules.md, run where the recipe has been applied."""

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_env import MODULES, Config, Game, batch
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.text.pieces import about
from smallcity_env.text.reasons import why_not
from tests.rulebook.test_lighthouse import EDGE, NONE, phase_4
from tests.rulebook.words import offered
from tests.scene import scene

INLAND = """
    P1 P1 P1 P1 P1 P1 P1
    P1 Hl Hl .  .  .  P1
    P1 Hl Hl .  .  .  P1
    P1 .  .  .  .  .  P1
    P1 .  .  .  .  .  P1
    P1 .  .  .  .  .  P1
    P1 P1 P1 P1 P1 P1 P1
"""


def test_LH1_one_a_player() -> None:
    assert "build lighthouse" not in offered(scene(EDGE, NONE, modules=("lighthouse",), money={0: 9}))


def test_LH2_a_contaminated_one_has_no_keeper() -> None:
    assert phase_4(EDGE.replace("Lh", "Lh:*"), NONE, others=("godzillas",)).ask.name != "KEEPER"


def test_LH2_the_doctor_is_paid_first() -> None:
    drawn = EDGE + "    Cl Cl Cl"
    game = phase_4(drawn, NONE, others=("doctors",), doctor=1)
    assert game.ask.name == "SALARY"
    game.step("yes")
    assert game.ask.name == "KEEPER"


def test_people_read_what_it_is_and_why_it_cannot_be_built() -> None:
    assert about(Kind.LIGHTHOUSE) == (
        "Lighthouse (Lh): 1 space, costs $2, needs a space on the outer edge of the zone, one a player. "
        "While its keeper is paid ($1 a round), it brings votes."
    )
    game = scene(INLAND, NONE, modules=("lighthouse",), money={0: 9})
    assert why_not(game.state, Kind.LIGHTHOUSE) == "it needs a space on the outer edge of the zone"


@pytest.mark.parametrize("name", ["greedy", "rollout:sims=2", "mcts:sims=2"])
def test_agents_play_with_it(name: str) -> None:
    states = batch.new(1, Config(2, ("lighthouse",)), [5])
    legal, agent, chance = batch.masks(states), make(name), streams([5])
    for _ in range(10):
        batch.step(states, agent.act(states, states["seat"].astype(np.int64), legal, chance), legal)


@pytest.mark.parametrize("modules", [("lighthouse",), MODULES])
def test_random_games_end_with_no_light_left_on(modules: tuple[str, ...]) -> None:
    game, chance = Game(Config(players=2, modules=modules), seed=3), np.random.default_rng(3)
    while not game.over:
        game.step(int(chance.choice(game.legal())))
    assert game == Game.from_text(game.to_text()) and "<svg" in game.svg()
    assert not game.state["borough"]["lit"].any()
