"""Resolution of an episode's intent from its survey and the index tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.episode_folders import EpisodeFolder
from fingertip_dataset.release.extra_fields import ExtraField
from fingertip_dataset.release.origins import DataOrigin
from fingertip_dataset.release.problems import Problem, ProblemKind, printable
from fingertip_dataset.release.provenance import LONGEST_QUOTED
from fingertip_dataset.release.raw_folder import Listing, RawFolder
from fingertip_dataset.release.spelling import find_intent_fault, normalize_time, normalize_user
from fingertip_dataset.release.surveys import SURVEY_FILE, Survey, read_survey
from fingertip_dataset.times import BEIJING, find_offset, is_impossible_time

IntentProblem = tuple[ProblemKind, str]


@dataclass(frozen=True, slots=True)
class ResolvedIntent:
    """An episode's intent as far as it is known.

    Attributes:
        intent: The intent; None if neither the survey nor a table has it.
        provenance: Provenance that the survey states, such as "simulated"; "" if it states none.
        origin: Origin and licence that the survey states.
        problems: Problems of the survey.
        extra: Fields of the survey that this version does not know.
    """

    intent: Intent | None
    provenance: str
    origin: DataOrigin
    problems: tuple[Problem, ...]
    extra: tuple[ExtraField, ...] = ()


def find_intent(
    raw: RawFolder,
    folder: EpisodeFolder,
    listing: Listing,
    table_intent: Intent | None,
    zone: tzinfo = BEIJING,
) -> ResolvedIntent:
    """Resolve the intent of an episode.

    The folder's user and time take precedence; the tables take precedence over the survey, because the
    authors score by the tables. A field that is empty in one of them is filled from the other.

    Args:
        raw: The release.
        folder: Folder of the episode, whose name is a time.
        listing: Listing of the folder.
        table_intent: The episode's intent in the tables.
        zone: Zone of the folder's time.
    """
    file = f"{folder.path}/{SURVEY_FILE}"
    survey, fault = None, (ProblemKind.MISSING_SURVEY, f"expected {SURVEY_FILE}, got none")
    if SURVEY_FILE in listing.names():
        try:
            survey = _read_usable_survey(raw, file, listing)
        except ReleaseError as error:
            fault = (ProblemKind.UNREADABLE_SURVEY, error.message)
    if survey is None:
        intent, findings = table_intent, [fault]
    else:
        intent = _merge(survey, folder, table_intent, zone)
        findings = list(_find_problems(survey, folder, table_intent, intent))
    if intent is None:
        findings = [(ProblemKind.NO_INTENT, f"{fault[1]}, and no table row")]
    elif folder.time and is_impossible_time(folder.time):
        detail = f"expected a year from 2008 to next year, got {folder.time[:4]}"
        findings.append((ProblemKind.IMPOSSIBLE_TIME, detail))
    problems = tuple(
        Problem(kind=kind, detail=detail, episode_id=folder.episode_id, file=file)
        for kind, detail in findings
    )
    if survey is None:
        return ResolvedIntent(intent, "", DataOrigin(), problems)
    return ResolvedIntent(intent, survey.provenance.kind, survey.origin, problems, survey.extra)


def _read_usable_survey(raw: RawFolder, file: str, listing: Listing) -> Survey:
    if SURVEY_FILE not in listing.files:
        raise ReleaseError(
            "expected a regular file of the release, got another kind or a link that leaves it"
        )
    survey = read_survey(raw.path(file))
    if not survey.text.strip():
        raise ReleaseError("expected a sentence in intentDescription, got none")
    if fault := find_intent_fault(survey.text):
        raise ReleaseError(f"expected a sentence in intentDescription, got {fault}")
    return survey


def _merge(survey: Survey, folder: EpisodeFolder, table_intent: Intent | None, zone: tzinfo) -> Intent:
    if table_intent is not None:
        scenario = table_intent.scenario if table_intent.scenario.strip() else survey.scenario
        return replace(
            table_intent, scenario=scenario, app=table_intent.app if table_intent.app.strip() else survey.app
        )
    time = folder.time or ""
    return Intent(
        user_id=folder.user_id,
        time=time,
        scenario=survey.scenario,
        app=survey.app,
        text=survey.text,
        offset=find_offset(time, zone),
    )


def _find_problems(
    survey: Survey, folder: EpisodeFolder, table_intent: Intent | None, intent: Intent
) -> Iterator[IntentProblem]:
    for name, survey_value, expected in (
        ("user_id", normalize_user(survey.user_id), folder.user_id),
        ("time", normalize_time(survey.time), folder.time),
    ):
        if survey_value != expected:
            got = getattr(survey, name)[:40]
            detail = f"expected {name} {expected} as in the folder, got {got!r}"
            yield ProblemKind.SURVEY_AGAINST_FOLDER, detail
    if table_intent is not None:
        for name in ("scenario", "app", "text"):
            survey_value, expected = getattr(survey, name).strip(), getattr(table_intent, name).strip()
            if survey_value and expected and survey_value != expected:
                detail = f"expected {name} {expected[:60]!r} as in the table, got {survey_value[:60]!r}"
                yield ProblemKind.SURVEY_AGAINST_TABLE, detail
    for name in ("scenario", "app"):
        if not getattr(intent, name).strip():
            yield ProblemKind.EMPTY_FIELD, f"expected {name}, got none"
    if survey.provenance.fault:
        yield ProblemKind.UNCLEAR_PROVENANCE, survey.provenance.fault
    if survey.unknown_licence:
        got = printable(survey.unknown_licence)[:LONGEST_QUOTED]
        yield ProblemKind.UNKNOWN_LICENCE, f"expected the id of a licence, such as cc-by-4.0, got {got!r}"
    if survey.mended:
        yield ProblemKind.BROKEN_TEXT, "expected UTF-8, got bytes that are not"
