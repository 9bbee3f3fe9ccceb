from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.source import source
from fingertip_leaderboard.ranking import tables
from fingertip_leaderboard.verified_records import ShownSetting, VerifiedResults
from fingertip_leaderboard.verify.verify_bundle import verify_bundle
from fingertip_leaderboard.verify_folder import (
    RESULTS,
    bundles_in,
    content_sha256,
    read_results,
    verify_folder,
)
from tests.fingertip_leaderboard.boards import HONEST, LATER, folder_of_bundles
from tests.fingertip_leaderboard.bundle_factory import Workshop


@pytest.fixture(scope="module")
def folder(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_bundles(workshop, tmp_path_factory.mktemp("board"))


@pytest.fixture(scope="module")
def verified(workshop: Workshop, folder: Path) -> VerifiedResults:
    return verify_folder(folder, [workshop.sample, workshop.simulated], now=LATER)


def test_honest_bundles_are_accepted_and_the_forged_one_is_refused(verified: VerifiedResults) -> None:
    assert {one.file for one in verified.submissions} == set(HONEST)
    assert [(one.file, [reason.kind for reason in one.reasons]) for one in verified.refused] == [
        ("forged", ["wrong_score"])
    ]
    shown = {
        row.submission.file for table in tables(verified, ("sim1", "sr1", "execution")) for row in table.rows
    }
    assert shown == set(HONEST)


@pytest.mark.parametrize("seed", HONEST)
def test_means_and_intervals_are_those_of_the_verifier(
    workshop: Workshop, folder: Path, verified: VerifiedResults, seed: str
) -> None:
    report = verify_bundle(folder / seed, workshop.dataset_of(seed), now=LATER)
    mine = next(one for one in verified.submissions if one.file == seed)
    scores = report.scores
    assert scores is not None
    output = getattr(scores, "intervals", None) or dict(scores.means) | {"sr2": scores.success.sr2}  # type: ignore[union-attr]
    for name, score in mine.scores.items():
        if name == "sr1":
            assert report.sr1 is not None
            assert score.mean == pytest.approx(report.sr1.sr1)
        elif name == "sr2" and output[name] is not None:
            success = scores.success  # type: ignore[union-attr]
            assert (score.mean, score.n) == (pytest.approx(success.successes / success.tasks), success.tasks)
        elif output[name] is None:
            assert (score.mean, score.n) == (None, 0)
        else:
            assert (score.mean, score.low, score.high) == pytest.approx(
                (output[name].mean, output[name].low, output[name].high)
            )
    assert (mine.caveats, mine.sha256) == (scores.caveats, report.sha256) or seed == "judged"


def test_breakdowns_and_paired_values_add_up(verified: VerifiedResults) -> None:
    for one in verified.submissions:
        track = one.conditions[0].track
        ids = verified.benchmark(one.conditions[0].data_sha256).task_ids[track]
        groups = {"app", "category", "user type"} | ({"difficulty"} if track == "execution" else set())
        assert set(one.by) == groups
        for rows in one.by.values():
            assert sum(row.tasks for row in rows) == len(ids)
            for name, score in one.scores.items():
                parts = [(row.scores[name].mean or 0.0, row.scores[name].n) for row in rows]
                assert sum(n for _, n in parts) == score.n
                if score.mean is not None:
                    assert math.fsum(mean * n for mean, n in parts) / score.n == pytest.approx(score.mean)
        for name, values in one.values.items():
            known = [value for value in values if value is not None]
            assert (len(values), len(known)) == (len(ids), one.scores[name].n)
            assert known == [] or math.fsum(known) / len(known) == pytest.approx(one.scores[name].mean)


def test_verified_results_contain_no_targets(
    workshop: Workshop, folder: Path, verified: VerifiedResults
) -> None:
    text = (folder / RESULTS).read_text(encoding="utf-8")
    report = verify_bundle(folder / "habit", workshop.sample, now=LATER)
    assert report.scores is not None
    assert verified == read_results(folder) == read_results(folder / RESULTS)
    for split in ("test_suggestion", "test_execution"):
        for row in BuiltDataset.open(workshop.sample).rows(split):
            assert row["intent"] not in text
            assert json.dumps(row["actions"][0]["raw"], ensure_ascii=False)[1:-1] not in text


def test_unchanged_bundles_are_not_verified_again(workshop: Workshop, tmp_path: Path) -> None:
    def written(**options: bool) -> int:
        verify_folder(tmp_path, [workshop.sample], now=LATER, **options)
        return (tmp_path / RESULTS).stat().st_mtime_ns

    workshop.parts("habit").write(tmp_path / "a")
    first = written()
    known = not source().dirty
    assert (written() == first) == known, "of code with changes nobody knows whether it is the same"
    assert written(again=True) > first
    before = written()
    with (tmp_path / "a" / "predictions.jsonl").open("a") as file:
        file.write("\n")
    assert written() > before
    assert [one.file for one in read_results(tmp_path).refused] == ["a"]


def test_a_duplicate_bundle_is_one_submission(workshop: Workshop, tmp_path: Path) -> None:
    for name in ("a", "b"):
        workshop.parts("habit").write(tmp_path / name)
    found = verify_folder(tmp_path, [workshop.sample], now=LATER)
    assert [one.file for one in found.submissions] == ["a"]
    assert [(one.file, one.reasons[0].kind) for one in found.refused] == [("b", "copied_run")]


def test_the_submission_on_the_board_counts_as_the_original(workshop: Workshop, tmp_path: Path) -> None:
    workshop.parts("judged").write(tmp_path / "judged")
    verify_folder(tmp_path, [workshop.sample], now=LATER)
    copied = workshop.parts("judged")
    copied.head["card"]["name"] = "mine"
    copied.write(tmp_path / "aaa")
    found = verify_folder(tmp_path, [workshop.sample], now=LATER)
    assert [one.file for one in found.submissions] == ["judged"]
    assert [(one.file, {reason.kind for reason in one.reasons}) for one in found.refused] == [
        ("aaa", {"copied_run"})
    ]


def test_a_bundles_hash_depends_on_all_of_its_content(workshop: Workshop, tmp_path: Path) -> None:
    place = workshop.parts("habit").write(tmp_path / "bundle")
    before = content_sha256(place)
    assert content_sha256(workshop.parts("habit").write(tmp_path / "other")) == before
    with (place / "predictions.jsonl").open("a") as file:
        file.write("\n")
    assert content_sha256(place) != before
    (tmp_path / "link").symlink_to(place)
    assert content_sha256(tmp_path / "link") not in (before, content_sha256(place))


def test_invalid_calls_are_one_line_errors(workshop: Workshop, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the folder holds no bundles"):
        verify_folder(tmp_path, [workshop.sample])
    workshop.parts("habit").write(tmp_path / "a")
    with pytest.raises(UsageError, match="a dataset is needed"):
        verify_folder(tmp_path, [])
    with pytest.raises(UsageError, match="one dataset is given twice"):
        verify_folder(tmp_path, [workshop.sample, workshop.sample])
    with pytest.raises(RunError, match="fingertip leaderboard FOLDER --dataset DATASET"):
        read_results(tmp_path)
    (tmp_path / RESULTS).write_text('{"version": 3}')
    with pytest.raises(RunError, match="expected results of version 2 or older, got 3"):
        read_results(tmp_path)
    (tmp_path / RESULTS).write_text('{"version": 1}')
    with pytest.raises(RunError, match=r"expected a valid verified\.json, got at checked"):
        read_results(tmp_path)
    assert [path.name for path in bundles_in(tmp_path)] == ["a"]


def test_results_of_version_1_are_read_without_a_task_view(verified: VerifiedResults, tmp_path: Path) -> None:
    plain = verified.model_dump(mode="json") | {"version": 1}
    for row in plain["submissions"]:
        for found in row["conditions"]:
            del found["told"], found["as_the_paper"]
    (tmp_path / RESULTS).write_text(json.dumps(plain), encoding="utf-8")
    old = read_results(tmp_path)
    assert {of.told for row in old.submissions for of in row.conditions} == {None}
    assert {of.told for row in verified.submissions for of in row.conditions} > {ShownSetting()}
    assert not any(of.as_the_paper for row in verified.submissions for of in row.conditions)
