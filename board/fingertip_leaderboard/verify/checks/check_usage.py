"""Check that seconds, calls and tokens are plausible."""

from __future__ import annotations

from execution_runner.execution_records import STEPS, StepRecord
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import Prediction

MOST_PROMPT, MOST_COMPLETION = 20_000_000, 5_000_000
"""Maximum prompt and completion tokens of one call, above those of any model."""

CHARACTERS_OF_A_TOKEN = 256
"""Maximum characters of a token, above those of any vocabulary in use."""

TOKENS_OF_A_SECOND = 200_000
"""Maximum tokens per second, above the rate of any server for one request."""


CLOCK_S = 0.01
"""Tolerated difference of two durations of one answer, s."""


def check_suggestion_usage(line: Prediction, number: int, found: Refusals) -> None:
    """Refuse implausible tokens and seconds of an answer; an answer of a batch has 0 seconds."""
    reason = _check_tokens(
        line.calls, line.prompt_tokens, line.completion_tokens, line.output, known=not line.cached
    )
    if reason:
        found.refuse(RefusalKind.IMPOSSIBLE_TOKENS, reason, PREDICTIONS, number)
    reason = _check_seconds(line.time_s, line.output, line.completion_tokens)
    if reason and line.time_s and not line.cached:
        found.refuse(RefusalKind.BAD_TIME, reason, PREDICTIONS, number)
    first = line.first_token_s
    if first is not None and first > line.time_s + CLOCK_S:
        reason = f"the first token came after {first:g} seconds, but the answer took {line.time_s:g}"
        found.refuse(RefusalKind.BAD_TIME, reason, PREDICTIONS, number)
    if line.history_usage is not None:
        spent = line.history_usage
        reason = _check_tokens(1, spent.prompt_tokens, spent.completion_tokens, "", known=True)
        if reason:
            reason = f"selection of earlier intents: {reason}"
            found.refuse(RefusalKind.IMPOSSIBLE_TOKENS, reason, PREDICTIONS, number)


def remark_unmeasured(read: ReadBundle, found: Refusals) -> None:
    """Add remarks on answers of track 1 that came from a cache, and on those whose seconds nobody measured.

    Args:
        read: A bundle of track 1.
        found: Gets the remarks.
    """
    given = [one.record for one in read.suggestions if one.record.is_answer]
    cached, blank = sum(one.cached for one in given), sum(one.time_s == 0 for one in given)
    if given and cached == len(given):
        found.remark(f"all {cached} answers are of a cache: seconds and tokens are those of an earlier run")
    if blank:
        found.remark(f"{blank} of {len(given)} answers of a model have 0 seconds: nobody measured them")


def check_step_usage(step: StepRecord, number: int, place: int, found: Refusals) -> None:
    """Refuse implausible tokens and seconds of a step; `place` is its number, counted from 1."""
    if step.agent_s is None or step.device_s is None or step.queries is None:
        reason = f"nobody measured seconds and queries at step {place}"
        found.refuse(RefusalKind.BAD_TIME, reason, STEPS, number)
        return
    output = step.output if step.queries else ""
    reason = _check_tokens(step.queries, step.prompt_tokens, step.completion_tokens, output, known=True)
    if reason:
        found.refuse(RefusalKind.IMPOSSIBLE_TOKENS, f"{reason} at step {place}", STEPS, number)
    reason = _check_seconds(step.agent_s, output, step.completion_tokens)
    if reason:
        found.refuse(RefusalKind.BAD_TIME, f"{reason} at step {place}", STEPS, number)


def _check_tokens(calls: int, read: int | None, written: int | None, output: str, *, known: bool) -> str:
    if calls == 0 and (read or written):
        return f"without a call of a model there are no tokens, got {read} and {written}"
    if calls == 0 and output:
        return "without a call of a model there is no output, got one"
    if read is not None and read > MOST_PROMPT * max(1, calls):
        return f"expected at most {MOST_PROMPT:,} tokens read, got {read:,}"
    if written is not None and written > MOST_COMPLETION * max(1, calls):
        return f"expected at most {MOST_COMPLETION:,} tokens written, got {written:,}"
    if known and output and read == 0:
        return "a model that answers reads tokens, got 0"
    if known and output and written is not None and len(output) > CHARACTERS_OF_A_TOKEN * written:
        return f"{written:,} tokens are too few for {len(output):,} characters"
    return ""


def _check_seconds(seconds: float, output: str, written: int | None) -> str:
    # a clock never measures exactly 0 for a request
    if output and seconds == 0:
        return "a model cannot answer in 0 seconds"
    if output and written and written > TOKENS_OF_A_SECOND * seconds:
        return f"{seconds:g} seconds are too few for {written:,} tokens"
    return ""
