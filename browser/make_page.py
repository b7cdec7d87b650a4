"""Build the page that needs no server: static files with Python, the rules and all agents in the browser.

python browser/make_page.py build/site/play       # takes node and npm, and the extra `ship`

Python is Pyodide's, from npm; what the server imports comes from PyPI, as wheels for it. numpy has none: in
its place is browser/standin. The compiled functions are those of the library (docs/library.md).
"""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from smallcity_agents import AGENTS
from smallcity_env import files, ship
from smallcity_env.language import ENGLISH, LANGUAGES, translated, use
from smallcity_env.library.header import header
from smallcity_env.library.processors import PYODIDE as FOR_PYODIDE
from smallcity_env.library.processors import WASM
from smallcity_env.library.sources import imported
from smallcity_env.rules._library import library

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent
STATIC: Final = ROOT / "agents" / "smallcity_agents" / "web" / "static"
PYODIDE: Final = "314.0.7"
CHECKSUM: Final = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
PLATFORM: Final = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")
LARGE: Final = ("pyodide.asm.mjs", "pyodide.asm.wasm")
NEEDED: Final = ("pyodide.mjs", *LARGE, "python_stdlib.zip")
PACKAGES: Final = {"smallcity_env": ROOT, "smallcity_agents": ROOT / "agents"}
DATA: Final = (
    "evaluation/weights.json",
    "data/*.npz",
    "data/*.json",
    "data/puzzles*",
    "locale/**/*.mo",
    "**/*.html",
)
UNUSED: Final = re.compile(  # of Python's own modules
    r"_pydatetime|_pyio|_pyrepl|bdb|cProfile|doctest|email|ensurepip|ftplib|http/(client|cookiejar|server)|"
    r"idlelib|imaplib|lib2to3|mailbox|modulefinder|multiprocessing|nntplib|optparse|pdb|pickletools|plistlib|"
    r"poplib|profile|pstats|pydoc|smtplib|statistics|telnetlib|tkinter|tracemalloc|turtle|unittest|"
    r"urllib/request|venv|wave|wsgiref|xml|"
    r"encodings/(big5|cp(?!437)|euc|gb|hp|hz|iso|johab|koi|kz|mac|ptcp|shift|tis|oem|mbcs)"
)
FROM_ROOT: Final = re.compile(r"([\"'`(])/static/")  # of the server
TEXT: Final = re.compile(r"%%(.+?)%%")
SCRIPTS: Final = '<script src="language.js"></script>\n<script src="requests.js"></script>'


def build(folder: Path) -> None:
    """Write the page into a folder, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        app, python, standard = Path(temporary, "app"), folder / "pyodide", Path(temporary, "standard")
        app.mkdir()
        _python(python, Path(temporary))
        _library(folder, app)
        _wheels(app, Path(temporary))
        _sources(app)
        archive = python / "python_stdlib.zip"
        with zipfile.ZipFile(archive) as modules:
            modules.extractall(standard, [name for name in modules.namelist() if not UNUSED.match(name)])
        call = [HERE / "compile.mjs", python, app, folder / "app.tar.gz", standard, archive]
        subprocess.run([_program("node"), *call], check=True)
    for name in LARGE:
        _compress(python / name)
    _page(folder)


def _program(name: str) -> str:
    """A program of Node.js."""
    if (path := shutil.which(name)) is None:
        raise SystemExit(f"the page is built with Node.js: install {name}")
    return path


def _python(folder: Path, temporary: Path) -> None:
    """Python for browsers."""
    call = [_program("npm"), "pack", "--silent", f"pyodide@{PYODIDE}"]
    subprocess.run(call, cwd=temporary, check=True, stdout=subprocess.DEVNULL)
    package = temporary / f"pyodide-{PYODIDE}.tgz"
    if hashlib.sha256(package.read_bytes()).hexdigest() != CHECKSUM:
        raise SystemExit(f"pyodide {PYODIDE} from npm has another checksum than the one in {__file__}")
    folder.mkdir()
    with tarfile.open(package) as archive:
        for name in (*NEEDED, "pyodide-lock.json"):
            found = archive.extractfile(f"package/{name}")
            assert found is not None, name
            (folder / name).write_bytes(found.read())
    lock = folder / "pyodide-lock.json"  # of packages that we do not load
    lock.write_text(json.dumps(json.loads(lock.read_text()) | {"packages": {}}))


def _compress(path: Path) -> None:
    """A file as browsers unpack it (worker.js), for servers that do not compress."""
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()


def _library(folder: Path, app: Path) -> None:
    """The compiled functions: for other languages with their header, and for Python."""
    module, shared = ship.wasm(WASM, FOR_PYODIDE)
    (folder / "smallcity.wasm").write_bytes(module)
    (folder / "smallcity.h").write_text(header(library, ship.CONSTANTS))
    (app / "smallcity.so").write_bytes(shared)
    (app / "symbols.json").write_text(json.dumps([entry.symbol for entry in library.entries()]))


def _wheels(app: Path, temporary: Path) -> None:
    """What the server imports."""
    wheels = temporary / "wheels"
    call = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:", *PLATFORM]
    subprocess.run([*call, "--require-hashes", "-r", HERE / "requirements.txt", "-d", wheels], check=True)
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(app, [name for name in archive.namelist() if ".dist-info/" not in name])


def _sources(app: Path) -> None:
    """Our own files, as far as the server imports them, and what they read."""
    shutil.copytree(HERE / "standin", app, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "answer.py", app)
    for path in [*modules(), *_data()]:
        root = next(root for root in (ROOT / "agents", ROOT) if path.is_relative_to(root))
        target = app / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def modules() -> list[Path]:
    """All files that the server and the agents import."""
    agents = [place.partition(":")[0] for place in AGENTS.values()]
    return [*imported(["smallcity_agents.web.server", *agents], tuple(PACKAGES)).values()]


def _data() -> Iterator[Path]:
    """The files that modules read."""
    for package, root in PACKAGES.items():
        for pattern in DATA:
            yield from (root / package).glob(pattern)


def _page(folder: Path) -> None:
    """The page of the server, with paths that need none; what stands around it; the list of all files."""
    (folder / "static").mkdir()
    for path in STATIC.iterdir():
        target = folder / ("page.html" if path.name == "index.html" else f"static/{path.name}")
        if path.suffix in (".js", ".html", ".css"):
            target.write_text(FROM_ROOT.sub(r"\1static/", path.read_text()))
        else:
            shutil.copy(path, target)
    shutil.copytree(HERE / "page", folder, dirs_exist_ok=True)
    page = folder / "page.html"
    page.write_text(page.read_text().replace("<head>", f"<head>\n{SCRIPTS}", 1))
    for path in folder.glob("*.html"):
        text = TEXT.sub(_in_every_language, path.read_text())
        path.write_text(text.replace("@LANGUAGE@", f'{ENGLISH}" data-languages="{" ".join(LANGUAGES)}'))
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    version = hashlib.sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()[:16]
    for path in (folder / "offline.js", folder / "worker.js"):
        path.write_text(path.read_text().replace("VERSION", version))
    kept = [name for name in names if name not in ("offline.js", "smallcity.wasm", "smallcity.h")]
    files.write(folder / "files.json", json.dumps(["./", *kept]))


def _in_every_language(found: re.Match[str]) -> str:
    """A text of a page with its translations; language.js shows one."""
    return "".join(
        f'<span lang="{language}"{" hidden" * (language != ENGLISH)}>{_said(found[1], language)}</span>'
        for language in LANGUAGES
    )


def _said(message: str, language: str) -> str:
    with use(language):
        return escape(translated(message))


if __name__ == "__main__":
    build(Path(sys.argv[1] if len(sys.argv) > 1 else "build/site/play"))
