"""Training configurations: YAML in and out, and what is refused."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from smallcity_env.config import ConfigError
from smallcity_training import config
from smallcity_training.commands.train import METHODS
from smallcity_training.imitate import ImitateConfig
from smallcity_training.ppo import PPOConfig

NAN = float("nan")


@pytest.mark.parametrize("method", METHODS)
def test_a_configuration_survives_a_round_trip(method: str, tmp_path: Path) -> None:
    kind = METHODS[method].config
    stages = {"stages": [{"variants": [{"players": 3, "rounds": 2}]}]}
    settings = config.parse(kind, {"seed": 3} | ({} if method in ("sb3", "search") else stages))
    config.write(settings, tmp_path / "config.yaml")
    assert config.read(kind, tmp_path / "config.yaml") == settings
    assert config.read(kind, None) == kind()


def test_yaml_floats_without_a_point_are_floats(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("learning_rate: 3e-4\ngamma: 1\n")
    assert config.read(PPOConfig, tmp_path / "config.yaml").learning_rate == 3e-4


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"learning_rat": 1}, "the configuration has no key learning_rat: choose from seed, threads, device"),
        ({"net": {"chanels": 1}}, "net has no key chanels: choose from channels, district, trunk"),
        ({"stages": [{"untill": 1}]}, "stages[0] has no key untill: choose from until, reward, variants"),
        ({"steps": "many"}, "steps must be int, not 'many'"),
        ({"steps": True}, "steps must be int, not True"),
        ({"steps": 2.5}, "steps must be int, not 2.5"),
        ({"steps": None}, "steps must be int, not None"),
        ({"games": 0}, "games must be int >= 1, not 0"),
        ({"games": -3}, "games must be int >= 1, not -3"),
        ({"games": 10**30}, "games must be int <= 1000000, not 1"),
        ({"net": {"trunk": -1}}, "net.trunk must be int >= 1, not -1"),
        ({"seed": -1}, "seed must be int >= 0, not -1"),
        ({"learning_rate": 3}, "learning_rate must be float < 1.0, not 3"),
        ({"learning_rate": NAN}, "learning_rate must be float > 0.0, not nan"),
        ({"vf_coef": NAN}, "vf_coef must be float >= 0.0, not nan"),
        ({"max_grad_norm": float("inf")}, "max_grad_norm must be float <= 1000.0, not inf"),
        ({"gae_lambda": 1.5}, "gae_lambda must be float <= 1.0, not 1.5"),
        ({"stages": [{"variants": [{"share": NAN}]}]}, "stages[0].variants[0].share must be float > 0.0"),
        ({"opponents_share": 0.7, "pool_share": 0.6}, "add up to at most 1, not 1.3"),
        ({"opponents": [], "opponents_share": 0.5}, "opponents_share needs opponents"),
        ({"stages": []}, "the last at 1.0"),
        ({"stages": [{"until": 0.5}]}, "the last at 1.0"),
        ({"stages": [{"until": 1.0}, {"until": 0.5}]}, "increasing fractions"),
        ({"stages": [{"reward": "gold"}]}, "there is no reward 'gold'"),
        ({"stages": [{"variants": []}]}, "must add up to 1, not 0"),
        ({"stages": [{"variants": [{"players": 7}]}]}, "players must be 1 to 4"),
        ({"stages": [{"variants": [{"boards": []}]}]}, "2 players need 2 boards"),
        ({"stages": [{"variants": [{"modules": ["zeppelins"]}]}]}, "there is no module 'zeppelins'"),
        ({"stages": [{"variants": [{"rounds": 12}]}]}, "rounds must be 0 (all) to 8"),
        ({"stages": [{"variants": [{"share": 0.5}]}]}, "must add up to 1, not 0.5"),
        ({"games": 2, "stages": [{"variants": [{"share": 0.9}, {"share": 0.1}]}]}, "gets none of 2 games"),
        ({"stages": {"until": 1}}, "stages must be list, not {'until': 1}"),
        ({"stages": [3]}, "stages[0] must be mapping, not 3"),
        ({1: 2}, "every key of the configuration must be a word"),
        ([1], "the configuration must be mapping, not [1]"),
    ],
)
def test_invalid_values_are_refused_in_one_sentence(values: Any, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        config.parse(PPOConfig, values)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"the configuration .* cannot be read: no such file"):
        config.read(PPOConfig, tmp_path / "nowhere.yaml")
    (tmp_path / "odd.yaml").write_text("a: [")
    with pytest.raises(ConfigError, match="is not YAML"):
        config.read(PPOConfig, tmp_path / "odd.yaml")
    (tmp_path / "latin.yaml").write_bytes("start: café".encode("latin-1"))
    with pytest.raises(ConfigError, match="it is not UTF-8 text"):
        config.read(PPOConfig, tmp_path / "latin.yaml")


def test_the_page_lists_every_key_with_its_default() -> None:
    page = Path(__file__).parents[2] / "docs" / "training.md"
    listed = dict(re.findall(r"^\| `(\w+)` \| ([^|]*?) ?\|", page.read_text(), re.MULTILINE))
    known = msgspec.to_builtins(ImitateConfig()) | msgspec.to_builtins(PPOConfig())
    for key, default in known.items():
        match default:
            case [str(), *_]:
                assert listed[key] == ", ".join(default), key
            case str() if key in ("teacher", "device"):
                assert listed[key] == default
            case int() | float():
                assert float(listed[key].replace(",", "")) == default, key
            case _:
                assert listed[key] == "", key


@pytest.mark.parametrize("name", ["policy", "ppo"])
def test_the_configurations_of_the_shipped_policy_can_be_read(name: str) -> None:
    kind = ImitateConfig if name == "policy" else PPOConfig
    assert config.read(kind, Path(config.__file__).with_name(f"{name}.yaml")).steps > 0
