"""Caveats (why a run's scores are not comparable with the paper's table 4) and remarks on the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from execution_runner.execution_records import (
    BY_COMMAND,
    OUTCOME_WORDS,
    AnsweredBy,
    EndRecord,
    ExecutionRun,
    ReferenceKind,
)
from execution_runner.execution_view import HIDDEN_TERMS
from execution_runner.scoring.success import SuccessRate, carries_out
from execution_runner.scoring.task_scores import COUNTED, TaskScore
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.execution import Sim2
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.score_summary import data_caveats, model_caveats

PAPER_TASKS = 200
"""Number of tasks of test_execution in the paper's table 7."""

NO_UNKNOWN_AGE = "; users of unknown age, without a type: 0"
"""End of a dataset's method of user types that leaves nobody out."""

COMPLETE = 0.9
"""Minimum share of `PAPER_TASKS` for a whole test: some episodes of the release are incomplete."""

ACTION_TEXTS = {
    "canonical": "the run stores its actions in one uniform spelling: the authors score them as the agent "
    "wrote them",
}

LEFT_OUT = " left out"
"""End of `ExecutionRun.reference_method` if references of the same task are skipped (A.6.7)."""

REFERENCES = {
    "not_same_task": "the reference shown is never of the same task, as a judge decides (A.6.7): in the "
    "paper's table 4 it is of the most similar task, the same one or not",
    "other_type": "the reference shown is of a person of another type: the paper's agents see one of the "
    "same person",
    "none": "no reference (earlier actions of the same person) is shown: the paper's agents see one",
}


ANSWERERS: Mapping[AnsweredBy, str] = {
    "simulated": "the simulated person answers the agent's questions by rule: nobody does in the paper",
    "model": "a model answers the agent's questions, on the submitter's word: nobody does in the paper",
    "human": "a human answers the agent's questions, on the submitter's word: nobody does in the paper",
}


_UNPARSABLE = {
    False: "steps could not be read as an action: wait() was carried out in their place",
    True: "steps are none of the paper's actions (table 2), such as a command that changed a setting",
}


_OUTPUTS = {
    True: "They still count in Sim_2 and in the step ratio",
    False: "Protocol paper leaves them out of Sim_2; they count in the step ratio",
}
_OTHER = {True: "without them", False: "with them"}

_NO_REFERENCE: Mapping[ReferenceKind, str] = {
    "same_user": "the dataset has no earlier episode of that person",
    "not_same_task": "each earlier episode of that person is the same task, or there is none",
    "other_type": "the dataset has no episode of a person of another type",
}

_ANSWERS = {
    "written": "Sim_2 compares it as written; the paper's last action has no answer",
    "canonical": "Sim_2 leaves the answer out; the paper's last action has none",
}


def caveats_of(
    record: ExecutionRun,
    tasks: Sequence[TaskScore],
    success: SuccessRate,
    metric: str | None,
) -> tuple[str, ...]:
    """Why the scores cannot be compared with the paper's, in words; empty if they can.

    Args:
        record: Record of the run.
        tasks: Scores of the ended tasks.
        success: Success rate of these tasks.
        metric: Result of `conventions.why_not_comparable` for Sim_2.
    """
    found = [
        *setting_caveats(record, len(tasks), metric),
        _remark_repeated(tasks),
        _remark_unfinished(tasks),
        f"{success.unlabelled} of {success.tasks} tasks have no label: they count as not done"
        if success.unlabelled and carries_out(record)
        else None,
        _remark_judged(success),
    ]
    return tuple(caveat for caveat in found if caveat)


def setting_caveats(record: ExecutionRun, ended: int, metric: str | None) -> tuple[str, ...]:
    """Differences of devices, data, tasks and settings from the paper's, whatever the attempts did.

    Args:
        record: Record of the run.
        ended: Number of ended tasks.
        metric: As for `caveats_of`.
    """
    found = [
        DEVICE_KINDS[record.device].caveat,
        "dry run: nothing was carried out" if record.dry_run else None,
        f"the intents are {record.intents.partition('; ')[0]}: the paper's agents get the people's own"
        if record.intents
        else None,
        f"the instructions are {record.instructions.replace('_', '-')}: the paper's agents get all that "
        "people wrote"
        if record.instructions != "full"
        else None,
        ANSWERERS[record.answered_by] if record.answered_by else None,
        metric,
        ACTION_TEXTS.get(record.action_text),
        _describe_screen(record),
        *model_caveats(record.agent.settings, [HIDDEN_TERMS.get(part, part) for part in record.without]),
        *data_caveats(record.dataset),
        *_remark_selection(record, ended),
        f"the agent gets {', '.join(record.more)}: the paper's agents do not (equation 2)"
        if record.more
        else None,
        f"the agent gets what the memory {record.memory.describe()} recalls: the paper's agents do not "
        "(equation 2)"
        if record.memory
        else None,
        f"without {', '.join(record.without)}: the paper's agents get it" if record.without else None,
        REFERENCES.get(record.reference) if "reference" not in record.without else None,
        f"references are chosen by protocol {record.history}: the authors take them from any earlier episode"
        if record.history != "online"
        else None,
        "references of the same task are left out (A.6.7): the paper's table 4 has them"
        if record.reference == "same_user" and record.reference_method.endswith(LEFT_OUT)
        else None,
        f"people are put into types {record.user_types.removesuffix(NO_UNKNOWN_AGE)}: the authors used a "
        f"list "
        "of their own"
        if record.user_types.startswith("by age")
        else None,
        "attempts begin on the home screen: in the paper the app is opened first (A.4)"
        if record.start == "home" and carries_out(record)
        else None,
        f"an attempt is stopped at {record.step_limit_factor:g} x the person's steps: in the paper at "
        f"{STEP_LIMIT_FACTOR:g} x"
        if record.step_limit_factor != STEP_LIMIT_FACTOR
        else None,
    ]
    return tuple(caveat for caveat in found if caveat)


def find_remarks(
    record: ExecutionRun,
    tasks: Sequence[TaskScore],
    success: SuccessRate,
    stale_labels: int,
) -> tuple[str, ...]:
    """Remarks besides the caveats: who decided success, the best case of SR_2, and exclusions.

    Args:
        record: Record of the run.
        tasks: Scores of the ended tasks.
        success: Success rate of these tasks.
        stale_labels: Number of labels of attempts that are not final.
    """
    found = []
    if success.decided_by:
        by = ", ".join(f"{tasks} by {kind}" for kind, tasks in success.decided_by.items())
        names = f" ({', '.join(success.raters)})" if success.raters else ""
        found.append(f"Who decided whether a task is done: {by}{names}")
    if success.disputed:
        found.append(f"{success.disputed} tasks have no majority among their raters")
    if success.worst < success.best and carries_out(record):
        found.append(
            f"SR_2 would be {success.best:.1%} if all undecided tasks were done: {_open_tasks(success)}"
        )
    if stale_labels:
        found.append(f"{stale_labels} labels are of an attempt that was made again: they are ignored")
    if reasons := Counter(task.home for task in tasks if task.home):
        words = ", ".join(f"{count} as {reason}" for reason, count in reasons.most_common())
        found.append(f"{reasons.total()} of {len(tasks)} tasks begin on the home screen: {words}")
    if unparsable := sum(task.unparsable for task in tasks):
        steps = sum(task.steps for task in tasks)
        found.append(f"{unparsable:,} of {steps:,} {_UNPARSABLE[record.attached]}")
    if record.attached:
        found += _remark_attached(tasks)
    if success.wrong_app:
        found.append(f"{success.wrong_app} tasks were stopped by the safety gate in another app: failed")
    alone = sum(task.sim2.s_ii is None for task in tasks)
    if alone:
        found.append(
            f"{alone} tasks have no actions of a person of another type to compare with: there Sim_2 is "
            "S_I / 0.4 by protocol release, and undefined by protocol paper"
        )
    gaps = sum(task.gaps for task in tasks)
    if gaps:
        found.append(f"{gaps} recorded steps have no screenshot: Sim_2 leaves them out on both sides")
    if record.safety == "off" and not DEVICE_KINDS[record.device].recorded:
        found.append("The safety gate was off: no action was checked before it was carried out")
    return tuple(found)


def remark_outputs(tasks: Sequence[TaskScore], result: Sim2, other: float | None) -> tuple[str, ...]:
    """Remarks on outputs that one protocol counts in Sim_2 and the other does not.

    Args:
        tasks: Scores of the ended tasks.
        result: Sim_2 over these tasks.
        other: Sim_2 with the other protocol's choice of outputs; None if every output was carried out, or if
            there is no quotient.
    """
    found = []
    unperformed = sum(task.unperformed for task in tasks)
    if unperformed:
        steps = sum(task.steps for task in tasks)
        counted = get_protocol(result.protocol).outputs == "all"
        apart = (
            ""
            if None in (result.sim2, other)
            else f": Sim_2 is {result.sim2:.4f}, {other:.4f} {_OTHER[counted]}"
        )
        found.append(
            f"{unperformed:,} of {steps:,} steps could not be carried out. {_OUTPUTS[counted]}{apart}"
        )
    answered = sum(task.answered for task in tasks)
    if answered:
        which = _ANSWERS[result.spelling]
        found.append(
            f"{answered:,} of {len(tasks):,} tasks end with an answer, finished(content='...'). {which}"
        )
    return tuple(found)


def remark_references(record: ExecutionRun, ends: Sequence[EndRecord]) -> tuple[str, ...]:
    """A remark on tasks without a reference, in a run that shows references.

    Args:
        record: Record of the run.
        ends: Ends of the final attempts.
    """
    lacking = sum(end.showed_no_reference for end in ends)
    if not lacking or record.reference == "none" or "reference" in record.without:
        return ()
    return (
        f"{lacking:,} of {len(ends):,} tasks had no reference to show: {_NO_REFERENCE[record.reference]}",
    )


def _remark_attached(tasks: Sequence[TaskScore]) -> list[str]:
    found = [
        "Attached agent: its steps are the inputs that the phone saw; its seconds and tokens are unknown"
    ]
    if by_command := sum(task.reason == BY_COMMAND and bool(task.success) for task in tasks):
        done = sum(bool(task.success) for task in tasks)
        found.append(f"Warning: in {by_command} of the {done} done tasks {BY_COMMAND}")
    return found


def _remark_selection(record: ExecutionRun, ended: int) -> list[str]:
    found = []
    if record.split != TEST_EXECUTION:
        found.append(f"split {record.split}: the paper's is {TEST_EXECUTION}")
    elif record.tasks < COMPLETE * PAPER_TASKS:
        found.append(f"{record.tasks} tasks: the paper's test has {PAPER_TASKS}")
    if ended < record.tasks:
        found.append(f"{ended} of the run's {record.tasks} tasks")
    return found


def _remark_repeated(tasks: Sequence[TaskScore]) -> str | None:
    again = sum(task.attempt > 1 for task in tasks)
    return (
        f"{again} of {len(tasks)} tasks needed more than one attempt after an error or a crash, at most "
        f"{max(task.attempt for task in tasks)}: the paper's agents had one"
        if again
        else None
    )


def _describe_screen(record: ExecutionRun) -> str | None:
    form, fields = (record.agent.settings.get(name) for name in ("screen_description", "prompt_fields"))
    used = fields.get("placeholders") if isinstance(fields, Mapping) and not fields.get("ours") else None
    # a prompt file lists the elements in this form only where it says so
    if form in (None, "authors") or (isinstance(used, list) and "elements" not in used):
        return None
    return f"screen description {form}: the authors list every text with its place"


def _remark_unfinished(tasks: Sequence[TaskScore]) -> str | None:
    ends = Counter(task.outcome for task in tasks if task.outcome not in COUNTED)
    if not ends:
        return None
    named = ", ".join(f"{count} {OUTCOME_WORDS[outcome]}" for outcome, count in sorted(ends.items()))
    return (
        f"{ends.total()} of {len(tasks)} tasks were not ended by the agent and count as not done, with "
        f"the Sim_2 "
        f"of its actions until then: {named}; the paper does not say how it counts them"
    )


def _open_tasks(success: SuccessRate) -> str:
    """The tasks that only the best case counts as done, in words."""
    parts = [
        f"{success.unlabelled} without a label" if success.unlabelled else "",
        f"{success.cut} not ended by the agent" if success.cut else "",
    ]
    return " and ".join(filter(None, parts))


def _remark_judged(success: SuccessRate) -> str | None:
    judged = success.decided_by.get("judge", 0)
    return (
        f"{judged} tasks judged by a model ({', '.join(success.raters)}): the paper's were judged by people"
        if judged
        else None
    )
