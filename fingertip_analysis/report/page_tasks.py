"""The tasks on the report page: the person's trajectory, and below it those of the agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from execution_runner.devices.perform import FINGER_DIRECTIONS, SCROLL_PX
from execution_runner.execution_log import Attempt, read_attempts
from execution_runner.execution_records import ExecutionRun, StepRecord
from execution_runner.scoring.run_scores import ExecutionRunScores
from execution_runner.scoring.success import carries_out
from execution_runner.scoring.task_scores import TaskScore
from fingertip_analysis.report.page_screens import PageScreen, PageScreens
from fingertip_analysis.why.reasons import AttemptReasons
from fingertip_analysis.why.why_scores import WhyScores
from fingertip_dataset.actions import Ask, Click, LongClick, Scroll, Type, canonical, parse_action
from fingertip_dataset.errors import ActionSyntaxError, RunError
from fingertip_dataset.tasks.task import TASK_COLUMNS, TaskTarget
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.instructed_tasks import instruct_tasks
from fingertip_runs.report_base import filter_words, open_run_dataset, task_rows
from fingertip_runs.targets import read_targets

COLUMNS = (*TASK_COLUMNS, "screenshots", "actions")

TemplateData = dict[str, Any]
"""What the page's script draws, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptCard:
    """The attempt of a run at a task.

    Attributes:
        run: Index of the run on the page.
        score: The task's score in that run.
        carried_out: Whether the run's actions were carried out.
        why: Why it failed; None for a success, or if that was not asked for.
        instruction: The agent's instruction, where it says less than the person wrote; else "".
    """

    run: int
    score: TaskScore
    carried_out: bool
    why: AttemptReasons | None = None
    instruction: str = ""

    @property
    def success(self) -> str:
        """The success: "yes", "no", "open" (not labelled), "cut" (the agent did not end it), "recorded".

        SR_2 counts "open" and "cut" as not done.
        """
        if not self.carried_out:
            return "recorded"
        if self.score.success is None:
            return "open" if self.score.counted else "cut"
        return "yes" if self.score.success else "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionCard:
    """A task on the page.

    Attributes:
        row: The task's row of the dataset.
        golden_steps: Number of the person's steps.
        attempts: Attempts of the runs in which the task has ended, in the order of the runs.
        view: The person's and the agents' steps.
        words: Text that the filter searches, in lower case.
    """

    row: Mapping[str, Any]
    golden_steps: int
    attempts: tuple[AttemptCard, ...]
    view: TemplateData
    words: str


def task_cards(
    scores: Sequence[ExecutionRunScores], screens: PageScreens, why: Sequence[WhyScores] = ()
) -> Iterator[ExecutionCard]:
    """The tasks of runs, in the order of the dataset.

    Args:
        scores: Scores of runs of one split of one dataset, which must still be where the runs found it.
        screens: Collects every screen.
        why: Why attempts of the same runs failed, in their order; empty to leave that out.

    Raises:
        DatasetError: The dataset is gone.
        UsageError: The dataset is not the one that the runs were made on.
        RunError: A screen of a run is missing.
    """
    runs = [{attempt.end.task_id: attempt for attempt in read_attempts(run.folder)} for run in scores]
    recorded = [
        {} if DEVICE_KINDS[run.record.device].own_trajectory else read_targets(run.folder, attempts)
        for run, attempts in zip(scores, runs, strict=True)
    ]
    tasks = [{task.task_id: task for task in run.tasks} for run in scores]
    reasons = [{one.task_id: one for one in run.attempts} for run in why] or [{} for _ in scores]
    instructions = [_read_instructions(run.record) for run in scores]
    for row in task_rows(scores[0].record, COLUMNS):
        task_id = row["episode_id"]
        attempted = [
            number for number, found in enumerate(runs) if task_id in found and task_id in tasks[number]
        ]
        if attempted:
            attempts = [
                (number, runs[number][task_id], recorded[number].get(task_id)) for number in attempted
            ]
            cards = tuple(
                AttemptCard(
                    run=number,
                    score=tasks[number][task_id],
                    carried_out=carries_out(scores[number].record),
                    why=reasons[number].get(task_id),
                    instruction=instructions[number].get(task_id, ""),
                )
                for number in attempted
            )
            yield _make_card(row, attempts, cards, [run.folder for run in scores], screens)


def _read_instructions(record: ExecutionRun) -> Mapping[str, str]:
    """Task id -> instruction of a run whose tasks say less than people wrote; empty for other runs."""
    if record.instructions == "full":
        return {}
    built = open_run_dataset(record)
    return {
        task_id: task.text
        for task_id, task in instruct_tasks(built, record.split, record.instructions).tasks.items()
    }


def _make_card(
    row: Mapping[str, Any],
    attempts: Sequence[tuple[int, Attempt, TaskTarget | None]],
    cards: tuple[AttemptCard, ...],
    folders: Sequence[Path],
    screens: PageScreens,
) -> ExecutionCard:
    golden = _make_golden(row, screens)
    trajectories = [
        _make_trajectory(number, attempt, target, folders[number], screens)
        for number, attempt, target in attempts
    ]
    steps = [*golden, *(step for one in trajectories for step in one["steps"])]
    words = [attempt.end.reason for _, attempt, _ in attempts] + [step["raw"] for step in steps]
    words += [step["reply"] for step in steps if "reply" in step] + [card.instruction for card in cards]
    return ExecutionCard(
        row=row,
        golden_steps=sum(1 for step in golden if step["raw"]),
        attempts=cards,
        view={"golden": golden, "ways": trajectories},
        words=filter_words(row, words),
    )


def _make_golden(row: Mapping[str, Any], screens: PageScreens) -> list[TemplateData]:
    page_screens = screens.add([image["bytes"] if image else None for image in row["screenshots"]])
    return [
        _make_step(
            canonical(action["raw"]) if action["raw"] else "", screen, screen.size if screen else (0, 0)
        )
        for action, screen in zip(row["actions"], page_screens, strict=True)
    ]


def _make_trajectory(
    number: int, attempt: Attempt, target: TaskTarget | None, folder: Path, screens: PageScreens
) -> TemplateData:
    """An agent's trajectory: its steps with the recorded actions of `target`, and the screen at the end."""
    end = attempt.end
    files = [*(step.screenshot for step in attempt.steps), end.final_screenshot]
    *page_screens, last = screens.add([None if file is None else _read(folder / file) for file in files])
    golden = target.list_scored_actions(end.gaps) if target else ()
    steps = [
        _make_agent_step(step, screen, recorded)
        for step, screen, recorded in zip_longest(attempt.steps, page_screens, golden[: len(page_screens)])
    ]
    return {"run": number, "steps": steps, "last": _key(last)}


def _make_agent_step(step: StepRecord, screen: PageScreen | None, golden: str | None) -> TemplateData:
    details = {
        "output": step.output if step.output != step.action else "",
        "thought": step.thought,
        "problem": step.problem,
        "notes": "\n".join(step.notes),
        "verdict": step.verdict if step.verdict != "allow" else None,
        "reason": step.reason,
        "off": step.on_trace is False,
        "golden": golden,
        **_describe_reply(step),
        "seconds": _format_seconds(step),
    }
    return _make_step(step.action, screen, step.size) | {
        name: value for name, value in details.items() if value
    }


def _describe_reply(step: StepRecord) -> TemplateData:
    """The reply to a question: its words, its kind, and whether it could have been known."""
    if step.reply is None:
        return {}
    return {"reply": step.reply.text, "kind": step.reply.kind, "needless": step.reply.needless}


def _format_seconds(step: StepRecord) -> str:
    """Seconds of the agent and of the phone; "" if nobody measured them."""
    if step.agent_s is None or step.device_s is None:
        return ""
    return f"{step.agent_s:.2f} s agent, {step.device_s:.2f} s phone"


def _make_step(raw: str, screen: PageScreen | None, size: tuple[int, int]) -> TemplateData:
    """A step as JSON; coordinates are px of the original screen."""
    view: TemplateData = {"raw": raw, "screen": _key(screen), "size": size}
    try:
        action = parse_action(raw)
    except ActionSyntaxError:
        return view
    view["name"] = action.name
    match action:
        case Click() | LongClick():
            view |= {"at": [action.x, action.y], "text": action.content or ""}
        case Scroll():
            across, down = FINGER_DIRECTIONS[action.direction]
            width, height = size
            x, y = action.x + across * SCROLL_PX, action.y + down * SCROLL_PX
            view |= {"at": [action.x, action.y], "to": [min(max(x, 0), width), min(max(y, 0), height)]}
            view["text"] = action.direction
        case Type() | Ask():
            view["text"] = action.text
    return view


def _key(screen: PageScreen | None) -> int | None:
    return None if screen is None else screen.key


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise RunError(f"a screen of the run cannot be read: {error.strerror or error}", file=file) from error
