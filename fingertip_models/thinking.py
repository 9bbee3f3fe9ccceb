"""Removal of a model's thinking and control tokens from its answer, in the spellings of open models.

Tags with names such as `think`, `thinking`, `thinkt`, `THINK` or `grounding_think`, also with a namespace
(`seed:think`) or in other brackets (`[THINK]`, `◁think▷`); pairs of tokens such as `<|START_THINKING|>` and
`<|END_THINKING|>`; the channels of gpt-oss and Gemma. A tag within a quoted value of a call is text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

_WORD = (
    r"(?:[a-z]{1,20}[:_-])?(?:think(?:ing|t|_fast|_faster)?|tink(?:ing)?|thoughts?|reason(?:ing)?|reflection"
    r"|scratchpad|analysis|cot(?:_[a-z]{1,20}){0,3}|(?:inner|internal)_monologue|plan(?:ning)?|rationale"
    r"|chain_of_thought|critique|antthinking|think(?:ing)?_(?:process|never_used_[0-9a-f]{1,64})|ponder"
    r"|思考(?:过程)?|推理(?:过程)?)"
)
_IN_BARS = r"(?:thinking|think|thought|reasoning|inner_prefix|inner_monologue)"
_OPEN = re.compile(
    rf"<[ ]{{0,2}}{_WORD}(?:\s[^<>\n]{{0,80}})?>|&lt;{_WORD}&gt;|\[THINK\]|◁think▷"
    rf"|<\|(?:begin_of_|start_)?{_IN_BARS}(?:_start)?\|>|<\|im_start\|>think(?:ing)?\b"
    r"|<\|?channel\|?>(?:analysis|commentary|thought|thinking)\b(?:<\|message\|>)?|<unused94>(?:thought\b)?",
    re.IGNORECASE,
)
_CLOSE = re.compile(
    rf"<[ ]{{0,2}}/[ ]{{0,2}}{_WORD}\s?>|&lt;/{_WORD}&gt;|\[/THINK\]|◁/think▷"
    rf"|<\|(?:end_of_|end_|/)?{_IN_BARS}(?:_end)?\|>|(?:<\|im_end\|>\s{{0,9}})?<\|im_start\|>answer\b"
    r"|<\|inner_suffix\|>"
    # the end of a channel is the beginning of the final one, with the turn's marks between them
    r"|(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final\s?(?:<\|constrain\|>\w{1,20})?<\|message\|>"
    r"|(?:<\|end\|>)?<\|start\|>assistant<\|message\|>|<channel\|>|<unused95>",
    re.IGNORECASE,
)
_MARK = re.compile(f"{_OPEN.pattern}|{_CLOSE.pattern}", re.IGNORECASE)
# gpt-oss where the server has taken its tokens out of the text
_BARE_CHANNELS = re.compile(r"\A\s*analysis(?=\S).{0,1000000}?assistantfinal", re.DOTALL)
_TURN_MARK = (
    r"(?:<\|(?:im_end|endoftext|end_of_text|eot_id|eom_id|end|return|call|user|observation|END_OF_TURN_TOKEN"
    r"|END_RESPONSE|message_sep|eos|end_of_turn)\|>|<end_of_turn>|<turn\|>|</s>|<eos>|<pad>|\[EOS\]"
    r"|<｜end▁of▁sentence｜>|<\[?end▁of▁sentence\]?>)"
)
_TURN_END = re.compile(
    # within a line the token is a word of the text, unless it touches what the model wrote
    rf"(?<=[^\s\"'“‘「(（]){_TURN_MARK}|{_TURN_MARK}"
    r"(?=\s{0,99}(?:\Z|[<\[]|(?:assistant|user|system|human|model)\b)|[^\S\n]{0,99}\n)",
    re.IGNORECASE,
)
_TURN_START = re.compile(
    r"\s*(<\|im_start\|>(?:assistant)?|<\|start_header_id\|>assistant<\|end_header_id\|>|<\|assistant\|>"
    r"|<start_of_turn>model|<\|start\|>assistant|<\|message\|>|<bos>|<s>|\[/INST\]"
    r"|<\|START_RESPONSE\|>|<\|CHATBOT_TOKEN\|>)"
)
_BOX = re.compile(r"<\|(?:begin|end)_of_box\|>")
# a quote that begins a value: behind = ( [ , { or : of a call or an object
_VALUE = re.compile(r"""[=＝(（\[,，{:：]\s{0,20}(['"‘“])""")
# a text may have quotes of its own: one ends it in front of what may follow a value
_VALUE_ENDS = {
    opening: re.compile(rf"{closing}(?=\s{{0,9}}(?:[,，)）\]}}:：>]|\n|\Z))")
    for opening, closing in {"'": "'", '"': '"', "‘": "’", "“": "”"}.items()
}

MOST_MARKS = 200
"""Maximum number of tags looked at; what stands behind them stays in the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitOutput:
    """An answer without its thinking.

    Attributes:
        thought: The thinking, without its tags; "" without any.
        text: The rest, without control tokens at its ends.
        unfinished: Whether the thinking has no end, and so the answer never began.
        cut_off: What follows the end of the model's turn: the beginning of another one; "" as a rule.
    """

    thought: str = ""
    text: str
    unfinished: bool = False
    cut_off: str = ""


def split_thinking(output: str) -> SplitOutput:
    """Split an answer into its thinking and the rest; a text without marks is returned as it is.

    Thinking without an end at the beginning leaves no answer. A closing tag alone ends thinking that the chat
    template has begun within the prompt. Thinking in the middle or at the end is taken out, too.

    >>> split_thinking("<think>早上</think>买咖啡")
    SplitOutput(thought='早上', text='买咖啡', unfinished=False, cut_off='')
    >>> split_thinking("click(coordinates=(1,2), content='<think>')").text
    "click(coordinates=(1,2), content='<think>')"
    """
    text, cut_off = _remove_turn_marks(output)
    thoughts = list[str]()
    bare = _BARE_CHANNELS.match(text)
    if bare:
        thoughts.append(bare[0].strip().removeprefix("analysis").removesuffix("assistantfinal"))
        text = text[bare.end() :]
    text, found, unfinished = _remove_thinking(text)
    text = _remove_turn_start(text)
    thoughts += found
    changed = bool(thoughts) or text != output
    return SplitOutput(
        thought="\n".join(filter(None, (thought.strip() for thought in thoughts))),
        text=text.strip() if changed and not unfinished else text,
        unfinished=unfinished,
        cut_off=cut_off,
    )


def _remove_turn_marks(output: str) -> tuple[str, str]:
    """Return the text of the model's own turn, and what stands behind its end."""
    text, last = _remove_turn_start(output), None
    cut_off, values = "", _Values(text)
    for end in _TURN_END.finditer(text):
        # the end of a turn in front of a final channel is no end of the answer
        if _MARK.match(text, end.start()) or text.startswith("<|start|>assistant", end.end()):
            continue
        if text[: end.start()].strip() and not values.include(end.start()):
            last = end
            break
    if last:
        text, cut_off = text[: last.start()], _TURN_END.sub("", text[last.end() :]).strip()
    return _BOX.sub("", text), cut_off


def _remove_turn_start(text: str) -> str:
    at = 0
    # a channel's own tokens are no beginning of a turn
    while (start := _TURN_START.match(text, at)) and not _MARK.match(text, start.start(1)):
        at = start.end()
    return text[at:]


def _remove_thinking(text: str) -> tuple[str, list[str], bool]:
    """Return the text without thinking, the thinking, and whether that is all and has no end."""
    kept, thoughts, at = list[str](), list[str](), 0
    values = _Values(text)
    openings = _list_marks(_OPEN, text, values)
    closings = _list_marks(_CLOSE, text, values)
    while True:
        opening = next((mark for mark in openings if mark.start() >= at), None)
        closing = next((mark for mark in closings if mark.start() >= at), None)
        if closing and (opening is None or closing.start() < opening.start()):
            # all before it is thinking, what was kept of it, too
            thoughts.append("".join([*kept, text[at : closing.start()]]))
            kept, at = [], closing.end()
            continue
        if opening is None:
            return "".join([*kept, text[at:]]), thoughts, False
        before = text[at : opening.start()]
        end = _find_end(opening, closings)
        if end:
            thoughts.append(text[opening.end() : end.start()])
            kept += [before, "\n" if before.strip() else ""]
            at = end.end()
        elif not "".join([*kept, before]).strip():
            return "", [*thoughts, text[opening.end() :]], True
        elif not before.strip() or before.rstrip(" \t").endswith("\n"):
            return "".join([*kept, before]), [*thoughts, text[opening.end() :]], False
        else:
            # a tag within a line that nothing closes is a word
            kept.append(text[at : opening.end()])
            at = opening.end()


def _list_marks(mark: re.Pattern[str], text: str, values: _Values) -> list[re.Match[str]]:
    """List the first marks that are no part of a value."""
    found = islice(mark.finditer(text), MOST_MARKS)
    return [match for match in found if not values.include(match.start())]


def _find_end(opening: re.Match[str], closings: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """Find the end of thinking: the closing tag of the same name, or else the first one."""
    own = f"</{opening[0].strip('<>').split()[0]}>".lower()
    later = [mark for mark in closings if mark.start() >= opening.end()]
    return next(
        (mark for mark in later if mark[0].lower().replace(" ", "") == own), later[0] if later else None
    )


class _Values:
    """Quoted values of the calls in a text, line by line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = (-1, -1)
        self._spans = list[tuple[int, int]]()

    def include(self, at: int) -> bool:
        """Whether the position is within a quoted value of its line."""
        if not self._line[0] <= at < self._line[1]:
            start = self._text.rfind("\n", 0, at) + 1
            end = self._text.find("\n", at)
            self._line = (start, len(self._text) if end < 0 else end + 1)
            self._spans = list(self._find_spans(*self._line))
        before = bisect_right(self._spans, (at, len(self._text)))
        return before > 0 and at < self._spans[before - 1][1]

    def _find_spans(self, start: int, end: int) -> list[tuple[int, int]]:
        spans = list[tuple[int, int]]()
        while value := _VALUE.search(self._text, start, end):
            closing = _VALUE_ENDS[value[1]].search(self._text, value.end(), end)
            if closing is None:
                break
            spans.append((value.end(), closing.start()))
            start = closing.end()
        return spans
