from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from board.tests.fingertip_leaderboard.boards import HONEST, LATER, folder_of_bundles
from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.content_hash import OVER_LIMITS
from fingertip_leaderboard.commands.leaderboard import command as leaderboard
from fingertip_leaderboard.evidence import WORD
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.results_file import RESULTS, read_results, write_results
from fingertip_leaderboard.verified_records import SHORTEST, VerifiedResults
from fingertip_leaderboard.verify.verify_bundle import verify_bundle
from fingertip_leaderboard.verify_folder import hash_content, list_bundles, verify_folder


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
        row.submission.file
        for table in make_tables(verified, ("sim1", "sr1", "execution"))
        for row in table.rows
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
        if one.conditions[0].provenance == "simulated":
            groups |= {"language", "trouble"} | ({SHORTEST} if track == "execution" else set())
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
    workshop: Workshop, verified: VerifiedResults, tmp_path: Path
) -> None:
    write_results(verified, tmp_path / RESULTS)
    assert verified == read_results(tmp_path / RESULTS)
    text = (tmp_path / RESULTS).read_text(encoding="utf-8")
    for split in ("test_suggestion", "test_execution"):
        for row in BuiltDataset.open(workshop.sample).rows(split):
            assert row["intent"] not in text
            assert json.dumps(row["actions"][0]["raw"], ensure_ascii=False)[1:-1] not in text


def test_a_duplicate_bundle_is_one_submission(workshop: Workshop, tmp_path: Path) -> None:
    for name in ("a", "b"):
        workshop.parts("habit").write(tmp_path / name)
    found = verify_folder(tmp_path, [workshop.sample], now=LATER)
    assert [one.file for one in found.submissions] == ["a"]
    assert [(one.file, one.reasons[0].kind) for one in found.refused] == [("b", "copied_run")]


def test_a_bundles_hash_depends_on_all_of_its_content(workshop: Workshop, tmp_path: Path) -> None:
    place = workshop.parts("habit").write(tmp_path / "bundle")
    before = hash_content(place)
    assert hash_content(workshop.parts("habit").write(tmp_path / "other")) == before
    with (place / "predictions.jsonl").open("a") as file:
        file.write("\n")
    assert hash_content(place) != before
    (tmp_path / "link").symlink_to(place)
    assert hash_content(tmp_path / "link") not in (before, hash_content(place))


def test_hostile_folders_and_archives_are_refused_and_the_others_go_on(
    workshop: Workshop, tmp_path: Path
) -> None:
    """Folders nested beyond the longest path, and a huge sparse file."""
    board = tmp_path / "board"
    workshop.parts("habit").write(board / "honest")
    nested = workshop.parts("ours").write(board / "nested")
    inner, outer = tmp_path / ("n" * 100), tmp_path / "outer"
    inner.mkdir()
    # from the inside out, because no path reaches the innermost folder
    for _ in range(60):
        outer.mkdir()
        inner.rename(outer / inner.name)
        outer.rename(inner)
    inner.rename(nested / inner.name)
    with (board / "large.zip").open("wb") as file:
        file.truncate(20 << 30)
    found = verify_folder(board, [workshop.sample], now=LATER)
    assert [one.file for one in found.submissions] == ["honest"]
    assert {one.file: one.reasons[0].kind for one in found.refused} == {
        "large.zip": "broken_zip",
        "nested": "unknown_file",
    }


def test_a_bundle_beyond_the_limits_is_not_hashed(tmp_path: Path) -> None:
    (tmp_path / "a.zip").touch()
    os.truncate(tmp_path / "a.zip", 20 << 30)
    assert hash_content(tmp_path / "a.zip") == OVER_LIMITS
    (tmp_path / "b" / "/".join("123456789")).mkdir(parents=True)
    assert hash_content(tmp_path / "b") == OVER_LIMITS
    (tmp_path / "c" / "/".join("12345678")).mkdir(parents=True)
    assert hash_content(tmp_path / "c") != OVER_LIMITS


def test_invalid_calls_are_one_line_errors(workshop: Workshop, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the folder holds no bundles"):
        verify_folder(tmp_path, [workshop.sample])
    workshop.parts("habit").write(tmp_path / "a")
    with pytest.raises(UsageError, match="a dataset is needed"):
        verify_folder(tmp_path, [])
    with pytest.raises(UsageError, match="a dataset is given twice: name each dataset once"):
        verify_folder(tmp_path, [workshop.sample, workshop.sample])
    assert [path.name for path in list_bundles(tmp_path)] == ["a"]


def test_results_of_other_versions_and_broken_ones_are_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / RESULTS
    with pytest.raises(RunError, match="fingertip leaderboard FOLDER --dataset DATASET"):
        read_results(file)
    for version, words in (
        (1, "version 1, which does not say what each score rests on: verify the bundles again"),
        (2, "version 2, which does not say what each score rests on: verify the bundles again"),
        (4, "expected results of version 3, got 4"),
        (3, r"expected a valid verified\.json, got at checked"),
    ):
        file.write_text(f'{{"version": {version}}}')
        with pytest.raises(RunError, match=words):
            read_results(file)


def forged_results(verified: VerifiedResults) -> str:
    """Verified results in which a submission has another name and a perfect score."""
    plain = verified.model_dump(mode="json")
    plain["submissions"][0]["card"]["name"] = "Forged"
    for score in plain["submissions"][0]["scores"].values():
        score["mean"] = 1.0
    return json.dumps(plain)


def test_forged_results_among_bundles_are_never_read(
    workshop: Workshop, verified: VerifiedResults, tmp_path: Path
) -> None:
    folder = tmp_path / "submissions"
    workshop.parts("habit").write(folder / "habit")
    forged = forged_results(verified)
    places = [folder / RESULTS, folder / "habit" / RESULTS, tmp_path / RESULTS, folder / "other.json"]
    places += [folder / "notes" / RESULTS, folder / "notes" / "old" / RESULTS]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(forged, encoding="utf-8")
        with pytest.raises(UsageError, match="results must not lie among bundles"):
            read_results(place)
        with pytest.raises(UsageError, match="results must not lie among bundles"):
            write_results(verified, place)
    (folder / "habit" / RESULTS).unlink()
    found = verify_folder(folder, [workshop.sample], now=LATER)
    assert "Forged" not in found.model_dump_json()
    assert [one.card.name for one in found.submissions] == ["Baseline"]
    assert [place.read_text(encoding="utf-8") == forged for place in places if place.exists()] == [True] * (
        len(places) - 1
    )


def test_forged_results_are_neither_shown_nor_shipped_by_the_command(
    workshop: Workshop, verified: VerifiedResults, tmp_path: Path
) -> None:
    folder = tmp_path / "bundles"
    workshop.parts("habit").write(folder / "habit")
    (folder / RESULTS).write_text(forged_results(verified), encoding="utf-8")
    space = ["--space", str(tmp_path / "space")]
    for call in ([str(folder), *space], [str(folder / RESULTS), *space]):
        done = CliRunner().invoke(leaderboard, call)
        assert isinstance(done.exception, UsageError)
        assert not (tmp_path / "space").exists()
    done = CliRunner().invoke(leaderboard, [str(folder), "--dataset", str(workshop.sample), *space])
    assert (done.exit_code, "Forged" in done.output) == (0, False), done.output
    shipped = read_results(tmp_path / "space" / RESULTS)
    assert [one.card.name for one in shipped.submissions] == ["Baseline"]


def test_each_score_says_what_it_rests_on(verified: VerifiedResults) -> None:
    rests = {one.file: one.evidence for one in verified.submissions}
    for name, found in rests.items():
        shown = next(one for one in verified.submissions if one.file == name)
        assert set(shown.scores) <= set(found)
        assert {found["seconds"], found["tokens"]} == {WORD}
    assert rests["judged"]["sr1"] == WORD
    assert rests["habit"]["sim1"] == "recomputed"
    assert (rests["phone"]["sr2"], rests["phone"]["device"], rests["phone"]["sim2"]) == (
        WORD,
        WORD,
        "recomputed",
    )
    assert rests["person"]["sr2"] == rests["person"]["device"] == "success by rule, re-run"


def test_a_made_up_answer_of_a_judge_is_on_the_submitters_word(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("judged")
    for verdict in parts.verdicts:
        output = json.loads(verdict["output"]) | {"same": True}
        verdict.update(state="same", votes=["same"], output=json.dumps(output, ensure_ascii=False))
    parts.head["scores"]["sr1"] = 1.0
    parts.write(tmp_path / "forged")
    (found,) = verify_folder(tmp_path, [workshop.sample], now=LATER).submissions
    assert (found.scores["sr1"].mean, found.evidence["sr1"]) == (1.0, WORD)
    by_measure = {one.measure: one.evidence for one in found.conditions}
    assert by_measure == {"sim1": "recomputed", "sr1": WORD}


def test_verdicts_of_a_foreign_prompt_are_on_the_submitters_word(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("judged")
    parts.head["judge"]["settings"]["prompt"]["sha256"] = "0" * 64
    for verdict in parts.verdicts:
        verdict.update(state="same", votes=["same"], output="same")
    parts.head["scores"]["sr1"] = 1.0
    parts.write(tmp_path / "forged")
    (found,) = verify_folder(tmp_path, [workshop.sample], now=LATER).submissions
    assert found.evidence["sr1"] == WORD
    assert any("are not of our prompt: they are not checked" in remark for remark in found.remarks)


def test_verdicts_by_the_rule_are_recomputed(workshop: Workshop, tmp_path: Path) -> None:
    workshop.parts("model").write(tmp_path / "model")
    (found,) = verify_folder(tmp_path, [workshop.sample], now=LATER).submissions
    assert found.evidence["sr1"] == "recomputed"
