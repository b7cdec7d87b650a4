"""The wheel: what is in it, and whether it works where nothing but its dependencies is installed."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import date
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import smallcity_env
from smallcity_env import ship
from smallcity_env.refusal import install

from .interpreter import PLAIN, ROOT

PACKAGES = {"smallcity_env", "smallcity_agents", "smallcity_training"}
FOLDERS = ("smallcity_env", "agents", "training", "bench")
FILES = ("pyproject.toml", "README.md", "LICENSE", SCRIPT := "smallcity_script.py")
TARGET = "linux-x86_64-x86-64-v2"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
GAME = """
import smallcity_agents, smallcity_env, smallcity_training
from smallcity_env import Config, Game
game = Game(Config(players=2), seed=7)
while not game.over:
    game.step(game.legal()[-1])
print(smallcity_env.__version__, smallcity_env.__file__, len(game.scores()))
"""


LOADED = """
import sys
from smallcity_env.rules._library import library
print(library.found()[0])
print({"numba", "llvmlite"} & set(sys.modules))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with a library, from a copy of the sources, with the setuptools that are installed."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    built_before = shutil.ignore_patterns("*.egg-info", "__pycache__", "shipped")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, ignore=built_before)
    for name in FILES:
        shutil.copy(ROOT / name, source)
    ship.main(["--targets", TARGET, "--to", str(source / "smallcity_env" / "shipped")])
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder), str(source))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment with the wheel and its dependencies, linked rather than downloaded."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", str(python))
    run(*pip, "install", "--no-deps", "--no-index", str(wheel))
    packages = Path(run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    for path in set(needed_files(PROJECT["dependencies"], set())):
        (packages / path.name).symlink_to(path)
    return python.parent


def needed_files(requirements: list[str], known: set[str]) -> Iterator[Path]:
    """The top-level files and folders of required distributions, and of those they require."""
    for requirement in map(Requirement, requirements):
        elsewhere = requirement.marker and not requirement.marker.evaluate({"extra": ""})
        if elsewhere or requirement.name in known:
            continue
        known.add(requirement.name)
        installed = distribution(requirement.name)
        for top in {file.parts[0] for file in installed.files or ()} - {"..", "__pycache__"}:
            yield Path(str(installed.locate_file(top)))
        yield from needed_files(installed.requires or [], known)


def run(*words: str, **env: str) -> str:
    """What a command prints; fails with its complaint."""
    done = subprocess.run(words, env=os.environ | env, capture_output=True, text=True, cwd=ROOT.anchor)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_three_packages_and_the_script_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES | {SCRIPT}
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)
    files = {"smallcity_agents/data/value_net.npz", "smallcity_env/render/replay.html"}
    files |= {"smallcity_agents/web/static/index.html", "smallcity_env/locale/fr/LC_MESSAGES/smallcity.mo"}
    assert files <= set(names)


def test_the_wheel_passes_the_checkers(wheel: Path) -> None:
    assert "PASSED" in run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), NO_COLOR="1")
    tops = ",".join((*PACKAGES, SCRIPT))
    assert run(sys.executable, "-m", "check_wheel_contents", "--toplevel", tops, str(wheel))


def test_the_installed_wheel_plays_a_game(clean: Path) -> None:
    version, file, seats = run(str(clean / "python"), "-c", GAME, PYTHONPATH="", **PLAIN).split()
    assert version == smallcity_env.__version__
    assert Path(file).is_relative_to(clean.parent) and seats == "2"


def test_the_installed_wheel_builds_nothing_and_needs_no_numba(clean: Path, tmp_path: Path) -> None:
    folder = {"XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": ""}
    played = subprocess.run(
        [str(clean / "python"), "-c", GAME + LOADED],
        env=os.environ | folder, cwd=ROOT.anchor, capture_output=True, text=True,
    )  # fmt: skip
    assert played.stderr == ""
    *_, file, imported = played.stdout.splitlines()
    assert Path(file).is_relative_to(clean.parent) and Path(file).parent.name == "shipped"
    assert imported == "set()" and not [*tmp_path.rglob("*.library")]


def test_the_installed_command_lists_itself(clean: Path) -> None:
    assert "arena" in run(str(clean / "smallcity"), "--help", PYTHONPATH="")


def test_the_public_interface_is_typed(clean: Path) -> None:
    """By Pyright's measure; it is installed by one job of the workflow only."""
    pyright = shutil.which(
        "pyright", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    )
    if pyright is None:
        pytest.skip("no pyright here")
    words = [pyright, "--verifytypes", "smallcity_env", "--ignoreexternal", "--outputjson"]
    environment = {"VIRTUAL_ENV": str(clean.parent), "PATH": f"{clean}{os.pathsep}{os.environ['PATH']}"}
    output = subprocess.run(
        words, env=os.environ | environment, capture_output=True, text=True, cwd=clean.parent
    )
    score = json.loads(output.stdout)["typeCompleteness"]["completenessScore"]
    assert score >= 0.98


def test_train_without_its_extra_says_one_sentence(clean: Path) -> None:
    words = [str(clean / "smallcity"), "train", "ppo"]
    refused = subprocess.run(words, env=os.environ | {"PYTHONPATH": ""}, capture_output=True, text=True)
    assert refused.returncode == 2 and refused.stdout == ""
    assert re.fullmatch(rf"smallcity: this needs \w+: {re.escape(install('train'))}\n", refused.stderr)


def test_nobody_is_told_to_install_a_package_that_is_not_published() -> None:
    texts = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("recipes/**/*.py")]
    texts += [
        path
        for name in ("smallcity_env", "agents", "training", "bench")
        for path in ROOT.glob(f"{name}/**/*.py")
    ]
    assert not [path for path in texts if "pip install 'smallcity-env" in path.read_text()]


def test_every_declared_python_is_in_the_matrix_of_the_workflow() -> None:
    declared = {line.split(":: ")[-1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)}
    matrix = re.search(r"python: \[(.*)\]", (ROOT / ".github" / "workflows" / "test.yml").read_text())
    assert matrix and set(re.findall(r"3\.\d+", matrix[1])) == declared
    assert PROJECT["requires-python"] == f">={min(declared)}"


def test_the_changelog_and_the_citation_name_the_version_and_its_day() -> None:
    heading = rf"^## \[{re.escape(smallcity_env.__version__)}\] - (\d{{4}}-\d\d-\d\d)$"
    released = re.search(heading, (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert released and citation["date-released"] == date.fromisoformat(released[1])
    assert citation["version"] == smallcity_env.__version__


def test_a_tag_publishes_the_wheel_and_the_site() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text())
    assert workflow[True]["push"]["tags"] == ["v*"]  # YAML reads the key `on` as a boolean
    jobs = {name: [step.get("run") for step in job["steps"]] for name, job in workflow["jobs"].items()}
    assert "make docs" in jobs["site"] and "if" not in workflow["jobs"]["site"]
    assert "make wasm" in jobs["wasm"] and workflow["jobs"]["wasm"]["if"] == workflow["jobs"]["wheel"]["if"]
    assert "make wheel" in jobs["wheel"] and "refs/tags/v" in workflow["jobs"]["wheel"]["if"]
    (compared,) = [words for words in jobs["wheel"] if words and "GITHUB_REF_NAME" in words]
    for tag, fits in ((f"v{smallcity_env.__version__}", True), ("v99.0", False)):
        ran = subprocess.run(["sh", "-c", compared], cwd=ROOT, env=os.environ | {"GITHUB_REF_NAME": tag})
        assert (ran.returncode == 0) == fits


POSIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "termios", "tty"}


def test_nothing_that_windows_lacks_is_imported() -> None:
    for folder in ("smallcity_env", "agents", "training"):
        for path in (ROOT / folder).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            imported = re.findall(r"^\s*(?:import|from) (\w+)", source, re.MULTILINE)
            assert not POSIX_ONLY & set(imported), path
