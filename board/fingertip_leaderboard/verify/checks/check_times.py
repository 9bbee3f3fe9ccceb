"""Compare the times of a bundle: of the run's start, its steps, labels and seconds, and of the bundle.

Clocks of two machines may differ by `moments.SLACK`. Seconds that exceed the time in which they were spent
are a remark and no refusal, because an answer of a cache keeps the seconds of the query that gave it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS
from execution_runner.scoring.success_labels import LABELS
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.checks.stated_moments import SLACK, read_moment

GRACE_S, GRACE = 2.0, 0.05
"""Tolerated difference of an attempt's seconds from its span: seconds, and a share of the span."""


def check_order_of_time(read: ReadBundle, now: datetime, found: Refusals) -> None:
    """Refuse a bundle whose run, steps, labels and making do not follow one another in time.

    Times that cannot be read, or that are in the future, were refused before.

    Args:
        read: Records of a bundle or of one of its tries.
        now: Time of verification.
        found: Collects the refusals and remarks.
    """
    starts = [read_moment(session.started) for session in read.bundle.run.sessions]
    known = [start for start in starts if start is not None]
    for before, after in pairwise(known):
        if after + SLACK < before:
            reason = f"the starts of the run must be in the order of time, got {after.isoformat()} after "
            found.refuse(RefusalKind.BAD_TIME, reason + before.isoformat(), BUNDLE)
    first, made = min(known, default=None), read_moment(read.bundle.made)
    for file, line, what, text in _list_moments(read):
        moment = read_moment(text)
        if moment is None or moment > now + SLACK:
            continue
        if first is not None and moment + SLACK < first:
            reason = f"{what} at {text}, before the run started at {first.isoformat()}"
            found.refuse(RefusalKind.BAD_TIME, reason, file, line)
        if made is not None and moment > made + SLACK:
            reason = f"{what} at {text}, after the bundle was made at {made.isoformat()}"
            found.refuse(RefusalKind.BAD_TIME, reason, file, line)
    if first is not None and made is not None:
        _remark_long_answers(read, made - first, found)
    _compare_seconds(read, found)


def _list_moments(read: ReadBundle) -> Iterator[tuple[str, int, str, str]]:
    """File, line, description and text of each moment of the run; of an attempt its first and its last."""
    for one in read.executions:
        if one.record.steps:
            yield STEPS, one.line, "the attempt has a step", one.record.steps[0].at
        yield STEPS, one.line, "the attempt ended", one.record.end.at
    for label in read.labels:
        yield LABELS, label.line, "the attempt was labelled", label.record.at


def _compare_seconds(read: ReadBundle, found: Refusals) -> None:
    """Compare the seconds of each attempt's steps with the time between them.

    The phone's alone are measured in any case, so that too many of them are refused.
    """
    longer = 0
    for one in read.executions:
        span = _measure_span(one.record)
        if span is None:
            continue
        agent, device = _sum_seconds(one.record)
        most = span + GRACE_S + GRACE * span
        if device > most:
            reason = f"the phone took {device:,.1f} seconds within an attempt of {span:,.1f} seconds"
            found.refuse(RefusalKind.BAD_TIME, reason, STEPS, one.line)
        longer += agent + device > most
    if longer:
        found.remark(
            f"in {longer} of {len(read.executions)} attempts the steps took more seconds than the attempt: "
            "answers of a cache keep the seconds of an earlier query, or nobody measured them"
        )


def _measure_span(attempt: Attempt) -> float | None:
    """Seconds from the first decision to the end; None without steps, or for times that cannot be read."""
    if not attempt.steps:
        return None
    first, end = read_moment(attempt.steps[0].at), read_moment(attempt.end.at)
    return None if first is None or end is None else (end - first).total_seconds()


def _sum_seconds(attempt: Attempt) -> tuple[float, float]:
    """Seconds of the agent and of the phone after the first decision, whose own came before it."""
    later = attempt.steps[1:]
    return sum(step.agent_s or 0.0 for step in later), sum(step.device_s or 0.0 for step in later)


def _remark_long_answers(read: ReadBundle, span: timedelta, found: Refusals) -> None:
    """Add a remark if the answers of track 1 took longer than the run, as many at once as it records."""
    seconds = [one.record.time_s for one in read.suggestions if not one.record.cached]
    if not seconds:
        return
    known = [session.concurrency for session in read.bundle.run.sessions]
    least = max(seconds)
    if None not in known:
        least = max(least, sum(seconds) / max((one for one in known if one is not None), default=1))
    if least > (span + SLACK).total_seconds():
        found.remark(
            f"the answers took {least:,.0f} seconds or more, but the bundle was made "
            f"{span.total_seconds():,.0f} seconds after the run started: nobody measured them"
        )
