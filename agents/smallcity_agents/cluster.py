"""Run work in this process, in several processes of this machine, or on a Ray cluster.

Arenas, datasets, tuning and training map a function over items determined by seeds, so that an item gives
the same result wherever and however often it is computed:

    with workers("auto") as executor:
        for done in executor.map(play, common, items): ...

Results come as they are ready, in any order. This is the only file that knows Ray.
"""

import argparse
import importlib.util
import os
import pickle
import platform
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

from smallcity_env import __version__, terminal
from smallcity_env.refusal import Refused, needing
from smallcity_env.rules.numbers import VARIABLE
from smallcity_env.rules.tables import in_force

AHEAD: Final = 2  # items submitted per worker: one in progress, one to start without waiting
RETRIES: Final = 20  # of an item whose machine or process died
PATIENCE: Final = 1.0  # seconds between two checks of the cluster, whose machines come and go
LOCAL, AUTO = "local", "auto"
IDENTITY: Final = f"{in_force.IDENTITY}, version {__version__}"

Function = Callable[[Any, Any], Any]  # takes what all items share, and an item


class Reply(NamedTuple):
    """A worker's reply: a value, an error message, or its own identity if it differs from the caller's."""

    value: Any = None
    error: str = ""
    foreign: str = ""


class Done(NamedTuple):
    """An item and its result: a value, or an error message."""

    item: Any
    value: Any = None
    error: str = ""


def attempt(identity: str, function: Function, item: Any, common: Any) -> Reply:
    """Process an item, unless this process has other rules or numbers than the caller."""
    if identity != IDENTITY:
        return Reply(foreign=f"{platform.node()} has {IDENTITY}")
    try:
        return Reply(function(common, item))
    except Exception as error:
        return Reply(error=f"{type(error).__name__}: {error}")


class Workers:
    """The simplest executor: this process, which processes an item when its result is requested.

    Here an error is raised at once, with its traceback; the other executors report it and continue.
    """

    count: int = 1  # items processed at a time

    def __init__(self) -> None:
        self._waiting: deque[tuple[Function, Any, Any]] = deque()

    def share(self, common: Any) -> Any:
        """Store what many items share, once; return a reference for `submit`."""
        return common

    def submit(self, function: Function, shared: Any, item: Any) -> None:
        """Queue an item."""
        self._waiting.append((function, shared, item))

    @property
    def pending(self) -> int:
        """The number of items submitted and not yet returned."""
        return len(self._waiting)

    def ready(self) -> list[Done]:
        """Finished items; waits for one, up to a time limit."""
        function, common, item = self._waiting.popleft()
        return [Done(item, function(common, item))]

    def close(self) -> None:
        """Stop."""

    def map(self, function: Function, common: Any, items: Iterable[Any]) -> Iterator[list[Done]]:
        """Process items, taking them when there is room; yield results as they arrive."""
        shared = self.share(common)
        for item in items:
            self.submit(function, shared, item)
            while self.pending >= AHEAD * self.count:
                yield self.ready()
        while self.pending:
            yield self.ready()

    def gather(self, function: Function, common: Any, items: Sequence[Any]) -> list[Any]:
        """The values of all items, in order; refuses if any failed."""
        done = {id(result.item): result for ready in self.map(function, common, items) for result in ready}
        if failed := [result.error for result in done.values() if result.error]:
            raise Refused(f"{len(failed)} of {len(items)} parts of the work failed: {failed[0]}")
        return [done[id(item)].value for item in items]


class Pool(Workers):
    """Processes of this machine."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: Any = futures.ProcessPoolExecutor(count, mp_context=get_context("spawn"))
        self._running: dict[futures.Future[Reply], Any] = {}

    def submit(self, function: Function, shared: Any, item: Any) -> None:
        try:
            self._running[self._pool.submit(attempt, IDENTITY, function, item, shared)] = item
        except futures.BrokenExecutor:
            raise Refused("a process of the pool died: the same command resumes") from None

    @property
    def pending(self) -> int:
        return len(self._running)

    def ready(self) -> list[Done]:
        ended, _ = futures.wait(self._running, PATIENCE, futures.FIRST_COMPLETED)
        return [self._done(future, self._running.pop(future)) for future in ended]

    def _done(self, future: "futures.Future[Reply]", item: Any) -> Done:
        try:
            reply = future.result()
            return Done(item, reply.value, reply.error)
        except futures.BrokenExecutor:
            return Done(item, error="a process of the pool died")

    def close(self) -> None:
        if self._running:  # interrupted
            self._kill()
        self._pool.shutdown(cancel_futures=True)

    def _kill(self) -> None:
        """Kill the processes, and with them what they are working on."""
        for process in list(self._pool._processes.values()):
            process.kill()
        self._running.clear()


class Threads(Pool):
    """Threads of this process, for work that is mostly compiled code."""

    def __init__(self, count: int) -> None:
        self.count, self._pool, self._running = count, futures.ThreadPoolExecutor(count), {}

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class Ray(Workers):
    """The processes of a Ray cluster, however many there are at the moment."""

    def __init__(self, address: str, count: int = 0, agents: Sequence[str] = ()) -> None:
        with needing("cluster"):
            import ray
        local: dict[str, Any] = {"num_cpus": count or None, "include_dashboard": False}
        options = local if address == LOCAL else {}
        try:
            ray.init(address, log_to_driver=False, logging_level="error", **options)
        except Exception as error:  # Ray also raises bare Exceptions
            hint = f"give --ray the address of one, {AUTO} or {LOCAL}"
            raise Refused(f"there is no Ray cluster at {address!r} ({_sentence(error)}): {hint}") from None
        self._ray, self._shipment = ray, ray.put(shipment(agents))
        self._work = ray.remote(max_retries=RETRIES, num_cpus=1)(_bootstrap())
        self._running: dict[Any, Any] = {}
        self._count_workers()

    def _count_workers(self) -> None:
        """Count the workers there are now."""
        self.count = max(int(self._ray.cluster_resources().get("CPU", 1)), 1)

    def share(self, common: Any) -> Any:
        return self._ray.put(pickle.dumps(common))

    def submit(self, function: Function, shared: Any, item: Any) -> None:
        task = pickle.dumps((attempt, IDENTITY, function, item))
        self._running[self._work.remote(self._shipment, shared, task)] = item

    @property
    def pending(self) -> int:
        return len(self._running)

    def ready(self) -> list[Done]:
        self._count_workers()
        self._ray.wait(list(self._running), num_returns=1, timeout=PATIENCE)
        ended, _ = self._ray.wait(list(self._running), num_returns=self.pending, timeout=0)
        return [self._done(ref, self._running.pop(ref)) for ref in ended]

    def _done(self, ref: Any, item: Any) -> Done:
        try:
            reply: Reply = self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            if "No module named 'smallcity" in str(error):
                raise Refused(f"the cluster's machines need smallcity-env {__version__}") from None
            return Done(item, error=f"{type(error).__name__}: {_sentence(error)}")
        if reply.foreign:
            raise Refused(f"the cluster plays another game: {reply.foreign}, this process {IDENTITY}")
        return Done(item, reply.value, reply.error)

    def close(self) -> None:
        self._ray.shutdown()


def _sentence(error: Exception) -> str:
    """The last line of an error message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip().rstrip(".")


def worker_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that select the executor."""
    where = f"play on a Ray cluster: {AUTO} (the one of this machine), an address, or {LOCAL} (start one)"
    parser.add_argument("--ray", default="", metavar="ADDRESS", help=f"{where}; see docs/cluster.md")
    processes = (
        "processes of this machine; with --ray local, of its cluster (default 1; --ray local: all cores)"
    )
    parser.add_argument("--workers", type=terminal.count, default=0, help=processes)


@contextmanager
def workers(ray: str = "", processes: int = 0, agents: Sequence[str] = ()) -> Iterator[Workers]:
    """The executor the options ask for; `agents` names the agents that will play."""
    executor = Ray(ray, processes, agents) if ray else Pool(processes) if processes > 1 else Workers()
    try:
        yield executor
    finally:
        executor.close()


# -- what is sent along with the work: the user's own agents, files that agents name, numbers

NUMBERS: Final = "numbers.toml"
Files = dict[str, bytes]  # by path, relative to the folder a worker runs in


def _bootstrap() -> Callable[[Files, bytes, bytes], Reply]:
    """The function Ray runs. Ray sends its code, since it runs before our packages can be imported."""

    def work(shipment: Files, common: bytes, task: bytes) -> Reply:
        import hashlib
        import os
        import pickle
        import tempfile
        from pathlib import Path

        digest = hashlib.sha256(pickle.dumps(shipment)).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"smallcity-{digest}"
        for name, data in shipment.items():
            if not (path := folder / name).exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                part = path.with_name(f"{path.name}.{os.getpid()}.part")
                part.write_bytes(data)
                part.replace(path)
        if shipment:
            os.chdir(folder)
        if "numbers.toml" in shipment:
            os.environ.setdefault("SMALLCITY_NUMBERS", str(folder / "numbers.toml"))
        attempt, *arguments = pickle.loads(task)
        reply: Reply = attempt(*arguments, pickle.loads(common))
        return reply

    return work


def shipment(agents: Sequence[str]) -> Files:
    """The files that these agents and the numbers in force need beyond the package."""
    files: Files = {}
    for name in agents:
        label, _, options = name.partition(":")
        if "." in label:
            files |= _module_files(label.partition(".")[0])
        for value in (option.partition("=")[2] or option for option in options.split(",")):
            if value and not os.path.isabs(value) and Path(value).is_file():
                files[value] = Path(value).read_bytes()
    if numbers := os.environ.get(VARIABLE):
        files[NUMBERS] = Path(numbers).read_bytes()
    return files


def _module_files(module: str) -> Files:
    """The files of a module in the working directory: its package, or its file and those beside it."""
    spec, here = importlib.util.find_spec(module), Path.cwd()
    if spec is None or not spec.origin or not Path(spec.origin).is_relative_to(here):
        return {}  # installed: the other machines have it too
    source = Path(spec.origin)
    paths = source.parent.rglob("*") if source.name == "__init__.py" else source.parent.glob("*.py")
    shipped = [path for path in paths if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(here).as_posix(): path.read_bytes() for path in shipped}
