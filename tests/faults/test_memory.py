"""Out of memory: a command ends in a sentence and keeps what it has on file."""

import subprocess
import sys
from pathlib import Path

import pytest

from smallcity_agents.arena.results import read
from smallcity_env.cli import main

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
LIMITED = """
import resource, sys
from pathlib import Path
from smallcity_env.cli import command
import filelock  # what is imported late needs memory, too
import smallcity_agents.commands.arena

lines = Path("/proc/self/status").read_text().splitlines()
(size,) = (int(line.split()[1]) << 10 for line in lines if line.startswith("VmSize"))
room = size + (int(sys.argv.pop(1)) << 20)
resource.setrlimit(resource.RLIMIT_AS, (room, room))
sys.exit(command())
"""


@pytest.mark.parametrize("megabytes", [8, 20])
def test_a_command_without_memory_says_so_and_can_be_continued(megabytes: int, tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    words = ["arena", "random", "first", "--results", str(file)]
    limited = [sys.executable, "-c", LIMITED, str(megabytes), *words, "--games", "2000", "--batch", "2000"]
    ended = subprocess.run(limited, capture_output=True, text=True)
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.startswith("smallcity: there is not enough memory: ")
    assert ended.stderr.count("\n") == 1 and "Traceback" not in ended.stderr
    before = read(file) if file.exists() else []
    assert main([*words, "--games", str(len(before) + 5)]) == 0
    after = read(file)
    assert len(after) >= len(before) + 5 and after[: len(before)] == before
