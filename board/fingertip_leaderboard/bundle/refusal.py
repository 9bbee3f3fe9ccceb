"""Refusals of a bundle: each problem with its place and its kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.bundle.bundle_files import BUNDLE

REASON_LENGTH = 400
"""Maximum characters of a reason; quoted parts of a bundle may be long."""

MOST = 1_000
"""Maximum number of refusals kept per bundle; further ones are only counted."""


class RefusalKind(StrEnum):
    """Kinds of problems of a bundle."""

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
    WRONG_STATE = "wrong_state"
    WRONG_REPLY = "wrong_reply"
    WRONG_INPUT = "wrong_input"
    WRONG_SUCCESS = "wrong_success"
    MISSING_OUTPUT = "missing_output"
    WRONG_READING = "wrong_reading"
    WRONG_LABEL = "wrong_label"
    WRONG_VERDICT = "wrong_verdict"
    WRONG_SCORE = "wrong_score"
    COPIED_RUN = "copied_run"
    OVER_TIME = "over_time"
    OVER_MEMORY = "over_memory"
    NO_EMBEDDER = "no_embedder"
    """The verifier, not the bundle, lacks what it takes to score it."""
    CHECK_FAILED = "check_failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A problem of a bundle.

    Attributes:
        kind: Kind of the problem.
        reason: Reason in one line, "expected X, got Y"; safe to print.
        file: Name of the file within the bundle, or path of the bundle; safe to print.
        line: Line of that file, counted from 1; None for the whole file.
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
    """Collected findings of a bundle's checks.

    Attributes:
        refusals: Reasons for a refusal, at most `MOST`.
        more: Number of further refusals, which are not kept.
        remarks: Notes for readers that are not a reason to refuse the bundle.
        folder: Folder of the try that is checked; "" for the files of the bundle itself.
    """

    refusals: list[Refusal] = field(default_factory=list)
    more: int = 0
    remarks: list[str] = field(default_factory=list)
    folder: str = ""

    def move_to(self, folder: str) -> None:
        """Let the names of further findings be those of files in the folder of a try."""
        self.folder = folder

    def refuse(self, kind: RefusalKind, reason: str, file: str, line: int | None = None) -> None:
        """Add a refusal; quoted parts of the bundle are made safe to print."""
        if len(self.refusals) >= MOST:
            self.more += 1
            return
        if self.folder and line is None and file == BUNDLE:
            reason = f"{self.folder}: {reason}"
        elif self.folder:
            file = f"{self.folder}/{file}"
        text = " ".join(printable(reason, REASON_LENGTH).split())
        self.refusals.append(Refusal(kind=kind, reason=text, file=printable(file, 200), line=line))

    def remark(self, text: str) -> None:
        """Add a remark."""
        words = f"{self.folder}: {text}" if self.folder else text
        self.remarks.append(printable(words, REASON_LENGTH))
