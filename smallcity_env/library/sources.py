"""The name of what is built: a hash of the code of every source file that entries import, directly or not.

Comments, docstrings and layout do not count. Parsing takes half a second, so the hash is stored beside the
libraries under a hash of the bytes of all files, which takes milliseconds.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

DIGITS = 16


def bytes_hash(places: Iterable[Path]) -> str:
    """A hash of the bytes of some Python files, or of all in a folder."""
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(f"{path.relative_to(place.parent)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:DIGITS]


def code_hash(files: dict[str, Path]) -> str:
    """A hash of the code of these modules."""
    digest = hashlib.sha256()
    for module, path in sorted(files.items()):
        digest.update(f"{module}\0{code_of(path.read_text(encoding='utf-8'))}\0".encode())
    return digest.hexdigest()[:DIGITS]


@cache
def code_of(source: str) -> str:
    """The syntax tree of a file without docstrings, as text."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)


def imported(modules: Iterable[str], packages: tuple[str, ...]) -> dict[str, Path]:
    """The files of some modules and of all they import, as far as they belong to these packages.

    Who calls `import_module` may import any file of its folder.
    """
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found and module.split(".")[0] in packages and (path := _file_of(module)):
            found[module] = path
            source = path.read_text(encoding="utf-8")
            package = module if path.name == "__init__.py" else module.rpartition(".")[0]
            waiting += _imports(ast.parse(source), package)
            if "import_module(" in source:
                waiting += [f"{package}.{file.stem}" for file in path.parent.glob("[!_]*.py")]
    return found


def _file_of(module: str) -> Path | None:
    """The source file of a module; None if it is a name within one."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    """The modules a file of a package imports, at once or later."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(part for part in (above, node.module) if part)
            for alias in node.names:  # a module of the package, or a name in it
                inner = f"{base}.{alias.name}"
                yield inner if _file_of(inner) else base
