"""TorchRL: PPO with a masked policy, one seat against random answers.

    python recipes/torchrl_ppo.py

With `observation_key="observation"` observation and mask come in one Dict, which GymWrapper turns into two
entries of a tensordict; `ActionMask` and `MaskedCategorical` are TorchRL's own.
"""

from typing import Any

import gymnasium
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import smallcity_env  # noqa: F401 - registers SmallCity-v0
from measure import Policy, report

FRAMES = 1024  # of a rollout
EPOCHS = 4
MINIBATCH = 256


def environment(seed: int) -> TransformedEnv:
    """One game whose random actions respect the mask."""
    game = gymnasium.make(
        "SmallCity-v0", players=2, opponents="random", reward="score", observation_key="observation"
    )
    wrapped = GymWrapper(game, categorical_action_encoding=True)
    as_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    env = TransformedEnv(wrapped, Compose(as_bool, ActionMask()))
    env.set_seed(seed)
    return env


def check() -> str:
    """TorchRL's checker: what the environment returns fits its specs."""
    check_env_specs(environment(0))
    return "`check_env_specs`"


def networks(env: TransformedEnv) -> tuple[ProbabilisticActor, ValueOperator]:
    """An actor over legal actions, and a critic."""
    inputs, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    logits = MLP(
        in_features=inputs, out_features=actions, num_cells=[128, 128], activation_class=torch.nn.Tanh
    )
    value = MLP(in_features=inputs, out_features=1, num_cells=[128, 128], activation_class=torch.nn.Tanh)
    actor = ProbabilisticActor(
        TensorDictModule(logits, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(value, in_keys=["observation"])


def train(steps: int, seed: int = 0) -> Policy:
    """A policy that answers many games at once."""
    torch.manual_seed(seed)
    env = environment(seed)
    actor, critic = networks(env)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    rollouts = Collector(env, actor, frames_per_batch=FRAMES, total_frames=steps)
    for rollout in rollouts:
        for _ in range(EPOCHS):
            advantage(rollout)
            for rows in torch.randperm(len(rollout)).split(MINIBATCH):
                optimizer.zero_grad()
                losses = loss(rollout[rows])
                sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
                torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
    rollouts.shutdown()
    return lambda seen, legal: answers(actor, seen, legal)


@torch.no_grad()
def answers(actor: ProbabilisticActor, seen: Any, legal: Any) -> Any:
    """Actions drawn from the policy."""
    asked = {"observation": torch.as_tensor(seen), "action_mask": torch.as_tensor(legal)}
    return actor.get_dist(TensorDict(asked, batch_size=len(seen))).sample().numpy()


if __name__ == "__main__":
    report(train, steps=20_480)
