"""Results of arenas: a line is refused, or stands for a game that statistics can use."""

import json
import random
import tempfile
from pathlib import Path

import numpy as np

from smallcity_agents.arena import stats
from smallcity_agents.arena.results import read
from smallcity_agents.arena.standings import standings
from tests.faults.results import entry

from .attempts import altered, damaged, refused

FILE = Path(tempfile.mkdtemp()) / "arena.jsonl"
GOOD = [json.dumps(entry(seed=seed)).encode() for seed in range(3)]


def attempt(chance: random.Random) -> bool:
    """Alter a line, or damage the file."""
    lines = list(GOOD[: chance.randrange(1, 4)])
    if chance.random() < 0.75:
        for _ in range(chance.choice((1, 1, 2))):
            at = chance.randrange(len(lines))
            lines[at] = json.dumps(altered(json.loads(lines[at]), chance)).encode()
        data = b"".join(line + b"\n" for line in lines)
    else:
        data = damaged(b"".join(line + b"\n" for line in lines), chance)
    FILE.write_bytes(data)
    if refused(lambda: read(FILE)):
        return True
    found = read(FILE)
    if found:
        rows = standings(found)
        assert all(0 <= row.share <= 1 and np.isfinite(row.score) for row in rows)
        assert len(stats.seats(found)) == sum(len(result.agents) for result in found)
    return False
