"""export.json: what an export was made of, and what it contains."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, JsonValue, ValidationError

from fingertip_dataset.errors import DatasetError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.manifest import BuildSource
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_runs.memory_record import MemoryRecord
from fingertip_runs.run_record import AgentRecord, DatasetRecord
from fingertip_training.dropped_steps import DroppedKind
from fingertip_training.export_order import RowFormat, TrainingTrack
from suggestion_runner.suggestion_records import Hidden

EXPORT_RECORD = "export.json"
EXPORT_VERSION: Literal[1] = 1


class ExportedSplit(FrozenModel):
    """Counts of one file of rows.

    Attributes:
        file: Name of the file.
        split: Split of the episodes.
        episodes: Number of episodes with at least one sample.
        samples: Number of rows, by track.
        users: Number of people with at least one sample.
        pictures: Number of pictures in all rows; rows may share a file.
        longest_text: Characters of the prompt and answer of the longest row, without its pictures.
        longest_answer: Characters of the longest answer.
        dropped: What was left out, by kind.
    """

    file: str
    split: str
    episodes: int = Field(ge=0)
    samples: dict[str, int]
    users: int = Field(ge=0)
    pictures: int = Field(ge=0)
    longest_text: int = Field(ge=0)
    longest_answer: int = Field(ge=0)
    dropped: tuple[DroppedKind, ...] = ()

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(self.samples.values())


class PairRun(FrozenModel):
    """Month run that preference pairs are made of.

    Attributes:
        path: Its folder, as it was given.
        agent: Its agent, with all settings.
        predictions_sha256: Sha256 of its predictions.jsonl.
    """

    path: str
    agent: AgentRecord
    predictions_sha256: str


class ExportedPairs(FrozenModel):
    """Origin of an export's preference pairs, and what their prompts show.

    Attributes:
        runs: The month runs.
        kinds: Number of pairs, by kind.
        screenshots: Number of first screens in the prompts.
        memory: Memory that recalled what they show of the person's past.
        protocol: Episodes that earlier intents may come from.
        without: Hidden parts.
    """

    runs: tuple[PairRun, ...]
    kinds: dict[str, int]
    screenshots: int = Field(ge=0)
    memory: MemoryRecord | None
    protocol: HistoryProtocol
    without: tuple[Hidden, ...] = ()


class ExportRecord(FrozenModel):
    """Content of export.json.

    Attributes:
        version: Version of the record.
        track: Track of the samples.
        format: Framework whose rows are written.
        dataset: The dataset.
        manifest_sha256: Sha256 of the dataset's manifest.json.
        agents: Agent of each track, with the version of its prompt and all settings that the prompts have.
        options: The options of the export by name.
        seed: Seed of the draw, and of the order of a joint export.
        with_pictures: Whether rows have a column of pictures.
        picture_files: Number of distinct pictures.
        picture_bytes: Bytes of the distinct pictures.
        decoder: Name and version of the decoder of pictures; "" without pictures, and in older exports.
        embedded: Whether the pictures are within the files of rows.
        splits: Counts of each file of rows.
        pairs: Origin of the preference pairs; None for samples with one answer.
        created: Time of the export, ISO 8601 with time zone.
        source: Version of the code.
    """

    version: Literal[1] = EXPORT_VERSION
    track: TrainingTrack
    format: RowFormat
    dataset: DatasetRecord
    manifest_sha256: str
    agents: dict[str, AgentRecord]
    options: dict[str, JsonValue]
    seed: int
    with_pictures: bool
    picture_files: int = Field(ge=0)
    picture_bytes: int = Field(ge=0)
    decoder: str = ""
    embedded: bool
    splits: tuple[ExportedSplit, ...]
    pairs: ExportedPairs | None = None
    created: str
    source: BuildSource

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the record of an export.

        Raises:
            DatasetError: The folder is no export, or its record is broken or of a newer version.
        """
        file = folder / EXPORT_RECORD
        try:
            return cls.model_validate_json(file.read_bytes())
        except FileNotFoundError:
            raise DatasetError("no export: `fingertip export` makes one", file=folder) from None
        except OSError as error:
            raise DatasetError(f"the file cannot be read: {error.strerror or error}", file=file) from None
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or "the file"
            raise DatasetError(f"{place} is wrong: {first['msg']}: export again", file=file) from None
