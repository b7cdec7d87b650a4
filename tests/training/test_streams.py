"""PPO with streams of rollouts: order, staleness, resuming, and workers that come and go."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from smallcity_agents.cluster import Pool, Threads, Workers
from smallcity_env.cli import main
from smallcity_env.refusal import Refused
from smallcity_training.run import read_log
from smallcity_training.streams import StreamPPO, play_stream

from .tiny import resume, start

STREAMS: dict[str, Any] = {
    "steps": 1200,
    "streams": 3,
    "games": 8,
    "pool_every": 400,
}


class LastFirst(Workers):
    """Workers whose newest rollout comes first: the oldest ones wait until no other is left."""

    def ready(self) -> list[Any]:
        self._waiting.rotate(1)
        return super().ready()


def test_a_run_of_streams_resumes_exactly(tmp_path: Path) -> None:
    whole = start("ppo", tmp_path / "whole", **STREAMS)
    assert isinstance(whole, StreamPPO)
    whole.train()
    start("ppo", tmp_path / "part", **STREAMS).train(until=500)
    rest = resume("ppo", tmp_path / "part")
    assert 0 < rest.steps < 1200 and len(rest.snapshots) > 1  # rollouts of older weights are on their way
    rest.train()
    for name, tensor in whole.net.state_dict().items():
        assert torch.equal(tensor, rest.net.state_dict()[name]), name
    assert read_log(tmp_path / "part", "arrivals") == read_log(tmp_path / "whole", "arrivals")
    assert rest.finished == whole.finished > 0


def test_a_stopped_run_of_streams_is_saved_and_resumes_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = start("ppo", tmp_path / "whole", **STREAMS)
    whole.train()
    stopped = start("ppo", tmp_path / "stopped", **STREAMS)
    learn = stopped.learn

    def stop_later(*args: Any) -> Any:
        if stopped.version == 3:  # with rollouts on their way
            os.kill(os.getpid(), signal.SIGINT)
        return learn(*args)

    monkeypatch.setattr(stopped, "learn", stop_later)
    with pytest.raises(KeyboardInterrupt):
        stopped.train()
    rest = resume("ppo", tmp_path / "stopped")
    rest.train()
    assert all(torch.equal(a, b) for a, b in zip(whole.net.parameters(), rest.net.parameters(), strict=True))


def test_stale_rollouts_are_dropped_and_logged(tmp_path: Path) -> None:
    run = start("ppo", tmp_path / "run", **STREAMS | {"max_lag": 0})
    run.executor = LastFirst()
    run.train()
    arrivals = read_log(tmp_path / "run", "arrivals")
    assert any(not line["used"] for line in arrivals)
    assert all(line["used"] == (line["steps"] - line["version"] <= 0) for line in arrivals)
    assert sum(line["dropped"] for line in read_log(tmp_path / "run", "progress")) == sum(
        not line["used"] for line in arrivals
    )


def test_a_rollout_is_the_same_wherever_it_is_played(tmp_path: Path) -> None:
    run = start("ppo", tmp_path / "run", **STREAMS)
    run.publish()
    tasks = list(run.tasks.values())
    here = [play_stream(run.snapshots[0], task) for task in tasks]
    executor = Pool(1)
    there = executor.gather(play_stream, run.snapshots[0], tasks)
    executor.close()
    for one, other in zip(here, there, strict=True):
        assert all((one.data[name] == other.data[name]).all() for name in one.data)
        records = (played.state["games"]["variant 0"]["records"] for played in (one, other))
        assert np.array_equal(*records)
    assert not np.array_equal(here[0].data["actions"], here[1].data["actions"])


def test_a_rollout_that_fails_is_named(tmp_path: Path) -> None:
    class Failing(Threads):
        def __init__(self) -> None:
            super().__init__(1)

        def submit(self, function: Any, kept: Any, item: Any) -> None:
            super().submit(lambda *_: 1 / 0, kept, item)

    run = start("ppo", tmp_path / "run", **STREAMS | {"streams": 1})
    run.executor = Failing()
    with pytest.raises(Refused, match="a rollout of stream 0 could not be played: ZeroDivisionError"):
        run.train()
    run.executor.close()


def test_other_methods_refuse_workers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "imitate", "--ray", "local"]) == 2
    assert "in this process: --ray and --workers are for search, ppo" in capsys.readouterr().err
