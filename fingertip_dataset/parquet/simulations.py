"""How the phones of simulated episodes were set up: a file of a built dataset that only simulated ones have.

It lies beside the columns, not among them: what a phone was set up for says what the person wanted, and no
agent may read it as data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError, ReleaseError
from fingertip_dataset.release.raw_folder import RawFolder, read_file
from fingertip_dataset.release.read_release import Release
from fingertip_dataset.release.surveys import MAX_SURVEY_BYTES, SURVEY_FILE

SIMULATIONS = "simulations.jsonl"
FIELD = "simulation"
"""Of survey_result.json."""


def gather_simulations(release: Release) -> str:
    """The lines of the file, an episode each; "" where none is simulated."""
    raw = RawFolder.open(release.root)
    lines = []
    for episode in release.episodes:
        try:
            survey = json.loads(read_file(raw.path(f"{episode.folder}/{SURVEY_FILE}"), MAX_SURVEY_BYTES))
        except (ReleaseError, ValueError, RecursionError):  # check has told of it
            continue
        if isinstance(survey, dict) and isinstance(survey.get(FIELD), dict):
            line = {"episode_id": episode.intent.episode_id, FIELD: survey[FIELD]}
            lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines)


def read_simulations(file: Path) -> dict[str, Mapping[str, Any]]:
    """What a dataset's file says; empty where it has none.

    Raises:
        DatasetError: A line is not what it should be.
    """
    if not file.exists():
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            record = json.loads(line)
            found[str(record["episode_id"])] = dict(record[FIELD])
        except (ValueError, LookupError, TypeError) as error:
            raise DatasetError(
                f"expected an episode id and its simulation, got {error!r}", file=file, line=number
            ) from None
    return found
