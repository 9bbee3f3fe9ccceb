"""Check of a raw release: every problem of its folders, its tables and the content of its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.release.extra_fields import ExtraPart
from fingertip_dataset.release.moment_files import wrap_moment
from fingertip_dataset.release.problems import Problem, count_problems
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.screens.content import read_content
from fingertip_dataset.release.settings import PUBLISHED, ReleaseSettings
from fingertip_dataset.release.tables.keyed_table import TableCount


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseCheck:
    """Result of a check of a release.

    Attributes:
        given: Number of episode folders.
        kept: Number of usable episode folders.
        rejected: Number of unusable episode folders; given = kept + rejected.
        steps: Number of steps of the kept episodes.
        problems: All problems, those of the tables first, then by user and time.
        tables: File of a table -> counts of its rows, given = kept + merged + refused; empty without tables.
        provenance: Provenance that the surveys state; "recorded" if they state none.
        settings: Language, time zone and places of the release.
        parts: Columns, fields and tables that this version does not know; they are no problems.
    """

    given: int
    kept: int
    rejected: int
    steps: int
    problems: tuple[Problem, ...]
    tables: Mapping[str, TableCount]
    provenance: str
    settings: ReleaseSettings = PUBLISHED
    parts: tuple[ExtraPart, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Number of problems of each kind."""
        return count_problems(self.problems)


@accept_path_texts
def check_release(
    raw: Path,
    tables: Path | None = None,
    *,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> ReleaseCheck:
    """Read a release and open every screenshot and tree of its kept episodes and moments, as `build` does.

    Args:
        raw: Folder of the users' folders.
        tables: Folder of the index tables; None looks for them in `raw` and `raw/tables`.
        on_progress: Callback with the stage ("folders", then "screens"), the number done, and the total.

    Raises:
        UsageError: `raw` is not a folder, or has no user's folder.
        ReleaseError: `tables` has none of the index tables.
    """

    def progress(stage: str) -> Callable[[int, int], None] | None:
        return on_progress and partial(on_progress, stage)

    release = read_release(raw, tables, on_progress=progress("folders"))
    problems = list(release.problems)
    advance = progress("screens")
    if advance:
        advance(0, release.kept + len(release.moments))
    screens = chain(release.episodes, (wrap_moment(one, UserProfile()) for one in release.moments))
    for done, episode in enumerate(screens, 1):
        problems += read_content(release.root, episode)[1]
        if advance:
            advance(done, release.kept + len(release.moments))
    return ReleaseCheck(
        given=release.given,
        kept=release.kept,
        rejected=release.rejected,
        steps=sum(len(episode.steps) for episode in release.episodes),
        problems=tuple(problems),
        tables=release.tables.counts if release.tables else {},
        provenance=release.provenance,
        settings=release.settings,
        parts=release.parts,
    )
