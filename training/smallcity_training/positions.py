"""Positions for the value net: outcomes, and policies of searches; encoded, and kept in shards on disk."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_agents.evaluation.weights import VALUE, weights_of
from smallcity_agents.net.features import greedy_logits
from smallcity_agents.search.simulate import write_payoffs
from smallcity_agents.value_net.answers import encode_answers
from smallcity_agents.value_net.encode import encode_all
from smallcity_agents.value_net.forward import Floats, new_features
from smallcity_agents.value_net.layout import GREEDY_VALUE, MOST_ANSWER_CODES, MOST_CODES, NUMBER_COUNT
from smallcity_env import batch, files
from smallcity_env.batch import States
from smallcity_env.refusal import Refused
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.schema import STATE

SAMPLED: Final = 0.12  # default share of all positions
LARGEST: Final = 60_000  # within the range of a float16
USUAL_CODES: Final = 400  # above the mean per seat of any batch
SAMPLED_FIRST: Final = 0.5  # default share of the first positions of a round


class Positions(NamedTuple):
    """A list of positions; position i has `players[i]` lines, one for each seat, and `choices[i]` answers."""

    codes: npt.NDArray[np.uint16]
    ends: npt.NDArray[np.int64]  # (lines,): where the codes of a line end
    numbers: npt.NDArray[np.float16]  # (lines, NUMBER_COUNT)
    greedy_values: npt.NDArray[np.float32]  # (lines,): greedy's expected score
    scores: npt.NDArray[np.float32]  # (lines,): final
    payoffs: npt.NDArray[np.float32]  # (lines,)
    places: npt.NDArray[np.int8]  # (lines,)
    out: npt.NDArray[np.bool_]  # (lines,): already eliminated
    players: npt.NDArray[np.int8]  # (positions,)
    left: npt.NDArray[np.int8]  # (positions,): rounds after this one
    rounds: npt.NDArray[np.int8]  # (positions,): the current round
    games: npt.NDArray[np.int64]  # (positions,)
    asked: npt.NDArray[np.int8]  # (positions,): the seat
    questions: npt.NDArray[np.int16]  # (positions,)
    choices: npt.NDArray[np.int16]  # (positions,): the number of answers; 0: no policy is known
    answer_codes: npt.NDArray[np.uint16]
    answer_ends: npt.NDArray[np.int64]  # (answers,): where the codes of an answer end
    below: npt.NDArray[np.float16]  # (answers,): points below greedy's best answer, negative
    policy: npt.NDArray[np.float16]  # (answers,): probabilities


class Recorder:
    """Samples positions of games while they are played."""

    def __init__(self, seed: int, share: float = SAMPLED, share_of_first: float = SAMPLED_FIRST) -> None:
        self.share, self.share_of_first = share, share_of_first
        self.rng = np.random.default_rng(seed)
        self.states: list[States] = []
        self.games: list[npt.NDArray[np.int64]] = []
        self.rounds = np.zeros(0, np.int64)

    def sample(self, states: States) -> None:
        """Sample positions of a batch of games after a step; always pass the same batch."""
        rounds = states["round_no"].astype(np.int64)
        first = np.resize(self.rounds, len(states)) != rounds
        chance = np.where(first, self.share_of_first, self.share) * ~batch.over(states)
        self.rounds = rounds
        games = np.flatnonzero(self.rng.random(len(states)) < chance)
        self.states.append(batch.take(states, games))
        self.games.append(games)

    def sampled(self) -> tuple[States, npt.NDArray[np.int64]]:
        """The sampled positions in the order they were played, and the game of each."""
        return np.concatenate(self.states).view(STATE), np.concatenate(self.games)


def labelled(states: States, final: States, games: npt.NDArray[np.int64], policies: Any = None) -> Positions:
    """Positions of one configuration with the outcomes of the games played from them.

    `policies` (m, ACTIONS) are those of the last m positions.
    """
    players = int(final["rules"]["players"][0])
    scores, places = batch.scores(final)
    payoffs = np.zeros(scores.shape, np.float32)
    write_payoffs(final, np.zeros(scores.shape), payoffs)
    codes, ends, numbers = encode(states)
    lines = [by_seat[:, :players].reshape(-1) for by_seat in (scores, payoffs, places)]
    return Positions(
        codes,
        ends,
        np.clip(numbers, -LARGEST, LARGEST).astype(np.float16),
        numbers[:, GREEDY_VALUE].copy(),
        lines[0].astype(np.float32),
        lines[1].astype(np.float32),
        lines[2].astype(np.int8),
        states["borough"]["out"][:, :players].reshape(-1) > 0,
        np.full(len(states), players, np.int8),
        (states["rules"]["rounds"] - states["round_no"]).astype(np.int8),
        states["round_no"].astype(np.int8),
        games,
        states["seat"].astype(np.int8),
        states["ask"].astype(np.int16),
        *_answers(states, np.zeros((0, ACTIONS)) if policies is None else policies),
    )


def _answers(states: States, policies: Any) -> tuple[Any, ...]:
    """The answers to each position: their number, codes, where those end, greedy's view, the policy."""
    taught = states[len(states) - len(policies) :]
    legal, seats = batch.masks(taught), taught["seat"].astype(np.int64)
    choices = np.zeros(len(states), np.int16)
    choices[len(states) - len(policies) :] = legal.sum(axis=1)
    codes = np.zeros(int(legal.sum()) * MOST_ANSWER_CODES, np.uint16)
    ends = np.zeros(int(legal.sum()), np.int64)
    encode_answers(taught, seats, legal, codes, ends)
    used = codes[: ends[-1] if len(ends) else 0].copy()
    below, policy = greedy_logits(taught, seats, legal)[legal], policies[legal]
    return choices, used, ends, below.astype(np.float16), policy.astype(np.float16)


def encode(states: States) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64], Floats]:
    """The codes of all seats, concatenated, where those of each seat end, and each seat's numbers."""
    lines = int(states["rules"]["players"].sum())
    codes = np.zeros(lines * USUAL_CODES + MOST_CODES, np.uint16)
    ends, numbers = np.zeros(lines, np.int64), np.zeros((lines, NUMBER_COUNT), np.float32)
    encode_all(states, weights_of(VALUE), *new_features(), codes, ends, numbers)
    return codes[: ends[-1] if lines else 0].copy(), ends, numbers


def join(parts: list[Positions]) -> Positions:
    """Concatenate several lists of positions."""
    begins = np.cumsum([(0, 0), *((len(part.codes), len(part.answer_codes)) for part in parts)], axis=0)
    shifted = [
        part._replace(ends=part.ends + begin, answer_ends=part.answer_ends + answers)
        for part, (begin, answers) in zip(parts, begins, strict=False)
    ]
    return Positions(*(np.concatenate(arrays) for arrays in zip(*shifted, strict=True)))


def save(path: Path, positions: Positions) -> None:
    """Write a shard atomically."""
    files.write_arrays(path, positions._asdict())


def load(paths: list[Path]) -> Positions:
    """All positions of some shards."""
    parts = []
    for path in paths:
        arrays = files.read_arrays(path, "the shard")
        if tuple(arrays) != Positions._fields:
            raise Refused(f"the shard {path} does not fit: it must hold {', '.join(Positions._fields)}")
        parts.append(Positions(**arrays))
    return join(parts)
