"""Detect common kinds of API keys and passwords, which must not leave the machine."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from fingertip_dataset.release.problems import printable
from fingertip_models.secret_fields import is_secret_name, list_secret_fields

_NOT_BEFORE = "(?<![A-Za-z0-9_-])"
"""No letter of a word before: not a word boundary, which a Chinese character before a key would hide."""

_NUMBERED = "(?=[A-Za-z0-9_.-]{0,200}[0-9])"
"""A digit within, which words that are joined by hyphens do not have; the limit keeps the search linear."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """A kind of secret: its name, words of which each of its secrets has one, and its pattern."""

    name: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]


def _kind(name: str, words: str, pattern: str) -> _Kind:
    return _Kind(name=name, words=tuple(words.split("|")), pattern=re.compile(pattern))


_KINDS = (
    _kind("an API key", "sk-", rf"{_NOT_BEFORE}sk-{_NUMBERED}[A-Za-z0-9_-]{{16,}}"),
    _kind("an API key", "sk_live_|rk_live_", rf"{_NOT_BEFORE}[sr]k_live_[A-Za-z0-9]{{16,}}"),
    _kind("a token of Hugging Face", "hf_", rf"{_NOT_BEFORE}hf_[A-Za-z0-9]{{20,}}"),
    _kind("a token of GitHub", "gh", rf"{_NOT_BEFORE}(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{{20,}}"),
    _kind("a token of GitLab", "glpat-", rf"{_NOT_BEFORE}glpat-[A-Za-z0-9_-]{{20,}}"),
    _kind("a token of Slack", "xox", rf"{_NOT_BEFORE}xox[abeprs]-{_NUMBERED}[A-Za-z0-9-]{{16,}}"),
    _kind("an access key of AWS", "AKIA|ASIA", rf"{_NOT_BEFORE}A[KS]IA[0-9A-Z]{{16}}(?![0-9A-Za-z])"),
    _kind("a key of Google", "AIza", rf"{_NOT_BEFORE}AIza[0-9A-Za-z_-]{{30,}}"),
    _kind("a web token", "eyJ", rf"{_NOT_BEFORE}eyJ[A-Za-z0-9_-]{{16,}}(?:\.[A-Za-z0-9_-]{{16,}}){{2}}"),
    _kind("a private key", "PRIVATE KEY", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    _kind("a bearer token", "Bearer ", rf"{_NOT_BEFORE}Bearer (?=[^\s]*[0-9])[A-Za-z0-9._~+/-]{{16,}}"),
    _kind("a password in an address", "://", r"(?<![A-Za-z0-9])https?://[^\s/@:\"]+:[^\s/@\"]+@"),
)

_SPLIT = re.compile(
    "[\\u00ad\\u034f\\ufe00-\\ufe0f\\u200b-\\u200f\\u2060\\ufeff\\r\\n]|\\\\[rn]|\\\\?[\"']\\s?\\+\\s?\\\\?[\"']"
)
"""What a secret may be cut by without looking cut: invisible characters, line ends, a sum of two strings."""

_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_ZEROS = re.compile("&#0+(?=[0-9])")
_NO_CHARACTER = re.compile("&#[0-9]{8,};?")
"""A number in XML that is no character's; `html.unescape` fails on one of thousands of digits."""

_NAME = re.compile(r'"((?:[^"\\\\]|\\\\.){1,80})"\s*:')
"""Name of a field, as JSON writes it."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}")


def find_secret(text: str) -> str | None:
    """Return the kind of the first secret in a text, or None if it holds no secret.

    Also found are secrets as URLs, JSON, XML and Base64 write them, and ones cut by line ends.

    >>> find_secret("https://me:word@example.org/v1"), find_secret("sk-learn")
    ('a password in an address', None)
    >>> find_secret("aHR0cHM6Ly9tZTp3b3JkQGV4YW1wbGUub3JnL3Yx")
    'a password in an address'
    """
    return next((name for form in _list_forms(text) if (name := find_plain_secret(form)) is not None), None)


def find_secret_of_json(text: str) -> str | None:
    """Return the kind of the first secret in a JSON text, by its form or by the name of its field.

    >>> find_secret_of_json('{"metadata": {"auth_token": "abcd1234"}}')
    'a secret by the name of its field (metadata.auth_token)'
    """
    found = find_secret(text)
    if found is not None or not any(map(is_secret_name, _NAME.findall(text))):
        return found
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        # refused anyway
        return None
    field = next(list_secret_fields(fields), None)
    return field and f"a secret by the name of its field ({printable(field)[:80]})"


def find_plain_secret(text: str) -> str | None:
    """Return the kind of the first secret that is in a text as it is, or None."""
    for kind in _KINDS:
        # the words are found many times faster than the pattern
        if any(word in text for word in kind.words) and kind.pattern.search(text):
            return kind.name
    return None


def _list_forms(text: str) -> Iterator[str]:
    """The text as it is and decoded, each form only if it can differ."""
    yield text
    if "\\u" in text:
        yield _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    if "%" in text:
        yield unquote(text, errors="replace")
    if "&" in text:
        yield html.unescape(_NO_CHARACTER.sub("\ufffd", _ZEROS.sub("&#", text)))
    joined = _SPLIT.sub("", text)
    if joined != text:
        yield joined
    yield from _decode_forms(joined)


def _decode_forms(text: str) -> Iterator[str]:
    """Decode the Base64 in a text, as far as it is text."""
    for found in _BASE64.finditer(text):
        token = found[0].replace("-", "+").replace("_", "/")
        # whole groups of four characters: what is missing at the end is at most three bytes
        token = token[: len(token) // 4 * 4]
        try:
            content = base64.b64decode(token)
        except binascii.Error:
            continue
        # bytes of a picture are no text, and would only be searched in vain
        if content.isascii():
            yield content.decode("ascii")
