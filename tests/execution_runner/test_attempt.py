"""One attempt at one task on a simulated phone over the real adb: actions, log lines, and its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from execution_runner.attempt import DRY_RUN
from execution_runner.devices.screenshots import extract_png
from execution_runner.environments.environment import Environment
from execution_runner.execution_log import Attempt, read_attempts
from execution_runner.execution_records import StepRecord
from execution_runner.execution_run import run_execution
from execution_runner.safety.gate import Gate, Rules
from fingertip_agents.execution_agent import Decision
from fingertip_dataset.actions import Click, PressHome, Type, Wait, parse_action
from fingertip_dataset.errors import ActionSyntaxError, DeviceError, ModelError, UsageError
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_metrics import sr2
from fingertip_runs.targets import read_targets
from tests.execution_runner.players import Player, golden_ways

Carry = Callable[..., Attempt]


@pytest.fixture(scope="module")
def task_id(simulated_dataset: Path) -> str:
    return min(golden_ways(simulated_dataset))


@pytest.fixture(scope="module")
def golden(simulated_dataset: Path, task_id: str) -> list[str]:
    return golden_ways(simulated_dataset)[task_id]


@pytest.fixture
def carry(simulated_dataset: Path, task_id: str, phone: Sequence[Environment], tmp_path: Path) -> Carry:
    """Function that carries out one task on a phone without faults; takes the agent or its actions."""

    def carry_out(
        way: Sequence[object], *, environments: Sequence[Environment] = phone, **options: object
    ) -> Attempt:
        agent = Player({task_id: way})
        run_execution(
            simulated_dataset,
            agent,
            environments,
            tmp_path / "run",
            task_ids=[task_id],
            **options,  # type: ignore[arg-type]
        )
        (attempt,) = read_attempts(tmp_path / "run")
        return attempt

    return carry_out


def test_the_persons_own_trajectory_is_carried_out_and_logged(
    carry: Carry, golden: list[str], tmp_path: Path
) -> None:
    attempt = carry(golden)
    end = attempt.end
    assert (end.outcome, end.reason, end.success, end.success_by) == ("terminated", "", True, "rule")
    assert (end.final, end.attempt, end.device, end.steps) == (True, 1, "simulated", len(golden))
    assert read_targets(tmp_path / "run")[end.task_id].golden_actions == tuple(golden)
    assert {fact["name"] for fact in end.facts} >= {"opened"}
    assert [step.written for step in attempt.steps] == golden == [step.action for step in attempt.steps]
    for number, step in enumerate(attempt.steps, 1):
        assert (step.step, step.performed, step.verdict, step.agent_s, step.queries) == (
            number, True, "allow", 0.25, 1,
        )  # fmt: skip
        assert step.screenshot == f"screens/{end.task_id}/1/{number:03}.png"
        png = (tmp_path / "run" / step.screenshot).read_bytes()
        assert extract_png(png) == png
        assert step.tree is not None
        assert parse_tree((tmp_path / "run" / step.tree).read_text(encoding="utf-8")).elements
        assert step.size == (360, 800)
    assert end.final_screenshot == f"screens/{end.task_id}/1/final.png"


def test_an_agent_gets_the_screen_and_its_past_steps(
    simulated_dataset: Path, phone: Sequence[Environment], task_id: str, golden: list[str], tmp_path: Path
) -> None:
    agent = Player({task_id: golden})
    run_execution(simulated_dataset, agent, phone, tmp_path / "run", task_ids=[task_id])
    (attempt,) = read_attempts(tmp_path / "run")
    for number, (_, screen, past) in enumerate(agent.seen):
        assert [step.written for step in past] == golden[:number] == [step.output for step in past]
        assert [step.action for step in past] == [parse_action(raw) for raw in golden[:number]]
        file = attempt.steps[number].screenshot
        assert file is not None
        assert screen.screenshot == (tmp_path / "run" / file).read_bytes()
        assert screen.size == (360, 800)
        assert screen.package == ""
        assert attempt.steps[number].package


@pytest.mark.parametrize("beyond", [0, 1])
def test_the_step_limit_is_that_of_the_score(carry: Carry, golden: list[str], beyond: int) -> None:
    limit = int(2.5 * len(golden))
    attempt = carry(["wait()"] * (limit - 1 + beyond))
    written = [step.written for step in attempt.steps]
    assert len(written) == limit + beyond
    assert written[-1] == "finished()"
    over = sr2([written], [golden], [True]).over_limit == 1
    assert (attempt.end.outcome == "truncated") == over == bool(beyond)
    assert attempt.end.success is False


def test_unparsable_output_is_a_wait_and_logged_verbatim(carry: Carry) -> None:
    nonsense = "I would click (5, 6)\n\x00 点\ud83d"
    attempt = carry([
        Decision(output=nonsense, actions=(), problem="expected an action, got prose", prompt_tokens=None),
        Decision(output="", actions=()),
        Decision(output="x", actions=(Type(text="\udc00"),)),
    ])  # fmt: skip
    first, empty, broken, last = attempt.steps
    assert (first.action, first.written) == ("wait()", nonsense.replace("\ud83d", "?"))
    assert (first.output, first.problem) == (first.written, "expected an action, got prose")
    assert first.performed
    assert first.prompt_tokens is None
    assert (empty.action, empty.written, empty.problem) == ("wait()", "", "expected an action, got none")
    assert (broken.action, broken.written) == ("wait()", "x")
    assert "surrogate" in (broken.problem or "")
    assert attempt.end.outcome == "terminated"
    assert last.problem is None


def test_two_actions_of_one_decision_are_two_steps_and_cost_once(carry: Carry) -> None:
    pair = Decision(
        output="both",
        actions=(PressHome(), Wait()),
        raw=("press_home( )", "wait()"),
        thought="home first",
        seconds=2,
        prompt_tokens=7,
        completion_tokens=3,
        queries=1,
    )
    first, second, _ = carry([pair]).steps
    assert [first.written, second.written] == ["press_home( )", "wait()"]
    assert (first.action, first.thought) == ("press_home()", "home first")
    assert {first.output, second.output} == {"both"}
    assert first.device_s > 0
    assert first.at.endswith("+08:00")
    assert (first.agent_s, first.prompt_tokens, first.completion_tokens, first.queries) == (2, 7, 3, 1)
    assert (second.agent_s, second.prompt_tokens, second.completion_tokens, second.queries) == (0, 0, 0, 0)
    assert second.screenshot is not None


@pytest.mark.parametrize(
    ("shown_text", "words"),
    [
        (ValueError("no\nkey"), "failed: ValueError: no key"),
        (ModelError("expected a server, got none"), "expected a server, got none"),
        (DeviceError("of another phone"), "failed: DeviceError: of another phone"),
        (ActionSyntaxError("expected a call"), "failed: ActionSyntaxError"),
        (None, "no valid decision: NoneType"),
        (Decision(output="x", actions=("click",)), "an action that is str"),  # type: ignore[arg-type]
        (Decision(output="x", actions=(Wait(),), raw=("press_home()",)), "a raw text that is not its action"),
        (Decision(output="x", actions=(), raw=("wait()",)), "a raw text that is not its action"),
        (Decision(output="x", actions=(Wait(),), seconds=float("nan")), "nan seconds"),
        (Decision(output="x", actions=(Wait(),), prompt_tokens=-1), "a count of -1"),
        (Decision(output=7, actions=(Wait(),)), "failed: AttributeError"),  # type: ignore[arg-type]
    ],
)
def test_any_agent_error_or_result_becomes_a_one_line_reason(
    carry: Carry, shown_text: object, words: str
) -> None:
    attempt = carry(["press_home()", shown_text], retries=0)
    assert (attempt.end.outcome, attempt.end.success, len(attempt.steps)) == ("agent_error", None, 1)
    assert words in attempt.end.reason
    assert "\n" not in attempt.end.reason
    assert attempt.end.final_screenshot is not None


def test_an_agent_with_a_missing_requirement_stops_the_run(carry: Carry) -> None:
    with pytest.raises(UsageError, match="expected --script"):
        carry([UsageError("expected --script FILE, got none")])


def rules(others: str) -> Rules:
    """The default rules, for a phone whose home screen counts as an ordinary app."""
    ours = Rules.default()
    packages = ours.packages.model_copy(update={"others": others, "launchers": ()})
    return ours.model_copy(update={"packages": packages})


@pytest.mark.parametrize(("others", "words"), [("deny", ""), ("confirm", "; nobody is there to agree")])
def test_denied_actions_do_not_reach_the_phone(carry: Carry, others: str, words: str) -> None:
    attempt = carry([PressHome(), Click(x=180, y=400)], gate=Gate(rules(others), None))
    reason = f"com.android.launcher3 is not the app of the task{words}"
    assert (attempt.end.outcome, attempt.end.reason, attempt.end.success) == ("blocked", reason, False)
    first, step = attempt.steps
    assert (first.verdict, first.performed) == ("allow", True)
    assert (step.verdict, step.reason, step.performed) == ("deny", reason, False)


def test_a_dry_run_carries_nothing_out(carry: Carry, golden: list[str]) -> None:
    attempt = carry(golden, dry_run=True)
    assert (attempt.end.outcome, attempt.end.reason, attempt.end.success) == ("truncated", DRY_RUN, None)
    (step,) = attempt.steps
    assert (step.written, step.performed) == (golden[0], False)


def test_a_step_is_on_the_disk_before_the_next_action(
    carry: Carry, golden: list[str], tmp_path: Path
) -> None:
    lines: list[list[StepRecord]] = []

    def look(*shown_text: object, intent: str) -> bool:
        text = (tmp_path / "run" / "steps.jsonl").read_text(encoding="utf-8")
        lines.append([StepRecord.model_validate(json.loads(line)) for line in text.splitlines()])
        return True

    touches = [PressHome(), Click(x=180, y=600), Click(x=190, y=600), Click(x=200, y=600)]
    first = carry(touches, gate=Gate(rules("confirm"), look)).steps[1]
    assert (first.verdict, first.performed) == ("confirm", True)
    assert first.reason == "com.android.launcher3 is not the app of the task"
    assert [len(before) for before in lines] == [1, 2, 3]
    for before in lines:
        assert all((tmp_path / "run" / str(step.screenshot)).exists() for step in before)
