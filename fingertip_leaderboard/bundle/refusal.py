"""Why a bundle is refused: one thing that is wrong, where it is, and of what kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from fingertip_dataset.release.problems import printable

REASON_LENGTH = 400
"""Characters; what a bundle says is cut, for it may be long."""

MOST = 1_000
"""Refusals that are kept of one bundle; the rest is counted."""


class RefusalKind(StrEnum):
    """What can be wrong."""

    NO_BUNDLE = "no_bundle"
    BROKEN_ZIP = "broken_zip"
    ENCRYPTED = "encrypted"
    PATH_TRICK = "path_trick"
    BAD_NAME = "bad_name"
    LINK = "link"
    SPECIAL_FILE = "special_file"
    CASE_COLLISION = "case_collision"
    DUPLICATE_ENTRY = "duplicate_entry"
    UNKNOWN_FILE = "unknown_file"
    TOO_MANY_FILES = "too_many_files"
    TOO_LARGE = "too_large"
    ZIP_BOMB = "zip_bomb"
    NESTED_ARCHIVE = "nested_archive"
    NO_PICTURE = "no_picture"
    MISSING_FILE = "missing_file"
    UNLISTED_FILE = "unlisted_file"
    HASH_MISMATCH = "hash_mismatch"
    ENCODING = "encoding"
    BROKEN_JSON = "broken_json"
    DUPLICATE_KEY = "duplicate_key"
    JSON_BOMB = "json_bomb"
    NOT_FINITE = "not_finite"
    NEWER_VERSION = "newer_version"
    OLDER_VERSION = "older_version"
    OUT_OF_RANGE = "out_of_range"
    SCHEMA = "schema"
    CONTRADICTION = "contradiction"
    CONFUSABLE = "confusable"
    SECRET = "secret"  # noqa: S105 - a kind of refusal
    OTHER_DATA = "other_data"
    NOT_A_TEST = "not_a_test"
    MISSING_TASK = "missing_task"
    UNKNOWN_TASK = "unknown_task"
    DUPLICATE_TASK = "duplicate_task"
    TARGET_LEAKED = "target_leaked"
    WRONG_REFERENCE = "wrong_reference"
    IMPOSSIBLE_HISTORY = "impossible_history"
    BAD_TIME = "bad_time"
    FUTURE_TIME = "future_time"
    IMPOSSIBLE_TOKENS = "impossible_tokens"
    IMPOSSIBLE_STEPS = "impossible_steps"
    WRONG_OUTCOME = "wrong_outcome"
    WRONG_SUCCESS = "wrong_success"
    MISSING_OUTPUT = "missing_output"
    WRONG_READING = "wrong_reading"
    WRONG_LABEL = "wrong_label"
    WRONG_VERDICT = "wrong_verdict"
    WRONG_SCORE = "wrong_score"
    COPIED_RUN = "copied_run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One thing that is wrong with a bundle.

    Attributes:
        kind: Of what kind.
        reason: One line, "expected X, got Y"; safe to print.
        file: Within the bundle, or the bundle itself; safe to print.
        line: Of that file, counted from 1; None where it is of the whole file.
    """

    kind: RefusalKind
    reason: str
    file: str
    line: int | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason} [{self.kind}]"


@dataclass(slots=True)
class Refusals:
    """What is found while a bundle is looked through.

    Attributes:
        refusals: Why it is refused, at most `MOST`.
        more: Further ones, which are not kept.
        remarks: What a reader must know, and no reason to refuse it.
    """

    refusals: list[Refusal] = field(default_factory=list)
    more: int = 0
    remarks: list[str] = field(default_factory=list)

    def refuse(self, kind: RefusalKind, reason: str, file: str, line: int | None = None) -> None:
        """Adds a refusal; what it says of the bundle is made safe to print."""
        if len(self.refusals) >= MOST:
            self.more += 1
            return
        text = " ".join(printable(reason, REASON_LENGTH).split())
        self.refusals.append(Refusal(kind=kind, reason=text, file=printable(file, 200), line=line))

    def remark(self, text: str) -> None:
        """Adds a remark."""
        self.remarks.append(printable(text, REASON_LENGTH))
