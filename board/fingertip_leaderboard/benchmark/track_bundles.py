"""Bundles of the runs of a benchmark: one a track, written again only where something of them has changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from fingertip_leaderboard.benchmark.track_scores import OpenJudge, open_no_judge
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.draft import check_ranked, draft_bundle, join_tries
from fingertip_leaderboard.bundle.make import write_bundle
from fingertip_leaderboard.bundle.schema import AgentCard, Embedding
from fingertip_metrics.embedders import Embedder
from fingertip_runs.repeats import is_repeated, list_tries


def write_track_bundle(
    run: Path,
    out: Path,
    card: AgentCard,
    *,
    embedder: tuple[Embedding, Embedder] | None = None,
    open_judge: OpenJudge = open_no_judge,
) -> Path:
    """Write the bundle of a run, or keep the one that is there where it says the same.

    Args:
        run: Folder of a finished run of either track, or of its tries.
        out: Parent folder of the bundle, which gets the name of the run's folder.
        card: Description of the agent for the board.
        embedder: Track 1: embedder of Sim_1 with its name.
        open_judge: Track 1: opens the judge of SR_1 for a run, which answers from its cache.

    Raises:
        RunError: No board takes such a run, or the bundle cannot be written.
        UsageError: The bundle would hold a secret.
    """
    tries = list_tries(run)
    for one in tries:
        check_ranked(one)
    drafts = []
    for one in tries:
        with open_judge(one) as judge:
            drafts.append(draft_bundle(one, card, embedder=embedder, judge=judge))
    draft = join_tries(run, drafts) if is_repeated(run) else drafts[0]
    place = out / run.name
    if place.exists():
        if _read_head(place) == _leave_time_out(draft.bundle.model_dump(mode="json")):
            return place
        shutil.rmtree(place)
    return write_bundle(draft, out)


def _read_head(bundle: Path) -> dict[str, Any]:
    """Content of bundle.json without the time at which it was made; empty for a broken one."""
    try:
        content: dict[str, Any] = json.loads((bundle / BUNDLE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return _leave_time_out(content)


def _leave_time_out(content: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != "made"}
