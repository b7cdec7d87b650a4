"""The PettingZoo environment; the docstring of `raw_env` is its manual page."""

import copy
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from .. import arguments, batch, render
from ..batch import IllegalAction
from ..config import DEFAULT_BOARD, EDITIONS, Config, ConfigError
from ..game import Game
from ..rules import actions, engine, layout
from ..rules.tables import Ask, Phase
from ..show import seen_by
from . import rewards

RENDER_MODES: Final = ("ansi", "human", "rgb_array")
Observation = dict[str, npt.NDArray[Any]]
Rendered: TypeAlias = str | npt.NDArray[np.uint8] | None


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo's own name for it
    """Small City with its Winter and Godzillas expansions.

    | Import             | `from smallcity_env import smallcity_v0` |
    |--------------------|------------------------------------------|
    | Actions            | Discrete                                 |
    | Parallel API       | No                                       |
    | Manual Control     | No                                       |
    | Agents             | `agents = ['seat_0', ... 'seat_3']`      |
    | Agents             | 1 - 4                                    |
    | Action Shape       | Discrete(199)                            |
    | Action Values      | Discrete(199)                            |
    | Observation Shape  | (2197,) and a mask (199,)                |
    | Observation Values | about [0, 1]                             |

    ### Observation
    A dict: `observation` is what the seat may see, as float32 (index table: `layout.index_table()`);
    `action_mask` is 1 for every legal action and all 0 for a seat that is not being asked.

    ### Actions
    One flat space shared by all questions; the question decides what an id means. `actions.name(id)`
    and `actions.parse(text)` translate; smallcity_env/rules/actions.py documents the layout.

    ### Rewards
    `reward="rank"`, `"margin"` or `"score"`; see smallcity_env/envs/rewards.py for ranges and sums.

    ### Reset options
    `options={"text": position}` starts from a position written by `Game.to_text`, `{"save": bytes}`
    from a saved game. `{"names": True}` adds phase, question and the names of the legal actions to
    `infos`.

    ### Arguments
    players, modules, boards, victory, advanced, stockholm, godzilla_rules: as in `Config`; reward;
    render_mode.

    ### Rendering
    `render_mode="ansi"` returns the table as text, `"human"` prints it, `"rgb_array"` returns pixels, of a
    size that depends only on the number of players: always as the seat being asked sees it.

    An eliminated player terminates at once. The environment itself checks order, bounds and legality:
    a wrong action raises `IllegalAction` with one clear sentence and leaves the game unchanged.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo declares it
        "name": "smallcity_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        players: int = 4,
        modules: Iterable[str] = ("godzillas",),
        boards: Iterable[str] | str = DEFAULT_BOARD,
        victory: str = "votes",
        advanced: bool = False,
        stockholm: bool = False,
        godzilla_rules: str = EDITIONS[0],
        reward: str = "rank",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.config = Config(players, modules, boards, victory, advanced, stockholm, godzilla_rules)
        self.reward, self.render_mode = rewards.checked(reward), checked_mode(render_mode)
        self.possible_agents = [f"seat_{p}" for p in range(self.config.players)]
        self.agents: list[str] = []
        mask = spaces.Box(0, 1, (actions.ACTIONS,), np.int8)
        space = spaces.Dict({"observation": observation_space(), "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(actions.ACTIONS))

    # -- PettingZoo

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space of an agent."""
        return self.observation_spaces[self.possible_agents[self._seat_of(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space of an agent."""
        return self.action_spaces[self.possible_agents[self._seat_of(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, or continue from a position given in the options."""
        options = _checked(options or {})
        if seed is not None or not hasattr(self, "_seeds"):
            self._seeds = np.random.default_rng(None if seed is None else arguments.seed(seed))
        self._names = bool(options.get("names"))
        self._take(self._first_states(options))
        self.agents = [a for p, a in enumerate(self.possible_agents) if not self._out[p]]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self._over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._owed = False  # whether `rewards` may be nonzero
        self._select()

    def _first_states(self, options: dict[str, Any]) -> batch.States:
        """The game to start from."""
        if "text" in options:
            return Game.from_text(options["text"]).states
        if "save" in options:
            return Game.load(options["save"]).states
        return batch.new(1, self.config, [self._seeds.integers(2**63)])

    def _take(self, states: batch.States) -> None:
        """Continue from this state."""
        config, seats = Config.of(states[0]), len(self.possible_agents)
        if config.players != seats:
            raise ConfigError(f"this position has {config.players} players, the environment {seats}")
        self.config = config
        self._states = states
        self._legal = batch.masks(states)
        self._scores = batch.visible_scores(states)[:, :seats]
        self._paid = np.zeros((1, seats), np.bool_)
        self._make_buffers()
        self._paid[0] = self._out > 0

    def _make_buffers(self) -> None:
        """Views of the fields every step reads and buffers it writes, made once for speed."""
        self._ask, self._seat = self._states["ask"], self._states["seat"]
        self._out = self._states["borough"]["out"][0, : len(self.possible_agents)]
        self._words = self._states.view(np.int16).reshape(1, -1)
        self._answer = np.zeros(1, np.int64)
        self._observation = np.empty((1, layout.SIZE), np.float32)
        self._observe_as(self._seat.item())

    def _run(self, command: int) -> int:
        """Run an engine command on this game's buffers; return the engine's status."""
        status: int = engine.run(
            command,
            self._states,
            self._answer,
            _NO_STREAMS,
            self._legal,
            _NO_TABLE,
            self._words,
            self._observation,
        )
        return status

    def _observe_as(self, seat: int) -> None:
        """Write the observation of a seat into the buffer."""
        self._answer[0] = self._viewer = seat
        self._run(engine.SEE)

    @property
    def _over(self) -> bool:
        return bool(self._ask.item() == _OVER)

    def _select(self) -> None:
        """Set `agent_selection` to the seat being asked, with its mask and infos."""
        self.agent_selection = self.possible_agents[self._seat.item()]
        self._mask = self._legal[0].view(np.int8).copy()
        info = self.infos.get(self.agent_selection)
        if info is not None:
            info["action_mask"] = self._mask
            if self._names:
                info.update(self._in_words())

    def _in_words(self) -> dict[str, Any]:
        """Phase, question and legal actions by name."""
        legal = [actions.name(int(a)) for a in np.flatnonzero(self._legal[0])]
        phase, ask = Phase(self._states["phase"][0]), Ask(self._ask[0])
        return {"phase": phase.name.lower(), "ask": ask.name.lower(), "legal_actions": legal}

    def observe(self, agent: str) -> Observation:
        """What an agent may see now, and its action mask."""
        seat = self._seat_of(agent)
        if seat != self._viewer:
            self._observe_as(seat)
        asked = seat == self._seat.item()
        mask = self._mask if asked else np.zeros(actions.ACTIONS, np.int8)
        return {"observation": self._observation[0].copy(), "action_mask": mask}

    def _seat_of(self, agent: str) -> int:
        """The seat of an agent; an unknown one is refused."""
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}: there are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

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
        self._apply(_number(action))
        self._cumulative_rewards[agent] = 0.0
        if self._owed:
            self._clear_rewards()
        self._owed = self._over or self.reward == "score" or self._out.tobytes() != self._out_before
        if self._owed:
            self._pay()
        self._select()
        if self._owed:
            self._deads_step_first()

    def _apply(self, action: int) -> None:
        """Apply an action; an illegal one is refused and changes nothing."""
        self._answer[0], answering = action, self._seat.item()
        self._out_before = self._out.tobytes()
        if self._run(engine.STEP) >= 0:
            raise IllegalAction(batch.refusal(self._states, 0, action, self._legal[0]))
        self._viewer = answering if self._over else self._seat.item()  # whose observation was written

    def _leave(self, agent: str, action: int | None) -> None:
        """Remove a terminated agent, whose only action is None."""
        if action is not None:
            raise IllegalAction(f"{agent} has terminated and takes only None, not {action!r}")
        self._was_dead_step(None)

    def _pay(self) -> None:
        """Set the rewards of this step and terminate the agents whose game has ended."""
        paid = rewards.pay(self.reward, self._states, self._paid, self._scores)
        for agent in self.agents:
            p = self.possible_agents.index(agent)
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
            raise ValueError(f"this is no state of {self}: it has {', '.join(sorted(unknown))}")
        for name, value in state.items():
            setattr(self, name, copy.deepcopy(value))
        if "_states" in state:
            self._make_buffers()

    def clone(self) -> "raw_env":
        """An independent copy of the environment."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        config = {name: getattr(self.config, name) for name in Config.__dataclass_fields__}
        options = {"reward": self.reward, "render_mode": self.render_mode}
        return {**config, **options, "snapshot": self.get_state()}

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
_NO_STREAMS, _NO_TABLE = np.zeros(0, np.uint64), np.zeros((0, 0), np.int64)
_NONE = actions.ACTIONS  # the first id that is not an action: refused as illegal
_SNAPSHOT: Final = (
    "_states", "_legal", "_scores", "_paid", "_owed", "_seeds", "_names", "_skip_agent_selection", "agents",
    "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos", "_mask",
)  # fmt: skip


def _number(action: object) -> int:
    """The id of an action; a negative number becomes an id that is refused as illegal."""
    number = arguments.action(action)
    return number if number >= 0 else _NONE


def observation_space() -> spaces.Box:
    """The space of one seat's observation vector."""
    return spaces.Box(-layout.BOUND, layout.BOUND, (layout.SIZE,), np.float32)


def checked_mode(mode: str | None) -> str | None:
    """A render mode, or a ConfigError."""
    if mode not in (None, *RENDER_MODES):
        raise ConfigError(f"there is no render mode {mode!r}: choose from {', '.join(RENDER_MODES)}")
    return mode


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    """The reset options; unknown ones raise only a warning, as PettingZoo's own test requires."""
    if not isinstance(options, dict):
        raise ConfigError(f"reset options must be a dict, not {arguments.shown(options)}")
    if unknown := set(options) - {"text", "save", "names"}:
        names = ", ".join(sorted(unknown))
        gymnasium.logger.warn(f"reset knows the options text, save and names, not {names}")
    return options


def render_state(mode: str | None, state: Any, seat: int) -> Rendered:
    """Render a game as a seat sees it, in a render mode."""
    if mode is None:
        gymnasium.logger.warn("render needs a render_mode: pass one to the environment")
        return None
    if mode == "rgb_array":
        return render.pixels(state, seat)
    text = seen_by(state, seat)
    if mode == "ansi":
        return text
    print(text)
    return None


def env(**kwargs: Any) -> raw_env:
    """The environment for users: it needs no wrappers, since it checks order, bounds and legality itself."""
    return raw_env(**kwargs)
