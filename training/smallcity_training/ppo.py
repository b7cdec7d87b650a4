"""`smallcity train ppo`: MaskablePPO of sb3-contrib in self-play, every seat with one net.

Three pieces fit it to the game: games that answer for the opponents, a policy that is our net, and a
buffer that gives every seat its own advantages and leaves out what opponents decided.
"""

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor

from smallcity_agents.net.features import decode
from smallcity_env.envs.pettingzoo import sight
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS

from . import config
from .gae import worth
from .learner import adam, minibatches
from .net import Net, tensors
from .selfplay import SelfPlay

FLATTENED = ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks")


class Games(VecEnv):
    """The learner's games as stable-baselines3 takes them; opponents answer where they are asked."""

    def __init__(self, learner: SelfPlay) -> None:
        self.learner = learner
        super().__init__(learner.config.games, sight(), Discrete(ACTIONS))

    def reset(self) -> Any:
        """The games as they stand: they are never begun anew together."""
        return self.learner.tables.seen.copy()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """What the learner would answer in every game."""
        self._answers = actions.copy()

    def step_wait(self) -> Any:
        """Answer in all games, and remember who did and what everybody was paid."""
        tables, company = self.learner.tables, self.learner.company
        self.seats, self.by_learner = tables.seats.copy(), company.learners(tables)
        company.answer(tables, self._answers)
        self.paid, over = tables.step(self._answers)
        self.learner.ended(over)
        own = self.paid[np.arange(len(over)), self.seats]
        return tables.seen.copy(), own, over, [{}] * len(over)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """`action_masks` of all games at once."""
        return self.learner.tables.legal.copy()

    def close(self) -> None:
        """Nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for all games; there is nothing to render."""
        return [None if attr_name == "render_mode" else getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: the games are one batch."""
        raise AttributeError(f"{attr_name} cannot be set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False] * self.num_envs

    def action_masks(self) -> Any:
        """There are masks."""
        return self.learner.tables.legal


class NetPolicy(MaskableActorCriticPolicy):
    """Our net as a policy of sb3-contrib."""

    def __init__(self, *args: Any, net: Net, after: Callable[[], None], **kwargs: Any) -> None:
        self._given = [net]  # in a list: torch allows no module before its own set-up
        self.after = after  # to be called after every step of the optimiser
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        self.net = self._given[0]
        self.optimizer = adam(self.net, lr_schedule(1))
        self.optimizer.register_step_post_hook(lambda *_: self.after())

    def _look(self, obs: Any, action_masks: Any) -> tuple[Any, Tensor]:
        """The distribution of answers, and the values."""
        legal = np.zeros((len(obs), ACTIONS)) if action_masks is None else np.asarray(action_masks)
        logits, values = self.net(*tensors(decode(obs.numpy()), legal > 0))
        distribution = self.action_dist.proba_distribution(logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution, values[:, None]

    def forward(self, obs: Any, deterministic: bool = False, action_masks: Any = None) -> Any:
        """Answers, values, and how likely the answers were."""
        distribution, values = self._look(obs, action_masks)
        answers = distribution.get_actions(deterministic=deterministic)
        return answers, values, distribution.log_prob(answers)

    def evaluate_actions(self, obs: Any, actions: Tensor, action_masks: Any = None) -> Any:
        """Values, how likely given answers are, and the entropy."""
        distribution, values = self._look(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        """The distribution of answers."""
        return self._look(obs, action_masks)[0]

    def predict_values(self, obs: Any) -> Tensor:
        """The values."""
        return self._look(obs, None)[1]


class SeatBuffer(MaskableRolloutBuffer):
    """A buffer whose advantages are counted seat by seat."""

    def __init__(self, *args: Any, games: Games, **kwargs: Any) -> None:
        self.games = games
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Empty it."""
        shape = self.buffer_size, self.n_envs
        self.seats, self.used = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
        self.paid, self.over = np.zeros((*shape, SEATS), np.float32), np.zeros(shape, np.bool_)
        super().reset()

    def add(self, *args: Any, **kwargs: Any) -> None:
        """A step of all games; also whose answers they were, and what everybody was paid."""
        games = self.games
        self.seats[self.pos], self.paid[self.pos] = games.seats, games.paid
        self.used[self.pos] = games.by_learner
        if self.pos:
            self.over[self.pos - 1] = args[3]  # the games that begin now ended in the step before
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Tensor, dones: Any) -> None:
        """GAE, seat by seat."""
        self.over[-1] = dones
        last = last_values.numpy().ravel(), self.games.learner.tables.seats
        found = worth(self.seats, self.values, self.paid, self.over, *last[::-1], self.gamma, self.gae_lambda)
        self.advantages, self.returns, known = found
        self.used &= known

    def get(self, batch_size: int | None = None) -> Generator[Any, None, None]:
        """Minibatches of the learner's decisions."""
        if not self.generator_ready:
            for name in FLATTENED:
                setattr(self, name, self.swap_and_flatten(getattr(self, name)))
            self.generator_ready = True
        order = np.random.permutation(np.flatnonzero(self.swap_and_flatten(self.used)))
        for part in minibatches(order, batch_size or len(order)):
            yield self._get_samples(part)


class MaskedPPO(SelfPlay):
    """MaskablePPO, update by update."""

    def __init__(self, run: Any, wanted: config.PPO) -> None:
        super().__init__(run, wanted)
        np.random.seed(wanted.seed)  # sb3 draws its minibatches from numpy's own stream
        self.envs = Games(self)
        self.model = MaskablePPO(
            NetPolicy,
            self.envs,
            learning_rate=wanted.learning_rate,
            n_steps=wanted.horizon,
            batch_size=wanted.minibatch,
            n_epochs=wanted.epochs,
            gamma=wanted.discount,
            gae_lambda=wanted.trace,
            clip_range=wanted.clip,
            ent_coef=wanted.entropy,
            vf_coef=wanted.value_weight,
            max_grad_norm=wanted.max_slope,
            rollout_buffer_class=SeatBuffer,
            rollout_buffer_kwargs={"games": self.envs},
            policy_kwargs={"net": self.net, "after": self.follow},
            device="cpu",
        )
        self.optimiser = self.model.policy.optimizer
        self.model.set_logger(Logger(None, []))
        _, self.listener = self.model._setup_learn(wanted.steps)

    def update(self) -> dict[str, float]:
        """Play on for a horizon, then learn from it."""
        model = self.model
        self.company.choose_past(self.chance)
        model.lr_schedule = lambda _: self.rate
        model._last_obs = self.tables.seen.copy()
        model.collect_rollouts(self.envs, self.listener, model.rollout_buffer, self.config.horizon)
        self.steps += int(model.rollout_buffer.used.sum())  # type: ignore[attr-defined]
        model.train()
        told = model.logger.name_to_value
        return {
            "policy": told["train/policy_gradient_loss"],
            "error": told["train/value_loss"],
            "entropy": -told["train/entropy_loss"],
            "kl": told["train/approx_kl"],
            "explained": told["train/explained_variance"],
        }

    def kept(self) -> dict[str, Any]:
        """Also numpy's own stream."""
        return super().kept() | {"numpy": np.random.get_state()}

    def go_on(self, kept: dict[str, Any]) -> None:
        """Also numpy's own stream."""
        super().go_on(kept)
        np.random.set_state(kept["numpy"])
