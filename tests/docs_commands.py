"""The commands shown on the pages, and how tests run them: with small budgets, in an empty folder."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from .interpreter import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOOLS = "smallcity|make|python|pip|tensorboard"
LINE = re.compile(
    rf"(?:\d+ +)?((?:[A-Z_]+=\S+ )*(?:{TOOLS}) .*?)(?:  +\S.*)?$"
)  # then two blanks and a remark
INLINE = re.compile(rf"(?<!`)`((?:[A-Z_]+=\S+ )*(?:{TOOLS}) [^`]+)`(?!`)")
FILE = re.compile(r"^(?:A|New) file `([\w.]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# What is added to a command so that it takes seconds. Options given twice count as given last.
TRAINING = "steps=256 games=32 horizon=8 evaluate_games=2 evaluate_every=256"
FROM = " start=runs/mine/checkpoints/net-....npz"
SEARCH = "steps=1 scripted_batches=1 scripted_games=4 evaluate_games=2 epochs=1 anchors=[random]"
SMALL = {
    "arena": "--games 2",
    "benchmark": "--quick --tasks duel",
    "dataset": "--games 2",
    "demo": "--games 8 --matches 0",
    "positions": "--file runs/positions.jsonl --count 2 --sims 4 --seed 0",
    "train imitate": " ".join(f"--set {pair}" for pair in TRAINING.split()),
    "train ppo": " ".join(f"--set {pair}" for pair in (TRAINING + FROM).split()),
    "train search": " ".join(f"--set {pair}" for pair in SEARCH.split()),
    "watch": "--delay 0 --by-round",
}
SLOW = re.compile(r"(?:^|(?<=,))(?:mcts|search|champion)(?=:leaf_value|,|$)")

# Commands that are only parsed, by a pattern, and why.
NOT_RUN = {
    r"smallcity web": "serves until it is stopped; tests/web starts it",
    r"smallcity bench --.*": "writes performance.md; tests/test_bench.py runs it",
    r"smallcity benchmark .*(--calibrate|--track learning) .*": "slow; tests/agents/test_benchmark*.py do",
    r"smallcity positions --puzzles .*": "slow; tests/agents/test_puzzles.py makes some",
    r"smallcity .* --ray .*": "needs a cluster; tests/test_cluster.py starts one",
    r"smallcity --numbers mine.toml (train|arena|web|play --net) .*": "tests/training/test_numbers.py does",
    r"smallcity .* --numbers dear.toml": "compiles the rules once more; tests/test_numbers.py does",
}


class Command(NamedTuple):
    """A command, the page that shows it, and whether it stands in a block: those are run."""

    page: Path
    text: str
    block: bool

    @property
    def words(self) -> list[str]:
        """The words, without the settings before them and what follows `>`."""
        words = shlex.split(self.text.partition(" > ")[0])
        return words[next(i for i, word in enumerate(words) if "=" not in word) :]

    @property
    def tool(self) -> str:
        """The program."""
        return self.words[0]

    @property
    def reason_not_to_run(self) -> str:
        """Why it is only parsed; empty if it is run."""
        return next((why for pattern, why in NOT_RUN.items() if re.fullmatch(pattern, self.text)), "")

    @property
    def output(self) -> str:
        """The file after `>`, if any."""
        return self.text.partition(" > ")[2]


def commands(page: Path) -> list[Command]:
    """All commands of a page in their order, blocks first."""
    text = page.read_text(encoding="utf-8")
    blocks = [re.sub(r"\\\n *", "", body) for language, body in FENCE.findall(text) if not language]
    shown = [LINE.match(line) for body in blocks for line in body.splitlines()]
    run = [Command(page, " ".join(match[1].split()), True) for match in shown if match]
    named = INLINE.findall(FENCE.sub("", text))
    return run + [Command(page, " ".join(text.split()), False) for text in named]


ALL = [command for page in PAGES if page.name != "CHANGELOG.md" for command in commands(page)]


def small(words: list[str], folder: Path) -> list[str]:
    """A command of `smallcity` with a small budget; the folder holds what earlier commands wrote."""
    budget = SMALL.get(" ".join(words[:2])) or SMALL.get(words[0], "")
    words = words if words[0] == "train" else [_quick(word) for word in words]
    words = [str(ROOT / word) if word.startswith("training/") else word for word in words]
    return [_checkpoint(word, folder) for word in [*words, *shlex.split(budget)]]


def _quick(word: str) -> str:
    """Agents that think for seconds, with a few simulations instead."""
    return SLOW.sub("search:sims=4", word).replace("sims=4:", "sims=4,")


def _checkpoint(word: str, folder: Path) -> str:
    """The newest checkpoint in place of one that the page makes up, such as net-....npz."""
    before, kind = (re.findall(r"(runs/\w+/checkpoints/)(net|value)-.*npz", word) or [("", "")])[0]
    if not kind:
        return word
    newest = max((folder / before).glob(f"{kind}-*.npz"))
    return re.sub(r"runs/\w+/checkpoints/.*npz", newest.relative_to(folder).as_posix(), word)
