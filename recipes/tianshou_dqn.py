"""Tianshou: a DQN in one seat against its random agent, through Tianshou's own PettingZoo wrapper.

    python recipes/tianshou_dqn.py

The wrapper turns our `action_mask` into the `mask` that Tianshou's Q-learning and random agent respect.
"""

from typing import Any

import numpy as np
import torch
from pettingzoo.test import api_test
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from measure import Policy, report
from smallcity_env import smallcity_v0

GAMES = 8


def environment() -> PettingZooEnv:
    """A game of two, wrapped by Tianshou."""
    return PettingZooEnv(smallcity_v0.env(players=2, reward="score"))


def check() -> str:
    """Tianshou has no checker of its own; it relies on PettingZoo's."""
    api_test(smallcity_v0.env(players=2), num_cycles=100)
    return "PettingZoo's `api_test`"


def learner(env: PettingZooEnv) -> DQN:
    """A DQN with two layers."""
    space = env.observation_space["observation"]
    net = Net(state_shape=space.shape, action_shape=env.action_space.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(
        model=net, action_space=env.action_space, observation_space=space, eps_training=0.2
    )
    return DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=5,
        target_update_freq=200,
    )


def train(steps: int, seed: int = 0) -> Policy:
    """A policy that answers many games at once."""
    np.random.seed(seed)  # Tianshou draws from numpy's global stream
    torch.manual_seed(seed)
    env = environment()
    dqn = learner(env)
    both = MultiAgentOffPolicyAlgorithm(
        algorithms=[dqn, MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)], env=env
    )
    games = DummyVectorEnv([environment for _ in range(GAMES)])
    collector = Collector(both, games, VectorReplayBuffer(20_000, GAMES), exploration_noise=True)
    collector.reset()
    collector.collect(n_step=64 * GAMES)
    both.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=64 * GAMES,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=64,
            show_progress=False,
            verbose=False,
        )
    )
    return lambda seen, legal: best(dqn, seen, legal)


@torch.no_grad()
def best(dqn: DQN, seen: Any, legal: Any) -> Any:
    """The legal actions with the highest values."""
    values, _ = dqn.policy.model(seen)
    return values.masked_fill(~torch.as_tensor(legal), -torch.inf).argmax(dim=1).numpy()


if __name__ == "__main__":
    report(train, steps=20_000)
