"""Removal of what stands around an intent: fence, tag, box, JSON, label, list mark, quotes, emphasis."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass

from fingertip_agents.parsing.reading import COMPLETED, LEFT_OUT
from fingertip_agents.suggestion.intent_hedges import OPENING, remove_hedge
from fingertip_agents.suggestion.intent_json import AMBIGUOUS, JsonIntent, find_json_intent, is_intent_name
from fingertip_agents.suggestion.intent_tokens import (
    ends_with_entity,
    find_bracketed,
    read_written_call,
    read_xml_call,
    remove_tokens,
)
from fingertip_agents.suggestion.loose_json import JSON_START, read_loose_json

MAX_PEELS = 20
"""Maximum number of wrapping layers removed from an answer."""

ANNOUNCES = re.compile(r"意图|预测|推测|建议|答案|回答|intent|prediction|answer|suggestion", re.IGNORECASE)
"""In a line before the intent."""

_MODIFIERS = (
    r"(?:(?:here(?:['’]s)?|this|below|is|the|my|user(?:['’]?s)?|owner(?:['’]?s)?|person['’]s|predicted"
    r"|suggested"
    r"|inferred"
    r"|likely|possible|probable|current|immediate|main|primary|most|best|next|final)\s+){0,6}"
)
_WORDS = (
    r"[\u4e00-\u9fff]{0,12}意图(?:(?![是为])[\u4e00-\u9fff]){0,4}[是为]?"
    r"|(?:以下是我?的?)?(?:(?:预测|推测|用户|主人|当前|此刻|最可能|可能|下一个|下一步|最终|主要|推荐)的?){0,3}"
    r"(?:预测|推测|建议|答案|回答|任务)(?:结果)?(?:是|为|如下)?|(?:结果)?如下|(?:答案|结果)是|以下是?|这是我?的?(?:预测|答案|意图)"
    r"|here\s+(?:it|you)\s+(?:is|are|go)|(?:the\s+)?(?:answer|result)\s+is"
    rf"|{_MODIFIERS}(?:intent|intention|prediction|suggestion|answer|task|output|response|guess)"
    r"(?:\s+(?:is|text|sentence|right now|here|as\s+follows)){0,3}"
)
_ROLES = r"user|用户|assistant|model|ai|gpt|助手|助理|模型|机器人|答|输出|结果|result"
_ARROW = r"(?:→|⇒|➡|➜|►|▶|={1,2}>|-{1,2}>)\ufe0f?"
_LABEL = re.compile(
    rf"(?:(?:{_WORDS}|output|输出|结果)[*_`\s]*(?:{_ARROW}|:?=)|{_ARROW})\s*"
    # a person's own words may begin like these
    r"|(?:(?:a|提醒|推荐|next|下一步|接下来|我的(?:猜测|预测)是?|(?:他|她|您|你|TA|用户|主人)(?:最?可能)?(?:想要?做?|要做?"
    r"|会做?)(?:的是)?)\s*[:：]"
    r"|[\[【(（]\d{1,2}[:：]\d{2}[\]】)）])"
    r"\s*(?=[\"'“‘「]?(?:打开|启动|open\b|launch\b))|"
    rf"(?P<marked>[*_`]+\s*)?(?:(?:{_WORDS}|{_ROLES})[*_`\s]*[:：]|[【\[](?:{_WORDS})[】\]](?:[*_`\s]*[:：])?"
    r"|intent\s*=(?=\s*[\"'“]))(?(marked)[*_`]*)\s*",
    re.IGNORECASE,
)
HEADING = re.compile(rf"(?:#{{1,6}}\s+)?[*_【\[]*(?:{_WORDS})[*_】\]]*", re.IGNORECASE)
"""A line of its own that announces the intent, without a colon."""

_BULLET = re.compile(
    r"#{1,6}\s+|>\s*|[-*+]\s+|[•·●▪‣–—]\s*|\d{1,2}(?:[.)]\s+|[.．、）](?!\d)\s*)|[（(]\d{1,2}[)）]\s*|[①-⑳]\s*"
)
_REASON_BEHIND = re.compile(
    # a search would begin at each sign of a run
    r"(?<![\s。，,；;|.])[\s。，,；;|.]+[（(\[【]?(?:理由|原因|依据|解释|置信度|概率|reason(?:ing)?|explanation|rationale|confidence"
    r"|probability)"
    r"[)）\]】]?\s*[:：].*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""A reason behind an intent with a label, in its line."""

PREAMBLE = re.compile(
    r"(?:好的|当然(?:可以)?|没问题|明白了|收到|sure|okay|ok|certainly|of course|got it)[，,。！!.]\s*"
    r"(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""An agreement before an intent."""

_FENCE = re.compile(r"(```|~~~)(?:[\w+-]*[ \t]*\n)?(.*?)(?:\1|\Z)", re.DOTALL)
_EMPHASIS = re.compile(r"(\*\*|~~)(?=[^\s*~])([^*~\n]{1,500})\1")
_TAGGED = re.compile(r"<([A-Za-z_]{1,20})>(.*)</\1>", re.DOTALL)
_NAMED_TAG = re.compile(r"<([A-Za-z_\u4e00-\u9fff]{2,20})>(.*?)(?:</\1>|\Z)", re.DOTALL)
_LOOSE_TAG = re.compile(r"</([A-Za-z_\u4e00-\u9fff]{2,20})>\s*\Z")
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{")
_TEXED = re.compile(r"\s*\\(?:text|textbf|mathrm|mathbf)\s*\{(.*)\}\s*", re.DOTALL)
_PAIRS = {
    '"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`", "*": "*", "_": "_",
    "«": "»", "‹": "›", "„": "“", "＂": "＂", "〝": "〞", "﹁": "﹂", "【": "】", "[": "]", "$": "$",
    "(": ")", "（": "）",
}  # fmt: skip
_WITHOUT_BRACES = re.compile(r"""["'“](\w{1,30})["'”]\s*[:：]\s*["'“]""")
_DOUBLED = ("__", '""', "''", "``")
_OPEN_ONLY = '"“「『`'
"""Quotes that begin no text without being closed."""

_UNOPENED = re.compile(r"([^“”「」『』]+)[”」』][.。]?\s*(?:[（(][^（()）]*[)）])?[.。]?", re.DOTALL)

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_BREAKS = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwrapped:
    """An answer without wrappers.

    Attributes:
        text: The text within; "" if it is ambiguous.
        notes: What was left out, completed or converted.
        ambiguous: Whether a wrapper has two texts that could be the intent, or cannot be read.
    """

    text: str
    notes: tuple[str, ...] = ()
    ambiguous: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutMarks:
    """A sentence without marks.

    Attributes:
        text: The sentence.
        labelled: Whether a label was removed.
        hedged: Whether a hedge was removed.
    """

    text: str
    labelled: bool
    hedged: bool


def remove_controls(text: str) -> str:
    r"""Remove terminal escapes, control and invisible characters; line ends become \n."""
    text = _BREAKS.sub("\n", _ANSI.sub("", text)).replace("\t", " ")
    return "".join(
        char
        for char in text
        if char == "\n" or char in _JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
    )


def replace_breaks(text: str) -> str:
    r"""Write every line end as \n and tabs as blanks."""
    return _BREAKS.sub("\n", text).replace("\t", " ")


def has_letters(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return any(char.isalnum() for char in text)


def unwrap(text: str) -> Unwrapped:
    """Remove wrappers of the whole answer: code fence, tag, box, JSON, quotes."""
    notes: list[str] = []
    for _ in range(MAX_PEELS):
        stripped = text if find_bracketed(text) else remove_tokens(text.strip())
        found = _find_inside(stripped.strip())
        if found.ambiguous:
            return Unwrapped(text="", notes=tuple(dict.fromkeys(notes)), ambiguous=True)
        inner = remove_controls(found.text).strip()
        notes += found.notes
        if inner == text:
            break
        text = inner
    return Unwrapped(text=text, notes=tuple(dict.fromkeys(notes)))


def remove_marks(text: str, *, labelled: bool = False) -> WithoutMarks:
    """Remove list mark, label, quotes, emphasis and hedges of a sentence; `labelled` by a line before it."""
    hedged = False
    for _ in range(MAX_PEELS):
        before = text
        text = remove_emphasis(remove_tokens(text))
        agreed = PREAMBLE.fullmatch(text)
        if agreed and has_letters(agreed["rest"]):
            text = agreed["rest"]
        if bullet := _BULLET.match(text):
            text = text[bullet.end() :]
        if label := _LABEL.match(text):
            text, labelled = text[label.end() :], True
        text = _remove_quotes(text.strip()).strip()
        text = text[1:] if _lacks_last_quote(text) else text
        if labelled or hedged:
            text = _remove_reason(text)
        rest = remove_hedge(text)
        text, hedged = _remove_unopened(rest), hedged or rest != text
        if text == before:
            break
    return WithoutMarks(text=text.strip(), labelled=labelled, hedged=hedged)


def remove_emphasis(text: str) -> str:
    """Remove the signs of bold and struck text within lines."""
    return _EMPHASIS.sub(r"\2", text)


def is_listed(text: str) -> bool:
    """Whether a line begins with a list mark."""
    return bool(_BULLET.match(text))


def _remove_reason(text: str) -> str:
    reason = _REASON_BEHIND.search(text)
    if reason is None or not has_letters(text[: reason.start()]):
        return text
    stop, before = text[reason.start()], text[: reason.start()]
    return before + (stop if stop in "。." or (stop == ";" and ends_with_entity(before)) else "")


def _find_inside(text: str) -> Unwrapped:
    if called := _find_called(text):
        return called
    fence, boxed, tag = _FENCE.search(text), _BOXED.search(text), _NAMED_TAG.search(text)
    first = min((found.start() for found in (fence, boxed, tag) if found), default=len(text))
    start = _WITHOUT_BRACES.match(text) or JSON_START.search(text)
    # what looks like another wrapper behind the beginning of an object is within its text
    if start and start.start() < first and (found := _read_json(text)):
        return found
    # an unclosed fence ends with the text, as in output cut at the token limit
    if fence and fence[2].strip():
        return _take_part(text, fence.start(), fence.end(), fence[2])
    if tagged := _find_tagged(text):
        return tagged
    if boxed:
        end = _find_brace(text, boxed.end())
        inner = text[boxed.end() : end]
        texed = _TEXED.fullmatch(inner)
        return _take_part(text, boxed.start(), end + 1, texed[1] if texed else inner)
    return _read_json(text) or _remove_outer_quotes(text)


def _find_called(text: str) -> Unwrapped | None:
    """The argument of a call in XML or of a function, or the text between [ANSWER] and [/ANSWER]."""
    parameters = read_xml_call(text)
    if parameters is not None:
        called = find_json_intent(parameters) or AMBIGUOUS
        return Unwrapped(text=called.text, notes=called.notes, ambiguous=called.ambiguous)
    if (argument := read_written_call(text)) is not None:
        return Unwrapped(text=argument)
    if (pair := find_bracketed(text)) and not OPENING.match(text) and has_letters(pair[2]):
        return _take_part(text, pair.start(), pair.end(), pair[2])
    return None


def _take_part(text: str, start: int, end: int, inner: str) -> Unwrapped:
    around = has_letters(text[:start]) or has_letters(text[end:])
    return Unwrapped(text=inner, notes=(f"{LEFT_OUT}: text around the answer",) if around else ())


def _find_tagged(text: str) -> Unwrapped | None:
    """The text of a tag named as an intent, wherever it stands, or of any tag around the whole answer."""
    named = [tag for tag in _NAMED_TAG.finditer(text) if is_intent_name(tag[1]) and has_letters(tag[2])]
    # within a sentence a tag may be the person's own text
    if named and not OPENING.match(text):
        if len({" ".join(tag[2].split()) for tag in named}) > 1:
            return Unwrapped(text="", ambiguous=True)
        return _take_part(text, named[0].start(), named[0].end(), named[0][2])
    if tagged := _TAGGED.fullmatch(text):
        return Unwrapped(text=tagged[2])
    loose = _LOOSE_TAG.search(text)
    if loose and is_intent_name(loose[1]) and f"<{loose[1]}" not in text:
        return Unwrapped(text=text[: loose.start()])
    return None


def _find_brace(text: str, start: int) -> int:
    """Position of the brace that closes what begins at `start`; the end of the text without one."""
    depth = 1
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if not depth:
            return position
    return len(text)


def _remove_outer_quotes(text: str) -> Unwrapped:
    label = _LABEL.match(text) if "\n" in text else None
    if label and (within := _remove_quotes(text[label.end() :])) != text[label.end() :]:
        return Unwrapped(text=within)
    inner = _remove_quotes(text)
    if inner == text and _lacks_last_quote(text):
        return Unwrapped(text=text[1:], notes=(f"{COMPLETED}: last quote",))
    return Unwrapped(text=inner)


def _lacks_last_quote(text: str) -> bool:
    return len(text) > 1 and text[0] in _OPEN_ONLY and _find_closing(text) is None


def _remove_quotes(text: str) -> str:
    """Remove one pair of enclosing quotes, with a full stop behind it."""
    if len(text) > 4 and text[:2] == text[-2:] and text[:2] in _DOUBLED and text[0] not in text[2:-2]:
        return text[2:-2]
    if len(text) < 3 or text[0] not in _PAIRS:
        return text
    closed = text[:-1].rstrip() if text[-1] in "。.!！" else text
    # quotes that are closed before the end enclose only parts
    return closed[1:-1] if len(closed) > 2 and _find_closing(closed) == len(closed) - 1 else text


def _remove_unopened(text: str) -> str:
    """Remove a last quote that is not opened in a text, with what stands in brackets behind it."""
    last = _UNOPENED.fullmatch(text)
    return last[1] if last and has_letters(last[1]) else text


def _find_closing(text: str) -> int | None:
    """Position at which the quote that a text begins with is closed; None if it is not."""
    opened, end = text[0], _PAIRS[text[0]]
    depth = 0
    for position, char in enumerate(text[1:], 1):
        if char == end and not depth:
            return position
        depth += (char == opened) - (char == end)
    return None


def _read_json(text: str) -> Unwrapped | None:
    """The sentence in valid or broken JSON; None without JSON."""
    field = _WITHOUT_BRACES.match(text)
    if field and is_intent_name(field[1]):
        text = f"{{{text}"
    if text[:1] == '"':
        try:
            value = json.loads(text, strict=False)
        except (ValueError, RecursionError):
            return None
        return Unwrapped(text=value) if isinstance(value, str) else None
    start = JSON_START.search(text)
    if start is None or not _may_be_answer(text[: start.start()]):
        return None
    at = start.start()
    try:
        value, end, completed = read_loose_json(text, at)
    except ValueError:
        return Unwrapped(text="", ambiguous=True) if not has_letters(text[:at]) else None
    alone = not has_letters(text[:at]) and not has_letters(text[end:])
    found = find_json_intent(value) or (AMBIGUOUS if alone else None)
    return None if found is None else _take_json(text, at, end, found, completed=completed)


def _may_be_answer(before: str) -> bool:
    """Whether JSON behind these words is an answer, and no part of a person's sentence."""
    line = before.rpartition("\n")[2].strip()
    return (
        not line or bool(ANNOUNCES.search(line)) or (not OPENING.match(line) and line[-1] in ":：，,。.！!")
    )


def _take_json(text: str, start: int, end: int, found: JsonIntent, *, completed: bool) -> Unwrapped:
    around = _take_part(text, start, end, found.text)
    notes = (*found.notes, *((f"{COMPLETED}: end of the JSON",) if completed else ()), *around.notes)
    return Unwrapped(text=found.text, notes=notes, ambiguous=found.ambiguous)
