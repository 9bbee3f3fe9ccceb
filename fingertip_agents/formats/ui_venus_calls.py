"""Reading of UI-Venus's calls: the first `<action>` of an answer, or without tags a call that begins a line.

Names of calls and arguments of both versions are read in any spelling, such as `click(point=[1,2])`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise

from fingertip_agents.formats.open_app import open_by_name
from fingertip_agents.parsing.arguments import Grammar, read_calls
from fingertip_agents.parsing.call_order import note_words
from fingertip_agents.parsing.first_call import read_first_call
from fingertip_agents.parsing.json_calls import refuse_scattered
from fingertip_agents.parsing.native_syntax import (
    ENTER,
    make_finished,
    make_refusal,
    make_type,
    refuse_call,
    refuse_output,
    refuse_question,
)
from fingertip_agents.parsing.parsed_call import ArgumentValue, BareWord, ParsedCall, read_numbers
from fingertip_agents.parsing.points import ENDS, STARTS, find_point
from fingertip_agents.parsing.reading import CONVERTED, LEFT_OUT, Reading, is_completed
from fingertip_agents.parsing.tagged_blocks import blank_mentions
from fingertip_agents.parsing.xml_calls import find_named_calls
from fingertip_agents.screens.coordinates import OPPOSITE, ModelFrame, make_scroll
from fingertip_dataset.actions import (
    DIRECTIONS,
    Action,
    Click,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError

_DONE: Mapping[str, Action] = {
    "wait": Wait(),
    "pressback": PressBack(),
    "presshome": PressHome(),
    "pressrecent": PressRecent(),
    "pressenter": ENTER,
}
_VERBS: Mapping[str, str] = {
    **dict.fromkeys(("Click", "LongPress", "Type", "Wait", "Finished", "Answer", "CallUser"), ""),
    **dict.fromkeys(("PressBack", "PressHome", "PressEnter", "PressRecent"), ""),
    **dict.fromkeys(("Drag", "DoubleClick", "Hover", "Hotkey", "GetScreenshot"), ""),
    **dict.fromkeys(("Scroll", "Swipe"), "scroll"),
    **dict.fromkeys(("Launch", "LaunchApp"), "launch"),
}
"""Call of either version -> name of its rule, if that is another one."""

_BARE = ("Wait", "Finished", "PressBack", "PressHome", "PressEnter", "PressRecent")


def _spell(name: str) -> tuple[str, ...]:
    """Spellings of a call's name: `LongPress`, `longPress`, `longpress`, `long_press`, `Long_Press`."""
    parts = re.findall("[A-Z][a-z]+", name)
    return (
        name,
        name[0].lower() + name[1:],
        name.lower(),
        name.upper(),
        "_".join(parts),
        "_".join(parts).lower(),
    )


_SPELLED: Mapping[str, str] = {
    spelling: rule or name.lower() for name, rule in _VERBS.items() for spelling in _spell(name)
}
"""Any spelling of a call -> name of its rule."""

_SPOTS = ("box", "point", "coordinate")
_GRAMMAR = Grammar(
    calls=frozenset(_SPELLED),
    arguments={*_SPOTS, "start", "end", "direction", "content", "text", "app", "url", "keys"},
    bare={spelling for name in _BARE for spelling in _spell(name)},
    label=re.compile(r"(?<![A-Za-z_])Action\s{0,3}\*{0,2}\s{0,3}[:：]\*{0,2}"),
)
_ANY_CALL = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(_SPELLED, key=len, reverse=True))})[(（]")
# a word alone on its line is a call within the tags only
_GRAMMAR_OF_TEXT = replace(_GRAMMAR, bare=())

_OPEN = re.compile(r"<\s?(?:action|answer)\s?>", re.IGNORECASE)
_CLOSE = re.compile(r"<\s?/\s?(?:action|answer)\s?>", re.IGNORECASE)
# tags of an answer around those of the action
_AROUND = re.compile(
    r"<\s?answer\s?>(?=\s{0,20}<\s?action\s?>)|(?<=</action>)\s{0,20}<\s?/\s?answer\s?>", re.IGNORECASE
)
_TOOL_TAGS = re.compile(r"</?tool_call>", re.IGNORECASE)
_CONCLUSION = re.compile(r"<\s?conclusion\s?>.*?(?:<\s?/\s?conclusion\s?>|\Z)", re.IGNORECASE | re.DOTALL)
_CONCLUSION_START = re.compile(r"<\s?conclusion\s?>", re.IGNORECASE)
_FILLER = re.compile(r"[\W\d_]*")

# the conclusion is of the step
_CLOSE_OF_STEP = re.compile(rf"{_CLOSE.pattern}(?:\s*{_CONCLUSION.pattern})?", re.IGNORECASE | re.DOTALL)

_MOST_STEPS, _MOST_ENDS = 32, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionBlock:
    """Block `<action>` of an answer, or its first call where that has no tags.

    Attributes:
        before: What stands before it.
        text: Text of the block.
        calls: Its calls, and those of the blocks behind it; the first one with an equivalent is performed.
        notes: Notes on other calls in it.
    """

    before: str = ""
    text: str
    calls: Sequence[ParsedCall] = ()
    notes: Sequence[str] = ()


def read_action(output: str, frame: ModelFrame) -> Reading:
    """Read the first call of an answer without its thinking; what stands before it is the thought."""
    thought = ""
    try:
        step = find_step(output)
        thought = step.before.strip()
        if not step.calls:
            refuse_output("a call such as Click(...) or Finished(...) in <action>", step.text or output)
        reading = read_first_call(
            step.calls, partial(_perform, frame=frame, thought=thought), lambda call: call.name
        )
        return replace(reading, notes=(*reading.notes, *step.notes))
    except ActionSyntaxError as error:
        return make_refusal(error, thought)


def _perform(call: ParsedCall, *, frame: ModelFrame, thought: str) -> Reading:
    if _SPELLED[call.name] == "launch":
        if call.value("app") is None and call.value("url") is not None:
            refuse_call(f"{call.name} of a page")
        reading = open_by_name(call.text("app"), thought)
    else:
        reading = Reading(actions=(_convert_call(call, frame),), thought=thought)
    call.leave_unused()
    return replace(reading, notes=tuple(call.notes))


def find_step(output: str) -> ActionBlock:
    """Find the first `<action>` of an answer without its thinking, or else the calls that begin a line.

    Raises:
        ActionSyntaxError: A call cannot be parsed, or there are two steps with prose between them.
    """
    output = _AROUND.sub(_blank, output)
    if "<tool_call>" in output or "<function" in output:
        if calls := _find_functions(output):
            return ActionBlock(text=output, calls=calls)
        output = _TOOL_TAGS.sub(_blank, output)
    whole, output = output, blank_mentions(output, _OPEN, _CLOSE_OF_STEP)
    openings = list(islice(_OPEN.finditer(output), _MOST_STEPS))
    if not openings:
        return _find_untagged(whole, _CLOSE.sub(_blank, _CONCLUSION.sub(_blank, output)))
    limits = [*(opening.start() for opening in openings[1:]), len(output)]
    texts, behind = list[str](), list[str]()
    for opening, limit in zip(openings, limits, strict=True):
        close = _CLOSE.search(output, opening.end(), limit)
        texts.append(output[opening.end() : close.start() if close else limit].strip())
        behind.append(output[close.end() : limit] if close else "")
    if len(set(texts)) > 1:
        _refuse_choice([_CONCLUSION.sub("", words) for words in behind[:-1]])
    start = openings[0].end()
    conclusion = _CONCLUSION_START.search(output, start, limits[0])
    text, calls = _read_step(output, start, conclusion.start() if conclusion else limits[0])
    later = [call for step in texts[1:] for call in _read_later(step)]
    words = note_words(text, calls, _ANY_CALL) if calls else ""
    return ActionBlock(
        before=whole[: openings[0].start()],
        text=text.strip(),
        calls=(*calls, *later),
        notes=tuple(filter(None, (words,))),
    )


def _read_later(text: str) -> Sequence[ParsedCall]:
    """Read the calls of a step behind the first one; none of a text that cannot be parsed."""
    try:
        return read_calls(text, _GRAMMAR)
    except ActionSyntaxError:
        return ()


def _find_functions(output: str) -> Sequence[ParsedCall]:
    """Find the calls as XML or JSON, with which models of the same base answer elsewhere."""
    text, calls = find_named_calls(output)
    calls = tuple(call for call in calls if call.name in _SPELLED)
    refuse_scattered(text, calls)
    return [
        ParsedCall(
            name=call.name,
            named={name: _make_value(value) for name, value in call.arguments.items() if value is not None},
            notes=[*call.notes, f"{CONVERTED}: {call.name} from the syntax of another model"],
        )
        for call in calls
    ]


def _make_value(value: object) -> ArgumentValue:
    if isinstance(value, list):
        return tuple(map(_make_value, value))
    return value if isinstance(value, str | int | float) else BareWord(json.dumps(value))


def _blank(match: re.Match[str]) -> str:
    return "\n" + " " * (len(match[0]) - 1)


def _find_untagged(whole: str, text: str) -> ActionBlock:
    calls = read_calls(text, _GRAMMAR_OF_TEXT)
    if not calls:
        return ActionBlock(text="")
    _refuse_choice([text[one.end : two.start] for one, two in pairwise(calls)])
    first = calls[0]
    return ActionBlock(before=whole[: first.start], text=text[first.start : first.end], calls=calls)


def _refuse_choice(between: Sequence[str]) -> None:
    """Refuse two steps with prose between them: the first may be a draft, the second a plan."""
    if any(not _FILLER.fullmatch(words) for words in between):
        raise ActionSyntaxError("expected one action, got two with words between them")


def _read_step(output: str, start: int, limit: int) -> tuple[str, Sequence[ParsedCall]]:
    """Read the text and the calls of an `<action>`, whose closing tag may be missing, or stand in a text.

    Args:
        output: The answer.
        start: Index after the opening tag.
        limit: Index of what follows, at the latest.

    Raises:
        ActionSyntaxError: A call cannot be parsed.
    """
    closings = islice(_CLOSE.finditer(output, start, limit), _MOST_ENDS)
    ends = [close.start() for close in closings] or [limit]
    completed, error = list[tuple[str, Sequence[ParsedCall]]](), None
    for end in ends:
        text = output[start:end]
        try:
            calls = read_calls(text, _GRAMMAR)
        except ActionSyntaxError as one:
            error = error or one
            continue
        if not any(is_completed(call.notes) for call in calls):
            return text, calls
        completed.append((text, calls))
    if completed:
        return completed[0]
    raise error or ActionSyntaxError("expected a call in <action>, got none")


def _convert_call(call: ParsedCall, frame: ModelFrame) -> Action:
    verb = _SPELLED[call.name]
    if verb in _DONE:
        return _DONE[verb]
    if verb in ("finished", "answer"):
        return make_finished(call.answer("content", "text"))
    if verb == "type":
        return make_type(call.text("content", "text"))
    if verb in ("click", "longpress"):
        x, y = _read_spot(call, frame)
        return Click(x=x, y=y) if verb == "click" else LongClick(x=x, y=y)
    if verb == "scroll":
        return _read_scroll(call, frame)
    if verb == "hotkey" and _is_enter(call.value("keys") or call.plain):
        return ENTER
    if verb == "calluser":
        refuse_question(call.name, call.answer("content", "text"))
    refuse_call(call.name)


def _is_enter(keys: object) -> bool:
    key = keys[0] if isinstance(keys, tuple) and len(keys) == 1 else keys
    return isinstance(key, str) and key.strip().lower() in ("enter", "return")


def _read_spot(call: ParsedCall, frame: ModelFrame) -> tuple[int, int]:
    """Read the point that a call touches, device px.

    Raises:
        ActionSyntaxError: No point, or two different ones.
    """
    given = {name: frame.point(find_point(call, name)) for name in _SPOTS if call.value(name) is not None}
    if len(set(given.values())) > 1:
        raise ActionSyntaxError(f"expected one point in {call.name}, got {' and '.join(given)}")
    return next(iter(given.values())) if given else frame.point(find_point(call, *_SPOTS))


def _read_scroll(call: ParsedCall, frame: ModelFrame) -> Scroll:
    """Read a scroll: a finger's path if it has two ends, otherwise a point and the side to reveal."""
    ends = [call.point(name) for name in ("start", "end") if call.value(name) is not None]
    if not ends and len(call.others) >= 2 and not call.plain:
        ends = [find_point(call, one, others=names) for one, names in (("start", STARTS), ("end", ENDS))]
    if not call.named and len(call.plain) == 2:
        ends = [read_numbers(value) for value in call.plain]
    if len(ends) == 2:
        scroll = make_scroll(frame.point(ends[0]), frame.point(ends[1]))
        word = call.value("direction")
        way = DIRECTIONS.get(word.strip().lower()) if isinstance(word, str) else scroll.direction
        # the word may be the way of the finger
        if way not in (scroll.direction, OPPOSITE[scroll.direction]):
            raise ActionSyntaxError(f"expected a path or a direction in {call.name}, got two that differ")
        if way != scroll.direction:
            call.notes.append(f"{LEFT_OUT}: the direction of {call.name}, which has a path")
        return scroll
    word = call.plain[0] if len(call.plain) == 1 else None
    given = isinstance(word, str) and word.strip().lower() in DIRECTIONS
    if (call.value("direction") is None and not given) or call.value("end") is not None:
        raise ActionSyntaxError(f"expected start and end in {call.name}, got {len(ends)} of them")
    side = call.text("direction").strip().lower()
    if side not in DIRECTIONS:
        raise ActionSyntaxError(f"expected direction up, down, left or right, got {side[:40]!r}")
    spots = [name for name in ("start", *_SPOTS) if call.value(name) is not None]
    x, y = frame.point(call.point(*spots)) if spots else frame.center
    return Scroll(x=x, y=y, direction=DIRECTIONS[side])
