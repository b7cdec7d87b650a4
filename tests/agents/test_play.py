"""A person at the table: understanding, telling, taking back, saving; without a terminal."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.arena.playing import play
from smallcity_agents.commands.play import agents_in
from smallcity_agents.play import parser, preview, view
from smallcity_agents.play.history import Chronicle, is_secret, sentences
from smallcity_agents.play.match import CannotUndo, Sitting
from smallcity_agents.play.questions import CARDS, QUESTIONS, question
from smallcity_agents.play.repl import Conversation
from smallcity_env import Config, Game, batch
from smallcity_env.cli import main
from smallcity_env.config import MODULES
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Card, Phase
from smallcity_env.show import Ink
from smallcity_env.terminal import Refused


def sit(names: str = "human random", seed: int = 7, modules: tuple[str, ...] = ("godzillas",)) -> Sitting:
    players = names.split()
    return Sitting.begin(Game(Config(len(players), modules), seed), players, seed)


def answer_until(sitting: Sitting, *asks: Ask) -> None:
    """Random answers until the person is asked one of these."""
    agent = make("random")
    sitting.others_answer()
    while sitting.game.ask not in asks:
        sitting.answer(sitting.advice(agent, sitting.streams))
        sitting.others_answer()


# -- what is typed

LEGAL = [actions.parse(name) for name in ("at A1", "at D4", "build park-1", "build park-2", "upgrade park-2",
                                          "card mayor", "card mediator", "promise 12", "no")]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1", "at A1"), ("9", "no"), ("D4", "at D4"), ("  at   d4 ", "at D4"), ("park-1", "build park-1"),
        ("upgrade park-2", "upgrade park-2"), ("upg", "upgrade park-2"), ("mayor", "card mayor"),
        ("med", "card mediator"), ("12", "promise 12"), ("pass", "no"), ("stay", "no"), ("no", "no"),
    ],
)  # fmt: skip
def test_answers_are_understood(text: str, meant: str) -> None:
    assert actions.name(parser.answer(text, LEGAL)) == meant


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0", "0 is not in the list: its numbers go from 1 to 9"),
        ("99", "99 is not in the list: its numbers go from 1 to 9"),
        ("park-2", "'park-2' could be build park-2, upgrade park-2: say a little more"),
        ("m", "'m' could be card mayor, card mediator: say a little more"),
        ("B7", "'B7' is not allowed here"),
        ("build museum", "'build museum' is not allowed here"),
        ("architect", "'architect' is not allowed here"),
        ("castle", "'castle' is neither an answer nor a command"),
        ("Z99", "'Z99' is neither an answer nor a command"),
    ],
)
def test_what_is_not_understood_is_said_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(parser.Misunderstood) as said:
        parser.answer(text, LEGAL)
    assert str(said.value).startswith(sentence)


def test_commands_are_told_from_answers() -> None:
    assert parser.command("hint greedy") == ("hint", "greedy")
    assert parser.command(" ? ") == ("?", "") and parser.command("QUIT") == ("quit", "")
    assert parser.command("D4") is None and parser.command("no") is None
    assert not {name.split()[-1] for name in actions.ACTION_NAMES} & set(parser.COMMANDS)


# -- what is asked and shown


def test_every_question_and_card_has_its_words() -> None:
    assert set(QUESTIONS) == set(Ask) - {Ask.NONE, Ask.OVER}
    assert set(CARDS) == set(Card) - {Card.NONE}


def moments(config: Config, seeds: range) -> Iterator[Game]:
    """Games of random players, at every question."""
    for seed in seeds:
        game, chance = Game(config, seed), np.random.default_rng(seed)
        while not game.over:
            yield game
            game.step(int(chance.choice(game.legal())))


def test_every_question_of_whole_games_can_be_shown_and_answered_by_name() -> None:
    boards = ("tokyo", "mountain-easy", "ulaanbaatar")
    for game in moments(Config(3, MODULES, boards), range(2)):
        you, legal = game.seat, game.legal().tolist()
        assert question(game.state, you).asks.endswith(("?", "."))
        told = preview.effects(game.states, you, legal)
        lines = view.answer_lines(game.state, you, legal, told, 100)
        assert max(map(len, lines)) <= 100
        assert all(parser.answer(str(i), legal) == a for i, a in enumerate(legal, start=1))
        assert all(parser.answer(actions.name(a), legal) == a for a in legal)
        marked = view.spaces_in(legal)
        where = view.asked_about(game.state, you)
        picture = view.board_lines(game.state, you, ["a", "b", "c"], 80, Ink(), [where], marked)
        assert sum(word.endswith("?") for line in picture for word in line.split()) == len(marked)


def test_boroughs_stand_side_by_side_as_far_as_they_fit() -> None:
    sitting = sit("human random random random")
    names = ["you", "a", "b", "c"]
    heights = {}
    for width in (40, 80, 120, 200):
        lines = view.board_lines(sitting.game.state, 0, names, width, Ink())
        assert max(map(len, lines)) <= width
        heights[width] = len(lines)
    assert heights[40] > heights[80] > heights[120] >= heights[200]
    coloured = view.board_lines(sitting.game.state, 0, names, 200, Ink(True), marked=[0])
    assert any("\033[" in line for line in coloured)


def test_effects_are_what_happens() -> None:
    """Money and votes that an answer of one step is said to bring, it brings."""
    for game in moments(Config(1), range(2)):
        if game.ask in (Ask.SUPPORT, Ask.TRADE, Ask.WAY):
            told = preview.effects(game.states, 0, game.legal().tolist())
            for action, words in told.items():
                copy = game.clone()
                copy.step(action)
                assert words == ", ".join(preview.changes(game.state["borough"][0], copy.state["borough"][0]))


# -- secrets


def test_nothing_shown_depends_on_what_is_hidden() -> None:
    sitting = sit("random human greedy", seed=3)
    seen = 0
    while not sitting.game.over and sitting.game.round < 4:
        answer_until(sitting, *(set(Ask) - {Ask.OVER}))
        if is_secret(sitting.game.state):
            other = batch.fork(sitting.game.states, 1, [seen])
            assert _shown(sitting.game.states) == _shown(other)
            seen += 1
        sitting.answer(sitting.hint(make("random")))
    assert seen > 5


def _shown(states: batch.States) -> list[str]:
    names = ["a", "you", "b"]
    legal = np.flatnonzero(batch.masks(states)[0]).tolist()
    told = preview.effects(states, 1, legal)
    return [
        *view.board_lines(states[0], 1, names, 120, Ink()),
        *view.score_lines(states, 1, names, 120, Ink()),
        *view.answer_lines(states[0], 1, legal, told, 120),
    ]


def test_builds_of_others_are_told_when_all_have_built() -> None:
    sitting = sit("human random random", seed=4)
    while not sitting.game.over:
        sitting.others_answer()
        now = sitting.game.state
        told = sitting.chronicle.news(0)
        if is_secret(now):
            assert not [e for e in told if e.secret and e.round_no == now["round_no"]]
        elif now["phase"] == Phase.MOVE:
            everything = [e for e in sitting.chronicle.events if e.secret and e.entry.seat != 0]
            assert {e.number for e in everything} <= sitting.chronicle._told
        if not sitting.game.over:
            sitting.answer(sitting.hint(make("first")))
    sitting.chronicle.news(0)
    assert sitting.chronicle._told == {e.number for e in sitting.chronicle.events if e.entry.seat != 0}


def test_what_happened_is_told_in_sentences() -> None:
    game = Game(Config(2), seed=7)
    for said in ["at C3", "at D4", "promise 6", "promise 12", "at F7", "card supporter", "pay votes"]:
        game.step(said)
    chronicle = Chronicle()
    chronicle.follow(game)
    told = [f"{seat} {words}" for seat, words in sentences(chronicle.events)]
    assert told[0] == "0 builds City Hall at C3"
    assert "1 makes a promise 12; lays the Mayor's street at F7" in told
    assert any("takes the card supporter; is paid in votes" in line for line in told)


# -- taking back and saving


def test_undo_goes_back_within_a_turn_and_only_there() -> None:
    sitting = sit(seed=2)
    with pytest.raises(CannotUndo, match="no answer of yours"):
        sitting.undo()
    answer_until(sitting, Ask.WHAT)
    with pytest.raises(CannotUndo, match="another player has answered"):
        sitting.undo()
    before = sitting.game.clone()
    sitting.answer(actions.parse("build park-1"))
    middle = sitting.game.clone()
    sitting.answer(int(sitting.game.legal()[0]))
    assert sitting.game != middle
    sitting.undo()
    assert sitting.game == middle and sitting.game.log.entries == middle.log.entries
    sitting.undo()
    assert sitting.game == before
    assert [e.entry for e in sitting.chronicle.events] == before.log.entries


def test_undo_is_refused_when_chance_has_spoken_or_screens_are_up_or_the_turn_is_over() -> None:
    alone = sit("human", modules=())
    alone.answer(int(alone.game.legal()[0]))
    alone.answer(actions.parse("promise 6"))
    with pytest.raises(CannotUndo, match="chance has spoken"):
        alone.undo()
    said = set()
    for seed in range(6):
        sitting = sit("human first", seed=seed)
        while not sitting.game.over and sitting.game.round < 6:
            sitting.others_answer()
            if sitting.game.over:
                break
            sitting.answer(sitting.hint(make("random")))
            try:
                sitting.undo()
                sitting.answer(sitting.hint(make("random")))
            except CannotUndo as wrong:
                said.add(str(wrong).partition(": ")[2])
    assert {"it ended your turn", "the screens have gone up since"} <= said


def test_a_saved_game_goes_on_just_the_same(tmp_path: Path) -> None:
    sitting = sit("random human random", seed=9)
    answer_until(sitting, Ask.ROW)
    sitting.save(tmp_path / "deep" / "a.save")
    again = Sitting.load(tmp_path / "deep" / "a.save")
    assert again.names == sitting.names and again.game == sitting.game
    assert again.chronicle.news(1) == []
    for one in (sitting, again):
        one.answer(actions.NO)
        one.others_answer()
    assert again.game == sitting.game


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "cannot be read: No such file"),
        (b"hello", "is no game saved by `smallcity play`"),
        (b"SMALLCITY TABLE 1\n{}\n", "cannot be used: "),
        (b"SMALLCITY TABLE 1\nnot json\nx", "cannot be used: "),
    ],
)
def test_what_is_no_saved_game_is_refused(tmp_path: Path, data: bytes | None, sentence: str) -> None:
    path = tmp_path / "x.save"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(Refused, match=sentence):
        Sitting.load(path)
    with pytest.raises(Refused, match="cannot be saved in"):
        sit().save(tmp_path)


# -- the person as an agent, the commands


def test_the_person_is_an_agent_of_the_registry(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = iter(["castle"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines, "1"))
    played = play(Config(2), [make("human"), make("first")], [[0, 1]], [5])
    assert batch.over(played.states).all()
    out = capsys.readouterr().out
    assert "'castle' is neither an answer nor a command" in out and "Where does the city-hall go?" in out
    with pytest.raises(AgentError, match="human plays one game at a time, not 2"):
        play(Config(2), [make("human")], [[0, 0]] * 2, [1, 2])


def test_opponents_are_separated_by_commas_and_so_are_their_options() -> None:
    assert agents_in("greedy,mcts:sims=5,seconds=1,random") == ["greedy", "mcts:sims=5,seconds=1", "random"]
    assert agents_in("none") == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play --opponents nobody", "there is no agent 'nobody'"),
        ("play --opponents random,random,random,random", "there are 4 seats: at most 3 opponents, not 4"),
        ("play --opponents random --seat 2", "there is no seat 2: 2 players have seats 0 to 1"),
        ("play --opponents human", "there is one person at the terminal"),
        ("play --hints nobody", "there is no agent 'nobody'"),
        ("play --modules dragons", "there is no module 'dragons'"),
        ("play --resume nowhere", "the saved game nowhere cannot be read"),
        ("watch random --players 7", "players must be 1 to 4"),
        ("watch human", "here agents play and you watch"),
        ("watch random --delay fast", "argument --delay: needs a number of seconds, not 'fast'"),
        ("arena human random", "human cannot play in an arena"),
    ],
)
def test_what_cannot_be_played_is_refused(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(f"smallcity: {sentence}") and said.err.count("\n") == 1


def test_watch_shows_a_game_turn_by_turn_and_round_by_round(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["watch", "random", "first", "--players", "3", "--delay", "0", "--seed", "3"]
    assert main(words) == 0
    turns = capsys.readouterr().out
    assert "seat 2 (random) takes the card" in turns and "Round 8" in turns and "place   who" in turns
    assert main([*words, "--rounds"]) == 0
    rounds = capsys.readouterr().out
    assert "takes the card" not in rounds and turns.endswith(rounds[rounds.index("place   who") :])


def test_a_conversation_shows_the_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = iter(
        ["", "help", "board", "scores", "log", "hint", "hint nobody", "hint first", f"save {tmp_path}/b", "?"]
    )

    def answer(prompt: str) -> str:
        for line in said:
            return line
        raise EOFError

    monkeypatch.setattr("builtins.input", answer)
    Conversation(sit(), "random", tmp_path / "a", Ink(), lambda: 100).hold()
    out = capsys.readouterr().out
    for words in ("take your last answer back", "R1-R5 homes", "points", "random would answer:",
                  "there is no agent 'nobody'", "first would answer:", f"--resume {tmp_path}/b",
                  "everything you cannot see is drawn anew", f"--resume {tmp_path}/a"):  # fmt: skip
        assert words in out, words
    assert (tmp_path / "a").exists() and (tmp_path / "b").exists()
