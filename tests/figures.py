"""What the figures of the pages were measured with: `python -m tests.figures` prints the marks of today."""

from smallcity_agents.benchmark.anchors import nets
from smallcity_env.rules.tables.in_force import RULES_VERSION


def shipped() -> dict[str, str]:
    """The nets of the package, each with the beginning of its hash, and the rules."""
    return nets() | {"rules": RULES_VERSION}


if __name__ == "__main__":
    print("<!-- figures: " + ", ".join(map(" ".join, shipped().items())) + " -->")
