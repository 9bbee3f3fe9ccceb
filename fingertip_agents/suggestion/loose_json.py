"""Reader of JSON as models write it: other quotes, names without quotes, quotes within texts, a missing end.

Whatever is read differently from what could have been meant is an error, so that a text is never cut at a
quote within it or runs on into the next field.
"""

from __future__ import annotations

import json
import re
from typing import NoReturn

MAX_DEPTH = 20
"""Maximum depth of objects and lists."""

JSON_START = re.compile(r"""\{\s*(?:["'“‘「}]|\w+["'”]?\s*[:：])|\[\s*["'“{\[\]]""")
"""Beginning of an object or a list."""

# strict=False: models write line breaks into JSON strings
_DECODER = json.JSONDecoder(strict=False)
_CLOSERS = {'"': '"', "“": '”"', "”": '”"', "'": "'", "‘": "’'", "「": "」"}
_BLANK = re.compile(r"\s*")
_CLOSES = re.compile(r"""\s*(?:[,，;；:：}\]]|\Z)|[ \t]*\n\s*["'“]?[\w ]{1,30}["'”]?\s*[:：]""")
_NAME_WITHIN = re.compile(r"""[,，\n][ \t]*(?:["'“]\w{1,30}["'”]?|\w{1,30}["'”])\s*[:：]""")
_BARE = re.compile(r"[^,，;；:：}\]\n\"'“”]{1,500}")
_BARE_COMMA = re.compile(r"[,，;；]\s*(?P<name>\w{1,30})?(?P<colon>\s*[:：])?")
_BARE_COLON = re.compile(r"(?<=\d)[:：](?=\d\d)")
_KNOWN_NAME = re.compile(
    r"[A-Za-z_]\w*|[\u4e00-\u9fff]{0,6}(?:意图|理由|原因|依据|解释|说明|置信度|概率|可能性|应用|时间|地点|场景)"
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}
_WORDS = {"true": True, "false": False, "null": None, "none": None}


def read_loose_json(text: str, start: int) -> tuple[object, int, bool]:
    """Read the object or list that begins at a position: the value, its end, whether its end was missing.

    Raises:
        ValueError: There is none, or it could be read in two ways.

    >>> read_loose_json('{"intent": "搜索"稻香"", note: null}', 0)
    ({'intent': '搜索"稻香"', 'note': None}, 32, False)
    >>> read_loose_json("{'intent': 'Open Bob's page", 0)[::2]
    ({'intent': "Open Bob's page"}, True)
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        reader = _Reader(text, start)
        value = reader.read_value(0)
        return value, reader.position, reader.completed
    return value, end, False


class _Reader:
    """A position in a text that moves over values."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self.position = start
        self.completed = False

    def read_value(self, depth: int, *, within_object: bool = False) -> object:
        if depth > MAX_DEPTH:
            self._refuse("too deep")
        char = self._peek()
        if char == "{":
            return self._read_object(depth)
        if char == "[":
            return self._read_list(depth)
        if char in _CLOSERS:
            return self._read_text(char)
        bare = _BARE.match(self._text, self.position)
        if bare is None or not bare[0].strip():
            self._refuse("no value")
        start, self.position = self.position, bare.end()
        if 0 < depth < MAX_DEPTH and within_object:
            self._pass_bare_commas()
        word = self._text[start : self.position].strip()
        return _WORDS.get(word.casefold(), word)

    def _pass_bare_commas(self) -> None:
        """Move to the end of a value without quotes: over commas that begin no field, and clock times."""
        while True:
            if colon := _BARE_COLON.match(self._text, self.position):
                end = colon.end()
            elif (comma := _BARE_COMMA.match(self._text, self.position)) and comma["name"]:
                if comma["colon"]:
                    if not _KNOWN_NAME.fullmatch(comma["name"]):
                        # a field, or words of the value before
                        self._refuse("a comma in a text without quotes")
                    return
                end = comma.start("name")
            else:
                return
            more = _BARE.match(self._text, end)
            self.position = more.end() if more else end

    def _read_object(self, depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        self.position += 1
        while not self._meets_end("}"):
            name = str(self.read_value(MAX_DEPTH))
            if self._meets_end(""):
                break
            if self._peek() not in (":", "："):
                self._refuse("no colon")
            self.position += 1
            if self._meets_end(""):
                break
            found[name] = self.read_value(depth + 1, within_object=True)
            self._pass_comma("}")
        return found

    def _read_list(self, depth: int) -> list[object]:
        found: list[object] = []
        self.position += 1
        while not self._meets_end("]"):
            found.append(self.read_value(depth + 1))
            self._pass_comma("]")
        return found

    def _read_text(self, opened: str) -> str:
        start = position = self.position + 1
        within = 0
        while position < len(self._text):
            char = self._text[position]
            if char == "\\":
                position += 1
            elif char == opened and opened in "“‘「":
                within += 1
            elif char in _CLOSERS[opened]:
                if not within and _CLOSES.match(self._text, position + 1):
                    self.position = position + 1
                    return self._decode(self._text[start:position])
                within = max(0, within - 1)
            position += 1
        self.position, self.completed = len(self._text), True
        return self._decode(_remove_loose_ends(self._text[start:]))

    def _decode(self, text: str) -> str:
        if _NAME_WITHIN.search(text):
            # a quote is missing: the text would run on into the next field
            self._refuse("a field within a text")
        return _ESCAPE.sub(lambda one: chr(int(one[1], 16)) if one[1] else _ESCAPED.get(one[2], one[2]), text)

    def _pass_comma(self, end: str) -> None:
        char = self._peek()
        if char and char in ",，;；":
            self.position += 1
        elif char and char != end and char not in _CLOSERS:
            self._refuse("no comma")

    def _meets_end(self, end: str) -> bool:
        """Whether the object or list ends here, or the whole text does; passes its closing bracket."""
        char = self._peek()
        if not char:
            self.completed = True
            return True
        if char == end:
            self.position += 1
            return True
        return False

    def _peek(self) -> str:
        self.position = _BLANK.match(self._text, self.position).end()  # type: ignore[union-attr]
        return self._text[self.position : self.position + 1]

    def _refuse(self, reason: str) -> NoReturn:
        raise ValueError(f"{reason} at character {self.position}")


def _remove_loose_ends(text: str) -> str:
    """Remove brackets and a quote at the end of a text that were not opened in it."""
    text = text.rstrip()
    for opening, closing in ("{}", "[]", "{}", "“”"):
        surplus = text.count(closing) - text.count(opening)
        while surplus > 0 and text.endswith(closing):
            text, surplus = text.removesuffix(closing).rstrip(), surplus - 1
    return text
