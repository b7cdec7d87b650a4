"""What the site changes: links to source files become paths, notebooks are pages, pictures open large."""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
NOTEBOOKS = "notebooks"
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")
PICTURE = re.compile(r'<p>(<img [^>]*src="([^"]+)"[^>]*>)</p>')
HREF = re.compile(r'href="((?:\.\./)?[\w/]*\.(?:md|ipynb))(#[^"]*)?"')


@event_priority(100)  # before mkdocs-jupyter looks for notebooks
def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the notebooks, which lie beside the folder of the pages."""
    for notebook in sorted((ROOT / NOTEBOOKS).glob("*.ipynb")):
        name = f"{NOTEBOOKS}/{notebook.name}"
        files.append(File(name, str(ROOT), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Replace links to source files, which the site does not hold, by their paths; refuse broken ones."""

    def path(match: "re.Match[str]") -> str:
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page.file.src_uri), match[2]))
        if not (ROOT / target).exists():
            raise FileNotFoundError(f"{page.file.src_uri} links to {target}, which does not exist")
        if target.startswith(NOTEBOOKS):
            return f"[{match[1]}]({target})"
        return match[1] if match[1].strip("`") == target else f"{match[1]} (`{target}`)"

    return markdown if page.file.src_uri.startswith(NOTEBOOKS) else LINK.sub(path, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Link every picture that is a paragraph to its file, so that a phone can show it large."""
    return PICTURE.sub(r'<p><a href="\2">\1</a></p>', html)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Let the links of a notebook lead to pages of the site."""

    def site(match: "re.Match[str]") -> str:
        target = posixpath.normpath(posixpath.join(NOTEBOOKS, match[1]))
        target = "docs/index.md" if target == "README.md" else target
        address = posixpath.relpath(posixpath.splitext(target.removeprefix("docs/"))[0], NOTEBOOKS)
        return f'href="{address}.html{match[2] or ""}"'

    return HREF.sub(site, output) if page.file.src_uri.startswith(NOTEBOOKS) else output
