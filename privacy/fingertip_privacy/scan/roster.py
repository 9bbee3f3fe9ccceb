"""Roster: the names that a person's phone shows as those of people, found again wherever they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from fingertip_dataset.folded_text import fold
from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.name_words import PUBLIC_PEOPLE
from fingertip_privacy.recognisers.person_names import find_names, has_form_of_name, may_be_name
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput

MOST_NAMES = 3_000
"""Maximum number of names of a person's roster; the most frequent are kept."""

CONFIDENCE = 0.88

_SHORTEST = 2
_SURE = 0.7
"""Least confidence of a name in a text with which it joins the roster."""

_PEOPLE_APPS = re.compile(
    r"contact|dialer|telecom|mms|sms|messag|mail|chat|liaotian|whatsapp|telegram|signal|tencent\.mm$|"
    r"mobileqq|tencent\.tim|rimet|lark|feishu|wework|momo|weibo|people",
    re.IGNORECASE,
)
_MEDIA_APPS = re.compile(
    r"music|video|reader|read|book|novel|podcast|radio|news|\btv\b|movie|film|game|bili|douyin|youtube|spotify|kugou|kuwo",
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"([^:：]{2,24})[:：] ?\S")
_PICTURE = re.compile(r"(.{2,24}?)(?:的)?(?:图片|头像|'s (?:photo|picture|avatar))")
_PICTURE_OF = re.compile(r"^(?:picture|photo|avatar) of (.{2,24})$", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![0-9])[0-9](?:[ -]?[0-9]){6,14}(?![0-9])")
_LEAST_LINES = 3
"""Number of lines with the form of names from which on a page counts as one of people."""


@dataclass(frozen=True, slots=True)
class Roster:
    """Names of the people on a person's phone.

    Attributes:
        names: The names, folded.
        pattern: Pattern that matches any of them; None without names.
    """

    names: frozenset[str]
    pattern: re.Pattern[str] | None

    @classmethod
    def of(cls, names: Iterable[str]) -> Roster:
        """Make a roster, the longest names first."""
        kept = frozenset(names)
        ordered = sorted(kept, key=lambda name: (-len(name), name))
        pattern = re.compile("|".join(map(_compile_pattern, ordered))) if ordered else None
        return cls(kept, pattern)

    def find(self, given: TextInput) -> Iterator[RecognisedSpan]:
        """Yield the names of the roster in a text."""
        if self.pattern is not None and not given.is_technical:
            folded = fold(given.text)
            for match in self.pattern.finditer(folded.text):
                start, end = folded.find_span(*match.span())
                yield RecognisedSpan(
                    kind=FindKind.NAME,
                    start=start,
                    end=end,
                    confidence=CONFIDENCE,
                    rule="name of the person's roster",
                )


def _compile_pattern(name: str) -> str:
    if name.isascii():
        return rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])"
    return re.escape(name)


def find_roster_names(page: Sequence[TextInput]) -> Counter[str]:
    """Count the names on one page of a screen, or in one file: after words for people, on pages of people.

    A page is one of people if its app is for contacts, calls or messages, or if it has several lines with the
    form of names; never in apps for music, videos and books, where names are those of authors.
    """
    found: Counter[str] = Counter()
    package = next((text.package for text in page if text.package), "")
    page = [
        replace(text, text=fold(text.text).text, label=fold(text.label).text)
        for text in page
        if not text.is_technical
    ]
    for text in page:
        for span in find_names(text):
            if span.confidence >= _SURE:
                found[text.text[span.start : span.end].strip()] += 1
    if not _MEDIA_APPS.search(package):
        lines = [text.text.strip() for text in page if text.is_line]
        people = bool(_PEOPLE_APPS.search(package))
        likely = [line for line in lines if may_be_name(line, rare=people)]
        if people:
            likely += _find_senders(lines)
        if people or len({*likely}) >= _LEAST_LINES:
            found.update(likely)
    return Counter(
        {name: n for name, n in found.items() if len(name) >= _SHORTEST and name not in PUBLIC_PEOPLE}
    )


def _find_senders(lines: Sequence[str]) -> Iterator[str]:
    """Names on a page of people before a message, in the description of a picture, or before a number."""
    for at, line in enumerate(lines):
        name = next((match[1] for match in (_MESSAGE.match(line), _PICTURE.fullmatch(line)) if match), "")
        name = name or next(iter(_PICTURE_OF.findall(line)), "")
        if may_be_name(name, rare=True) or (name and has_form_of_name(name)):
            yield name
        elif has_form_of_name(line):
            following = takewhile(lambda one: not has_form_of_name(one), lines[at + 1 : at + 4])
            if any(map(_NUMBER.search, following)):
                yield line


def make_roster(counts: Counter[str]) -> Roster:
    """Make a person's roster from the counts of all of the person's pages."""
    return Roster.of(name for name, _ in counts.most_common(MOST_NAMES))
