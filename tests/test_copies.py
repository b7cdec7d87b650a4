"""A clone, a save, a text and a log reproduce a game exactly, and play on as it does."""

import numpy as np
import pytest

from smallcity_env import Config, Game, batch
from smallcity_env.game import Log
from smallcity_env.text.notation import from_text, to_text
from tests.random_games import EVERYTHING, Table, random_config, table
from tests.reference import dense_positions

CONFIGS = [EVERYTHING, *(random_config(seed) for seed in range(700, 709))]
of_all_sorts = pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))


def play(game: Game, rng: np.random.Generator, answers: int) -> None:
    """Give this many random answers, or fewer if the game ends."""
    for _ in range(answers):
        if not game.over:
            game.step(int(rng.choice(game.legal())))


@of_all_sorts
def test_a_clone_plays_on_identically_and_leaves_the_original_alone(config):
    game = Game(config, seed=11)
    play(game, np.random.default_rng(1), 120)
    before, lines = game.states.tobytes(), list(game.log.entries)
    twin = game.clone()
    play(twin, np.random.default_rng(2), 10_000)
    assert game.states.tobytes() == before and game.log.entries == lines
    play(game, np.random.default_rng(2), 10_000)
    assert game == twin and game.log == twin.log
    assert game.scores() == twin.scores() and game.ranking() == twin.ranking()


@of_all_sorts
def test_a_clone_of_a_batch_plays_on_identically_and_leaves_the_original_alone(config):
    games = table(config, 8, seed=4)
    for n in games.play():
        if n % 40 == 0:
            before = games.states.tobytes()
            one, two = batch.clone(games.states), batch.clone(games.states)
            assert (batch.rollout(one, np.arange(8)) == batch.rollout(two, np.arange(8))).all()
            assert one.tobytes() == two.tobytes()
            assert games.states.tobytes() == before


@of_all_sorts
def test_a_saved_game_is_loaded_with_its_log_and_plays_on(config):
    game, rng = Game(config, seed=12), np.random.default_rng(3)
    while not game.over:
        loaded = Game.load(game.save())
        assert loaded == game and loaded.log == game.log
        assert (loaded.mask() == game.mask()).all()
        assert loaded.save() == game.save()
        play(game, rng, 25)
        assert loaded != game
    assert Game.load(game.save()).over


@of_all_sorts
def test_a_log_replays_byte_for_byte(config):
    game, rng = Game(config, seed=13), np.random.default_rng(4)
    play(game, rng, 150)
    assert Game.replay(game.log) == game
    play(game, rng, 10_000)
    again = Game.replay(game.log)
    assert again == game and again.log == game.log
    assert Game.replay(Game.load(game.save()).log) == game


def test_a_log_replays_from_a_position_in_mid_game():
    game = Game(EVERYTHING, seed=14)
    play(game, np.random.default_rng(5), 200)
    later = Game.from_text(game.to_text())
    assert later.log.entries == []
    play(later, np.random.default_rng(6), 100)
    assert Game.replay(later.log) == later


def test_an_empty_log_replays_to_the_first_question():
    game = Game(Config(players=2), seed=1)
    assert Game.replay(Log(game.log.start)) == game


@of_all_sorts
def test_text_round_trips_all_along_a_game(config):
    games = table(config, 3, seed=5, generous=True)
    for n in games.play():
        if n % 9 == 0:
            for i in range(3):
                text = to_text(games.states[i])
                read = from_text(text)
                assert read.tobytes() == games.states[i].tobytes()
                assert to_text(read[0]) == text


@pytest.mark.parametrize("towns", [dense_positions.crowded, dense_positions.asian])
def test_text_round_trips_in_dense_positions(towns):
    games = Table(towns(2, seed=6), seed=6, generous=True)
    for n in games.play():
        if n % 7 == 0:
            for state in games.states:
                assert from_text(to_text(state)).tobytes() == state.tobytes()


@of_all_sorts
def test_a_game_from_text_plays_on_as_the_game_would(config):
    game = Game(config, seed=15)
    play(game, np.random.default_rng(7), 90)
    twin = Game.from_text(game.to_text())
    assert twin == game
    play(game, np.random.default_rng(8), 10_000)
    play(twin, np.random.default_rng(8), 10_000)
    assert twin == game
