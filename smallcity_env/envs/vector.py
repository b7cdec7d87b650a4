"""The Gymnasium vector environment: one batch, no subprocesses. The class docstring is its manual page."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import arguments, batch
from ..config import DEFAULT_BOARD, EDITIONS, Config, ConfigError
from ..rules import actions, layout, rng
from . import rewards
from .opponents import Opponents
from .pettingzoo import observation_space

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
MODES = {AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP}


class SmallCityVec(VectorEnv[batch.Seen, Ints, Any]):
    """`num_envs` games of Small City in one batch.

    **Two modes.** With `opponents` (`"random"`, `"greedy"`, ...: one for all other seats, or a list with
    one per seat, clockwise) one seat learns, and every question is the learner's. The learner's seat
    rotates from row to row and from game to game, or is fixed by `seat`. Without opponents all seats
    learn (self-play): `infos["seat"]` is the seat being asked in each row, the reward of a step is that
    of the seat that answered, and `infos["rewards"]` (n, players) holds the rewards of all seats.

    **Observations** are vectors of `layout.SIZE` numbers (docs/observations.md), **actions** are ids of
    the flat action space; their masks are in `infos["action_mask"]` and returned by `action_masks()`.
    After the end the mask is all ones; the next action is ignored.

    **Autoreset** is NEXT_STEP (the step after the end begins a new game and ignores its action) or
    SAME_STEP (the step that ends a game begins the next; the last observation is in
    `infos["final_obs"]`, its seat in `infos["final_info"]`). With opponents, the learner's elimination
    ends the episode. Rewards count from the learner's first question on.

    **Buffers.** Observations, masks and rewards are written into the same arrays at every step; copy
    what you want to keep, or pass `copy=True`.

    An illegal action raises `IllegalAction`, and no game is changed. The other arguments are those of
    `Config`, and `reward` (rewards.py).
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 2,
        modules: Iterable[str] = ("godzillas",),
        boards: Iterable[str] | str = DEFAULT_BOARD,
        victory: str = "votes",
        advanced: bool = False,
        stockholm: bool = False,
        godzilla_rules: str = EDITIONS[0],
        reward: str = "rank",
        opponents: str | Sequence[str] | None = None,
        seat: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.config = Config(players, modules, boards, victory, advanced, stockholm, godzilla_rules)
        self.reward, self.copy = rewards.checked(reward), copy
        self.num_envs = _checked_count(num_envs)
        if render_mode is not None:
            raise ConfigError(f"SmallCityVec draws nothing: render_mode must be None, not {render_mode!r}")
        self.same_step = _checked_mode(autoreset_mode) is AutoresetMode.SAME_STEP
        self.metadata = {**self.metadata, "autoreset_mode": AutoresetMode(autoreset_mode)}
        players, num_envs = self.config.players, self.num_envs
        self.seat = _checked_seat(seat, opponents, players)
        self.opponents = None if opponents is None else Opponents(opponents, players, num_envs)
        self.single_observation_space = observation_space()
        self.single_action_space = Discrete(actions.ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._make_buffers(num_envs, players)

    def _make_buffers(self, n: int, players: int) -> None:
        """Allocate everything that is written at every step."""
        self._rows = np.arange(n)
        self._streams = rng.streams(np.random.default_rng().integers(2**63, size=n))
        self._legal = batch.new_masks(n)
        self._states = batch.new(n, self.config, self._streams, self._legal)
        self._observations = np.zeros((n, layout.SIZE), np.float32)
        self._final = np.zeros((n, layout.SIZE), np.float32)
        self._learner = self._rows % players if self.seat is None else np.full(n, self.seat)
        self._first_learner = self._learner.copy()
        self._answered = np.zeros(n, np.int64)  # the seat that answered last
        self._ended = np.zeros(n, np.bool_)  # NEXT_STEP: the next step begins a new game
        self._paid = np.zeros((n, players), np.bool_)
        self._scores = np.zeros((n, players), np.int64)
        self._rewards = np.zeros(n)
        self._all = np.ones(n, np.bool_)
        self._begun = False

    # -- Gymnasium

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[batch.Seen, dict[str, Any]]:
        """Begin new games in all rows; with `seed=s`, row i is seeded with `s + i`."""
        if options:
            raise ConfigError(f"reset of SmallCityVec takes no options, not even {', '.join(options)}")
        if seed is not None:
            self._streams[:] = rng.streams(self._seeds(seed))
        self._begin(self._rows)
        if seed is not None or not self._begun:
            self._learner[:] = self._first_learner
        self._begun = True
        self._play_opponents()
        self._observe(self._rows)
        self._store_scores(self._rows)
        return self._copied(self._observations), self._infos()

    def _seeds(self, seed: Any) -> npt.NDArray[np.uint64]:
        """A seed for every row; None keeps the row's own stream."""
        if not isinstance(seed, list | tuple) and np.ndim(seed) == 0:
            return self._rows.astype(np.uint64) + np.uint64(arguments.seed(seed))
        if len(seed) != self.num_envs:
            raise ConfigError(f"{self.num_envs} games need one seed or {self.num_envs}, not {len(seed)}")
        kept = self._streams.tolist()
        given = [k if s is None else s for s, k in zip(seed, kept, strict=True)]
        return arguments.seeds(given, self.num_envs)

    def step(self, actions: Ints) -> tuple[batch.Seen, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Answer in every game; the class docstring describes the result."""
        answered = self._asked()
        self._answer(actions)
        self._answered[:] = answered
        fresh = np.flatnonzero(self._ended)
        self._begin(fresh)
        self._play_opponents()
        paid = rewards.pay(self.reward, self._states, self._paid, self._scores)
        self._store_scores(fresh)
        paid[fresh] = 0
        self._rewards[:] = paid[self._rows, answered]
        over = self._over()
        self._ended[:] = over
        self._observe(self._rows if self.opponents else fresh)
        infos = self._restart(np.flatnonzero(over)) if self.same_step else {}
        infos |= self._infos()
        if not self.opponents:
            infos |= {"rewards": paid, "_rewards": self._all}
        return self._copied(self._observations), self._copied(self._rewards), over, np.zeros_like(over), infos

    def action_masks(self) -> Bools:
        """The masks of legal actions of all games (n, actions)."""
        return self._legal

    def state(self, row: int) -> Any:
        """The record of one game, hidden information included, for rendering and inspection."""
        return self._states[self._row(row)]

    def viewer(self, row: int) -> int:
        """The seat being asked in one game."""
        return int(self._asked()[self._row(row)])

    def _row(self, row: int) -> int:
        return arguments.whole(row, "a row", 0, self.num_envs - 1)

    # -- one step

    def _answer(self, actions: Ints) -> None:
        """Apply the learners' actions; in self-play this also writes the next observations."""
        if not self._begun:
            raise batch.IllegalAction("call reset before the first step")
        chosen = arguments.actions(actions, self.num_envs)
        chosen = np.where(self._ended, batch.SKIP, np.where(chosen < 0, self._none, chosen))
        batch.step(self._states, chosen, self._legal, *(() if self.opponents else (self._observations,)))

    _none = actions.ACTIONS  # not an action: refused as illegal

    def _begin(self, rows: Ints) -> None:
        """Begin new games in some rows."""
        if not len(rows):
            return
        self._streams[rows] = seeds = rng.streams(self._streams[rows])
        legal = batch.new_masks(len(rows))
        batch.put(self._states, rows, batch.new(len(rows), self.config, seeds, legal))
        self._legal[rows], self._paid[rows], self._ended[rows] = legal, False, False
        if self.opponents:
            self.opponents.seed(rows, seeds)
            if self.seat is None:
                self._learner[rows] = (self._learner[rows] + 1) % self.config.players

    def _play_opponents(self) -> None:
        """Let the opponents answer until every learner is asked."""
        if self.opponents:
            self.opponents.play_on(self._states, self._learner, self._legal)

    def _store_scores(self, rows: Ints) -> None:
        """Store the public scores of new games, from which the score reward is counted."""
        if len(rows):
            visible = batch.visible_scores(batch.take(self._states, rows))
            self._scores[rows] = visible[:, : self.config.players]

    def _observe(self, rows: Ints) -> None:
        """Write the observations of the seats being asked in some rows."""
        if len(rows) == self.num_envs:
            batch.observe(self._states, self._asked(), self._observations)
        elif len(rows):
            self._observations[rows] = batch.observe(batch.take(self._states, rows), self._asked()[rows])

    def _restart(self, rows: Ints) -> dict[str, Any]:
        """SAME_STEP: keep the last observations and begin new games."""
        if not len(rows):
            return {}
        self._final[rows] = self._observations[rows]
        ended = self._ended.copy()
        last = {"seat": self._asked(), "_seat": ended}
        self._begin(rows)
        self._play_opponents()
        self._store_scores(rows)
        self._observe(rows)
        return {"final_obs": self._copied(self._final), "_final_obs": ended, "final_info": last}

    # -- seats, ends, infos

    def _asked(self) -> Ints:
        """The seat each row observes: the one being asked, or after the end the one that answered last."""
        if self.opponents:
            return self._learner.copy()
        return np.where(self._ended, self._answered, self._states["seat"])

    def _over(self) -> Bools:
        """Which rows have ended: the game is over or, with opponents, the learner is out."""
        return self._paid[self._rows, self._learner] if self.opponents else batch.over(self._states)

    def _infos(self) -> dict[str, Any]:
        """Masks and seats; the mask is all ones after the end."""
        self._legal[self._ended] = True
        return {
            "action_mask": self._copied(self._legal),
            "_action_mask": self._all,
            "seat": self._asked(),
            "_seat": self._all,
        }

    def _copied(self, buffer: Any) -> Any:
        return buffer.copy() if self.copy else buffer


def _checked_count(games: int) -> int:
    return arguments.count(games, "the number of games", low=1)


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        parsed = AutoresetMode(mode)
    except ValueError:
        parsed = AutoresetMode.DISABLED
    if parsed not in MODES:
        names = " or ".join(sorted(known.value for known in MODES))
        raise ConfigError(f"autoreset_mode must be {names}, not {mode!r}")
    return parsed


def _checked_seat(seat: int | None, opponents: object, players: int) -> int | None:
    if seat is not None and opponents is None:
        raise ConfigError("seat fixes the learner's seat against opponents: name opponents too")
    return None if seat is None else arguments.seat(seat, players)
