"""Rules on the steps of an attempt that need neither the way nor the recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import StepRecord
from execution_runner.scoring.wrong_app import DIALOGS
from fingertip_agents.grounding import list_labels
from fingertip_analysis.why.reasons import RuleHit
from fingertip_analysis.why.screen_targets import missed, tree_targets, tree_touched
from fingertip_dataset.actions import Click, Finished, LongClick, canonical, parse_action
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree
from fingertip_runs.app_rules import Rules, matches

LOOP = 3
"""Number of times that one action on one screen makes a loop."""

Trees = Sequence[AccessibilityTree | None]
"""The tree of each step's screen; None without a readable one."""


def end_hits(attempt: Attempt, *, over_limit: bool) -> Iterator[RuleHit]:
    """Reasons by which the attempt ended: an error, the gate, the step limit.

    Args:
        attempt: The attempt.
        over_limit: Whether it has more steps than the step limit.
    """
    end, last = attempt.end, tuple(step.step for step in attempt.steps[-1:])
    if end.outcome == "device_error":
        yield RuleHit(name="device_error", steps=last, words=(end.reason,))
    elif end.outcome == "agent_error":
        yield RuleHit(name="agent_error", steps=last, words=(end.reason,))
    elif end.outcome == "blocked":
        yield RuleHit(name="blocked", steps=last, words=(end.reason,))
    if over_limit or end.outcome == "truncated":
        yield RuleHit(name="over_limit", steps=last, words=(f"{len(attempt.steps)} steps",))


def unreadable_hits(steps: Sequence[StepRecord]) -> Iterator[RuleHit]:
    """Steps whose output could not be parsed: cut at the token limit, or no action in it."""
    bad = [step for step in steps if step.problem is not None]
    if bad:
        yield RuleHit(
            name="unreadable_answer",
            steps=tuple(step.step for step in bad),
            words=tuple("; ".join((step.problem or "", *step.notes)) for step in bad),
        )


def loop_hits(steps: Sequence[StepRecord], trees: Trees) -> Iterator[RuleHit]:
    """Steps that repeat an action on an unchanged screen, if one of them is done `LOOP` times.

    A screen is known by the texts of its app and by which of them are checked or focused, without the
    system's bars. Unreadable answers are no actions. A step begins to repeat at its second time.
    """
    keys = [
        None
        if step.problem is not None or tree is None
        else (_describe_screen(step, tree), _parse_action(step, tree))
        for step, tree in zip(steps, trees, strict=True)
    ]
    counts = Counter(key for key in keys if key is not None)
    looped = {key for key, count in counts.items() if count >= LOOP}
    seen: set[object] = set()
    repeated = []
    for step, key in zip(steps, keys, strict=True):
        if key in looped and key in seen:
            repeated.append(step)
        seen.add(key)
    if repeated:
        most = max(counts[key] for key in looped if key is not None)
        yield RuleHit(
            name="loop",
            steps=tuple(step.step for step in repeated),
            words=tuple(f"{step.action}: one action on one screen {most} times" for step in repeated),
        )


def label_miss_hits(steps: Sequence[StepRecord], trees: Trees) -> Iterator[RuleHit]:
    """Find taps that missed the element whose label the agent wrote."""
    found = []
    for step, tree in zip(steps, trees, strict=True):
        action = parse_action(step.action)
        if step.problem is None and isinstance(action, Click | LongClick):
            touched = tree_touched(tree, action.x, action.y)
            meant = missed(action, (), touched, tree_targets(tree), width=step.size[0])
            if meant is not None:
                found.append((step.step, miss_words(meant.name, meant.distance(action.x, action.y))))
    if found:
        numbers, words = zip(*found, strict=True)
        yield RuleHit(name="grounding_miss", steps=numbers, words=words)


def miss_words(label: str, distance: float) -> str:
    """A miss in words."""
    return f"{distance:.0f} px beside {label or 'an element without a label'!r}"


def package_hits(steps: Sequence[StepRecord], app: str) -> Iterator[RuleHit]:
    """The other app in which an attempt on a phone ended, by the packages in front.

    The records do not say where the person went, so an app that the agent left again is no reason.

    Args:
        steps: The steps.
        app: Package of the task's app, with or without an activity; "" if unknown.
    """
    own = app.partition("/")[0]
    packages = default_rules().packages
    aside = (*packages.keyboards, *packages.navigation, *packages.confirmed, *DIALOGS)
    others: list[StepRecord] = []
    for step in reversed(steps if own else ()):
        if not step.package or matches(step.package, aside):
            continue
        if step.package == own or matches(step.package, (*packages.launchers, *packages.money)):
            break
        others.append(step)
    if others:
        # the action before the first screen of the other app led there
        entered = max(1, others[-1].step - 1)
        yield RuleHit(name="wrong_app", steps=(entered,), words=(f"in {others[-1].package}",))


@cache
def default_rules() -> Rules:
    """The rules of the safety gate, which name launchers, keyboards and system dialogs."""
    return Rules.default()


def finished_at(steps: Sequence[StepRecord]) -> tuple[StepRecord, Finished] | None:
    """The step that says finished; None without one."""
    if not steps or steps[-1].problem is not None:
        return None
    action = parse_action(steps[-1].action)
    return (steps[-1], action) if isinstance(action, Finished) else None


def _describe_screen(step: StepRecord, tree: AccessibilityTree) -> object:
    system = default_rules().packages.navigation
    return step.package, tuple(
        (tuple(list_labels(element)), element.checked, element.focused, element.selected)
        for element in tree.elements
        if element.package and not matches(element.package, system)
    )


def _parse_action(step: StepRecord, tree: AccessibilityTree) -> object:
    """Return the element that the tap of a step hits, or the action as written."""
    action = parse_action(step.action)
    if isinstance(action, Click | LongClick):
        touched = tree_touched(tree, action.x, action.y)
        return type(action), None if touched is None else touched.box
    return canonical(step.action)
