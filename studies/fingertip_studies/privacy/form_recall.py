"""Recall of the recognisers by the form in which a number is written, and precision on harmless texts.

Numbers are drawn anew and stand in a short sentence without a word for them; a find counts if it has all of
the number's digits.

    python -m fingertip_studies.privacy.form_recall [--numbers N] [--seed N]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping

from fingertip_privacy.finds import FindKind
from fingertip_privacy.planted.planted_rows import RowSource
from fingertip_privacy.planted.written_forms import FORMS, WrittenForm
from fingertip_privacy.recognisers.bank_cards import luhn
from fingertip_privacy.recognisers.identity_numbers import check_digit
from fingertip_privacy.recognisers.recognise import recognise
from fingertip_privacy.recognisers.recognised_span import TextInput
from fingertip_privacy.redaction.value_spellings import SecretValue

KINDS = frozenset({FindKind.PHONE, FindKind.RESIDENT_ID, FindKind.BANK_CARD})
LEAST = 0.5


def _draw_phone(random: random.Random) -> str:
    return f"1{random.choice('3456789')}{random.randrange(10**9):09d}"


def _draw_identity(random: random.Random) -> str:
    digits = (
        f"{random.choice((110101, 310104, 440306, 510107))}{random.randrange(1950, 2010)}"
        f"{random.randrange(1, 13):02d}{random.randrange(1, 29):02d}{random.randrange(1000):03d}"
    )
    return digits + check_digit(digits)


def _draw_card(random: random.Random) -> str:
    digits = f"62{random.randrange(10**16):016d}"
    return next(f"{digits}{last}" for last in range(10) if luhn(f"{digits}{last}"))


DRAWS: Mapping[FindKind, Callable[[random.Random], str]] = {
    FindKind.PHONE: _draw_phone,
    FindKind.RESIDENT_ID: _draw_identity,
    FindKind.BANK_CARD: _draw_card,
}


def is_found(kind: FindKind, number: str, written: str) -> bool:
    """Whether a number is found whole in a sentence."""
    text = f"我的是 {written} 。"
    core = SecretValue.of(kind, number).core
    return any(
        span.kind is kind
        and span.confidence >= LEAST
        and SecretValue.of(kind, text[span.start : span.end]).core == core
        for span in recognise(TextInput(text=text, is_line=False), KINDS)
    )


def measure_form(form: WrittenForm, kind: FindKind, numbers: int, seed: int) -> tuple[int, int]:
    """Return how many numbers are found, and how many are written in the form."""
    rng = random.Random(f"{seed} {kind.value}")  # noqa: S311 - invented numbers
    drawn = [DRAWS[kind](rng) for _ in range(numbers)]
    written = [(number, text) for number in drawn if (text := form.write(number)) is not None]
    return sum(is_found(kind, number, text) for number, text in written), len(written)


def count_false_finds(texts: int, seed: int) -> tuple[int, int]:
    """Return how many harmless texts have a find of these kinds, and how many there are."""
    rows = [row for language in ("zh", "en") for row in (RowSource(language, seed),)]
    drawn = [source.draw_harmless().text for source in rows for _ in range(texts // 2)]
    wrong = [
        text
        for text in drawn
        if any(span.confidence >= LEAST for span in recognise(TextInput(text=text), KINDS))
    ]
    return len(wrong), len(drawn)


def main() -> None:
    """Prints a table of the forms, and the finds in harmless texts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--numbers", type=int, default=200)
    parser.add_argument("--seed", type=int, default=31)
    given = parser.parse_args()
    print("| form | " + " | ".join(kind.value for kind in DRAWS) + " |\n|---|" + "---:|" * len(DRAWS))
    for form in FORMS:
        cells = []
        for kind in DRAWS:
            found, written = measure_form(form, kind, given.numbers, given.seed)
            cells.append(f"{found} of {written}" if written else "")
        print(f"| {form.name} | {' | '.join(cells)} |")
    wrong, texts = count_false_finds(2 * given.numbers, given.seed)
    print(f"\n{wrong} of {texts} harmless texts have a find of these kinds")


if __name__ == "__main__":
    main()
