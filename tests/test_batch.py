"""The batch functions: many games at once, their errors, and who wakes a godzilla."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

from smallcity_env import ACTIONS, Config, Game, IllegalAction, batch
from smallcity_env.rules.entries import OUT, OVER, SKIP
from smallcity_env.rules.modules.godzillas import wake
from smallcity_env.rules.schema import STATE, STATE_BYTES
from smallcity_env.rules.step import DECISIONS, FORCED
from smallcity_env.rules.tables import Ask
from tests.random_games import EVERYTHING, random_answers, random_config, table

THREE = Config(players=3)


# -- new


def test_a_batch_is_one_array_of_records():
    states = batch.new(5, THREE, range(5))
    assert states.dtype == STATE and states.shape == (5,)
    assert states.nbytes == 5 * STATE_BYTES


def test_equal_seeds_make_equal_games():
    states = batch.new(4, EVERYTHING, [1, 2, 1, 3])
    assert states[0].tobytes() == states[2].tobytes() != states[1].tobytes()
    assert Game(EVERYTHING, seed=2).states.tobytes() == states[1].tobytes()


def test_new_writes_the_masks_too():
    legal = batch.new_masks(3)
    states = batch.new(3, THREE, range(3), legal)
    assert (legal == batch.masks(states)).all() and legal.any(axis=1).all()


def test_no_games_are_a_batch_too():
    states = batch.new(0, THREE, [])
    assert len(batch.rollout(states, [])) == len(batch.masks(states)) == 0


@pytest.mark.parametrize("seeds", [[1, 2], [1, 2, 3, 4], 7, []])
def test_every_game_needs_a_seed(seeds):
    with pytest.raises(ValueError, match="3 games need 3 whole numbers as seeds, not"):
        batch.new(3, THREE, seeds)
    states = batch.new(3, THREE, range(3))
    with pytest.raises(ValueError, match="3 games need 3 whole numbers as seeds, not"):
        batch.rollout(states, seeds)
    with pytest.raises(ValueError, match="3 games need 3 whole numbers as seeds, not"):
        batch.fork(states, 0, seeds)


# -- step


def test_step_answers_in_every_game_and_writes_the_next_masks():
    legal = batch.new_masks(3)
    states = batch.new(3, THREE, range(3), legal)
    asked = states["seat"].copy()
    batch.step(states, legal.argmax(axis=1), legal)
    assert (states["seat"] != asked).all()
    assert (legal == batch.masks(states)).all()


def test_step_says_how_many_answers_it_took_by_itself():
    game, legal = Game(EVERYTHING, seed=3), batch.new_masks(1)
    states = batch.new(1, EVERYTHING, [3], legal)
    rng = np.random.default_rng(3)
    while legal.any():
        action = int(random_answers(legal, rng)[0])
        before = len(game.log)
        game.step(action)
        assert batch.step(states, [action], legal)[0] == len(game.log) - before - 1
        assert states.tobytes() == game.states.tobytes()


def test_a_game_that_is_skipped_is_left_alone():
    legal = batch.new_masks(3)
    states = batch.new(3, THREE, range(3), legal)
    before, masks = batch.clone(states), legal.copy()
    answers = legal.argmax(axis=1)
    answers[1] = SKIP
    assert batch.step(states, answers, legal)[1] == 0
    assert states[1].tobytes() == before[1].tobytes() and (legal[1] == masks[1]).all()
    assert states[0].tobytes() != before[0].tobytes()
    assert states[2].tobytes() != before[2].tobytes()


def test_one_illegal_answer_and_no_game_is_changed():
    legal = batch.new_masks(3)
    states = batch.new(3, THREE, range(3), legal)
    before, masks = states.tobytes(), legal.copy()
    answers = legal.argmax(axis=1)
    answers[2] = ACTIONS - 1
    output = r"'no' \(198\) does not answer 'where' in game 2: allowed are at A1, "
    with pytest.raises(IllegalAction, match=output):
        batch.step(states, answers, legal)
    assert states.tobytes() == before and (legal == masks).all()


@pytest.mark.parametrize("action", [-2, ACTIONS, 12345])
def test_a_number_that_is_no_action_is_refused(action):
    legal = batch.new_masks(1)
    states = batch.new(1, THREE, [1], legal)
    with pytest.raises(IllegalAction, match=f"{action} does not answer 'where' in game 0"):
        batch.step(states, [action], legal)


def test_a_game_that_is_over_takes_no_action():
    states = batch.new(2, THREE, range(2))
    batch.rollout(states, range(2))
    output = r"game 0 is over and takes no action, not even 'at A1' \(0\)"
    with pytest.raises(IllegalAction, match=output):
        batch.step(states, [0, SKIP], batch.masks(states))


@pytest.mark.parametrize("answers", [[0], [0, 0, 0, 0], 0])
def test_every_game_needs_an_answer(answers):
    legal = batch.new_masks(3)
    states = batch.new(3, THREE, range(3), legal)
    before = states.tobytes()
    with pytest.raises(ValueError):
        batch.step(states, answers, legal)
    assert states.tobytes() == before


def test_a_skipped_game_is_not_answered_either():
    legal = batch.new_masks(2)
    states = batch.new(2, THREE, range(2), legal)
    before = states[1].tobytes()
    batch.answer(states, [int(legal[0].argmax()), SKIP], legal)
    assert states[1].tobytes() == before


# -- rollout, scores


def test_rollouts_count_decisions_and_forced_answers():
    legal = batch.new_masks(1)
    states = batch.new(1, THREE, [4], legal)
    rolled = batch.clone(states)
    counts = batch.rollout(rolled, [9])
    assert counts.shape == (1, 2) and counts[0, DECISIONS] > 50 < counts[0, FORCED]
    assert batch.over(rolled).all() and not batch.over(states).any()


def test_others_play_on_until_a_seat_is_asked():
    legal = batch.new_masks(3)
    states = batch.new(3, THREE, range(3), legal)
    for seat in (0, 1, 2, 0):
        batch.play_on(states, seat, np.arange(1, 4, dtype=np.uint64), legal)
        assert (states["seat"] == seat).all() and np.array_equal(legal, batch.masks(states))


def test_rollouts_of_finished_games_change_nothing():
    states = batch.new(3, THREE, range(3))
    batch.rollout(states, range(3))
    before = states.tobytes()
    assert not batch.rollout(states, range(3)).any()
    assert states.tobytes() == before


@pytest.mark.parametrize("threads", [0, 1, 2, 3, 8])
def test_threads_share_the_games_out_and_change_nothing(threads):
    states, shared = (batch.new(13, EVERYTHING, range(13)) for _ in range(2))
    counts = batch.rollout(states, range(13))
    assert (batch.rollout(shared, range(13), threads=threads) == counts).all()
    assert shared.tobytes() == states.tobytes()


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [0, 1, 13, 256, 4096, 5000])
def test_threads_take_every_game_once_in_smaller_and_smaller_chunks(n, threads):
    chunks = batch._chunks(n, threads)
    sizes = [chunk.stop - chunk.start for chunk in chunks]
    assert [game for chunk in chunks for game in range(n)[chunk]] == list(range(n))
    assert sizes == sorted(sizes, reverse=True) and max(sizes, default=0) <= batch.CHUNK
    assert threads == 1 or sizes[-threads:] == [1] * min(threads, n)


def test_the_answers_of_a_rollout_are_not_the_games_chance():
    """Each game has its own stream; the same answers in other games make other games."""
    one, other = batch.new(1, THREE, [1]), batch.new(1, THREE, [2])
    batch.rollout(one, [5])
    batch.rollout(other, [5])
    assert one.tobytes() != other.tobytes()


def test_scores_and_places_agree_with_a_games():
    states = batch.new(20, random_config(5), range(20))
    batch.rollout(states, range(20))
    scores, places = batch.scores(states)
    assert scores.shape == places.shape == (20, 4)
    for i in range(20):
        game = Game.__new__(Game)
        game.states = states[i : i + 1]
        seats = range(len(game.scores()))
        assert game.scores() == scores[i, : len(seats)].tolist()
        for p in seats:
            ahead = [q for q in seats if places[i, q] < places[i, p]]
            assert len(ahead) == places[i, p]
            assert p in game.ranking()[len({places[i, q] for q in ahead})]


# -- forks and clones


def test_fork_takes_one_seat_for_all_or_one_for_each():
    states = batch.clone(next_moment())
    one = batch.fork(states, 1, range(len(states)))
    each = batch.fork(states, [1] * len(states), range(len(states)))
    assert one.tobytes() == each.tobytes() != states.tobytes()


def next_moment() -> batch.States:
    """Games in their first Phase 2."""
    games = table(Config(players=3, advanced=True), 6, seed=1)
    for _ in games.play():
        if (games.states["ask"] == Ask.WHAT).all():
            break
    return games.states


def test_a_clone_is_a_copy():
    states = batch.new(2, THREE, range(2))
    copies = batch.clone(states)
    assert copies.dtype == STATE and copies.tobytes() == states.tobytes()
    copies["round_no"] = 5
    assert (states["round_no"] == 0).all()


# -- who wakes a godzilla (G2)


def kernel_wake(games: list) -> list[list[bool]]:
    """The rule for one game, in plain Python, game by game."""
    hosts = [np.zeros(len(game[0]), np.bool_) for game in games]
    for game, row in zip(games, hosts, strict=True):
        wake(*map(np.array, game), row)
    return [row.tolist() for row in hosts]


def by_the_rule(dice, level, footprint, playing) -> list[bool]:
    """G2: everybody still in but the lowest hosts, and those equal to him in all three."""
    pull = list(zip(dice, level, footprint, strict=True))
    lowest = min(pull[p] for p in range(len(pull)) if playing[p])
    if len(dice) == 1:
        return [True]
    return [bool(playing[p]) and pull[p] > lowest for p in range(len(pull))]


def all_dice(players: int) -> list:
    """All dice, with ties in every tie-breaker and seats that are out."""
    rng = np.random.default_rng(players)
    ties = [[0] * players, [30] * players, *rng.integers(2, size=(6, players)).tolist()]
    games = []
    for i, dice in enumerate(itertools.product(range(1, 7), repeat=players)):
        for j in range(4):
            level, footprint = ties[(i + j) % len(ties)], ties[(i // 3 + 5 * j) % len(ties)]
            playing = [True] * players
            if players > 2 and j == 3:
                playing[i % players] = False
            games.append((list(dice), level, footprint, playing))
    return games


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_waking_is_the_same_for_one_game_for_many_and_by_the_rule(players):
    games = all_dice(players)
    hosts = batch.wake(*(np.array(part) for part in zip(*games, strict=True)))
    assert hosts.shape == (len(games), players)
    assert hosts.tolist() == [by_the_rule(*game) for game in games]
    assert hosts.tolist() == kernel_wake(games)


def test_every_tie_breaker_decides_some_game():
    def wakes(dice, level, footprint):
        return batch.wake([dice], [level], [footprint], [[True] * len(dice)])[0].tolist()

    assert wakes([3, 3, 4], [9, 9, 0], [9, 9, 0]) == [False, False, True]  # equal and lowest: none
    assert wakes([3, 3, 4], [9, 8, 0], [0, 9, 0]) == [True, False, True]  # by pollution
    assert wakes([3, 3, 4], [9, 9, 0], [2, 1, 0]) == [True, False, True]  # by factory spaces
    assert wakes([2, 2, 2, 2], [5, 5, 5, 5], [1, 1, 1, 1]) == [False] * 4
    assert wakes([1], [0], [0]) == [True]


# -- loading

THREADS = """
import threading
from smallcity_env import Config, Game
ready = threading.Barrier(8)
def begin():
    ready.wait()
    rounds.append(Game(Config()).round)
rounds = []
threads = [threading.Thread(target=begin) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(rounds)
"""


def test_threads_may_be_the_first_to_call_the_rules():
    """One of them loads the compiled rules, and the others wait."""
    run = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True)
    assert run.stdout == f"{[0] * 8}\n", run.stderr


def by_hand(places):
    """The rank rewards of three seats."""
    shared = {
        (0, 1, 2): (1, 0, -1),
        (0, 0, 2): (0.5, 0.5, -1),
        (0, 1, 1): (1, -0.5, -0.5),
        (0, 0, 0): (0, 0, 0),
    }
    return [[shared[tuple(sorted(of))][sorted(of).index(place)] for place in of] for of in places.tolist()]


def test_results_are_those_of_the_rows():
    states = batch.new(6, THREE, range(6))
    batch.rollout(states[2:], range(4))
    rows = np.array([5, 0, 3])
    scores, places, ends, leads, ranks, shown, won = batch.results(states, rows)
    taken = batch.scores(batch.take(states, rows))
    assert (scores == taken[0]).all() and (places == taken[1]).all()
    out = states["borough"]["out"][rows] > 0
    over = batch.over(states)[rows, None] & (np.arange(4) < 3)
    assert (ends == np.where(out, OUT, np.where(over, OVER, 0))).all()
    best_other = [[max(of[q] for q in range(3) if q != p) for p in range(3)] for of in scores]
    assert not out.any() and (leads[:, :3] == scores[:, :3] - best_other).all()
    assert (ranks[:, :3].sum(axis=1) == 0).all() and (ranks[:, :3] == by_hand(places[:, :3])).all()
    assert (shown == np.where(over[:, :1], scores, batch.visible_scores(states)[rows])).all()
    assert (won == (over & (places == 0))).all() and won.any(axis=1).tolist() == [True, False, True]
    for wrong in ([6], [-1]):
        with pytest.raises(batch.ArgumentError, match="there is no row"):
            batch.results(states, wrong)
    states["rules"]["players"][3] = 9
    for rows in ([3], np.array([0, 3])):
        with pytest.raises(batch.ArgumentError, match="game 3 is not a game: it has 9 players"):
            batch.results(states, rows)
