"""Runs that are named together are of one track: the tracks have other scores and other pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def track_of_runs(runs: Sequence[Path]) -> str:
    """The track that all runs are of, "suggestion" or "execution".

    Raises:
        RunError: One is no run.
        UsageError: They are of both tracks.
    """
    from fingertip_dataset.errors import UsageError
    from fingertip_runs.run_folder import track_of

    # the first runs of track 1 did not say which they are of
    tracks = {track_of(run) or "suggestion": run for run in runs}
    if len(tracks) > 1:
        named = " and ".join(f"{run} of track {track}" for track, run in sorted(tracks.items()))
        raise UsageError(f"expected runs of one track, got {named}")
    (track,) = tracks
    if track not in ("suggestion", "execution"):
        raise UsageError(f"expected a run of track suggestion or execution, got {track!r}", file=runs[0])
    return track
