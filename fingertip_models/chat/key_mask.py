"""Masking of an API key in texts of a server, which may repeat it, before anything is written or printed."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from unicodedata import normalize

from fingertip_dataset.folded_text import NOT_SEEN
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.secret_fields import MASK

__all__ = ["MASK", "SHORTEST_SECRET", "KeyMask"]

SHORTEST_SECRET = 8
"""Minimum length in characters of a key that is masked; shorter ones, such as "none", are no secrets."""

_GAP = f"{NOT_SEEN}*"
"""Line breaks, spaces and invisible characters, which a server may put between the characters of a key."""


class KeyMask:
    """Replaces a key in texts: as it is, and as common encodings write it.

    Found are any mixture of plain characters with their URL, JSON and HTML escapes, in upper or lower case;
    hexadecimal; and base64, with both alphabets and at any offset within longer base64. White space and
    invisible characters within the key do not hide it, nor do full-width and other compatibility forms of its
    characters. A server that wants to hide the key can always do so: the mask is for servers that repeat what
    they were sent, not against an encoding of their own.

    Args:
        key: The key; one shorter than `SHORTEST_SECRET` masks nothing.

    >>> mask = KeyMask("sk-secret")
    >>> mask("wrong key sk-secret"), mask("sk%2Dsecret"), mask("c2stc2VjcmV0")
    ('wrong key ***', '***', '***')
    """

    def __init__(self, key: str) -> None:
        self._pattern = None
        if len(key) >= SHORTEST_SECRET:
            plain = _GAP.join(map(_make_escape_pattern, key))
            codes = [*(_make_base64_pattern(key, offset) for offset in range(3)), _spread(key.encode().hex())]
            # base64 is the only form in which the case of a letter carries information
            self._pattern = re.compile("|".join([f"(?i:{plain}|{codes.pop()})", *codes]))

    def __call__(self, text: str) -> str:
        """Return the text with the key replaced by `MASK`."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)

    def answer(self, answer: ModelAnswer) -> ModelAnswer:
        """Return an answer whose texts are masked."""
        finish = answer.finish_reason
        return replace(
            answer,
            text=self(answer.text),
            reasoning=self(answer.reasoning),
            model=self(answer.model),
            finish_reason=None if finish is None else self(finish),
        )


def _make_escape_pattern(character: str) -> str:
    """Return the pattern of an ASCII character, plain or escaped for a URL, JSON, Python or HTML."""
    code = ord(character)
    escapes = rf"%{code:02x}|\\{{1,4}}(?:u00|x){code:02x}|&\#x0{{0,6}}{code:x};|&\#0{{0,6}}{code};"
    plain = re.escape(character + _list_compatibility_forms().get(character, ""))
    return rf"(?:[{plain}]|{escapes})"


@cache
def _list_compatibility_forms() -> dict[str, str]:
    """Return for each ASCII character those that Unicode's NFKC turns into it, such as full-width ones."""
    found: dict[str, str] = {}
    for code in (
        *range(0x80, 0x2500),
        *range(0xFE10, 0xFF70),
        *range(0x1D400, 0x1D800),
        *range(0x1F130, 0x1F190),
    ):
        plain = normalize("NFKC", chr(code))
        if len(plain) == 1 and plain.isascii():
            found[plain] = found.get(plain, "") + chr(code)
    return found


def _make_base64_pattern(key: str, offset: int) -> str:
    """Return the pattern of the base64 of a key that follows `offset` bytes of something else."""
    content = key.encode()
    code = b64encode(b"\0" * offset + content).decode()
    # the first and the last character may also hold bits of the neighbours
    first = -(-offset * 8 // 6)
    last = (offset + len(content)) * 8 // 6
    return _spread(code[first:last])


def _spread(code: str) -> str:
    """Return the pattern of a code with gaps between its characters, in both alphabets of base64."""
    either = {"+": "[+-]", "/": "[/_]"}
    return _GAP.join(either.get(character, re.escape(character)) for character in code)
