"""One side of a comparison (compare.py): prepares the named cases, then runs one round per input line.

python -m smallcity_bench.rounds fork/godzillas/4
{"fork/godzillas/4": {"what": "batch.fork, Godzillas, 4 players", "cores": 1}}
< fork/godzillas/4 0.5
[0.51, 0.5, 512000, 0, 0]
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from . import learner, ours
from .measure import Case, Ready, on_cores, one_round


def _set_up(case: Case) -> Ready | None:
    """A case that has run once; None if this version cannot run it."""
    try:
        with on_cores(case.cores):
            ready = case.prepare()
            ready.run()
    except Exception as error:
        print(f"{case.what}: not in {Path.cwd()} ({type(error).__name__}: {error})", file=sys.stderr)
        return None
    return ready


def serve(keys: Sequence[str]) -> None:
    """Answer every line of stdin, a case and seconds, with a round of it."""
    cases = {case.key: case for case in [*ours.cases(), *learner.cases()] if case.key in keys}
    prepared = {key: ready for key, case in cases.items() if (ready := _set_up(case))}
    known = {key: {"what": cases[key].what, "cores": cases[key].cores} for key in prepared}
    print(json.dumps(known), flush=True)
    for line in sys.stdin:
        key, seconds = line.split()
        with on_cores(cases[key].cores):
            print(json.dumps(one_round(prepared[key], float(seconds))), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1:])
