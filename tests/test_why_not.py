"""Why something cannot be built: the reasons agree with the mask, and each is given where it applies."""

from typing import Any

import numpy as np
import pytest

from smallcity_env import Config, Game, batch
from smallcity_env.config import MODULES
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.rules.tables.tiles import BUILT_KINDS, TILES, UPGRADING_KINDS, Kind
from smallcity_env.rules.why_not import BUILDS, ENLARGE, UPGRADES, Reason
from smallcity_env.text.pieces import cost
from smallcity_env.text.reasons import why_not
from tests.rulebook.places import in_council
from tests.rulebook.words import play
from tests.scene import scene

TABLES = [
    Config(2),
    Config(4, MODULES),
    Config(3, MODULES, "river-expert"),
    Config(2, boards="mountain-expert"),
    Config(4, MODULES, ("shanghai", "tokyo", "bangkok", "delhi")),
    Config(4, (), ("seoul", "hong-kong", "beijing", "ulaanbaatar")),
]
GAMES = 32
PARK = "P1 . .\n. . .\nHl Hl .\nHl Hl ."


def agreeing(states: batch.States, legal: batch.Mask) -> Any:
    """The reasons in games that are asked what to build: none for what is offered, one for all else."""
    reasons = batch.why_not(states)
    tables = (0, BUILT_KINDS, actions.BUILD_ID), (UPGRADES, UPGRADING_KINDS, actions.UPGRADE_ID)
    for first, kinds, ids in tables:
        assert ((reasons[:, first + kinds] == Reason.NONE) == legal[:, ids[kinds]]).all()
    assert ((reasons[:, ENLARGE] == Reason.NONE) == legal[:, actions.ENLARGE]).all()
    return reasons


@pytest.mark.parametrize("config", TABLES, ids=str)
def test_reasons_agree_with_the_mask(config: Config) -> None:
    legal = batch.new_masks(GAMES)
    states = batch.new(GAMES, config, range(GAMES), legal)
    streams = np.arange(1, GAMES + 1, dtype=np.uint64)
    positions, seen = 0, set()
    while not batch.over(states).all():
        asked = np.flatnonzero(states["ask"] == Ask.WHAT)
        if len(asked):
            reasons = agreeing(batch.take(states, asked), legal[asked])
            positions += len(asked)
            seen |= set(np.unique(reasons[:, :BUILDS]).tolist())
        batch.step(states, batch.pick(legal, streams), legal)
    assert positions > 300
    assert {Reason.TURN, Reason.MONEY, Reason.MATERIAL, Reason.NO_OLD_TILE, Reason.CRITERION} <= seen


@pytest.mark.parametrize("answers", [[], ["build park-1", "at C1"], ["enlarge"]], ids=" ".join)
def test_reasons_in_a_turn(answers: list[str]) -> None:
    modules = ["power_plants"] if "enlarge" in answers else []  # a plant may follow
    game = play(scene(PARK, "", money=30, modules=modules, powered="ABC"), *answers)
    assert game.ask is Ask.WHAT
    agreeing(game.states, game.mask()[None])


@pytest.mark.parametrize("size", [1, 2, 3])
def test_reasons_of_the_council(size: int) -> None:
    game = in_council(size, PARK, "")
    assert game.ask is Ask.WHAT
    agreeing(game.states, game.mask()[None])


def test_a_building_that_may_stand_once_stands() -> None:
    assert why_not(scene(f"Sc {PARK}", money=30).state, Kind.SCHOOL) == "you may have no more of them"


def test_in_delhi_an_upgrade_needs_no_ground_of_its_own() -> None:
    state = scene("R1 .\n. .", boards="delhi", money=30).state
    needs = "it needs 2 different public buildings and no factory beside it"
    assert why_not(state, Kind.RESIDENTIAL_2, upgrade=True) == needs


def building(*answers: str) -> Game:
    game = Game(Config(2), seed=7)
    for answer in ["at C3", "at D4", "promise 6", "promise 12", "at F7", "card opponent", "card mayor"]:
        game.step(answer)
    assert game.phase is Phase.BUILD
    for answer in answers:
        game.step(answer)
    return game


def test_reasons_in_words() -> None:
    game, price = building(), int(TILES[Kind.PARK_3]["money"])
    game.state["borough"]["money"] = price - 1
    assert why_not(game.state, Kind.PARK_1) == ""
    assert why_not(game.state, Kind.PARK_3) == f"it costs ${price}, you have ${price - 1}"
    assert why_not(game.state, Kind.SCHOOL) == f"it costs {cost(Kind.SCHOOL)}, you have 0"
    assert (
        why_not(game.state, Kind.RESIDENTIAL_2)
        == "it needs 2 different public buildings and no factory beside it"
    )
    assert why_not(game.state, Kind.COMMERCIAL_1) == "it needs a home beside it"
    assert why_not(game.state, Kind.REFINERY) == "it needs a factory beside it"
    assert why_not(game.state, Kind.PARK_2, upgrade=True) == "there is no smaller park to upgrade"
    assert why_not(game.state, Kind.POLICE) == "only the City Council builds it"
    assert why_not(game.state, Kind.BANK) == "it is not in this game"


def test_reasons_after_builds() -> None:
    game = building("build park-1", "at A1")
    assert (
        why_not(game.state, Kind.PARK_2, upgrade=True) == "a tile built this round cannot be upgraded in it"
    )
    game.step("no")
    assert why_not(game.state, Kind.PARK_1) != "" or game.phase is Phase.BUILD
