"""Parser of a model's answer with one intent: the intent, the outcome of parsing, and what was left out.

Thinking and control tokens are removed first. An answer has one outcome, the first of these that applies:

- "nothing": the answer has no letter and no digit; the intent is "".
- "unclear": JSON or tags with two texts that could be the intent, or JSON that can be read in two ways; the
  intent is "".
- "refused": the model declines to answer and gives no sentence in the requested form; the intent is "".
  An apology alone is a refusal; with further text only if that states an inability ("无法", "unable"),
  because "对不起，我爱你" may be the name of a song.
- "long": more than the one requested sentence. The intent is the first sentence in the requested form, which
  follows a label ("意图：", "Intent:") or a hedge ("the user wants to"), or matches `OPENING`. If it begins
  its line, the rest of the line belongs to it ("打开美团。点一份饭。") up to a reason, a closing remark, or
  another sentence that opens an app. Without such a sentence the intent is the first of several list items,
  else the answer up to a reason, cut to `MAX_INTENT` characters.
- "wrapped": JSON, a code fence, a tag, quotes, Markdown, a list number, a label or a hedge was removed, or
  two lines were joined.
- "control": control characters were removed.
- "answered": one sentence as requested, in any language.

If JSON names an app in another field and the intent does not contain it, both are combined in the requested
form, "打开微信，看消息", or "Open WeChat, read messages" where neither is Chinese.

Only the first `MAX_READ` characters behind the thinking are parsed. The complete answer stays in
`Suggestion.output`, which the release protocol scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from fingertip_agents.parsing.reading import CONVERTED, LEFT_OUT
from fingertip_agents.suggestion.intent_hedges import BUT, OPENING
from fingertip_agents.suggestion.intent_lines import choose_lines, cut_next_turn
from fingertip_agents.suggestion.intent_marks import (
    ANNOUNCES,
    HEADING,
    PREAMBLE,
    has_letters,
    is_listed,
    remove_controls,
    remove_emphasis,
    remove_marks,
    replace_breaks,
    unwrap,
)
from fingertip_agents.suggestion.intent_refusals import is_refusal
from fingertip_agents.suggestion.intent_tokens import remove_padding
from fingertip_models.thinking import split_thinking

AnswerOutcome = Literal["answered", "control", "wrapped", "long", "refused", "unclear", "nothing"]

MAX_INTENT = 500
"""Maximum characters of an intent; people write about 20."""

MAX_READ = 20_000
"""Maximum characters of an answer that are parsed."""

_STOP = re.compile(
    r"“[^”\n]{0,200}”|「[^」\n]{0,200}」|《[^》\n]{0,200}》|\"[^\"\n]{0,200}\""
    r"|(?P<stop>\n|[。！？]+[.!?…]*|(?<=[a-z]{3})[.!?](?=\s))"
)
_OPENS = re.compile(r"(?:请|帮我|我?想要?|我?要)?(?:打开|启动)|(?:open|launch)\b", re.IGNORECASE)
_OPENS_ONLY = re.compile(
    r"(?:请|帮我|我?想要?|我?要)?(?:打开|启动)[^，,、；;：:\s]{1,15}[。！]|(?:open|launch)\s\S+(?:\s\S+)?[.!]",
    re.IGNORECASE,
)
"""A sentence that opens an app and says nothing of what for."""

_REASON = re.compile(
    r"[（(【\[]?(?:因为|理由|原因|由于|解释|说明|依据|置信度|概率"
    r"|(?:because|since|reason(?:ing)?|explanation|rationale|justification|confidence|probability)\b)",
    re.IGNORECASE,
)
"""Beginning of a reason, on whatever line."""

_ASIDE = re.compile(
    r"[（(]|因为|理由|原因|由于|依据|根据|考虑到?|鉴于|这是|这个|这样|这与|该|以上|如果|若|希望|祝|说明|备注|注[：:]|他|她|用户(?!协议|名|手册|中心|反馈|注册)|主人"
    r"|(?:because|reason|since|this|that|as|the|based|hope|note|let me|i|it|he|she|they|user|bye"
    r"|thanks?(?! you\W*\Z))\b",
    re.IGNORECASE,
)
"""Beginning of a sentence that comments on the intent and is no part of it."""

_ASIDE_LINE = re.compile(
    rf"{_ASIDE.pattern}|{_REASON.pattern}|现在|此时|此刻|目前|综上|总之|结合|从|可能性|(?:given|considering|your)\b",
    re.IGNORECASE,
)
"""Beginning of such a line."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef“”‘’…]")
"""Characters of scripts without blanks, and their punctuation."""

_STOPS, _COMMAS = tuple("。！？.!?…"), tuple("，,、；;")


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentAnswer:
    """A parsed answer.

    Attributes:
        intent: One line; "" without an intent.
        outcome: Outcome of parsing; the module describes each.
        notes: What was left out, completed or converted, each "kind: words" as in `parsing.reading`.
    """

    intent: str
    outcome: AnswerOutcome
    notes: tuple[str, ...] = ()


def read_intent(output: str) -> IntentAnswer:
    r"""Read the intent in any answer.

    >>> read_intent("打开网易云音乐，听歌。")
    IntentAnswer(intent='打开网易云音乐，听歌。', outcome='answered', notes=())
    >>> read_intent('```json\n{"intent": "打开网易云音乐，听歌"}\n```')
    IntentAnswer(intent='打开网易云音乐，听歌', outcome='wrapped', notes=('left_out: marks',))
    >>> read_intent("我无法确定，但可能是打开微信，\n看消息").intent
    '打开微信，看消息'
    """
    split = split_thinking(remove_padding(output))
    given = split.text[:MAX_READ]
    shown = remove_controls(given).strip()
    notes = [f"{LEFT_OUT}: thinking"] if split.thought else []
    own, goes_on = cut_next_turn(shown)
    notes += [f"{LEFT_OUT}: what follows the end of the answer"] if split.cut_off or goes_on else []
    within = unwrap(own)
    lines = choose_lines(within.text)
    notes += (*within.notes, *lines.notes)
    if within.ambiguous or lines.ambiguous:
        return IntentAnswer(intent="", outcome="unclear", notes=tuple(notes))
    chosen = _choose(lines.text)
    notes += chosen.notes
    if chosen.outcome == "answered":
        return _describe_change(given, shown, chosen.intent, notes)
    return IntentAnswer(intent=chosen.intent, outcome=chosen.outcome, notes=tuple(notes))


def _describe_change(given: str, shown: str, intent: str, notes: list[str]) -> IntentAnswer:
    """The one sentence of an answer, with the outcome for what was removed around it."""
    outcome: AnswerOutcome = "answered"
    if intent != shown:
        outcome = "wrapped"
        if not notes:
            notes = [f"{LEFT_OUT}: marks"]
    elif replace_breaks(given).strip() != shown:
        outcome, notes = "control", [*notes, f"{LEFT_OUT}: control characters"]
    return IntentAnswer(intent=intent, outcome=outcome, notes=tuple(notes))


def _choose(text: str) -> IntentAnswer:
    """Choose the intent among the sentences of an answer without wrappers."""
    # emphasis may go beyond the end of a sentence
    plain = remove_emphasis(text)
    lines = _join_lines(plain)
    joined = (f"{CONVERTED}: two lines to one",) if lines != plain else ()
    sentences = _drop_preamble(list(_split_sentences(lines)))
    if not sentences:
        return IntentAnswer(intent="", outcome="nothing")
    first = sentences[0]
    if len(sentences) == 1 and not is_refusal(first.words):
        words, notes = first.words, (*joined, *_describe_hedge(sentences))
        if len(words) > MAX_INTENT:
            return IntentAnswer(intent=words[:MAX_INTENT].strip(), outcome="long", notes=notes)
        return IntentAnswer(intent=words, outcome="answered", notes=notes)
    formed = [number for number, one in enumerate(sentences) if one.labelled and not is_refusal(one.words)]
    formed += [number for number, one in enumerate(sentences) if OPENING.match(one.words)]
    formed += [number for number, one in enumerate(sentences) if one.hedged and not is_refusal(one.words)]
    if formed:
        formed[0] = _prefer_first_item(sentences, formed[0])
        intent, used = _add_rest(sentences, formed[0])
    elif is_refusal(first.words):
        return IntentAnswer(intent="", outcome="refused")
    else:
        intent, used = _take_beginning(sentences)
    notes = (*joined, *_describe_hedge(sentences[:1] if not formed else [sentences[formed[0]]]))
    if used < len(sentences):
        listed = sum(one.listed for one in sentences) > 1
        notes += (f"{LEFT_OUT}: {'more candidates' if listed else 'other sentences'}",)
    return IntentAnswer(intent=intent[:MAX_INTENT].strip(), outcome="long", notes=notes)


def _describe_hedge(sentences: Sequence[_Sentence]) -> tuple[str, ...]:
    return (f"{LEFT_OUT}: hedge",) if any(one.hedged for one in sentences) else ()


def _add_rest(sentences: Sequence[_Sentence], number: int) -> tuple[str, int]:
    """A sentence and, if it begins its line, those of the line that continue it; and their number."""
    chosen = sentences[number]
    words, used = chosen.words, 1
    # what follows an intent within a line of comments is a comment, too
    if number and sentences[number - 1].line == chosen.line:
        return words, used
    for one in sentences[number + 1 :]:
        if one.line != chosen.line or one.marked or _ASIDE.match(one.words) or _OPENS.match(one.words):
            break
        words, used = _join(words, one.words), used + 1
    return words, used


def _prefer_first_item(sentences: Sequence[_Sentence], number: int) -> int:
    """The first item of a list of candidates, if the chosen sentence is one of its later items."""
    if not sentences[number].listed or sentences[number].labelled:
        return number
    items = [at for at in range(number) if sentences[at].listed]
    return next((at for at in items if not _ASIDE_LINE.match(sentences[at].words)), number)


def _take_beginning(sentences: Sequence[_Sentence]) -> tuple[str, int]:
    """The first list item, or all sentences up to a reason; and their number."""
    listed = [number for number, one in enumerate(sentences) if one.listed]
    if len(listed) > 1:
        return _add_rest(sentences, listed[0])
    end, begins_aside = len(sentences), bool(_ASIDE_LINE.match(sentences[0].words))
    for number, one in enumerate(sentences[1:], 1):
        lines = one.line - sentences[number - 1].line
        apart = lines > 1 or (lines == 1 and not begins_aside)
        if (apart and _ASIDE_LINE.match(one.words)) or _REASON.match(one.words):
            end = number
            break
    words = sentences[0].words
    for one in sentences[1:end]:
        words = _join(words, one.words)
    return words, end


def _join_lines(text: str) -> str:
    """Join the lines of an intent that is broken over several; others stay apart."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and _continues(lines[-1].strip(), line.strip()):
            lines[-1] = _join(lines[-1].rstrip(), line.strip())
        else:
            lines.append(line)
    return "\n".join(lines)


def _continues(line: str, after: str) -> bool:
    """Whether a line goes on in the next one."""
    # the rest is cut anyway, and each further line would be compared with all lines before it
    if len(line) > MAX_INTENT:
        return False
    if not (has_letters(line) and has_letters(after)) or is_listed(after):
        return False
    words, next_words = line.rstrip("*_ "), remove_marks(after)
    heads = words.endswith((":", "：")) or HEADING.fullmatch(words) or PREAMBLE.fullmatch(words)
    if heads or next_words.labelled or next_words.hedged or _REASON.match(next_words.text):
        return False
    if words.endswith(_COMMAS):
        return True
    comments = _ASIDE_LINE.match(next_words.text) or OPENING.match(next_words.text)
    if words.endswith(_STOPS):
        return bool(_OPENS_ONLY.fullmatch(remove_marks(words).text)) and not comments
    if after[:1].islower() and after.isascii():
        return True
    return not comments and not _ASIDE_LINE.match(remove_marks(words).text)


def _join(before: str, after: str) -> str:
    """Two parts of a text, with a blank between them where the script has blanks."""
    wide = _WIDE.match(before[-1:]) or _WIDE.match(after[:1])
    return f"{before}{after}" if wide else f"{before} {after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence of an answer.

    Attributes:
        words: Text of the sentence without wrappers.
        labelled: Whether a label marks it as the answer.
        hedged: Whether a hedge was removed.
        marked: Whether a label, a list mark, a hedge or quotes were removed.
        listed: Whether it begins with a list mark.
        line: Number of its line, from 0.
    """

    words: str
    labelled: bool
    hedged: bool
    marked: bool
    listed: bool
    line: int


def _split_sentences(text: str) -> Iterator[_Sentence]:
    """Each sentence with a letter or digit, without wrappers.

    A line that ends with a colon announces the next line, and so does a heading; as the last line it is a
    sentence itself.
    """
    parts = [
        (number, part)
        for number, line in enumerate(text.split("\n"))
        for part in _split(line)
        if has_letters(part)
    ]
    parts = _join_doubts(parts)
    announced = False
    for number, (line, part) in enumerate(parts):
        last = number + 1 == len(parts)
        marks = remove_marks(part, labelled=announced)
        if not last and (part.rstrip("*_ ").endswith((":", "：")) or HEADING.fullmatch(marks.text)):
            announced = bool(ANNOUNCES.search(part))
            continue
        if has_letters(marks.text):
            yield _Sentence(
                words=marks.text,
                labelled=marks.labelled,
                hedged=marks.hedged,
                marked=marks.text != part,
                listed=is_listed(part),
                line=line,
            )
        announced = False


def _join_doubts(parts: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Join a sentence that only doubts and the next one, which says "but"."""
    joined: list[tuple[int, str]] = []
    for line, part in parts:
        if joined and BUT.match(part) and is_refusal(remove_marks(joined[-1][1]).text):
            joined[-1] = line, _join(joined[-1][1], part)
        else:
            joined.append((line, part))
    return joined


def _split(text: str) -> Iterator[str]:
    start = 0
    for match in _STOP.finditer(text):
        if match["stop"]:
            yield text[start : match.end()].strip()
            start = match.end()
    yield text[start:].strip()


def _drop_preamble(sentences: list[_Sentence]) -> list[_Sentence]:
    """The sentences without an agreement ("好的！") before others."""
    if len(sentences) > 1:
        agreed = PREAMBLE.fullmatch(sentences[0].words)
        if agreed and not has_letters(agreed["rest"]):
            return sentences[1:]
    return sentences
