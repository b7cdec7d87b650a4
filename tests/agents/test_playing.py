"""Play batches of games between agents: no game depends on its batch."""

from dataclasses import dataclass

import numpy as np
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.agent import Actions, Agent, Streams
from smallcity_agents.arena.playing import play, seat_streams
from smallcity_agents.arena.schedule import schedule
from smallcity_env import Config, batch
from smallcity_env.batch import IllegalAction, Mask, States

CONFIG = Config(players=3)
FIXTURES = schedule(2, 3, games=18)
SEATINGS = [fixture.seating for fixture in FIXTURES]
SEEDS = [fixture.seed for fixture in FIXTURES]
AGENTS = [make("random"), make("first")]


def test_games_do_not_depend_on_their_batch() -> None:
    together = play(CONFIG, AGENTS, SEATINGS, SEEDS)
    assert batch.over(together.states).all()
    for i in (0, 7, 17):
        alone = play(CONFIG, AGENTS, SEATINGS[i : i + 1], SEEDS[i : i + 1])
        assert alone.states[0].tobytes() == together.states[i].tobytes()
        decided = alone.answers[0]
        assert (together.answers[i, : len(decided)] == decided).all()
        assert (together.answers[i, len(decided) :] == batch.SKIP).all()
        assert (alone.decisions[0] == together.decisions[i]).all()
    again = play(CONFIG, AGENTS[::-1], 1 - np.array(SEATINGS), SEEDS)
    assert again.states.tobytes() == together.states.tobytes()


def test_decisions_are_counted_and_timed_by_seat() -> None:
    played = play(CONFIG, AGENTS, SEATINGS, SEEDS)
    assert (played.decisions[:, :3] > 10).all() and (played.decisions[:, 3] == 0).all()
    assert (played.decisions.sum(axis=1) == (played.answers != batch.SKIP).sum(axis=1)).all()
    assert ((played.seconds > 0) == (played.decisions > 0)).all()


def test_every_seat_has_its_own_stream() -> None:
    streams = seat_streams(range(1000))
    assert len(np.unique(streams)) == streams.size == 4000


@dataclass
class Wrong(Agent):
    """Gives an illegal answer, or one answer too few."""

    label = "wrong"
    description = "for tests"
    short: bool = False

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        states["round_no"] = 8  # of a copy: the game is not changed
        return np.full(len(states) - self.short, 5000)


def test_an_illegal_answer_names_its_agent() -> None:
    with pytest.raises(IllegalAction, match="wrong gave an illegal answer: 5000"):
        play(CONFIG, [Wrong()], [[0, 0, 0]], [1])
    with pytest.raises(AgentError, match="wrong:short=True gave 0 answers to 1 questions"):
        play(CONFIG, [Wrong(short=True)], [[0, 0, 0]], [1])
