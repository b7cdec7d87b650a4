"""Files of numbers from strangers, read in a process of its own with bounded time and memory."""

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from smallcity_env.language import _
from smallcity_env.refusal import Refused
from smallcity_env.rules.numbers import check, fingerprint, toml

NAME: Final = "these numbers"
LONGEST: Final = 50_000  # letters: the file of all numbers has half of them
LONGEST_LINE: Final = 1000
DEEPEST: Final = 100  # dots in a line: a key has three, a row of a drawing more
SECONDS: Final = 5
MEMORY: Final = 1 << 30  # bytes
REFUSED: Final = 2
MAIN: Final = "from smallcity_agents.web import reading; reading.main()"


def fingerprint_of(text: str) -> str:
    """The fingerprint of a text of numbers; one that is wrong, large or deep is refused."""
    if sys.platform == "emscripten":
        raise Refused(_("this page has no server, and other numbers need one: `smallcity web`"))
    _refuse_large(text)
    try:
        read = subprocess.run(
            [sys.executable, "-c", MAIN],
            input=text.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"{NAME} cannot be read: they take more than {SECONDS} seconds") from None
    if read.returncode == REFUSED:
        raise Refused(read.stderr.decode().strip())
    if read.returncode:
        raise Refused(f"{NAME} cannot be read: they take too much memory")
    return read.stdout.decode().strip()


def _refuse_large(text: str) -> None:
    """Refuse a text that takes long to parse: the parser needs time quadratic in the depth of a key."""
    if len(text) > LONGEST:
        raise Refused(f"{NAME} cannot be read: they have {len(text):,} letters, and {LONGEST:,} are allowed")
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST_LINE or line.count(".") > DEEPEST:
            most = f"{LONGEST_LINE:,} letters and {DEEPEST} dots"
            raise Refused(f"{NAME}, line {number}: a line may have {most}")


def main() -> None:
    """Read a text from standard input; print its fingerprint, or the reason why it is refused."""
    import_module("smallcity_env.rules.tables.in_force")  # declares all numbers
    _bound_memory()
    try:
        print(fingerprint(check(toml.parse(sys.stdin.buffer.read().decode(), NAME))))
    except Refused as wrong:
        print(wrong, file=sys.stderr)
        sys.exit(REFUSED)


def _bound_memory() -> None:
    """Limit the memory of this process, where the system can."""
    if find_spec("resource"):  # not on Windows
        resource = import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
