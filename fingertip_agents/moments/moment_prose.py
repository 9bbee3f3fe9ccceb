"""Reader of an answer to a moment without JSON: sentences, labels and lines, with a probability anywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fingertip_agents.moments.nothing_wanted import states_nothing
from fingertip_agents.moments.stated_probability import NUMBER, WORDS, read_probability
from fingertip_agents.parsing.reading import LEFT_OUT
from fingertip_agents.suggestion.intent_answer import read_intent
from fingertip_agents.suggestion.intent_hedges import OPENING
from fingertip_agents.suggestion.intent_marks import has_letters, remove_marks, unwrap
from fingertip_agents.suggestion.suggestion_agent import SILENT

_SCALE = "|".join(sorted(map(re.escape, WORDS), key=len, reverse=True))
_UNIT = r"(?:\s*(?:%|％|percent\b|per cent\b|/\s*(?:1|5|10|100)(?:\.0)?(?![\d.])))?"
_VALUE = rf"[-−]?(?:{NUMBER}){_UNIT}(?!\d)|[一二三四五六七八九]成|(?:{_SCALE})(?![\w])"
_WANTED = (
    r"(?:the\s+)?(?:probability|likelihood|chance|prob\.?|wanted|wants(?: something| anything)?|概率|可能性"
    r"|几率)"
    r"(?:\s+(?:of|that)\s[^\n:：=]{1,60}?)?"
)
_SURE = (
    r"(?:my\s+)?(?:confidence(?:\s+(?:level|score))?|certainty|confident"
    r"|置信度|置信水平|把握|信心|确信度|确定性)"
)
_IS = r"[\"'*_`]*\s*(?:is|of|=|:|：|为|是|at|约|大约|about)?\s*(?:about\s+)?[\"'*_`]*"
_LABELLED = re.compile(
    rf"(?:\b(?:and|with)\s+)?(?:an?\s+)?[\"'*_`(（【\[]*(?:(?P<wanted>{_WANTED})|(?P<sure>{_SURE})){_IS}"
    rf"(?P<value>{_VALUE})[\"'*_`)）】\]]*[.。,，;；]?",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"(?:\bi(?:['’]m|\s+am)\s+|我?有)?(?:about\s+)?[(（]?(?P<value>(?:{NUMBER})\s*(?:%|％|percent))\s*"
    r"(?:的|of\s+)?(?:(?P<sure>sure|certain|confident|confidence|certainty|把握|置信度|确定|确信)"
    r"|(?P<wanted>likely|likelihood|probability|probable|chance|概率|可能性|可能))(?:\s+that|认为)?[)）]?[,，:：]?",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r"<(?P<name>confidence|probability|wanted|score|置信度|概率)>\s*(?P<value>[^<]{1,20}?)\s*</(?P=name)>",
    re.IGNORECASE,
)
_AT_END = re.compile(
    rf"(?:[(（\[【]\s*(?P<inside>{_VALUE})\s*[)）\]】]"
    rf"|[|,，;；:：—–-]\s*(?P<behind>(?:{NUMBER})\s*[%％]|[01]?\.\d{{1,20}}|1\.0{{1,20}})"
    r"|\s(?P<last>0\.\d{1,20}))[\s.。]*$",
    re.MULTILINE,
)
_ALONE = re.compile(rf"^\s*(?P<value>{_VALUE})\s*[.。]?\s*$", re.MULTILINE | re.IGNORECASE)
_EMPTY_TAG = re.compile(r"<(\w{1,20})>\s*</\1>")
_SENTENCE = re.compile(r"[^。！？!?.\n；;]+(?:[。！？!?；;\n]|\.(?=\s|$))?")
_CLAUSE = re.compile(r"\s*(?:[,，—:：(（]|\s-\s|\b(?:because|since|as|so that)\b|因为|由于|，因)")
_CONTRAST = re.compile(
    r"(?:[,，;；.。]\s*|\n\s*)(?:but|however|though|但是?|不过|然而)(?![a-z])[,，]?\s*", re.IGNORECASE
)
_NEGATED = re.compile(
    r"(?:(?:the\s+)?(?:phone['’]s\s+)?(?:owner|user|person)|they|he|she)\s+(?:(?:probably|likely|really|just)\s+)*"
    r"(?:(?:do|does|did|is|are|was|were|will|would|has|have)\s*(?:not\b|n['’]t\b)|(?:is|are)n['’]t\b|never\b)"
    r"|(?:手机的?)?(?:主人|用户|机主|他|她)(?:此刻|现在|目前|可能|应该|并)*(?:不(?!断)|没有?)",
    re.IGNORECASE,
)
"""Beginning of a statement about what the person does not want or do."""

_LEFT = re.compile(r"[\s,，;；:：|(（\[【—–-]+\Z|\A[\s,，;；:：|)）\]】—–.。]+|\bwith\s+an?\s*\Z")
_ECHO = re.compile(r"\s*<[^<>]{1,80}>\s*")
_OF_WANTING = re.compile(r"want|need|想|需要", re.IGNORECASE)
_EMPTY_LABEL = re.compile(
    r"\W*(?:[\w ]{0,20}intent(?:ion)?|[\u4e00-\u9fff]{0,6}意图)\s*[\"'*_`]*\s*[:：]\W*", re.IGNORECASE
)
_YES = re.compile(
    r"\W*(?:yes|yeah|true|ok|okay|sure|wants? something|something|是的?|有|要|想|需要|有意图)\W*",
    re.IGNORECASE,
)
_NUMBERS = ("value", "inside", "behind", "last")
MOST_ASIDES = 12
"""Maximum number of sentences that are looked at one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseMoment:
    """An answer in sentences.

    Attributes:
        intent: One line; "" without an intent.
        probability: The stated probability; None without one.
        sure: Whether it is that of the answer, and not that something is wanted.
        outcome: As in `moment_answer`.
        notes: What was left out, completed or converted.
    """

    intent: str
    probability: float | None
    sure: bool
    outcome: str
    notes: tuple[str, ...] = ()


def read_prose(text: str) -> ProseMoment:
    r"""Read an answer without JSON.

    >>> read_prose("打开微信，看消息（置信度：80%）").intent, read_prose("Open X, read. (0.7)").probability
    ('打开微信，看消息', 0.7)
    >>> read_prose("The owner is just glancing at the phone, so nothing is wanted.").outcome
    'silent'
    """
    probability, sure, rest = take_probability(text)
    emptied = _EMPTY_TAG.search(rest) is not None and not has_letters(_EMPTY_TAG.sub("", rest))
    if emptied or _EMPTY_LABEL.fullmatch(rest):
        return ProseMoment(intent="", probability=probability, sure=sure, outcome=SILENT)
    if not has_letters(rest) or _ECHO.fullmatch(rest) or _YES.fullmatch(rest):
        # a probability alone: a small one says that nothing is wanted
        silent = probability is not None and probability <= 0.5
        return ProseMoment(
            intent="",
            probability=probability,
            sure=sure and not silent,
            outcome=SILENT if silent else "nothing",
        )
    nothing = find_nothing(rest)
    if nothing is not None:
        outcome = SILENT if nothing else "unclear"
        return ProseMoment(intent="", probability=probability, sure=sure, outcome=outcome)
    found = _read_contrast(rest)
    return ProseMoment(
        intent=found.intent, probability=probability, sure=sure, outcome=found.outcome, notes=found.notes
    )


def _read_contrast(text: str) -> ProseMoment:
    """Read an intent that may follow or be followed by a statement that nothing is wanted."""
    contrast, doubted = _CONTRAST.search(text), False
    after = _SENTENCE.match(text, contrast.end()) if contrast else None
    if contrast and _states_first(text[: contrast.start()]):
        text, doubted = text[contrast.end() :], True
    elif after and states_nothing(after[0]):
        return ProseMoment(intent="", probability=None, sure=False, outcome="unclear")
    notes: tuple[str, ...] = ()
    if contrast and after and not doubted and _NEGATED.match(after[0].strip()):
        text, notes = text[: contrast.start()], (f"{LEFT_OUT}: what the person does not want",)
    found = read_intent(text)
    # after "nothing, but" a statement about the person is no offer
    formed = OPENING.match(found.intent) or any("hedge" in note for note in found.notes)
    if _NEGATED.match(found.intent) or (doubted and not formed):
        return ProseMoment(intent="", probability=None, sure=False, outcome=SILENT)
    return ProseMoment(
        intent=found.intent, probability=None, sure=False, outcome=found.outcome, notes=(*found.notes, *notes)
    )


def find_nothing(text: str) -> bool | None:
    """Whether a text says that nothing is wanted; False if it also names an intent; None if it does not."""
    within = unwrap(text)
    bare = remove_marks(within.text or text).text
    if states_nothing(bare) or states_nothing(text):
        return True
    parts = [remove_marks(part[0].strip()).text for part in _SENTENCE.finditer(within.text or text)]
    parts = [part for part in parts if has_letters(part)][:MOST_ASIDES]
    stated = [number for number, part in enumerate(parts) if _states_first(part)]
    if not stated:
        return None
    opened = [number for number, part in enumerate(parts) if OPENING.match(part)]
    if _CONTRAST.search(within.text or text):
        return None
    return not opened


def take_probability(text: str) -> tuple[float | None, bool, str]:
    """Take the probability out of a text: its value, whether it is one of the answer, and the rest."""
    found: list[tuple[bool, int, float]] = []
    rest = text
    for pattern in (_TAGGED, _LABELLED, _BEHIND, _AT_END, _ALONE):
        for match in pattern.finditer(rest):
            groups = match.groupdict()
            value = read_probability(next(filter(None, map(groups.get, _NUMBERS)), ""))
            if value is not None:
                name = (groups.get("name") or "").casefold()
                wanted = name == "wanted" or bool(_OF_WANTING.search(groups.get("wanted") or ""))
                found.append((not wanted, len(found), value))
        # a number that is no probability is left out, too: it is no part of the intent
        rest = pattern.sub(" ", rest)
    if not found:
        return None, False, text
    sure, _, value = min(found)
    for _ in range(3):
        rest = _LEFT.sub("", rest)
    return value, sure, rest.strip()


def _states_first(sentence: str) -> bool:
    """Whether a sentence or its first or last clause states that nothing is wanted, and none opens an app."""
    clauses = [part for part in _CLAUSE.split(sentence) if has_letters(part)]
    if any(OPENING.match(part.strip()) for part in clauses) or _CONTRAST.search(sentence):
        return False
    return any(states_nothing(part) for part in (sentence, *clauses[:1], *clauses[-1:]))
