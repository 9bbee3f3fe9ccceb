"""Detect common kinds of API keys and passwords, which must not leave the machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_SECRETS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "an API key": re.compile(r"\bsk-[A-Za-z0-9_-]{16,}"),
        "a token of Hugging Face": re.compile(r"\bhf_[A-Za-z0-9]{20,}"),
        "a token of GitHub": re.compile(r"\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}"),
        "an access key of AWS": re.compile(r"\bAKIA[0-9A-Z]{16}\b"),
        "a key of Google": re.compile(r"\bAIza[0-9A-Za-z_-]{30,}"),
        "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
        "a bearer token": re.compile(r"\bBearer [A-Za-z0-9._~+/-]{16,}"),
        "a password in an address": re.compile(r"\bhttps?://[^\s/@:\"]+:[^\s/@\"]+@"),
    }
)


def secret_in(text: str) -> str | None:
    """Kind of the first secret found in a text; None without one.

    >>> secret_in("https://me:word@example.org/v1"), secret_in("sk-learn")
    ('a password in an address', None)
    """
    return next((name for name, pattern in _SECRETS.items() if pattern.search(text)), None)
