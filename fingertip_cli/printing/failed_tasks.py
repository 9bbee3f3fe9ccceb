"""The end of the output of a command that runs an agent: how many tasks ended in an error, and why."""

from __future__ import annotations

from collections.abc import Mapping

import click


def report_failures(failed: Mapping[str, str], *, all_failed: bool, advice: str = "") -> None:
    """Warn of the tasks that ended in an error.

    Args:
        failed: Task id -> reason, of the tasks of the run.
        all_failed: Whether tasks ended in this call, and each of them in an error.
        advice: What another call does about them; "" for nothing.

    Raises:
        AllTasksFailedError: All of this call did.
    """
    from fingertip_dataset.errors import AllTasksFailedError
    from fingertip_runs.failed_tasks import reasons_text

    if not failed:
        return
    count = f"{len(failed):,} tasks" if len(failed) > 1 else "1 task"
    verb = "count" if len(failed) > 1 else "counts"
    words = f"{count} of the run failed and {verb} as not done: {reasons_text(failed)}"
    words = "; ".join(filter(None, (words, advice)))
    if all_failed:
        raise AllTasksFailedError(f"every task of this call failed: {words}")
    click.echo(f"warning: {words}", err=True)
