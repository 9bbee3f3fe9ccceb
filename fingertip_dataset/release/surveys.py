"""survey_result.json: what the person wrote down about one episode."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.origins import DataOrigin, read_origin
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.spelling import plain_key, plain_text

SURVEY_FILE = "survey_result.json"

MAX_SURVEY_BYTES = 256 * 2**10
"""The surveys of the release have some 200 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The fields of a survey as written; "" where one is missing or is no text.

    Attributes:
        provenance: Where the recording comes from, if it says so: the public release does not.
        origin: The same in words, and under which licence, if it says so.
        mended: Whether text that is no UTF-8 was replaced.
    """

    user_id: str
    time: str
    scenario: str
    app: str
    text: str
    provenance: str
    origin: DataOrigin
    mended: bool


def read_survey(path: str) -> Survey:
    """The survey in a file.

    Raises:
        ReleaseError: The file cannot be read, or is not one JSON object.
    """
    data = read_file(path, MAX_SURVEY_BYTES)
    text = data.decode("utf-8-sig", "replace")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"expected a JSON object, got {json_fault(error)}") from error
    if not isinstance(fields, dict):
        raise ReleaseError(f"expected a JSON object, got {type(fields).__name__}")
    answers = {plain_key(name): _as_text(value) for name, value in fields.items()}
    plain = {name: plain_text(value) for name, value in answers.items()}
    return _survey(plain, mended=plain != answers or ("\ufffd" in text and "\ufffd".encode() not in data))


def json_fault(error: ValueError | RecursionError) -> str:
    """Why a text is no JSON, in a few words that hold nothing of the text."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.lower()} at column {error.colno}"
    return "brackets too deep" if isinstance(error, RecursionError) else "a number too long"


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _survey(answers: Mapping[str, str], *, mended: bool) -> Survey:
    return Survey(
        user_id=answers.get("userid", ""),
        time=answers.get("time", ""),
        scenario=answers.get("scenario", ""),
        app=answers.get("app", ""),
        text=answers.get("intentdescription", ""),
        provenance=answers.get("provenance", ""),
        origin=read_origin(answers),
        mended=mended,
    )
