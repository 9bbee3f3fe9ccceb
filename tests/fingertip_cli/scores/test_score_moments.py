"""`fingertip score` and `report` of runs of moments, as a user sees them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline
from suggestion_runner import run_suggestions
from tests.command_line import fingertip
from tests.shared_datasets import simulated_people

LEXICAL = ("--embedder", "lexical", "--judge", "lexical")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of always, never and habit on moments, and one on episodes."""
    folder, dataset = tmp_path_factory.mktemp("moments"), simulated_people(tmp_path_factory) / "dataset"
    for agent in ("always", "never", "habit"):
        words = ("--agent", agent, "--split", "train_moments", "--out", folder / agent)
        done = fingertip("suggest", dataset, *words)
        assert done.returncode == 0, done.stderr
    run_suggestions(dataset, HabitBaseline(), folder / "episodes")
    return folder


def test_tables_differences_groups_and_notes_are_printed(folder: Path) -> None:
    options = ("--against", folder / "never", "--by", "kind", "--by", "language", "--notes", "--published")
    done = fingertip("score", folder / "always", folder / "habit", *options, *LEXICAL)
    assert done.returncode == 0, done.stderr
    for words in (
        "when should an assistant speak?",
        "ceiling",
        "just done",
        "always minus never, ",
        "habit by language",
        "SR_1 by judge lexical",
        "Published: the paper has no moments at which nothing is wanted.",
        "Not comparable with the paper: the paper has no moments",
    ):
        assert words in done.stdout, words
    assert (folder / "always" / "scores.json").is_file()


def test_json_has_the_content_of_the_file_and_the_differences(folder: Path) -> None:
    done = fingertip("score", folder / "habit", "--against", folder / "never", "--json", *LEXICAL)
    first, second = json.loads(done.stdout)["runs"]
    against = first.pop("against")
    assert set(against["differences"]) >= {"false_trigger_rate", "missed_rate", "hit_rate", "utility"}
    assert Path(second.pop("folder")) == folder / "never"
    written = json.loads((folder / "never" / "scores.json").read_text("utf-8"))
    assert second == written
    assert (second["false_trigger_rate"]["mean"], second["missed_rate"]["mean"]) == (0.0, 1.0)


def test_the_page_has_every_run(folder: Path, tmp_path: Path) -> None:
    done = fingertip("report", folder / "always", folder / "never", *LEXICAL, "--out", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "page.html").read_text("utf-8")
    assert text.count('<article class="panel card"') > 10
    assert "什么时候该开口" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("score", "always", "episodes"),
            "runs of moments and of episodes have different scores, got always of",
        ),
        (("report", "episodes", "never"), "got never of moments and episodes of episodes: score them apart"),
        (
            ("score", "always", "--by", "app"),
            "--by app is not for moments, which take kind, hour, user, condition",
        ),
        (("score", "episodes", "--by", "kind"), "--by kind is for runs of moments"),
        (("score", "always", "--why"), "--why is for runs of episodes"),
        (("score", "always", "--tricks"), "the agents always, never and hour are those"),
        (("score", "always", "--spelling", "canonical"), "--spelling is for runs of track 2"),
        (("score", "always", "--also-types", "age"), "--also-types is for runs of track 2"),
        (("report", "always", "--stats", "."), "--stats is for runs of episodes, not of moments"),
    ],
)
def test_a_wrong_call_prints_one_line(folder: Path, words: tuple[str, ...], message: str) -> None:
    done = fingertip(*words, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_a_confidence_that_is_none_names_its_line(folder: Path, tmp_path: Path) -> None:
    for number, confidence in enumerate((1.5, -0.1, "sure", True)):
        run = tmp_path / f"{number}"
        shutil.copytree(folder / "habit", run)
        first, *others = (run / "predictions.jsonl").read_text("utf-8").splitlines()
        line = json.dumps(json.loads(first) | {"confidence": confidence})
        (run / "predictions.jsonl").write_text("\n".join([line, *others, ""]), encoding="utf-8")
        done = fingertip("score", run, *LEXICAL)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "confidence" in done.stderr
        assert "line 1" in done.stderr


def test_repeated_runs_have_right_decisions(folder: Path, tmp_path: Path) -> None:
    dataset = Path(json.loads((folder / "habit" / "run.json").read_text("utf-8"))["dataset"]["path"])
    words = ("--agent", "habit", "--split", "vali_moments", "--repeats", "2", "--out", tmp_path / "two")
    done = fingertip("suggest", dataset, *words)
    assert done.returncode == 0, done.stderr
    done = fingertip("score", tmp_path / "two", *LEXICAL)
    assert done.returncode == 0, done.stderr
    assert "pass^k" in done.stdout
    assert json.loads((tmp_path / "two" / "scores.json").read_text("utf-8"))["success"] == "right"
