"""Carrying out a `TrainingPlan`: its trainings, then its runs, each model loaded once and only if needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from execution_runner.environments.environment import Environment
from execution_runner.execution_run import run_execution
from fingertip_agents.registry import get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_models.checkpoint import SAMPLES, WORK
from fingertip_models.model import Model, open_model
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_studies.experiments.training_plan import PlannedRun, PlannedTraining, TrainingPlan
from fingertip_training.finetune.finetuning import FinetuneOrder, finetune
from fingertip_training.sample_export import reuse_export
from suggestion_runner.suggestion_run import CONCURRENCY, run_suggestions

if TYPE_CHECKING:
    from execution_runner.safety.gate import Gate

Progress = Callable[[str, int, int], None]
"""Called with the name of a training or run, and its stage; the items done, and all items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlace:
    """How models of this call are loaded.

    Attributes:
        trust_remote_code: Whether code that the base contains may be run.
        batch: Most requests that are answered together.
    """

    trust_remote_code: bool = False
    batch: int = 1


def train_models(
    plan: TrainingPlan, dataset: Path, place: ModelPlace, *, on_progress: Progress
) -> list[PlannedTraining]:
    """Start or continue each training that is not finished; the others are left as they are.

    Returns:
        The trainings of this call.

    Raises:
        FingerTipError: An error of `export_samples` or `finetune`; the same call goes on.
    """
    open_trainings = [training for training in plan.trainings if training.state() != "finished"]
    for training in open_trainings:
        samples, report = training.folder / WORK / SAMPLES, _named(training.name, on_progress)
        reuse_export(dataset, samples, training.order, on_progress=report)
        finetune(
            dataset,
            samples,
            training.folder,
            FinetuneOrder(
                base=plan.choice.base,
                settings=training.settings,
                trust_remote_code=place.trust_remote_code,
            ),
            on_progress=report,
        )
    return open_trainings


def evaluate_models(
    plan: TrainingPlan,
    dataset: Path,
    place: ModelPlace,
    environments: Sequence[Environment],
    *,
    gate: Gate | None = None,
    on_progress: Progress,
) -> list[PlannedRun]:
    """Start or continue each run that is not finished; a model all of whose runs are is not loaded.

    Args:
        plan: The plan, whose trainings are finished.
        dataset: The built dataset.
        place: How models are loaded.
        environments: Open environments of track 2.
        gate: Safety gate for real phones.
        on_progress: Called with the name of a run, the tasks done, and all tasks.

    Returns:
        The runs of this call.

    Raises:
        FingerTipError: An error of the model, or of a run; the same call goes on.
    """
    made = []
    for _, runs in groupby(plan.runs, key=lambda run: run.training and run.training.folder):
        left = [run for run in runs if run.state() != "finished"]
        if not left:
            continue
        model = _open(left[0], place)
        try:
            for run in left:
                if run.track == "suggestion":
                    _suggest(run, dataset, model, on_progress)
                else:
                    _execute(run, dataset, model, environments, gate, on_progress)
                made.append(run)
        finally:
            model.close()
    return made


def _open(run: PlannedRun, place: ModelPlace) -> Model:
    choice = run.choice
    return open_model(
        replace(choice.options, max_pixels=choice.max_pixels),
        backend="local",
        trust_remote_code=place.trust_remote_code,
        adapter=run.training.folder if run.training else None,
        batch=place.batch,
    )


def _suggest(run: PlannedRun, dataset: Path, model: Model, on_progress: Progress) -> None:
    choice = run.choice
    run.folder.parent.mkdir(parents=True, exist_ok=True)
    run_suggestions(
        dataset,
        ModelSuggester(model),
        run.folder,
        limit=choice.limit,
        sample=choice.sample,
        seed=choice.seed,
        concurrency=CONCURRENCY,
        keep_going=True,
        on_progress=lambda done, total: on_progress(run.name, done, total),
    )


def _execute(
    run: PlannedRun,
    dataset: Path,
    model: Model,
    environments: Sequence[Environment],
    gate: Gate | None,
    on_progress: Progress,
) -> None:
    choice = run.choice
    simulated = DEVICE_KINDS[choice.device].simulated
    simulations = BuiltDataset.open(dataset).simulations() if simulated else {}
    agent = get_execution_agent(choice.agent, AgentSetup(opened=model, simulations=simulations))
    run.folder.parent.mkdir(parents=True, exist_ok=True)
    run_execution(
        dataset,
        agent,
        environments,
        run.folder,
        limit=choice.limit,
        resume=True,
        gate=gate,
        keep_going=True,
        on_progress=lambda done, total: on_progress(run.name, done, total),
    )


def _named(name: str, on_progress: Progress) -> Progress:
    return lambda stage, done, total: on_progress(f"{name}: {stage}", done, total)
