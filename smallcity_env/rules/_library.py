"""The library of compiled code: the rules, the agents and the labels of training, in one build."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ..library import Library
from ..refusal import install
from .numbers import STANDARD
from .tables.in_force import FINGERPRINT

MODULES: Final = (
    "smallcity_env.rules.draw",
    "smallcity_env.rules.entries",
    "smallcity_agents.evaluation",
    "smallcity_agents.net.forward",
    "smallcity_agents.search.simulate",
    "smallcity_agents.value_net.answers",
    "smallcity_agents.value_net.encode",
    "smallcity_agents.value_net.forward",
    "smallcity_agents.value_net.priors",
    "smallcity_training.entries",
)
PARTS: Final = {  # of each package, what its entries may import
    "smallcity_env": ("files.py", "language.py", "refusal.py", "rules"),
    "smallcity_agents": ("evaluation", "memory.py", "names.py", "net", "search", "value_net",
                         "vocabulary.py"),
    "smallcity_training": ("entries.py",),
}  # fmt: skip


def _folders() -> Sequence[Path]:
    """The folders and files with the code of the library."""
    found = {package: find_spec(package) for package in PARTS}
    homes = {package: Path(spec.origin).parent for package, spec in found.items() if spec and spec.origin}
    return [home / part for package, home in homes.items() for part in PARTS[package]]


library: Final = Library(
    "smallcity",
    MODULES,
    _folders,
    key=lambda: "" if FINGERPRINT == STANDARD else FINGERPRINT,
    shipped=Path(__file__).parents[1] / "shipped",
    hint=f"`{install('build')}` installs what builds it",
)
