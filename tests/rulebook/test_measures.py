"""Section 13: what promises count in a borough where nothing stands is nothing."""

import pytest

from smallcity_env import Config, batch
from smallcity_env.rules import scoring
from smallcity_env.rules.tables.promises import Metric
from tests.random_games import table
from tests.scene import scene

SOMETHING = {Metric.NOTHING, Metric.GAPS, Metric.LIVING}  # of an empty borough


@pytest.mark.parametrize("metric", sorted(set(Metric) - SOMETHING), ids=lambda metric: metric.name)
def test_nothing_is_counted_in_an_empty_borough(metric: Metric) -> None:
    state = scene("", "", phase="build", pollution=0).state
    assert scoring.measure(state, 0, metric) == 0


def test_resampling_deals_no_special_promise_where_there_is_none() -> None:
    """Neither in the base game nor before the promises of an advanced one are dealt (AD1)."""
    for config in (Config(players=2), Config(players=2, advanced=True)):
        states = table(config, games=8, seed=1).states
        held = states["borough"]["special"] > 0
        forked = batch.fork(states, 0, range(len(states)))
        assert ((forked["borough"]["special"] > 0) == held).all()
