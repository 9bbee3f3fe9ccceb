"""Attempts that the safety gate ended while the agent was in another app than the one of the task.

Such an attempt has failed, whatever the gate's reason was. A stop on the right way is another case: nobody
knows whether the agent would have done the task.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from execution_runner.execution_records import EndRecord, StepRecord
from fingertip_runs.app_rules import Rules, matches

DIALOGS = ("android", "*.intentresolver", "*.packageinstaller")
"""Packages of system dialogs over an app: "open with", and permissions of older versions of Android."""


def was_stopped_in_wrong_app(end: EndRecord, steps: Sequence[StepRecord], app: str) -> bool:
    """Whether the gate ended an attempt in another app than the task's.

    The last app in front counts. Keyboards, the system's bars and its dialogs are not apps, and an agent that
    is back on the launcher has left the other app. An app of money is on the right way if the task's own app
    led to it. The records do not say where the person went: a task that needs a second app and is stopped in
    it counts as failed. The patterns are those of this package's rules; a run records only a hash of its own.

    Args:
        end: End of the attempt.
        steps: Its steps.
        app: Package of the task's app, with or without an activity; "" if unknown.
    """
    own = app.partition("/")[0]
    if end.wrong_app is not None:
        return end.wrong_app
    if end.outcome != "blocked" or not own:
        return False
    packages = _rules().packages
    aside = (*packages.keyboards, *packages.navigation, *packages.confirmed, *DIALOGS)
    paying = False
    for step in reversed(steps):
        if step.package == own:
            return False
        if matches(step.package, packages.launchers):
            return paying
        if matches(step.package, packages.money):
            paying = True
        elif step.package and not matches(step.package, aside):
            return True
    return paying


@cache
def _rules() -> Rules:
    return Rules.default()
