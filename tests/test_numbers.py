"""Custom numbers: a file overrides numbers of the tables, or is refused in one sentence."""

import ast
import json
import random
import re
from pathlib import Path

import pytest

from smallcity_agents.arena import results
from smallcity_env import BadLog, BadSave, Game, Log
from smallcity_env.cli import main
from smallcity_env.refusal import Refused
from smallcity_env.rules import numbers
from smallcity_env.rules._library import library
from smallcity_env.rules.numbers import IN_FORCE, NUMBERS, NumbersError, toml
from smallcity_env.rules.tables.in_force import FINGERPRINT, foreign
from tests.conftest import R2
from tests.interpreter import PLAIN, run_python
from tests.number_files import EXTREMES, fault, text_of
from tests.numbers_played import PLAYED

ROOT = Path(__file__).parents[1]
OTHER = "0a1b2c3d"


def judged(text: str) -> dict[str, object]:
    """All numbers by a text, or NumbersError; nothing comes into force."""
    return numbers.check(toml.parse(text, "mine.toml"))


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> str:
    """What `smallcity numbers` writes."""
    assert main(["numbers"]) == 0
    return capsys.readouterr().out


# -- the file that is written


def test_the_written_file_changes_nothing(written: str, tmp_path: Path) -> None:
    assert judged(written) == IN_FORCE
    path = tmp_path / "mine.toml"
    path.write_text(written)
    own = PLAIN | {numbers.VARIABLE: str(path)}
    assert run_python("-m", "tests.numbers_played", "games", env=own) == f"{PLAYED['games']()}\n"
    assert run_python("-c", RUN, "numbers", env=own) == written


RUN = "import sys; from smallcity_env.cli import main; sys.exit(main())"


def test_every_number_has_a_rule_and_a_source(written: str) -> None:
    rules = (ROOT / "docs" / "rules.md").read_text()
    for number in NUMBERS.values():
        rule, source = re.match(r"([A-Z]+[\d.]+|section \d+) \[([SPR])\]", number.note).groups()  # type: ignore[union-attr]
        assert source in "SPR"
        heading = f"\n## {rule.removeprefix('section ')}. " if rule.startswith("section") else rule
        assert heading in rules, number.key
        assert number.note in written


def test_a_number_drawn_another_way_round_is_the_same() -> None:
    turned = '[tiles.museum]\nshape = """\n.#\n##\n"""'
    assert numbers.fingerprint(judged(turned)) == numbers.STANDARD
    assert numbers.fingerprint(judged(f"money.shop = {IN_FORCE['money.shop']}")) == numbers.STANDARD
    assert numbers.fingerprint(judged("money.shop = 19")) == numbers.fingerprint(judged("[money]\nshop = 19"))


def test_tables_for_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["numbers", "--markdown"]) == 0
    out = capsys.readouterr().out
    assert f"| grow | `{IN_FORCE['zone.grow']}` | P2.2 [R] money, to enlarge it by one |" in out
    assert "| shape | `##`<br>`##`<br><br>`###`<br>`#..` |" in out


# -- single changes, played

WASTE = [
    "..........",
    "..........",
    "..........",
    "...x......",
    *[
        "..........",
    ]
    * 6,
]
MUSEUM, CLINIC, UNIVERSITY, RECYCLING = "at B1 at C1", "at D1 at E1 at F1", "at A3 at B3 at A4", "at A5 at B5"
FEWER_ROOMS = "tiles.museum.rooms = 2\ntiles.university.rooms = 3\ntiles.recycling.rooms = 2"
CHANGES = {
    "cost": ("tiles.factory.rate = 3", "4", "2"),
    "supply": ("tiles.park.supply = [0, 18, 12]", "True", "False"),
    "shape": ('tiles.library.shape = "###"', "6", "7"),
    "map_space": (f"maps.base-easy = {json.dumps(WASTE)}", "True", "False"),
    "promise": ('promises.4.needs = ["homes >= 2"]', "-2", "6"),
    "council": ("council.finance = [8, 8, 8, 8]", "3", "8"),
    "start_money": ("money.start = [1, 2, 3, 4]", "[4, 6]", "[1, 2]"),
    "markers": ("godzillas.markers = 1", "4", "1"),
    "votes": ("tiles.school.gain = 9", "2", "9"),
    "limit": ("limits.builds = 1", "True", "False"),
    "rooms": (FEWER_ROOMS, f"{MUSEUM} {CLINIC} at B2 {UNIVERSITY} at B4 {RECYCLING} at C5 at A6",
              f"{MUSEUM} {CLINIC} {UNIVERSITY} {RECYCLING}"),
    "mediator": ("tiles.school.money = 3", "[5, 3]", "[2, 3]"),
    "councilor": ("limits.advances = 0", "['ROW', 'WHAT', 'COUNCIL']", "['ROW', 'WHAT', 'SELECT']"),
    "doctors": ("doctors.figures = 0", "True", "True"),
    "square": ("zone.start = 6", "[18, -6]", "[18, -6]"),
    "square, its own number": ("promises.square = 6", "[18, -6]", "[18, 18]"),
}  # fmt: skip


@pytest.fixture(scope="module")
def unchanged() -> dict[str, str]:
    """What is played by the numbers of rules r2, by name."""
    played = sorted({name.partition(",")[0] for name in CHANGES})
    code = f"from tests.numbers_played import *; print({{name: str(PLAYED[name]()) for name in {played}}})"
    env = PLAIN | {numbers.VARIABLE: str(R2)}
    return dict(ast.literal_eval(run_python("-c", code, env=env)))


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_number_is_played_by(name: str, unchanged: dict[str, str], tmp_path: Path) -> None:
    change, before, after = CHANGES[name]
    path = tmp_path / "mine.toml"
    given = toml.read(R2).given | toml.parse(change, "").given
    path.write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in given.items()))
    played = name.partition(",")[0]
    assert unchanged[played] == before
    env = PLAIN | {numbers.VARIABLE: str(path)}
    assert run_python("-m", "tests.numbers_played", played, env=env) == f"{after}\n"


# -- what is refused

DRAWING = '"""\n{}\n"""'
TALL = "\n".join([".........." for _ in range(9)])
STRANGE = DRAWING.format(f"{TALL}\n....Q.....")
WRONG = {
    "money.shops = 3": r"line 1: there is no number 'money.shops'; did you mean 'money.shop'\?",
    "[money]\nshop = 3\n\nshpo = 4": r"line 4: there is no number 'money.shpo'; did you mean 'money.shop'\?",
    "[munny]": r"line 1: there is no number 'munny'",
    'money.shop = "three"': "line 1: money.shop needs a whole number from 0 to 20, not 'three'",
    "money.shop = 3.0": "needs a whole number",
    "money.shop = true": "needs a whole number from 0 to 20, not True",
    "money.start = [1, 2, 3]": "needs a list of 4 whole numbers from 0 to 200",
    "money.start = 5": "needs a list of 4 whole numbers",
    "tiles.museum.rooms = 4": "tiles.museum.rooms cannot be 4: its drawing has 3 spaces",
    "[tiles.museum]\nsupply = -1": 'line 2: tiles.museum.supply .* "one a player" or "players - 1", not -1',
    f"maps.base-easy = {DRAWING.format(TALL)}": "a drawing of 10 lines of 10 letters, not 9 of 10 to 10",
    f"maps.base-easy = {STRANGE}": "has the letter 'Q': allowed .* are . x #",
    f"maps.base-easy = {json.dumps(['##########'] * 10)}": "base-easy: the zone has no place for City Hall",
    f"maps.delhi = {json.dumps(['PP........'] * 10)}": "has the letter 'P'",
    f"maps.shanghai = {json.dumps(['..........'] * 10)}": "the tile P must be drawn once",
    f"maps.seoul = {json.dumps(['c.c.......'] * 10)}": "drawn as no tile that can be printed there",
    'tiles.library.shape = "# #"': "in one piece",
    'tiles.library.shape = "######"': "at most 5 spaces in a line",
    'tiles.library.shape = "..."': "at least one #",
    'tiles.library.shape = ""': "needs a drawing of # for the spaces",
    'tiles.residential-3.shape = "##"': "needs a drawing of 3 spaces, not of 2",
    'tiles.factory-3.shape = "##\\n#"': "maps.hong-kong: the F in line 8, column 3 is drawn as no tile",
    'tiles.bank.shape = "##\\n\\n###"': "the same number of spaces",
    "money.shop = 3\nmoney.shop = 4": "line 2: this is not TOML: Cannot overwrite a value",
    "money.shop = ": "line 1: this is not TOML",
    "\n\nhello": "line 3: this is not TOML",
    "promises.1.needs = []": "one or two like",
    'promises.1.needs = ["luck >= 3"]': "counts 'luck': choose from pollution, usable-parks",
    'promises.1.needs = ["votes > 3"]': 'like "votes >= 60"',
    "promises.1.pile = 4": "from 1 to 3",
    "promises.worth = [6, 6, 18]": "numbers that rise",
    'council.supplies = ["wood", "wood", "gold", "metal"]': "a list of 4 of wood, stone, metal",
    "godzillas.figures = [1, 1, 1, 3]": "at least 2 for 3 players",
    "rounds.all = 12": "rounds.power_plants cannot be fewer than rounds.all",
    "citizens.all = 2": "line 1: citizens.hall cannot be more than citizens.all",
    "cards.mediator = 9": "must be more than cards.mediator saves",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_file_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(NumbersError, match=WRONG[text]) as refused:
        judged(text)
    sentence = str(refused.value)
    assert sentence.startswith("mine.toml, line ") and "\n" not in sentence
    assert judged("") == IN_FORCE


def test_the_command_line_refuses_with_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--numbers", str(tmp_path / "none.toml"), "numbers"]) == 2
    assert re.fullmatch(r"smallcity: the file of numbers .*none.toml cannot be read: no such file.*\n",
                        capsys.readouterr().err)  # fmt: skip
    assert main(["numbers", "--numbers"]) == 2
    path = tmp_path / "mine.toml"
    path.write_text("money.shop = 19")
    assert main(["numbers", f"--numbers={path}"]) == 2
    assert "this process has begun to play by other numbers" in capsys.readouterr().err
    path.write_text("money.shop = 99")
    code = f"{RUN.replace('sys.exit(main())', 'print(main())')}"
    out = run_python("-c", code, "numbers", env=PLAIN | {numbers.VARIABLE: str(path)})
    assert out == "2\n"


def mutated(text: str, rng: random.Random) -> str:
    """A written file with a few slips: digits, letters, lines lost, doubled or moved."""
    for _ in range(rng.randint(1, 3)):
        lines = text.split("\n")
        i = rng.randrange(len(lines))
        line, how = lines[i], rng.randrange(7)
        if how == 0:
            lines[i] = re.sub(r"\d+", lambda _: str(rng.choice((-1, 0, 1, 7, 40, 99, 10**6))), line, count=1)
        elif how == 1 and line:
            k = rng.randrange(len(line))
            lines[i] = line[:k] + rng.choice("#.x^~\"'[]=,QH- é\t") + line[k + 1 :]
        elif how == 2:
            del lines[i]
        elif how == 3:
            lines.insert(rng.randrange(len(lines)), line)
        elif how == 4:
            lines[i] = re.sub(
                r"= .*", rng.choice(('= "x"', "= 1.5", "= []", "= {}", "= [[]]", "= nan")), line
            )
        elif how == 5:
            lines[i] = line[: rng.randrange(len(line) + 1)]
        else:
            lines[i] = line.replace("##", "#.", 1).replace("..", "xH", 1)
        text = "\n".join(lines)
    return text


def test_files_with_slips_are_refused_in_a_sentence_or_valid(written: str) -> None:
    rng, valid = random.Random(7), 0
    for _ in range(200):
        try:
            values = judged(mutated(written, rng))
        except NumbersError as wrong:
            assert re.match(r"mine\.toml, line \d+: [^\n]+$", str(wrong))
        else:
            valid += 1
            assert values.keys() == IN_FORCE.keys()
    assert 20 < valid < 180


@pytest.mark.parametrize("seed", [*EXTREMES, 1, 2, 3])
def test_games_by_a_valid_file_are_sound(seed: int | str) -> None:
    """The least and the most of all numbers, and random ones; `python -m tests.number_files` plays many."""
    assert text_of(seed).count(" = ") > (180 if seed in EXTREMES else 0)
    assert fault(seed) == ""


# -- what other numbers made


def test_what_was_made_by_other_numbers_is_refused(tmp_path: Path) -> None:
    reason = f"it was made with the numbers '{OTHER}' and this process plays by 'standard'"
    assert FINGERPRINT == numbers.STANDARD and foreign(OTHER) == reason
    with pytest.raises(BadSave, match=f"cannot be continued: {reason}"):
        Game.load(Game().save() + OTHER.encode())
    with pytest.raises(BadLog, match=f"cannot be replayed: {reason}"):
        Log.from_text(Game().log.to_text().replace("\n\n", f"\nnumbers {OTHER}\n\n", 1))
    path = tmp_path / "arena.jsonl"
    path.write_text(json.dumps({"version": results.VERSION, "numbers": OTHER}) + "\n")
    with pytest.raises(Refused, match=f"line 1 of .* does not fit: {reason}"):
        results.read(path)


def test_a_training_run_by_other_numbers_is_not_resumed(tmp_path: Path) -> None:
    run = pytest.importorskip("smallcity_training.run")
    (tmp_path / "run.json").write_text(json.dumps({"method": "ppo", "hours": 0, "numbers": OTHER}))
    (tmp_path / run.STATE_FILE).touch()
    with pytest.raises(Refused, match=f"cannot be resumed: {foreign(OTHER)}"):
        run.Run.open(tmp_path, "ppo")


def test_saves_and_logs_of_other_numbers_say_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("money.shop = 19")
    own = numbers.fingerprint(judged("money.shop = 19"))
    env = PLAIN | {numbers.VARIABLE: str(path)}
    with pytest.raises(BadSave, match=own):
        Game.load(bytes.fromhex(run_python("-m", "tests.numbers_played", "saved", env=env)))
    with pytest.raises(BadLog, match=own):
        Log.from_text(run_python("-m", "tests.numbers_played", "log", env=env))
    code = "from smallcity_env.library.processors import here\n"
    code += "from smallcity_env.rules._library import library; print(library.path(here()[0]).name)"
    assert run_python("-c", code, env=env).startswith(f"smallcity-{library.code}-{own}-")
