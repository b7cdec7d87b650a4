"""The value net in training: positions, the net in torch, the fit, and learning by search."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from smallcity_agents.evaluation.weights import search_weights
from smallcity_agents.search.improve import log_softmax
from smallcity_agents.search.schema import new_work
from smallcity_agents.value_net import model
from smallcity_agents.value_net.model import load
from smallcity_env import batch, files
from smallcity_env.cli import main
from smallcity_env.config import Config
from smallcity_env.refusal import Refused
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS, NO
from smallcity_env.rules.tables import SEATS, Ask
from smallcity_training import config, positions, scripted_games, state
from smallcity_training.commands.train import METHODS
from smallcity_training.run import Run, read_log
from smallcity_training.scripted_games import draw_config, leaf_positions, scripted_positions
from smallcity_training.search_games import OPENING, TEACHER, Iteration, Players, play_batch
from smallcity_training.train_value_net import (
    FitConfig,
    explained_by_round,
    first_lines,
    fit,
    policy_loss,
    predict,
    split,
)
from smallcity_training.value_net import ValueNet, export, load_weights, minibatch, place_loss
from tests.agents.test_value_net import random_net

CPU = torch.device("cpu")
TINY: dict[str, Any] = {
    "steps": 2, "start": "none", "width": 8, "hidden": 4, "scripted_batches": 2, "scripted_games": 4,
    "search_batches": 1, "search_games": 8, "player": "rollout:sims=2,candidates=2,playout=none",
    "teacher": "rollout:sims=2,candidates=2,playout=none", "view": 4,
    "opponents": ["first"], "epochs": 2.0, "anchors": ["first"],
    "evaluate_player": "rollout:sims=2,candidates=2,playout=none", "evaluate_games": 2,
}  # fmt: skip


def test_every_kind_of_table_is_drawn() -> None:
    drawn = [draw_config(np.random.default_rng(seed)) for seed in range(300)]
    assert {c.players for c in drawn} == {1, 2, 3, 4}
    assert {c.victory for c in drawn} == {"votes", "economics", "population", "culture"}
    assert len({board for c in drawn for board in c.boards}) == 14
    assert {len(tuple(c.modules)) for c in drawn} >= {0, 1, 8}


def test_leaves_know_how_their_games_end() -> None:
    data = scripted_positions(Config(players=3), 6, seed=1)
    begins = first_lines(data)
    assert len(data.scores) == 3 * len(data.players) and data.ends[-1] == len(data.codes)
    assert set(data.rounds) >= set(range(1, 9)) and len(np.unique(data.games)) == 6
    rows = begins[:, None] + np.arange(3)
    assert (data.places[rows].min(axis=1) == 0).all()
    best = data.scores[rows].max(axis=1, keepdims=True)
    assert ((data.scores[rows] == best) | (data.places[rows] > 0)).all()


def test_a_leaf_is_a_fork_after_one_answer_and_greedys_rest_of_the_round() -> None:
    legal = batch.new_masks(40)
    roots = batch.new(40, Config(players=2), range(40), legal)
    for _ in range(30):
        batch.step(roots, batch.pick(legal, rng.streams(np.arange(40))), legal)
    states, streams = batch.clone(roots), rng.streams(np.arange(40) + 7)
    at_once = np.arange(40) < 20
    work, weights = new_work(load()), search_weights()
    scripted_games.make_leaves(states, streams, at_once, work, weights, scripted_games.PLAYOUTS)
    later, first = states["round_no"] - roots["round_no"], roots["seat"]
    assert (later[20:] >= 1).all() and (later[20:] == 1).any()  # 2: the answer was the last of its round
    assert (later[:20] == 0).any()
    hidden = states["borough"]["promise"] != roots["borough"]["promise"]
    assert not hidden[np.arange(40), first].any() and hidden[np.arange(40), 1 - first].any()
    scripted_games.play_out(states, streams, work, weights, scripted_games.PLAYOUTS)
    assert batch.over(states).all()


def test_leaves_of_a_root_differ_and_come_back_for_the_same_seed() -> None:
    roots = batch.new(3, Config(players=2), range(3), batch.new_masks(3))
    eight_each = np.repeat(np.arange(3), 8)
    first, again = (leaf_positions(batch.take(roots, eight_each), eight_each, 5) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    own = first.scores[first_lines(first)][first.games == 5]
    assert len(own) == 8 and len(set(own.tolist())) > 1


def test_shards_come_back_as_they_were(tmp_path: Path) -> None:
    parts = [scripted_positions(Config(players=n), 3, seed=n) for n in (1, 4)]
    paths = [tmp_path / "0.npz", tmp_path / "1.npz"]
    for path, part in zip(paths, parts, strict=True):
        positions.save(path, part)
    joined = positions.load(paths)
    last = len(parts[1].ends)
    own = joined.codes[joined.ends[-last - 1] :]
    assert np.array_equal(own, parts[1].codes) and len(joined.players) == sum(len(p.players) for p in parts)


def test_a_shard_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    arrays = scripted_positions(Config(players=1), 1, seed=1)._asdict()
    files.write_arrays(
        tmp_path / "0.npz", {name.replace("greedy_values", "worth"): a for name, a in arrays.items()}
    )
    with pytest.raises(Refused, match=r"the shard .* does not fit: it must hold codes, .* greedy_values"):
        positions.load([tmp_path / "0.npz"])


def test_the_compiled_net_agrees_with_the_one_in_torch() -> None:
    torch.manual_seed(1)
    net = ValueNet(16, 8, 6)
    torch.nn.init.normal_(net.heads.weight, std=0.5)
    for table in (net.answers, net.knees, net.prior):
        torch.nn.init.normal_(table)
    net.scale.uniform_(0.01, 0.1)
    legal = batch.new_masks(5)
    states = batch.new(5, Config(players=3), range(5), legal)
    codes, ends, numbers = positions.encode(states)
    data = _unfinished(states, codes, ends, numbers)
    scores, strengths, logits, priors = net(minibatch(data, first_lines(data), np.arange(5), CPU))
    forecast, seats = model.forecast(states, export(net)), states["seat"].astype(np.int64)
    by_net = log_softmax(model.priors(states, seats, legal, export(net)), legal)[2:][legal[2:]]
    assert priors.detach().numpy() == pytest.approx(by_net, abs=1e-2)
    assert scores[:, :3].detach().numpy() == pytest.approx(forecast.scores[:, :3], abs=0.05)
    assert logits[:, :3].sigmoid().detach().numpy() == pytest.approx(forecast.payoffs[:, :3], abs=1e-3)
    first = strengths[:, :3].softmax(dim=1).detach().numpy()
    assert first == pytest.approx(forecast.places[:, :3, 0], abs=1e-3)


def test_a_net_in_torch_takes_the_weights_of_a_compiled_one() -> None:
    weights = random_net()
    net = ValueNet(len(weights.first), len(weights.second), len(weights.view_bias))
    net.scale.uniform_(0.01, 0.1)
    load_weights(net, weights)
    for ours, theirs in zip(export(net)[:-1], weights[:-1], strict=True):
        assert ours == pytest.approx(theirs, rel=1e-5, abs=1e-6)


def _unfinished(states: batch.States, codes: Any, ends: Any, numbers: Any) -> positions.Positions:
    """Positions of three players without an outcome; the policies of all but two are known."""
    lines, n = np.zeros(len(ends), np.float32), np.zeros(len(states), np.int8)
    left = (states["rules"]["rounds"] - states["round_no"]).astype(np.int8)
    greedy_values, counts = numbers[:, positions.GREEDY_VALUE], lines.astype(np.int8)
    by_line = (codes, ends, numbers.astype(np.float16), greedy_values, lines, lines, counts, lines > 0)
    asked, questions = states["seat"].astype(np.int8), states["ask"].astype(np.int16)
    answers = positions._answers(states, np.ones((len(states) - 2, ACTIONS)))
    return positions.Positions(*by_line, n + 3, left, n, n.astype(np.int64), asked, questions, *answers)


def taught(config: Config, seed: int, answer: int) -> positions.Positions:
    """Positions of random games in which a policy prefers one answer wherever it is legal."""
    legal, chance = batch.new_masks(16), rng.streams(np.arange(16) + seed)
    states = batch.new(16, config, np.arange(16) + seed, legal)
    seen = []
    for _ in range(120):
        seen.append(batch.take(states, np.flatnonzero(legal[:, answer])))
        batch.step(states, batch.pick(legal, chance), legal)
    roots = batch.join(seen)
    policies = np.zeros((len(roots), ACTIONS))
    policies[:, answer] = 1
    return positions.labelled(roots, roots, np.arange(len(roots)) + seed, policies)


def test_the_fit_learns_the_policies_it_is_taught() -> None:
    data = positions.join([taught(Config(players=n), 1000 * n, NO) for n in (2, 3)])
    rows, held_out = split(data)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    net = ValueNet(16, 8, 8)
    part = minibatch(data, first_lines(data), held_out, CPU)
    before = policy_loss(net(part)[-1], part.choices).item()
    fitted = fit(net, data, rows, FitConfig(epochs=6, size=64, ema_decay=0.9))
    assert policy_loss(fitted(part)[-1], part.choices).item() < before / 2
    sums = torch.zeros(len(held_out)).index_add(0, part.choices.at[0], fitted(part)[-1].exp())
    assert sums.detach().numpy() == pytest.approx(np.ones(len(held_out)), abs=1e-4)


def test_positions_without_a_policy_have_no_policy_loss() -> None:
    data = scripted_positions(Config(players=2), 4, seed=3)
    part = minibatch(data, first_lines(data), np.arange(8), CPU)
    assert not data.choices.any() and policy_loss(ValueNet(4, 4, 4)(part)[-1], part.choices) == 0


def test_a_batch_holds_the_policies_of_its_teacher() -> None:
    settings = config.parse(METHODS["search"].config, TINY | {"taught": 0.5, "teacher": TINY["player"]})
    data = play_batch(Iteration(settings, 1, [random_net()]), 0)
    known = np.flatnonzero(data.choices)
    assert len(known) > 50 and data.choices.sum() == len(data.policy) == len(data.answer_ends)
    ends = np.cumsum(data.choices[known].astype(int))
    sums = [
        data.policy[end - n : end].astype(float).sum()
        for end, n in zip(ends, data.choices[known], strict=True)
    ]
    assert sums == pytest.approx([1] * len(known), abs=1e-2)
    assert (data.below <= 0).all() and data.answer_ends[-1] == len(data.answer_codes)


def test_openings_promises_and_rounds_vary() -> None:
    every = {"styled_openings": 1.0, "random_promises": 1.0, "greedy_rounds": 0.0, "random_answers": 0.0}
    settings = config.parse(METHODS["search"].config, TINY | every)
    players = Players(settings, 2, np.random.default_rng(1))
    states = batch.new(len(players.seated), Config(players=2), range(len(players.seated)))
    states["ask"] = Ask.DIFFICULTY
    assert (players.now(states) == players.greedy + 1).all()
    states["ask"] = Ask.WHAT
    styled = players.now(states)
    assert (styled == players.styles).all() and (styled < players.greedy).all()
    states["round_no"] = OPENING + 1
    assert np.isin(players.now(states), [*players.seated.ravel(), TEACHER]).all()


def test_the_place_loss_is_the_likelihood_of_the_order() -> None:
    data = scripted_positions(Config(players=2), 4, seed=3)
    rows = np.arange(len(data.players))
    part = minibatch(data, first_lines(data), rows, CPU)
    strengths = torch.where(part.places == 0, 2.0, 1.0) * part.seated
    untied = (part.places[:, :2].sum(dim=1) == 1).numpy()
    expected = -np.log(np.exp(2) / (np.exp(2) + np.exp(1)))
    assert place_loss(strengths, part).numpy()[untied] == pytest.approx(expected, abs=1e-5)
    assert part.seated.shape == (len(rows), SEATS)


def test_the_fit_explains_outcomes_of_games_it_has_not_seen() -> None:
    data = positions.join([scripted_positions(Config(players=2), 90, seed) for seed in (100, 200)])
    rows, held_out = split(data)
    assert not set(data.games[rows]) & set(data.games[held_out])
    torch.manual_seed(0)
    torch.set_num_threads(1)
    net = fit(ValueNet(16, 8), data, rows, FitConfig(epochs=12, size=64, ema_decay=0.9))
    table = explained_by_round(predict(net, data, held_out))
    assert table[-1]["score"] > 0.5 and table[-1]["payoff"] > 0.3


def run_of(folder: Path, **overrides: Any) -> Any:
    settings = config.parse(METHODS["search"].config, TINY | overrides)
    return METHODS["search"].trainer(Run.create(folder, "search", settings), settings)


def test_learning_by_search_resumes_with_the_same_net(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = run_of(tmp_path / "whole")
    whole.train()
    first, second = capsys.readouterr().out.splitlines()
    assert "iteration 0: 8 games, " in first and "positions, " in first and "beats first" in second
    assert (tmp_path / "whole" / "curve.png").stat().st_size > 10_000
    part = run_of(tmp_path / "part")
    part._iterate()
    part.run.close()
    rest = METHODS["search"].trainer(Run.open(tmp_path / "part", "search"), part.config)
    rest.resume()
    assert rest.steps == 1
    rest.train()
    nets = [model.read(run.checkpoint(1))[0] for run in (whole, rest)]
    assert all(np.array_equal(a, b) for a, b in zip(*nets, strict=True))
    assert len(read_log(tmp_path / "part")) == 2 and "play it" in rest.report()
    assert len(list((tmp_path / "part" / "shards").glob("*.npz"))) == 3


def test_learning_by_search_starts_from_a_net_and_trains_it(tmp_path: Path) -> None:
    model.write(tmp_path / "start.npz", random_net(), {})
    run = run_of(tmp_path / "run", start=str(tmp_path / "start.npz"), search_learning_rate=1e-6)
    run.train()
    start, trained = (model.read(path)[0] for path in (tmp_path / "start.npz", run.checkpoint(1)))
    assert run.checkpoint(0).read_bytes() == (tmp_path / "start.npz").read_bytes()
    assert trained.heads == pytest.approx(start.heads, abs=1e-3) and (trained.heads != start.heads).any()
    assert [path.name for path in run.shards().iterdir()] == ["001-0000.npz"]


def test_learning_by_search_starts_from_the_shipped_net(tmp_path: Path) -> None:
    assert config.parse(METHODS["search"].config, {}).start_path() == model.SHIPPED
    run = run_of(tmp_path / "run", start="value_net")
    run._iterate()
    pairs = zip(model.load(), model.load(str(run.checkpoint(0))), strict=True)
    assert all(np.array_equal(ours, theirs) for ours, theirs in pairs)
    assert not list(run.shards().iterdir())


def test_too_few_games_to_learn_from_are_refused(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", scripted_batches=1, scripted_games=1)
    with pytest.raises(Refused, match="too few games to learn from"):
        run.train()


def test_a_start_that_is_no_value_net_is_refused_before_the_folder_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "search", "--run", str(tmp_path / "run"), "--set", f"start={tmp_path / 'none.npz'}"]
    assert main(words) == 2 and "there is no value net" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_player_that_does_not_search_is_refused_before_the_folder_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "search", "--run", str(tmp_path / "run"), "--set", "player=greedy"]) == 2
    assert "greedy is not a search: a value net cannot evaluate its leaves" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("steps", "accepted"), [(1, 1), (-1, 0), (1, -1), (1.0, 0), (1, None), (0, 0)])
def test_a_state_of_no_iteration_is_refused(steps: Any, accepted: Any, tmp_path: Path) -> None:
    run = run_of(tmp_path / "run")
    state.save(run.run.folder / "state.npz", {"steps": steps, "accepted": accepted})
    with pytest.raises(Refused, match="the training state"):
        run.resume()


@pytest.mark.parametrize(("steps", "accepted"), [(0, -1), (1, 0), (3, 1)])
def test_a_run_continues_after_its_last_iteration(steps: int, accepted: int, tmp_path: Path) -> None:
    run = run_of(tmp_path / "run")
    state.save(run.run.folder / "state.npz", {"steps": steps, "accepted": accepted})
    run.resume()
    assert (run.steps, run.accepted) == (steps, accepted)


def test_a_state_that_is_no_mapping_is_refused(tmp_path: Path) -> None:
    files.write_arrays(tmp_path / "state.npz", {state.VALUES: np.array(json.dumps([]))})
    with pytest.raises(Refused, match="is not a training state"):
        state.load(tmp_path / "state.npz")


def test_a_run_folder_may_have_a_comma(tmp_path: Path) -> None:
    run = run_of(tmp_path / "one, two")
    model.write(run.checkpoint(0), random_net(), {})
    assert np.array_equal(run.player(0).net.heads, model.read(run.checkpoint(0))[0].heads)
