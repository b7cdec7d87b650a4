"""The game as an OpenEnv environment: texts to a model, its replies, a reward at the end (docs/models.md)."""

from itertools import accumulate
from typing import Any, Final

from openenv.core.env_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from smallcity_env import __version__
from smallcity_env.refusal import Refused

from . import tasks
from .positions import HELD_OUT, TRAIN
from .tasks import Episode, Task

KINDS: Final = (tasks.POSITION, tasks.ROUND, tasks.GAME)  # the order in which tasks of a split are numbered
HOST, PORT = "127.0.0.1", 8010
MOST_SESSIONS: Final = 64
LONGEST: Final = 20_000  # letters of a reply


class SmallCityAction(Action):
    """What a model says."""

    reply: str = Field(max_length=LONGEST, description="one answer or several, after the last `answer:`")


class SmallCityObservation(Observation):
    """What a model is told: the rules first, then what is new and the question with its legal answers."""

    text: str = ""


class SmallCityState(State):
    """The task, and what it has cost so far."""

    task: dict[str, Any] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)


class SmallCityEnvironment(Environment[SmallCityAction, SmallCityObservation, SmallCityState]):
    """One task at a time; sessions share nothing."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._episode: Episode | None = None
        self._state = SmallCityState()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **options: Any
    ) -> SmallCityObservation:
        """Begin the task of a split and index, or of a kind and seed: reset(task="game", seed=3, level=5)."""
        try:
            task = _task(seed, dict(options))
            self._episode = Episode(task)
        except Refused as wrong:
            raise ValueError(str(wrong)) from None
        self._state = SmallCityState(episode_id=episode_id, task=vars(task))
        return SmallCityObservation(text=self._episode.text)

    def step(self, action: SmallCityAction, timeout_s: float | None = None, **_: Any) -> SmallCityObservation:
        """Use a reply."""
        if self._episode is None:
            raise ValueError("there is no task yet: reset begins one")
        told = self._episode.reply(action.reply)
        self._state.step_count += 1
        self._state.counts = self._episode.session.report()
        return SmallCityObservation(text=told.text, reward=told.reward, done=told.done)

    @property
    def state(self) -> SmallCityState:
        """The task and its counts."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What this is."""
        about = "The board game Small City in words: positions, rounds and games against graded opponents"
        return EnvironmentMetadata(name="smallcity", description=about, version=__version__)

    # -- tasks

    def list_splits(self) -> list[dict[str, str]]:
        """The rules to train on, and those held out."""
        return [{"name": TRAIN, "type": "train"}, {"name": HELD_OUT, "type": "test"}]

    def num_tasks(self, split: str) -> int:
        """The number of tasks of a split."""
        return sum(_counts(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """A task by its index: positions first, then rounds, then games."""
        return vars(numbered(split, index)) | {"id": f"{split}-{index}", "index": index}

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Every task of a split."""
        return self.get_task_range(split)

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Some tasks of a split."""
        return [self.get_task(split, n) for n in range(self.num_tasks(split))[start:stop]]


def _counts(split: str) -> list[int]:
    """The number of tasks of every kind."""
    Task(split=split)  # refuses an unknown split
    return [tasks.count(kind, split) for kind in KINDS]


def numbered(split: str, index: int) -> Task:
    """The task of an index."""
    ends = list(accumulate(_counts(split)))
    if type(index) is not int or not 0 <= index < ends[-1]:
        raise IndexError(f"the tasks of {split} have the numbers 0 to {ends[-1] - 1}")
    which = next(n for n, end in enumerate(ends) if index < end)
    return Task(KINDS[which], split, index - (ends[which - 1] if which else 0))


def _task(seed: int | None, options: dict[str, Any]) -> Task:
    """The task that `reset` names."""
    if options.get("index") is not None:
        return numbered(options.get("split", TRAIN), options["index"])
    options.pop("index", None)
    kind = options.pop("task", tasks.POSITION)
    try:
        return Task(kind=kind, seed=seed or 0, **options)
    except TypeError:
        raise Refused("reset takes seed, task, split, level and players, or split and index") from None


app: Final = create_app(
    SmallCityEnvironment,
    SmallCityAction,
    SmallCityObservation,
    env_name="smallcity",
    max_concurrent_envs=MOST_SESSIONS,
    state_cls=SmallCityState,
)


def main() -> None:
    """Serve on this machine."""
    import uvicorn

    uvicorn.run(app, host=HOST, port=PORT, log_level="warning")


if __name__ == "__main__":
    main()
