"""Synthetic verified results for tests of the board, and a folder of bundles with one forged bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from fingertip_dataset.parquet.manifest import BuildSource
from fingertip_leaderboard.bundle.schema import AgentCard
from fingertip_leaderboard.verified_records import (
    Benchmark,
    Conditions,
    Score,
    ShownSetting,
    Submission,
    VerifiedResults,
)

DATA = "d" * 64
SOURCE = BuildSource(git_commit=None, dirty=None, packages={"fingertip-20k": "0.1.0"})
USERS, TASKS_EACH = 12, 2
TASK_IDS = tuple(f"{user}__2025-01-{day:02}" for user in range(USERS) for day in range(TASKS_EACH))
LATER = datetime.now(UTC) + timedelta(hours=1)

HONEST = ("habit", "recent", "frequent", "judged", "replayed", "forced", "phone", "trouble", "person")
"""Names of honest runs in the workshop: both tracks, two datasets, every kind of device."""


def folder_of_bundles(shop: Workshop, folder: Path, seeds: Sequence[str] = HONEST) -> Path:
    """Write honest bundles, and one, "forged", whose claimed score is wrong."""
    for seed in seeds:
        shop.parts(seed).write(folder / seed)
    forged = shop.parts("nearest")
    forged.head["scores"]["sim1"] = 0.99
    forged.write(folder / "forged")
    return folder


PAPERS: dict[str, Any] = {
    "device": "adb",
    "decided_by": "people",
    "provenance": "recorded",
    "evidence": "on the submitter's word",
    "as_the_paper": True,
}
"""Conditions under which the paper's rows of track 2 share a table with a submission."""


def conditions(**fields: Any) -> Conditions:  # noqa: ANN401 - fields of every type
    """Conditions of a simulated phone, with changes."""
    usual: dict[str, Any] = {
        "track": "execution", "measure": "execution", "data_sha256": DATA, "split": "test_execution",
        "provenance": "simulated", "split_method": "official tables", "protocol": "release",
        "history": "online", "device": "simulated", "faults": (), "decided_by": "rule", 
        "told": ShownSetting(), "evidence": "success by rule, re-run",
    }  # fmt: skip
    return Conditions.model_validate(usual | fields)


def submission(
    name: str,
    values: Mapping[str, Sequence[float | None]],
    weights: str = "open",
    **fields: Any,  # noqa: ANN401
) -> Submission:
    """A submission with these values per task, their means, and intervals of 0.1 to each side."""
    usual: dict[str, Any] = {
        "sha256": sha256(name.encode()).hexdigest(), "file": f"{len(name)}.zip", "made": "2026-11-20",
        "card": AgentCard.model_validate(
            {"name": name, "weights": weights, "contact": "a@b.org", "links": ("https://example.org/x",)}
        ),
        "agent": "mine", "settings": {"model": "{{value}} ${1 + 1}"}, "conditions": (conditions(),),
        "told": "the person's own way", "scores": {key: score(found) for key, found in values.items()},
        "evidence": dict.fromkeys([*values, "device", "seconds", "tokens"], "recomputed"),
        "values": {key: tuple(found) for key, found in values.items()}, "by": {}, "seconds": 1.5,
        "tokens": None, "counts": {}, "caveats": ("simulated phone",), "remarks": (), "source": SOURCE,
    }  # fmt: skip
    return Submission.model_validate(usual | fields)


def score(values: Sequence[float | None]) -> Score:
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known) if known else None
    return Score(
        mean=mean,
        low=None if mean is None else mean - 0.1,
        high=None if mean is None else mean + 0.1,
        n=len(known),
        undefined=len(values) - len(known),
        users=USERS if known else 0,
    )


def results(*submissions: Submission) -> VerifiedResults:
    """Verified results of these submissions."""
    return VerifiedResults(
        checked="2026-11-20T12:00:00+08:00",
        source=SOURCE,
        benchmarks=(
            Benchmark(
                data_sha256=DATA, name="people", task_ids={"suggestion": TASK_IDS, "execution": TASK_IDS}
            ),
        ),
        given={},
        submissions=submissions,
        refused=(),
    )
