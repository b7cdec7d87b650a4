"""Records per second that `batch.validate` checks, by phase: python -m tests.validate_speed

Positions of greedy games, whose boroughs are dense; in Phase 2 by the player whose turn it is, since every
builder before leaves a borough that differs from the one he shows. By processor time, the best of several.
"""

import time
from collections import defaultdict
from typing import Any

import numpy as np

from smallcity_agents import make
from smallcity_env import Config, batch
from smallcity_env.rules import rng
from smallcity_env.rules.tables import MODULES, Phase

GAMES, RECORDS, REPEATS, LATE = 48, 2000, 9, 4  # LATE: rounds before are left out


def positions(config: Config) -> dict[str, Any]:
    """Positions of games from the middle on, by phase and turn."""
    states = batch.new(GAMES, config, range(GAMES))
    legal, streams, agent = batch.masks(states), rng.streams(range(GAMES)), make("greedy")
    kept = defaultdict(list)
    while not batch.over(states).all():
        answers = agent.act(states, states["seat"].astype(np.int64), legal, streams)
        batch.step(states, answers, legal)
        for game in np.flatnonzero(states["round_no"] > LATE):
            phase, turn = Phase(states[game].phase), int(states[game].turn)
            name = f"{phase.name.lower()}, turn {turn}" if phase == Phase.BUILD else phase.name.lower()
            if len(kept[name]) < RECORDS // 10:
                kept[name].append(batch.take(states, [game]))
    return {name: batch.join(games) for name, games in sorted(kept.items())}


def rate(states: Any) -> float:
    """Records a second of processor time."""
    many = batch.take(states, np.arange(RECORDS) % len(states))
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        batch.validate(many)
        times.append(time.process_time() - began)
    return RECORDS / min(times)


def main() -> None:
    """Print the table."""
    for what, modules in (("base game", ()), ("all modules", MODULES)):
        for name, states in positions(Config(4, modules)).items():
            print(f"{what}, 4 players, {name}: {rate(states):,.0f} records a second")


if __name__ == "__main__":
    main()
