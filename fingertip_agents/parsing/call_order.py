"""Order of the calls in an output, and what stands around them: labels, prose, a thought."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from fingertip_agents.parsing.arguments import TAIL
from fingertip_agents.parsing.parsed_call import ParsedCall
from fingertip_agents.parsing.reading import LEFT_OUT
from fingertip_dataset.actions import refuse

_THOUGHT = re.compile(r"[\s*_#]{0,20}(?:Thought|Thinking|Reason|思考|想法)[\s*_]{0,9}[:：]", re.IGNORECASE)


def keep_first_run(
    text: str, calls: Sequence[ParsedCall], filler: re.Pattern[str]
) -> tuple[tuple[ParsedCall, ...], str]:
    """Return the calls up to the first prose between them, and a note on those behind it; "" without any.

    Args:
        text: The model's output.
        calls: Calls in order, at least one.
        filler: Pattern of what may stand between two calls of a plan.
    """
    run = [calls[0]]
    for call in calls[1:]:
        if not filler.fullmatch(text, run[-1].end, call.start):
            break
        run.append(call)
    return tuple(run), f"{LEFT_OUT}: the calls behind the prose" if len(run) < len(calls) else ""


def refuse_draft(text: str, calls: Sequence[ParsedCall], filler: re.Pattern[str]) -> None:
    """Refuse calls of an answer without a label of actions that stand in the middle of its thought.

    Args:
        text: The model's output.
        calls: The calls that would be performed, at least one.
        filler: Pattern of what may stand behind them.

    Raises:
        ActionSyntaxError: A thought begins before the calls, and goes on behind them.
    """
    thought = _THOUGHT.match(text, 0, calls[0].start)
    end = TAIL.match(text, calls[-1].end) or filler.fullmatch(text, calls[-1].end)
    if thought and not end:
        refuse("a call behind the thought", "one within it")


def note_words(text: str, calls: Sequence[ParsedCall], pattern: re.Pattern[str]) -> str:
    """Return a note on calls within the words behind those that are read; "" without any.

    Args:
        text: The model's output.
        calls: The calls that are read, in order, at least one.
        pattern: Pattern of the beginning of any call.
    """
    starts = [call.start for call in calls]
    for found in pattern.finditer(text, starts[0]):
        before = calls[bisect_right(starts, found.start()) - 1]
        if found.start() >= before.end:
            return f"{LEFT_OUT}: calls within sentences"
    return ""


def find_labels(text: str, calls: Sequence[ParsedCall], label: re.Pattern[str]) -> tuple[re.Match[str], ...]:
    """All matches of the label outside calls, in order.

    Args:
        text: The model's output.
        calls: All calls that `read_calls` found in it.
        label: Label of the agent's grammar.
    """
    found, spans = list[re.Match[str]](), iter(calls)
    span = next(spans, None)
    for match in label.finditer(text):
        while span and span.end <= match.start():
            span = next(spans, None)
        if not span or match.start() < span.start:
            found.append(match)
    return tuple(found)
