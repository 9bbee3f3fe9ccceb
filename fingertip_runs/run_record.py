"""Fields that the records of all runs share: agent, dataset, split, tasks and sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field, JsonValue

from fingertip_dataset.errors import ModelError
from fingertip_dataset.frozen_model import FrozenModel, OmitDefaults
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.manifest import BuildSource
from fingertip_dataset.parquet.source import source
from fingertip_dataset.release.provenance import Provenance
from fingertip_dataset.times import now_text
from fingertip_models.secret_fields import mask_secret_fields
from fingertip_runs.benchmark_versions import BenchmarkVersions
from fingertip_runs.try_names import MOST_REPEATS


class AgentRecord(FrozenModel):
    """The agent of a run: its name and settings."""

    name: str
    settings: dict[str, JsonValue]

    @classmethod
    def of(cls, name: str, settings: Mapping[str, object]) -> AgentRecord:
        """The record of an agent; what fields named as secrets hold is masked.

        Raises:
            ModelError: The settings cannot be written as JSON.
        """
        try:
            written = json.dumps(mask_secret_fields(dict(settings)), allow_nan=False)
            plain: dict[str, Any] = json.loads(written)
        except (TypeError, ValueError) as error:
            raise ModelError(f"the settings of agent {name} are not JSON: {error}") from error
        return cls(name=name, settings=plain)


class DatasetRecord(OmitDefaults):
    """The dataset of a run: its absolute path ("" in a bundle), and fields of its manifest.

    Attributes:
        moments_sha256: Hash of the moments, which `data_sha256` does not cover; "" for runs on episodes.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"moments_sha256"})

    path: str
    data_sha256: str
    provenance: Provenance
    split_method: str
    seed: int
    moments_sha256: str = ""

    @classmethod
    def of(cls, built: BuiltDataset, path: Path, *, moments: bool = False) -> DatasetRecord:
        """The record of a built dataset at `path`.

        Args:
            built: The dataset.
            path: Path of the dataset.
            moments: Whether the tasks are its moments.

        Raises:
            UsageError: It has no moments.
        """
        manifest = built.manifest
        return cls(
            # absolute, so that the run can be scored and shown from another folder
            path=str(path.absolute()),
            data_sha256=manifest.data_sha256,
            provenance=manifest.provenance,
            split_method=manifest.split_method,
            seed=manifest.seed,
            moments_sha256=built.require_moments().data_sha256 if moments else "",
        )


class ConfigFile(FrozenModel):
    """The file of options that a call read by --config.

    Attributes:
        file: Name of the file, without its folder.
        sha256: Hash of its content.
        options: Options whose values the call took from it, without their hyphens; others stood on the
            command line or have their defaults.
    """

    file: str = Field(min_length=1, max_length=255)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    options: tuple[str, ...] = Field(max_length=200)


CALL_CONFIG: ContextVar[ConfigFile | None] = ContextVar("call_config", default=None)
"""File of options of the call that is going on. Like the version of the code it is a fact of the call and not
an argument of the run, and every command that makes a run records it."""


CALL_REPEATS: ContextVar[int] = ContextVar("call_repeats", default=1)
"""Number of tries of each task that the call makes; each try records it when it starts."""


MOST_SOFTWARE = 20
"""Most facts about what answered, of which a server writes some."""

SoftwareText = Annotated[str, Field(max_length=200)]


class Session(OmitDefaults):
    """A start of a run.

    Attributes:
        started: Time of the start, ISO 8601 with time zone.
        source: Version of the code.
        concurrency: Maximum number of concurrent model queries; None if not recorded.
        config: File of options of the call; None without one.
        software: What answered, as it says of itself: packages of a local model with their versions, or the
            server's name, version, weights and context. Empty if unknown, and before the first answer.
        repeats: Number of tries of each task that the call made (`--repeats`).
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"concurrency", "config", "software", "repeats"})

    started: str
    source: BuildSource
    concurrency: int | None = Field(default=None, ge=1, le=100_000)
    config: ConfigFile | None = None
    software: dict[str, SoftwareText] = Field(default={}, max_length=MOST_SOFTWARE)
    repeats: int = Field(default=1, ge=1, le=MOST_REPEATS)

    @classmethod
    def now(cls) -> Session:
        """A session that starts now."""
        return cls(started=now_text(), source=source(), config=CALL_CONFIG.get(), repeats=CALL_REPEATS.get())


class RunRecord(FrozenModel):
    """Fields of run.json that both tracks share.

    Attributes:
        LATEST: Version that is written; a newer version is refused.
        version: Version of the folder's format. In version 1 the lines of the log hold the targets; since
            version 2 targets.jsonl does. Resuming a folder of version 1 upgrades it to version 2.
        track: Track of the benchmark: "suggestion" or "execution".
        agent: The agent.
        dataset: The dataset of the tasks.
        split: Name of the split.
        tasks: Number of tasks.
        sessions: Every start of the run, in order.
        versions: Versions of what the scores depend on; None in runs made before they were recorded.
    """

    LATEST: ClassVar[int] = 2

    version: int
    track: str
    agent: AgentRecord
    dataset: DatasetRecord
    split: str
    tasks: int = Field(gt=0)
    sessions: tuple[Session, ...]
    versions: BenchmarkVersions | None = None

    def explain_difference(self, earlier: RunRecord) -> str | None:
        """Return why this record cannot continue an earlier run, where its fields alone do not say it."""
        return None

    def identity(self) -> dict[str, Any]:
        """Dotted name -> value of the fields that must be equal for two records to be of the same run.

        Where a model runs is none of them: servers move, and `RunLog` compares what they tell of themselves.
        """
        place = {"settings": {"base_url"}}
        fields = self.model_dump(
            exclude={"version": True, "sessions": True, "dataset": {"path"}, "agent": place}
        )
        flat: dict[str, Any] = {}
        for name, value in fields.items():
            flat |= (
                {f"{name}.{key}": part for key, part in value.items()}
                if isinstance(value, dict)
                else {name: value}
            )
        return flat
