"""The recipes with their real libraries: their checkers pass, they train, and what they train plays.

`make test` runs those whose library the extra `dev` brings; `make ecosystem` runs all.
"""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from measure import win_share
from run import BEGIN, END, RECIPES, main, write
from smallcity_agents import make, sees_view
from smallcity_env import Config, batch
from smallcity_env.refusal import install
from smallcity_env.rules.rng import streams

from .agents.test_search import last_questions
from .interpreter import ROOT

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of other people's libraries
LEARNING = {
    "sb3": ("sb3_contrib", 4096),
    "cleanrl": ("torch", 4096),
    "torchrl": ("torchrl", 2048),
    "tianshou": ("tianshou", 2000),
    "rllib": ("ray.rllib", 2048),
    "rllib_bots": ("ray.rllib", 2048),
}
PAGE = ROOT / "docs" / "ecosystem.md"


@pytest.mark.parametrize("name", LEARNING)
def test_a_recipe_passes_the_checker_and_trains_a_policy(name: str) -> None:
    library, steps = LEARNING[name]
    pytest.importorskip(library, exc_type=ImportError)  # ray without its extra rllib is no RLlib
    recipe = RECIPES[name].load()
    assert getattr(recipe, RECIPES[name].check)()
    policy = getattr(recipe, RECIPES[name].train)(steps)
    assert 0 <= win_share(policy, games=8) <= 1  # an illegal answer would lose at once or raise
    legal = batch.new_masks(4)
    states = batch.new(4, Config(players=2), range(4), legal)
    actions = np.asarray(policy(batch.observe(states, states["seat"]), legal))
    assert legal[np.arange(4), actions].all()


def test_past_versions_of_rllibs_module_play_and_are_replaced() -> None:
    pytest.importorskip("ray.rllib", exc_type=ImportError)
    recipe = RECIPES["rllib"].load()
    algorithm = recipe.self_play_config().training(train_batch_size_per_learner=256).build_algo()
    runner = algorithm.env_runner.module

    def current() -> list[str]:
        learnt = algorithm.get_module(recipe.SHARED).state_dict()
        past = {name: runner[name].state_dict() for name in recipe.PAST}
        return [name for name in past if all((past[name][key] == learnt[key]).all() for key in learnt)]

    replaced = [current() for _ in range(2 * recipe.EVERY) if algorithm.train()]
    algorithm.stop()
    assert replaced == [[], [recipe.PAST[1]], [], [recipe.PAST[2]]]


def test_a_seat_of_rllibs_league_always_learns() -> None:
    pytest.importorskip("ray.rllib", exc_type=ImportError)
    recipe = RECIPES["rllib"].load()
    seats = ("seat_0", "seat_1")
    games = [SimpleNamespace(id_=str(n)) for n in range(200)]
    played = {tuple(recipe.plays(seat, game) for seat in seats) for game in games}
    one = {(recipe.SHARED, past) for past in recipe.PAST} | {(past, recipe.SHARED) for past in recipe.PAST}
    assert played == one | {(recipe.SHARED, recipe.SHARED)}


def test_openspiel_accepts_the_game() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    recipe = RECIPES["openspiel"].load()
    assert recipe.check()
    pyspiel.random_sim_test(
        pyspiel.load_game("python_smallcity(players=3)"), num_sims=1, serialize=False, verbose=False
    )


def test_a_state_of_openspiel_follows_from_its_history() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    RECIPES["openspiel"].load()
    state = pyspiel.load_game("python_smallcity").new_initial_state()
    for move in range(60):
        state.apply_action(state.legal_actions()[move % len(state.legal_actions())])
    again = state.get_game().new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert (batch.clone(state.states) == batch.clone(again.states)).all()


def test_what_a_seat_hides_is_in_no_string_or_tensor_of_the_other() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    RECIPES["openspiel"].load()
    state = pyspiel.load_game("python_smallcity").new_initial_state()
    state.apply_action(7)
    while not (state.states["borough"]["promise"][0, :2] > 0).all():
        state.apply_action(state.legal_actions()[0])
    other = state.clone()
    other.states["borough"]["promise"][0, 1] += 1
    assert state.observation_tensor(0) == other.observation_tensor(0)
    assert state.information_state_string(0) == other.information_state_string(0)
    assert state.information_state_string(1) != other.information_state_string(1)


def test_openspiels_search_plays_ours() -> None:
    pytest.importorskip("pyspiel")
    assert RECIPES["openspiel"].load().play(simulations=4, seed=0) in (-1.0, 0.0, 1.0)


def test_openspiels_is_mcts_finds_the_best_last_answer() -> None:
    pytest.importorskip("pyspiel")
    agent = make("openspiel_mcts.IsMcts:sims=60")
    assert sees_view(agent.name)
    lasts = [(game, ends) for _, game, ends in last_questions(2, range(12)) if len(ends) < 20]
    assert lasts
    for game, ends in lasts:
        asked = game.states, np.array([game.seat]), game.mask()[None]
        first, again = (int(agent.act(*asked, streams([3]))[0]) for _ in range(2))
        assert first == again and (ends[first] > 0.5) == (max(ends.values()) > 0.5)


def test_a_recipe_without_its_library_says_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] in ("tianshou", "tianshou_dqn")]:
        monkeypatch.delitem(sys.modules, module)  # of another test
    monkeypatch.setitem(sys.modules, "tianshou", None)
    monkeypatch.setattr("sys.argv", ["run.py", "tianshou"])
    assert main() == 2
    assert capsys.readouterr().err == f"this needs tianshou: {install('ecosystem')}\n"


def test_the_table_has_a_row_for_every_recipe_with_its_glue() -> None:
    table = PAGE.read_text().partition(BEGIN)[2].partition(END)[0]
    cells = {row[1].strip(): row for row in (line.split("|") for line in table.splitlines()[2:])}
    assert list(cells) == [recipe.client for recipe in RECIPES.values()]
    for recipe in RECIPES.values():
        assert cells[recipe.client][3].strip() == str(recipe.glue())


def test_writing_the_table_keeps_rows_that_were_not_run(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text())
    client = RECIPES["sb3"].client
    write(page, {client: f"| {client} | new |\n"})
    kept = re.sub(rf"^\| {client}.*$", f"| {client} | new |", PAGE.read_text(), flags=re.MULTILINE)
    assert page.read_text() == kept
