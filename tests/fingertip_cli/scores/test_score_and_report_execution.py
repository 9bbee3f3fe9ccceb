"""`fingertip score` and `fingertip report` on runs of track 2, as a user calls them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fingertip_runs.benchmark_versions import HARNESS
from tests.command_line import fingertip
from tests.shared_datasets import built_sample


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's dataset, a run of track 2 on its recorded episodes, and one of track 1."""
    folder = tmp_path_factory.mktemp("sample")
    dataset = folder / "data"
    dataset.symlink_to(built_sample(tmp_path_factory))
    for words in (
        ("execute", dataset, "--agent", "imitate", "--device", "replay", "--out", folder / "two"),
        ("suggest", dataset, "--agent", "habit", "--out", folder / "one"),
    ):
        done = fingertip(*words)
        assert done.returncode == 0, done.stderr
    return folder


def test_score_prints_a_table_and_writes_the_file(folder: Path) -> None:
    done = fingertip("score", folder / "two", "--by", "difficulty", "--published", "--notes")
    assert (done.returncode, done.stderr) == (0, "")
    assert "replay of recorded episodes" in done.stdout
    assert "two: by difficulty" in done.stdout
    assert "UI-TARS-1.5-7B" in done.stdout
    assert "Not comparable with the paper: the data were not recorded from people" in done.stdout
    scores = json.loads((folder / "two" / "scores.json").read_text(encoding="utf-8"))
    assert scores["depends_on"]["run"]["track"] == "execution"
    assert scores["comparable"] is False


def test_score_prints_every_grouping_and_one_json_object(folder: Path) -> None:
    done = fingertip("score", folder / "two", "--by", "sex", "--by", "phone_brand")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.index("two: by sex") < done.stdout.index("two: by phone_brand")
    done = fingertip("score", folder / "two", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (output,) = json.loads(done.stdout)["runs"]
    assert {group["group"] for group in output["by"]["phone_brand"]} <= {"小米", "华为", "vivo"}
    assert sum(group["success"]["tasks"] for group in output["by"]["sex"]) == output["n"]


def test_report_writes_one_page(folder: Path, tmp_path: Path) -> None:
    done = fingertip("report", folder / "two", "--out", "page.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("page.html: 1 run, ")
    assert "Personalized task execution" in (tmp_path / "page.html").read_text(encoding="utf-8")
    named = fingertip("report", folder / "two", cwd=tmp_path)
    other = fingertip("report", folder / "one", "--embedder", "lexical", cwd=tmp_path)
    assert named.stdout.startswith("track-2-two.html: 1 run, "), named.stderr
    assert other.stdout.startswith("track-1-one.html: 1 run, "), other.stderr
    assert {"track-1-one.html", "track-2-two.html"} < {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("line_count", ["all", "none"])
@pytest.mark.parametrize(
    ("folder_of", "words", "log"),
    [
        ("one", ("execute", "data", "--agent", "imitate", "--device", "replay"), "predictions.jsonl"),
        ("two", ("suggest", "data", "--agent", "habit"), "steps.jsonl"),
    ],
)
def test_a_run_of_the_other_track_is_never_changed(
    folder: Path, tmp_path: Path, folder_of: str, words: tuple[str, ...], log: str, line_count: str
) -> None:
    run = shutil.copytree(folder / folder_of, tmp_path / folder_of)
    if line_count == "none":
        (run / log).write_bytes(b"")
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    theirs, ours = (1, 2) if folder_of == "one" else (2, 1)
    done = fingertip(*words, "--out", run, cwd=folder)
    assert done.returncode == 2
    assert f"this is a run of track {theirs}, not of track {ours}: give another folder" in done.stderr
    assert done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("score", "one", "two"),
            "expected runs of one track, got two of track execution and one",
        ),
        (("report", "two", "one"), "expected runs of one track"),
        (("score", "one", "--by", "difficulty"), "takes user, app, category, scenario"),
        (("report", "two", "--stats", "data"), "--stats is for runs of track 1 only"),
        (("score", "one", "--spelling", "canonical"), "--spelling is for runs of track 2"),
    ],
)
def test_a_wrong_call_prints_one_line(folder: Path, words: tuple[str, ...], message: str) -> None:
    done = fingertip(*words, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize("run", ["one", "two"])
def test_runs_with_different_versions_share_no_table(folder: Path, run: str, tmp_path: Path) -> None:
    older = tmp_path / "older"
    shutil.copytree(folder / run, older)
    record = json.loads((older / "run.json").read_text(encoding="utf-8"))
    record["versions"]["harness"] = "0.9"
    (older / "run.json").write_text(json.dumps(record), encoding="utf-8")
    embedder = ("--embedder", "lexical") if run == "one" else ()
    done = fingertip("score", folder / run, older, *embedder)
    assert (done.returncode, done.stdout) == (2, "")
    agent = record["agent"]["name"]
    assert done.stderr == (
        "fingertip: runs with different versions never share a table, got "
        f"harness 0.9 ({agent}); harness {HARNESS} ({agent}): score them apart\n"
    )
