"""`smallcity train search`: expert iteration; a value net learns from games of the search that uses it.

The first iteration takes a net, or fits one to scripted games of all variants. Every later one adds games of
a search whose leaves the last accepted net evaluates, against itself, its past and scripted agents, and
trains that net on all games so far. The result is accepted if it does not lose to the net before.
Shards of positions, nets and logs are files of the run folder, and every batch of games has its own seed: a
stopped run, resumed, plays only the missing batches, and a batch is the same wherever it is played
(search_games.py).
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from smallcity_agents import Agent, make
from smallcity_agents.cluster import Done, Threads, Workers
from smallcity_agents.value_net import model
from smallcity_env.rules.tables.counted import counted
from smallcity_env.terminal import Interrupt, Progress, Refused, duration

from . import positions, state
from .config import torch_device
from .evaluation import match, plot_curve
from .positions import Positions
from .run import Run
from .search_games import Iteration, SearchConfig, play_batch, searching
from .state import State
from .train_value_net import FitConfig, explained_by_round, fit, predict, set_scale, split
from .value_net import ValueNet, export, load_weights


class SearchTrainer:
    """Learning by search, in a run folder."""

    def __init__(self, run: Run, config: SearchConfig) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.run, self.config = run, config
        self.executor: Workers = Threads(config.threads)
        self.steps = 0
        self.accepted = -1  # the iteration of the accepted net
        self.speed = self.standing = ""
        (run.folder / "shards").mkdir(exist_ok=True)

    def train(self) -> None:
        """Run the remaining iterations; after ctrl-C, games already on file are not played again."""
        if self.steps == 0:
            self.run.save_state(self.state_dict())
        try:
            with Interrupt() as interrupt:
                while self.steps < self.config.steps:
                    self._iterate()
                    interrupt.check()
        finally:
            self.executor.close()
            self.run.close()

    def _iterate(self) -> None:
        """Play, fit, evaluate, save."""
        start = self.config.start_path()
        if self.steps == 0 and start:
            model.write(self.checkpoint(0), *model.read(start))  # with a weight for everything new
        else:
            self._play_missing()
            self._fit()
        self._evaluate()
        self.steps += 1
        self.run.save_state(self.state_dict())

    def _fit(self) -> None:
        """Fit a new net to scripted games, or train the accepted one on all games so far."""
        data = positions.load(sorted(self.shards().glob("*.npz")))
        rows, held_out = split(data)
        if not len(rows):
            raise Refused("too few games to learn from: raise the number of batches, or of games in a batch")
        torch.manual_seed(self.config.seed + self.steps)
        initial = self._initial_net(data, rows).to(torch_device(self.config.device))
        net = fit(initial, data, rows, self._fit_config())
        facts = {"iteration": self.steps, "positions": len(rows), **self._measure(net, data, held_out)}
        model.write(self.checkpoint(self.steps), export(net), facts | self.run.info)

    def _fit_config(self) -> FitConfig:
        """The hyper-parameters of this iteration's fit."""
        config = self.config
        if self.steps == 0:
            return FitConfig(config.epochs, learning_rate=config.learning_rate)
        return FitConfig(config.search_epochs, learning_rate=config.search_learning_rate, seed=self.steps)

    def _initial_net(self, data: Positions, rows: Any) -> ValueNet:
        """Random weights, and those of the accepted net from the first search on."""
        accepted = model.load(str(self.checkpoint(self.accepted))) if self.steps else None
        size: tuple[int, ...] = (self.config.width, self.config.hidden, self.config.view)
        if accepted is not None:
            size = (len(accepted.first), len(accepted.second), len(accepted.view_bias))
        net = ValueNet(*size)
        set_scale(net, data, rows)
        if accepted is not None:
            load_weights(net, accepted)
        return net

    def shards(self) -> Path:
        """The folder of the positions."""
        return self.run.folder / "shards"

    def checkpoint(self, iteration: int) -> Path:
        """The file of an iteration's net."""
        return self.run.folder / "checkpoints" / f"value-{iteration:03d}.npz"

    # -- games

    def _play_missing(self) -> None:
        """Play the batches of this iteration that are not on file; refuses if any fails."""
        batches = self.config.search_batches if self.steps else self.config.scripted_batches
        missing = [number for number in range(batches) if not self._shard(number).exists()]
        nets = [model.load(str(self.checkpoint(k))) for k in range(self.accepted + 1)]
        failures, on_file = list[Done](), batches - len(missing)
        began, games, found = time.monotonic(), 0, 0
        self.speed = "no new games"
        with Progress(batches, begun=on_file) as bar:
            for ready in self.executor.map(play_batch, Iteration(self.config, self.steps, nets), missing):
                failures += [done for done in ready if done.error]
                for done in (done for done in ready if not done.error):
                    self._keep(done)
                    on_file, found = on_file + 1, found + len(done.value.players)
                    games += len(np.unique(done.value.games))
                took = max(time.monotonic() - began, 1e-9)
                rates = f"{games / took:.1f}/s, {found:,} positions, {found / took:,.0f}/s"
                self.speed = f"{games:,} games, {rates}"
                bar.show(on_file, f"iteration {self.steps}: {self.speed}")
        if failures:
            lacking = f"iteration {self.steps} lacks {len(failures)} batches; --resume plays them again"
            raise Refused(f"{lacking}: batch {failures[0].item}: {failures[0].error}")

    def _shard(self, number: int) -> Path:
        """The file of a batch of this iteration."""
        return self.shards() / f"{self.steps:03d}-{number:04d}.npz"

    def _keep(self, done: Done) -> None:
        """Write the positions of a batch, and log its arrival."""
        positions.save(self._shard(done.item), done.value)
        arrival = {"batch": done.item, "net": self.accepted, "hours": self.run.hours()}
        self.run.log(self.steps, arrival, "arrivals")

    def player(self, iteration: int) -> Agent:
        """The search with an iteration's net."""
        return searching(self.config.evaluate_player, model.load(str(self.checkpoint(iteration))))

    # -- measuring

    def _measure(self, net: ValueNet, data: Positions, held_out: Any) -> dict[str, Any]:
        """How well the net predicts the targets in games it has not seen, by round."""
        predictions = predict(net, data, held_out)
        table = explained_by_round(predictions)
        columns = ("greedy", "score", "payoff", "first")
        return {f"explained {key}": [round(line[key], 3) for line in table] for key in columns}

    def _evaluate(self) -> None:
        """Play the anchors and the accepted net, and decide which net to accept."""
        agent = self.player(self.steps)
        anchors = self.config.anchors
        results = {name: match(agent, make(name), self.config.evaluate_games) for name in anchors}
        metrics = {f"win_rate {name}": result.win_rate for name, result in results.items()}
        metrics |= {f"margin {name}": result.margin for name, result in results.items()}
        metrics["win_rate accepted"] = 0.5
        if self.accepted >= 0:
            accepted = self.player(self.accepted)
            metrics["win_rate accepted"] = match(agent, accepted, self.config.evaluate_games).win_rate
        if metrics["win_rate accepted"] >= 0.5:
            self.accepted = self.steps
        self.run.log(self.steps, {"hours": self.run.hours(), **metrics, "accepted": self.accepted}, "curve")
        plot_curve(self.run.folder, "iteration", steps_per_unit=1)
        self.standing = ", ".join(f"beats {name} {metrics[f'win_rate {name}']:.0%}" for name in anchors)
        print(f"iteration {self.steps}: {self.speed or self.config.start}; {self.standing}", flush=True)

    def report(self) -> str:
        """A two-line summary of the run."""
        summary = f"{counted(self.steps, 'iteration')}, {duration(self.run.hours() * 3600)}, {self.standing}"
        return f"{summary}\nplay it: search:leaf_value={self.checkpoint(self.accepted)}"

    # -- resuming

    def state_dict(self) -> State:
        """What the next iteration needs from the last."""
        return {"steps": self.steps, "accepted": self.accepted}

    def resume(self) -> None:
        """Continue after the last finished iteration."""
        saved = self.run.load_state()
        state.check(saved, self.state_dict())
        if saved["accepted"] not in range(0 if saved["steps"] else -1, saved["steps"]):
            raise Refused(f"the training state of {self.run.folder} is damaged: there is no such iteration")
        self.steps, self.accepted = saved["steps"], saved["accepted"]
