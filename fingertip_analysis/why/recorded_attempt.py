"""Reasons of an attempt on a recorded episode: its actions beside the recorded ones, screen by screen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import StepRecord
from fingertip_analysis.why.reasons import ReasonName, RuleHit
from fingertip_analysis.why.screen_targets import ScreenTarget, missed, tree_targets, tree_touched
from fingertip_analysis.why.step_rules import Trees, default_rules, miss_words
from fingertip_dataset.actions import Action, Click, Finished, LongClick, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree
from fingertip_metrics.action_matching import matches
from fingertip_runs.app_rules import matches as package_matches


def differing_steps(attempt: Attempt, target: TaskTarget, trees: Trees) -> tuple[int, ...]:
    """Numbers of the steps that are not the recorded ones; the next number for a step that is missing.

    Args:
        attempt: The attempt.
        target: Its task's target.
        trees: The tree of each step's screen.
    """
    golden = target.list_scored_actions(attempt.end.gaps)
    found = [
        step.step
        for step, wanted, tree in zip(attempt.steps, golden, trees, strict=False)
        if not _is_same(step, wanted, tree)
    ]
    found += [step.step for step in attempt.steps[len(golden) :]]
    if len(attempt.steps) < len(golden) and not found:
        found.append(len(attempt.steps) + 1)
    return tuple(found)


def find_recorded_hits(attempt: Attempt, target: TaskTarget, trees: Trees) -> Iterator[RuleHit]:
    """Reasons of the steps that are not the recorded ones.

    On a launcher another icon is another app. `finished()` before the person's is an early finish. A tap is a
    miss if it was meant for the element that the person touched; see `missed`. All else is off the way.
    """
    golden = target.list_scored_actions(attempt.end.gaps)
    found: defaultdict[ReasonName, list[tuple[int, str]]] = defaultdict(list)
    for step, wanted, tree in zip(attempt.steps, golden, trees, strict=False):
        if step.problem is None and not _is_same(step, wanted, tree):
            name, words = _find_reason(step, wanted, tree)
            found[name].append((step.step, words))
    for step in attempt.steps[len(golden) :]:
        found["off_way"].append((step.step, "after the person's last step"))
    for name, places in found.items():
        yield RuleHit(
            name=name, steps=tuple(step for step, _ in places), words=tuple(words for _, words in places)
        )


def _find_reason(step: StepRecord, wanted: str, tree: AccessibilityTree | None) -> tuple[ReasonName, str]:
    action = parse_action(step.action)
    recorded = f"the recorded action is {wanted}"
    if isinstance(action, Finished):
        return "early_finish", recorded
    if isinstance(action, Click | LongClick):
        touched = tree_touched(tree, action.x, action.y)
        meant = missed(action, _find_wanted(wanted, tree), touched, tree_targets(tree), width=step.size[0])
        if meant is not None:
            return "grounding_miss", miss_words(meant.name, meant.distance(action.x, action.y))
        if touched is not None and package_matches(step.package, default_rules().packages.launchers):
            return "wrong_app", f"opens {touched.name or 'another icon'!r}; {recorded}"
    return "off_way", recorded


def _find_wanted(golden: str, tree: AccessibilityTree | None) -> Sequence[ScreenTarget]:
    """The element that the person touched; empty for other actions and without one that reacts."""
    action = _parse(golden)
    if not isinstance(action, Click | LongClick):
        return ()
    touched = tree_touched(tree, action.x, action.y)
    return () if touched is None else (touched,)


def _is_same(step: StepRecord, golden: str, tree: AccessibilityTree | None) -> bool:
    if step.problem is not None:
        return False
    if step.on_trace is not None:
        return step.on_trace
    return matches(golden, parse_action(step.action), tree, step.size).same


def _parse(text: str) -> Action | None:
    try:
        return parse_action(text)
    except ActionSyntaxError:
        return None
