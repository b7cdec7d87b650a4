"""The name of a library: any edited rule changes it, an edited comment does not."""

from pathlib import Path

import pytest

from smallcity_env.library import sources
from smallcity_env.rules._library import library

FILES = library.files()
BEFORE = sources.code_hash(FILES)


@pytest.mark.parametrize("module", FILES)
def test_an_edited_line_changes_the_name_and_a_comment_does_not(module: str, tmp_path: Path) -> None:
    source, copy = FILES[module].read_text(), tmp_path / "copy.py"
    copy.write_text(f"{source}\nEDITED = 1\n")
    assert sources.code_hash(FILES | {module: copy}) != BEFORE
    copy.write_text(f"# a comment\n{source}\n# another\n")
    assert sources.code_hash(FILES | {module: copy}) == BEFORE


def test_docstrings_do_not_count_and_other_texts_do() -> None:
    one = sources.code_of('"""One."""\ndef f():\n    """Two."""\n    return "a"\n')
    assert one == sources.code_of('"""1."""\n\n\ndef f():\n    """2."""\n    return ("a")\n')
    assert one != sources.code_of('"""One."""\ndef f():\n    """Two."""\n    return "b"\n')


@pytest.mark.parametrize(
    "module",
    [
        "smallcity_env.rules._sets", "smallcity_env.rules._emit", "smallcity_env.rules.questions",
        "smallcity_env.rules.modules.promise_cards", "smallcity_env.rules.tables.tiles",
        "smallcity_agents.evaluation.weights", "smallcity_agents.search.schema",
        "smallcity_training.entries",
        "library.translate",
    ],
)  # fmt: skip
def test_what_is_imported_late_or_by_name_counts_too(module: str) -> None:
    assert module in FILES


def test_the_bytes_of_a_file_and_its_name_count(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "folder" / "two.py"
    two.parent.mkdir()
    one.write_text("x = 1")
    two.write_text("x = 2")
    before = sources.bytes_hash([one, two.parent])
    assert sources.bytes_hash([two.parent, one]) != before
    two.write_text("x = 3")
    assert sources.bytes_hash([one, two.parent]) != before
