"""The Gymnasium vector environment: one batch, no subprocesses. The class docstring is its manual page."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Space
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import arguments, batch
from ..config import Config, ConfigArguments, ConfigError, configured
from ..rules import actions, entries, rng, step
from . import configs as mixes
from . import options, outcomes, rewards
from .action_space import Actions
from .observations import Observations, copied, nothing_seen, row_of, shared
from .opponents import Line, Mix, Opponents
from .options import Illegal, Observing, checked_reset, row_seeds, rows_to_reset
from .rendering import render_batch

Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]
_VIEWS: Final = ("_viewers", "_seats", "_n_out", "_players", "_flags", "_copied", "_answers", "_seen", "_run")
_SAME_STEP, _DISABLED = AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
_ARRAY, _DONE, _NO_ROWS = np.ndarray, entries.DONE, np.zeros(0, np.int64)
_zeros, _FLAG, _REWARD = np.zeros, np.dtype(np.bool_), np.dtype(np.float32)


class SmallCityVec(VectorEnv[Any, Ints, Any]):
    """`num_envs` games of Small City in one batch, for one thread at a time.

    **Two modes.** With `opponents` (names, agents or functions: opponents.py) one seat learns, and every
    question is the learner's. Its seat rotates from row to row and from game to game, or is fixed by `seat`;
    `set_opponents` replaces the others. Without opponents all seats learn (self-play): `infos["seat"]` is the
    seat being asked in each row, the reward of a step is that of the seat that answered, and
    `infos["rewards"]` (n, players) holds the rewards of all seats.

    **Rules.** All games have one configuration, `config` or the arguments of `Config`, or each game draws its
    own from `configs`, a list or a function of a numpy Generator (configs.py).

    **Observations** are `"compact"`, one vector of numbers, or `"planes"`, a Dict of planes and a vector
    (docs/observations.md). **Actions** are ids of the flat action space; their masks are in
    `infos["action_mask"]` (int8) and returned by `action_masks()` (bool). After the end the mask is all ones.
    `observation_key="observations"` puts both into one Dict, the observation under this name and the mask
    as `action_mask`.

    **Autoreset** is NEXT_STEP (the step after the end begins a new game and ignores its action), SAME_STEP
    (the step that ends a game begins the next; the last observation is in `infos["final_obs"]`, its infos
    in `infos["final_info"]`) or DISABLED (`reset(options={"reset_mask": mask})` begins the games that have
    ended). With opponents, the learner's elimination ends the episode; rewards (rewards.py) count from the
    learner's first question on. **Outcomes** are in the infos of a step that ends episodes (outcomes.py).

    **Illegal actions** end the episode (`illegal="terminate"`): the reward of the seat that answered is -1,
    the others get 0, and the row is marked in `infos["illegal_action"]`. With `illegal="raise"` they raise
    `IllegalAction`, and no game is changed.

    **Buffers.** Observations, masks and rewards are written into the same arrays at every step; copy
    what you want to keep, or pass `copy=True`, as `gymnasium.make_vec` does. `render()` draws the first 4
    games, as the seat being asked sees them; the others are black.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": ["rgb_array"],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        config: Config | None = None,
        configs: mixes.Given | None = None,
        reward: str = "rank",
        opponents: Line | Mix | None = None,
        seat: int | None = None,
        observation: Observing = "compact",
        observation_key: str | None = None,
        illegal: Illegal = "terminate",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = False,
        render_mode: str | None = None,
        **variant: Unpack[ConfigArguments],
    ) -> None:
        self._configs = mixes.given(configs, config, variant)
        config = self._configs.draw(0) if self._configs else config
        self.config: Config = configured(config, variant, players=2)  # with `configs` one of them
        self.reward: str = rewards.checked(reward)
        self.copy: bool = copy
        self.num_envs: int = options.checked_count(num_envs)
        self.illegal: Illegal = options.checked_illegal(illegal)
        self.render_mode: str | None = options.checked_mode(render_mode, ("rgb_array",))
        self.autoreset_mode: AutoresetMode = options.checked_autoreset(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        players, num_envs = (self._configs or self.config).players, self.num_envs
        self.seat: int | None = options.checked_seat(seat, opponents, players)
        self._make_buffers(num_envs, players)
        form = options.checked_form(observation)
        self._observations = Observations(num_envs, form, players, observation_key, self._masks)
        self.opponents: Opponents | None = None if opponents is None else self._opponents(opponents)
        self._every_step = self.opponents is not None or self.reward == "score"  # any step may pay
        self._make_views()
        self.single_observation_space: Space[Any] = self._observations.space
        self.single_action_space: Space[Any] = Actions()
        self.observation_space: Space[Any] = batch_space(self.single_observation_space, num_envs)
        self.action_space: Space[Any] = batch_space(self.single_action_space, num_envs)

    def _make_buffers(self, n: int, players: int) -> None:
        """Allocate everything that is written at every step."""
        self._rows = np.arange(n)
        self._streams = rng.streams(np.random.default_rng().integers(2**63, size=n))
        self._chance = rng.streams(self._streams)  # of the games that begin next: each follows the last one
        self._legal = batch.new_masks(n)
        self._states = batch.new(n, self.config, self._streams, self._legal)
        self._masks = self._legal.copy()  # what users receive; actions are checked against our own
        self._first_learner = self._rows if self.seat is None else np.full(n, self.seat)
        self._learner = self._first_learner % self.config.players
        self._report = step.new_report(n)  # what a step writes about each game
        self._actions = np.zeros(n, np.int64)
        self._orders = np.zeros(n, np.int64)  # what the next step does in place of an action
        self._was_out = np.zeros(n, np.int64)  # number of seats that had left each game before this step
        self._ended = np.zeros(n, np.bool_)  # the game has ended and not begun again
        self._over_rows = np.zeros(0, np.int64)  # the same as rows; _NO_ROWS for none after the first reset
        self._illegal: Bools | None = None  # which games this step ended by an illegal action, if any
        self._shape = n, players
        self._paid, self._scores = np.zeros(self._shape, np.bool_), np.zeros(self._shape, np.int64)
        self._rewards, self._all = np.zeros(n), np.broadcast_to(np.True_, n)  # read-only
        self._returns = np.zeros(self._shape)  # of the games under way
        self._results: dict[bytes, batch.Results] = {}  # of the rows that were paid last
        self._begun = False

    def _make_views(self) -> None:
        """Views of the buffers, and what a compiled step takes besides games and actions, made once."""
        self._viewers = self._report.viewers  # the seat being asked, or after the end the last one
        self._seats = self._learner if self.opponents else self._viewers  # the one each row observes
        self._n_out = self._report.n_out  # number of seats that have left each game
        self._players = self._states["rules"]["players"]
        self._flags = self._masks.view(np.int8)
        self._copied = self._masks.data.cast("B"), self._legal.data.cast("B")
        self._answers: Any = self._actions.data
        self._seen = self._observations.arrays
        self._bare = self._seen.__class__ is _ARRAY
        seen = nothing_seen(self.num_envs) if self.opponents else self._observations.buffers
        played = self._actions, self._legal, self._orders, self._chance, self._report
        self._run = entries.step_and_observe.bind(self._states, *played, *seen)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _VIEWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_views()

    # -- Gymnasium

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new games; with `seed=s`, row i is seeded with `s + i`.

        `options={"reset_mask": mask}` begins new games only where the mask (n,) is True.
        """
        rows = rows_to_reset(checked_reset(options), self.num_envs)
        rows = rows if self._begun else self._rows
        if seed is not None:
            self._streams[rows] = rng.streams(row_seeds(seed, self._streams))[rows]
            self._chance[rows] = rng.streams(self._streams[rows])
        self._begin(rows)
        if seed is not None or not self._begun:
            self._learner[rows] = self._first_learner[rows] % self._players[rows]
        self._begun, self._illegal = True, None
        self._mark_ended(self._ended)
        self._play_opponents(rows)
        self._store_scores(rows)
        return copied(self._seen) if self.copy else shared(self._seen), self._add_infos({})

    def step(self, actions: Ints) -> tuple[Any, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Answer in every game; the class docstring describes the result."""
        answered, restarted = self._seats.tobytes(), self._over_rows  # bytes: the quickest copy
        if restarted is not _NO_ROWS or not self._answer_all(actions):
            self._answer(actions)
        if self.opponents:
            self._play_opponents(self._rows)
        left, n = self._rows_with_leavers(), self.num_envs
        paid, over, truncated = _zeros(self._shape, _REWARD), _zeros(n, _FLAG), _zeros(n, _FLAG)
        self._rewards.fill(0)
        infos: dict[str, Any] = {}
        if not (left is restarted is _NO_ROWS and self._illegal is None):
            self._pay(paid, left, restarted, np.frombuffer(answered, np.int64))
            over = self._over()
            infos = self._end(over)
        self._add_infos(infos)
        if not self.opponents:
            infos["rewards"], infos["_rewards"] = paid, self._all
        if self.copy:
            return copied(self._seen), self._rewards.copy(), over, truncated, infos
        return self._seen if self._bare else shared(self._seen), self._rewards, over, truncated, infos

    def action_masks(self) -> Bools:
        """The masks of legal actions of all games (n, actions)."""
        return self._masks

    def set_opponents(self, opponents: Line | Mix) -> None:
        """Let others play the other seats from the next step on, in games under way too."""
        if self.opponents is None:
            raise ConfigError("every seat learns here: make the games with opponents to replace them")
        self.opponents = self.opponents.replaced(self._opponents(opponents), self._streams)

    def _opponents(self, given: Line | Mix) -> Opponents:
        return Opponents(given, self._shape[1], self.num_envs, self._observations)

    def state(self, row: int) -> Any:
        """A copy of one game, hidden information included, for rendering and inspection."""
        return batch.take(self._states, [self._row(row)])[0]

    def render(self) -> tuple[Any, ...] | None:
        """Pictures of the first games, black for the others; None without a render mode."""
        return render_batch(self.render_mode, self._states, self._seats)

    def viewer(self, row: int) -> int:
        """The seat being asked in one game."""
        return int(self._seats[self._row(row)])

    def _row(self, row: int) -> int:
        return arguments.whole(row, "a row", 0, self.num_envs - 1)

    def _answer(self, answers: Ints) -> None:
        """Apply the learners' actions; in self-play this also writes the next observations."""
        chosen = self._checked(answers)
        self._illegal = None
        wrong = self._apply(chosen, self._over_rows)
        if wrong < 0:
            return
        if self.illegal == "raise":
            why = batch.refusal(self._states, wrong, int(chosen[wrong]), self._legal[wrong])
            raise batch.IllegalAction(why)
        known = np.clip(chosen, 0, actions.ACTIONS - 1)
        self._illegal = (chosen != known) | ~self._legal[self._rows, known]
        self._illegal[self._over_rows] = False
        self._orders[self._illegal] = entries.SKIP
        self._apply(chosen, self._over_rows)

    def _answer_all(self, answers: Ints) -> bool:
        """Apply actions that need no conversion, if all of them are legal."""
        self._illegal = None
        try:
            self._answers[:] = answers  # refuses other dtypes and shapes, sooner than numpy could tell
        except (TypeError, ValueError):
            return False
        return bool(self._run() == _DONE)

    def _apply(self, chosen: Ints, restarted: Ints) -> int:
        """Answer in every game, and begin new ones in some rows, or do nothing and return an illegal row."""
        self._actions[:] = chosen
        if not len(restarted):
            return int(self._run())
        seeds, before = self._chance[restarted], None
        if self._configs is not None:
            before = mixes.rules_of(self._states)[restarted]
            self._configs.write(self._states, restarted, seeds, self.seat)
        self._chance[restarted], self._orders[restarted] = rng.streams(seeds), entries.RESTART
        wrong = int(self._run())
        if wrong < 0:
            self._forget(restarted, seeds)
        else:
            self._chance[restarted] = seeds
            if before is not None:
                mixes.rules_of(self._states)[restarted] = before
        return wrong

    def _checked(self, answers: Ints) -> Ints:
        """One whole number per game."""
        if not self._begun:
            raise batch.IllegalAction("call reset before the first step")
        if self.autoreset_mode is _DISABLED and len(self._over_rows):
            rows = ", ".join(map(str, self._over_rows))
            raise batch.IllegalAction(f"games {rows} have ended: reset them with a reset_mask before step")
        return arguments.actions(answers, self.num_envs)

    def _pay(self, paid: npt.NDArray[np.float32], rows: Ints, restarted: Ints, answered: Ints) -> None:
        """Write the rewards of all seats (n, players); 0 in new games, -1 for an illegal action."""
        self._results.clear()
        if len(rows):
            if self._every_step:
                paid[:] = rewards.pay(self.reward, self._states, self._paid, self._scores)
            else:
                self._results[rows.tobytes()] = ends = batch.results(self._states, rows)
                paid[rows] = rewards.pay_ends(self.reward, ends, self._states, rows, self._paid, self._scores)
            paid[restarted] = 0
        self._store_scores(restarted)
        if self._illegal is not None:
            wrong, rows = self._illegal.nonzero()[0], self._rows
            paid[wrong], paid[wrong, answered[wrong]] = 0, rewards.ILLEGAL
        if len(rows):
            self._rewards[rows] = paid[rows, answered[rows]]
            self._returns[rows] += paid[rows]

    def _rows_with_leavers(self) -> Ints:
        """The games somebody has left in this step; all of them where that is not known or all are paid."""
        if self._every_step:
            return self._rows
        if self._n_out.tobytes() == self._was_out.tobytes():  # quicker than numpy's for one game and for many
            return _NO_ROWS
        rows: Ints = (self._n_out != self._was_out).nonzero()[0]
        self._was_out[rows] = self._n_out[rows]
        return rows

    def _begin(self, rows: Ints) -> None:
        """Begin new games in some rows."""
        self._orders[:] = entries.SKIP
        self._apply(np.zeros(self.num_envs, np.int64), rows)

    def _forget(self, rows: Ints, seeds: npt.NDArray[np.uint64]) -> None:
        """Forget the games before those that began in some rows, from these seeds."""
        self._streams[rows] = seeds
        self._paid[rows], self._ended[rows], self._was_out[rows], self._returns[rows] = False, False, 0, 0
        if self.opponents:
            self.opponents.seed(rows, seeds)
            if self.seat is None:
                self._learner[rows] = (self._learner[rows] + 1) % self._players[rows]

    def _play_opponents(self, rows: Ints) -> None:
        """Let the opponents answer until every learner is asked, and write what those of some rows see."""
        if self.opponents:
            self.opponents.play_on(self._states, self._learner, self._legal)
            self._observe(rows)

    def _observe(self, rows: Ints) -> None:
        """Write the observations of the seats being asked in some rows; a step does it without opponents."""
        if len(rows) == self.num_envs:
            self._observations.write(self._states, self._seats)
        elif len(rows):
            self._observations.write_rows(rows, batch.take(self._states, rows), self._seats[rows])

    def _store_scores(self, rows: Ints) -> None:
        """Store the public scores of new games, from which the score reward is counted."""
        if len(rows) and self.reward == "score":
            self._scores[rows] = batch.visible_scores(batch.take(self._states, rows))[:, : self._shape[1]]

    def _end(self, over: Bools) -> dict[str, Any]:
        """Store which games have ended; SAME_STEP begins them again. Returns what is known of their ends."""
        self._mark_ended(over)
        infos: dict[str, Any] = {}
        if self._illegal is not None:
            infos["illegal_action"] = infos["_illegal_action"] = self._illegal
        if not len(self._over_rows):
            return infos
        infos |= self._outcomes(self._over_rows, over.copy())
        return self._restart(over, infos) if self.autoreset_mode is _SAME_STEP else infos

    def _outcomes(self, rows: Ints, ended: Bools) -> dict[str, Any]:
        """How the episodes of some rows have ended (outcomes.py)."""
        results = self._results.get(rows.tobytes()) or batch.results(self._states, rows)
        found = outcomes.standings(results, self._shape[1])
        found |= {"returns": self._returns[rows], "length": self._report.length[rows]}
        return outcomes.spread(found, rows, ended)

    def _restart(self, over: Bools, infos: dict[str, Any]) -> dict[str, Any]:
        """Keep the last observations and infos, and begin new games."""
        rows, ended, final = self._over_rows, over.copy(), np.full(self.num_envs, None)
        self._masks[rows] = True
        for row in rows.tolist():
            final[row] = row_of(self._seen, row)
        last = infos | {"seat": self._seats.copy(), "_seat": ended}
        last |= {"action_mask": self._flags.copy(), "_action_mask": ended}
        self._begin(rows)
        self._mark_ended(self._ended)
        self._play_opponents(rows)
        self._store_scores(rows)
        return {"final_obs": final, "_final_obs": ended, "final_info": last, "_final_info": ended}

    def _mark_ended(self, over: Bools) -> None:
        """Store which games have ended."""
        self._ended[:] = over
        self._over_rows = rows if len(rows := over.nonzero()[0]) else _NO_ROWS

    def _over(self) -> Bools:
        """Which rows have ended: the game is over or, with opponents, the learner is out."""
        over: Bools = self._n_out == self._players
        over = self._paid[self._rows, self._learner] if self.opponents else over
        return over if self._illegal is None else over | self._illegal

    def _add_infos(self, infos: dict[str, Any]) -> dict[str, Any]:
        """Add masks and seats; the mask is all ones after the end."""
        masks, legal = self._copied
        masks[:] = legal  # as bytes: numpy takes three times as long for one game
        if self._over_rows is not _NO_ROWS:
            self._masks[self._over_rows] = True
        infos["action_mask"] = self._flags.copy() if self.copy else self._flags
        infos["seat"] = self._seats.copy()
        infos["_action_mask"] = infos["_seat"] = self._all
        return infos


def with_copies(num_envs: int = 1, **arguments: Any) -> SmallCityVec:
    """What `gymnasium.make_vec` calls: the arrays handed out stay as they are, as libraries expect."""
    return SmallCityVec(num_envs, **{"copy": True, **arguments})
