"""The episode folders of a release, and what is there twice."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import RawFolder
from fingertip_dataset.release.spelling import plain_time
from fingertip_dataset.release.user_folders import UserFolder, unexpected

_DEPTH = 3
"""Folders below an episode that are compared: the release has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFolder:
    """A folder that may hold an episode.

    Attributes:
        user_id: From the user's folder, plainly spelled.
        time: From the episode's folder, plainly spelled; None where that is no time.
        path: Relative to the release.
        fault: Why the episode is rejected, so far; None where it is not.
    """

    user_id: str
    time: str | None
    path: str
    fault: Problem | None = None

    @property
    def episode_id(self) -> str:
        """`{user_id}__{time}`, with the folder's name where that is no time."""
        return f"{self.user_id}__{self.time or self.path.rpartition('/')[2]}"

    def rejected(self, kind: ProblemKind, detail: str) -> EpisodeFolder:
        """The same with a fault."""
        fault = Problem(kind=kind, detail=detail, episode_id=self.episode_id, file=self.path)
        return replace(self, fault=fault)


def find_episodes(
    raw: RawFolder, users: Sequence[UserFolder]
) -> tuple[tuple[EpisodeFolder, ...], tuple[Problem, ...]]:
    """Every episode folder by user and time, and what else lies in the users' folders.

    Folders of one user and time that hold the same files are one episode, and the others of them duplicates;
    where they hold different files, none of them is believed.
    """
    found: dict[str, list[EpisodeFolder]] = {}
    problems: list[Problem] = []
    for user in users:
        leaving = [name for name in user.listing.outside if plain_time(name)]
        problems += user.listing.without(leaving).problems(user.path)
        problems += (unexpected(f"{user.path}/{name}", "folders of episodes") for name in user.listing.files)
        for name in (*user.listing.folders, *leaving):
            folder = _episode_folder(user, name, leaves=name in leaving)
            found.setdefault(folder.episode_id, []).append(folder)
            if folder.fault is None and {*folder.path.split("/")} != {folder.user_id, folder.time}:
                problems.append(_spelling(folder))
    groups = (_settled(raw, found[episode_id]) for episode_id in found)
    return tuple(folder for group in groups for folder in group), tuple(problems)


def _episode_folder(user: UserFolder, name: str, *, leaves: bool) -> EpisodeFolder:
    time = plain_time(name)
    folder = EpisodeFolder(user_id=user.user_id, time=time, path=f"{user.path}/{name}")
    if leaves:
        detail = "expected a folder of the release, got a link that leaves it"
        return folder.rejected(ProblemKind.EPISODE_OUTSIDE, detail)
    if time is None:
        detail = f"expected a folder named YYYYMMDD_HHMMSS, got {name}"
        return folder.rejected(ProblemKind.BAD_FOLDER_NAME, detail)
    return folder


def _spelling(folder: EpisodeFolder) -> Problem:
    return Problem(
        kind=ProblemKind.FOLDER_SPELLING,
        detail=f"expected {folder.user_id}/{folder.time}, got {folder.path}",
        episode_id=folder.episode_id,
        file=folder.path,
    )


def _settled(raw: RawFolder, group: list[EpisodeFolder]) -> Iterable[EpisodeFolder]:
    """Folders of one user and time, of which at most one has no fault."""
    usable = [folder for folder in group if folder.fault is None]
    if len(usable) < 2:
        return group
    first, *others = usable
    others_paths = [folder.path for folder in others]
    kept = group
    if all(_same(raw, first.path, path, _DEPTH) for path in others_paths):
        detail = f"expected one recording, got the same in {first.path}"
        again = {f.path: f.rejected(ProblemKind.DUPLICATE_EPISODE, detail) for f in others}
    else:
        detail = f"expected one recording, got different ones in {first.path} and {', '.join(others_paths)}"
        again = {f.path: f.rejected(ProblemKind.CONFLICTING_EPISODES, detail) for f in usable}
    return [again.get(folder.path, folder) for folder in kept]


def _same(raw: RawFolder, one: str, other: str, depth: int) -> bool:
    """Whether two folders hold the same names and bytes, down to a depth."""
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
    return files and all(_same(raw, f"{one}/{name}", f"{other}/{name}", depth - 1) for name in here.folders)
