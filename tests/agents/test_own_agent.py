"""Custom agents: the one of the docs, and bad ones."""

import re
import sys
from pathlib import Path

import pytest

from smallcity_agents import AgentError, make
from smallcity_env.cli import main

DOCS = (Path(__file__).parents[2] / "docs" / "first-agent.md").read_text()
(GARDENER,) = re.findall(r"A file `gardener.py`:\n\n```python\n(.*?)```", DOCS, re.DOTALL)
CHOOSY = "\n\n@dataclass\nclass Choosy(Gardener):\n    parks: bool = True\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.delitem(sys.modules, "gardener", raising=False)  # that of the guide, run before
    return tmp_path


def test_the_agent_of_the_docs_competes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len([line for line in GARDENER.splitlines() if line.strip()]) <= 20
    (here / "gardener.py").write_text(GARDENER + CHOOSY)
    assert main(["arena", "gardener.Gardener", "gardener.Choosy:parks=False", "random", "--games", "6"]) == 0
    out = capsys.readouterr().out
    assert "gardener.Choosy:parks=False" in out and "6 games" in out


def test_its_name_makes_it_again(here: Path) -> None:
    (here / "dull.py").write_text(
        "from smallcity_agents.first import First\n\n\nclass Dull(First):\n    pass\n"
    )
    agent = make("dull.Dull")
    assert agent.name == "dull.Dull" and make(agent.name) == agent


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gardener.Choosy:parks=2", "option parks of gardener.Choosy needs type bool, not '2'"),
        ("nowhere.Lazy", "the agent 'nowhere.Lazy' cannot be imported: No module named 'nowhere'"),
        ("json.Lazy", "'json.Lazy' is not an agent: json has no subclass of Agent called Lazy"),
        ("json.loads", "'json.loads' is not an agent"),
        ("lazy", "there is no agent 'lazy': choose from random"),
    ],
)
def test_bad_agents_are_refused(name: str, sentence: str, here: Path) -> None:
    (here / "gardener.py").write_text(GARDENER + CHOOSY)
    with pytest.raises(AgentError) as refusal:
        make(name)
    assert str(refusal.value).startswith(sentence)
