"""Everything that is wrong with a raw release, counted: folders, tables, and the content of every file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fingertip_dataset.release.content import read_content
from fingertip_dataset.release.keyed_table import TableCount
from fingertip_dataset.release.problems import Problem, count_problems
from fingertip_dataset.release.read_release import read_release


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseCheck:
    """What a check of a release found.

    Attributes:
        given: Episode folders found.
        kept: Those that can be used.
        rejected: The others; given = kept + rejected.
        steps: Steps of the kept episodes.
        problems: Every one, those of the tables first, then by user and time.
        tables: File -> its rows, given = kept + merged + refused; empty without tables.
        provenance: What the surveys say of themselves, "recorded" where they say nothing.
    """

    given: int
    kept: int
    rejected: int
    steps: int
    problems: tuple[Problem, ...]
    tables: Mapping[str, TableCount]
    provenance: str

    @property
    def counts(self) -> dict[str, int]:
        """Kind of problem -> how many."""
        return count_problems(self.problems)


def check_release(
    raw: Path,
    tables: Path | None = None,
    *,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> ReleaseCheck:
    """Read a release and open every screenshot and tree of its kept episodes, as `build` does.

    Args:
        raw: The folder of the users' folders.
        tables: The folder of the index tables; without it they are looked for in `raw` and `raw/tables`.
        on_progress: Called with what is being read ("folders", then "screens"), how many are done, and of how
            many.

    Raises:
        UsageError: `raw` is no folder, or no user's folder is in it.
        ReleaseError: None of the tables is in `tables`.
    """

    def progress(stage: str) -> Callable[[int, int], None] | None:
        return on_progress and partial(on_progress, stage)

    release = read_release(raw, tables, on_progress=progress("folders"))
    problems = list(release.problems)
    advance = progress("screens")
    for done, episode in enumerate(release.episodes, 1):
        problems += read_content(release.root, episode)[1]
        if advance:
            advance(done, release.kept)
    return ReleaseCheck(
        given=release.given,
        kept=release.kept,
        rejected=release.rejected,
        steps=sum(len(episode.steps) for episode in release.episodes),
        problems=tuple(problems),
        tables=release.tables.counts if release.tables else {},
        provenance=release.provenance,
    )
