"""What the site changes in the pages of the repository: links to source files become names of files."""

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Replace links to source files, which the site does not hold, by their paths; refuse broken ones."""

    def path(match: "re.Match[str]") -> str:
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page.file.src_uri), match[2]))
        if not (ROOT / target).exists():
            raise FileNotFoundError(f"{page.file.src_uri} links to {target}, which does not exist")
        return match[1] if match[1].strip("`") == target else f"{match[1]} (`{target}`)"

    return LINK.sub(path, markdown)
