"""Check that the runs of one command are of one track; the tracks have different scores and pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def track_of_runs(runs: Sequence[Path]) -> str:
    """Return the track of all runs: "suggestion" or "execution".

    Raises:
        RunError: A path is not the folder of a run.
        UsageError: The runs are of different tracks.
    """
    from fingertip_dataset.errors import UsageError
    from fingertip_runs.run_folder import track_of

    tracks = {track_of(run): run for run in runs}
    if len(tracks) > 1:
        named = " and ".join(f"{run} of track {track}" for track, run in sorted(tracks.items()))
        raise UsageError(f"expected runs of one track, got {named}")
    (track,) = tracks
    if track not in ("suggestion", "execution"):
        raise UsageError(f"expected a run of track suggestion or execution, got {track!r}", file=runs[0])
    return track
