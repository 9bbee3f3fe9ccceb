"""Episode folders of a release, and detection of duplicates among them."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import RawFolder
from fingertip_dataset.release.spelling import normalize_time
from fingertip_dataset.release.user_folders import (
    MOMENTS_FILE,
    MOMENTS_FOLDER,
    UserFolder,
    report_unexpected,
)

_DEPTH = 3
"""Depth of folders compared below an episode; the release has one level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFolder:
    """A folder that may hold an episode.

    Attributes:
        user_id: Normalized name of the user's folder.
        time: Normalized name of the episode's folder; None if the name is not a time.
        path: Path of the folder, relative to the release.
        fault: Reason to reject the episode, as far as known.
    """

    user_id: str
    time: str | None
    path: str
    fault: Problem | None = None

    @property
    def episode_id(self) -> str:
        """`{user_id}__{time}`, with the folder's name if it is not a time."""
        return f"{self.user_id}__{self.time or self.path.rpartition('/')[2]}"

    def reject(self, kind: ProblemKind, detail: str) -> EpisodeFolder:
        """Return a copy with a fault."""
        fault = Problem(kind=kind, detail=detail, episode_id=self.episode_id, file=self.path)
        return replace(self, fault=fault)


def find_episodes(
    raw: RawFolder, users: Sequence[UserFolder]
) -> tuple[tuple[EpisodeFolder, ...], tuple[Problem, ...]]:
    """Find every episode folder, by user and time, and report_unexpected files in the users' folders.

    Of folders of one user and time with the same files the first is used and the others are duplicates; if
    their files differ, none is used.
    """
    groups: dict[str, list[EpisodeFolder]] = {}
    problems: list[Problem] = []
    for user in users:
        own = (MOMENTS_FILE, MOMENTS_FOLDER)
        outside = dict.fromkeys(name for name in user.listing.outside if normalize_time(name))
        problems += user.listing.without(outside).problems(user.path)
        problems += (
            report_unexpected(f"{user.path}/{name}", "folders of episodes")
            for name in user.listing.files
            if name not in own
        )
        for name in (*(name for name in user.listing.folders if name not in own), *outside):
            folder = _make_folder(user, name, is_outside=name in outside)
            groups.setdefault(folder.episode_id, []).append(folder)
            if folder.fault is None and {*folder.path.split("/")} != {folder.user_id, folder.time}:
                problems.append(_report_spelling(folder))
    folders = (folder for group in groups.values() for folder in _reject_duplicates(raw, group))
    return tuple(folders), tuple(problems)


def _make_folder(user: UserFolder, name: str, *, is_outside: bool) -> EpisodeFolder:
    time = normalize_time(name)
    folder = EpisodeFolder(user_id=user.user_id, time=time, path=f"{user.path}/{name}")
    if is_outside:
        detail = "expected a folder of the release, got a link that leaves it"
        return folder.reject(ProblemKind.EPISODE_OUTSIDE, detail)
    if time is None:
        detail = f"expected a folder named YYYYMMDD_HHMMSS, got {name}"
        return folder.reject(ProblemKind.BAD_FOLDER_NAME, detail)
    return folder


def _report_spelling(folder: EpisodeFolder) -> Problem:
    return Problem(
        kind=ProblemKind.FOLDER_SPELLING,
        detail=f"expected {folder.user_id}/{folder.time}, got {folder.path}",
        episode_id=folder.episode_id,
        file=folder.path,
    )


def _reject_duplicates(raw: RawFolder, group: list[EpisodeFolder]) -> Iterable[EpisodeFolder]:
    """Reject duplicate or conflicting folders of one user and time; at most one stays without a fault."""
    usable = [folder for folder in group if folder.fault is None]
    if len(usable) < 2:
        return group
    first, *others = usable
    others_paths = [folder.path for folder in others]

    if all(_are_equal(raw, first.path, path, _DEPTH) for path in others_paths):
        detail = f"expected one recording, got the same in {first.path}"
        rejected = {f.path: f.reject(ProblemKind.DUPLICATE_EPISODE, detail) for f in others}
    else:
        detail = f"expected one recording, got different ones in {first.path} and {', '.join(others_paths)}"
        rejected = {f.path: f.reject(ProblemKind.CONFLICTING_EPISODES, detail) for f in usable}
    return [rejected.get(folder.path, folder) for folder in group]


def _are_equal(raw: RawFolder, one: str, other: str, depth: int) -> bool:
    """Whether two folders have the same names and bytes, down to a depth."""
    # one folder may be a link to the other
    if os.path.realpath(raw.path(one)) == os.path.realpath(raw.path(other)) or depth == 0:
        return True
    here, there = raw.list(one), raw.list(other)
    if here != there or here.error:
        return False
    try:
        files = all(
            filecmp.cmp(raw.path(f"{one}/{name}"), raw.path(f"{other}/{name}"), shallow=False)
            for name in here.files
        )
    except OSError:
        return False
    return files and all(
        _are_equal(raw, f"{one}/{name}", f"{other}/{name}", depth - 1) for name in here.folders
    )
