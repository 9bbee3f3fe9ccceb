"""Parser of a free-text answer with a call of the release among reasoning, prose, code fences and labels.

Choice among several calls: a call after a label ("Action:") is preferred to one at the beginning of a line,
and that to one within a sentence; a call in quotes is ignored. Among calls of the same rank the last is
taken, because models consider several calls before they answer. Among consecutive calls without text
between them the first is taken: they are a plan, and its later steps are for screens that the model has not
seen. The authors' loop also performs one action per screen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fingertip_agents.parsing.calls import MAX_OUTPUT, find_call_ends
from fingertip_agents.parsing.reading import Reading
from fingertip_dataset.actions import Action, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable

MAX_HEAD = 80
"""Maximum number of characters (number, label, spaces) before a call that counts as beginning its line."""

MAX_CALLS = 64
"""Maximum number of calls in one answer; an answer with more is refused."""

_LABEL = (
    r"(?:(?:final |next )?(?:action|answer|output)|(?:最终|下一步|接下来的)?(?:动作|操作|答案|回答|输出))"
)
_NAMES = "press_back|press_home|press_recent|wait|finished|finish|click|long_click|type|scroll"
_CALL = re.compile(
    # "wait (for the page)" is prose: with a space before the bracket an argument or nothing has to follow
    rf"(?<![A-Za-z0-9_.])(?:{_NAMES})"
    r"(?:[(（]|\s{1,5}[(（](?=\s{0,5}(?:[)）]|(?:coordinates|content|text|direction)\s{0,5}[=＝])))"
)
_FILLING = rf"(?:[\W\d_]|(?i:{_LABEL}))"
# bounded, so that an answer of brackets only is read in linear time
_NEXT_CALL = re.compile(rf"['\"＇＂‘’“”)）]\s*[)）]{_FILLING}{{0,200}}?{_CALL.pattern}")
_FILLER = re.compile(rf"{_FILLING}*")
_LINE_HEAD = re.compile(rf"[\s>*•`#_-]*(?:\d{{1,3}}[.)、:：]\s*)?([*_`]*(?i:{_LABEL})[*_\s]*[:：])?[\s*_`]*")
_LINE_QUOTES = '"“”「」'
_FENCE = re.compile(r"^[^\S\n]*```\w*\s*$", re.MULTILINE)
_THOUGHT_LABEL = re.compile(r"[\s*_#]*(?:thought|思考|想法)[\s*_]*[:：][\s*_]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ActionCall:
    """Call in an answer.

    Attributes:
        start: Index of its name.
        end: Index after its closing bracket, or after the opening one if it cannot be parsed.
        found: The action, or the error why it cannot be parsed.
        rank: 2 after a label, 1 at the beginning of a line, 0 within a sentence.
    """

    start: int
    end: int
    found: Action | ActionSyntaxError
    rank: int


def read(output: str) -> Reading:
    r"""Read the action of an answer; the text before it is the thought.

    The output of `format_action` is read as the same action, unless its text contains the end of one call and
    then the beginning of another, which is read as two calls.

    Args:
        output: The model's output, possibly with reasoning before the answer.

    >>> reading = read("Thought: the alarm, not wait().\nAction: `click(coordinates=(9,8), content='闹钟')`")
    >>> reading.actions, reading.thought
    ((Click(x=9, y=8, content='闹钟'),), 'the alarm, not wait().')
    >>> reading.raw
    ("click(coordinates=(9,8), content='闹钟')",)
    """
    if len(output) > MAX_OUTPUT:
        return Reading(problem=f"expected at most {MAX_OUTPUT} characters, got {len(output)}")
    whole = _read_whole(output)
    if whole is not None:
        return Reading(actions=(whole,), raw=(output.strip(),))
    thought, answer = _split_thinking(output)
    if answer is None:
        return Reading(problem="expected an action behind the thought, got none", thought=thought)
    calls = _find_calls(answer)
    if len(calls) > MAX_CALLS:
        return Reading(problem=f"expected one action, got more than {MAX_CALLS}", thought=thought)
    call = _choose_call(answer, calls)
    if call is None:
        got = printable(repr(answer.strip()), 80) if answer.strip() else "nothing"
        return Reading(
            problem=f"expected a call such as click(...) or finished(), got {got}", thought=thought
        )
    thought = "\n".join(filter(None, (thought, _read_thought(answer, call))))
    if isinstance(call.found, ActionSyntaxError):
        return Reading(problem=str(call.found), thought=thought)
    return Reading(actions=(call.found,), raw=(answer[call.start : call.end],), thought=thought)


def _split_thinking(output: str) -> tuple[str, str | None]:
    """Split off the reasoning in `<think>`; the answer is None if the reasoning has no end."""
    head, end, answer = output.rpartition("</think>")
    if not end:
        if output.lstrip().startswith("<think>"):
            return output.lstrip().removeprefix("<think>").strip(), None
        return "", output
    return head.strip().removeprefix("<think>").strip(), answer


def _read_whole(answer: str) -> Action | None:
    """The action if the whole answer is a single call, not two of which the first is not closed."""
    try:
        action = parse_action(answer)
    except ActionSyntaxError:
        return None
    return None if _NEXT_CALL.search(answer) else action


def _find_calls(answer: str) -> list[_ActionCall]:
    """All calls outside quotes, in order; calls within another call's text are skipped."""
    calls: list[_ActionCall] = []
    line = _LineQuotes(answer)
    at = 0
    while len(calls) <= MAX_CALLS and (match := _CALL.search(answer, at)):
        at = match.end()
        line.go_to(match.start())
        short = match.start() - line.start <= MAX_HEAD
        head = _LINE_HEAD.fullmatch(answer, line.start, match.start()) if short else None
        if head or not line.in_quotes():
            found, at = _parse_call(answer, match.start(), match.end())
            rank = 0 if head is None else 1 if head[1] is None else 2
            calls.append(_ActionCall(start=match.start(), end=at, found=found, rank=rank))
    return calls


class _LineQuotes:
    """Quotes of the line before a position, counted once over the whole answer."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._at = 0
        self._counts = dict.fromkeys(_LINE_QUOTES, 0)
        self.start = 0

    def go_to(self, at: int) -> None:
        """Move to a later position."""
        start = self._answer.rfind("\n", self._at, at) + 1
        if start:
            self.start = self._at = start
            self._counts = dict.fromkeys(_LINE_QUOTES, 0)
        for quote in _LINE_QUOTES:
            self._counts[quote] += self._answer.count(quote, self._at, at)
        self._at = at

    def in_quotes(self) -> bool:
        """Whether the text after this position is in quotes."""
        return (
            self._counts['"'] % 2 == 1
            or (self._at > self.start and self._answer[self._at - 1] in "'‘")
            or self._counts["“"] > self._counts["”"]
            or self._counts["「"] > self._counts["」"]
        )


def _parse_call(answer: str, start: int, inside: int) -> tuple[Action | ActionSyntaxError, int]:
    """Parse the call and find its end; without a valid end, the index after the opening bracket."""
    following = _NEXT_CALL.search(answer, inside)
    region = answer if following is None else answer[: following.end()]
    problem: ActionSyntaxError | None = None
    for end in find_call_ends(region, inside):
        try:
            return parse_action(answer[start:end]), end
        except ActionSyntaxError as error:
            problem = problem or error
    if problem is None:
        problem = ActionSyntaxError(
            f"expected a closing bracket, got {printable(repr(answer[start : start + 60]))}"
        )
    return problem, inside


def _choose_call(answer: str, calls: list[_ActionCall]) -> _ActionCall | None:
    runs: list[list[_ActionCall]] = []
    for call in calls:
        if runs and _FILLER.fullmatch(answer, runs[-1][-1].end, call.start):
            runs[-1].append(call)
        else:
            runs.append([call])
    best = max((call.rank for call in calls), default=0)
    return next((call for run in reversed(runs) for call in run if call.rank == best), None)


def _read_thought(answer: str, call: _ActionCall) -> str:
    """The text before the call, without fences and labels."""
    end = answer.rfind("\n", 0, call.start) + 1 if call.rank else call.start
    prose = _FENCE.sub("", answer[:end]).strip()
    label = _THOUGHT_LABEL.match(prose)
    return prose[label.end() :] if label else prose
