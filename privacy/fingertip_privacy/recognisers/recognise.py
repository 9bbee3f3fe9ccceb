"""All recognisers on one text, with overlapping spans resolved."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from fingertip_dataset.folded_text import fold
from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.account_ids import find_account_ids
from fingertip_privacy.recognisers.addresses import find_addresses
from fingertip_privacy.recognisers.amounts import find_amounts
from fingertip_privacy.recognisers.bank_cards import find_bank_cards
from fingertip_privacy.recognisers.emails import find_emails
from fingertip_privacy.recognisers.identity_numbers import find_identity_numbers
from fingertip_privacy.recognisers.person_names import find_names
from fingertip_privacy.recognisers.phones import find_phones
from fingertip_privacy.recognisers.plates import find_plates
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, Recogniser, TextInput
from fingertip_privacy.recognisers.secret_codes import find_secret_codes
from fingertip_privacy.recognisers.spelled_digits import read_spelled_digits

RECOGNISERS: Mapping[FindKind, Recogniser] = {
    FindKind.PHONE: find_phones,
    FindKind.RESIDENT_ID: find_identity_numbers,
    FindKind.BANK_CARD: find_bank_cards,
    FindKind.EMAIL: find_emails,
    FindKind.ADDRESS: find_addresses,
    FindKind.NAME: find_names,
    FindKind.PLATE: find_plates,
    FindKind.CODE: find_secret_codes,
    FindKind.ACCOUNT: find_account_ids,
    FindKind.AMOUNT: find_amounts,
}
"""Kind -> its recogniser; QR codes and faces are found in pixels."""

_NUMBERS = frozenset({FindKind.PHONE, FindKind.RESIDENT_ID, FindKind.BANK_CARD, FindKind.CODE})
"""Kinds whose digits may be written as words."""

_IN_TECHNICAL = frozenset({FindKind.PHONE, FindKind.RESIDENT_ID, FindKind.BANK_CARD, FindKind.EMAIL})
"""Kinds that are known by their form alone."""

LONGEST = 4_000
"""Characters of a text that are read; a longer text is read in parts of this length."""


def recognise(given: TextInput, kinds: Collection[FindKind]) -> list[RecognisedSpan]:
    """Find private parts of these kinds in a text, from left to right, without overlaps.

    The text is folded first, so that neither the kind of digit nor what stands within a number hides it.

    Args:
        given: The text.
        kinds: Kinds to look for.
    """
    if given.is_technical:
        kinds = _IN_TECHNICAL.intersection(kinds)
    folded = fold(given.text)
    plain = replace(given, text=folded.text, label=fold(given.label).text)
    spelled = read_spelled_digits(folded)
    texts = [(plain, folded, kinds)]
    if spelled is not folded:
        texts.append((replace(plain, text=spelled.text), spelled, _NUMBERS.intersection(kinds)))
    found: list[RecognisedSpan] = []
    for text, places, wanted in texts:
        for kind, recogniser in RECOGNISERS.items():
            for span in recogniser(text) if kind in wanted else ():
                start, end = places.find_span(span.start, span.end)
                found.append(replace(span, start=start, end=end))
    return resolve(found)


def resolve(found: Iterable[RecognisedSpan]) -> list[RecognisedSpan]:
    """Keep, of overlapping spans, the one with the highest confidence, and of equal ones the longest."""
    kept: list[RecognisedSpan] = []
    for span in sorted(found, key=lambda one: (-one.confidence, one.start - one.end, one.start)):
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)
