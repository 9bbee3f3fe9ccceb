"""`fingertip paper` prints what was published, and nothing else."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from fingertip_cli.lists.paper import command
from fingertip_dataset.errors import UsageError
from fingertip_metrics import published_rows, published_tables


def paper(*words: str) -> Result:
    return CliRunner().invoke(command, list(words))


def test_without_a_table_they_are_listed() -> None:
    done = paper()
    assert done.exit_code == 0
    assert [name for name in published_tables() if f"│ {name} " in done.stdout] == list(published_tables())
    listed = json.loads(paper("--json").stdout)["tables"]
    assert [one["table"] for one in listed] == list(published_tables())
    assert listed[2] == {
        "table": "table 3",
        "section": "5.2",
        "title": "Track 1, proactive task suggestion: no screenshot, 20 earlier intents",
        "rows": 7,
    }


@pytest.mark.parametrize("query", [("3",), ("table-3",), ("table", "3"), ("Table 3",)])
def test_a_table_has_its_numbers_source_and_setting(query: tuple[str, ...]) -> None:
    text = paper(*query).stdout
    assert "│ Qwen-QVQ-Max    │   12.8 │  0.39 │   10.60 │        2,335 │" in text
    assert "Published: FingerTip 20K, arXiv 2507.21071, ICLR 2026, table 3, section 5.2." in text
    assert "20 earlier intents, no screenshot" in text


def test_table_2_is_the_action_space() -> None:
    from fingertip_dataset.actions import parse_action

    text = paper("table 2").stdout
    assert "│ click        │ coordinates, optional text │" in text
    assert "Published: FingerTip 20K, arXiv 2507.21071, ICLR 2026, table 2, section 4.2." in text
    # every parameterless action of the paper is read as one of the release
    for row in published_rows(2):
        if not row.words:
            assert parse_action(f"{row.name}()")


def test_json_is_one_object_with_every_value() -> None:
    found = json.loads(paper("table-5", "--json").stdout)
    assert found["version"] == 1
    assert (found["table"], found["section"]) == ("table 5", "5.4")
    ours = [{**row.values, **row.words} for row in published_rows("table 5")]
    assert [row["values"] for row in found["rows"]] == ours
    assert found["rows"][4]["setting"]["lora_rank"] == 64
    assert found["rows"][6]["values"]["sr1"] is None


def test_all_prints_every_table_and_what_is_inferred_says_so() -> None:
    text = paper("all").stdout
    assert text.count("Published: ") == len(published_tables())
    assert "174" not in text.replace("177,674", "")
    assert "Inferred, not published" in text
    assert "the authors' reply to reviewer YFbi, not a table of the paper" in text
    assert len(json.loads(paper("all", "--json").stdout)["tables"]) == len(published_tables())


def test_an_unknown_table_lists_the_known_ones() -> None:
    done = paper("15")
    assert isinstance(done.exception, UsageError)
    assert "one of table 1, table 2" in str(done.exception)
