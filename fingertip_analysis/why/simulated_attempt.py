"""Reasons of an attempt on a simulated phone: it is replayed and compared with the ways to its goal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.environment import EnvironmentSession
from execution_runner.environments.simulated import right_answer
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import StepRecord
from fingertip_analysis.why.goal_screens import (
    GoalScreens,
    ScreenKey,
    WayProgress,
    goal_screens,
    phone_tree,
    screen_key,
)
from fingertip_analysis.why.reasons import RuleHit
from fingertip_analysis.why.screen_targets import missed, tree_targets, tree_touched
from fingertip_analysis.why.step_rules import finished_at, miss_words
from fingertip_dataset.actions import Action, Click, LongClick, parse_action
from fingertip_dataset.errors import DatasetError, FingerTipError
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree
from simulated_phone import Phone, PhoneSetupError
from simulated_phone.people.simulation import Simulation


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedStep:
    """A step that was carried out again.

    Attributes:
        step: Number from 1.
        before: The screen that it was decided on.
        after: The screen that it led to.
        app: Package in front after it.
        miss: Which element a tap went beside, in words; "" for no miss.
        further: Whether it came further on one of the ways.
    """

    step: int
    before: ScreenKey
    after: ScreenKey
    app: str
    miss: str
    further: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedAttempt:
    """An attempt, compared with the ways to its goal.

    Attributes:
        screens: The ways.
        steps: The steps.
        progress: How far it came.
        problem: Why the steps from some point on were not carried out again, in words; "" if all were.
        right: The right answer to the goal's question; "" if it asks none.
        answered: Whether the agent's answer is right.
        apps: Package -> label of the installed apps.
    """

    screens: GoalScreens
    steps: tuple[ReplayedStep, ...]
    progress: WayProgress
    problem: str
    right: str
    answered: bool
    apps: dict[str, str] = field(default_factory=dict)

    @property
    def progress_step(self) -> int:
        """Last step that came further on a way; 0 for none."""
        return max((step.step for step in self.steps if step.further), default=0)


def replay_attempt(
    attempt: Attempt, target: TaskTarget, simulation: Simulation, *, faults: Sequence[str] = ()
) -> ReplayedAttempt:
    """Carries out an attempt again on a phone of this process.

    Args:
        attempt: The attempt.
        target: Its task's target, with the recorded actions.
        simulation: Setup of the task's phone, and its goal.
        faults: Faults of the run.

    Raises:
        DatasetError: The setup does not fit the phone.
        DeviceError: The phone cannot be set up, for example because it asks for a PIN.
    """
    try:
        screens = goal_screens(simulation, target.golden_actions)
    except (PhoneSetupError, LookupError, TypeError, ValueError) as error:
        raise DatasetError(
            f"the setup of the simulated phone does not fit its apps: {error!r}", episode_id=target.task_id
        ) from None
    phone = Phone(size=simulation.size)
    session = begin_in_process(simulation, phone, faults=faults)
    right = right_answer(phone, simulation.goal_instance)
    progress, problem, steps = WayProgress(screens), "", []
    start = phone.state_copy()
    before = screen_key(phone, start)
    for record in attempt.steps:
        action = parse_action(record.action)
        miss = _find_miss(action, record, screens, before, phone)
        problem = _carry_out(session, action, record)
        if problem:
            break
        after = screen_key(phone, start)
        further = progress.reach(after)
        front = phone.data["front"]
        steps.append(
            ReplayedStep(step=record.step, before=before, after=after, app=front, miss=miss, further=further)
        )
        before = after
    finish = finished_at(attempt.steps)
    given = finish[1].content if finish else None
    return ReplayedAttempt(
        screens=screens,
        steps=tuple(steps),
        progress=progress,
        problem=problem,
        right=right,
        answered=bool(right) and phone.is_right(simulation.goal_instance, given, right),
        apps={package: app.label for package, app in phone.apps.items()},
    )


def find_simulated_hits(attempt: Attempt, replayed: ReplayedAttempt) -> Iterator[RuleHit]:
    """Find the reasons that the ways to the goal show: left way, another app, missed tap, early or wrong end.

    Of an attempt whose steps could not all be carried out again only what is known of the others counts.
    """
    steps = replayed.steps
    misses = [step for step in steps if step.miss]
    if misses:
        yield RuleHit(
            name="grounding_miss",
            steps=tuple(step.step for step in misses),
            words=tuple(step.miss for step in misses),
        )
    yield from _find_app_hits(replayed)
    yield from _find_way_hits(replayed)
    if not replayed.problem:
        yield from _finish_hits(attempt, replayed)


def _find_app_hits(replayed: ReplayedAttempt) -> Iterator[RuleHit]:
    others = [step for step in replayed.steps if step.app not in replayed.screens.apps]
    if others:
        yield RuleHit(
            name="wrong_app",
            steps=tuple(step.step for step in others),
            words=tuple(f"in {replayed.apps.get(step.app, step.app)}" for step in others),
        )


def _find_way_hits(replayed: ReplayedAttempt) -> Iterator[RuleHit]:
    """The first step off the way: the last departure if the agent did not come back, else the first one."""
    off = [step.after not in replayed.screens for step in replayed.steps]
    if True not in off:
        return
    departures = [place for place, away in enumerate(off) if away and (place == 0 or not off[place - 1])]
    back = not off[-1]
    place = departures[0] if back else departures[-1]
    words = f"after {replayed.progress.words()}" + (", and back" if back else "")
    yield RuleHit(name="off_way", steps=(replayed.steps[place].step,), words=(words,), recovered=back)


def _finish_hits(attempt: Attempt, replayed: ReplayedAttempt) -> Iterator[RuleHit]:
    finish = finished_at(attempt.steps)
    if finish is None or attempt.end.success:
        return
    record, action = finish
    on_way = not replayed.steps or replayed.steps[-1].after in replayed.screens
    if on_way and not replayed.progress.ended:
        yield RuleHit(
            name="early_finish", steps=(record.step,), words=(f"after {replayed.progress.words()}",)
        )
    asked_rightly = not replayed.right or replayed.answered
    if not asked_rightly and (action.content or replayed.progress.ended):
        given = "no answer" if action.content is None else f"answered {action.content!r}"
        yield RuleHit(
            name="wrong_answer", steps=(record.step,), words=(f"{given}, right is {replayed.right!r}",)
        )


def _find_miss(
    action: Action, record: StepRecord, screens: GoalScreens, screen: ScreenKey, phone: Phone
) -> str:
    """Name the element that a tap missed; "" if it missed no element."""
    if record.problem is not None or not isinstance(action, Click | LongClick):
        return ""
    tree: AccessibilityTree | None = phone_tree(phone)
    touched = tree_touched(tree, action.x, action.y)
    meant = missed(action, screens.wanted(screen, tree), touched, tree_targets(tree), width=record.size[0])
    return "" if meant is None else miss_words(meant.name, meant.distance(action.x, action.y))


def _carry_out(session: EnvironmentSession, action: Action, record: StepRecord) -> str:
    """Carries out a step as in the run; returns why it differs from then, in words, or ""."""
    if not record.performed and record.verdict == "deny":
        return ""
    try:
        done = session.step(action)
    except FingerTipError as error:
        return f"step {record.step} cannot be carried out again: {error}" if record.performed else ""
    if record.state_sha256 is not None and done.state_sha256 != record.state_sha256:
        return (
            f"step {record.step} leads to another state than in the run, which was made with another version "
            "of the simulated phone"
        )
    return ""
