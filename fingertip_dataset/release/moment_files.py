"""Moments of a simulated release: moments.jsonl in a person's folder, with a screen of each in moments/.

The first line states the version and the person's patience, each other line one moment. A moment with an
intent names its episode, so that the intent is written in one place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta, tzinfo
from pathlib import Path
from typing import ClassVar

from pydantic import Field, ValidationError

from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.frozen_model import FrozenModel, OmitDefaults, describe_fault
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import RawFolder, read_file
from fingertip_dataset.release.user_folders import MOMENTS_FILE, MOMENTS_FOLDER, UserFolder
from fingertip_dataset.tasks.moments import (
    INTENT,
    MOMENTS_VERSION,
    Condition,
    DriftDate,
    MomentKind,
    MomentOdds,
)
from fingertip_dataset.times import find_offset, parse_time

MAX_MOMENTS_BYTES = 16 * 2**20
"""Maximum size of the file: some 100,000 moments."""

LEAD = timedelta(minutes=1)
"""Longest time from the look at a phone to the episode that follows."""

SLACK = timedelta(days=31)
"""How far before the first episode of a person, and behind the last one, a look may lie."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class MomentsHead(OmitDefaults):
    """First line of moments.jsonl.

    Attributes:
        version: Version of the moments; see `MOMENTS_VERSION`.
        patience: Number of wrong suggestions that the person answers in a day.
        drifts: Dates, YYYY-MM-DD, on which a habit of the person takes the place of another.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"drifts"})

    version: str
    patience: int = Field(ge=1)
    drifts: tuple[DriftDate, ...] = ()


class MomentLine(FrozenModel):
    """Line of moments.jsonl.

    Attributes:
        time: YYYYMMDD_HHMMSS, local time; the name of its screen's files.
        scenario: The person's place.
        kind: Kind of the moment.
        condition: What a false routine is missing; None for another kind.
        episode: Time of the episode that follows, as its folder is named; None where nothing is wanted.
        wanted: Probability that something is wanted, see `MomentOdds`.
        right: Probability that the likeliest intent is the right one, see `MomentOdds`.
    """

    time: str
    scenario: str
    kind: MomentKind
    condition: Condition | None = None
    episode: str | None = None
    wanted: float = Field(ge=0, le=1)
    right: float = Field(ge=0, le=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A look at the phone.

    Attributes:
        at: User, time and place, as an intent without app, text and category.
        kind: Kind of the moment.
        condition: What a false routine is missing; None for another kind.
        intent: The intent of the episode that follows; None where nothing is wanted.
        odds: What the program knows that drew the moment.
        screenshot: Path of the screenshot, relative to the release; None without one.
        tree: Path of the accessibility tree, relative to the release; None without one.
    """

    at: Intent
    kind: MomentKind
    condition: Condition | None
    intent: Intent | None
    odds: MomentOdds
    screenshot: str | None
    tree: str | None

    @property
    def moment_id(self) -> str:
        """`{user_id}__{time}`, unique among the moments of a release."""
        return self.at.episode_id


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentList:
    """The moments of a release.

    Attributes:
        moments: The moments, in the order of the users and of time.
        patience: User id -> number of wrong suggestions that the person answers in a day.
        drifts: User id -> dates on which a habit takes the place of another.
        problems: What was left out.
    """

    moments: tuple[Moment, ...] = ()
    patience: Mapping[str, int] = field(default_factory=dict)
    drifts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def read_moments(
    raw: RawFolder,
    users: Sequence[UserFolder],
    intents: Sequence[Intent],
    *,
    zone: tzinfo,
    provenance: str,
) -> MomentList:
    """Read the moments of every person.

    Args:
        raw: The release.
        users: The users' folders.
        intents: Every known intent, which moments name by its time.
        zone: Time zone of the release.
        provenance: Kinds of the release's episodes: only simulated people have moments.
    """
    known = {intent.episode_id: intent for intent in intents}
    moments: list[Moment] = []
    patience: dict[str, int] = {}
    drifts: dict[str, tuple[str, ...]] = {}
    problems: list[Problem] = []
    for user in users:
        if MOMENTS_FILE not in user.listing.files:
            continue
        file = f"{user.path}/{MOMENTS_FILE}"
        try:
            if provenance != "simulated":
                raise ReleaseError("expected moments of simulated people alone: recordings have none")
            reader = _MomentReader(raw, user, known, zone)
            patience[user.user_id] = reader.head.patience
            drifts[user.user_id] = reader.head.drifts
            moments += sorted(reader.read(), key=lambda moment: (moment.at.moment, moment.at.time))
            problems += reader.problems
        except ReleaseError as error:
            kind = ProblemKind.UNREADABLE_MOMENTS
            problems.append(Problem(kind=kind, detail=error.message, file=file))
    return MomentList(moments=tuple(moments), patience=patience, drifts=drifts, problems=tuple(problems))


class _MomentReader:
    """Reader of one person's moments, which collects their problems."""

    def __init__(self, raw: RawFolder, user: UserFolder, known: Mapping[str, Intent], zone: tzinfo) -> None:
        self._user, self._known, self._zone = user, known, zone
        self._file = f"{user.path}/{MOMENTS_FILE}"
        self._screens = frozenset(raw.list(f"{user.path}/{MOMENTS_FOLDER}").files)
        content = read_file(raw.path(self._file), MAX_MOMENTS_BYTES)
        lines = content.removeprefix(BYTE_ORDER_MARK).splitlines()
        self._lines = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        head = self._lines.pop(0)[1] if self._lines else b""
        days = [one.moment for one in known.values() if one.user_id == user.user_id]
        self._span = (min(days) - SLACK, max(days) + SLACK) if days else None
        try:
            self.head = MomentsHead.model_validate_json(head)
        except ValidationError as error:
            raise ReleaseError(f"the first line is not valid at {describe_fault(error)}") from None
        if self.head.version != MOMENTS_VERSION:
            raise ReleaseError(f"expected moments of version {MOMENTS_VERSION}, got {self.head.version}")
        self.problems: list[Problem] = []

    def read(self) -> Iterator[Moment]:
        """Yield the usable moments in the order of the lines."""
        seen: set[str] = set()
        for number, line in self._lines:
            try:
                moment = self._read_line(line, number)
                names = {f"a moment at {moment.at.time}"}
                if moment.intent is not None:
                    names.add(f"a look before the episode {moment.intent.time}")
                for name in sorted(names & seen):
                    raise ReleaseError(f"expected one such line, got a second of {name}")
            except ReleaseError as error:
                self._note(ProblemKind.BAD_MOMENT, error.message, number)
                continue
            seen |= names
            yield moment

    def _read_line(self, line: bytes, number: int) -> Moment:
        try:
            record = MomentLine.model_validate_json(line)
            parse_time(record.time)
        except ValidationError as error:
            raise ReleaseError(f"the line is not valid at {describe_fault(error)}") from None
        except ValueError as error:
            raise ReleaseError(str(error)) from None
        _check_kind(record)
        intent = self._find_intent(record)
        at = Intent(
            user_id=self._user.user_id,
            time=record.time,
            scenario=record.scenario,
            app="",
            text="",
            offset=find_offset(record.time, self._zone, intent.moment if intent else None),
        )
        self._check_time(at, intent)
        return Moment(
            at=at,
            kind=record.kind,
            condition=record.condition,
            intent=intent,
            odds=MomentOdds(wanted=record.wanted, right=record.right),
            screenshot=self._find_screen(record, ".jpg", ProblemKind.MISSING_SCREENSHOT, number),
            tree=self._find_screen(record, ".xml", ProblemKind.MISSING_TREE, number),
        )

    def _find_intent(self, record: MomentLine) -> Intent | None:
        if record.episode is None:
            return None
        name = f"{self._user.user_id}__{record.episode}"
        if name not in self._known:
            raise ReleaseError(f"expected an episode of the release, got {record.episode}")
        return self._known[name]

    def _check_time(self, at: Intent, intent: Intent | None) -> None:
        """Refuse a look behind its episode, which its history would hold, and one of another month."""
        if intent is not None and not timedelta() < intent.moment - at.moment <= LEAD:
            raise ReleaseError(
                f"expected a look at most a minute before its episode {intent.time}, got {at.time}"
            )
        if self._span is not None and not self._span[0] <= at.moment <= self._span[1]:
            raise ReleaseError(f"expected a look in the time of the person's episodes, got {at.time}")

    def _find_screen(self, record: MomentLine, suffix: str, kind: ProblemKind, number: int) -> str | None:
        name = f"{record.time}{suffix}"
        if name in self._screens:
            return f"{self._user.path}/{MOMENTS_FOLDER}/{name}"
        self._note(kind, f"expected {MOMENTS_FOLDER}/{name}, got no file", number)
        return None

    def _note(self, kind: ProblemKind, detail: str, line: int) -> None:
        self.problems.append(Problem(kind=kind, detail=detail, file=self._file, line=line))


def _check_kind(record: MomentLine) -> None:
    if (record.kind == INTENT) != (record.episode is not None):
        got = "one" if record.episode else "none"
        raise ReleaseError(f"expected an episode for kind {INTENT} alone, got {got} for {record.kind}")
    if (record.kind == "false_routine") != (record.condition is not None):
        got = record.condition or "none"
        raise ReleaseError(f"expected a condition for false_routine alone, got {got} for {record.kind}")


def wrap_moment(moment: Moment, profile: UserProfile) -> Episode:
    """Return an episode of the moment's one screen, which is read and written as those of episodes."""
    return Episode(
        intent=moment.at,
        profile=profile,
        folder=Path(),
        steps=(Step(raw="", action=None, screenshot=moment.screenshot, tree=moment.tree),),
    )


def write_moments(head: MomentsHead, lines: Sequence[MomentLine]) -> str:
    """Return the content of moments.jsonl."""
    records = [head.model_dump(mode="json"), *(_dump_line(line) for line in lines)]
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _dump_line(line: MomentLine) -> dict[str, object]:
    return line.model_dump(exclude_none=True)
