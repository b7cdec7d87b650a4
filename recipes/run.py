"""Run recipes, and write the table of docs/ecosystem.md.

python recipes/run.py torchrl sb3                 train by these recipes and print their rows
python recipes/run.py --write docs/ecosystem.md   all whose library is installed; other rows are kept
"""

import argparse
import importlib
import re
import sys
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Final

from measure import win_share
from smallcity_env import files
from smallcity_env.refusal import Refused, needing

HERE: Final = Path(__file__).parent
HEAD: Final = "| client | version | glue lines | checker | steps/s | learned |\n|---|---|---:|---|---:|---|\n"
BEGIN, END = "<!-- ecosystem -->\n", "<!-- /ecosystem -->"
GAMES: Final = 256  # to measure the strength


@dataclass(frozen=True)
class Recipe:
    """A file of this folder, the distribution it uses, and how many steps it trains for the table."""

    client: str
    file: str
    library: str
    extra: str
    steps: int
    train: str = "train"
    check: str = "check"

    def load(self) -> ModuleType:
        """Import it; refuses in one sentence without its library."""
        with needing(self.extra):
            return importlib.import_module(self.file)

    def glue(self) -> int:
        """The number of lines between the environment and the library."""
        source = (HERE / f"{self.file}.py").read_text()
        parts = re.findall(r"^# glue: begin\n(.*?)^# glue: end$", source, re.MULTILINE | re.DOTALL)
        lines = [line.strip() for part in parts for line in part.splitlines()]
        return sum(bool(line) and not line.startswith(("#", '"""')) for line in lines)

    @property
    def version(self) -> str:
        """The version of the library, without its build tag."""
        return metadata.version(self.library).partition("+")[0]

    def row(self, steps: int | None = None) -> str:
        """Check, train and measure: a row of the table."""
        recipe = self.load()
        checker = getattr(recipe, self.check)()
        speed, learned = self.measure(recipe, steps or self.steps)
        cells = (self.client, self.version, self.glue(), checker, f"{speed:,.0f}", learned)
        return f"| {' | '.join(map(str, cells))} |\n"

    def measure(self, recipe: ModuleType, steps: int) -> tuple[float, str]:
        """Train: steps a second, and what was learned."""
        began = time.process_time()
        policy = getattr(recipe, self.train)(steps)
        speed = steps / (time.process_time() - began)
        won = f"wins {win_share(policy, GAMES):.0%} of {GAMES} games against random answers"
        return speed, f"{won} after {steps:,} steps"


class SearchRecipe(Recipe):
    """OpenSpiel's search does not learn: it plays."""

    def measure(self, recipe: ModuleType, steps: int) -> tuple[float, str]:
        """Let it play `steps` games: moves a second, and how many it wins."""
        won = [recipe.play(simulations=32, seed=seed) for seed in range(steps)]
        share = sum((reward + 1) / 2 for reward in won) / steps
        won_by = f"its MCTS, 32 simulations, wins {share:.0%} of {steps} games against random answers"
        return recipe.moves_per_second(), won_by


RECIPES: Final = {
    "sb3": Recipe("stable-baselines3, MaskablePPO", "sb3_maskable", "sb3-contrib", "train", 65_536),
    "cleanrl": Recipe("one file of PPO, as CleanRL's", "cleanrl_ppo", "torch", "train", 65_536),
    "torchrl": Recipe("TorchRL, PPO", "torchrl_ppo", "torchrl", "ecosystem", 6_144),
    "tianshou": Recipe(
        "Tianshou, DQN against its random agent", "tianshou_dqn", "tianshou", "ecosystem", 16_384
    ),
    "rllib": Recipe("RLlib, PPO in self-play", "rllib_ppo", "ray", "rllib", 6_144),
    "rllib_bots": Recipe(
        "RLlib, PPO against bots", "rllib_ppo", "ray", "rllib", 6_144, "train_against_bots", "check_bots"
    ),
    "openspiel": SearchRecipe("OpenSpiel, a pyspiel game", "openspiel_mcts", "open_spiel", "ecosystem", 10),
}


def rows_of(names: list[str], steps: int | None) -> dict[str, str]:
    """The rows of these recipes by client; if none is named, of all that are installed."""
    rows = {}
    for name in names or RECIPES:
        try:
            rows[RECIPES[name].client] = RECIPES[name].row(steps)
        except Refused as missing:
            if names:
                raise
            print(f"{name} is left out: {missing}", file=sys.stderr)
    return rows


def write(page: Path, rows: dict[str, str]) -> None:
    """Replace the rows of the table in a page; rows of clients that were not run are kept."""
    before, _, rest = files.read_text(page).partition(BEGIN)
    table, _, after = rest.partition(END)
    known = {line.split(" | ")[0].strip("| "): f"{line}\n" for line in table.splitlines()[2:]}
    merged = known | rows
    lines = [merged[recipe.client] for recipe in RECIPES.values() if recipe.client in merged]
    files.write(page, before + BEGIN + HEAD + "".join(lines) + END + after)


def main() -> int:
    """Run the recipes named on the command line."""
    parser = argparse.ArgumentParser(description="Run recipes and measure what they learn.")
    parser.add_argument("names", nargs="*", help=f"of recipes (default: all installed): {', '.join(RECIPES)}")
    parser.add_argument("--steps", type=int, help="to train (OpenSpiel: games to play)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page whose table is renewed")
    args = parser.parse_args()
    if unknown := set(args.names) - set(RECIPES):
        print(f"there is no recipe {', '.join(unknown)}: choose from {', '.join(RECIPES)}", file=sys.stderr)
        return 2
    try:
        rows = rows_of(args.names, args.steps)
    except Refused as missing:
        print(missing, file=sys.stderr)
        return 2
    print(HEAD + "".join(rows.values()), end="")
    if args.write:
        write(args.write, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
