"""Words for the tasks of a run that ended in an error."""

from __future__ import annotations

from collections.abc import Mapping

from fingertip_dataset.release.problems import printable

SHOWN_REASONS = 3
"""Maximum number of reasons that a message lists."""


def reasons_text(failed: Mapping[str, str]) -> str:
    """The reasons of failed tasks, the most frequent first, each with its number of tasks and one of them.

    Args:
        failed: Task id -> reason.

    >>> reasons_text({"1__a": "status 400: too long"})
    'status 400: too long (episode 1__a)'
    >>> reasons_text({"1__a": "offline", "1__b": "no key", "2__a": "no key"})
    'no key (2 tasks, such as episode 1__b); offline (episode 1__a)'

    A reason that already names its task counts as one with those of other tasks:

    >>> reasons_text({"1__a": "offline (episode 1__a)", "1__b": "offline (episode 1__b)"})
    'offline (2 tasks, such as episode 1__a)'
    """
    tasks: dict[str, list[str]] = {}
    for task_id, reason in failed.items():
        tasks.setdefault(reason.removesuffix(f" (episode {task_id})"), []).append(task_id)
    grouped = sorted(tasks.items(), key=lambda item: -len(item[1]))
    shown = [
        f"{printable(reason)} ({f'{len(ids):,} tasks, such as ' if len(ids) > 1 else ''}episode {ids[0]})"
        for reason, ids in grouped[:SHOWN_REASONS]
    ]
    others = len(grouped) - SHOWN_REASONS
    more = [f"and {others} other {'reason' if others == 1 else 'reasons'}"] if others > 0 else []
    return "; ".join([*shown, *more])
