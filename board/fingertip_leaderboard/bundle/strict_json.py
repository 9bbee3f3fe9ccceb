"""Strict parsing of untrusted JSON: bounded size and depth, unique names, finite numbers, and a schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals

MOST_DEPTH = 40
"""Maximum nesting of arrays and objects."""

MOST_DIGITS = 40
"""Maximum characters of a number."""

LONGEST_LINE = 16 << 20
"""Maximum bytes of a line."""

MOST_LINES = 100_000
"""Maximum lines of a file."""

MOST_VALUES = 400_000
"""Maximum values of a line or of bundle.json, each a number, a text, a name, an array or an object."""

AnyModel = TypeVar("AnyModel", bound=BaseModel)

# strings whole, because brackets and commas in them have no meaning; possessive, and a match even without an
# end: otherwise each quote would be tried again up to the end of the line
# without possessive groups: Python 3.11.0 to 3.11.4 let them match too little
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*["\\]?|[][{},:]', re.DOTALL)
_OUT_OF_RANGE = ("greater_than", "less_than", "finite_number", "too_long", "too_short", "string_too")
"""Beginnings of pydantic's error types for a value of the right type that is out of bounds."""


class _Refused(ValueError):
    def __init__(self, kind: RefusalKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def read_record(
    model: type[AnyModel] | Mapping[str, type[AnyModel]],
    content: bytes,
    found: Refusals,
    file: str,
    line: int | None = None,
) -> AnyModel | None:
    """Parse a record from its JSON; None if it is invalid.

    Args:
        model: Class of the record, or value of its field `kind` -> class; types are not converted.
        content: One JSON object.
        found: Collects the refusals.
        file: Name of the file within the bundle.
        line: Line number, counted from 1; None if the record is the whole file.
    """
    try:
        plain = _parse_object(content)
        model = model if isinstance(model, type) else _choose_kind(model, plain)
        _check_version(model, plain)
        # from the bytes again: in JSON mode pydantic accepts arrays as tuples, even if strict
        return model.model_validate_json(content, strict=True)
    except _Refused as error:
        found.refuse(error.kind, str(error), file, line)
    except ValidationError as error:
        for wrong in error.errors(include_url=False, include_input=False)[:5]:
            place = ".".join(map(str, wrong["loc"]))
            kind = RefusalKind.OUT_OF_RANGE if wrong["type"].startswith(_OUT_OF_RANGE) else RefusalKind.SCHEMA
            found.refuse(
                kind, f"expected a {error.title}, got at {place or 'its top'}: {wrong['msg']}", file, line
            )
    return None


def read_records(
    model: type[AnyModel] | Mapping[str, type[AnyModel]], content: bytes, found: Refusals, file: str
) -> Iterator[tuple[int, AnyModel]]:
    """Parse JSON lines: (line number from 1, record). An invalid line is refused and left out."""
    if content and not content.endswith(b"\n"):
        found.refuse(RefusalKind.BROKEN_JSON, "the last line is cut off: it has no line end", file)
    # counted before any line is copied or parsed
    count = content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
    if count > MOST_LINES:
        found.refuse(RefusalKind.TOO_LARGE, f"expected at most {MOST_LINES:,} lines, got {count:,}", file)
        return
    for number, line in number_lines(content):
        record = read_record(model, line, found, file, number)
        if record is not None:
            yield number, record


def number_lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Iterate over the lines of a file, each with its number from 1 and without its line end."""
    start, number = 0, 1
    while start < len(content):
        # not splitlines, which also splits at other separators
        end = content.find(b"\n", start)
        end = len(content) if end < 0 else end
        yield number, content[start:end]
        start, number = end + 1, number + 1


def _choose_kind(models: Mapping[str, type[AnyModel]], plain: dict[str, Any]) -> type[AnyModel]:
    kind = plain.get("kind")
    if not isinstance(kind, str) or kind not in models:
        raise _Refused(RefusalKind.SCHEMA, f"expected a line of kind {' or '.join(models)}, got {kind!r:.60}")
    return models[kind]


def _check_version(model: type[BaseModel], plain: dict[str, Any]) -> None:
    latest, version = getattr(model, "LATEST", None), plain.get("version")
    if type(latest) is not int or type(version) is not int:
        return
    if version > latest:
        raise _Refused(RefusalKind.NEWER_VERSION, f"expected version {latest}, got {version}")
    remedy = getattr(model, "OUTDATED", None)
    if version < latest and remedy is not None:
        raise _Refused(RefusalKind.OLDER_VERSION, f"expected version {latest}, got {version}: {remedy}")


def _parse_object(content: bytes) -> dict[str, Any]:
    """Parse a JSON object, refusing oversized, ambiguous or malformed input."""
    if len(content) > LONGEST_LINE:
        raise _Refused(
            RefusalKind.TOO_LARGE, f"expected at most {LONGEST_LINE:,} bytes, got {len(content):,}"
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Refused(RefusalKind.ENCODING, f"expected UTF-8, got another byte at {error.start}") from None
    if text.startswith("\ufeff"):
        raise _Refused(RefusalKind.ENCODING, "the file begins with a byte order mark")
    # \ud800 to \udfff are the only escapes of surrogates: others need no second parsing
    if "\\ud" in text.lower() and _has_half_pair(text):
        raise _Refused(RefusalKind.ENCODING, "a text contains half of a surrogate pair")
    # before json.loads, which recurses once a level and makes an object of each value
    _check_structure(content)
    try:
        found = json.loads(
            text,
            object_pairs_hook=_refuse_repeated_names,
            parse_constant=_refuse_not_finite,
            parse_float=_parse_float,
            parse_int=_parse_int,
        )
    except _Refused:
        raise
    except (ValueError, RecursionError) as error:
        raise _Refused(RefusalKind.BROKEN_JSON, f"expected JSON, got: {error}") from None
    if not isinstance(found, dict):
        raise _Refused(RefusalKind.SCHEMA, f"expected a JSON object, got {type(found).__name__}")
    return found


def _has_half_pair(text: str) -> bool:
    try:
        json.dumps(json.loads(text), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        return False  # `json.loads` in the caller refuses it as broken JSON
    return False


def _check_structure(content: bytes) -> None:
    """Refuse too many values and too deep ones, in time and memory in proportion to the content's length."""
    values, depth = 1, 0
    for token in _TOKEN.finditer(content):
        first = content[token.start()]
        if first in b"[{":
            depth += 1
        elif first in b"]}":
            depth -= 1
        # before each value but the first stands one of these, and one more behind each name
        values += first in b"[{,:"
        if depth > MOST_DEPTH:
            raise _Refused(RefusalKind.JSON_BOMB, f"expected at most {MOST_DEPTH} levels, got more")
        if values > MOST_VALUES:
            raise _Refused(RefusalKind.JSON_BOMB, f"expected at most {MOST_VALUES:,} values, got more")


def _refuse_repeated_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        # other parsers may take the first value, so what was verified would depend on the reader
        if name in found:
            raise _Refused(RefusalKind.DUPLICATE_KEY, f"the name {name[:60]!r} occurs twice")
        found[name] = value
    return found


def _refuse_not_finite(word: str) -> NoReturn:
    raise _Refused(RefusalKind.NOT_FINITE, f"expected a finite number, got {word}")


def _parse_float(digits: str) -> float:
    if len(digits) > MOST_DIGITS:
        raise _Refused(
            RefusalKind.JSON_BOMB, f"expected a number of at most {MOST_DIGITS} digits, got {len(digits)}"
        )
    number = float(digits)
    if not isfinite(number):
        _refuse_not_finite(digits)
    return number


def _parse_int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _Refused(
            RefusalKind.JSON_BOMB, f"expected a number of at most {MOST_DIGITS} digits, got {len(digits)}"
        )
    return int(digits)
