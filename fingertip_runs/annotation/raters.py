"""Names of raters."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus

from fingertip_dataset.errors import UsageError
from fingertip_runs.annotation.page_server import HttpRefusal

RULE = "rule"
"""Rater name of the simulated phone's rule in agreement figures."""


def rater_name(text: str) -> str:
    """The stored form of a person's name: no outer spaces, one space between words.

    Raises:
        UsageError: The name is empty, over 60 characters, not printable, or reserved for a judge or the rule.

    >>> rater_name(" 王 芳 ")
    '王 芳'
    """
    name = " ".join(text.split())
    if not 1 <= len(name) <= 60 or not name.isprintable():
        raise UsageError("a rater's name has 1 to 60 printable characters")
    if name == RULE or name.startswith("judge:"):
        raise UsageError(f"expected a person's name, got {name}, which stands for no person")
    return name


def check_rater(given_name: str, expected: Collection[str] = ()) -> str:
    """The rater of a request, by the stored form of the name.

    Args:
        given_name: Name that the page sends.
        expected: The only raters of this session; empty if anybody may label.

    Raises:
        HttpRefusal: The session is for other raters.
        UsageError: It is not a person's name.
    """
    name = rater_name(given_name)
    if expected and name not in expected:
        raise HttpRefusal(
            HTTPStatus.FORBIDDEN, f"this session is for {' or '.join(expected)}, not for {name}"
        )
    return name
