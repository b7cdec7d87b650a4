"""The pictures of the documentation, each drawn from a position beside it.

python -m tests.docs_pictures    # after a change of how pictures look
"""

from pathlib import Path

from smallcity_env import render
from smallcity_env.text import notation

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
POSITIONS = sorted(FOLDER.glob("*.txt"))


def drawn(position: Path) -> str:
    """The picture of a position in a file; a last line `# seat 1` names the viewer."""
    text = position.read_text(encoding="utf-8")
    last = text.splitlines()[-1]
    seat = int(last.removeprefix("# seat ")) if last.startswith("# seat ") else None
    return render.svg(notation.from_text(text)[0], seat) + "\n"


if __name__ == "__main__":
    for file in POSITIONS:
        file.with_suffix(".svg").write_text(drawn(file), encoding="utf-8")
