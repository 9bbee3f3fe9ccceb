"""Checks of quality on a demonstration that was just recorded, before its person decides on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fingertip_dataset.actions import Action, Finished
from fingertip_recorder.transcript import DemonstratedStep, TimedObservation
from fingertip_studies.quality.action_checks import action_flaws
from fingertip_studies.quality.flaw_kinds import KINDS, FlawKind
from fingertip_studies.quality.screen_checks import screen_flaws
from fingertip_studies.quality.screen_state import read_screen

TOLD_BY_RECORDER = frozenset({FlawKind.MISSING_TREE, FlawKind.BLACK_SCREENSHOT, FlawKind.MISSING_SCREENSHOT})
"""Kinds that the recorder tells itself, as problems of its observation."""


def find_step_hints(
    steps: Sequence[DemonstratedStep], last: TimedObservation
) -> Mapping[int, tuple[str, ...]]:
    """Find flaws of a demonstration by the checks that need no other episode.

    Args:
        steps: Its steps.
        last: The screen at the end, on which `finished()` is recorded.

    Returns:
        Index of a flaw's first step, from 0 -> a line for each of its flaws.
    """
    observed = [step.before.observation for step in steps] + [last.observation]
    states = [read_screen(one.screenshot, one.tree) for one in observed]
    actions: list[Action] = [*(step.action for step in steps), Finished()]
    hints: dict[int, tuple[str, ...]] = {}
    for flaw in (*screen_flaws(states, actions), *action_flaws(states, actions)):
        if flaw.step is None or flaw.step >= len(steps) or flaw.kind in TOLD_BY_RECORDER:
            continue
        detail = f" ({flaw.detail})" if flaw.detail else ""
        line = f"{flaw.kind.value}: {KINDS[flaw.kind].meaning}{detail}"
        hints[flaw.step] = (*hints.get(flaw.step, ()), line)
    return hints
