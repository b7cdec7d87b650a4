"""Make puzzles: positions of strong players' games, by usual rules, in which one answer is clearly best."""

from collections.abc import Iterator
from itertools import count
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from smallcity_env import batch
from smallcity_env.config import Config
from smallcity_env.game import Game
from smallcity_env.log import replay_steps, state_of
from smallcity_env.rules.tables import Ask

from .. import make
from ..arena.playing import answers
from ..arena.results import game_of
from ..greedy import Greedy
from ..play import analysis
from ..play.match import Match
from .make_positions import values
from .positions import Card, Position, _asked

PLAYER: Final = "level:8"
MARGIN: Final = 0.04  # of a win between the best answer and the second, and again with other chance
ANSWERS: Final = range(3, 31)  # to choose from
ASKED: Final = (Ask.CARD, Ask.WHAT, Ask.WHERE, Ask.MOVE, Ask.ROW)
QUICK: Final = 128  # simulations of a question, to find candidates
VALUED: Final = 6  # candidates of a game
KEPT: Final = 2  # puzzles of a game, of different questions
RULES: Final = (
    Config(2),
    Config(2, ("godzillas",)),
    Config(3, ("godzillas",)),
    Config(1, ("godzillas",)),
    Config(4, ("godzillas",)),
    Config(2, ("godzillas", "doctors", "new_buildings")),
)


def described(card: Card) -> Card:
    """The card of a file of puzzles."""
    return replace(card, players=f"{PLAYER} on every seat", margin=MARGIN)


def of_games(card: Card, first: int) -> Iterator[list[Position]]:
    """The puzzles of games over the usual rules."""
    for number in count(first):
        yield puzzles_of(number, RULES[number % len(RULES)], card)


def puzzles_of(number: int, config: Config, card: Card) -> list[Position]:
    """The puzzles of one game; first those that greedy fails."""
    seed = int(np.random.default_rng([card.seed, number]).integers(1 << 31))
    match = Match.begin(Game(config, seed), [make(PLAYER).name] * config.players, seed)
    match.agents_answer()
    log = match.game.log
    asked = [
        (at, state_of(step.before.tobytes()))
        for at, step in enumerate(replay_steps(log))
        if step.entry.ask in ASKED and not step.entry.forced
    ]
    close = _margins(batch.join([state for _, state in asked]))
    chosen = [asked[n] for n in np.argsort(-close, kind="stable")[:VALUED]]
    states = batch.join([state for _, state in chosen])
    greedy = answers(Greedy(), states, *_asked(states))
    found, kinds = list[Position](), set[int]()
    worths = values(states, card.sims)
    for n in sorted(range(len(chosen)), key=lambda n: greedy[n] == max(worths[n], key=worths[n].__getitem__)):
        kind = int(states["ask"][n])
        if len(found) < KEPT and kind not in kinds and _is_clear(states[n : n + 1], worths[n], card):
            kinds.add(kind)
            given = [entry.action for entry in log.entries[: chosen[n][0]] if not entry.forced]
            found.append(Position(number, game_of(config), seed, given, worths[n]))
    return found


def _margins(states: batch.States) -> Any:
    """How far the best answer is ahead of the second, by a quick search; 0 unless ANSWERS allow it."""
    searched, rows = analysis.search(states, QUICK), np.arange(len(states))
    own = np.nan_to_num(searched.values[rows, :, states["seat"].astype(np.int64)], nan=0.0)
    ordered = np.sort(own, axis=1)
    many = np.isin(batch.masks(states).sum(axis=1), ANSWERS)
    return np.where(many & (ordered[:, -2] > 0), ordered[:, -1] - ordered[:, -2], 0.0)


def _is_clear(state: batch.States, worth: dict[int, float], card: Card) -> bool:
    """Whether one answer is clearly best, also with other chance."""
    best, second = sorted(worth, key=worth.__getitem__, reverse=True)[:2]
    if worth[best] - worth[second] < card.margin:
        return False
    again = analysis.compare(state, [[best, second]], 2 * card.sims, seed=2)[0]
    return bool(again[0] - again[1] >= card.margin)
