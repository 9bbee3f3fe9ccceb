"""Secrets that are known by the name of their field, such as `auth_token`, wherever settings are written.

What a run records goes into bundles and onto boards. A key's form is not always known, but who names a field
`api_key` says what is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from fingertip_dataset.folded_text import fold

MASK = "***"
"""What is written in place of a secret."""

_WORDS = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*|[0-9]+")
_SECRET = frozenset(
    {"password", "passwd", "passphrase", "pwd", "secret", "secrets", "authorization", "credential", "cookie"}
    | {"credentials", "apikey", "apitoken", "authtoken", "accesstoken", "secretkey", "privatekey", "bearer"}
    | {"jwt", "密码", "口令", "密钥", "令牌"}
)
"""Words that name a secret alone."""
_OF_KEYS = frozenset(
    {"api", "access", "auth", "secret", "private", "subscription", "account", "signing", "master"}
)
"""Words before "key" that make it a secret."""
_OF_TOKENS = frozenset(
    {"eos", "bos", "pad", "unk", "sep", "cls", "mask", "stop", "special", "image", "end", "begin", "start"}
    | {"first", "last", "next", "per", "max", "min", "new", "prompt", "completion", "think", "thinking"}
    | {"vision", "video", "audio", "tool", "prefix", "suffix", "answer"}
)
"""Words before "token" that make it a part of a model's text."""
_LEAST = 4
"""Least characters of a secret: shorter texts are switches."""


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Whether the name of a field says that it holds a secret.

    >>> [is_secret_name(name) for name in ("api_key", "X-Auth-Token", "hfToken", "openai.apiKey")]
    [True, True, True, True]
    >>> [is_secret_name(name) for name in ("max_tokens", "eos_token", "key", "secretary")]
    [False, False, False, False]
    """
    folded = fold(name).text
    words = [word.lower() for word in _WORDS.findall(folded)] or [folded.strip()]
    if _SECRET.intersection(words) or folded.strip().lower() in _SECRET:
        return True
    before = dict(zip(words[1:], words, strict=False))
    if words[-1] in {"key", "keys"} and before.get(words[-1]) in _OF_KEYS:
        return True
    return words[-1] == "token" and before.get("token") not in _OF_TOKENS


def list_secret_fields(value: object, path: str = "") -> Iterator[str]:
    """Yield the path of each field of a JSON value that holds a text and is named as a secret.

    >>> list(list_secret_fields({"metadata": {"auth_token": "abcd1234"}, "eos_token": "</s>"}))
    ['metadata.auth_token']
    """
    if isinstance(value, Mapping):
        for name, part in value.items():
            below = f"{path}.{name}" if path else str(name)
            if is_secret_name(str(name)) and _holds_text(part):
                yield below
            else:
                yield from list_secret_fields(part, below)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from list_secret_fields(part, f"{path}.{number}")


def mask_secret_fields(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a JSON value with `MASK` in place of what such fields hold.

    >>> mask_secret_fields({"url": "http://a", "apiKey": ["abcd", "efgh"]})
    {'url': 'http://a', 'apiKey': '***'}
    """
    if isinstance(value, Mapping):
        return {
            name: MASK if is_secret_name(str(name)) and _holds_text(part) else mask_secret_fields(part)
            for name, part in value.items()
        }
    return [mask_secret_fields(part) for part in value] if isinstance(value, list | tuple) else value


def _holds_text(value: object) -> bool:
    """Whether a value has a text, or a long number, that may be a secret."""
    if isinstance(value, str):
        return len(value.strip()) >= _LEAST and value != MASK
    if isinstance(value, int) and not isinstance(value, bool):
        return len(str(value)) > _LEAST
    if isinstance(value, Mapping):
        return any(map(_holds_text, value.values()))
    return isinstance(value, list | tuple) and any(map(_holds_text, value))
