"""Configurations of training: YAML in and out, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from smallcity_env.config import ConfigError
from smallcity_training import config

KINDS = [config.PPO, config.Imitate, config.Value]


@pytest.mark.parametrize("kind", KINDS)
def test_a_configuration_goes_out_and_comes_back(kind: type[config.Common], tmp_path: Path) -> None:
    wanted = config.checked(kind, {"seed": 3, "stages": [{"tables": [{"players": 3, "rounds": 2}]}]})
    config.write(wanted, tmp_path / "config.yaml")
    assert config.read(kind, tmp_path / "config.yaml") == wanted


def test_without_a_file_there_are_defaults() -> None:
    assert config.read(config.PPO, None) == config.PPO()


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"learning_rat": 1}, "PPO has no learning_rat: there are seed, threads, steps"),
        ({"net": {"chanels": 1}}, "net has no chanels: there are channels, district, trunk"),
        ({"steps": "many"}, "steps must be of type int, not 'many'"),
        ({"steps": True}, "steps must be of type int"),
        ({"games": 0}, "games must be at least 1, not 0"),
        ({"learning_rate": 3}, "learning_rate must lie between 0 and 1, not 3"),
        ({"trace": 1.5}, "trace must lie between 0 and 1, not 1.5"),
        ({"opponents_share": 0.7, "pool_share": 0.6}, "together at most 1, not 1.3"),
        ({"opponents": [], "opponents_share": 0.5}, "opponents_share needs opponents"),
        ({"stages": []}, "the last at 1.0"),
        ({"stages": [{"until": 0.5}]}, "the last at 1.0"),
        ({"stages": [{"until": 1.0}, {"until": 0.5}]}, "one after the other"),
        ({"stages": [{"reward": "gold"}]}, "there is no reward 'gold'"),
        ({"stages": [{"tables": [{"players": 7}]}]}, "players must be 1 to 4"),
        ({"stages": [{"tables": [{"modules": ["zeppelins"]}]}]}, "there is no module 'zeppelins'"),
        ({"stages": [{"tables": [{"rounds": 12}]}]}, "1 to 8 rounds"),
        ({"stages": [{"tables": [{"share": 0.5}]}]}, "must add up to 1, not 0.5"),
        ({"games": 2, "stages": [{"tables": [{"share": 0.9}, {"share": 0.1}]}]}, "has no game"),
        ({"stages": {"until": 1}}, "stages must be a list"),
        ({"stages": [3]}, "stages must be keys with values, not 3"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(values: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as wrong:
        config.checked(config.PPO, values)
    assert says in str(wrong.value)


def test_a_missing_file_and_no_yaml_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no configuration"):
        config.read(config.PPO, tmp_path / "nowhere.yaml")
    (tmp_path / "odd.yaml").write_text("a: [")
    with pytest.raises(ConfigError, match="is not YAML"):
        config.read(config.PPO, tmp_path / "odd.yaml")


@pytest.mark.parametrize("name", ["warm", "policy"])
def test_the_configurations_of_the_shipped_policy_can_be_read(name: str) -> None:
    kind = config.Imitate if name == "warm" else config.PPO
    assert config.read(kind, Path(config.__file__).with_name(f"{name}.yaml")).steps > 0
