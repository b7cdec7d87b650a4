"""The stand-in for numpy: pages of hundreds of positions are the same bytes, and so is advice."""

import json
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import make_page
from smallcity_agents.benchmark import mixes
from smallcity_env import batch
from smallcity_env.config import MODULES
from smallcity_env.game import Game
from smallcity_env.rules import rng
from tests.static import pages
from tests.static.conftest import node

GAMES = 24
ROOMS = {
    "play",
    "web",
    "search",
    "value_net",
    "evaluation",
    "net",
    "rules",
    "phases",
    "modules",
    "text",
    "render",
}
UNUSED = {"savez", "savez_compressed", "packbits"}  # nets are not written, nor rules run in plain Python


def test_the_standin_has_every_name_of_numpy_that_the_page_uses() -> None:
    folder = make_page.HERE / "standin" / "numpy"
    spec = spec_from_file_location(
        "standin", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec and spec.loader
    sys.modules["standin"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["standin"])
    rooms = [path for path in make_page.modules() if path.parent.name in ROOMS]
    used = {name for path in rooms for name in re.findall(r"(?<![.\w])np\.([a-z]\w*)", path.read_text())}
    assert {name for name in used - UNUSED if not hasattr(sys.modules["standin"], name)} == set()


def played(seed: int, config: Any) -> list[Any]:
    """A random game: its first position and every answer."""
    game, streams = Game(config, seed), rng.streams([seed])
    start, answers = game.save().hex(), list[int]()
    while not game.over:
        answers.append(int(batch.pick(game.mask()[None], streams)[0]))
        game.step(answers[-1])
    return [start, answers]


def test_pages_and_advice_are_the_same_with_numpy_and_without(folder: Path, tmp_path: Path) -> None:
    configs = mixes.first(GAMES, 40, held_out=False)
    assert {module for config in configs for module in config.modules} == set(MODULES)
    games = [played(seed, config) for seed, config in enumerate(configs)]
    (tmp_path / "games.json").write_text(json.dumps(games))
    wanted = list(pages.lines(games))
    assert (
        len({line.partition(" view")[0] for line in wanted if " view of None " in line}) >= 200
    )  # positions
    assert sum("expected" in line for line in wanted) >= 10
    assert sum(" decision " in line for line in wanted) >= 3
    assert node("pages.mjs", folder, tmp_path / "games.json").splitlines() == wanted
