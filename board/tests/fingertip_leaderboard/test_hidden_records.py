"""The board's section of hidden tests: what it refuses, its tables, and the page that has it first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lxml.html
import pytest

from board.tests.fingertip_leaderboard.boards import results
from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.hidden_records import OTHER, OTHER_SECRET, SECRET, record, row, written
from fingertip_dataset.errors import RunError, UsageError
from fingertip_leaderboard.hidden_records import (
    HIDDEN,
    HiddenResult,
    Measured,
    read_hidden_record,
    read_hidden_records,
    read_shown,
    record_content,
)
from fingertip_leaderboard.space.hidden_section import group_hidden_rows, render_hidden
from fingertip_leaderboard.space.publish import write_space
from fingertip_leaderboard.verify_folder import verify_folder

BOTH = (SECRET, OTHER_SECRET)
HOSTILE = "<img src=x onerror=window.hacked=1>{{value}}"


def raise_score(fields: dict[str, Any]) -> None:
    fields["result"]["rows"][0]["scores"]["sr2"]["mean"] = 0.99


def rename(fields: dict[str, Any]) -> None:
    fields["result"]["card"]["name"] = "Somebody else"


def quicken(fields: dict[str, Any]) -> None:
    fields["measured"]["seconds"]["execution"] = 0.1


def other_secret(fields: dict[str, Any]) -> None:
    fields["result"]["benchmark"]["commitment"] = OTHER


@pytest.mark.parametrize("edit", [raise_score, rename, quicken, other_secret])
def test_an_edited_record_is_refused(edit: Callable[[dict[str, Any]], None], tmp_path: Path) -> None:
    file = written(record("Alpha"), tmp_path / "record.json")
    assert read_hidden_record(file).result.card.name == "Alpha"
    fields = json.loads(file.read_text(encoding="utf-8"))
    edit(fields)
    file.write_text(json.dumps(fields), encoding="utf-8")
    with pytest.raises(RunError, match="the record was edited"):
        read_hidden_record(file)


@pytest.mark.parametrize("edit", [raise_score, rename, quicken])
def test_an_edited_record_with_its_hash_made_again_is_refused(
    edit: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    fields = record("Alpha").model_dump(mode="json")
    edit(fields)
    content = record_content(
        HiddenResult.model_validate_json(json.dumps(fields["result"])),
        Measured.model_validate(fields["measured"]),
    )
    fields["sha256"] = hashlib.sha256(content).hexdigest()
    file = tmp_path / "record.json"
    file.write_text(json.dumps(fields), encoding="utf-8")
    read_hidden_record(file)
    with pytest.raises(RunError, match="the record was changed by somebody without the secret"):
        read_hidden_records([file], None, BOTH)
    with pytest.raises(RunError, match="the record was changed by somebody without the secret"):
        write_space(results(), tmp_path / "space", [read_hidden_record(file)], BOTH)
    assert not (tmp_path / "space").exists()


def test_a_record_of_no_given_secret_is_refused(tmp_path: Path) -> None:
    file = written(record("Alpha", commitment=OTHER), tmp_path / "record.json")
    for secrets in ((), (SECRET,)):
        with pytest.raises(RunError, match="the record is of none of the given secrets"):
            read_hidden_records([file], None, secrets)
    assert len(read_hidden_records([file], None, BOTH)) == 1


def test_records_of_other_versions_are_refused(tmp_path: Path) -> None:
    file = written(record("Alpha"), tmp_path / "record.json")
    fields = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(fields | {"version": 1}), encoding="utf-8")
    with pytest.raises(RunError, match="expected a record of version 3, got 1: run `fingertip hidden-test`"):
        read_hidden_record(file)
    with pytest.raises(RunError, match="expected a hidden benchmark of version 1, got 7"):
        read_hidden_record(written(record("Alpha", version=7), file))


@pytest.mark.parametrize(
    "content", ["", "[]", '{"version": 3}', '{"version": 3, "rows": NaN}', " " * (1 << 21)]
)
def test_what_is_no_record_is_refused_in_one_line(content: str, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(RunError) as refused:
        read_hidden_record(file)
    assert "\n" not in str(refused.value)


def test_a_record_in_the_folder_of_submissions_is_refused(tmp_path: Path) -> None:
    submissions, elsewhere = tmp_path / "board" / "submissions", tmp_path / "mine"
    submissions.mkdir(parents=True)
    elsewhere.mkdir()
    forged = written(record("Alpha"), submissions / "record.json")
    link = submissions / "link.json"
    link.symlink_to(written(record("Alpha"), elsewhere / "record.json"))
    into = elsewhere / "into.json"
    into.symlink_to(forged)
    around = elsewhere / ".." / "board" / "submissions" / "record.json"
    for file in (forged, link, into, around):
        with pytest.raises(UsageError, match="a submitter"):
            read_hidden_records([file], submissions, BOTH)
    assert len(read_hidden_records([elsewhere / "record.json"], submissions, BOTH)) == 1
    with pytest.raises(UsageError, match="among bundles, where a submitter may have put them"):
        read_hidden_records([written(record("Alpha"), submissions.parent / "record.json")], None, BOTH)


def test_a_record_among_bundles_is_not_read(workshop: Workshop, tmp_path: Path) -> None:
    written(record("Alpha"), tmp_path / "hidden-test-Alpha.json")
    written(record("Alpha"), tmp_path / HIDDEN)
    workshop.parts("habit").write(tmp_path / "habit")
    written(record("Alpha"), workshop.parts("recent").write(tmp_path / "recent") / HIDDEN)
    found = verify_folder(tmp_path, [workshop.sample])
    assert [one.file for one in found.submissions] == ["habit"]
    assert [one.file for one in found.refused] == ["recent"]
    assert "Alpha" not in found.model_dump_json()


def test_a_second_record_of_an_agent_and_commitment_is_refused(tmp_path: Path) -> None:
    files = [
        written(record("Alpha"), tmp_path / "1.json"),
        written(record("ALPHA", row(0.9)), tmp_path / "2.json"),
        written(record("Alpha", commitment=OTHER), tmp_path / "3.json"),
    ]
    assert len(read_hidden_records([files[0], files[2]], None, BOTH)) == 2
    for pair in (files[:2], [files[0], files[0]]):
        with pytest.raises(UsageError, match=r"is also of the agent .* with this commitment"):
            read_hidden_records(pair, None, BOTH)


def test_rows_of_different_commitments_are_never_ranked_together() -> None:
    low, high = record("Low", row(0.2)), record("High", row(0.9))
    other = record("Other", row(0.5), commitment=OTHER)
    one, two = group_hidden_rows([low, other, high])
    assert [(rank, found.result.card.name) for rank, found, _ in one.rows] == [(1, "High"), (2, "Low")]
    assert [(rank, found.result.card.name) for rank, found, _ in two.rows] == [(1, "Other")]
    assert two.conditions.benchmark.commitment == OTHER


def test_installed_agents_are_ranked_below_in_a_table_of_their_own_with_a_remark() -> None:
    package = {"name": "cheat", "version": HOSTILE, "isolated": False}
    cheats = [record(name, row(1.0, installed=package)) for name in ("Cheat", "Cheat 2")]
    isolated = record("Isolated", row(0.1, installed=package | {"isolated": True}))
    above, below = group_hidden_rows([*cheats, isolated, record("Endpoint", row(0.2))])
    assert [(rank, found.result.card.name) for rank, found, _ in above.rows] == [
        *((1, "Endpoint"), (2, "Isolated"))
    ]
    assert [found.result.card.name for _, found, _ in below.rows] == ["Cheat", "Cheat 2"]
    html = render_hidden([*cheats, record("Endpoint", row(0.2))])
    text = lxml.html.fromstring(html).text_content()
    assert text.count("it ran beside the targets and could have read them") == 2
    assert html.index("Endpoint") < html.index("installed agents</span></h3>") < html.index("Cheat")
    assert "<img" not in html


@pytest.mark.parametrize("fields", [{"protocol": "paper"}, {"decided_by": "people"}, {"history": "strict"}])
def test_rows_of_other_settings_are_never_ranked_together(fields: dict[str, Any]) -> None:
    assert len(group_hidden_rows([record("Alpha"), record("Beta", row(0.5, **fields))])) == 2


def test_equal_means_share_a_rank_and_rows_without_a_mean_have_none() -> None:
    records = [record(name, row(mean)) for name, mean in (("A", 0.5), ("B", 0.9), ("C", 0.5))]
    (table,) = group_hidden_rows([*records, record("D", row(0.1, scores={}))])
    assert [(rank, found.result.card.name) for rank, found, _ in table.rows] == [
        *((1, "B"), (2, "A"), (2, "C"), (None, "D"))
    ]


def test_the_section_escapes_names_and_says_who_ran_the_rows() -> None:
    html = render_hidden([record(HOSTILE, row(0.5, decided_by=HOSTILE))])
    assert "<img" not in html
    assert "&lt;img" in html
    assert html.count("run by the board</span>") == 1
    assert render_hidden([]) == ""


def test_a_space_has_the_records_and_a_page_has_them_first(tmp_path: Path) -> None:
    records = (record("Alpha"), record("Beta", row(0.2)))
    space = write_space(results(), tmp_path / "space", records, BOTH)
    assert read_shown(space / HIDDEN) == records
    text = (space / HIDDEN).read_text(encoding="utf-8")
    (space / HIDDEN).write_text(text.replace('"mean": 0.2', '"mean": 0.8'), encoding="utf-8")
    with pytest.raises(RunError, match="the record was edited"):
        read_shown(space / HIDDEN)
    write_space(results(), space)
    assert read_shown(space / HIDDEN) == ()
