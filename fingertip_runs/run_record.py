"""What the record of any run holds: who answered, what was asked from, and every start."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field, JsonValue

from fingertip_dataset.errors import ModelError
from fingertip_dataset.frozen_model import FrozenModel, OmitDefaults
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.manifest import BuildSource
from fingertip_dataset.parquet.source import source
from fingertip_dataset.times import now_text


class AgentRecord(FrozenModel):
    """Who answered."""

    name: str
    settings: dict[str, JsonValue]

    @classmethod
    def of(cls, name: str, settings: Mapping[str, object]) -> AgentRecord:
        """The record of an agent.

        Raises:
            ModelError: Its settings are not what JSON holds.
        """
        try:
            plain: dict[str, Any] = json.loads(json.dumps(dict(settings), allow_nan=False))
        except (TypeError, ValueError) as error:
            raise ModelError(f"expected settings of agent {name} as JSON, got {error}") from error
        return cls(name=name, settings=plain)


class DatasetRecord(FrozenModel):
    """What was asked from; the fields are those of the dataset's manifest."""

    path: str
    data_sha256: str
    provenance: str
    split_method: str
    seed: int

    @classmethod
    def of(cls, built: BuiltDataset, path: Path) -> DatasetRecord:
        """The record of a built dataset that lies at `path`."""
        manifest = built.manifest
        return cls(
            path=str(path),
            data_sha256=manifest.data_sha256,
            provenance=manifest.provenance,
            split_method=manifest.split_method,
            seed=manifest.seed,
        )


class Session(OmitDefaults):
    """One start of the run.

    Attributes:
        started: When, in ISO 8601 with its zone.
        source: With what code.
        concurrency: Most questions to a model at once; None where it is not said.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"concurrency"})

    started: str
    source: BuildSource
    concurrency: int | None = Field(default=None, ge=1, le=100_000)

    @classmethod
    def now(cls) -> Session:
        """The start that happens now."""
        return cls(started=now_text(), source=source())


class RunRecord(FrozenModel):
    """run.json, as far as the tracks have it in common.

    Attributes:
        LATEST: Version that is written; a newer one is refused.
        version: Of the run's folder. In version 1 the lines of the log hold the targets; from 2 on they
            stand in targets.jsonl. A folder of version 1 that goes on is one of version 2 from then on.
        track: Of the benchmark: "suggestion" or "execution".
        agent: Who answers.
        dataset: What is asked from.
        split: Of the dataset.
        tasks: How many tasks are asked.
        sessions: Every start of the run, the first one first.
    """

    LATEST: ClassVar[int] = 2

    version: int
    track: str
    agent: AgentRecord
    dataset: DatasetRecord
    split: str
    tasks: int = Field(gt=0)
    sessions: tuple[Session, ...]

    def identity(self) -> dict[str, Any]:
        """What must be equal for two records to be of the same run: flat, name -> value."""
        fields = self.model_dump(exclude={"version": True, "sessions": True, "dataset": {"path"}})
        flat: dict[str, Any] = {}
        for name, value in fields.items():
            flat |= (
                {f"{name}.{key}": part for key, part in value.items()}
                if isinstance(value, dict)
                else {name: value}
            )
        return flat
