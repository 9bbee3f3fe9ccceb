"""An episode's intent: what the survey and the tables tell, and which of them is believed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.raw.episode_folders import EpisodeFolder
from fingertip_dataset.raw.origins import Origin
from fingertip_dataset.raw.problems import Problem, ProblemKind
from fingertip_dataset.raw.raw_folder import Listing, RawFolder
from fingertip_dataset.raw.spelling import plain_time, plain_user
from fingertip_dataset.raw.surveys import SURVEY_FILE, Survey, read_survey

Finding = tuple[ProblemKind, str]


@dataclass(frozen=True, slots=True)
class Telling:
    """What is known of an episode's intent.

    Attributes:
        intent: None where nothing tells it.
        provenance: Where the recording comes from, as the survey says; "" where it does not say.
        origin: The same in words, with the licence, as the survey says.
        problems: Of the survey.
    """

    intent: Intent | None
    provenance: str
    origin: Origin
    problems: tuple[Problem, ...]


def find_intent(raw: RawFolder, folder: EpisodeFolder, listing: Listing, told: Intent | None) -> Telling:
    """The intent of an episode whose folder is named by a time.

    The folder's user and time are believed, and the tables rather than the survey, for the authors score by
    the tables. What one of them leaves empty the other fills.

    Args:
        raw: The release.
        folder: Of the episode.
        listing: What the folder holds.
        told: What the tables tell of the episode.
    """
    file = f"{folder.path}/{SURVEY_FILE}"
    survey, fault = None, (ProblemKind.MISSING_SURVEY, f"expected {SURVEY_FILE}, got none")
    if SURVEY_FILE in listing.names():
        try:
            survey = _usable(raw, file, listing)
        except ReleaseError as error:
            fault = (ProblemKind.UNREADABLE_SURVEY, error.message)
    if survey is None:
        intent, findings = told, [fault]
    else:
        intent = _believed(survey, folder, told)
        findings = list(_findings(survey, folder, told, intent))
    if intent is None:
        findings = [(ProblemKind.NO_INTENT, f"{fault[1]}, and no table row")]
    problems = tuple(
        Problem(kind=kind, detail=detail, episode_id=folder.episode_id, file=file)
        for kind, detail in findings
    )
    if survey is None:
        return Telling(intent, "", Origin(), problems)
    return Telling(intent, survey.provenance.strip(), survey.origin, problems)


def _usable(raw: RawFolder, file: str, listing: Listing) -> Survey:
    if SURVEY_FILE not in listing.files:
        raise ReleaseError(
            "expected a regular file of the release, got another kind or a link that leaves it"
        )
    survey = read_survey(raw.path(file))
    if not survey.text.strip():
        raise ReleaseError("expected a sentence in intentDescription, got none")
    return survey


def _believed(survey: Survey, folder: EpisodeFolder, told: Intent | None) -> Intent:
    if told is not None:
        scenario = told.scenario if told.scenario.strip() else survey.scenario
        return replace(told, scenario=scenario, app=told.app if told.app.strip() else survey.app)
    return Intent(
        user_id=folder.user_id,
        time=folder.time or "",
        scenario=survey.scenario,
        app=survey.app,
        text=survey.text,
    )


def _findings(
    survey: Survey, folder: EpisodeFolder, told: Intent | None, intent: Intent
) -> Iterator[Finding]:
    for name, said, true in (
        ("user_id", plain_user(survey.user_id), folder.user_id),
        ("time", plain_time(survey.time), folder.time),
    ):
        if said != true:
            got = getattr(survey, name)[:40]
            yield ProblemKind.SURVEY_AGAINST_FOLDER, f"expected {name} {true} as in the folder, got {got!r}"
    if told is not None:
        for name in ("scenario", "app", "text"):
            said, true = getattr(survey, name).strip(), getattr(told, name).strip()
            if said and true and said != true:
                detail = f"expected {name} {true[:60]!r} as in the table, got {said[:60]!r}"
                yield ProblemKind.SURVEY_AGAINST_TABLE, detail
    for name in ("scenario", "app"):
        if not getattr(intent, name).strip():
            yield ProblemKind.EMPTY_FIELD, f"expected {name}, got none"
    if survey.mended:
        yield ProblemKind.BROKEN_TEXT, "expected UTF-8, got bytes that are not"
