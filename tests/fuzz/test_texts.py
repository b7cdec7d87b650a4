"""Texts of positions and logs, edited at random: refused in one sentence, or a game that plays on."""

import re

from hypothesis import given
from hypothesis import strategies as st

from smallcity_env import Game, Log, batch
from smallcity_env.log import Entry, replay_steps
from smallcity_env.rules.tables import Ask
from tests.fuzz import tries

WORD = re.compile(r"\S+")
OTHERS = [
    "0",
    "1",
    "-1",
    "5",
    "99",
    "32767",
    "none",
    "over",
    "what",
    "where",
    "A1",
    "J10",
    "K11",
    ".",
    "-",
    "Hl",
    "R1",
    "R1:0",
    ":",
    "build",
    "seat",
    "yes",
    "café",
    "1.5",
    "#",
    "borough",
    "shown",
]


@st.composite
def edits(draw: st.DrawFn, text: str) -> str:
    """A text with some words replaced, lines lost, doubled or swapped."""
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 4]))):
        words = list(WORD.finditer(text))
        lines = text.splitlines(keepends=True)
        match draw(st.integers(0, 5)):
            case 0 | 1 if words:
                word = draw(st.sampled_from(words))
                text = text[: word.start()] + draw(st.sampled_from(OTHERS)) + text[word.end() :]
            case 2 if words:
                one, other = draw(st.sampled_from(words)), draw(st.sampled_from(words))
                text = text[: one.start()] + other.group() + text[one.end() :]
            case 3:
                del lines[draw(st.integers(0, len(lines) - 1))]
                text = "".join(lines)
            case 4:
                i, j = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
                lines[i], lines[j] = lines[j], lines[i]
                text = "".join(lines)
            case _:
                at = draw(st.integers(0, len(text)))
                text = text[:at] + draw(st.text(max_size=3)) + text[at + draw(st.integers(0, 3)) :]
    return text


@given(data=st.data(), seed=st.integers(0, tries.GAMES - 1))
def test_edited_positions_are_refused_or_play_on(data, seed):
    tries.COUNT["texts"] += 1
    text = data.draw(edits(tries.game(seed).to_text()))
    read: list[Game] = []
    if not tries.refused(lambda: read.append(Game.from_text(text))):
        tries.play_on(batch.clone(read[0].states))
        assert Game.from_text(read[0].to_text()) == read[0]


@given(data=st.data(), seed=st.integers(0, tries.GAMES - 1))
def test_edited_logs_are_refused_or_replayed(data, seed):
    tries.COUNT["logs"] += 1
    log = tries.game(seed).log
    text = data.draw(edits(Log(log.start, log.entries[:60]).to_text()))
    read: list[Log] = []
    if not tries.refused(lambda: read.append(Log.from_text(text))):
        tries.refused(lambda: list(replay_steps(read[0])))
        tries.refused(lambda: Game.replay(read[0]))


@given(
    entries=st.lists(
        st.tuples(st.integers(-2, 300), st.integers(0, 36), st.integers(-300, 300), st.booleans())
    )
)
def test_made_up_answers_are_refused_or_replayed(entries):
    tries.COUNT["logs"] += 1
    made = [Entry(seat, Ask(ask), action, forced) for seat, ask, action, forced in entries]
    start = tries.game(1).log.start
    tries.refused(lambda: list(replay_steps(Log(start, made))))
    tries.refused(lambda: Game.replay(Log(start), made))
