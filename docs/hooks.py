"""What the site changes: links, pages from other folders, pictures that open large."""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
NOTEBOOKS = "notebooks"
ABOVE = ("CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md")  # pages in the folder above the others
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")
NAMED = re.compile(r"\[(?:docs/)?[\w/-]+\.md\]\(([\w/-]+\.md)(#[^)\s]*)?\)")
PICTURE = re.compile(r'<p>(<img [^>]*src="([^"]+)"[^>]*>)</p>')
HREF = re.compile(r'href="((?:\.\./)?[\w/]*\.(?:md|ipynb))(#[^"]*)?"')


@event_priority(100)  # before mkdocs-jupyter looks for notebooks
def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the notebooks and the pages of the folder above."""
    notebooks = sorted(f"{NOTEBOOKS}/{file.name}" for file in (ROOT / NOTEBOOKS).glob("*.ipynb"))
    for name in (*notebooks, *(page for page in ABOVE if (ROOT / page).exists())):
        files.append(File(name, str(ROOT), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown: str, page: Any, files: Any, **_: Any) -> str:
    """Let links say the titles of pages, and links to source files their paths; refuse broken ones."""
    source = page.file.src_uri
    if source.startswith(NOTEBOOKS):
        return markdown
    if source in ABOVE:
        markdown = markdown.replace("](docs/", "](")
    markdown = LINK.sub(lambda match: path(match, source), markdown)
    return NAMED.sub(lambda match: titled(match, files), markdown)


def path(match: "re.Match[str]", source: str) -> str:
    """The path of a source file, which the site does not hold, instead of a link to it."""
    text, target = match[1], posixpath.normpath(posixpath.join("docs", posixpath.dirname(source), match[2]))
    if not (ROOT / target).exists():
        raise FileNotFoundError(f"{source} links to {target}, which does not exist")
    if target.startswith("docs/"):  # from a page in a folder
        return match[0]
    if target.startswith(NOTEBOOKS) or target in ABOVE:
        return f"[{text}]({target})"
    return f"`{target}`" if target.endswith(text.strip("`/")) else f"{text} (`{target}`)"


def titled(match: "re.Match[str]", files: Any) -> str:
    """A link that names the file of a page, with the page's title instead."""
    file = files.get_file_from_path(match[1])
    return f"[{file.page.title}]({match[1]}{match[2] or ''})" if file and file.page else match[0]


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
