"""`smallcity train search`: a value net learns from the games of the search that uses it (expert iteration).

The first iteration plays scripted games of every kind of table; every later one adds games of a search whose
leaves the last accepted net evaluates, against itself, its past and scripted agents. After each, a net is
fitted to the outcomes. It is accepted if it holds its own against the accepted one. Shards of positions, nets
and logs are files of the run folder, and every batch of games has a seed of its own: a run that was stopped
plays only what is missing.
"""

import copy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from smallcity_agents import make
from smallcity_agents.arena.playing import Playing
from smallcity_agents.value_net import model
from smallcity_env.config import Config
from smallcity_env.terminal import Interrupt, Refused, duration

from . import positions
from .config import Count, Fraction, LearningRate, Section, Seed
from .evaluation import match
from .net import load_weights, weights
from .positions import Positions, Recorder
from .run import Run
from .scripted import draw_config, scripted_positions
from .state import State
from .value_fit import FitConfig, explained_by_round, fit, plot_calibration, predict, set_scale, split
from .value_net import ValueNet, export

BATCH_SEEDS: Final = 100_000  # seeds set aside for a batch of games


class SearchConfig(Section):
    """Hyper-parameters of learning by search."""

    seed: Seed = 0
    threads: Count = 1  # of torch, and batches of games played at a time
    steps: Count = 5  # iterations
    width: Count = 64  # of the sum of embeddings
    hidden: Count = 32
    scripted_batches: Count = 120  # of the first iteration, each with rules of its own
    scripted_games: Count = 256  # in a batch
    search_batches: Count = 16  # of every later iteration
    search_games: Count = 32
    player: str = "rollout:sims=16,rounds=0"  # the search, without its leaves
    opponents: tuple[str, ...] = ("greedy", "rollout:sims=16")
    opponents_share: Fraction = 0.3  # of the seats in games of search
    past_share: Fraction = 0.2  # of the seats: the search with an earlier net
    epochs: float = 4.0
    learning_rate: LearningRate = 2e-3
    anchors: tuple[str, ...] = ("greedy", "rollout:sims=64")
    evaluate_games: Count = 40  # of two players, against each anchor and the accepted net

    def agent_names(self) -> list[str]:
        """All agents the configuration names."""
        return [self.player, *self.opponents, *self.anchors]


class Search:
    """Learning by search, in a run folder."""

    def __init__(self, run: Run, config: SearchConfig) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.run, self.config = run, config
        self.net = ValueNet(config.width, config.hidden)
        self.steps = 0
        self.accepted = -1  # the iteration of the accepted net
        self.standing = ""
        (run.folder / "shards").mkdir(exist_ok=True)

    def train(self) -> None:
        """All iterations that are left; ctrl-C finishes one and saves."""
        with Interrupt() as interrupt:
            while self.steps < self.config.steps and not interrupt.requested:
                self._iterate()
        self.run.close()
        if interrupt.requested:
            raise KeyboardInterrupt

    def _iterate(self) -> None:
        """Play, fit, evaluate, save."""
        self._play_missing()
        data = positions.load(sorted(self.shards().glob("*.npz")))
        rows, held_out = split(data)
        if self.steps == 0:
            set_scale(self.net, data, rows)
        torch.manual_seed(self.config.seed + self.steps)
        config = FitConfig(self.config.epochs, learning_rate=self.config.learning_rate, seed=self.steps)
        self.net = fit(copy.deepcopy(self.net), data, rows, config)
        metrics = self._measure(data, held_out)
        path = self.checkpoint(self.steps)
        facts = {"iteration": self.steps, "positions": len(rows), **metrics}
        model.write(path, export(self.net), facts | self.run.info)
        self._evaluate(path)
        self.steps += 1
        self.run.save_state(self.state_dict())

    def shards(self) -> Path:
        """The folder of the positions."""
        return self.run.folder / "shards"

    def checkpoint(self, iteration: int) -> Path:
        """The file of an iteration's net."""
        return self.run.folder / "checkpoints" / f"value-{iteration:03d}.npz"

    # -- games

    def _play_missing(self) -> None:
        """Play the batches of this iteration that are not on file."""
        batches = self.config.search_batches if self.steps else self.config.scripted_batches
        with ThreadPoolExecutor(self.config.threads) as pool:
            list(pool.map(self._play_batch, range(batches)))

    def _play_batch(self, number: int) -> None:
        """Play one batch, unless it is on file."""
        path = self.shards() / f"{self.steps:03d}-{number:04d}.npz"
        if not path.exists():
            seed = (self.config.seed * 1000 + self.steps * 10_000 + number) * BATCH_SEEDS
            config = draw_config(np.random.default_rng(seed))
            if self.steps:
                positions.save(path, self._search_positions(config, seed))
            else:
                positions.save(path, scripted_positions(config, self.config.scripted_games, seed))

    def _search_positions(self, config: Config, seed: int) -> Positions:
        """Positions of games of the search against itself, its past and scripted agents."""
        settings, random = self.config, np.random.default_rng(seed)
        past = int(random.integers(self.accepted + 1))
        names = [self.player(self.accepted), self.player(past), *settings.opponents]
        share = settings.opponents_share / max(len(settings.opponents), 1)
        shares = [settings.past_share, *[share] * len(settings.opponents)]
        drawn = (settings.search_games, config.players)
        seated = random.choice(len(names), drawn, p=[1 - sum(shares), *shares])
        seated[np.arange(len(seated)), random.integers(config.players, size=len(seated))] = 0
        recorder = Recorder(seed)
        agents = [make(name) for name in names]
        playing = Playing(config, agents, seated, np.arange(len(seated)) + seed)
        while not playing.over.all():
            playing.step()
            recorder.see(playing.states)
        return recorder.positions(playing.states, seed)

    def player(self, iteration: int) -> str:
        """The search with an iteration's net."""
        return f"{self.config.player},leaves={self.checkpoint(iteration)}"

    # -- measuring

    def _measure(self, data: Positions, held_out: Any) -> dict[str, Any]:
        """How well the net predicts games it has not seen, by round."""
        predictions = predict(self.net, data, held_out)
        plot_calibration(self.run.folder / f"calibration-{self.steps:03d}.png", predictions)
        table = explained_by_round(predictions)
        columns = ("worth", "score", "payoff", "first")
        return {f"explained {key}": [round(line[key], 3) for line in table] for key in columns}

    def _evaluate(self, path: Path) -> None:
        """Play the anchors and the accepted net, and decide who goes on."""
        agent = make(f"{self.config.player},leaves={path}")
        rivals = [*self.config.anchors]
        results = {name: match(agent, make(name), self.config.evaluate_games) for name in rivals}
        metrics = {f"win_rate {name}": result.win_rate for name, result in results.items()}
        metrics |= {f"margin {name}": result.margin for name, result in results.items()}
        metrics["win_rate accepted"] = 0.5
        if self.accepted >= 0:
            rival = make(self.player(self.accepted))
            metrics["win_rate accepted"] = match(agent, rival, self.config.evaluate_games).win_rate
        if metrics["win_rate accepted"] >= 0.5:
            self.accepted = self.steps
        self.run.log(self.steps, {"hours": self.run.hours(), **metrics, "accepted": self.accepted}, "curve")
        self.standing = ", ".join(f"beats {name} {metrics[f'win_rate {name}']:.0%}" for name in rivals)
        print(f"iteration {self.steps}: {self.standing}", flush=True)

    def report(self) -> str:
        """The run in two lines."""
        summary = f"{self.steps} iterations, {duration(self.run.hours() * 3600)}, {self.standing}"
        return f"{summary}\nplay it: mcts:leaves={self.checkpoint(self.accepted)}"

    # -- resuming

    def state_dict(self) -> State:
        """What an iteration hands to the next one."""
        return {"steps": self.steps, "accepted": self.accepted, "net": weights(self.net)}

    def resume(self) -> None:
        """Continue after the last finished iteration."""
        saved = self.run.load_state()
        try:
            self.steps, self.accepted = int(saved["steps"]), int(saved["accepted"])
            load_weights(self.net, saved["net"])
        except (KeyError, TypeError, RuntimeError):
            raise Refused(f"the training state of {self.run.folder} does not fit its configuration") from None
