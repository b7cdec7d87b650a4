"""The PettingZoo environment; the docstring of `raw_env` is its manual page."""

import copy
from typing import Any, Final, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from .. import arguments, batch
from ..batch import IllegalAction
from ..config import Config, ConfigArguments, ConfigError, configured
from ..rules import actions, entries, rng, step
from ..rules.tables import SEATS, Ask
from . import outcomes, rewards
from .action_space import Actions
from .observations import MASK, Observations, copied, row_view, with_mask
from .options import (
    RENDER_MODES,
    Illegal,
    Observing,
    checked_form,
    checked_illegal,
    checked_mode,
    checked_reset,
    checked_start,
)
from .rendering import Rendered, in_words, render_state

Observation = dict[str, Any]


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo's own name for it
    """Small City with its Winter and Godzillas expansions.

    | Import             | `from smallcity_env import smallcity_v0` |
    |--------------------|------------------------------------------|
    | Actions            | Discrete                                 |
    | Parallel API       | `smallcity_v0.parallel_env()`            |
    | Manual Control     | No                                       |
    | Agents             | `agents = ['seat_0', ... 'seat_3']`      |
    | Agents             | 1 - 4                                    |
    | Action Shape       | Discrete(199)                            |
    | Action Values      | Discrete(199)                            |
    | Observation Shape  | (2206,) and a mask (199,), or by `observation` |
    | Observation Values | [0, 1]; a few counts up to 4             |

    ### Observation
    A dict: `observation` is what the seat may see, as float32 numbers (`observation="compact"`) or as a dict
    of planes and a vector (`"planes"`); their index tables are in docs/observations.md; `action_mask` is 1
    for every legal action, all 0 for a seat that is not being asked and all 1 for one that has terminated.
    `observation_key` is another name for the first, such as RLlib's `observations`.

    ### Actions
    One flat space shared by all questions; the question decides what an id means. `actions.name(id)`
    and `actions.parse(text)` translate; smallcity_env/rules/actions.py documents the layout.

    ### Rewards
    `reward="rank"`, `"margin"` or `"score"`; see smallcity_env/envs/rewards.py for ranges and sums.

    ### Outcomes
    The infos of an agent that terminates have `scores`, `places`, `won` and `returns`, with a number for each
    seat, and the `length` of the game; see smallcity_env/envs/outcomes.py.

    ### Reset options
    `options={"text": position}` starts from a position written by `Game.to_text`, `{"save": bytes}`
    from a saved game. `{"names": True}` adds phase, question and the names of the legal actions to
    `infos`.

    ### Illegal actions
    With `illegal="terminate"`, the default, an illegal action ends the game as in PettingZoo's classic
    games: its player gets -1, the others 0, and `infos` of the player has `illegal_action`. With
    `illegal="raise"` it raises `IllegalAction` with one clear sentence and leaves the game unchanged.
    An action that is not a whole number, or comes out of turn, always raises it.

    ### Arguments
    The game is configured by `config`, or by the arguments of `Config`: players, modules, boards, victory,
    advanced, stockholm, godzilla_rules, rounds.

    ### Rendering
    `render_mode="ansi"` returns the table as text, `"human"` prints it, `"rgb_array"` returns pixels, of a
    size that depends only on the number of players: always as the seat being asked sees it.

    An eliminated player terminates at once.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo declares it
        "name": "smallcity_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        *,
        config: Config | None = None,
        reward: str = "rank",
        observation: Observing = "compact",
        observation_key: str = "observation",
        illegal: Illegal = "terminate",
        render_mode: str | None = None,
        **variant: Unpack[ConfigArguments],
    ) -> None:
        super().__init__()
        self.config: Config = configured(config, variant, players=SEATS)
        self.reward: str = rewards.checked(reward)
        self.observation: Observing = observation
        self.observation_key: str = observation_key
        self.illegal: Illegal = checked_illegal(illegal)
        self.render_mode: str | None = checked_mode(render_mode)
        self.possible_agents: list[str] = [f"seat_{p}" for p in range(self.config.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._observations = Observations(1, checked_form(observation), self.config.players)
        space = with_mask(self._observations.space, observation_key)
        chosen = Actions()
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(self.possible_agents, space)
        self.action_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(self.possible_agents, chosen)

    # -- PettingZoo

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space of an agent."""
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space of an agent."""
        if agent not in self._seats:
            self._seat_of(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, or continue from a position given in the options."""
        options = checked_start(checked_reset(options))
        if seed is not None or not hasattr(self, "_seeds"):
            self._seeds = np.random.default_rng(None if seed is None else arguments.seed(seed))
        self._names = options.get("names", False)
        if "text" in options or "save" in options or not hasattr(self, "_states"):
            self._take(self._first_states(options))
        else:
            self._begin_again()
        self.agents = [a for p, a in enumerate(self.possible_agents) if not self._out[p]]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, self._over)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {MASK: _NO_ACTIONS} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection: str = self.possible_agents[self._seat.item()]
        self._returns = np.zeros(len(self.possible_agents))
        self._asked = self._seat.item()
        self._select()
        self._tell_outcome()  # of a position after the end

    def _first_states(self, options: dict[str, Any]) -> batch.States:
        """The game to start from."""
        if not options.keys() & {"text", "save"}:
            return batch.new(1, self.config, [self._seeds.integers(2**63)])
        from ..game import Game  # a tenth of the start, and most games begin at the beginning

        return (Game.from_text(options["text"]) if "text" in options else Game.load(options["save"])).states

    def _take(self, states: batch.States) -> None:
        """Continue from this state."""
        config, seats = Config.of(states[0]), len(self.possible_agents)
        if config.players != seats:
            raise ConfigError(f"this position has {config.players} players, the environment {seats}")
        self.config = config
        self._states = states
        self._legal = batch.masks(states)
        self._scores = batch.visible_scores(states)[:, :seats]
        self._paid, self._report = np.zeros((1, seats), np.bool_), step.new_report(1)
        self._make_buffers()
        self._paid[0] = self._out > 0

    def _make_buffers(self) -> None:
        """Views of the fields every step reads and buffers it writes, made and checked once for speed."""
        self._states, self._legal = arguments.games(self._states), arguments.masks(self._legal, 1)
        self._ask, self._seat = self._states["ask"], self._states["seat"]
        self._out = self._states["borough"]["out"][0, : len(self.possible_agents)]
        self._flags = self._legal.view(np.int8)[0]
        self._seen = row_view(self._observations.arrays, 0)
        self._answer, self._order = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._chance = np.zeros(1, np.uint64)  # the stream of a new game
        self._viewers, self._n_out = self._report.viewers.data, self._report.n_out.data
        self._viewer: int  # the seat whose observation is in the buffer
        self._was_out = len(self.possible_agents) if self._over else int((self._out > 0).sum())
        seen, played = self._observations.buffers, (self._answer, self._legal, self._order, self._chance)
        self._step = entries.step_and_observe.bind(self._states, *played, self._report, *seen)
        self._see = entries.observe.bind(self._states, self._answer, *seen)
        self._asked = self._seat.item()
        self._observe_as(self._asked)

    def _begin_again(self) -> None:
        """Begin a new game by the same rules, in the same buffers."""
        self._chance[:] = rng.streams(self._seeds.integers(2**63))
        self._order[0] = entries.RESTART
        self._step()
        self._viewer, self._was_out = self._viewers[0], self._n_out[0]
        self._paid[:] = False
        if self.reward == "score":
            self._scores[:] = batch.visible_scores(self._states)[:, : len(self.possible_agents)]

    def _observe_as(self, seat: int) -> None:
        """Write the observation of a seat into the buffer."""
        self._answer[0] = self._viewer = seat
        self._see()

    @property
    def _over(self) -> bool:
        return bool(self._ask.item() == _OVER)

    def _select(self) -> None:
        """Set `agent_selection` to the seat being asked, with its mask and infos."""
        infos = self.infos
        if (answered := infos.get(self.agent_selection)) is not None:
            answered[MASK] = _NO_ACTIONS
        self.agent_selection = agent = self.possible_agents[self._asked]
        self._mask = mask = self._flags.copy()
        if (info := infos.get(agent)) is not None:
            info[MASK] = mask
            if self._names:
                info.update(in_words(self._states[0], self._legal[0]))

    def observe(self, agent: str) -> Observation:
        """What an agent may see now, and its action mask; later steps do not change them."""
        seat = self._seats.get(agent)
        if seat is None:
            seat = self._seat_of(agent)
        if seat != self._viewer:
            self._observe_as(seat)
        mask = self._mask if seat == self._asked else self._mask_of_idle(agent)
        seen = self._seen
        return {self.observation_key: seen.copy() if seen.__class__ is _ARRAY else copied(seen), MASK: mask}

    def _mask_of_idle(self, agent: str) -> npt.NDArray[np.int8]:
        """The mask of a seat that is not being asked: all 1 after its end, as in the other environments."""
        return np.full(actions.ACTIONS, self.terminations.get(agent, True), np.int8)

    def _seat_of(self, agent: str) -> int:
        """The seat of an agent; refuses an unknown one."""
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(f"there is no agent {agent!r}: there are {', '.join(self.possible_agents)}")
        return seat

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of legal actions."""
        legal: npt.NDArray[np.bool_] = self._legal[0].copy()
        return legal

    def step(self, action: int | None) -> None:
        """Answer the question put to `agent_selection`; None if it has terminated."""
        if not self.agents:
            raise IllegalAction("the game is over: call reset before step")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._leave(agent, action)
            return
        chosen: Any = action
        if chosen.__class__ is _INT64:
            chosen = int(chosen)
        if chosen.__class__ is not int or not 0 <= chosen < _NONE:
            chosen = _number(chosen)
        self._answer[0] = chosen
        if self._step() != _DONE:
            self._refuse(agent)
            return
        self._cumulative_rewards[agent] = 0.0
        self._viewer, n_out = self._viewers[0], self._n_out[0]
        if n_out != self._was_out or self.reward == "score":
            self._finish_step(n_out)
        else:
            self._asked = self._viewer
            self._select()

    def _refuse(self, agent: str) -> None:
        """Refuse an illegal action, which has changed nothing."""
        if self.illegal == "raise":
            raise IllegalAction(batch.refusal(self._states, 0, int(self._answer[0]), self._legal[0]))
        self._forfeit(agent)

    def _finish_step(self, n_out: int) -> None:
        """Set the rewards of a step and select the next agent; one that has terminated clears them."""
        self._was_out = n_out
        self._pay()
        self._asked = self._seat.item()
        self._select()
        self._tell_outcome()
        self._deads_step_first()

    def _tell_outcome(self) -> None:
        """Give the agents that have terminated their mask, and tell them how it ended."""
        ended = [agent for agent in self.agents if self.terminations[agent]]
        if not ended:
            return
        found = outcomes.standings(batch.results(self._states, _ROW), len(self.possible_agents))
        found |= {"returns": self._returns[None], "length": self._report.length}
        for agent in ended:
            self.infos[agent] |= {name: values[0].copy() for name, values in found.items()}
            self.infos[agent][MASK] = _ALL_ACTIONS
        if self.terminations[self.agent_selection]:
            self._mask = _ALL_ACTIONS.copy()

    def _forfeit(self, agent: str) -> None:
        """End the game for everybody: the player of an illegal action loses."""
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: rewards.ILLEGAL}
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos[agent]["illegal_action"] = True
        self._returns[self._seats[agent]] += rewards.ILLEGAL
        self._accumulate_rewards()
        self._tell_outcome()
        self._deads_step_first()

    def _leave(self, agent: str, action: int | None) -> None:
        """Remove a terminated agent, whose only action is None."""
        if action is not None:
            raise IllegalAction(f"{agent} has terminated and takes only None, not {action!r}")
        self._was_dead_step(None)

    def _pay(self) -> None:
        """Set the rewards of this step and terminate the agents whose game has ended."""
        if self.reward == "score":
            paid = rewards.pay(self.reward, self._states, self._paid, self._scores)
        else:
            given = self._states, _ROW, self._paid, self._scores
            paid = rewards.pay_ends(self.reward, batch.results(self._states, _ROW), *given)
        self._returns += paid[0]
        for agent in self.agents:
            p = self._seats[agent]
            self.rewards[agent] = float(paid[0, p])
            self.terminations[agent] = bool(self._paid[0, p])
        self._accumulate_rewards()

    # -- copies

    def get_state(self) -> dict[str, Any]:
        """A snapshot of the environment, for `set_state`."""
        return {name: copy.deepcopy(getattr(self, name)) for name in _SNAPSHOT if hasattr(self, name)}

    def set_state(self, state: dict[str, Any]) -> None:
        """Restore a snapshot."""
        if unknown := set(state) - set(_SNAPSHOT):
            raise ValueError(f"this is not a state of {self}: it has {', '.join(sorted(unknown))}")
        for name, value in state.items():
            setattr(self, name, copy.deepcopy(value))
        if "_states" in state:
            self._make_buffers()
            self.config = Config.of(self._states[0])

    def clone(self) -> "raw_env":
        """An independent copy of the environment."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**{name: getattr(self, name) for name in _ARGUMENTS}, "snapshot": self.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshot = state.pop("snapshot")
        self.__init__(**state)  # type: ignore[misc]
        self.set_state(snapshot)

    # -- rendering

    def render(self) -> Rendered:
        """The table as the seat being asked sees it: text, pixels, or printed in mode human."""
        return render_state(self.render_mode, self._states[0], self._seat.item())

    def close(self) -> None:
        """Nothing to close."""


_OVER = int(Ask.OVER)
_NO_ACTIONS = np.zeros(actions.ACTIONS, np.int8)  # the mask of a seat that is not being asked
_NO_ACTIONS.flags.writeable = False
_ALL_ACTIONS = np.ones(actions.ACTIONS, np.int8)  # the mask of a seat that has terminated
_ALL_ACTIONS.flags.writeable = False
_ROW = np.zeros(1, np.int64)
_ARGUMENTS: Final = ("config", "reward", "observation", "observation_key", "illegal", "render_mode")
_ARRAY, _INT64 = np.ndarray, np.int64
_DONE = entries.DONE
_NONE = actions.ACTIONS  # the first id that is not an action: refused as illegal
_SNAPSHOT: Final = (
    "_states", "_legal", "_scores", "_paid", "_seeds", "_names", "_skip_agent_selection", "agents",
    "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos", "_mask",
    "_returns", "_report",
)  # fmt: skip


def _number(action: object) -> int:
    """The id of an action; a negative number becomes an id that is refused as illegal."""
    number = arguments.action(action)
    return number if number >= 0 else _NONE
