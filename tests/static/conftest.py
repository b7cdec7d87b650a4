"""The static page, built once for all tests."""

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

import make_page

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, built from the packages of the registries."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("no Node.js here")
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # of all workers
    with FileLock(shared / "page.lock"):
        if not (shared / "page" / "files.json").exists():
            make_page.build(shared / "page")
            for path in (shared / "page").glob("**/*.gz"):  # Node does not unpack them
                path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
    return shared / "page"


def node(script: str, *words: object) -> str:
    """What a script of this folder prints."""
    call = ["node", HERE / script, *map(str, words)]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout
