"""`smallcity train sb3`: sb3-contrib's MaskablePPO as its manual shows it, one seat against opponents."""

import io
from typing import Annotated, Final

import numpy as np
import torch
from gymnasium import spaces
from msgspec import Meta, field
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import ConvertCallback, EveryNTimesteps
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from smallcity_agents.agent import Actions, Agent, Streams, where_asked
from smallcity_env import files
from smallcity_env.batch import Mask, States
from smallcity_env.config import Config
from smallcity_env.envs import rewards
from smallcity_env.envs.observations import Observations
from smallcity_env.envs.options import Observing, checked_form
from smallcity_env.envs.sb3 import SmallCitySB3
from smallcity_env.terminal import Interrupt

from .config import Coefficient, Count, Device, Fraction, Games, LearningRate, Section, Seed, torch_device
from .evaluation import evaluate, summary
from .run import Run, read_log

CHANNELS: Final = 32  # of the convolutions
HYPERPARAMETERS: Final = (
    "n_steps", "batch_size", "n_epochs", "learning_rate", "gamma", "gae_lambda", "clip_range", "ent_coef",
    "vf_coef", "max_grad_norm", "seed",
)  # fmt: skip


class SB3Config(Section):
    """The game, and MaskablePPO's own hyper-parameters by their own names."""

    seed: Seed = 0
    device: Device = "auto"  # as MaskablePPO takes it
    steps: Count = 1_000_000
    games: Games = 64  # in parallel
    players: int = 2
    modules: list[str] = field(default_factory=lambda: ["godzillas"])
    opponents: list[str] = field(default_factory=lambda: ["random"])  # one for all other seats, or one each
    reward: str = "score"
    observation: Observing = "compact"
    n_steps: Count = 128
    batch_size: Count = 1024
    n_epochs: Count = 4
    learning_rate: LearningRate = 3e-4
    gamma: Fraction = 1.0
    gae_lambda: Fraction = 0.95
    clip_range: Fraction = 0.2
    ent_coef: Coefficient = 0.01
    vf_coef: Coefficient = 0.5
    max_grad_norm: Annotated[float, Meta(gt=0, le=1000)] = 0.5
    evaluate_every: Count = 200_000  # steps; also before the first and after the last
    evaluate_games: Count = 100  # of two players, against each anchor
    anchors: list[str] = field(default_factory=lambda: ["random", "greedy"])

    def __post_init__(self) -> None:
        Config(self.players, tuple(self.modules))
        rewards.checked(self.reward)

    def agent_names(self) -> list[str]:
        """All agents the configuration names."""
        return [*self.opponents, *self.anchors]


class Convolution(BaseFeaturesExtractor):
    """Two convolutions of the planes, concatenated with the vector."""

    def __init__(self, space: spaces.Dict) -> None:
        planes, vector = space["planes"].shape, space["vector"].shape
        assert planes is not None and vector is not None
        super().__init__(space, CHANNELS * ((planes[1] + 1) // 2) ** 2 + vector[0])
        one_by_one = torch.nn.Conv2d(planes[0], CHANNELS, 1)
        coarse = torch.nn.Conv2d(CHANNELS, CHANNELS, 3, stride=2, padding=1)
        self.layers = torch.nn.Sequential(
            one_by_one, torch.nn.ReLU(), coarse, torch.nn.ReLU(), torch.nn.Flatten()
        )

    def forward(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        """The features of a batch."""
        return torch.cat([self.layers(seen["planes"].float()), seen["vector"]], dim=1)


class Playing(Agent):
    """A model of stable-baselines3 as an agent."""

    label = "sb3"

    def __init__(self, model: MaskablePPO, config: SB3Config) -> None:
        self.model, self.config = model, config

    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The likeliest answer in each game."""
        seen = Observations(len(states), checked_form(self.config.observation), self.config.players)
        seen.write(states, seats)
        return np.asarray(
            self.model.predict(seen.arrays, action_masks=legal, deterministic=True)[0], np.int64
        )


class SB3:
    """One run; the model is stable-baselines3's own and is saved as model.zip."""

    def __init__(self, run: Run, config: SB3Config) -> None:
        self.run, self.config = run, config
        planes = config.observation == "planes"
        self.model = MaskablePPO(
            "MultiInputPolicy" if planes else "MlpPolicy",
            self._games(),
            tensorboard_log=str(run.folder / "tensorboard"),
            device=torch_device(config.device),
            policy_kwargs={"features_extractor_class": Convolution} if planes else {},
            **{name: getattr(config, name) for name in HYPERPARAMETERS},
        )

    def _games(self) -> SmallCitySB3:
        config = self.config
        return SmallCitySB3(
            config.games,
            players=config.players,
            modules=config.modules,
            opponents=config.opponents,
            reward=config.reward,
            observation=config.observation,
        )

    def train(self) -> None:
        """Train, save the model (after ctrl-C too), and evaluate first and last."""
        self.evaluate()
        evaluating = EveryNTimesteps(self.config.evaluate_every, ConvertCallback(lambda *_: self.evaluate()))
        try:
            with Interrupt() as interrupt:
                self.model.learn(self.config.steps, callback=evaluating)
                interrupt.check()
        finally:
            self._save()
        self.evaluate()

    def evaluate(self) -> bool:
        """Play the anchors, unless the curve has these steps already; True: training goes on."""
        steps, config = self.model.num_timesteps, self.config
        if steps not in (line["steps"] for line in read_log(self.run.folder)):
            anchors = config.anchors if config.players > 1 else []
            evaluate(self.run, Playing(self.model, config), steps, anchors, config.evaluate_games)
        return True

    def _save(self) -> None:
        """Write the model."""
        model = io.BytesIO()
        self.model.save(model)
        files.write(self.run.folder / "model.zip", model.getvalue())

    def report(self) -> str:
        """The first and the last evaluation, and the model."""
        first, *_, last = read_log(self.run.folder)
        load = f"load it: MaskablePPO.load({str(self.run.folder / 'model.zip')!r})"
        return "\n".join([summary(first), summary(last), load])
