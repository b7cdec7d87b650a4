"""A bot that builds what it can: smallcity arena "stdio:python3 recipes/bots/bot.py" random."""

import json
import sys


def main() -> None:
    """Say hello, then answer questions until the game closes the pipe."""
    sys.stdin.readline()
    print(json.dumps({"protocol": 1}), flush=True)
    for line in sys.stdin:
        legal = json.loads(line)["legal"]
        builds = [answer for answer in legal if answer["name"].startswith(("build", "upgrade"))]
        print(json.dumps({"answer": (builds or legal)[0]["id"]}), flush=True)


if __name__ == "__main__":
    main()
