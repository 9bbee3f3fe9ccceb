"""Redaction of a raw release: a new release whose private values are gone, in the same layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fingertip_dataset.episodes import Episode
from fingertip_dataset.release.raw_folder import RawFolder, read_file
from fingertip_dataset.release.read_release import Release, read_release
from fingertip_dataset.release.redaction import Redaction
from fingertip_dataset.release.screens.screen_files import IMAGE_SUFFIXES, TREE_SUFFIX, parse_screen_file
from fingertip_dataset.release.settings import MAX_BYTES, SETTINGS_FILE, read_settings_file
from fingertip_dataset.release.tables.index_tables import table_files
from fingertip_dataset.release.user_folders import TABLES_FOLDER, find_users
from fingertip_privacy.finds import Find
from fingertip_privacy.redaction.person_secrets import EVERYBODY, PersonSecrets, PixelFind
from fingertip_privacy.redaction.redact_episode import EpisodeJob, redactor_of
from fingertip_privacy.redaction.redact_moments import MomentsJob
from fingertip_privacy.redaction.redacted_tables import Owner, redact_table, row_owners
from fingertip_privacy.redaction.redacted_texts import redact_file_name
from fingertip_privacy.redaction.redaction_stage import RedactionChange, RedactionStage, UnitRecord, state_of
from fingertip_privacy.scan.scan_inputs import MomentsUnit, list_moment_units
from fingertip_privacy.source_fingerprint import tables_of

_DEPTH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSource:
    """A raw release that is redacted.

    Attributes:
        release: The release.
        tables: Folder of its index tables; None without tables.
        owners: Owner of each row of the tables.
    """

    release: Release
    tables: Path | None
    owners: Mapping[tuple[str, int], Owner]

    @classmethod
    def open(
        cls, raw: Path, tables: Path | None, on_progress: Callable[[int, int], None] | None = None
    ) -> ReleaseSource:
        """Read a release.

        Raises:
            UsageError: There is no release.
            ReleaseError: The tables cannot be read.
        """
        place = tables_of(raw, tables)
        release = read_release(raw, place, on_progress=on_progress)
        return cls(release=release, tables=place, owners=row_owners(place) if place else {})

    @property
    def redaction(self) -> Redaction | None:
        """Statement of a redaction in the release itself."""
        return self.release.redaction

    def owner(self, find: Find) -> Owner:
        """User and episode of a find in a file of all users."""
        words = find.field.partition("@")[0].split()
        line = int(words[1]) if len(words) == 2 and words[1].isdecimal() else 0
        return self.owners.get((PurePosixPath(find.file).name, line), (EVERYBODY, None))

    def jobs(
        self,
        secrets: Mapping[str, PersonSecrets],
        boxes: Mapping[str, list[PixelFind]],
        key: bytes,
        *,
        unscanned: frozenset[str] = frozenset(),
        drop_unreadable: bool = False,
    ) -> Iterator[EpisodeJob]:
        """Yield the job of each episode."""
        raw = RawFolder.open(self.release.root)
        for episode in self.release.episodes:
            files = tuple(_list_files(raw, episode.folder.as_posix()))
            user = episode.intent.user_id
            yield EpisodeJob(
                root=self.release.root,
                folder=episode.folder.as_posix(),
                files=files,
                episode_id=episode.episode_id,
                trees=_trees(episode, files),
                finds=tuple(boxes.get(episode.episode_id, ())),
                secrets=secrets.get(user) or secrets[EVERYBODY],
                key=key,
                unscanned=unscanned,
                drop_unreadable=drop_unreadable,
            )

    def list_moments(self) -> list[MomentsUnit]:
        """List the moments of each person who has any."""
        users, _ = find_users(RawFolder.open(self.release.root))
        return list(list_moment_units(users))

    def moment_jobs(
        self,
        secrets: Mapping[str, PersonSecrets],
        boxes: Mapping[str, list[PixelFind]],
        key: bytes,
        *,
        unscanned: frozenset[str] = frozenset(),
        drop_unreadable: bool = False,
    ) -> Iterator[MomentsJob]:
        """Yield the job of each person's moments."""
        raw = RawFolder.open(self.release.root)
        finds: dict[str, list[PixelFind]] = {}
        for found in boxes.values():
            for find in found:
                finds.setdefault(find.file.rpartition("/")[0], []).append(find)
        for unit in self.list_moments():
            files = tuple(_list_files(raw, unit.folder))
            yield MomentsJob(
                root=self.release.root,
                user=unit.user,
                folder=unit.folder,
                list_file=unit.list_file,
                files=files,
                finds=tuple(
                    find
                    for place in sorted({file.rpartition("/")[0] for file in files})
                    for find in finds.get(place, ())
                ),
                secrets=secrets.get(unit.user) or secrets[EVERYBODY],
                key=key,
                unscanned=unscanned,
                drop_unreadable=drop_unreadable,
            )

    def redact_tables(
        self, stage: RedactionStage, secrets: Mapping[str, PersonSecrets], key: bytes
    ) -> UnitRecord:
        """Write the redacted index tables, and the settings of the release.

        Raises:
            ReleaseError: A table cannot be read.
            OSError: A table could not be written (for example, disk full).
        """
        texts = redactor_of(key, secrets[EVERYBODY]).texts(None)
        for folder, place in ((self.tables, TABLES_FOLDER), (self.release.root, "")):
            if folder is not None and read_settings_file(folder) is not None:
                words = read_file(str(folder / SETTINGS_FILE), MAX_BYTES).decode("utf-8-sig")
                (stage.root / place).mkdir(parents=True, exist_ok=True)
                (stage.root / place / SETTINGS_FILE).write_text(texts.replace(words)[0], encoding="utf-8")
        if self.tables is None:
            return UnitRecord(inputs="")
        changes = []
        place = "" if self.tables.resolve() == self.release.root else f"{TABLES_FOLDER}/"
        target = stage.root / place
        target.mkdir(parents=True, exist_ok=True)
        for name in table_files(self.tables):
            data, kinds = redact_table(
                self.tables / name,
                lambda user, episode: redactor_of(key, secrets.get(user) or secrets[EVERYBODY]).texts(
                    episode
                ),
            )
            new = redact_file_name(name, texts, kinds)
            (target / new).write_bytes(data)
            changes += [
                RedactionChange(file=f"{place}{new}", episode="", place="table", kind=kind.value, count=count)
                for kind, count in sorted(kinds.items())
            ]
        return UnitRecord(
            inputs=state_of(self.tables / name for name in table_files(self.tables)), changes=tuple(changes)
        )


def _list_files(raw: RawFolder, folder: str, depth: int = _DEPTH) -> Iterator[str]:
    listing = raw.list(folder)
    yield from (f"{folder}/{name}" for name in listing.files)
    for name in listing.folders if depth > 1 else ():
        yield from _list_files(raw, f"{folder}/{name}", depth - 1)


def _trees(episode: Episode, files: tuple[str, ...]) -> dict[str, str]:
    """Screenshot -> tree: of the same step, otherwise of the same moment."""
    screens = [parse_screen_file(name) for name in files]
    by_moment = {
        file.moment: file.path for file in screens if file.suffix == TREE_SUFFIX and file.moment is not None
    }
    found = {
        file.path: by_moment[file.moment]
        for file in screens
        if file.suffix in IMAGE_SUFFIXES and file.moment in by_moment
    }
    found.update({step.screenshot: step.tree for step in episode.steps if step.screenshot and step.tree})
    return found
