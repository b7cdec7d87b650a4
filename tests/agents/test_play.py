"""`smallcity play` without a terminal: parsing, views, history, undo, saves."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_agents.commands.play import agents_in
from smallcity_agents.play import parser, preview, view
from smallcity_agents.play.match import CannotUndo, Match
from smallcity_agents.play.questions import CARDS, question
from smallcity_agents.play.repl import Repl
from smallcity_env import Config, Game, batch
from smallcity_env.cli import main
from smallcity_env.config import MODULES
from smallcity_env.history import History, is_secret, sentences
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Card, Phase
from smallcity_env.show import Ink
from smallcity_env.terminal import Refused


def sit(names: str = "human random", seed: int = 7, modules: tuple[str, ...] = ("godzillas",)) -> Match:
    players = names.split()
    return Match.begin(Game(Config(len(players), modules), seed), players, seed)


def answer_until(match: Match, *asks: Ask) -> None:
    """Random answers until the person is asked one of these."""
    agent = make("random")
    match.agents_answer()
    while match.game.ask not in asks:
        match.answer(match.advice(agent, match.streams))
        match.agents_answer()


# -- input

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
def test_answers_are_parsed(text: str, meant: str) -> None:
    assert actions.name(parser.answer(text, LEGAL, {})) == meant


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0", "0 is not in the list: its numbers go from 1 to 9"),
        ("99", "99 is not in the list: its numbers go from 1 to 9"),
        ("park-2", "'park-2' is ambiguous: build park-2, upgrade park-2"),
        ("m", "'m' is ambiguous: card mayor, card mediator"),
        ("B7", "'B7' is not allowed here"),
        ("build museum", "'build museum' is not allowed here"),
        ("architect", "'architect' is not allowed here"),
        ("castle", "'castle' is neither an answer nor a command"),
        ("Z99", "'Z99' is neither an answer nor a command"),
    ],
)
def test_bad_input_is_explained(text: str, sentence: str) -> None:
    with pytest.raises(parser.ParseError) as refusal:
        parser.answer(text, LEGAL, {})
    assert str(refusal.value).startswith(sentence)


def test_commands_are_distinguished_from_answers() -> None:
    assert parser.command("hint greedy") == ("hint", "greedy")
    assert parser.command(" ? ") == ("?", "") and parser.command("QUIT") == ("quit", "")
    assert parser.command("D4") is None and parser.command("no") is None
    assert not {name.split()[-1] for name in actions.ACTION_NAMES} & set(parser.COMMANDS)


# -- output


def test_every_card_has_its_words() -> None:
    assert set(CARDS) == set(Card) - {Card.NONE}


def moments(config: Config, seeds: range) -> Iterator[Game]:
    """Games of random players, at every question."""
    for seed in seeds:
        game, chance = Game(config, seed), np.random.default_rng(seed)
        while not game.over:
            yield game
            game.step(int(chance.choice(game.legal())))


def test_every_question_can_be_shown_and_answered_by_name() -> None:
    boards = ("tokyo", "mountain-easy", "ulaanbaatar")
    for game in moments(Config(3, MODULES, boards), range(2)):
        you, legal = game.seat, game.legal().tolist()
        assert question(game.state, you).asks.endswith(("?", "."))
        shown = {action: effect.own for action, effect in preview.effects(game.states, you, legal).items()}
        lines = view.answer_lines(game.state, you, legal, shown, 100)
        assert max(map(len, lines)) <= 100
        printed = view.printed(game.state, you, legal)
        for i, action in enumerate(legal, start=1):
            words = (str(i), actions.name(action), game.describe(action), view.label(game.state, you, action))
            assert {parser.answer(word, legal, printed) for word in words} == {action}
        marked = view.spaces_in(legal)
        where = view.asked_about(game.state, you)
        picture = view.board_lines(game.state, you, ["a", "b", "c"], 80, Ink(), [where], marked)
        assert sum(word.endswith("?") for line in picture for word in line.split()) == len(marked)


def test_boroughs_are_side_by_side_as_far_as_they_fit() -> None:
    match = sit("human random random random")
    names = ["you", "a", "b", "c"]
    heights = {}
    for width in (40, 80, 120, 200):
        lines = view.board_lines(match.game.state, 0, names, width, Ink())
        assert max(map(len, lines)) <= width
        heights[width] = len(lines)
    assert heights[40] > heights[80] > heights[120] >= heights[200]
    coloured = view.board_lines(match.game.state, 0, names, 200, Ink(True), marked=[0])
    assert any("\033[" in line for line in coloured)


def test_previews_are_true() -> None:
    """An answer of one step has the effect previewed."""
    for game in moments(Config(1), range(2)):
        if game.ask in (Ask.SUPPORT, Ask.TRADE, Ask.WAY):
            shown = preview.effects(game.states, 0, game.legal().tolist())
            for action, effect in shown.items():
                copy = game.clone()
                batch.apply(copy.states, [action])
                assert effect.own == changed(game, copy)
                batch.run_to_question(copy.states)
                if batch.masks(copy.states).sum() > 1:
                    own = game.clone()
                    batch.apply(own.states, [action])
                    assert effect.follows == changed(own, copy)


def changed(before: Game, after: Game) -> str:
    return preview.changes(before.state["borough"][0], after.state["borough"][0])


# -- secrets


def test_nothing_shown_depends_on_what_is_hidden() -> None:
    match = sit("random human greedy", seed=3)
    seen = 0
    while not match.game.over and match.game.round < 4:
        answer_until(match, *(set(Ask) - {Ask.OVER}))
        if is_secret(match.game.state):
            other = batch.fork(match.game.states, 1, [seen])
            assert _shown(match.game.states) == _shown(other)
            seen += 1
        match.answer(match.hint(make("random")))
    assert seen > 5


def _shown(states: batch.States) -> list[str]:
    names = ["a", "you", "b"]
    legal = np.flatnonzero(batch.masks(states)[0]).tolist()
    shown = {action: "; then ".join(effect) for action, effect in preview.effects(states, 1, legal).items()}
    return [
        *view.board_lines(states[0], 1, names, 120, Ink()),
        *view.score_lines(states, 1, names, 120, Ink()),
        *view.answer_lines(states[0], 1, legal, shown, 120),
    ]


def test_builds_of_others_are_reported_when_the_screens_are_lifted() -> None:
    match = sit("human random random", seed=4)
    while not match.game.over:
        match.agents_answer()
        now = match.game.state
        shown = match.history.news(0)
        if is_secret(now):
            others = [e for e in shown if e.line.seat != 0]
            assert not [e for e in others if e.secret and e.round_no == now["round_no"]]
        elif now["phase"] == Phase.MOVE:
            secret = {i for i, e in enumerate(match.history.lines) if e.secret}
            assert secret <= match.history._reported[0]
        if not match.game.over:
            match.answer(match.hint(make("first")))
    match.history.news(0)
    assert match.history._reported[0] == set(range(len(match.history.lines)))


def test_history_in_sentences() -> None:
    game = Game(Config(2), seed=7)
    for output in ["at C3", "at D4", "promise 6", "promise 12", "at F7", "card supporter", "pay votes"]:
        game.step(output)
    history = History()
    history.catch_up(game.log)
    shown = list(sentences(history.lines, ["Ann", "Bob"]))
    assert shown[0] == (0, "Built City Hall on C3 D3 C4 D4")
    assert any(
        "Promised something worth 12 points. Laid the Mayor's street on" in words for _, words in shown
    )
    assert any("Took the card Supporter. Help of the Supporter: +2 votes" in words for _, words in shown)


# -- undo and saves


def test_undo_works_within_a_turn_only() -> None:
    match = sit(seed=2)
    with pytest.raises(CannotUndo, match="no answer of yours"):
        match.undo()
    answer_until(match, Ask.WHAT)
    with pytest.raises(CannotUndo, match="another player has answered"):
        match.undo()
    before = match.game.clone()
    match.answer(actions.parse("build park-1"))
    middle = match.game.clone()
    match.answer(int(match.game.legal()[0]))
    assert match.game != middle
    match.undo()
    assert match.game == middle and match.game.log.entries == middle.log.entries
    match.undo()
    assert match.game == before
    assert match.history.entries == before.log.entries


def test_undo_is_refused_after_chance_lifted_screens_or_the_end_of_the_turn() -> None:
    alone = sit("human", modules=())
    alone.answer(int(alone.game.legal()[0]))
    alone.answer(actions.parse("promise 6"))
    with pytest.raises(CannotUndo, match="a card, a die or a street has been drawn"):
        alone.undo()
    output = set()
    for seed in range(6):
        match = sit("human first", seed=seed)
        while not match.game.over and match.game.round < 6:
            match.agents_answer()
            if match.game.over:
                break
            match.answer(match.hint(make("random")))
            try:
                match.undo()
                match.answer(match.hint(make("random")))
            except CannotUndo as wrong:
                output.add(str(wrong).partition(": ")[2])
    assert {"it ended your turn", "the screens have been lifted since"} <= output


def test_a_saved_game_resumes_identically(tmp_path: Path) -> None:
    match = sit("random human random", seed=9)
    answer_until(match, Ask.ROW)
    match.save(tmp_path / "deep" / "a.save")
    again = Match.load(tmp_path / "deep" / "a.save")
    assert again.names == match.names and again.game == match.game
    assert again.history.news(1) == []
    for one in (match, again):
        one.answer(actions.NO)
        one.agents_answer()
    assert again.game == match.game


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "cannot be read: no such file"),
        (b"hello", "is not a game saved by `smallcity play`"),
        (b"SMALLCITY TABLE 1\n{}\n", "cannot be used: "),
        (b"SMALLCITY TABLE 1\nnot json\nx", "cannot be used: "),
    ],
)
def test_bad_saves_are_refused(tmp_path: Path, data: bytes | None, sentence: str) -> None:
    path = tmp_path / "x.save"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(Refused, match=sentence):
        Match.load(path)
    with pytest.raises(Refused, match="cannot be written: is a directory"):
        sit().save(tmp_path)


# -- the commands


def test_opponents_and_their_options_are_separated_by_commas() -> None:
    assert agents_in("greedy,mcts:sims=5,seconds=1,random") == ["greedy", "mcts:sims=5,seconds=1", "random"]
    assert agents_in("none") == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play --opponents nobody", "there is no agent 'nobody'"),
        ("play --opponents random,random,random,random", "there are 4 seats: at most 3 opponents, not 4"),
        ("play --opponents random --seat 2", "there is no seat 2: 2 players have seats 0 to 1"),
        ("play --opponents human", "there is no agent 'human'"),
        ("play --hints nobody", "there is no agent 'nobody'"),
        ("play --modules dragons", "there is no module 'dragons'"),
        ("play --resume nowhere", "the saved game nowhere cannot be read"),
        ("watch random --players 7", "players must be 1 to 4"),
        ("watch random --delay fast", "argument --delay: needs a number of seconds, not 'fast'"),
        ("arena human random", "there is no agent 'human'"),
    ],
)
def test_bad_arguments_are_refused(words: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    output = capsys.readouterr()
    assert (
        output.out == "" and output.err.startswith(f"smallcity: {sentence}") and output.err.count("\n") == 1
    )


def test_watch_shows_a_game_turn_by_turn_and_round_by_round(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["watch", "random", "first", "--players", "3", "--delay", "0", "--seed", "3"]
    assert main(words) == 0
    turns = capsys.readouterr().out
    assert "seat 2 (random): Took the card " in turns and "Round 8" in turns and "place   who" in turns
    assert main([*words, "--by-round"]) == 0
    rounds = capsys.readouterr().out
    assert "takes the " not in rounds and turns.endswith(rounds[rounds.index("place   who") :])


def test_the_repl_executes_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    output = iter(
        ["", "help", "board", "scores", "log", "hint", "hint nobody", "hint first", f"save {tmp_path}/b", "?"]
    )

    def answer(prompt: str) -> str:
        for line in output:
            return line
        raise EOFError

    monkeypatch.setattr("builtins.input", answer)
    Repl(sit(), "random", tmp_path / "a", Ink(), lambda: 100).run()
    out = capsys.readouterr().out
    for words in ("undo your last answer", "R1-R5 homes", "points", "random would answer:",
                  "there is no agent 'nobody'", "first would answer:", f"--resume {tmp_path}/b",
                  "redraws everything you cannot see", f"--resume {tmp_path}/a"):  # fmt: skip
        assert words in out, words
    assert (tmp_path / "a").exists() and (tmp_path / "b").exists()
