"""What the figures of the pages were measured with: `python -m tests.figures` prints the marks of today."""

import hashlib
from importlib.resources import files

from smallcity_env.rules.tables.in_force import RULES_VERSION


def shipped() -> dict[str, str]:
    """The nets of the package, each with the beginning of its hash, and the rules."""
    data = (files("smallcity_agents") / "data").iterdir()
    nets = {file.name.removesuffix(".npz"): file.read_bytes() for file in data if file.name.endswith(".npz")}
    hashes = {name: hashlib.sha256(net).hexdigest()[:8] for name, net in nets.items()}
    return hashes | {"rules": RULES_VERSION}


if __name__ == "__main__":
    print("<!-- figures: " + ", ".join(map(" ".join, shipped().items())) + " -->")
