"""One version's side of a comparison (compare.py): prepares the cases named, then runs a round per line.

python -m smallcity_bench.rounds fork/godzillas/4
{"fork/godzillas/4": "batch.fork, Godzillas, 4 players"}
< fork/godzillas/4 0.5
[0.51, 0.5, 512000, 0, 0]
"""

import json
import sys
from collections.abc import Sequence

from . import learner, ours
from .measure import on_cores, one_round


def serve(keys: Sequence[str]) -> None:
    """Answer every line of stdin, a case and seconds, with a round of it."""
    cases = {case.key: case for case in [*ours.cases(), *learner.cases()] if case.key in keys}
    prepared = {}
    for key, case in cases.items():
        with on_cores(case.cores):
            prepared[key] = case.prepare()
            prepared[key].run()
    known = {key: {"what": case.what, "cores": case.cores} for key, case in cases.items()}
    print(json.dumps(known), flush=True)
    for line in sys.stdin:
        key, seconds = line.split()
        with on_cores(cases[key].cores):
            print(json.dumps(one_round(prepared[key], float(seconds))), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1:])
