"""Parser of a free-text answer with a call of the release among reasoning, prose, code fences and labels.

Choice among several calls: a call after a label ("Action:") is preferred to one at the beginning of a line,
and that to one within a sentence; a call in quotes is ignored, and one without arguments within a sentence
that goes on, such as "not finished() yet". Among calls on lines of their own the last is taken, because
models consider several calls before they answer, unless words behind or before it tell that it is no
correction; different calls within sentences are refused. Among consecutive calls without text between them
the first is taken: they are a plan, and its later steps are for screens that the model has not seen. The
authors' loop also performs one action per screen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from fingertip_agents.parsing.arguments import Grammar, read_call
from fingertip_agents.parsing.call_names import spell_name
from fingertip_agents.parsing.native_syntax import make_finished, make_type
from fingertip_agents.parsing.parsed_call import ParsedCall
from fingertip_agents.parsing.points import find_point
from fingertip_agents.parsing.reading import (
    COMPLETED,
    CONVERTED,
    LEFT_OUT,
    MAX_OUTPUT,
    Reading,
    note_more_calls,
)
from fingertip_dataset.actions import (
    DIRECTIONS,
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Wait,
    parse_action,
)
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
    rf"(?<![A-Za-z0-9_.])({_NAMES})"
    r"(?:[(（]|\s{1,5}[(（](?=\s{0,5}(?:[)）]|(?:coordinates|content|text|direction)\s{0,5}[=＝])))"
)
_SPELLED = {
    **{spelling: name for name in _NAMES.split("|") for spelling in spell_name(name)},
    **dict.fromkeys(("tap", "Tap", "TAP"), "click"),
    **dict.fromkeys(("long_press", "LongPress", "LONG_PRESS", "Long_Press"), "long_click"),
    **dict.fromkeys(("back", "Back", "BACK"), "press_back"),
    **dict.fromkeys(("home", "Home", "HOME"), "press_home"),
}
"""Spelling of a call that is read where no call in the release's spelling is there -> its name."""
_FOLDED = re.compile(rf"(?<![A-Za-z0-9_.])({'|'.join(sorted(_SPELLED, key=len, reverse=True))})[(（]")
_FILLING = rf"(?:[\W\d_]|(?i:{_LABEL}))"
# bounded, so that an answer of brackets only is read in linear time
_NEXT_CALL = re.compile(rf"['\"＇＂‘’“”)）]\s*[)）]{_FILLING}{{0,200}}?{_CALL.pattern}")
# a quote that ends a value within an answer: prose, another call or another argument may follow
_INNER_END = re.compile(r"(?<![=＝])(?<![=＝] )['\"＇＂‘’“”]\s*(?:[)）].|[,，]\s*\w+\s*[=＝])", re.DOTALL)
_INNER_CALL = re.compile(rf"(?<![=＝])(?<![=＝] )['\"＇＂‘’“”][\s,，.;。)）].*{_CALL.pattern}", re.DOTALL)
_FILLER = re.compile(rf"{_FILLING}*")
_LINE_HEAD = re.compile(rf"[\s>*•`#_-]*(?:\d{{1,3}}[.)、:：]\s*)?([*_`]*(?i:{_LABEL})[*_\s]*[:：])?[\s*_`]*")
_GRAMMAR = Grammar(
    calls=_NAMES.split("|"), arguments=("coordinates", "content", "text", "direction"), escapes=False
)
_BARE = re.compile(
    rf"^[\s>*#_-]{{0,20}}{_LABEL}[*_\s]{{0,9}}[:：][ \t*_`]{{0,9}}"
    r"(press_back|press_home|press_recent|wait|finished|finish)[ \t*_`.。]{0,9}$",
    re.MULTILINE | re.IGNORECASE,
)
_ALONE = re.compile(
    r"(?:^[\s>*`-]{0,9}(press_back|press_home|press_recent)|\A[\s>*`-]{0,9}(wait|finished|finish))[\s`*.。]{0,9}\Z",
    re.MULTILINE,
)
# words that add another call to one that stands already, or put one after it
_ADDS = re.compile(
    r"^[\W_]{0,40}(?:or\b|else\b|otherwise\b|alternatively\b|next\b|then\b|after\b|later\b|and\b|step\b|option\b"
    r"|或者|否则|要么|然后|接着|之后|接下来|再|下一步|第)",
    re.IGNORECASE | re.MULTILINE,
)
_WORDS_BEHIND = re.compile(r"[^\w\n]{0,40}\w")
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
        rank: 2 after a label, 1 at the beginning of a line, 0 within a sentence, -1 for a mention there.
        notes: What was left out, completed or converted.
    """

    start: int
    end: int
    found: Action | ActionSyntaxError
    rank: int
    notes: tuple[str, ...] = ()


def read(output: str) -> Reading:
    r"""Read the action of an answer; the text before it is the thought.

    The output of `format_action` is read as the same action, unless its text contains the end of a value (a
    quote and then a bracket, or another argument), behind which there may be prose.

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
    answer = output
    calls = _find_calls(answer, _CALL) or _find_calls(answer, _FOLDED)
    if len(calls) > MAX_CALLS:
        return Reading(problem=f"expected one action, got more than {MAX_CALLS}")
    try:
        call, further = _choose_call(answer, calls)
    except ActionSyntaxError as error:
        return Reading(problem=str(error))
    call = call or _find_bare(answer)
    if call is None:
        got = printable(repr(answer.strip()), 80) if answer.strip() else "nothing"
        return Reading(problem=f"expected a call such as click(...) or finished(), got {got}")
    thought = _read_thought(answer, call)
    if isinstance(call.found, ActionSyntaxError):
        return Reading(problem=str(call.found), thought=thought)
    written = answer[call.start : call.end]
    # a text that differs from the release's spelling is not scored as written
    raw = () if call.notes else (written,)
    left_out = note_more_calls(further)
    if sum(other.start >= call.end and other.rank == 0 for other in calls) > further:
        left_out += (f"{LEFT_OUT}: calls within sentences",)
    return Reading(actions=(call.found,), raw=raw, thought=thought, notes=(*call.notes, *left_out))


def _read_whole(answer: str) -> Action | None:
    """The action if the whole answer is a single call in the release's spelling, and nothing else."""
    action = _parse_action(answer)
    if action is None or _INNER_END.search(answer.rstrip()[:-1]) or _INNER_CALL.search(answer):
        return None
    return action


def _find_calls(answer: str, pattern: re.Pattern[str]) -> list[_ActionCall]:
    """All calls of a pattern outside quotes, in order; calls within another call's text are skipped."""
    calls: list[_ActionCall] = []
    line = _LineQuotes(answer)
    at = 0
    while len(calls) <= MAX_CALLS and (match := pattern.search(answer, at)):
        at = match.end()
        line.go_to(match.start())
        short = match.start() - line.start <= MAX_HEAD
        head = _LINE_HEAD.fullmatch(answer, line.start, match.start()) if short else None
        if head or not line.in_quotes():
            found, at, notes = _parse_call(answer, match)
            rank = _rank_in_sentence(answer, found, at) if head is None else 1 if head[1] is None else 2
            calls.append(_ActionCall(start=match.start(), end=at, found=found, rank=rank, notes=notes))
    return calls


def _rank_in_sentence(answer: str, found: Action | ActionSyntaxError, end: int) -> int:
    """Rank of a call within a sentence: without arguments, and with words behind it, it is a mention."""
    is_plain = isinstance(found, Wait | PressBack | PressHome | PressRecent) or found == Finished()
    return -1 if is_plain and _WORDS_BEHIND.match(answer, end) else 0


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


def _parse_call(answer: str, match: re.Match[str]) -> tuple[Action | ActionSyntaxError, int, tuple[str, ...]]:
    """Parse the call, its end, and its notes; without a valid end, the index after the opening bracket."""
    following = _NEXT_CALL.search(answer, match.end())
    region = answer if following is None else answer[: following.end()]
    try:
        call = read_call(region, match, _GRAMMAR)
        call = replace(call, name=_SPELLED.get(call.name, call.name))
        written = answer[call.start : call.end]
        action = None if call.notes else _parse_action(written)
        if action is None:
            action = _convert_call(call)
            call.leave_unused()
            if not call.notes:
                call.notes.append(f"{CONVERTED}: another spelling of {call.name}")
        return action, call.end, tuple(call.notes)
    except ActionSyntaxError as error:
        return error, match.end(), ()


def _parse_action(written: str) -> Action | None:
    """The action of a call in the release's spelling; None in any other."""
    try:
        return parse_action(written, can_ask=False)
    except ActionSyntaxError:
        return None


def _convert_call(call: ParsedCall) -> Action:
    """Convert a call that differs from the release's spelling, or refuse it as the release's parser does."""
    match call.name:
        case "click" | "long_click":
            x, y = _read_point(call)
            content = call.text("content") if call.value("content") is not None else None
            return (Click if call.name == "click" else LongClick)(x=x, y=y, content=content)
        case "type":
            return make_type(call.text("text", "content"))
        case "scroll":
            x, y = _read_point(call)
            side = call.text("direction").strip().lower()
            if side not in DIRECTIONS:
                raise ActionSyntaxError(f"expected direction up, down, left or right, got {side[:40]!r}")
            return Scroll(x=x, y=y, direction=DIRECTIONS[side])
        case "finished" | "finish":
            return make_finished(call.answer("content"))
        case _:
            return parse_action(f"{call.name}()")


def _read_point(call: ParsedCall) -> tuple[float, float]:
    numbers = find_point(call, "coordinates")
    if len(numbers) != 2:
        raise ActionSyntaxError(f"expected two numbers in coordinates of {call.name}, got {len(numbers)}")
    return numbers[0], numbers[1]


def _choose_call(answer: str, calls: list[_ActionCall]) -> tuple[_ActionCall | None, int]:
    """The call to perform, and the number of those of the same plan behind it.

    Raises:
        ActionSyntaxError: There are several, and nothing tells which of them is meant.
    """
    runs: list[list[_ActionCall]] = []
    for call in calls:
        if runs and _FILLER.fullmatch(answer, runs[-1][-1].end, call.start):
            runs[-1].append(call)
        else:
            runs.append([call])
    best = max((call.rank for call in calls), default=-1)
    _refuse_several(answer, runs, best)
    for run in reversed(runs):
        at = next((at for at, call in enumerate(run) if call.rank == best >= 0), None)
        if at is not None:
            return run[at], len(run) - at - 1
    return None, 0


def _refuse_several(answer: str, runs: list[list[_ActionCall]], best: int) -> None:
    """Refuse different calls within sentences, and those on lines of which the last is no correction."""
    heads = [run[0] for run in runs if max(call.rank for call in run) >= 0]
    first = heads[0].start if heads else 0
    mentions = [call for run in runs for call in run if call.rank < 0 and call.start < first]
    # a plan within one sentence, of which another step is the first
    if best == 0 and mentions and "\n" not in answer[mentions[-1].end : first].strip():
        raise ActionSyntaxError("expected one call, got several within a sentence")
    if best not in (0, 1) or len({str(call.found) for call in heads}) < 2:
        return
    chosen = [call for call in heads if call.rank == best][-1]
    gaps = [answer[before.end : call.start] for before, call in pairwise(heads)]
    # a further call of the sentence that the chosen one begins is a plan
    apart = [gap for gap in gaps if "\n" in gap]
    behind = _WORDS_BEHIND.match(answer, chosen.end) or heads[-1] is not chosen
    if best == 0 or (apart and (behind or any(map(_ADDS.search, apart)))):
        raise ActionSyntaxError("expected one call, got several with words between them")


def _find_bare(answer: str) -> _ActionCall | None:
    """The name of a call without arguments that stands behind a label, without brackets."""
    labelled = max(_BARE.finditer(answer), key=lambda match: match.start(), default=None)
    found = labelled or _ALONE.search(answer)
    if found is None:
        return None
    group = found.lastindex or 1
    name = found[group]
    note = f"{COMPLETED}: the missing () of {name}"
    return _ActionCall(
        start=found.start(group),
        end=found.end(group),
        found=parse_action(f"{name}()"),
        rank=2,
        notes=(note,),
    )


def _read_thought(answer: str, call: _ActionCall) -> str:
    """The text before the call, without fences and labels."""
    end = answer.rfind("\n", 0, call.start) + 1 if call.rank else call.start
    prose = _FENCE.sub("", answer[:end]).strip()
    label = _THOUGHT_LABEL.match(prose)
    return prose[label.end() :] if label else prose
