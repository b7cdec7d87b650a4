"""The walks of godzillas shown to people are those they make."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from smallcity_env import Config, Game
from smallcity_env.history import History
from smallcity_env.history.godzillas import Walk
from smallcity_env.log import Step, replay_steps
from smallcity_env.rules.tables import Ask
from smallcity_env.text.grid import members


def played(seed: int, edition: str) -> Game:
    game = Game(Config(players=2, modules=("godzillas",), godzilla_rules=edition), seed)
    chance = np.random.default_rng(seed)
    while not game.over:
        game.step(int(chance.choice(game.legal())))
    return game


def spaces(state: Any, seat: int, what: str) -> set[int]:
    return set(members(state["borough"][seat][what]))


def check(walk: Walk, step: Step) -> bool:
    """Check a walk against the states around it; False if its host was eliminated by it."""
    before, seat, path = step.before, step.entry.seat, walk.path
    if not (stands := spaces(step.after, seat, "godzilla")):
        return False
    assert len(path) > 1 and set(path[-2:]) == stands
    assert all(abs(a - b) in (1, 10) for a, b in pairwise(path))
    fresh = spaces(step.after, seat, "markers") - spaces(before, seat, "markers")
    assert fresh <= set(path) | spaces(before, seat, "godzilla") | {int(before["tail"])}
    return True


@pytest.mark.parametrize("edition", ["2022", "2016"])
def test_a_walk_ends_where_the_godzilla_stands_and_crosses_all_new_markers(edition: str) -> None:
    seen = 0
    for seed in range(15):
        game, history = played(seed, edition), History()
        history.catch_up(game.log)
        walks = {walk.number: walk for walk in history.walks}
        for number, step in enumerate(replay_steps(game.log)):
            assert (number in walks) == (step.entry.ask in (Ask.LEAVE_WAY, Ask.TURN))
            if number in walks and step.after["round_no"] == step.before["round_no"]:
                seen += check(walks[number], step)
        assert len(history.rolls) >= bool(walks)
        assert all(max(roll.dice) in range(1, 7) for roll in history.rolls)
    assert seen > 10
