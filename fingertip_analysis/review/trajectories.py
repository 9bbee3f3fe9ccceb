"""Trajectories as raters and the vision judge see them: screens and actions, nothing about the agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from execution_runner.devices.perform import FINGER_DIRECTIONS, SCROLL_PX
from execution_runner.execution_log import Attempt, read_attempts, read_run
from execution_runner.execution_records import ExecutionRun, StepRecord
from execution_runner.scoring.success import carries_out
from execution_runner.scoring.task_scores import COUNTED
from fingertip_dataset.actions import (
    Action,
    Ask,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
    parse_action,
)
from fingertip_dataset.errors import ActionSyntaxError, RunError, UsageError
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.targets import read_targets

_ENDS: Mapping[str, str] = {
    "terminated": "The agent reported that it is finished.",
    "truncated": "The agent was stopped: it took too many steps.",
}

_NOT_PERFORMED, _NO_ACTION = "Not carried out.", "The agent's output is not an action."

_CHINESE: Mapping[str, str] = {
    "": "",
    _ENDS["terminated"]: "智能体表示已经完成。",
    _ENDS["truncated"]: "智能体被终止：步数过多。",
    _NOT_PERFORMED: "没有执行。",
    _NO_ACTION: "智能体的输出不是一个动作。",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryStep:
    """A screen, and the agent's action on it.

    Attributes:
        screen: Picture file; None if the screen was not recorded.
        size: Width and height, px: the frame of the action's coordinates.
        action: As performed, in the release's spelling.
        note: A remark for the rater (for example, that it was not carried out); "" for none.
    """

    screen: Path | None
    size: tuple[int, int]
    action: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """A run's attempt at one task, the one that counts.

    Attributes:
        run: Folder of the run.
        started: When the run was first started; with the folder's name it identifies the run.
        target: The task: whose it is, its intent and app, and the person's own trajectory.
        attempt: Counted from 1.
        steps: In their order.
        final: Picture file of the screen at the end; None if it was not recorded.
        end: How it ended, in words that do not reveal the agent.
        success_by_rule: Result of the simulated phone's rule; None without a rule.
    """

    run: Path
    started: str
    target: TaskTarget
    attempt: int
    steps: tuple[TrajectoryStep, ...]
    final: Path | None
    end: str
    success_by_rule: bool | None


def read_trajectories(run: Path) -> tuple[Trajectory, ...]:
    """The attempts of a run whose success a label decides.

    Left out are attempts that the phone, the agent's model or the safety gate ended, and those of more than
    the step limit, which are failures whatever the screen shows (the release's rule).

    Raises:
        RunError: There is no run of track 2, it is broken, or it names a screen outside its folder.
        UsageError: Its actions were not carried out, so no screen shows their effect.
    """
    record = read_run(run)
    if not carries_out(record):
        how = "a dry run" if record.dry_run else "one on recorded episodes"
        raise UsageError(f"expected a run whose actions were carried out, got {how}", file=run)
    return tuple(
        _make_trajectory(run, record, attempt, target)
        for attempt, target in _read_counted(run)
        if not target.over_limit(len(attempt.steps))
    )


def read_rated_trajectories(run: Path) -> tuple[Trajectory, ...]:
    """The attempts of a run that are rated (A.6.6): those that the agent itself ended, of any length.

    Raises:
        RunError: There is no run of track 2, it is broken, or it names a screen outside its folder.
        UsageError: It has no trajectories of the agent: a dry run, or a teacher-forced one.
    """
    record = read_run(run)
    if record.dry_run or not DEVICE_KINDS[record.device].own_trajectory:
        how = "a dry run" if record.dry_run else "a teacher-forced one"
        raise UsageError(f"expected a run with trajectories of the agent, got {how}", file=run)
    return tuple(_make_trajectory(run, record, attempt, target) for attempt, target in _read_counted(run))


def action_words(raw: str, *, language: Literal["en", "zh"] = "en") -> str:
    """An action as a sentence whose subject did it.

    >>> action_words("click(coordinates=(336, 1267), content='蓝色加号按钮')")
    'taps “蓝色加号按钮”'
    >>> action_words("scroll(coordinates=(5, 9), direction='down')"), action_words("no action")
    ('scrolls down', 'no action')
    >>> action_words("type(text='稻香')", language="zh")
    '输入“稻香”'
    """
    try:
        action = parse_action(raw)
        return _describe(action) if language == "en" else _describe_in_chinese(action)
    except ActionSyntaxError:
        return raw


def both_words(raw: str) -> dict[str, str]:
    """An action as a sentence in each language of the pages."""
    return {"en": action_words(raw), "zh": action_words(raw, language="zh")}


def in_both(sentence: str) -> dict[str, str]:
    """How an attempt ended, or a remark on a step, in each language of the pages."""
    return {"en": sentence, "zh": _CHINESE[sentence]}


def draw_action(raw: str, size: tuple[int, int]) -> dict[str, object]:
    """An action as the page draws it: its name, the sentence, and the finger's position, px.

    Args:
        raw: In the release's spelling.
        size: Width and height of the screen, px.

    >>> draw_action("scroll(coordinates=(50, 300), direction='down')", (100, 400))
    {'name': 'scroll', 'words': 'scrolls down', 'at': (50, 300), 'to': (50, 0)}
    """
    try:
        action = parse_action(raw)
    except ActionSyntaxError:
        return {"name": "", "words": raw}
    drawn: dict[str, object] = {"name": action.name, "words": _describe(action)}
    if isinstance(action, Click | LongClick | Scroll):
        drawn["at"] = _on_screen(action.x, action.y, size)
    if isinstance(action, Scroll):
        across, down = FINGER_DIRECTIONS[action.direction]
        drawn["to"] = _on_screen(action.x + across * SCROLL_PX, action.y + down * SCROLL_PX, size)
    return drawn


def _on_screen(x: float, y: float, size: tuple[int, int]) -> tuple[float, float]:
    """The point, or the nearest one on the screen, which is where the phone was touched."""
    return min(max(x, 0), size[0]), min(max(y, 0), size[1])


def _describe(action: Action) -> str:
    match action:
        case Click():
            return f"taps “{action.content}”" if action.content else "taps"
        case LongClick():
            return f"presses long on “{action.content}”" if action.content else "presses long"
        case Type():
            return f"types “{action.text}”"
        case Scroll():
            return f"scrolls {action.direction}"
        case PressBack():
            return "goes back"
        case PressHome():
            return "goes to the home screen"
        case PressRecent():
            return "opens the recent apps"
        case Wait():
            return "waits"
        case Finished():
            return "says: finished" if action.content is None else f'answers "{action.content}"'
        case Ask():
            return f"asks “{action.text}”"


_DIRECTIONS = {"up": "上", "down": "下", "left": "左", "right": "右"}


def _describe_in_chinese(action: Action) -> str:
    match action:
        case Click():
            return f"点击“{action.content}”" if action.content else "点击"
        case LongClick():
            return f"长按“{action.content}”" if action.content else "长按"
        case Type():
            return f"输入“{action.text}”"
        case Scroll():
            return f"向{_DIRECTIONS[action.direction]}滑动"
        case PressBack():
            return "返回"
        case PressHome():
            return "回到主屏幕"
        case PressRecent():
            return "打开最近任务"
        case Wait():
            return "等待"
        case Finished():
            return "表示：完成" if action.content is None else f"回答“{action.content}”"
        case Ask():
            return f"提问“{action.text}”"


def _read_counted(run: Path) -> Iterator[tuple[Attempt, TaskTarget]]:
    """The attempts that the agent itself ended, each with its target."""
    attempts = [attempt for attempt in read_attempts(run) if attempt.end.outcome in COUNTED]
    targets = read_targets(run, [attempt.end.task_id for attempt in attempts])
    return ((attempt, targets[attempt.end.task_id]) for attempt in attempts)


def _make_trajectory(run: Path, record: ExecutionRun, attempt: Attempt, target: TaskTarget) -> Trajectory:
    end = attempt.end
    return Trajectory(
        run=run,
        started=record.sessions[0].started if record.sessions else "",
        target=target,
        attempt=end.attempt,
        steps=tuple(_make_step(run, step) for step in attempt.steps),
        final=_find_inside(run, end.final_screenshot, end.task_id),
        end=_ENDS[end.outcome],
        success_by_rule=end.success,
    )


def _make_step(run: Path, step: StepRecord) -> TrajectoryStep:
    note = "" if step.performed else _NOT_PERFORMED
    if step.problem is not None:
        note = _NO_ACTION
    return TrajectoryStep(
        screen=_find_inside(run, step.screenshot, step.task_id), size=step.size, action=step.action, note=note
    )


def _find_inside(run: Path, name: str | None, task_id: str) -> Path | None:
    """The file of that name, which must lie in the run's folder: a run may come from a stranger."""
    if name is None:
        return None
    file = (run / name).resolve()
    if not file.is_relative_to(run.resolve()):
        raise RunError(f"the screen {name} is not within the run", file=run, episode_id=task_id)
    return file
