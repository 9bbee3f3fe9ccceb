"""Reading of AppAgent's call in an answer of labelled sections."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn

from fingertip_agents.parsing.arguments import Grammar
from fingertip_agents.parsing.arguments import read_call as parse_arguments
from fingertip_agents.parsing.call_order import keep_first_run
from fingertip_agents.parsing.parsed_call import ArgumentValue, BareWord, ParsedCall
from fingertip_agents.parsing.reading import COMPLETED, LEFT_OUT, MAX_OUTPUT, note_more_calls
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable

MAX_CALLS = 64
"""Maximum number of calls looked at in one answer."""

CALLS = ("tap", "text", "long_press", "swipe", "back", "grid", "FINISH")
_BARE = ("back", "press_back", "grid")
_NAMES = (*CALLS[:-1], "press_back", "FINISHED", "FINISH")
_GRAMMAR = Grammar(
    calls=_NAMES,
    arguments={
        *("element", "direction", "dist", "area", "subarea", "text_input", "text", "answer"),
        *("start_area", "start_subarea", "end_area", "end_subarea"),
    },
)
_LABELS = {
    "观察": "observation",
    "思考": "thought",
    "想法": "thought",
    "动作": "action",
    "操作": "action",
    "总结": "summary",
}
_SECTION = re.compile(
    rf"^[ \t*_#>-]*(?:[0-9][.)][ \t]*)?(observation|thought|action|summary|{'|'.join(_LABELS)})[ \t*_]*"
    r"(?:[:：][ \t*_]*|$)",
    re.IGNORECASE | re.MULTILINE,
)
_LEAD = r"[\s`*'\"“(\[>-]{0,40}"
_BRACKET = r"[^\S\n]{0,5}[(（]"
_CALL = re.compile(rf"(?<![A-Za-z0-9_.])((?i:{'|'.join(_NAMES)})){_BRACKET}")
_FIRST_CALL = re.compile(_LEAD + _CALL.pattern)
_LINE_CALL = re.compile(rf"^[ \t`*>-]{{0,40}}(?:[0-9]{{1,2}}[.)][ \t]*)?{_CALL.pattern}", re.MULTILINE)
_FIRST_WORD = re.compile(rf"{_LEAD}((?i:{'|'.join(_BARE)}|FINISHED|FINISH))[ \t`*'\"”.。!！)\]]*(?:\n|\Z)")
_FINISH_WORDS = re.compile(rf"{_LEAD}(FINISH)(?:[ \t*`]{{0,9}}[-–—:：,，;；.。]|{_BRACKET})")
_PROSE_IN_BRACKETS = re.compile(r"[^'\"“‘()（）]{1,400}[)）]")
_REST = re.compile(r"[\s`*'\"”.。;；)\]]{0,40}(?:\n|\Z)")
_FILLER = re.compile(r"[\s`,;.]{0,400}(?:[0-9]{1,2}[.)][ \t]{0,9})?")


_NUMBER = re.compile(r"\s*#?([0-9]{1,6})(?:\.0)?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class AppAgentCall:
    """Call of AppAgent.

    Attributes:
        name: One of `CALLS`.
        parsed: The call with its arguments and notes.
        written: The call as it was written.
    """

    name: str
    parsed: ParsedCall
    written: str


def read_sections(output: str) -> Mapping[str, str]:
    r"""The sections by lower-case name; the first of each name.

    A model that continues after the first round invents screens that it has not seen, so later sections are
    ignored.

    >>> dict(read_sections("Thought: the clock\nAction: tap(5)\nSummary: I opened it.\n\nAction: tap(6)"))
    {'thought': 'the clock', 'action': 'tap(5)', 'summary': 'I opened it.'}
    """
    parts: dict[str, str] = {}
    for name, text in _list_sections(output):
        parts.setdefault(name, text)
    return parts


def _list_sections(output: str) -> list[tuple[str, str]]:
    found = list(_SECTION.finditer(output))
    ends = [*(label.start() for label in found[1:]), len(output)]
    return [
        (_LABELS.get(label[1], label[1].lower()), output[label.end() : end].strip())
        for label, end in zip(found, ends, strict=False)
    ]


def read_call(output: str) -> AppAgentCall:
    """Read the call in the section Action, or in the whole answer if it has no sections.

    The first of several calls counts: later ones are for screens that the model has not seen.

    Raises:
        ActionSyntaxError: No call, a call that is not closed, or two actions in a row.

    >>> read_call('Action: text("买(大)杯")').parsed.plain, read_call("Action: FINISH").name
    (('买(大)杯',), 'FINISH')
    """
    if len(output) > MAX_OUTPUT:
        raise ActionSyntaxError(f"expected at most {MAX_OUTPUT} characters, got {len(output)}")
    sections = _list_sections(output)
    at = next((at for at, (name, _) in enumerate(sections) if name == "action"), None)
    if at is None:
        # without the label the call is the last line before the summary; a draft stands within the thought
        answer = _find_last_line(output) if sections else output
        call = _find_line_call(answer) if answer else None
    else:
        answer, last = sections[at][1], at + 1 == len(sections)
        if not last and sections[at + 1][0] == "action" and sections[at + 1][1] != answer:
            raise ActionSyntaxError("expected one Action, got two in a row")
        call = _find_call(answer, ended=not last)
        if call and any(name == "action" for name, _ in sections[at + 1 :]):
            call.parsed.notes.append(f"{LEFT_OUT}: further rounds, for the next screens")
    if call is None:
        got = printable(repr(answer.strip()), 80) if answer.strip() else "nothing"
        raise ActionSyntaxError(f"expected Action: with one of {', '.join(CALLS)}, got {got}")
    return call


def _find_last_line(output: str) -> str:
    """The last line before the summary, or of the whole output behind one; "" if it is no call."""
    summary = next((label for label in _SECTION.finditer(output) if label[1].lower() in _SUMMARY), None)
    texts = [output[: summary.start()], output[summary.end() :]] if summary else [output]
    lines = [text.strip().rpartition("\n")[2] for text in texts]
    calls = [line for line in lines if _FIRST_CALL.match(line)]
    return calls[0] if len(calls) == 1 else ""


_SUMMARY = ("summary", "总结")


def _find_line_call(text: str) -> AppAgentCall | None:
    """The call of a text without sections: it begins a line, and there is no prose between it and others."""
    if word := _FIRST_WORD.match(text):
        return _make_call(text, ParsedCall(name=word[1], start=word.start(1), end=word.end(1)))
    calls, at = list[ParsedCall](), 0
    while (head := _LINE_CALL.search(text, at)) and len(calls) < MAX_CALLS:
        calls.append(parse_arguments(text, head, _GRAMMAR))
        at = calls[-1].end
    if not calls:
        return None
    run, note = keep_first_run(text, calls, _FILLER)
    if note:
        raise ActionSyntaxError("expected one call, got several with prose between them")
    run[0].notes.extend(note_more_calls(len(run) - 1))
    return _make_call(text, run[0])


def _find_call(section: str, *, ended: bool) -> AppAgentCall | None:
    """The call of the section Action: its first words, the beginning of a line, or the end of a sentence.

    Args:
        section: Text of the section.
        ended: Whether another section follows, so that the call is whole though its bracket is missing.
    """
    if word := _FIRST_WORD.match(section):
        return _make_call(section, ParsedCall(name=word[1], start=word.start(1), end=word.end(1)))
    head = _FIRST_CALL.match(section) or _LINE_CALL.search(section)
    if head is None and (words := _FINISH_WORDS.match(section)):
        return _read_finish(section, words)
    if head is None:
        heads = list(islice(_CALL.finditer(section), 2))
        if len(heads) != 1:
            return None
        call = parse_arguments(section, heads[0], _GRAMMAR)
        return _make_call(section, call) if _REST.match(section, call.end) else None
    # without a space before them the brackets have an answer, not a remark
    spaced = section[head.end(1)].isspace()
    if head[1].upper() == "FINISH" and spaced and _PROSE_IN_BRACKETS.match(section, head.end()):
        return _read_finish(section, head)
    try:
        call = parse_arguments(section, head, _GRAMMAR)
    except ActionSyntaxError:
        if not ended or ")" in section[head.end() :]:
            raise
        call = parse_arguments(f"{section})", head, _GRAMMAR)
        call.notes.append(f"{COMPLETED}: the missing ) of {call.name}")
    further = sum(1 for _ in islice(_CALL.finditer(section, call.end), MAX_CALLS))
    call.notes.extend(note_more_calls(further))
    return _make_call(section, call)


def _read_finish(section: str, words: re.Match[str]) -> AppAgentCall:
    """FINISH with words about it, which are no answer; a call among them could be meant instead."""
    if _CALL.search(section, words.end()):
        raise ActionSyntaxError("expected FINISH or another call, got both")
    note = f"{LEFT_OUT}: the words behind FINISH"
    call = ParsedCall(name="FINISH", start=words.start(1), end=len(section), notes=[note])
    return _make_call(section, call)


def _make_call(text: str, call: ParsedCall) -> AppAgentCall:
    own = {"press_back": "back", "finished": "FINISH", "finish": "FINISH"}
    name = own.get(call.name.lower(), call.name.lower())
    return AppAgentCall(name=name, parsed=call, written=text[call.start : call.end])


def bind_arguments(call: AppAgentCall, names: Sequence[str], form: str) -> Mapping[str, ArgumentValue]:
    """The arguments by name; those without a name fill the names in order.

    Raises:
        ActionSyntaxError: Too many, or names of another call.
    """
    given = dict(call.parsed.named)
    free = [name for name in names if name not in given]
    if len(call.parsed.plain) > len(free) or not given.keys() <= set(names):
        refuse_form(call, form)
    return {**given, **dict(zip(free, call.parsed.plain, strict=False))}


def refuse_form(call: AppAgentCall, form: str) -> NoReturn:
    """Refuse a call whose arguments have another form.

    Raises:
        ActionSyntaxError: Always.
    """
    raise ActionSyntaxError(f"expected {form}, got {printable(call.written, 60)}")


def read_number(call: AppAgentCall, value: ArgumentValue | None, form: str) -> int:
    """The number of an element or area, also in quotes.

    Raises:
        ActionSyntaxError: The value is no whole number.
    """
    text = value if isinstance(value, str) else "" if value is None else str(value)
    match = _NUMBER.fullmatch(text)
    return int(match[1]) if match else refuse_form(call, form)


def read_word(value: ArgumentValue | None) -> str:
    """The word of an argument, with or without quotes; "" for anything else."""
    text = value.text if isinstance(value, BareWord) else value
    return text.strip().lower() if isinstance(text, str) else ""
