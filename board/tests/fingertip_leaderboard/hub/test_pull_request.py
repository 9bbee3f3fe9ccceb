"""Pull requests of bundles: their content, and that only verified bytes are pushed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from fingertip_dataset.errors import HubError, UsageError
from fingertip_leaderboard import verify_bundle
from fingertip_leaderboard.hub.eval_results import EvalResults, eval_results
from fingertip_leaderboard.hub.pull_request import make_results_request, make_submission_request
from fingertip_leaderboard.hub.repo_names import slug
from fingertip_leaderboard.hub.verified import Verified


def test_a_submission_request_describes_agent_scores_and_files(verified: Callable[[str], Verified]) -> None:
    bundle = verified("phone")
    request = make_submission_request(bundle, "board/submissions")
    folder = f"submissions/7b-{bundle.sha256[:12]}"
    assert request.files == {f"{folder}/{name}": content for name, content in bundle.contents.items()}
    assert (request.repo, request.repo_type) == ("board/submissions", "dataset")
    assert request.title.startswith("小明的助手 7B: track 2 (execution), SR_2 ")
    assert request.title.endswith(f"({folder.partition('/')[2]})")
    for output in (
        "`小明的助手 7B`", "| device | adb |", f"`{bundle.sha256}`", 
        f"| SR_2 | {bundle.scores.sr2!r} | on the submitter's word |",
        f"| Sim_2 | {bundle.scores.sim2!r} | recomputed |", "| device | | on the submitter's word |",
        "somebody@example.org", "`fingertip verify`",
        bundle.bundle.run.dataset.data_sha256,
    ):  # fmt: skip
        assert output in request.text
    lines = list(request.description_lines())
    assert lines[0] == f"a pull request to the dataset repo board/submissions: {request.title}"
    assert f"  {folder}/bundle.json  {len(bundle.contents['bundle.json']):,} bytes" in lines
    assert lines[-1].endswith("bytes in all; no existing file is changed")


def test_a_folder_and_its_zip_are_the_same_submission(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("replayed screens")
    folder = parts.write(tmp_path / "folder")
    with ZipFile(tmp_path / "bundle.zip", "w") as archive:
        for name, content in parts.files().items():
            archive.writestr(name, content)
    data = workshop.dataset_of("replayed screens")
    one, other = (
        make_submission_request(Verified.of(verify_bundle(place, data)), "board/submissions")
        for place in (folder, tmp_path / "bundle.zip")
    )
    assert one.files == other.files
    assert (one.title, one.text) == (other.title, other.text)
    assert any("/screens/" in name for name in one.files)
    assert any(line.startswith("  and ") for line in one.description_lines())


def test_a_submissions_folder_name_cannot_leave_its_folder(verified: Callable[[str], Verified]) -> None:
    bundle = verified("habit")
    for name, begins in (
        ("../../etc", "etc-"), ("小红", "agent-"), ("A b/C", "a-b-c-"), ("x" * 100, "x" * 40 + "-"),
        ("| a `b` [c](https://d.example)", "a-b-c-https-d-example-"),
    ):  # fmt: skip
        card = bundle.bundle.card.model_copy(update={"name": name})
        renamed = replace(bundle, bundle=bundle.bundle.model_copy(update={"card": card}))
        request = make_submission_request(renamed, "board/submissions")
        folder = slug(name, bundle.sha256)
        assert folder == begins + bundle.sha256[:12]
        assert all(file.startswith(f"submissions/{folder}/") for file in request.files)
        (row,) = (line for line in request.text.splitlines() if line.startswith("| name |"))
        assert (row.count("|"), row.count("`")) == (3, 2)


def test_only_verified_bytes_are_pushed(workshop: Workshop, tmp_path: Path) -> None:
    data = workshop.dataset_of("habit")
    place = workshop.parts("habit").write(tmp_path / "habit")
    with pytest.raises(HubError, match="verified on the dataset, got one without scores"):
        Verified.of(verify_bundle(place, None))
    report = verify_bundle(place, data)
    with (place / "predictions.jsonl").open("ab") as tasks:
        tasks.write(b"{}\n")
    with pytest.raises(HubError, match="the bundle changed since it was verified"):
        Verified.of(report)
    with pytest.raises(HubError, match=r"got a refused one, predictions\.jsonl"):
        Verified.of(verify_bundle(place, data))
    forged = workshop.parts("habit")
    forged.head["card"]["name"] = "Another"
    forged.write(place)
    with pytest.raises(HubError, match="the bundle changed since it was verified"):
        Verified.of(report)
    (place / "more.txt").write_text("?")
    with pytest.raises(HubError, match="the verified bundle cannot be read any more"):
        Verified.of(report)


def test_a_results_request_adds_the_scores_to_a_models_repo(verified: Callable[[str], Verified]) -> None:
    bundle = verified("habit")
    results = eval_results(bundle.bundle, bundle.scores, benchmark="board/fingertip-20k")
    request = make_results_request(bundle, results, "xiaohong/agent-7b")
    (file,) = request.files
    assert file == f".eval_results/fingertip-20k-suggestion-{bundle.sha256[:12]}.yaml"
    assert request.files[file] == results.text.encode()
    assert hashlib.sha256(bundle.contents["bundle.json"]).hexdigest() in request.text
    assert "  without SR_1: there is no judge" in list(request.description_lines())
    nothing = EvalResults(text="", values={}, left_out=("every score: faults",))
    with pytest.raises(HubError, match="there is no score for --model-repo: every score: faults"):
        make_results_request(bundle, nothing, "xiaohong/agent-7b")
    with pytest.raises(UsageError, match="expected --model-repo as OWNER/NAME"):
        make_results_request(bundle, results, "agent-7b")
