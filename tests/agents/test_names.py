"""Nets that meet changed rules: weights are kept by name, new names start from what is most like them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.evaluation.schema import WEIGHT_NAMES
from smallcity_agents.evaluation.weights import START
from smallcity_agents.names import Names, fit, from_json, tell_news, to_json
from smallcity_agents.net import checkpoint
from smallcity_agents.net import layout as policy_layout
from smallcity_agents.net.features import LAYERS, SCALARS
from smallcity_agents.value_net import layout, model
from smallcity_agents.value_net.forward import CALIBRATED, ValueNet
from smallcity_env import Config, files
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS
from tests.agents.test_value_net import positions, random_net
from tests.interpreter import PLAIN, run_python

AXES: dict[str, list[str]] = {
    "card": ["none", "mayor", "artist"],
    "space": ["A1", "B1"],
    "players": ["1", "2", "4"],
    "answer": ["at A1", "build park", "build school", "no"],
}
TABLES: dict[str, dict[str, list[str]]] = {
    "codes": {"card": ["card"], "tile": ["card", "space"], "players": ["players"], "answer": ["answer"]},
    "numbers": {"votes": [], "built": ["card"]},
}
KNOWN = Names(AXES, TABLES)


def rows(table: str) -> Any:
    """A row for every name: its number, and ten times that."""
    return np.arange(KNOWN.size(table), dtype=np.float32)[:, None] * np.float32([1, 10])


def meet(table: str, mean: bool = True, families: Any = None, **axes: list[str]) -> dict[str, float]:
    """The first column of a table that meets other names, by label."""
    wanted = Names(AXES | axes, TABLES | ({table: families} if families else {}))
    fitted = fit(rows(table), table, KNOWN, wanted, mean)
    assert fitted.dtype == np.float32 and fitted.shape == (wanted.size(table), 2)
    assert (fitted[:, 1] == 10 * fitted[:, 0]).all()
    return dict(zip(wanted.labels(table), fitted[:, 0].tolist(), strict=True))


def test_known_names_keep_their_weights_wherever_they_stand() -> None:
    assert list(meet("codes").values()) == rows("codes")[:, 0].tolist()
    turned = meet("codes", card=["artist", "none", "mayor"], space=["B1", "A1"])
    assert turned == meet("codes") and list(turned) != list(meet("codes"))


def test_vanished_names_are_dropped() -> None:
    left, before = meet("codes", card=["none", "artist"]), meet("codes")
    assert left == {label: before[label] for label in before if "mayor" not in label}


def test_a_new_name_starts_from_the_mean_of_its_axis_without_none() -> None:
    met, before = meet("codes", card=["none", "mayor", "almoner", "artist"]), meet("codes")
    assert met["card almoner"] == (before["card mayor"] + before["card artist"]) / 2
    for space in ("A1", "B1"):
        assert (
            met[f"tile almoner {space}"]
            == (before[f"tile mayor {space}"] + before[f"tile artist {space}"]) / 2
        )


def test_a_new_answer_starts_from_those_with_the_same_verb() -> None:
    met, before = meet("codes", answer=[*AXES["answer"], "build fountain"]), meet("codes")
    assert met["answer build fountain"] == (before["answer build park"] + before["answer build school"]) / 2


@pytest.mark.parametrize(("new", "like"), [("3", "2"), ("5", "4"), ("0", "1")])
def test_a_new_number_starts_from_the_nearest(new: str, like: str) -> None:
    for mean in (True, False):
        met = meet("codes", mean, players=[*AXES["players"], new])
        assert met[f"players {new}"] == met[f"players {like}"] == meet("codes")[f"players {like}"]


def test_new_numbers_of_a_feature_and_new_features_start_from_zero() -> None:
    met = meet("numbers", mean=False, card=["none", "mayor", "almoner", "artist"])
    assert met["built almoner"] == 0 and met["built artist"] == meet("numbers")["built artist"] > 0
    more = meet("numbers", mean=False, families={"gardens": [], "votes": ["card"], "built": ["card"]})
    assert more["gardens"] == more["votes mayor"] == 0  # votes have become something else
    assert more["built mayor"] == meet("numbers")["built mayor"]


def test_what_is_new_is_told_once_for_each_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wanted = Names(AXES | {"card": ["none", "almoner"]}, TABLES | {"numbers": {"votes": [], "gardens": []}})
    for path in (tmp_path / "a", tmp_path / "a", tmp_path / "b"):
        tell_news("the net", path, KNOWN, wanted)
    first, second = capsys.readouterr().err.splitlines()
    news = "has not met: card almoner, gardens (numbers); these start from what is most like them"
    assert first == f"smallcity: the net {tmp_path / 'a'} {news}" and str(tmp_path / "b") in second
    tell_news("the net", tmp_path / "c", KNOWN, Names({**AXES, "card": ["none"]}, TABLES))
    assert capsys.readouterr().err == ""
    many = Names(AXES | {"card": [str(n) for n in range(20)]}, TABLES)
    tell_news("the net", tmp_path / "d", KNOWN, many)
    assert "card 7 and 12 more;" in capsys.readouterr().err


def test_names_round_trip() -> None:
    for known in (layout.NAMES, policy_layout.NAMES, KNOWN):
        raw = json.loads(json.dumps(to_json(known)))
        again = from_json(raw, known.tables)
        assert to_json(again) == raw
        assert all(again.labels(table) == known.labels(table) for table in known.tables)
        assert all(len(set(labels)) == len(labels) for labels in map(known.labels, known.tables))


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (None, "it does not name what it knows"),
        ({"axes": {}}, "it does not name what it knows"),
        ({"axes": {"card": "none"}, "tables": TABLES}, "lists of different names"),
        ({"axes": {"card": ["none", 1]}, "tables": TABLES}, "lists of different names"),
        ({"axes": {"card": ["none", "none"]}, "tables": TABLES}, "lists of different names"),
        ({"axes": AXES, "tables": {"codes": {}}}, "it must name the rows of codes, numbers"),
        ({"axes": AXES, "tables": TABLES | {"numbers": {"votes": ["time"]}}}, "families with known axes"),
        ({"axes": AXES, "tables": TABLES | {"numbers": {"votes": "card"}}}, "families with known axes"),
    ],
)
def test_a_card_without_names_is_refused(raw: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        from_json(raw, TABLES)


# -- the nets of the project


def test_the_names_are_those_of_the_arrays() -> None:
    assert layout.NAMES.labels("codes")[layout.START.tile + 100 * 19 + 33] == "tile school D4"
    assert layout.NAMES.size("weights") == len(WEIGHT_NAMES)
    known = policy_layout.NAMES
    sizes = {name: known.size(name) for name in LAYERS if name != "state"}
    assert sizes == {name: LAYERS[name] for name in sizes} and 2 ** known.size("state") == LAYERS["state"]
    assert known.size("scalars") == SCALARS and known.size("answer") == ACTIONS
    assert not [axis for axis in known.axes if axis.endswith(" numbers") and axis != "3 numbers"]  # of plants


def test_the_shipped_net_knows_everything_in_the_standard_game() -> None:
    """A renamed thing must be renamed in the file too."""
    card = json.loads(str(files.read_arrays(model.SHIPPED, "the net")["card"]))
    assert card["names"] == json.loads(json.dumps(to_json(layout.NAMES)))


def _without(known: Names, table_of: dict[str, int], arrays: dict[str, Any], axis: str, name: str) -> Any:
    """The arrays and names of a net that has never met a name."""
    fewer = Names({**known.axes, axis: [n for n in known.axes[axis] if n != name]}, known.tables)
    small = dict(arrays)
    for array, dimension in table_of.items():
        table = array.partition(".")[0]
        moved = np.moveaxis(arrays[array], dimension, 0)
        small[array] = np.moveaxis(fit(moved, table, known, fewer, mean=False), 0, dimension)
    return fewer, small


@pytest.mark.parametrize(
    ("axis", "name"), [("card", "artist"), ("tile", "school"), ("board", "delhi"), ("victory", "culture")]
)
def test_a_value_net_meets_what_is_new(
    axis: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, path = model.read(model.SHIPPED)[0], tmp_path / "net.npz"
    arrays = files.read_arrays(model.SHIPPED, "the net")
    card = json.loads(str(arrays.pop("card")))
    tables = dict.fromkeys(("codes", "numbers", "answers", "knees"), 0)
    fewer, small = _without(layout.NAMES, tables, arrays, axis, name)
    assert len(small["codes"]) < len(arrays["codes"])
    files.write_arrays(path, small | {"card": np.array(json.dumps(card | {"names": to_json(fewer)}))})
    met, _ = model.read(path)
    assert f"has not met: {axis} {name}; these start" in capsys.readouterr().err
    for table in ("codes", "numbers"):
        new = np.array([f" {name}" in f"{label} " for label in layout.NAMES.labels(table)])
        ours, theirs = getattr(met, table), getattr(whole, table)
        assert np.array_equal(ours[~new], theirs[~new])
        assert table == "numbers" or (ours[new].any() and not np.array_equal(ours[new], theirs[new]))
    assert model.forecast(positions(Config(2)), met).payoffs.any()


def test_a_value_net_for_fewer_seats_and_rounds_plays_with_more() -> None:
    known = layout.NAMES
    axes = {**known.axes, "players": ["0", "1", "2"], "rounds left": ["0", "1"], "place": ["0", "1"]}
    small = Names(axes, known.tables)
    arrays = {name: np.ones(shape) for name, shape in model.shapes(2, 2, 2, small).items()}
    arrays["paces"] = np.arange(small.size("paces") * CALIBRATED, dtype=float).reshape(-1, CALIBRATED)
    net = model._for_rules_in_force(arrays, small)
    assert net.calibration.shape[:2] == (len(known.axes["rounds left"]), SEATS + 1)
    assert (net.calibration[1:, 2:] == arrays["paces"][-1]).all() and (net.codes == 1).all()


def test_greedys_weights_are_read_by_name() -> None:
    known = layout.NAMES
    weights = {"smoke": (), "forgotten": (), "money": ()}
    odd = Names(known.axes, {**known.tables, "weights": weights})
    arrays = {name: np.zeros(shape) for name, shape in model.shapes(2, 2, 2, odd).items()}
    net = model._for_rules_in_force(arrays | {"weights": np.array([0.25, 0.5, 0.75])}, odd)
    assert net.weights["smoke"] == 0.25 and net.weights["money"] == 0.75
    assert net.weights["wood"] == START["wood"]


def test_a_policy_meets_what_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known, path = policy_layout.NAMES, tmp_path / "net.npz"
    draw = np.random.default_rng(1)
    shapes = checkpoint.shapes(16, 64, 256)
    whole = {name: draw.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    checkpoint.write(path, whole, {"steps": 1, "reward": "score", "command": "", "hours": 0.0})
    card = checkpoint.read(path)[1]
    axes = {**known.axes, "tile": [n for n in known.axes["tile"] if n != "school"]}
    axes["answer"] = [n for n in known.axes["answer"] if n != "build school"]
    fewer = Names(axes, known.tables)
    small = dict(whole)
    for array, table in (("tile", "tile"), ("answer.weight", "answer"), ("answer.bias", "answer")):
        small[array] = fit(whole[array], table, known, fewer, mean=True)
    scalars = fit(whole["first.weight"][:, 128:].T, "scalars", known, fewer, mean=False).T
    small["first.weight"] = np.concatenate([whole["first.weight"][:, :128], scalars], axis=1)
    files.write_arrays(path, small | {"card": np.array(json.dumps(card | {"names": to_json(fewer)}))})
    met, _ = checkpoint.read(path)
    assert "has not met: tile school, answer build school; these start" in capsys.readouterr().err
    for array, table, dimension in (("tile", "tile", 0), ("answer.weight", "answer", 0)):
        new = np.array(["school" in label for label in known.labels(table)])
        ours, theirs = np.moveaxis(met[array], dimension, 0), np.moveaxis(whole[array], dimension, 0)
        assert np.array_equal(ours[~new], theirs[~new]) and ours[new].any()
    new = np.array(["school" in label for label in known.labels("scalars")])
    assert not met["first.weight"][:, 128:][:, new].any() and new.sum() == 2
    assert np.array_equal(met["first.weight"][:, 128:][:, ~new], whole["first.weight"][:, 128:][:, ~new])
    assert make(f"policy:checkpoint={path}").name == f"policy:checkpoint={path}"


def test_only_a_damaged_card_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    model.write(path, random_net(), {"numbers": "others"})
    assert model.read(path)[1]["numbers"] == "others"
    arrays = files.read_arrays(path, "the net")
    card = json.loads(str(arrays["card"]))
    for changed, sentence in (
        ({"names": 7}, "it does not name what it knows"),
        ({"format": "smallcity-value-net-1"}, "its format is"),
        (
            {"names": card["names"] | {"axes": card["names"]["axes"] | {"card": ["x"]}}},
            "codes must be float16 or float32 or float64",
        ),
    ):
        files.write_arrays(path, arrays | {"card": np.array(json.dumps(card | changed))})
        with pytest.raises(AgentError, match=f"the value net .* cannot be used: {sentence}"):
            model.read(path)


# -- nobody loads a net for nothing


def test_levels_and_searches_without_a_net_load_none() -> None:
    code = """
import smallcity_agents.net.checkpoint as checkpoint, smallcity_agents.value_net.model as model
def read(path): raise AssertionError(path)
checkpoint.read = model.read = read
import smallcity_agents.level
from smallcity_agents import make
print([make(name).name for name in ("level:10", "search:leaf_value=greedy", "champion:leaf_value=greedy")])
"""
    ran = run_python("-c", code, env=PLAIN)
    assert ran == "['level:10', 'search:leaf_value=greedy', 'champion:leaf_value=greedy']\n"


def test_the_blank_net_is_as_small_as_can_be() -> None:
    blank = model.blank()
    assert isinstance(blank, ValueNet) and blank.codes.shape == (layout.CODE_COUNT, 1)
    assert blank.calibration.shape == model.load().calibration.shape


def test_another_net_can_be_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, net = tmp_path / "net.npz", random_net()
    model.write(path, net, {})
    monkeypatch.setattr(model, "_default", model._default)
    try:
        model.use(path)
        assert make("champion").net.first == pytest.approx(net.first)
        with pytest.raises(AgentError, match="there is no value net"):
            model.use(tmp_path / "nowhere.npz")
        assert model.load().first == pytest.approx(net.first)
    finally:
        monkeypatch.undo()
        model.load.cache_clear()


CHANGED = """
money.shop = 19
votes.shop = 5
zone.grow = 1
limits.discs = 3
rounds.all = 10
rounds.power_plants = 11
promises.worth = [5, 11, 20]
council.finance = [2, 4, 8, 12]
tiles.museum.gain = 13
tiles.harbor.money = 5
"""
PLAYED = """
import numpy as np
from smallcity_agents import make
from smallcity_agents.play import analysis
from smallcity_env import Config, batch
from smallcity_env.rules.rng import streams
few = "sims=2,candidates=2"
for name in (f"search:{few}", f"champion:seconds=0,{few}", "level:1", "level:5", "policy"):
    states, agent, chance = batch.new(1, Config(2), [1]), make(name), streams([1])
    legal = batch.masks(states)
    for _ in range(3):
        batch.step(states, agent.act(states, states["seat"].astype(np.int64), legal, chance), legal)
analysis.SIMS = analysis.COMPARED = analysis.FORKS = 2
print(len(analysis.analyse(states).line) > 0)
"""


def test_every_agent_and_the_coach_play_by_ten_changed_numbers(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(CHANGED)
    env = PLAIN | {"SMALLCITY_NUMBERS": str(path)}
    command = [sys.executable, "-c", PLAYED]
    ran = subprocess.run(command, env=os.environ | env, capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stdout == "True\n", ran.stderr
    news = [line.partition(" has not met: ")[2] for line in ran.stderr.splitlines()]
    assert news == ["rounds left 10, rounds left 11; these start from what is most like them"]
