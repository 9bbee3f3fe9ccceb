"""Attacks with public targets as answers: under our agents' names, nearly equal, or ended by an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import MODEL_CARD, DrawnAttempt, Workshop, carried_out
from board.tests.fingertip_leaderboard.test_honest import LATER
from board.tests.fingertip_leaderboard.verify.test_one_denominator import claim
from board.tests.fingertip_leaderboard.verify.test_true_intents import REMARK as INTENTS_REMARK
from board.tests.fingertip_leaderboard.verify.test_true_intents import remarks
from fingertip_agents.registry import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.actions import Click, Wait, format_action, parse_action
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard import RefusalKind, make_bundle, verify_bundle
from fingertip_leaderboard.bundle.schema import Bundle
from fingertip_leaderboard.verify.restored_targets import restore_suggestion_targets
from fingertip_leaderboard.verify.verify_report import VerifyReport
from fingertip_runs.run_record import AgentRecord
from suggestion_runner.suggestion_records import SuggestionRun

GOLDEN_REMARK = "tasks were done with the person's own actions, or nearly"
ERROR_REMARK = "attempts were ended by an error, not by the agent"


def as_written(actions: Sequence[str]) -> list[str]:
    return list(actions)


def shifted(actions: Sequence[str]) -> list[str]:
    """Each tap one pixel further to the right and down."""
    return [
        format_action(Click(x=action.x + 1, y=action.y + 1, content=action.content))
        if isinstance(action, Click)
        else format_action(action)
        for action in map(parse_action, actions)
    ]


def with_a_wait(actions: Sequence[str]) -> list[str]:
    return [*actions[:-1], format_action(Wait()), actions[-1]]


def report_of_golden(
    shop: Workshop,
    place: Path,
    change: Callable[[Sequence[str]], list[str]],
    agent: AgentRecord | None = None,
    outcome: str = "terminated",
) -> VerifyReport:
    """A run of the simulated phone with the person's actions, changed."""
    simulations: Mapping[str, Any] = BuiltDataset.open(shop.simulated).simulations()

    def drawn(task: Any) -> DrawnAttempt:  # noqa: ANN401 - a task
        way = carried_out(simulations, task, change(task.target.golden_actions))
        return way if outcome == "terminated" else DrawnAttempt(steps=way.steps, outcome=outcome)

    shop.draw(place / "run", shop.simulated, "simulated", agent or AgentRecord.of("mine", {}), drawn)
    bundle = make_bundle(place / "run", place / "bundles", MODEL_CARD)
    return verify_bundle(bundle, shop.simulated, now=LATER)


@pytest.mark.parametrize("change", [as_written, shifted, with_a_wait])
def test_golden_actions_nearly_as_they_are_get_a_remark(
    workshop: Workshop, tmp_path: Path, change: Callable[[Sequence[str]], list[str]]
) -> None:
    report = report_of_golden(workshop, tmp_path, change)
    assert report.accepted
    assert any(GOLDEN_REMARK in remark for remark in report.remarks)


def test_actions_that_are_not_the_persons_get_no_remark(workshop: Workshop, tmp_path: Path) -> None:
    def half(actions: Sequence[str]) -> list[str]:
        return [*actions[: len(actions) // 2], "finished()"]

    report = report_of_golden(workshop, tmp_path, half)
    assert report.accepted
    assert not any(GOLDEN_REMARK in remark for remark in report.remarks)


@pytest.mark.parametrize("name", ["imitate", "shortest-path-oracle", "generic"])
def test_the_name_of_our_agent_with_other_settings_is_refused(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    agent = AgentRecord.of(name, {"at_least": 79.0})
    report = report_of_golden(workshop, tmp_path, with_a_wait, agent)
    assert [problem.kind for problem in report.problems] == [RefusalKind.WRONG_READING]
    assert "in this version, got others" in str(report.problems[0])


def test_attempts_ended_by_errors_after_golden_actions_are_counted(
    workshop: Workshop, tmp_path: Path
) -> None:
    report = report_of_golden(workshop, tmp_path, lambda actions: list(actions[:-1]), outcome="device_error")
    assert report.accepted
    assert any(ERROR_REMARK in remark for remark in report.remarks)
    assert any(GOLDEN_REMARK in remark for remark in report.remarks)


def true_intents_of(shop: Workshop, place: Path, agent: Mapping[str, Any], **fields: object) -> VerifyReport:
    """A run of track 1 under this agent's name, with the true intents as answers."""
    parts = shop.parts("habit")
    run = Bundle.model_validate_json(json.dumps(parts.head)).run
    assert isinstance(run, SuggestionRun)
    targets = restore_suggestion_targets(BuiltDataset.open(shop.sample), run)
    for task in parts.tasks:
        task.update(predicted_intent=targets[task["task_id"]].target.intent, **fields)
    parts.head["run"]["agent"] = dict(agent)
    claim(parts, shop, "habit", place / "claimed")
    return verify_bundle(parts.write(place / "bundle"), shop.sample, now=LATER)


@pytest.mark.parametrize("name", ["habit", "nearest", "recent", "frequent"])
def test_the_name_of_our_baseline_with_other_settings_is_refused(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    report = true_intents_of(workshop, tmp_path, {"name": name, "settings": {"hours": 2.5}})
    assert [problem.kind for problem in report.problems] == [RefusalKind.WRONG_READING]
    assert f"expected the settings of {name} in this version" in str(report.problems[0])


def test_our_model_agent_without_outputs_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    report = true_intents_of(
        workshop, tmp_path, {"name": "model", "settings": {"prompt": "x"}}, calls=0, output=""
    )
    assert {problem.kind for problem in report.problems} == {RefusalKind.MISSING_OUTPUT}


def test_true_intents_at_most_tasks_get_a_remark(workshop: Workshop, tmp_path: Path) -> None:
    """Own answers at a third of the tasks do not avoid it."""
    places = iter(range(1_000))
    given = remarks(workshop, tmp_path, lambda true, own: true if next(places) % 3 else own)
    assert any(INTENTS_REMARK in remark for remark in given)


def test_a_baseline_with_a_distribution_is_run_again(workshop: Workshop, tmp_path: Path) -> None:
    agent = get_agent("habit", AgentSetup(distribution=True))
    workshop.suggest(tmp_path / "run", agent, distribution=True)
    bundle = make_bundle(
        tmp_path / "run", tmp_path / "bundles", MODEL_CARD, embedder=("lexical", workshop.embedder)
    )
    report = verify_bundle(bundle, workshop.sample, now=LATER)
    assert [str(problem) for problem in report.problems] == []
