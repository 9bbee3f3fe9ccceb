"""A raw release: its folders and tables become episodes, and every defect on the way has a name.

Nothing stops the reading but a folder that is no release. Every episode folder that is found is either
kept or rejected: given = kept + rejected. It is rejected only if it cannot be used; see `ProblemKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_dataset.episodes import Episode, Intent, UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.episode_folders import EpisodeFolder, find_episodes
from fingertip_dataset.release.index_tables import PROFILE_TABLE, Tables, find_tables, read_tables
from fingertip_dataset.release.intent_sources import find_intent
from fingertip_dataset.release.origins import DataOrigin, Origins, find_origins
from fingertip_dataset.release.problems import Problem, ProblemKind, printable
from fingertip_dataset.release.raw_folder import Listing, RawFolder
from fingertip_dataset.release.recordings import read_recording
from fingertip_dataset.release.spelling import plain_time
from fingertip_dataset.release.user_folders import UserFolder, find_users
from fingertip_dataset.tasks.history import release_order

_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".zst")

RECORDED = "recorded"
"""The provenance of episodes whose survey does not say one, as none of the public release does."""

_NEAR = 50
"""Folders that are looked into for a release when there is none in the folder that was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A raw release as it was read: steps name their files, whose content is not opened yet.

    Attributes:
        root: The folder of the users' folders, absolute, without links.
        episodes: Those that were kept, users by number, then by time.
        tables: The index tables; None where there are none.
        problems: Of the tables, the folders and the recordings; `content.read_content` names those of
            screenshots and trees.
        given: Episode folders found.
        rejected: Those that cannot be used; each has one problem whose effect is "rejected".
        intents: Every intent that is known, in the order of `episodes`: kept episodes, and table rows
            without one.
        provenance: "recorded", or what the surveys say of themselves ("sample", "simulated"); several are
            joined by "+".
        origins: Where it comes from in words, and under which licences it is, as far as that is known.
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

    @property
    def kept(self) -> int:
        """Episodes that were kept: given less rejected."""
        return len(self.episodes)


def read_release(
    raw: Path, tables: Path | None = None, *, on_progress: Callable[[int, int], None] | None = None
) -> Release:
    """Read a raw release.

    Args:
        raw: The folder of the users' folders.
        tables: The folder of the index tables; without it they are looked for in `raw` and `raw/tables`.
        on_progress: Called with the episode folders done and all of them.

    Raises:
        UsageError: `raw` is no folder, or no user's folder is in it.
        ReleaseError: None of the tables is in `tables`.
    """
    root, users, user_problems = _open(raw)
    place = tables or find_tables(raw)
    index_tables = read_tables(place) if place else None
    folders, folder_problems = find_episodes(root, users)
    problems = [*(index_tables.problems if index_tables else ()), *user_problems, *folder_problems]
    episodes: list[Episode] = []
    told_origins: set[tuple[str, DataOrigin]] = set()
    for done, folder in enumerate(folders, 1):
        read = _read_episode(root, folder, index_tables)
        problems += read.problems
        if read.episode is not None:
            episodes.append(read.episode)
            told_origins.add((read.provenance, read.origin))
        if on_progress:
            on_progress(done, len(folders))
    episodes.sort(key=lambda episode: release_order(episode.intent))
    if index_tables is not None:
        problems += _against_tables(index_tables, folders, episodes)
    provenances = {provenance or RECORDED for provenance, _ in told_origins}
    return Release(
        root=Path(root.root),
        episodes=tuple(episodes),
        tables=index_tables,
        problems=tuple(problems),
        given=len(folders),
        rejected=len(folders) - len(episodes),
        intents=_known_intents(episodes, index_tables),
        provenance="+".join(sorted(provenances)) or RECORDED,
        origins=find_origins(told_origins, index_tables),
    )


@dataclass(frozen=True, slots=True)
class _ReadEpisode:
    episode: Episode | None
    provenance: str = ""
    origin: DataOrigin = DataOrigin()  # noqa: RUF009 - frozen
    problems: tuple[Problem, ...] = ()


def _open(raw: Path) -> tuple[RawFolder, tuple[UserFolder, ...], tuple[Problem, ...]]:
    if not raw.is_dir():
        got = "a file" if raw.exists() else "nothing"
        raise UsageError(f"expected the folder of a raw release, got {got}", file=raw)
    root = RawFolder.open(raw)
    listing = root.list()
    if listing.error:
        raise UsageError(f"expected a folder that can be listed, got {listing.error}", file=raw)
    users, problems = find_users(root)
    if users:
        return root, users, problems
    raise UsageError(
        f"expected a folder of users' folders, got one without any{_hint(raw, listing)}",
        file=printable(str(raw)),
    )


def _hint(raw: Path, listing: Listing) -> str:
    meant = next(_releases_near(raw, listing), None)
    if meant is not None:
        return f": did you mean {printable(str(meant))}?"
    packed = next((name for name in listing.files if name.endswith(_ARCHIVES)), None)
    return f": is {printable(packed)} still to be unpacked?" if packed else ""


def _releases_near(raw: Path, listing: Listing) -> Iterator[Path]:
    """Folders that may have been meant: above a user's or an episode's folder, or below what is unpacked."""
    if any(plain_time(name) for name in listing.folders):
        yield raw.parent
    below = [raw / name for name in listing.folders[:_NEAR]]
    deeper = [folder / name for folder in below for name in RawFolder.open(folder).list().folders[:_NEAR]]
    yield from (folder for folder in (*below, *deeper) if find_users(RawFolder.open(folder))[0])


def _read_episode(root: RawFolder, folder: EpisodeFolder, tables: Tables | None) -> _ReadEpisode:
    if folder.fault is not None:
        return _ReadEpisode(None, problems=(folder.fault,))
    listing = root.list(folder.path)
    problems = tuple(listing.problems(folder.path, folder.episode_id))
    table_intent = tables.intent(folder.episode_id) if tables else None
    resolved = find_intent(root, folder, listing, table_intent)
    problems += resolved.problems
    if resolved.intent is None:
        return _ReadEpisode(None, problems=problems)
    recording = read_recording(root, folder, listing)
    profile = tables.profiles.get(folder.user_id) if tables else None
    episode = Episode(
        intent=resolved.intent,
        profile=profile or UserProfile(),
        folder=Path(folder.path),
        steps=recording.steps,
    )
    return _ReadEpisode(episode, resolved.provenance, resolved.origin, problems + recording.problems)


def _against_tables(
    tables: Tables, folders: Sequence[EpisodeFolder], episodes: Sequence[Episode]
) -> Iterator[Problem]:
    """Rows without a folder, episodes without a row, and the same of profiles and users."""
    found = {folder.episode_id for folder in folders}
    for episode_id, (file, line) in tables.places.items():
        if episode_id not in found:
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


def _known_intents(episodes: Sequence[Episode], tables: Tables | None) -> tuple[Intent, ...]:
    known = {episode.episode_id: episode.intent for episode in episodes}
    for episode_id in tables.places if tables else ():
        table_intent = tables.intent(episode_id) if tables and episode_id not in known else None
        if table_intent is not None:
            known[episode_id] = table_intent
    return tuple(sorted(known.values(), key=release_order))
