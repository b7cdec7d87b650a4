"""The simulation of the learner's queue, where its answer is known."""

import pytest

from smallcity_training.learner_queue import Costs, simulate, table

FAST = Costs(decisions=1000, play_seconds=10.0, learn_seconds=0.01, megabytes=0.0)


def test_with_a_learner_that_needs_no_time_the_cores_never_wait() -> None:
    outcome = simulate(FAST, cores=8)
    assert outcome.decisions_per_second == pytest.approx(8 * 1000 / 10, rel=0.05)
    assert outcome.playing == pytest.approx(1, abs=0.05) and outcome.dropped == 0


def test_a_busy_learner_is_the_limit_whatever_the_number_of_cores() -> None:
    slow = Costs(decisions=1000, play_seconds=1.0, learn_seconds=1.0, megabytes=0.0, max_lag=10)
    for cores in (16, 64):
        outcome = simulate(slow, cores)
        assert outcome.decisions_per_second == pytest.approx(1000, rel=0.05)
        assert outcome.learning > 0.95 and outcome.playing < 0.1


def test_a_full_link_is_the_limit_too() -> None:
    narrow = Costs(play_seconds=1.0, learn_seconds=0.0, megabytes=10.0, link=10.0)
    assert simulate(narrow, cores=20).link > 0.95


def test_rollouts_are_dropped_only_beyond_the_lag_allowed() -> None:
    strict, loose = (Costs(learn_seconds=0.5, max_lag=lag) for lag in (1, 10))
    assert simulate(strict, cores=20).dropped > 0.2 and simulate(loose, cores=20).dropped == 0


def test_machines_that_die_cost_what_they_had_played() -> None:
    dying = Costs(decisions=1000, play_seconds=10.0, learn_seconds=0.01, megabytes=0.0, deaths=36.0)
    lost = 1 - simulate(dying, cores=8).playing / simulate(FAST, cores=8).playing
    assert 0.02 < lost < 0.12  # a life of 100 s, half a rollout of 10 s lost with each


def test_the_table_has_a_line_for_each_number_of_cores() -> None:
    assert len(table(Costs(), [1, 10])) == 4
