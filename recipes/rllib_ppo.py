"""RLlib, new API stack: PPO in self-play with a league of past policies, or one seat against bots.

    python recipes/rllib_ppo.py

Uses RLlib's own PettingZoo wrapper and the masked module of its examples, which expects the observation as
`observations`, beside `action_mask`. In self-play all seats share one module; in half of the games one
seat keeps it and a past version, which a callback replaces now and then, plays the others.
"""

import zlib
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.utils.env_checker import check_env
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments
from ray.tune.registry import register_env

import smallcity_env  # noqa: F401 - registers SmallCity-v0
from measure import Policy, report
from smallcity_env import smallcity_v0

BATCH = 2048
SHARED = "shared"  # the module that learns
PAST = ("past_0", "past_1", "past_2")  # its past versions; at first untrained nets
EVERY = 2  # iterations between two replacements


# glue: begin
def self_play(config: dict[str, Any]) -> PettingZooEnv:
    """Every seat learns; `env_config` may hold more arguments of the environment."""
    game = smallcity_v0.env(players=2, reward="score", observation_key="observations", **config)
    return PettingZooEnv(game)


def against_bots(config: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    """One seat learns."""
    return gymnasium.make(
        "SmallCity-v0", players=2, opponents="random", reward="score", observation_key="observations"
    )


register_env("smallcity_self_play", self_play)
register_env("smallcity_bots", against_bots)
# glue: end


def check() -> str:
    """RLlib checks multi-agent environments itself before it samples; this is the same check."""
    check_multiagent_environments(self_play({}))
    return "`check_multiagent_environments`"


def check_bots() -> str:
    """For environments with one learner RLlib relies on Gymnasium's checker."""
    check_env(against_bots({}).unwrapped, skip_render_check=True)
    return "Gymnasium's `check_env`"


def ppo(environment: str, seed: int) -> PPOConfig:
    """PPO with a masked module, everything in this process."""
    config = PPOConfig().environment(environment).env_runners(num_env_runners=0).debugging(seed=seed)
    return config.training(
        train_batch_size_per_learner=BATCH, minibatch_size=256, num_epochs=4, gamma=1.0, lr=1e-3
    )


def masked() -> RLModuleSpec:
    """The masked module of RLlib's examples."""
    return RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [128, 128], "head_fcnet_hiddens": []},
    )


def learn(config: PPOConfig, steps: int) -> Algorithm:
    """Train for about `steps` steps."""
    algorithm = config.build_algo()
    for _ in range(max(steps // BATCH, 1)):
        algorithm.train()
    return algorithm


def plays(agent: str, episode: Any, **kwargs: Any) -> str:
    """The module of a seat: the shared one, or in half of the games a past one on all seats but one."""
    number = zlib.crc32(episode.id_.encode())  # the same for all seats of a game
    against_past, seat, past = number % 2, number // 2 % 2, PAST[number // 4 % len(PAST)]
    return past if against_past and agent != f"seat_{seat}" else SHARED


class League(RLlibCallback):
    """Keeps past versions of the shared module as opponents."""

    def on_train_result(self, *, algorithm: Algorithm, **kwargs: Any) -> None:
        """Replace the oldest version by the current one every few iterations."""
        turn, rest = divmod(algorithm.iteration, EVERY)
        if rest:
            return
        state = {"rl_module": {PAST[turn % len(PAST)]: algorithm.get_module(SHARED).get_state()}}
        algorithm.set_state({"learner_group": {"learner": state}})
        algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.set_state(state))


def self_play_config(seed: int = 0) -> PPOConfig:
    """Self-play in the league."""
    config = ppo("smallcity_self_play", seed).callbacks(League)
    config.multi_agent(policies={SHARED, *PAST}, policy_mapping_fn=plays, policies_to_train=[SHARED])
    modules = {name: masked() for name in (SHARED, *PAST)}
    return config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))


def train(steps: int, seed: int = 0) -> Policy:
    """Self-play; a policy that answers many games at once."""
    return policy_of(learn(self_play_config(seed), steps), SHARED)


def train_against_bots(steps: int, seed: int = 0) -> Policy:
    """One seat against random answers."""
    config = ppo("smallcity_bots", seed).rl_module(rl_module_spec=masked())
    return policy_of(learn(config, steps), "default_policy")


def policy_of(algorithm: Algorithm, name: str) -> Policy:
    """The trained module as a function; RLlib is shut down."""
    module = algorithm.get_module(name)
    algorithm.stop()

    @torch.no_grad()
    def answer(seen: Any, legal: Any) -> Any:
        mask = torch.as_tensor(legal, dtype=torch.float32)
        out = module.forward_inference({"obs": {"observations": torch.as_tensor(seen), "action_mask": mask}})
        return np.asarray(torch.distributions.Categorical(logits=out["action_dist_inputs"]).sample())

    return answer


if __name__ == "__main__":
    report(train, steps=20_000)
    report(train_against_bots, steps=20_000)
