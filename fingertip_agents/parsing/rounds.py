"""Cut of an answer behind its first round, and of a draft under a heading of its own.

A model that is not stopped goes on: it invents the observation, the next message of the user or the next
step, and answers that as well. All of it is for a screen that nobody has seen, so the first round counts, as
long as it can be read alone. Steps that are listed as a history before the answer are no rounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

MOST_ROUNDS = 8
"""Maximum number of marks of a next round that are tried."""

_BOLD = r"[ \t>*_#]{0,6}"
_NEXT = re.compile(
    rf"^{_BOLD}(?:"
    # what a tool or the person sends
    rf"(?:observation|obs|tool|tool result|result|human|user|观察|观察结果|用户|工具结果){_BOLD}[:：]"
    r"|(?:user|human|tool|observation|用户)[ \t]*$"
    r"|<(?:tool_response|tool_result|observation|function_results?|image|img|screenshot|user)>"
    r"|(?:<\|?(?:im_start|vision_start|image_pad|user|observation)\|?>)"
    # the model's own next answer
    r"|(?P<step>(?:next )?(?:step|round|turn)[ \t]*[0-9]{1,3}\b"
    r"|第[ \t]*[0-9一二三四五六七八九十]{1,3}[ \t]*[步轮])"
    rf"|(?P<own>(?:thought|thinking|思考|想法){_BOLD}[:：])(?P<words>[^\n]{{0,40}})"
    r")",
    re.MULTILINE | re.IGNORECASE,
)
# a call, its tags, a fence or a mark of bold ends here
_CALL_END = re.compile(r"[)）}>\]][\s`*;；]{0,20}\Z")
_HISTORY = re.compile(
    r"\b(?:previous|history|so far|earlier|already done|past (?:steps|actions))\b|之前|历史|已完成|以前",
    re.IGNORECASE,
)
_STEP = re.compile(
    rf"^{_BOLD}(?:(?:step|round|turn)[ \t]*[0-9]|第[ \t]*[0-9一二三])", re.MULTILINE | re.IGNORECASE
)
# what announces the answer behind a history, or takes the first one back
_FINAL = re.compile(
    rf"^{_BOLD}(?:now|final|current|so now|corrected|instead|correction|现在|最终|最后|当前|更正)\b",
    re.MULTILINE | re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"[\s*_:：]*(?:no\b|not\b|wait\b|actually|but\b|hmm|however|correction|sorry|that (?:is|was) wrong"
    r"|on second|不|等等|等一下|其实|但|错)",
    re.IGNORECASE,
)

_HEADING = r"^[ \t]*(?:#{1,6}[ \t]*(?:\*\*)?|\*\*)"
_HEADING_END = r"[ \t]*[:：]?(?:\*\*)?[ \t]*[:：]?[ \t]*\n"
_SECTIONS = re.compile(
    rf"(?P<before>\A.{{0,100000}}?){_HEADING}(?:thinking|thoughts?|reasoning|analysis|reflection|draft"
    rf"|思考|想法|分析|推理|思路){_HEADING_END}"
    rf"(?P<thought>.{{0,100000}}?)"
    rf"(?P<answer>{_HEADING}(?:final )?(?:answer|action|output|response"
    rf"|回答|答案|动作|操作|输出){_HEADING_END}.*)\Z",
    re.MULTILINE | re.IGNORECASE | re.DOTALL,
)


def split_headings(text: str) -> tuple[str, str]:
    r"""Split an answer with a heading for the thinking and one for the answer; "" and the text without them.

    >>> split_headings("### Thinking\nBack?\n### Answer\nwait()")
    ('Back?', '### Answer\nwait()')
    """
    found = _SECTIONS.match(text)
    if not found:
        return "", text
    return "\n".join(filter(None, (found["before"].strip(), found["thought"].strip()))), found["answer"]


def list_first_rounds(text: str) -> Iterator[str]:
    r"""Yield the beginnings of an answer that may be its first round, the shortest first.

    Args:
        text: The answer without its thinking.

    >>> list(list_first_rounds("wait()\nObservation: it opened\nback()"))
    ['wait()\n']
    >>> list(list_first_rounds("Done so far:\nwait()\nStep 2: back()\nNow:\nwait()"))
    []
    """
    for mark in islice(_NEXT.finditer(text), MOST_ROUNDS):
        first, rest = text[: mark.start()], text[mark.start() :]
        if _HISTORY.search(first) or _FINAL.search(rest) or (mark["step"] and _STEP.search(first)):
            return
        corrects = mark["own"] and (not _CALL_END.search(first) or _TAKEN_BACK.match(mark["words"]))
        if first.strip() and not corrects:
            yield first
