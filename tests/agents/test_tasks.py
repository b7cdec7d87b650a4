"""Tasks for language models: deterministic, rewarded once, ended by garbage, without secrets."""

import numpy as np
import pytest

from smallcity_agents.benchmark import mixes
from smallcity_agents.llm.positions import HELD_OUT, SHIPPED, SPLITS, read
from smallcity_agents.llm.tasks import BEGIN, GAME, MISTAKES, POSITION, ROUND, Episode, Task, Told
from smallcity_env.refusal import Refused
from smallcity_env.rules import actions
from trl_grpo import SmallCity

from .stub import Stub


def done(task: Task, seed: int = 0) -> tuple[list[str], Told]:
    """Every text of a task, and what the last reply led to."""
    episode, stub = Episode(task), Stub(seed)
    texts, told = [episode.text], Told("")
    while not told.done:
        told = episode.reply(stub.reply(texts[-1]))
        assert told.done == (told.reward is not None)
        texts.append(told.text)
    return texts, told


@pytest.mark.parametrize("kind", BEGIN)
@pytest.mark.parametrize("split", SPLITS)
def test_the_same_task_and_replies_give_the_same_texts_and_reward(kind: str, split: str) -> None:
    for seed in range(2):
        first, again = (done(Task(kind, split, seed, level=2)) for _ in range(2))
        assert first == again and first[1].reward is not None and 0 <= first[1].reward <= 1


def test_a_task_plays_the_rules_of_its_split() -> None:
    for seed in range(10):
        for split in SPLITS:
            config = Episode(Task(GAME, split, seed)).session.match.game.config
            assert mixes.is_held_out(config) == (split == HELD_OUT)


def test_a_round_ends_with_the_round() -> None:
    for seed in range(3):
        episode, stub = Episode(Task(ROUND, seed=seed, players=2)), Stub(seed)
        before, text, told = episode.session.match.game.round, episode.text, Told("")
        while not told.done:
            assert episode.session.match.game.round == before
            told = episode.reply(stub.reply(text))
            text = told.text
        assert episode.session.over or episode.session.match.game.round == before + 1


@pytest.mark.parametrize("split", SPLITS)
def test_a_position_pays_one_minus_the_regret_of_the_answer(split: str) -> None:
    for seed, position in enumerate(read(SHIPPED[split])[1][:20]):
        for action in (max(position.values, key=position.values.__getitem__), *position.values):
            episode = Episode(Task(POSITION, split, seed))
            assert episode.reply("castle").reward is None
            told = episode.reply(actions.name(action))
            assert told.done and told.reward == position.reward(action)
            assert episode.reply("1") == ("this task is done: begin another", 0.0, True)


def test_trl_is_given_the_reward_of_the_answer() -> None:
    position = read(SHIPPED["train"])[1][2]
    for action in position.values:
        env = SmallCity()
        assert env.reset(prompt=[], kind=POSITION, seed=2).startswith("# Small City")
        assert env.get_reward() == 0
        env.answer(actions.name(action))
        assert env.get_reward() == position.reward(action)


def test_garbage_ends_a_task_without_a_reward() -> None:
    episode = Episode(Task(GAME, players=2))
    told = [episode.reply("castle") for _ in range(MISTAKES)]
    assert [each.done for each in told] == [False] * (MISTAKES - 1) + [True] and told[-1].reward == 0


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"kind": "war"}, "there is no task 'war'"), ({"split": "x"}, "there is no split"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"), ({"level": 11}, "level"), ({"players": True}, "players"),
    ],
)  # fmt: skip
def test_impossible_tasks_are_refused(fields: dict[str, object], why: str) -> None:
    with pytest.raises(Refused, match=why):
        Task(**fields)  # type: ignore[arg-type]


def test_a_good_game_is_worth_more_than_a_bad_one() -> None:
    worth = {}
    for wish in (max, min):
        episode = Episode(Task(POSITION, seed=1))
        values = read(SHIPPED["train"])[1][1].values
        worth[wish] = episode.reply(actions.name(wish(values, key=values.__getitem__))).reward
    assert (worth[max], worth[min]) == (1.0, 0.0)
    assert np.isfinite(done(Task(GAME, players=1))[1].reward or 0)
