"""survey_result.json: the user's statement about one episode."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.extra_fields import ExtraField
from fingertip_dataset.release.origins import DataOrigin, get_licence, read_licence, read_origin
from fingertip_dataset.release.provenance import StatedProvenance, read_provenance
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.spelling import normalize_text, plain_key

SURVEY_FILE = "survey_result.json"

KNOWN_FIELDS = frozenset(
    {"userid", "time", "scenario", "app", "intentdescription", "provenance", "origin", "licence", "license"}
    | {"simulation"}
)
"""Names of the known fields, normalized by `plain_key`; "simulation" becomes simulations.jsonl."""

_KINDS = {int: "a number", float: "a number", bool: "true or false", list: "a list", dict: "an object"}
"""Type of a JSON value -> how messages name it."""

MAX_SURVEY_BYTES = 256 * 2**10
"""Maximum size of a survey; those of the release have about 200 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Fields of a survey as written; "" if one is missing or not text.

    Attributes:
        provenance: Kind of the recording; the public release does not state it.
        unknown_licence: A licence that is stated and not known; "" without one.
        origin: Origin and licence, if stated.
        mended: Whether bytes that are not UTF-8 were replaced.
        extra: Fields that this version does not know.
    """

    user_id: str
    time: str
    scenario: str
    app: str
    text: str
    provenance: StatedProvenance
    unknown_licence: str
    origin: DataOrigin
    mended: bool
    extra: tuple[ExtraField, ...] = ()


def read_survey(path: str) -> Survey:
    """Read a survey.

    Raises:
        ReleaseError: The file cannot be read, or is not one JSON object.
    """
    data = read_file(path, MAX_SURVEY_BYTES)
    text = data.decode("utf-8-sig", "replace")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"expected a JSON object, got {describe_json_fault(error)}") from error
    if not isinstance(fields, dict):
        raise ReleaseError(f"expected a JSON object, got {type(fields).__name__}")
    values = {plain_key(name): _read_text(value) for name, value in fields.items()}
    intent = next((value for name, value in fields.items() if plain_key(name) == "intentdescription"), "")
    if not isinstance(intent, str):
        got = _KINDS.get(type(intent), "null")
        raise ReleaseError(f"expected a sentence in intentDescription, got {got}")
    plain = {name: normalize_text(value) for name, value in values.items()}
    mended = plain != values or ("\ufffd" in text and "\ufffd".encode() not in data)
    provenance = read_provenance({plain_key(name): value for name, value in fields.items()})
    return _survey(plain, provenance, mended=mended, extra=tuple(_list_extra(fields)))


def describe_json_fault(error: ValueError | RecursionError) -> str:
    """Describe a JSON error without quoting the text."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.lower()} at column {error.colno}"
    return "brackets too deep" if isinstance(error, RecursionError) else "a number too long"


def _read_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _list_extra(fields: Mapping[str, object]) -> Iterator[ExtraField]:
    for name, value in fields.items():
        if plain_key(name) not in KNOWN_FIELDS and value not in (None, ""):
            text = value if isinstance(value, str) else _write_json(value)
            yield ExtraField(source=SURVEY_FILE, name=normalize_text(name), value=normalize_text(text))


def _write_json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError as error:
        raise ReleaseError(f"expected a JSON object, got {describe_json_fault(error)}") from error


def _survey(
    fields: Mapping[str, str],
    provenance: StatedProvenance,
    *,
    mended: bool,
    extra: tuple[ExtraField, ...],
) -> Survey:
    licence = get_licence(fields)
    return Survey(
        user_id=fields.get("userid", ""),
        time=fields.get("time", ""),
        scenario=fields.get("scenario", ""),
        app=fields.get("app", ""),
        text=fields.get("intentdescription", ""),
        provenance=provenance,
        unknown_licence="" if read_licence(licence) else licence,
        origin=read_origin(fields),
        mended=mended,
        extra=extra,
    )
