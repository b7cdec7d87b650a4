"""The comparison of the forms of observations: it trains on each, and reports what it wrote."""

from pathlib import Path

import pytest

from smallcity_training import observations


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_form_is_trained_on_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(observations, "GAMES", 2)
    monkeypatch.setattr(observations, "HYPERPARAMETERS", {"n_steps": 8, "batch_size": 8, "n_epochs": 1})
    for seed in ("1", "10"):
        observations.main(["--steps", "32", "--every", "16", "--seed", seed, "--folder", str(tmp_path)])
    trials = observations.trials(tmp_path)
    assert trials == [(form, seed) for form in observations.FORMS for seed in (1, 10)]
    for trial in trials:
        points = observations.load(trial.path(tmp_path))
        assert [point.steps for point in points] == [0, 16, 32]
        assert all(0 <= share <= 1 for point in points for share in point.wins.values())
    observations.main(["--report", str(tmp_path / "curves.png"), "--folder", str(tmp_path)])
    assert capsys.readouterr().out.count("| 32 |") == 6
    assert (tmp_path / "curves.png").stat().st_size > 5000
