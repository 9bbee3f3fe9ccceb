"""An episode held outside of its release until it was inspected, for example for private parts."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from fingertip_dataset.errors import UsageError

WriteEpisode = Callable[[Path], Path]
"""Function of a release's folder that writes one episode there and returns the episode's folder."""

InspectRelease = Callable[[Path], Path | None]
"""Function of the folder of a release that holds only the new episode. It returns the folder of the release
to keep, the same one or a changed copy beside it, or None to drop the episode."""


def keep_inspected(out: Path, write: WriteEpisode, inspect: InspectRelease) -> Path | None:
    """Write an episode, have it inspected, and move what is kept to its release.

    Until then its files are in a folder of the system for temporary files, readable by its owner only; it is
    removed at the end, whatever happens. In `out` the episode appears complete or not at all.

    Args:
        out: Folder of the release; made if needed, once the episode is kept.
        write: Writes the episode.
        inspect: Inspects it, and decides.

    Returns:
        The episode's folder in `out`; None if it was dropped.

    Raises:
        UsageError: The episode exists already.
    """
    with tempfile.TemporaryDirectory(prefix="fingertip-held-") as folder:
        held = Path(folder) / "raw"
        episode = write(held).relative_to(held)
        if (out / episode).exists():
            raise UsageError("the episode already exists", file=out / episode)
        kept = inspect(held)
        return None if kept is None else _move(kept / episode, out, episode)


def _move(source: Path, out: Path, episode: Path) -> Path:
    target = out / episode
    target.parent.mkdir(parents=True, exist_ok=True)
    # first into the release's file system, because only a rename within one is atomic
    hidden = Path(tempfile.mkdtemp(prefix=".recording-", dir=out))
    try:
        shutil.copytree(source, hidden / episode.name)
        (hidden / episode.name).rename(target)
    except FileExistsError:
        raise UsageError("the episode already exists", file=target) from None
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
    return target
