"""stable-baselines3: its tutorial with MaskablePPO of sb3-contrib, one seat against random answers.

    python recipes/sb3_maskable.py

`SmallCitySB3` is a VecEnv with the masks that MaskablePPO asks for: nothing is in between.
"""

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_checker import check_env

import smallcity_env  # noqa: F401 - registers SmallCity-v0
from measure import Policy
from smallcity_env.envs.sb3 import SmallCitySB3


def check() -> str:
    """stable-baselines3's checker, which samples without the mask."""
    check_env(gymnasium.make("SmallCity-v0", players=2).unwrapped)
    return "`check_env`"


def learn(steps: int, seed: int = 0) -> MaskablePPO:
    """Train as the tutorial does; the dense reward `score` shows progress soonest."""
    games = SmallCitySB3(64, players=2, opponents="random", reward="score")
    model = MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
    )
    return model.learn(steps)


def train(steps: int, seed: int = 0) -> Policy:
    """A policy that answers many games at once."""
    model = learn(steps, seed)
    return lambda seen, legal: np.asarray(model.predict(seen, action_masks=legal)[0])


if __name__ == "__main__":
    trained = learn(50_000)
    one_game = gymnasium.make("SmallCity-v0", players=2, opponents="random")
    mean, deviation = evaluate_policy(trained, one_game, n_eval_episodes=50, warn=False)
    print(f"mean rank reward of 50 games against random answers: {mean:.2f} +- {deviation:.2f}")
