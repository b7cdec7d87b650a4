"""What is installed and published: every file by its hash, no extra more than it needs."""

import re
import tomllib

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .interpreter import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAKEFILE = (ROOT / "Makefile").read_text()
LOCK = (ROOT / "requirements.lock").read_text()
FOR_DEVELOPERS = {"dev", "docs", "bench", "ecosystem"}


def pins(text: str) -> dict[str, list[str]]:
    """The versions of every package in a list of pins: a universal lock may have one for each Python."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE):
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def names(requirements: list[str]) -> set[str]:
    return {str(canonicalize_name(Requirement(text).name)) for text in requirements}


def test_every_package_of_the_lock_has_its_hashes_and_no_address() -> None:
    entries = re.split(r"\n(?=[a-z0-9])", re.sub(r"^#.*\n", "", LOCK, flags=re.MULTILINE).strip())
    assert len(entries) > 100
    for entry in entries:
        assert re.fullmatch(r"[^\n]+==[^\n]+?( \\\n    --hash=sha256:[0-9a-f]{64})+", entry), entry
    assert "://" not in LOCK


def test_the_lock_has_what_make_installs_in_the_versions_of_the_constraints() -> None:
    extras = re.search(r"^DEV +:= ([a-z ]+)#", MAKEFILE, re.MULTILINE)
    assert extras
    wanted = names(PROJECT["dependencies"])
    for extra in extras[1].split():
        wanted |= names(PROJECT["optional-dependencies"][extra])
    locked, constrained = pins(LOCK), pins((ROOT / "constraints.txt").read_text())
    assert wanted - set(locked) == {"torch"} and "torch" in constrained  # it has builds of its own
    assert {name: constrained[name] for name in locked if name in constrained} == {
        name: versions for name, versions in locked.items() if name in constrained
    }


def test_extras_for_users_bring_no_tools_of_developers() -> None:
    extras = PROJECT["optional-dependencies"]
    for_users = {name for name in extras if name not in FOR_DEVELOPERS}
    tools = names(extras["dev"]) - set().union(*(names(extras[extra]) for extra in for_users - {"rllib"}))
    assert {"pytest", "ruff", "twine"} <= tools
    assert not {extra for extra in for_users if names(extras[extra]) & tools}


def test_a_tag_lists_what_the_wheel_depends_on_apart_from_publishing_it() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text())["jobs"]
    assert "make sbom" in [step.get("run") for step in jobs["sbom"]["steps"]]
    assert "permissions" not in jobs["sbom"] and jobs["sbom"]["if"] == jobs["wheel"]["if"]
