"""Config: which games can be played, and what is wrong with the others, all of it at once."""

import numpy as np
import pytest

from smallcity_agents.arena.results import game_of
from smallcity_env import MODULES, Config, ConfigError, Game, Log, batch
from smallcity_env.rules.tables.maps import ASIAN, NAMES
from tests.random_games import CITIES, random_config

CITY_NAMES = sorted(NAMES[city] for city in ASIAN)


def wrong(**given) -> str:
    """What a config is refused with."""
    with pytest.raises(ConfigError) as refused:
        Config(**given)
    return str(refused.value)


def test_the_default_is_four_players_base_easy_votes_and_godzillas():
    """SU6."""
    config = Config()
    assert config == Config(4, ("godzillas",), ("base-easy",) * 4, "votes", False, False)


@pytest.mark.parametrize("players", [0, 5, -1, 100, "4", 2.5, None])
def test_one_to_four_play(players):
    assert f"players must be 1 to 4, not {players!r}" in wrong(players=players)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_one_board_name_is_for_all(players):
    assert Config(players, boards="river-easy").boards == ("river-easy",) * players


def test_a_board_for_each_player():
    assert wrong(players=3, boards=["base-easy"] * 2) == "3 players need 3 boards, not 2"
    assert wrong(players=1, boards=["base-easy"] * 2) == "1 players need 1 boards, not 2"


def test_names_that_are_none_are_named_with_the_choices():
    assert wrong(modules=["zeppelins"]).startswith("there is no module 'zeppelins': choose from godz")
    assert wrong(boards="atlantis").startswith("there is no board 'atlantis': choose from base-easy,")
    assert wrong(victory="fame") == (
        "there is no victory 'fame': choose from votes, economics, population, culture"
    )


def test_new_promise_cards_need_new_buildings():
    """PC1."""
    assert wrong(modules=["promise_cards"]) == "promise_cards needs new_buildings"
    Config(modules=["promise_cards", "new_buildings"])


def test_stockholm_needs_godzillas():
    """G12."""
    assert wrong(modules=(), stockholm=True) == "stockholm needs godzillas"
    Config(stockholm=True)


def test_the_godzilla_rules_of_2016_need_godzillas():
    """G13."""
    assert wrong(modules=(), godzilla_rules="2016") == "the godzilla rules of 2016 need godzillas"
    assert wrong(godzilla_rules="1954") == "there are no godzilla rules '1954': choose from 2022, 2016"
    Config(modules=(), godzilla_rules="2022")
    Config(godzilla_rules="2016")


@pytest.mark.parametrize("victory", ["economics", "population", "culture"])
@pytest.mark.parametrize("city", CITY_NAMES)
def test_asian_boards_allow_votes_only(city, victory):
    """AS1."""
    output = wrong(players=2, boards=[city, "base-easy"], victory=victory)
    assert output == f"the Asian boards ({city}) allow only the victory 'votes'"
    Config(players=2, boards=[city, "base-easy"])


def test_each_city_at_most_once():
    """AS1; landscapes as often as you like."""
    assert wrong(players=3, boards="seoul") == "the city 'seoul' can be played once, not 3 times"
    Config(players=4, boards=CITIES[:4])
    Config(players=4, boards="mountain-expert")


def test_a_module_is_named_once():
    assert "'doctors' is named 2 times" in wrong(modules=["doctors", "mayor", "doctors"])


def test_everything_wrong_is_said_at_once():
    output = wrong(
        players=3,
        modules=["promise_cards", "promise_cards", "zeppelins"],
        boards=["seoul", "seoul", "atlantis", "ys"],
        victory="culture",
        stockholm=True,
        godzilla_rules="2016",
    )
    for part in (
        "3 players need 3 boards, not 4",
        "'promise_cards' is named 2 times",
        "there is no module 'zeppelins'",
        "promise_cards needs new_buildings",
        "there is no board 'atlantis'",
        "there is no board 'ys'",
        "the Asian boards (seoul, seoul) allow only the victory 'votes'",
        "the city 'seoul' can be played once, not 2 times",
        "stockholm needs godzillas",
        "the godzilla rules of 2016 need godzillas",
    ):
        assert part in output
    assert output.count(";") == 9


def test_lists_and_generators_become_tuples_and_a_name_stands_for_itself():
    config = Config(players=2, modules=(m for m in ["mayor"]), boards=iter(["tokyo", "delhi"]))
    assert (config.modules, config.boards) == (("mayor",), ("tokyo", "delhi"))
    assert Config(modules="mayor") == Config(modules=["mayor"])
    assert hash(config) == hash(Config(2, ["mayor"], ["tokyo", "delhi"]))


def test_a_config_stays_as_it_is():
    with pytest.raises(AttributeError):
        Config().players = 2  # type: ignore[misc]


def test_a_record_tells_its_config():
    for seed in range(200):
        config = random_config(seed)
        state = batch.new(1, config, [seed])[0]
        read = Config.of(state)
        assert set(read.modules) == set(config.modules)
        assert read == Config(
            config.players,
            [module for module in MODULES if module in config.modules],
            config.boards,
            config.victory,
            config.advanced,
            config.stockholm,
            config.godzilla_rules,
        )


def test_random_configs_are_of_every_sort():
    configs = [random_config(seed) for seed in range(400)]
    assert {config.players for config in configs} == {1, 2, 3, 4}
    assert {module for config in configs for module in config.modules} == set(MODULES)
    assert {board for config in configs for board in config.boards} == set(NAMES.values())
    assert len({config.victory for config in configs}) == 4
    assert {config.stockholm for config in configs} == {config.advanced for config in configs}
    assert {config.godzilla_rules for config in configs} == {"2022", "2016"}
    assert random_config(3) == random_config(3) != random_config(4)


def test_seats_without_player_have_no_board():
    states = batch.blank(2, Config(players=2, boards=["tokyo", "delhi"]))
    assert not states["rules"]["board"][:, 2:].any()
    assert np.array_equal(states[0], states[1])


@pytest.mark.parametrize("rounds", [-1, 9, "4", 2.5, None])
def test_a_game_can_be_shorter_but_not_longer(rounds):
    assert f"rounds must be 0 (all) to 8 with these modules, not {rounds!r}" in wrong(rounds=rounds)
    assert Config(rounds=8) == Config() and Config(rounds=np.int64(4)).rounds == 4
    assert Config(modules=("power_plants",), rounds=9) == Config(modules=("power_plants",))
    assert Config(modules=("power_plants",), rounds=8).rounds == 8
    assert repr(Config(players=1, rounds=3)).endswith("rounds=3)") and "rounds" not in repr(Config())


@pytest.mark.parametrize("rounds", [1, 4])
def test_a_shorter_game_is_the_beginning_of_a_whole_one(rounds):
    config = Config(players=3, modules=MODULES, rounds=rounds)
    short, whole = batch.new(8, config, range(8)), batch.new(8, Config(players=3, modules=MODULES), range(8))
    legal, chance = batch.masks(whole), batch.rng.streams(np.arange(8))
    while not batch.over(short).any():
        assert (short["rules"]["rounds"] == rounds).all() and (short["round_no"] <= rounds).all()
        batch.validate(short)
        likened = batch.clone(short)
        likened["rules"]["rounds"] = whole["rules"]["rounds"]
        if (short["round_no"] < rounds).all():
            assert likened.tobytes() == whole.tobytes()
            batch.step(whole, (actions := batch.pick(legal, chance)), legal)
            batch.step(short, actions, batch.masks(short))
        else:
            batch.step(short, batch.pick(mask := batch.masks(short), chance), mask)


def test_a_shorter_game_is_written_and_read_as_one():
    game = Game(Config(players=2, rounds=2), seed=3)
    for _ in range(12):
        game.step(game.legal()[0])
    for read in (Game.from_text(game.to_text()), Game.load(game.save()), game.clone()):
        assert read.config == Config(players=2, rounds=2) and read.state.tobytes() == game.state.tobytes()
    while not game.over:
        game.step(game.legal()[-1])
    again = Game.replay(Log.from_text(game.log.to_text()))
    assert game.round == 2 and again.state.tobytes() == game.state.tobytes()
    assert Config.of(game.state) == game.config == Config(players=2, rounds=2)


def test_games_of_the_usual_length_are_recorded_as_before():
    assert "rounds" not in game_of(Config()) and Config(**game_of(Config(rounds=2))) == Config(rounds=2)
