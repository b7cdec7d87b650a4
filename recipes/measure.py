"""How well a policy plays: games against random answers, for the recipes in this folder."""

import time
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from smallcity_env.envs.vector import SmallCityVec

Policy: TypeAlias = Callable[[Any, Any], Any]  # observations and masks (bool) of many games: their actions


def win_share(policy: Policy, games: int = 256, seed: int = 1_000_000) -> float:
    """The share of two-player games won against random answers; a tie counts half."""
    table = SmallCityVec(games, players=2, opponents="random", reward="rank")
    seen, infos = table.reset(seed=seed)
    paid, over = np.zeros(games), np.zeros(games, np.bool_)
    while not over.all():
        actions = policy(seen, infos["action_mask"].astype(np.bool_))
        seen, rewards, ended, _, infos = table.step(np.asarray(actions, np.int64))
        paid += np.where(over, 0, rewards)  # rows that have ended play another game
        over |= ended
    return float((paid > 0).mean() + (paid == 0).mean() / 2)


def report(train: Callable[[int], Policy], steps: int) -> None:
    """Train, and print the speed and the strength reached."""
    began = time.process_time()
    policy = train(steps)
    speed = steps / (time.process_time() - began)
    share = win_share(policy)
    print(
        f"{steps:,} steps, {speed:,.0f} in a second of processor time; then {share:.0%} of games won", end=" "
    )
    print("against random answers")
