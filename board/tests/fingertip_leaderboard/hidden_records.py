"""Records of hidden tests for tests of the board, with valid hashes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from board.tests.fingertip_leaderboard.boards import SOURCE
from fingertip_leaderboard.bundle.schema import AgentCard
from fingertip_leaderboard.hidden_records import (
    BENCHMARK_VERSION,
    HiddenBenchmark,
    HiddenResult,
    HiddenRow,
    HiddenTestRecord,
    Measured,
    record_content,
)
from fingertip_leaderboard.hidden_secret import HiddenSecret
from fingertip_leaderboard.verified_records import Score, ShownSetting

SECRET, OTHER_SECRET = (HiddenSecret(hashlib.sha256(name).digest()) for name in (b"one", b"other"))
SECRETS = {secret.commitment: secret for secret in (SECRET, OTHER_SECRET)}
COMMITMENT, OTHER = SECRETS


def row(sr2: float, **fields: Any) -> HiddenRow:  # noqa: ANN401 - fields of every type
    """A row of track 2 with this SR_2."""
    score = Score(mean=sr2, low=max(0.0, sr2 - 0.1), high=min(1.0, sr2 + 0.1), n=20, undefined=0, users=20)
    usual: dict[str, Any] = {
        "track": "execution", "measure": "execution", "protocol": "release", "history": "online",
        "decided_by": "rule", "told": ShownSetting(), "agent": "mine", "settings": {}, "tasks": 20,
        "users": 20, "scores": {"sr2": score}, "counts": {}, "tokens": None, "caveats": (), "remarks": (),
        "installed": None,
    }  # fmt: skip
    return HiddenRow.model_validate(usual | fields)


def record(
    name: str, *rows: HiddenRow, commitment: str = COMMITMENT, version: int = BENCHMARK_VERSION
) -> HiddenTestRecord:
    """A record of these rows, by default one with an SR_2 of 0.5."""
    result = HiddenResult(
        benchmark=HiddenBenchmark(
            version=version,
            users=20,
            episodes=40,
            screen=(360, 800),
            commitment=commitment,
            tasks_mac=commitment,
        ),
        card=AgentCard(name=name, weights="open", model="m", contact="a@b.org"),
        rows=rows or (row(0.5),),
        source=SOURCE,
    )
    measured = Measured(made="2026-11-22T12:00:00+08:00", seconds={"execution": 1.5})
    content = record_content(result, measured)
    mac = SECRETS[commitment].mac("record", content)
    digest = hashlib.sha256(content).hexdigest()
    return HiddenTestRecord(result=result, measured=measured, sha256=digest, mac=mac)


def written(found: HiddenTestRecord, file: Path) -> Path:
    """The record in a file."""
    file.write_text(json.dumps(found.model_dump(mode="json"), ensure_ascii=False), encoding="utf-8")
    return file
