"""Accepted suggestions as tasks of track 2 on the simulated phone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from execution_runner.environments.open_environments import open_environments
from execution_runner.environments.simulated import SimulatedEnvironment, simulation_of
from execution_runner.execution_run import ExecutionOutcome, run_execution
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.similar_names import did_you_mean
from fingertip_dataset.tasks.references import Encode
from fingertip_metrics.judges.read_back import phone_wordings
from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind
from fingertip_runs.same_task import nearest_references, task_intent
from fingertip_runs.suggested_intents import SuggestedIntents
from fingertip_studies.assist.suggestions import JudgedSuggestion
from simulated_phone import GoalInstance

MakeAgent = Callable[[Mapping[str, Mapping[str, Any]]], ExecutionAgent]
"""Makes the executor, given the set-ups of the phones with the suggested goals in place of the people's."""


def carry_out(
    dataset: Path,
    accepted: Sequence[JudgedSuggestion],
    make_agent: MakeAgent,
    devices: Sequence[str],
    out: Path,
    *,
    split: str,
    origin: str,
    encode: Encode | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> ExecutionOutcome | None:
    """Carry out the accepted suggestions; the same call resumes.

    The phone is that of the person at the moment of the task. The executor gets the suggestion as its intent,
    and what the same person did for the earlier intent most similar to it; it learns nothing of the wanted.

    Args:
        dataset: A built dataset of simulated people.
        accepted: The accepted suggestions.
        make_agent: Makes the executor.
        devices: "simulated", as often as wanted.
        out: Folder of the run of track 2.
        split: Split of the tasks.
        origin: Whose suggestions they are and who accepted them, in words.
        encode: The embedder by which the dataset found its references; None for text similarity.
        on_progress: Called with (finished tasks, tasks).

    Returns:
        The outcome; None if no accepted suggestion is of an episode with recorded actions.

    Raises:
        UsageError: The devices are not simulated phones, or the dataset is not of simulated people.
        FingerTipError: An error of `run_execution`.
    """
    check_devices(devices)
    built = BuiltDataset.open(dataset)
    recorded = _recorded(built, split)
    tasks = [one for one in accepted if one.task_id in recorded]
    if not tasks:
        return None
    simulations = built.simulations()
    goals = {one.task_id: find_suggested_goals(simulations, one) for one in tasks}
    suggested = SuggestedIntents(
        origin=origin,
        intents={one.task_id: one.text for one in tasks},
        references=nearest_references(
            built,
            [task_intent(one.target.user_id, one.task_id, one.text, recorded[one.task_id]) for one in tasks],
            encode=encode,
        ),
        apps={name: found[0].package if found else "" for name, found in goals.items()},
        answer_forms={one.task_id: _answer_form(simulations, one) for one in tasks},
    )
    with open_environments(devices, built, split=split) as environments:
        for environment in environments:
            if isinstance(environment, SimulatedEnvironment):
                environment.also = {name: found for name, found in goals.items() if found}
        return run_execution(
            dataset,
            make_agent(with_goals(simulations, goals)),
            environments,
            out,
            split=split,
            task_ids=[one.task_id for one in tasks],
            resume=(out / "run.json").exists(),
            suggested=suggested,
            keep_going=True,
            on_progress=on_progress,
        )


def _recorded(built: BuiltDataset, split: str) -> dict[str, datetime]:
    """Time of each episode with recorded actions."""
    return {
        row["episode_id"]: row["time"]
        for row in built.rows(split, columns=("episode_id", "time", "actions"))
        if any(step["raw"] for step in row["actions"])
    }


def check_devices(devices: Sequence[str]) -> None:
    """Refuse devices that are not simulated phones.

    Raises:
        UsageError: One is not, or is unknown.
    """
    if not DEVICE_KINDS[device_kind(devices)].simulated:
        simulated = [kind.spec for kind in DEVICE_KINDS.values() if kind.simulated]
        meant = did_you_mean(devices[0].partition(":")[0], simulated)
        raise UsageError(f"suggestions are carried out on simulated phones only, not on {devices[0]}{meant}")


def find_suggested_goals(
    simulations: Mapping[str, Mapping[str, Any]], suggestion: JudgedSuggestion
) -> tuple[GoalInstance, ...]:
    """The goals of the person's phone that a suggestion words; empty if it words none.

    What the person wanted comes first if the suggestion words it, too.

    Raises:
        DatasetError: The dataset lacks the person's phone.
    """
    simulation = simulation_of(simulations, suggestion.task_id)
    read = phone_wordings(simulation.setup.seed, simulation.setup.locale).read(suggestion.text).exact
    found = [
        GoalInstance(package=goal.package, goal=goal.goal, arguments=json.loads(goal.arguments))
        for goal in sorted(read, key=lambda goal: (goal.package, goal.goal, goal.arguments))
    ]
    own = simulation.goal_instance
    if suggestion.right:
        # the judge's reading: arguments that the suggestion leaves open are those of the person
        return (own, *(goal for goal in found if goal != own))
    return tuple(found)


def with_goals(
    simulations: Mapping[str, Mapping[str, Any]], goals: Mapping[str, Sequence[GoalInstance]]
) -> dict[str, Mapping[str, Any]]:
    """The set-ups of the tasks with the first suggested goal; tasks without one are left out."""
    return {
        name: {
            **simulations[name],
            "package": found[0].package,
            "goal": found[0].goal,
            "arguments": dict(found[0].arguments),
        }
        for name, found in goals.items()
        if found
    }


def _answer_form(simulations: Mapping[str, Mapping[str, Any]], suggestion: JudgedSuggestion) -> str:
    """The form of the answer, which only a suggestion of the person's own question may tell."""
    return simulation_of(simulations, suggestion.task_id).answer_form if suggestion.right else ""
