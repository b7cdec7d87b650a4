"""`smallcity train sb3`: sb3-contrib's MaskablePPO as its manual shows it, one seat against opponents."""

import io
from typing import Annotated, Any, Final

from msgspec import Meta, field
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from smallcity_env import files
from smallcity_env.config import Config
from smallcity_env.envs import rewards
from smallcity_env.envs.options import Observing
from smallcity_env.envs.sb3 import SmallCitySB3
from smallcity_env.terminal import Interrupt

from .config import Coefficient, Count, Device, Fraction, Games, LearningRate, Section, Seed, torch_device
from .run import Run

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
    observation: Observing = "vector"
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
    evaluate_games: Count = 100  # at the end, against the same opponents

    def __post_init__(self) -> None:
        Config(self.players, tuple(self.modules))
        rewards.checked(self.reward)

    def agent_names(self) -> list[str]:
        """All agents the configuration names."""
        return self.opponents


class SB3:
    """One run; the model is stable-baselines3's own and is saved as model.zip."""

    def __init__(self, run: Run, config: SB3Config) -> None:
        self.run, self.config = run, config
        self.model = MaskablePPO(
            "MultiInputPolicy" if config.observation == "planes" else "MlpPolicy",
            self._games(config.games, config.reward),
            tensorboard_log=str(run.folder / "tensorboard"),
            device=torch_device(config.device),
            **{name: getattr(config, name) for name in HYPERPARAMETERS},
        )
        self.rank: Any = 0.0

    def _games(self, n: int, reward: str) -> SmallCitySB3:
        config = self.config
        return SmallCitySB3(
            n,
            players=config.players,
            modules=config.modules,
            opponents=config.opponents,
            reward=reward,
            observation=config.observation,
        )

    def train(self) -> None:
        """Train, save the model (after ctrl-C too), and evaluate by rank reward."""
        try:
            with Interrupt() as interrupt:
                self.model.learn(self.config.steps)
                interrupt.check()
        finally:
            self._save()
        games = self._games(min(self.config.evaluate_games, self.config.games), "rank")
        self.rank, _ = evaluate_policy(self.model, games, self.config.evaluate_games, warn=False)

    def _save(self) -> None:
        """Write the model."""
        model = io.BytesIO()
        self.model.save(model)
        files.write(self.run.folder / "model.zip", model.getvalue())

    def report(self) -> str:
        """A two-line summary of the run."""
        steps, path = self.model.num_timesteps, str(self.run.folder / "model.zip")
        against = f"against {', '.join(self.config.opponents)}"
        rank = f"mean rank reward {self.rank:+.2f} (-1 last, +1 first) {against}"
        return f"{steps:,} steps, {rank}\nload it: MaskablePPO.load({path!r})"
