"""One server for all tests of the browser game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .served import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("tables"))
    server.warm_up()
    yield server
    server.kill()


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    return tmp_path / "tables"
