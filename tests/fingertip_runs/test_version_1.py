"""Folders of runs as version 1 left them, with the targets within the log: read, scored, shown, continued.

The folders of version_1/ were made by the code of that time on the drawn sample: `habit` on track 1,
`imitate` on track 2. The screens of the replay were taken out.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts
from execution_runner.execution_run import ExecutionOutcome, run_execution
from execution_runner.execution_view import EQUATION_2, MORE_PARTS, ExecutionView
from execution_runner.scoring.run_scores import score_run as score_execution
from fingertip_agents.registry import get_agent, get_execution_agent
from fingertip_analysis.report.report_page import write_report
from fingertip_analysis.review.pairs.pair_session import PairAnnotationSession
from fingertip_analysis.review.trajectories import read_rated_trajectories
from fingertip_dataset.errors import RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.embedders import get_embedder
from fingertip_runs.targets import TARGETS, read_targets
from suggestion_runner import RunOutcome, read_predictions, read_run, run_suggestions, score_run

VERSION_1 = Path(__file__).parent / "version_1"
OldRun = Callable[[str], Path]


@pytest.fixture
def old_run(sample: Path, tmp_path: Path) -> OldRun:
    """Copies a folder of version 1; its dataset is the one at hand, whatever libraries have written that."""

    def copied(name: str) -> Path:
        run = shutil.copytree(VERSION_1 / name, tmp_path / name)
        record = json.loads((run / "run.json").read_text(encoding="utf-8"))
        data_sha256 = BuiltDataset.open(sample).manifest.data_sha256
        record["dataset"] |= {"path": str(sample), "data_sha256": data_sha256}
        (run / "run.json").write_text(json.dumps(record), encoding="utf-8")
        return run

    return copied


def suggest(sample: Path, run: Path) -> RunOutcome:
    return run_suggestions(sample, get_agent("habit"), run)


def execute(
    sample: Path, run: Path, device: str, *, resume: bool = False, view: ExecutionView = EQUATION_2
) -> ExecutionOutcome:
    with open_environments((device,), BuiltDataset.open(sample), split="test_execution") as environments:
        agent = get_execution_agent("imitate")
        return run_execution(sample, agent, environments, run, resume=resume, view=view)


def files(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()}


def lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


def test_track_1_scores_as_the_same_run_of_today(sample: Path, old_run: OldRun, tmp_path: Path) -> None:
    suggest(sample, tmp_path / "new")
    run, embedder = old_run("suggestion"), get_embedder("lexical")
    old, new = (score_run(folder, embedder=embedder) for folder in (run, tmp_path / "new"))
    assert old.record.version == 1
    assert new.record.version == 2
    assert old.result == new.result
    assert (old.breakdowns, old.task_ids) == (new.breakdowns, new.task_ids)
    assert read_targets(run) == read_targets(tmp_path / "new")
    assert not (run / TARGETS).exists(), "reading changes nothing"


@pytest.mark.parametrize("device", ["replay", "teacher_forced"])
def test_track_2_scores_as_the_same_run_of_today(
    sample: Path, old_run: OldRun, tmp_path: Path, device: str
) -> None:
    execute(sample, tmp_path / "new", device.replace("_", "-"))
    run = old_run(device)
    old, new = score_execution(run), score_execution(tmp_path / "new")
    assert (old.record.version, new.record.version) == (1, 2)
    assert (old.sim2, old.trace, old.outcomes) == (new.sim2, new.trace, new.outcomes)
    assert [task.golden_steps for task in old.tasks] == [task.golden_steps for task in new.tasks]
    targets = read_targets(tmp_path / "new")
    without_time = {name: target.model_copy(update={"time": ""}) for name, target in targets.items()}
    assert read_targets(run) == without_time


def test_an_old_run_can_be_shown_and_reviewed(old_run: OldRun, tmp_path: Path) -> None:
    run = old_run("teacher_forced")
    page = tmp_path / "report.html"
    write_report([score_execution(run)], page)
    assert "搜索音乐" in page.read_text(encoding="utf-8"), "the recorded action stands beside the agent's"
    shown = read_rated_trajectories(old_run("replay"))
    assert [one.target.intent for one in shown] == [
        read_targets(tmp_path / "replay")[one.target.task_id].intent for one in shown
    ]
    with PairAnnotationSession([old_run("suggestion")]) as session:
        assert len(session) > 0


@pytest.mark.parametrize("kept", [0, 5, 11])
def test_an_unfinished_run_of_track_1_goes_on_as_version_2(
    sample: Path, old_run: OldRun, tmp_path: Path, kept: int
) -> None:
    whole = old_run("suggestion")
    run = shutil.copytree(whole, tmp_path / "cut")
    (run / "predictions.jsonl").write_bytes(b"".join(lines(run / "predictions.jsonl")[:kept]))
    outcome = suggest(sample, run)
    assert (outcome.answered_before, outcome.queried) == (kept, 12 - kept)
    assert read_run(run).version == 2
    assert len(lines(run / TARGETS)) == 12
    assert read_targets(run) == read_targets(whole)
    old, new = (
        [line.model_copy(update={"time_s": 0}) for line in read_predictions(folder)]
        for folder in (whole, run)
    )
    assert old == new
    embedder = get_embedder("lexical")
    assert score_run(run, embedder=embedder).result == score_run(whole, embedder=embedder).result


def test_an_unfinished_run_of_track_2_goes_on_as_version_2(sample: Path, old_run: OldRun) -> None:
    run = old_run("replay")
    whole = score_execution(run)
    log = lines(run / "steps.jsonl")
    ends = [number for number, line in enumerate(log, start=1) if b'"kind":"end"' in line]
    (run / "steps.jsonl").write_bytes(b"".join(log[: ends[1]]))
    with pytest.raises(
        RunError, match=r"begun with the earlier prompts, .* --with time,place,reference-intent,"
    ):
        execute(sample, run, "replay", resume=True)
    outcome = execute(sample, run, "replay", resume=True, view=ExecutionView(more=MORE_PARTS))
    assert (outcome.done_before, outcome.queried) == (2, 2)
    again = score_execution(run)
    assert (again.record.version, again.sim2, again.trace) == (2, whole.sim2, whole.trace)
    assert len(read_attempts(run)) == 4


def test_a_finished_run_of_version_1_stays_as_it_is(sample: Path, old_run: OldRun) -> None:
    run = old_run("suggestion")
    before = files(run)
    assert suggest(sample, run).queried == 0
    assert files(run) == before


def test_a_task_without_a_target_is_named(sample: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    suggest(sample, run)
    targets = lines(run / TARGETS)
    (run / TARGETS).write_bytes(b"".join(targets[1:]))
    with pytest.raises(RunError, match=r"targets\.jsonl has no line for this task") as caught:
        score_run(run, embedder=get_embedder("lexical"))
    assert caught.value.episode_id == json.loads(targets[0])["task_id"]
    (run / TARGETS).write_bytes(b"".join(targets) + b"{}\n")
    with pytest.raises(RunError, match=r"expected a line of targets\.jsonl, got at task_id"):
        score_run(run, embedder=get_embedder("lexical"))


def test_the_log_of_today_holds_no_target(sample: Path, tmp_path: Path) -> None:
    suggest(sample, tmp_path / "one")
    execute(sample, tmp_path / "two", "teacher-forced")
    names = {
        name
        for file in (tmp_path / "one" / "predictions.jsonl", tmp_path / "two" / "steps.jsonl")
        for line in lines(file)
        for name in json.loads(line)
    }
    assert not names & {
        *("original_intent", "intent", "intent_category", "user_id", "app", "time"),
        *("golden", "golden_actions", "other_type_actions"),
    }
