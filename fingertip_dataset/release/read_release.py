"""Reading of a raw release: its folders and tables as episodes, with every defect reported as a problem.

Only a folder that is not a release stops the reading. Every episode folder is either kept or rejected:
given = kept + rejected. It is rejected only if it is unusable; see `ProblemKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path

from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.path_kinds import explain_missing, explain_wrong_path
from fingertip_dataset.release.episode_folders import EpisodeFolder, find_episodes
from fingertip_dataset.release.extra_fields import ExtraField, ExtraKind, ExtraPart, count_fields
from fingertip_dataset.release.intent_sources import find_intent
from fingertip_dataset.release.moment_files import Moment, read_moments
from fingertip_dataset.release.origins import UNKNOWN, DataOrigin, Origins, find_origins, read_origin
from fingertip_dataset.release.problems import Problem, ProblemKind, printable
from fingertip_dataset.release.provenance import RECORDED, join_provenances
from fingertip_dataset.release.raw_folder import Listing, RawFolder
from fingertip_dataset.release.recordings import read_recording
from fingertip_dataset.release.redaction import Redaction, read_redaction
from fingertip_dataset.release.screens.screen_files import parse_screen_file
from fingertip_dataset.release.settings import PUBLISHED, ReleaseSettings, read_settings
from fingertip_dataset.release.spelling import normalize_time
from fingertip_dataset.release.surveys import SURVEY_FILE
from fingertip_dataset.release.tables.index_tables import (
    PROFILE_TABLE,
    Tables,
    find_missing_sample,
    find_tables,
    read_tables,
)
from fingertip_dataset.release.user_folders import UserFolder, find_users
from fingertip_dataset.tasks.history import release_order
from fingertip_dataset.times import find_clock_change, find_offset, from_milliseconds

_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".zst")

_LAST_MS = 253_402_300_799_000
"""Milliseconds since 1970 at the end of the year 9999: a larger number in a name is no moment."""

_NEAR = 50
"""Maximum number of subfolders searched for a release if the given folder is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A raw release; its steps have the paths of their screenshots and trees, which are not opened yet.

    Attributes:
        root: Absolute path of the folder of the users' folders, without links.
        episodes: The kept episodes, users by number, then by time.
        tables: The index tables; None without tables.
        problems: Problems of the tables, the folders and the recordings; `content.read_content` reports those
            of screenshots and trees.
        given: Number of episode folders.
        rejected: Number of unusable episode folders; each has one problem whose effect is "rejected".
        intents: Every known intent, in the order of `episodes`: of kept episodes, and of table rows without
            an episode.
        provenance: Kinds of provenance that the surveys state, joined by "+"; see `provenance`.
        origins: Origins and licences as far as they are known.
        redaction: What was redacted; None for a release that states nothing of it.
        settings: Language, time zone and places; those of the published release if it has no release.toml.
        moments: The moments of simulated people.
        patience: User id -> number of wrong suggestions of a day that a simulated person answers.
        drifts: User id -> dates on which a habit of a simulated person takes the place of another.
        parts: Every column, field and table that this version does not know; their values are in `Episode`.
    """

    root: Path
    episodes: tuple[Episode, ...]
    tables: Tables | None
    problems: tuple[Problem, ...]
    given: int
    rejected: int
    intents: tuple[Intent, ...]
    provenance: str
    origins: Origins
    redaction: Redaction | None = None
    settings: ReleaseSettings = PUBLISHED
    parts: tuple[ExtraPart, ...] = ()
    moments: tuple[Moment, ...] = ()
    patience: Mapping[str, int] = field(default_factory=dict)
    drifts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def kept(self) -> int:
        """Number of kept episodes: given - rejected."""
        return len(self.episodes)


@accept_path_texts
def read_release(
    raw: Path, tables: Path | None = None, *, on_progress: Callable[[int, int], None] | None = None
) -> Release:
    """Read a raw release.

    Args:
        raw: Folder of the users' folders.
        tables: Folder of the index tables; None looks for them in `raw` and `raw/tables`.
        on_progress: Callback with the number of episode folders done and in total.

    Raises:
        UsageError: `raw` is not a folder, or has no user's folder.
        ReleaseError: `tables` has none of the index tables, or release.toml or redaction.json is invalid.
    """
    root, users, user_problems = _open(raw)
    place = tables or find_tables(raw)
    settings = read_settings(raw, place)
    index_tables = read_tables(place, settings.zone) if place else None
    folders, folder_problems = find_episodes(root, users)
    problems = [*(index_tables.problems if index_tables else ()), *user_problems, *folder_problems]
    episodes: list[Episode] = []
    stated_origins: set[tuple[str, DataOrigin]] = set()
    if on_progress:
        on_progress(0, len(folders))
    for done, folder in enumerate(folders, 1):
        result = _read_episode(root, folder, index_tables, settings.zone)
        problems += result.problems
        if result.episode is not None:
            episodes.append(result.episode)
            stated_origins.add((result.provenance, result.origin))
        if on_progress:
            on_progress(done, len(folders))
    episodes.sort(key=lambda episode: release_order(episode.intent))
    if index_tables is not None:
        problems += _compare_with_tables(index_tables, folders, episodes)
    intents = _list_intents(episodes, index_tables)
    provenance = join_provenances(provenance for provenance, _ in stated_origins)
    if index_tables is not None and settings == PUBLISHED and provenance == RECORDED:
        missing = find_missing_sample(index_tables)
        problems += [missing] if missing else []
    looks = read_moments(root, users, intents, zone=settings.zone, provenance=provenance)
    problems += looks.problems
    return Release(
        root=Path(root.root),
        episodes=tuple(episodes),
        tables=index_tables,
        problems=tuple(problems),
        given=len(folders),
        rejected=len(folders) - len(episodes),
        intents=intents,
        provenance=provenance,
        origins=_choose_origins(find_origins(stated_origins, index_tables), settings),
        redaction=read_redaction(raw),
        settings=settings,
        parts=_list_parts(episodes, index_tables),
        moments=looks.moments,
        patience=looks.patience,
        drifts=looks.drifts,
    )


@dataclass(frozen=True, slots=True)
class _EpisodeResult:
    episode: Episode | None
    provenance: str = ""
    origin: DataOrigin = DataOrigin()  # noqa: RUF009 - frozen
    problems: tuple[Problem, ...] = ()


def _open(raw: Path) -> tuple[RawFolder, tuple[UserFolder, ...], tuple[Problem, ...]]:
    if not raw.is_dir():
        if raw.exists():
            raise UsageError("expected the folder of a raw release, got a file", file=raw)
        raise UsageError(explain_missing(raw, "a raw release"), file=raw)
    root = RawFolder.open(raw)
    listing = root.list()
    if listing.error:
        raise UsageError(f"expected a folder that can be listed, got {listing.error}", file=raw)
    users, problems = find_users(root)
    if users:
        return root, users, problems
    if wrong := explain_wrong_path(raw, "a raw release"):
        raise UsageError(wrong, file=raw)
    raise UsageError(
        f"the folder holds no users' folders{_make_hint(raw, listing)}",
        file=printable(str(raw)),
    )


def _make_hint(raw: Path, listing: Listing) -> str:
    suggestion = next(_find_releases_near(raw, listing), None)
    if suggestion is not None:
        return f": did you mean {printable(str(suggestion))}?"
    archive = next((name for name in listing.files if name.endswith(_ARCHIVES)), None)
    return f": is {printable(archive)} still to be unpacked?" if archive else ""


def _find_releases_near(raw: Path, listing: Listing) -> Iterator[Path]:
    """Yield releases near the given folder: its parent, if it is a user's folder, or its subfolders."""
    if any(normalize_time(name) for name in listing.folders):
        yield raw.parent
    below = [raw / name for name in listing.folders[:_NEAR]]
    deeper = [folder / name for folder in below for name in RawFolder.open(folder).list().folders[:_NEAR]]
    yield from (folder for folder in (*below, *deeper) if find_users(RawFolder.open(folder))[0])


def _read_episode(
    root: RawFolder, folder: EpisodeFolder, tables: Tables | None, zone: tzinfo
) -> _EpisodeResult:
    if folder.fault is not None:
        return _EpisodeResult(None, problems=(folder.fault,))
    listing = root.list(folder.path)
    problems = tuple(listing.problems(folder.path, folder.episode_id))
    table_intent = tables.intent(folder.episode_id) if tables else None
    resolved = find_intent(root, folder, listing, table_intent, zone)
    problems += resolved.problems
    if resolved.intent is None:
        return _EpisodeResult(None, problems=problems)
    recording = read_recording(root, folder, listing)
    intent, clock_problems = _place_in_time(resolved.intent, recording.steps, zone, folder.path)
    profile = tables.profiles.get(folder.user_id) if tables else None
    episode = Episode(
        intent=intent,
        profile=profile or UserProfile(),
        folder=Path(folder.path),
        steps=recording.steps,
        extra=_join_extra(folder, resolved.extra, tables),
    )
    return _EpisodeResult(
        episode, resolved.provenance, resolved.origin, problems + recording.problems + clock_problems
    )


def _join_extra(
    folder: EpisodeFolder, of_survey: tuple[ExtraField, ...], tables: Tables | None
) -> tuple[ExtraField, ...]:
    """Values of the episode and its user that no other field holds: of the tables, then of the survey."""
    if tables is None:
        return of_survey
    of_user = tables.user_extra.get(folder.user_id, ())
    return (*tables.extra.get(folder.episode_id, ()), *of_user, *of_survey)


def _list_parts(episodes: Sequence[Episode], tables: Tables | None) -> tuple[ExtraPart, ...]:
    of_surveys = (value for episode in episodes for value in episode.extra if value.source == SURVEY_FILE)
    fields = count_fields(ExtraKind.FIELD, of_surveys)
    return (*tables.parts, *fields) if tables is not None else fields


def _place_in_time(
    intent: Intent, steps: Sequence[Step], zone: tzinfo, path: str
) -> tuple[Intent, tuple[Problem, ...]]:
    """Decide the offset of a time that the clocks show twice or skip, by the first screen's own moment."""
    change = find_clock_change(intent.time, zone)
    if change is None:
        return intent, ()
    first = next((name for step in steps for name in (step.screenshot, step.tree) if name), None)
    milliseconds = parse_screen_file(first).moment if first else None
    near = from_milliseconds(milliseconds) if milliseconds and milliseconds < _LAST_MS else None
    intent = replace(intent, offset=find_offset(intent.time, zone, near))
    kind = ProblemKind.AMBIGUOUS_TIME if change == "ambiguous" else ProblemKind.MISSING_TIME
    detail = f"{intent.time} is {change} in this zone: read as {intent.moment.isoformat()}"
    return intent, (Problem(kind=kind, detail=detail, episode_id=intent.episode_id, file=path),)


def _choose_origins(found: Origins, settings: ReleaseSettings) -> Origins:
    """Return origin and licence as release.toml states them, otherwise those found."""
    if settings.origin is not None:
        found = replace(found, origins=(read_origin({"origin": settings.origin}).origin or UNKNOWN,))
    return found if settings.licence is None else replace(found, licences=(settings.licence,))


def _compare_with_tables(
    tables: Tables, folders: Sequence[EpisodeFolder], episodes: Sequence[Episode]
) -> Iterator[Problem]:
    """Yield problems of rows without folder, episodes without row, users without profile, and the reverse."""
    existing = {folder.episode_id for folder in folders}
    for episode_id, (file, line) in tables.places.items():
        if episode_id not in existing:
            yield Problem(
                kind=ProblemKind.ROW_WITHOUT_EPISODE,
                detail="expected a folder of that user and time, got none",
                episode_id=episode_id,
                file=file,
                line=line,
            )
    if tables.total is not None:
        for episode in episodes:
            if episode.episode_id not in tables.places:
                kind, detail = ProblemKind.EPISODE_IN_NO_TABLE, "expected a row of the tables, got none"
                yield Problem(
                    kind=kind, detail=detail, episode_id=episode.episode_id, file=str(episode.folder)
                )
    if tables.profiles:
        users = dict.fromkeys(folder.user_id for folder in folders)
        for kind, here, there in (
            (ProblemKind.MISSING_PROFILE, users, tables.profiles),
            (ProblemKind.UNUSED_PROFILE, tables.profiles, users),
        ):
            for user in here:
                if user not in there:
                    yield Problem(kind=kind, detail=f"user {user}: {kind.meaning}", file=PROFILE_TABLE)


def _list_intents(episodes: Sequence[Episode], tables: Tables | None) -> tuple[Intent, ...]:
    known = {episode.episode_id: episode.intent for episode in episodes}
    for episode_id in tables.places if tables else ():
        table_intent = tables.intent(episode_id) if tables and episode_id not in known else None
        if table_intent is not None:
            known[episode_id] = table_intent
    return tuple(sorted(known.values(), key=release_order))
