"""How the rules behave, and the version that names it: tests/golden/behaviour.json.

    python -m tests.behaviour      # records it, once golden games and perft counts are renewed

Golden games that end otherwise, or other perft counts, are another behaviour and need another RULES_VERSION.
"""

import hashlib
import json
import sys
from pathlib import Path

from smallcity_env.rules.tables.in_force import RULES_VERSION

TESTS = Path(__file__).parent
RECORD = TESTS / "golden" / "behaviour.json"
ENDING = 4  # lines of a golden game: forced answers, scores, ranking, state
RENAME = "give RULES_VERSION in smallcity_env/rules/tables/in_force.py another name, then run"
COMMAND = "`python -m tests.behaviour`"


def behaviour() -> dict[str, str]:
    """A digest of the end of every golden game and of the counts of every perft position."""
    ends = {file.stem: file.read_text().splitlines()[-ENDING:] for file in RECORD.parent.glob("*.txt")}
    counts = {f"perft {name}": n for name, n in json.loads((TESTS / "perft.json").read_text()).items()}
    digests = {k: hashlib.sha256(json.dumps(v).encode()).hexdigest()[:8] for k, v in (ends | counts).items()}
    return dict(sorted(digests.items()))


def unnamed(version: str, recorded: dict[str, str], now: dict[str, str]) -> str:
    """What behaves otherwise under the same version, and what to do; empty if nothing does."""
    changed = [name for name, digest in now.items() if recorded.get(name, digest) != digest]
    if not changed or version != RULES_VERSION:
        return ""
    return f"the rules are no longer {version} ({', '.join(changed)}): {RENAME} {COMMAND}"


def warning() -> str:
    """What to do after golden games or perft counts were rewritten."""
    return unnamed(*json.loads(RECORD.read_text()).values(), behaviour()) or f"{COMMAND} records new ones"


def record() -> None:
    """Record the behaviour, or refuse if it changed and its version did not."""
    now = behaviour()
    if wrong := unnamed(*json.loads(RECORD.read_text()).values(), now):
        sys.exit(wrong)
    RECORD.write_text(json.dumps({"version": RULES_VERSION, "behaviour": now}, indent=1) + "\n")


if __name__ == "__main__":
    record()
