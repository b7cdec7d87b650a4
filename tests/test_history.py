"""The history of a game: every cause is told, the parts add up, and nothing hidden is told."""

from collections import Counter

import numpy as np
import pytest

from smallcity_env import Game, batch
from smallcity_env.history import Entered, History, is_secret, merged, sentences
from smallcity_env.history.lines import POINTS, gains_of
from smallcity_env.log import state_of
from smallcity_env.rules.tables import DEATH_LEVELS, SHOP_MONEY
from smallcity_env.rules.tables.promises import BY_NUMBER

from .random_games import EVERYTHING, give, random_answers, random_config, table
from .scene import scene

NAMES = ["Ann", "Bob", "Cid", "Dee"]


def played(seed: int) -> Game:
    """A random game of random modules, every other one of rich players; the first with everything."""
    games = table(random_config(seed) if seed else EVERYTHING, 1, seed)
    while games.states["round_no"] < 1:
        batch.step(games.states, games.answers(), games.legal)
    for p in range(int(games.states["rules"]["players"][0]) * (seed % 2 == 0)):
        for _ in range(8):
            give(games.states[0], p, games.rng)
    game = Game._from_state(games.states.copy())
    while not game.over:
        game.step(int(random_answers(game.mask()[None], games.rng, games.taste)[0]))
    return game


@pytest.mark.parametrize("seed", range(24))
def test_the_lines_add_up_to_all_that_changed(seed: int) -> None:
    game, history = played(seed), History()
    history.catch_up(game.log)
    start, end = state_of(game.log.start)[0], game.state
    for p, score in enumerate(game.scores()):
        told: Counter[str] = Counter()
        for one in merged(history.lines):
            if one.line.seat == p:
                told.update(one.line.gains)
        points = told.pop(POINTS, 0)
        assert {track: n for track, n in told.items() if n} == gains_of(
            start["borough"][p], end["borough"][p]
        )
        assert points == score
    assert "Other rules" not in {one.line.text.message for one in history.lines}


@pytest.mark.parametrize("seed", range(4))
def test_others_learn_nothing_until_the_screens_are_lifted(seed: int) -> None:
    """What a seat and a watcher are told does not change while others build, nor names a promise."""
    game, history, chance = Game(EVERYTHING, seed), History(), np.random.default_rng(seed)
    names = {str(promise.name) for promise in BY_NUMBER.values() if " " in str(promise.name)}
    history.catch_up(game.log)
    before = {viewer: list[Entered]() for viewer in range(-1, game.config.players)}
    compared = 0
    while not game.over:
        seat, secret = game.seat, is_secret(game.state)
        game.step(int(chance.choice(game.legal())))
        history.catch_up(game.log)
        for viewer in range(-1, game.config.players):
            known = history.known(viewer)
            if secret and is_secret(game.state) and viewer != seat:
                assert known == before[viewer]
                compared += 1
            before[viewer] = known
        if not game.over:
            said = [line.line.words(NAMES) for line in history.lines]
            assert not any(name in words for name in names for words in said[-20:])
    assert compared > 100


def test_an_earlier_moment_is_told_as_it_was() -> None:
    game, history, chance = Game(seed=3), History(), np.random.default_rng(3)
    while not is_secret(game.state) or game.round < 2 or len(game.log.entries[-1:]) == 0:
        game.step(int(chance.choice(game.legal())))
    game.step(game.parse("no"))
    history.catch_up(game.log)
    known, state, until = history.known(-1), game.states[0].copy(), len(game.log)
    for _ in range(40):
        game.step(int(chance.choice(game.legal())))
    history.catch_up(game.log)
    assert history.known(-1, state, until) == known != history.known(-1)


def told(game: Game, *answers: str) -> str:
    """What happens after some answers, in words."""
    for text in answers:
        game.step(text)
    history = History()
    history.catch_up(game.log)
    return " | ".join(words for _, words in sentences(history.known(0), NAMES))


def test_income_votes_and_pollution_are_told_with_their_causes() -> None:
    picture = """
        R1   R1   C1   .    .
        Hl   Hl   F1   P1   P1
        Hl:0 Hl:0 .    .    .
        R1:0 .    .    .    C1:0
    """
    words = told(scene(picture, phase="move"), "at C1", "at C2", "at A1", "at B1")
    assert "Moved 4 citizens" in words
    assert f"Shop a: +${SHOP_MONEY}" in words and "Own factories: +1 wood" in words
    assert "2 at home: +2 votes" in words
    assert "4 people + 1 factory - 2 parks: +3 pollution" in words


def test_deaths_and_eliminations_say_why() -> None:
    home = "R1:0 C1 Hl Hl\n.    .  Hl Hl"
    first = DEATH_LEVELS[0]
    pollution = {0: first - 1, 1: 99}
    game = scene(home, home.replace("0", "1"), "Hl Hl\nHl Hl", phase="move", pollution=pollution)
    words = told(game, "no", "no")
    assert f"Pollution reached {first}: a citizen dies" in words
    assert "Pollution reached 100: out of the game" in words


def test_a_godzilla_says_whom_it_eats_and_what_is_lost() -> None:
    picture = """
        .  .  .    .    .  .  .
        F2 F2 R1:0 Wa:w Wa .  .
        .  .  .    .    Hl Hl .
        .  .  .    .    Hl Hl .
    """
    game = scene(picture, phase="pollution", modules=["godzillas"], die={0: 3}, round=8)
    words = told(game, "at B2", "east")
    assert "A godzilla appeared on A2 B2" in words
    assert "The godzilla entered C2. 1 citizen eaten. The godzilla entered D2: -1 wood" in words
    assert "The godzilla stands on D2 E2" in words


def test_equal_dice_say_why_only_one_is_spared() -> None:
    homes = [f"R1:{p} F1 Hl Hl\n. . Hl Hl" for p in range(2)]
    for seed in range(100):
        game = scene(*homes, phase="move", modules=["godzillas"], round=5, pollution={1: 9}, seed=seed)
        words = told(game, "no", "no")
        dice = game.state["die"][:2]
        if dice[0] == dice[1]:
            break
    assert f"Rolled {dice[0]}, the lowest: spared" in words
    assert f"Rolled {dice[0]}, as low, but with more pollution or factory spaces: a godzilla comes" in words


def test_the_end_says_how_far_promises_were_kept() -> None:
    clean = BY_NUMBER[1]
    most = clean.needs[0].high
    game = scene("Hl Hl\nHl Hl", phase="vote", round=8, promise=1, difficulty=0, pollution=most, votes=20)
    words = told(game, "no") if not game.over else told(game)
    kept = f"Clean Air kept: {most} of at most {most}: +{clean.worth} points"
    assert f"Votes: +20 points. {kept}. Pollution: -{most} points" in words
