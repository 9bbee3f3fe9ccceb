"""Runs of attached agents: the phone's log of their inputs is repeated, and must give the bundle's steps.

An attached agent drives the phone by itself, so that its steps are what the phone saw of it. The log holds
every input with the phone's time; it is repeated on a fresh phone of the same person, by the phone's clock.
Screens, states, steps, the end and success must be those of the replay. Nobody can see from it which program
sent the inputs, and its model, tokens and seconds are not known at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from execution_runner.attached.input_steps import InputStep
from execution_runner.environments.dialogue_session import make_reply_result
from execution_runner.environments.simulated import simulation_of
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import BY_COMMAND, ERRORS, STEPS, ExecutionRun, StepRecord
from execution_runner.scoring.task_scores import list_acts
from fingertip_agents.parsing.reading import choose_scored_text
from fingertip_dataset.actions import Finished, Wait, format_action, is_finished
from fingertip_dataset.errors import FingerTipError
from fingertip_leaderboard.bundle.input_logs import InputLog
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.checks.check_conversation import find_other_reply, make_conversation
from fingertip_leaderboard.verify.checks.check_steps import Problem
from fingertip_leaderboard.verify.checks.replayed_end import find_other_end
from fingertip_leaderboard.verify.replayed_inputs import ReplayedInputs, replay_inputs
from fingertip_leaderboard.verify.restored_targets import RestoredExecution
from fingertip_runs.input_lines import INPUTS
from simulated_phone import PhoneSetupError, Pictures
from simulated_phone.dialogue.conversation import Conversation
from simulated_phone.people.simulation import Simulation
from simulated_phone.repeated_inputs import RepeatError


def check_attached(
    read: ReadBundle,
    run: ExecutionRun,
    restored: RestoredExecution,
    found: Refusals,
) -> None:
    """Refuse attempts of an attached agent that differ from the replay of its inputs.

    Args:
        read: A bundle of track 2 with an attempt for every task.
        run: Its run.
        restored: Its tasks, and the setups of their phones.
        found: Collects the refusals and remarks.
    """
    pictures, by_command, done = Pictures(), 0, 0
    for one in read.executions:
        end = one.record.end
        log = read.inputs.get(end.task_id)
        task = restored.tasks[end.task_id]
        if task.target.over_limit(len(list_acts(one.record.steps)) - 1):
            continue  # refused for its number of steps
        if log is None:
            if one.record.steps or end.outcome not in ERRORS:
                reason = f"{end.task_id}: the task has no log of inputs"
                found.refuse(RefusalKind.MISSING_FILE, reason, INPUTS)
            continue
        try:
            simulation = simulation_of(restored.simulations, end.task_id)
            conversation = make_conversation(task, simulation, restored)
            replayed = _replay(one.record, log, run, simulation, pictures, conversation)
        except RepeatError as error:
            reason = f"{end.task_id}, {error}"
            found.refuse(RefusalKind.WRONG_INPUT, reason, INPUTS, log.line + error.number - 1)
            continue
        except (FingerTipError, PhoneSetupError) as error:
            reason = f"{end.task_id}: the inputs cannot be replayed: {error}"
            found.refuse(RefusalKind.WRONG_INPUT, reason, INPUTS, log.line)
            continue
        for kind, reason in _find_problems(one.record, log, replayed):
            found.refuse(kind, f"{end.task_id}{reason}", STEPS, one.line)
        done += end.success is True
        by_command += end.success is True and replayed.by_command
    for task_id in read.inputs.keys() - {one.record.end.task_id for one in read.executions}:
        reason = f"{task_id}: a log of inputs, but no attempt at the task"
        found.refuse(RefusalKind.UNKNOWN_TASK, reason, INPUTS, read.inputs[task_id].line)
    inputs = sum(len(log.inputs) for log in read.inputs.values())
    found.remark(
        f"{inputs:,} inputs of an attached agent were repeated; nobody can see which program sent them"
    )
    if by_command:
        found.remark(f"Warning: in {by_command} of the {done} done tasks {BY_COMMAND}")


def _replay(
    attempt: Attempt,
    log: InputLog,
    run: ExecutionRun,
    simulation: Simulation,
    pictures: Pictures,
    conversation: Conversation | None,
) -> ReplayedInputs:
    return replay_inputs(
        simulation,
        log.inputs,
        log.end,
        answers=_is_ended_by_agent(attempt),
        conversation=conversation,
        trees=run.trees,
        pictures=pictures,
    )


def _find_problems(attempt: Attempt, log: InputLog, replayed: ReplayedInputs) -> Iterator[Problem]:
    """The first step that the inputs do not give; without one, an end that differs."""
    outcome = attempt.end.outcome
    if log.end is None and outcome != "device_error":
        yield RefusalKind.WRONG_INPUT, f", input {len(log.inputs) + 1}: the log has no end"
        return
    expected = [_describe_step(step) for step in replayed.steps]
    if _is_ended_by_agent(attempt):
        finished = format_action(Finished(content=replayed.answer))
        expected.append({**_FINISHED, "action": finished, "written": finished})
    if reason := _compare_replies(attempt.steps, replayed.steps):
        yield RefusalKind.WRONG_REPLY, reason
        return
    reason = _compare_steps(attempt.steps, expected, replayed.numbers)
    if not reason and len(attempt.steps) < len(expected) and outcome not in ("truncated", "device_error"):
        missing = expected[len(attempt.steps)]["action"]
        reason = f": the inputs give a further step, {missing}, after step {len(attempt.steps)}"
    if reason:
        yield RefusalKind.WRONG_INPUT, reason
    elif outcome not in ERRORS:
        for kind, difference in find_other_end(replayed.rule, attempt.end):
            yield kind, f": {difference}"


def _is_ended_by_agent(attempt: Attempt) -> bool:
    """Whether the agent ended the attempt itself; its end may be the step beyond the limit."""
    outcome, steps = attempt.end.outcome, attempt.steps
    return outcome == "terminated" or (
        outcome == "truncated" and bool(steps) and is_finished(steps[-1].action)
    )


_FINISHED: Mapping[str, Any] = {"output": "", "problem": None, "performed": True}


def _describe_step(step: InputStep) -> dict[str, Any]:
    """Fields of a step's line."""
    decision = step.decision
    spelled = format_action(decision.actions[0] if decision.actions else Wait())
    return {
        "action": spelled,
        "written": spelled if decision.actions else choose_scored_text(decision.output),
        "output": decision.output,
        "problem": decision.problem,
        "performed": step.effective,
        "size": step.seen.size,
    }


def _compare_replies(steps: Sequence[StepRecord], replayed: Sequence[InputStep]) -> str:
    """Return the first reply that is not the one of the replay, in words; "" if all are."""
    for place, (step, ours) in enumerate(zip(steps, replayed, strict=False), start=1):
        made = None if ours.reply is None else make_reply_result(ours.reply).reply
        if reason := find_other_reply(made, step.reply):
            return f": {reason} at step {place}"
    return ""


def _compare_steps(
    steps: Sequence[StepRecord], expected: Sequence[Mapping[str, Any]], numbers: Sequence[int]
) -> str:
    for place, step in enumerate(steps, start=1):
        if place > len(expected):
            return f": step {place} is {step.action}, but the inputs give no such step"
        at = f", input {numbers[place - 1]}" if place <= len(numbers) else ""
        for name, ours in expected[place - 1].items():
            if (theirs := getattr(step, name)) != ours:
                return f"{at}: step {place} has the {name} {theirs!r:.120}, but the inputs give {ours!r:.120}"
        measured = (step.agent_s, step.device_s, step.prompt_tokens, step.completion_tokens, step.queries)
        if any(value is not None for value in measured) or step.thought or step.notes:
            return f"{at}: step {place} has seconds, tokens or thoughts, which only the agent knows"
    return ""
