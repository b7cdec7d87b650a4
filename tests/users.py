"""Everybody who sits at the table, in one game: python -m tests.users '{"players": 2}' FOLDER [USER ...]

Prints what each of them could not do, as JSON: `{"champion": "ValueError: ..."}`. Budgets are tiny, so that
it runs in plain Python; test_matrix.py runs it in copies of the project with other rules.
"""

import contextlib
import io
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from smallcity_agents import dataset, make
from smallcity_agents.arena import results, runner
from smallcity_agents.play import analysis, review
from smallcity_agents.play.match import Match
from smallcity_agents.play.repl import Repl
from smallcity_agents.web import coach
from smallcity_env import Config, Game, batch
from smallcity_env.rules.numbers import VARIABLE
from smallcity_env.rules.rng import streams
from smallcity_env.show import Ink
from tests.web.served import Server

MOMENTS = (0, 8, 30)  # answers given before an agent is asked
SEARCHER = "search:sims=1,candidates=2,playout=none"
SEARCH = {
    "steps": 2, "search_batches": 1, "search_games": 5, "search_kept": 0.0, "player": SEARCHER,
    "teacher": SEARCHER, "opponents": ["first"], "anchors": ["first"], "evaluate_player": SEARCHER,
    "evaluate_games": 2, "search_epochs": 1.0, "greedy_rounds": 0.0,
}  # fmt: skip
PPO = {
    "games": 4, "horizon": 8, "steps": 64, "minibatch_size": 16, "evaluate_games": 2, "anchors": ["first"],
    "net": {"channels": 4, "district": 8, "trunk": 16},
}  # fmt: skip


def positions(config: Config) -> batch.States:
    """The game at several moments, after random answers."""
    states, legal = batch.new(len(MOMENTS), config, [3] * len(MOMENTS)), batch.new_masks(len(MOMENTS))
    legal[:] = batch.masks(states)
    chance = streams(np.arange(len(MOMENTS)))
    for n in range(max(MOMENTS)):
        answers = batch.pick(legal, chance)
        batch.step(states, np.where(np.array(MOMENTS) > n, answers, batch.SKIP), legal)
        legal[:] = batch.masks(states)
    return batch.take(states, np.flatnonzero(~batch.over(states)))


def asks(name: str) -> Callable[[Config, Path], None]:
    """An agent answers legally at several moments."""

    def ask(config: Config, folder: Path) -> None:
        states = positions(config)
        legal, seats = batch.masks(states), states["seat"].astype(np.int64)
        answers = make(name).act(states, seats, legal, streams(np.arange(len(states))))
        assert len(states) > 1 and legal[np.arange(len(states)), answers].all()

    return ask


def hint(config: Config, folder: Path) -> None:
    """The champion's answer with what it expects."""
    states = batch.take(positions(config), [1])
    advice = coach.advise(states)
    assert batch.masks(states)[0, advice["action"]] and advice["answers"]


def coached(config: Config, folder: Path) -> None:
    """The costs of a seat's decisions at the end of a game."""
    game, chance = Game(config, 3), np.random.default_rng(3)
    while not game.over and len(game.log) < 12:
        game.step(int(chance.choice(game.legal())))
    assert all(decision.cost >= 0 for decision in review.decisions(game.log, game.seat))


def terminal(config: Config, folder: Path) -> None:
    """A person plays a few answers in the terminal, with a hint."""
    match = Match.begin(Game(config, 3), ["human", *["first"] * (config.players - 1)], 3)
    repl = Repl(match, "search:sims=2", folder / "play.save", Ink(False), lambda: 100)
    sys.stdin = io.StringIO("hint\n1\n1\nquit\n")
    repl.run()
    assert len(match.game.log) > 1


def web(config: Config, folder: Path) -> None:
    """A file of numbers is uploaded to a server of the standard ones, and a person plays by it."""
    uploaded = Path(os.environ.pop(VARIABLE))
    server = Server(folder / "web")
    try:
        other = copy(server)
        port = server.post("/api/numbers", {"text": uploaded.read_text()})["port"]
        other.address = f"http://127.0.0.1:{port}"
        other._wait()
        others = ["level:5"] * (config.players - 1)
        link = other.table("human", *others, **(results.game_of(config) | {"players": ["human", *others]}))[0]
        instant = {"speed": "instant", "next": True}
        while not (asked := other.post(f"/api/speed/{link}", instant))["legal"]:
            pass
        other.post(f"/api/answer/{link}", {"version": asked["version"], "answers": asked["legal"][:1]})
    finally:
        os.environ[VARIABLE] = str(uploaded)
        assert server.end(signal.SIGTERM) is not None


def arena(config: Config, folder: Path) -> None:
    """Whole games, on file."""
    names = ["greedy", SEARCHER]
    assert len(runner.run(config, names, 1, folder / "arena.jsonl")) > 0


def dataset_of(config: Config, folder: Path) -> None:
    """A dataset of two games."""
    dataset.write(config, ["first", "random"], 2, folder / "dataset", size=2)
    assert (folder / "dataset" / "card.json").exists()


def trains(method: str, settings: dict[str, Any]) -> Callable[[Config, Path], None]:
    """A training run of a few steps writes a net."""

    def train(config: Config, folder: Path) -> None:
        from smallcity_training import config as configs
        from smallcity_training.commands.train import METHODS
        from smallcity_training.run import Run

        stages = {} if method == "search" else {"stages": [{"variants": [results.game_of(config)]}]}
        parsed = configs.parse(METHODS[method].config, settings | stages)
        METHODS[method].trainer(Run.create(folder / method, method, parsed), parsed).train()
        assert list((folder / method).glob("**/*.npz"))

    return train


USERS: dict[str, Callable[[Config, Path], None]] = {
    "greedy": asks("greedy"),
    "search": asks("search:sims=2,candidates=2"),
    "champion": asks("champion:seconds=0,sims=2"),
    "level:1": asks("level:1"),
    "level:8": asks("level:8"),
    "policy": asks("policy"),
    "hint": hint,
    "coach": coached,
    "play": terminal,
    "web": web,
    "arena": arena,
    "dataset": dataset_of,
    "train ppo": trains("ppo", PPO | {"opponents": ["first"]}),
    "train imitate": trains("imitate", PPO | {"teacher": SEARCHER}),
    "train search": trains("search", SEARCH),
}


def failures(config: Config, folder: Path, names: list[str]) -> dict[str, str]:
    """What went wrong, by user."""
    wrong = {}
    for name in names or USERS:
        began = time.monotonic()
        try:
            with contextlib.redirect_stdout(sys.stderr):
                USERS[name](config, folder)
        except BaseException as error:
            wrong[name] = f"{type(error).__name__}: {error}"
            traceback.print_exc()
        print(f"{name}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    return wrong


if __name__ == "__main__":
    analysis.SIMS, analysis.COMPARED, analysis.FORKS = 4, 1, 2  # type: ignore[misc]
    review.QUICK = review.DEEP = 2  # type: ignore[misc]
    print(json.dumps(failures(Config(**json.loads(sys.argv[1])), Path(sys.argv[2]), sys.argv[3:])))
