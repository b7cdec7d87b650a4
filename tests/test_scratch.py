"""Fields that a phase works with are zero outside it: equal positions are equal bytes."""

from typing import Final

import numpy as np
import pytest

from smallcity_env import Config
from smallcity_env.rules.phases.pollution import DYING, TRAMPLING
from smallcity_env.rules.phases.visit import PARTING
from smallcity_env.rules.tables import Phase
from tests.random_games import EVERYTHING, random_config, table

BUILDING: Final = (Phase.BUILD, Phase.COUNCIL, Phase.SELECT)
ADVANCING: Final = (Phase.COUNCIL, Phase.SELECT)
WALKING: Final = ((Phase.POLLUTION, TRAMPLING),)
# the phases, or phases and parts, in which each field may be set
USED: Final = {
    "kind": (*BUILDING, Phase.SETUP),
    **dict.fromkeys(("upgrade", "anchor", "warehouse_due"), BUILDING),
    **dict.fromkeys(("builds", "enlarged", "architect_used", "took"), (Phase.BUILD,)),
    **dict.fromkeys(("council_size", "council_row", "tourism_column"), ADVANCING),
    **dict.fromkeys(("advances", "free_advances"), ADVANCING),
    "waiting": (Phase.MOVE, Phase.INCOME),
    **dict.fromkeys(("waiting_riders", "free", "sent", "destination"), (Phase.MOVE,)),
    "asked_borough": (Phase.MOVE, Phase.INCOME),
    "space": (Phase.SELECT, Phase.MOVE, Phase.INCOME, *WALKING),
    **dict.fromkeys(("goods", "product"), (Phase.SELECT, Phase.INCOME, Phase.COUNCIL)),
    **dict.fromkeys(("stones", "goods_abroad", "second", "product_from"), (Phase.INCOME,)),
    "deaths": ((Phase.POLLUTION, DYING),),
    **dict.fromkeys(("start", "die", "hosts", "stayed", "steps_left", "heading", "head", "tail"), WALKING),
    "to_clean": (Phase.SELECT,),
    "returned": ((Phase.VISIT, PARTING),),
}
SOLO: Final = Config(players=1, modules=["godzillas"])
TOKYO: Final = Config(players=2, boards=("tokyo", "ulaanbaatar"), modules=["mayor", "godzillas"])


def unused(name: str, phase: np.ndarray, part: np.ndarray) -> np.ndarray:
    """The games in whose moment a field has no use."""
    used = np.zeros(len(phase), np.bool_)
    for when in USED[name]:
        used |= phase == when if isinstance(when, Phase) else (phase == when[0]) & (part == when[1])
    return ~used


@pytest.mark.parametrize(
    "config", [SOLO, TOKYO, EVERYTHING, *map(random_config, range(6))], ids=lambda config: str(config)[:60]
)
def test_what_a_phase_works_with_is_forgotten_when_it_ends(config: Config) -> None:
    played = table(config, games=4, seed=11, generous=True)
    for _ in played.play():
        phase, part = played.states["phase"], played.states["part"]
        for name in USED:
            set_ = played.states[name].reshape(len(phase), -1).any(axis=1)
            assert not (set_ & unused(name, phase, part)).any(), (name, phase[set_], part[set_])
