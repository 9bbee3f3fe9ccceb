"""Scores in the Hub's format: eval.yaml of a benchmark's dataset repo, .eval_results/*.yaml of a model.

The Hub keeps one value per task and nothing about the run (https://huggingface.co/docs/hub/eval-results), so
scores that must not be mixed, by another embedder or kind of device, are tasks of their own. Scores that
cannot be distinguished that way are left out with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from execution_runner.execution_records import ExecutionRun
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.manifest import Manifest
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION
from fingertip_leaderboard.bundle.schema import (
    Bundle,
    Claims,
    ExecutionClaims,
    MomentClaims,
    SuggestionClaims,
)
from fingertip_leaderboard.evidence import evidence_of
from fingertip_leaderboard.hub.repo_names import check_repo
from fingertip_leaderboard.score_columns import TITLES, headline_scores
from fingertip_runs.device_kinds import DEVICE_KINDS

CONFIG = "default"
"""The config of the built dataset that has the screens."""


def _name_tasks() -> dict[str, tuple[str, str]]:
    names = {
        "sim1": (TEST_SUGGESTION, "Track 1, Sim_1 with the paper's embedding model"),
        "sim1_lexical": (TEST_SUGGESTION, "Track 1, Sim_1 with character n-grams"),
        "sr1": (TEST_SUGGESTION, "Track 1, SR_1 by the paper's kind of judge"),
    }
    for device, kind in DEVICE_KINDS.items():
        for name in headline_scores("execution"):
            names[f"{name}_{device}"] = (TEST_EXECUTION, f"Track 2, {TITLES[name]} on {kind.hub_title}")
    return names


TASKS: Mapping[str, tuple[str, str]] = MappingProxyType(_name_tasks())
"""Task id -> split and description of its value; higher is better in each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalResults:
    """A file of `.eval_results/`.

    Attributes:
        text: YAML of the file; "" if no score fits the format.
        values: Task id -> score.
        left_out: Omitted scores, each with the reason.
    """

    text: str
    values: Mapping[str, float]
    left_out: tuple[str, ...]


def eval_results(
    bundle: Bundle,
    scores: Claims,
    *,
    benchmark: str,
    source_url: str | None = None,
) -> EvalResults:
    """Convert the scores of a bundle to the file of a model's repo.

    Args:
        bundle: The bundle.
        scores: Its recomputed scores.
        benchmark: The dataset repo on the Hub that has the eval.yaml.
        source_url: Page of the submission; None without one.

    Raises:
        UsageError: `benchmark` is not a valid repo name.
    """
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

    check_repo(benchmark, "--benchmark")
    values, left_out = _values(bundle, scores)
    entries = [
        EvalResultEntry(
            dataset_id=benchmark,
            task_id=task,
            value=value,
            date=bundle.made,
            source_url=source_url,
            source_name="FingerTip 20K submission" if source_url else None,
            notes=_write_notes(bundle, scores, task),
        )
        for task, value in values.items()
    ]
    text = _dump(eval_result_entries_to_yaml(entries)) if entries else ""
    return EvalResults(text=text, values=values, left_out=tuple(left_out))


def benchmark_yaml(manifest: Manifest, *, name: str = "FingerTip 20K") -> str:
    """Make eval.yaml of the dataset repo that becomes a benchmark: the tasks that can have results.

    It names no `evaluation_framework`, because the Hub accepts only those of its list, without this one.

    Args:
        manifest: Manifest of the built dataset.
        name: Displayed name.

    Raises:
        UsageError: Both test splits are empty.
    """
    tasks = [
        {"id": task, "config": CONFIG, "split": split}
        for task, (split, _) in TASKS.items()
        if split in manifest.splits and manifest.splits[split].episodes > 0
    ]
    if not tasks:
        raise UsageError("the dataset has no episode in either test")
    origin = (
        "" if manifest.provenance == "recorded" else f" These data are not recorded: {manifest.provenance}."
    )
    description = (
        "How proactive and how personal is a phone agent? Track 1 predicts what a person wants now "
        f"(Sim_1, SR_1), track 2 does it the person's own way (Sim_2, SR_2). More is better in each.{origin}"
    )
    return _dump({"name": name, "description": description, "tasks": tasks})


def _values(bundle: Bundle, scores: Claims) -> tuple[dict[str, float], list[str]]:
    if scores.protocol != "release":
        return {}, [f"every score: protocol {scores.protocol}, where the Hub's tasks are of protocol release"]
    if isinstance(scores, MomentClaims):
        return {}, ["every score: the Hub's tasks have none of moments"]
    if isinstance(scores, SuggestionClaims):
        return _list_suggestion_values(bundle, scores)
    return _list_execution_values(bundle, scores)


def _list_suggestion_values(bundle: Bundle, scores: SuggestionClaims) -> tuple[dict[str, float], list[str]]:
    values = {"sim1" if scores.embedder == "official" else f"sim1_{scores.embedder}": scores.sim1}
    if bundle.judge is None or scores.sr1 is None:
        return values, ["SR_1: there is no judge"]
    if bundle.judge.why_not_comparable is not None:
        return values, [f"SR_1: {bundle.judge.why_not_comparable}"]
    return values | {"sr1": scores.sr1}, []


def _list_execution_values(bundle: Bundle, scores: ExecutionClaims) -> tuple[dict[str, float], list[str]]:
    if not isinstance(bundle.run, ExecutionRun):
        raise UsageError(f"expected a run of track 2 under its scores, got one of {bundle.run.track}")
    if bundle.run.faults:
        return {}, [f"every score: faults were switched on ({', '.join(bundle.run.faults)})"]
    if bundle.run.of_dialogue:
        return {}, ["every score: the Hub's tasks have none of vague instructions and of answered questions"]
    if bundle.run.split != TEST_EXECUTION:
        return {}, [f"every score: the Hub's tasks are of {TEST_EXECUTION}, got {bundle.run.split}"]
    values, left_out = {}, []
    for name in headline_scores("execution"):
        value = getattr(scores, name)
        if value is None:
            left_out.append(f"{TITLES[name]}: it is undefined")
        elif name == "sim2" and bundle.run.attached:
            left_out.append(f"{TITLES[name]}: the steps of an attached agent are what the phone saw")
        else:
            values[f"{name}_{bundle.run.device}"] = value
    return values, left_out


def _write_notes(bundle: Bundle, scores: Claims, task: str) -> str:
    name = task.partition("_")[0]
    evidence = evidence_of(bundle, (name,))
    device = f", device {evidence['device']}" if "device" in evidence else ""
    embedder = f", {scores.embedder} embedder" if isinstance(scores, SuggestionClaims) else ""
    run, data = bundle.run, bundle.run.dataset
    attached = "attached " if isinstance(run, ExecutionRun) and run.attached else ""
    return (
        f"{evidence[name]}{device}; {attached}agent {run.agent.name}; protocol {scores.protocol}{embedder}; "
        f"n {scores.n}; data {data.data_sha256[:12]}, {data.provenance}"
    )


def _dump(content: list[dict[str, Any]] | dict[str, Any]) -> str:
    import yaml  # type: ignore[import-untyped]

    text: str = yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100)
    return text
