"""Tuning greedy: which games it plays, and how it decides what is better."""

from typing import Any

import pytest

from smallcity_agents.evaluation.weights import weights_of
from smallcity_training import fit_greedy_weights, tune


@pytest.mark.parametrize(("words", "games"), [([], tune.GAMES), (["--solo"], tune.SOLO)])
def test_solo_tunes_for_games_alone(words: list[str], games: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def tuned(base: Any, options: tune.Options, executor: Any) -> tuple[Any, int]:
        seen["options"] = options
        return base, 0

    def better(new: Any, old: Any, seed: int, config: tune.Config) -> tuple[float, float]:
        seen["config"] = config
        return 0.0, 1.0

    monkeypatch.setattr(tune, "tune", tuned)
    monkeypatch.setattr(tune, "better", better)
    monkeypatch.setattr("sys.argv", ["tune", "--dry", "--candidates", "6", "--pairs", "5", *words])
    tune.main()
    assert seen["options"].games == games and seen["config"] == games[0]
    assert (seen["options"].candidates, seen["options"].pairs) == (6, 5)


def test_alone_the_weights_for_games_alone_are_better_and_nothing_beats_itself() -> None:
    solo, tuned = weights_of("solo"), weights_of("tuned")
    margin, p_value = tune.better(solo, tuned, seed=3, pairs=40, config=tune.SOLO[0])
    assert margin > 15 and p_value < 0.001
    assert tune.better(tuned, solo, seed=3, pairs=40, config=tune.SOLO[0])[0] == pytest.approx(-margin)
    assert tune.better(solo, solo, seed=3, pairs=10, config=tune.SOLO[0])[0] == 0


def test_fitting_to_final_scores_starts_from_the_base_and_keeps_what_is_known() -> None:
    base = weights_of("start")
    fitted, error = fit_greedy_weights.fit(base, generations=1, games=4, seed=1)
    assert fitted["promise"] == 1 and 0 < error < 100
    assert not (fitted == base).all()
    unchanged, _ = fit_greedy_weights.fit(base, generations=0, games=4, seed=1)
    for name in tune.TUNED:
        assert unchanged[name][0] == pytest.approx(max(base[name][0], tune.MIN_WEIGHT)), name
