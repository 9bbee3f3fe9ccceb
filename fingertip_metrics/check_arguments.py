"""Argument checks that every metric makes before it computes anything."""

from __future__ import annotations

from collections.abc import Sequence

from fingertip_dataset.errors import MetricInputError, UsageError


def check_texts(name: str, texts: object, *, none: bool = False) -> None:
    """Check that `texts` is a list of strings that UTF-8 can encode.

    Args:
        name: Name of the argument, for the error message.
        texts: One text per row.
        none: Whether None is allowed, for "no text".

    Raises:
        MetricInputError: It is not; the message names the first wrong row, counted from 0.

    >>> check_texts("predictions", ["打开微信", 5])
    Traceback (most recent call last):
    fingertip_dataset.errors.MetricInputError: expected predictions[1] to be a string, got int
    """
    for row, text in enumerate(_rows(name, texts, "strings")):
        if none and text is None:
            continue
        if not isinstance(text, str):
            raise MetricInputError(f"expected {name}[{row}] to be a string, got {type(text).__name__}")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise MetricInputError(
                f"expected {name}[{row}] to be Unicode text, got half a surrogate pair at {error.start}"
            ) from None


def check_sequences(name: str, sequences: object, *, empty: bool) -> None:
    """Check that `sequences` is a list of lists of strings.

    Args:
        name: Name of the argument, for the error message.
        sequences: One list of action strings per episode.
        empty: Whether a list without an action is allowed.

    Raises:
        MetricInputError: It is not; the message names the first wrong row and the action in it, from 0.
    """
    for row, sequence in enumerate(_rows(name, sequences, "lists of action strings")):
        check_texts(f"{name}[{row}]", sequence)
        if not sequence and not empty:
            raise MetricInputError(f"expected at least one action in {name}[{row}], got none")


def check_booleans(name: str, values: object, *, none: bool = False) -> None:
    """Check that `values` is a list of booleans; 1 and "True" are refused.

    Args:
        name: Name of the argument, for the error message.
        values: One value per episode.
        none: Whether None is allowed, for "not decided".

    Raises:
        MetricInputError: It is not; the message names the first wrong row, counted from 0.
    """
    for row, value in enumerate(_rows(name, values, "booleans")):
        if not (isinstance(value, bool) or (none and value is None)):
            wanted = "True, False or None" if none else "True or False"
            raise MetricInputError(f"expected {name}[{row}] to be {wanted}, got {value!r:.60}")


def check_lengths(**columns: Sequence[object]) -> None:
    """Check that there is at least one row, and that all columns have equal lengths.

    Raises:
        MetricInputError: No row, or unequal lengths.
    """
    (first, rows), *others = columns.items()
    for name, column in others:
        if len(column) != len(rows):
            raise MetricInputError(f"expected as many {name} as {first} ({len(rows)}), got {len(column)}")
    if not rows:
        raise MetricInputError(f"expected at least one row in {first}, got none")


def check_intents(predictions: Sequence[str], references: Sequence[str]) -> None:
    """Check that the agent's and the people's intents are texts, one of each per episode.

    Raises:
        MetricInputError: They are not, or there is no episode.
    """
    check_texts("predictions", predictions)
    check_texts("references", references)
    check_lengths(predictions=predictions, references=references)


def _rows(name: str, values: object, kind: str) -> Sequence[object]:
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise MetricInputError(f"expected {name} to be a list of {kind}, got {type(values).__name__}")
    return values


def check_bootstrap(resamples: int, confidence: float) -> None:
    """Refuse invalid settings of a bootstrap.

    Raises:
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.
    """
    if resamples < 1 or not 0 < confidence < 1:
        raise UsageError(
            f"expected 1 resample or more and a confidence between 0 and 1, got {resamples} and {confidence}"
        )
