"""What the other seats do in a search, and a search that sees what is hidden."""

from typing import Any

import numpy as np
import pytest

from smallcity_agents import AGENTS, AgentError, load, make, refuse_own
from smallcity_agents.evaluation.weights import ROW_BY_PLAYERS
from smallcity_agents.greedy import answer_values
from smallcity_agents.search.agent import OTHERS, AllSeeing, Search
from smallcity_agents.search.root import Root
from smallcity_agents.search.schema import new_work
from smallcity_agents.search.simulate import _select
from smallcity_agents.search.tree import new_forest
from smallcity_agents.web import setup
from smallcity_agents.web.forms import NewTable
from smallcity_env import Config, batch
from smallcity_env.refusal import Refused
from smallcity_env.rules.rng import streams
from tests.agents.test_search import asked, positions
from tests.random_games import EVERYTHING
from tests.test_secrecy import moments, promised_otherwise

TWO, FOUR = (positions(Config(players), 40, games=6) for players in (2, 4))


def searched(seats: tuple[batch.States, batch.Mask], others: str, **options: Any) -> Root:
    states, legal = seats
    agent = Search(sims=200, candidates=4, leaf_value="greedy", playout="round", others=others, **options)
    return agent.search(states, asked(states), legal, streams(np.arange(len(states)))).root


def test_of_two_players_one_wins_what_the_other_loses() -> None:
    max_n, paranoid = (searched(TWO, others) for others in ("max-n", "paranoid"))
    assert (max_n.visits == paranoid.visits).all() and np.allclose(max_n.sums, paranoid.sums)


def test_paranoid_others_leave_less_to_the_searcher() -> None:
    max_n, paranoid = (searched(FOUR, others) for others in ("max-n", "paranoid"))
    assert paranoid.sums.sum() < max_n.sums.sum()


def test_alone_there_are_no_others() -> None:
    alone = positions(Config(1, ()), 30, games=2)
    first, *more = (searched(alone, others).seat_sums for others in OTHERS)
    assert all((first == other).all() for other in more)


def test_by_priors_another_seat_gives_its_best_answer_in_every_fork() -> None:
    (states, legal), forest = FOUR, new_forest(1, 12)
    options = Search(leaf_value="greedy", others="priors")
    work, which = new_work(options.net), ROW_BY_PLAYERS[states["rules"]["players"]]
    _, values = answer_values(states, asked(states), legal, streams(range(6)), options.weights, which)
    best = np.where(legal, values, -np.inf).argmax(axis=1)
    for i, s in enumerate(states):
        work.legal[:] = legal[i]
        tree = forest.nodes[0], forest.edges[0], forest.sizes[0], 1, s, (s.seat + 1) % 4
        edge, is_new = _select(*tree, work, options.settings[0], options.weights[which[i]], options.net)
        assert forest.edges[0, edge]["action"] == best[i] and is_new == (best[i] not in best[:i])


def test_all_seeing_depends_on_what_is_hidden_but_on_no_future_chance() -> None:
    agent, rng = AllSeeing(sims=24, candidates=3), np.random.default_rng(1)
    differ = 0
    for states in moments(EVERYTHING, every=61):
        legal, other, later = batch.masks(states), batch.clone(states), batch.clone(states)
        later["stream"] = streams(rng.integers(1 << 40, size=len(states)))
        for i, seat in enumerate(asked(states)):
            promised_otherwise(other[i : i + 1], seat, rng)
        chance, kinds = streams(np.arange(len(states))), (states, other, later)
        values, changed, same = (agent.search(s, asked(s), legal, chance.copy()).root.sums for s in kinds)
        differ += int((values != changed).any())
        assert (values == same).all()
    assert differ


def test_no_list_and_no_visitor_names_the_one_that_cheats() -> None:
    name = AllSeeing(sims=4).name
    assert make(name) == AllSeeing(sims=4)
    assert not any(getattr(load(label), "cheats", False) for label in AGENTS)
    with pytest.raises(Refused, match="there is no agent"):
        setup.players_of(NewTable(players=["human", name]))
    with pytest.raises(AgentError, match="which is not ours"):
        refuse_own([name], "a file", [], "--agent")


def test_other_models_of_the_others_are_refused() -> None:
    with pytest.raises(AgentError, match="no others 'kind': choose from max-n, paranoid, priors"):
        make("search:others=kind")
