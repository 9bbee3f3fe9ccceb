"""manifest.json of a built dataset: its source, settings and counts, and the sha256 of every data file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fingertip_dataset.demographics import Demographics
from fingertip_dataset.errors import DatasetError
from fingertip_dataset.frozen_model import describe_fault
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.parquet.features import (
    ENGLISH_EXTRA_VERSION,
    ENGLISH_VERSION,
    EXTRA_VERSION,
    MOMENTS,
    REFERENCES_SINCE,
    Config,
)
from fingertip_dataset.path_kinds import explain_missing
from fingertip_dataset.release.extra_fields import ExtraKind, KeptIn
from fingertip_dataset.release.origins import UNKNOWN
from fingertip_dataset.release.provenance import Provenance
from fingertip_dataset.release.redaction import Redaction
from fingertip_dataset.release.settings import PUBLISHED, ReleaseSettings
from fingertip_dataset.split_names import ALL_SPLITS, SPLITS

MANIFEST_VERSION: Literal[3] = 3
"""Version of the layout. Version 1 lacks origins, licences, categories and people; 1 and 2 lack the hashes of
the files beside the shards. Versions newer than `MOMENTS_MANIFEST_VERSION` are refused."""

REDACTED_VERSION: Literal[4] = 4
"""Version of a redacted dataset's manifest, which states what was redacted; otherwise as version 3."""

FILTERED_VERSION: Literal[5] = 5
"""Version of the manifest of a dataset without its episodes of low quality; otherwise as version 4."""

SETTINGS_VERSION: Literal[6] = 6
"""Version of the manifest of a release with settings of its own; otherwise as version 5."""

WIDER_VERSION: Literal[7] = 7
"""Version of the manifest of a release with more than the known layout: further columns, fields and tables, a
table of validation, or a sampled test; otherwise as version 6."""

MOMENTS_MANIFEST_VERSION: Literal[8] = 8
"""Version of the manifest of a dataset with moments; otherwise as version 7."""

MANIFEST = "manifest.json"
SUBSETS = "subsets.json"
CARD = "README.md"
TABLES = "tables/"
"""Folder of the release's tables whose rows belong to no episode and no user alone."""


class ManifestPart(BaseModel):
    """Base of a manifest's models: immutable, without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class EpisodeCounts(ManifestPart):
    """Counts of episode folders of the release: given = kept + rejected (+ left out by quality)."""

    given: int = Field(ge=0)
    kept: int = Field(ge=0)
    rejected: int = Field(ge=0)


class QualityCounts(ManifestPart):
    """Episodes left out because of their quality score.

    Attributes:
        minimum: Least score of an episode that was kept, 0-1.
        left_out: Number of usable episodes with a lower score.
        by_split: Split -> number left out of it.
        unscored: Number of kept episodes without a score.
        quality_version: Version of the checks; None if the file of scores states none.
        scores_sha256: Sha256 of the file of scores, in hexadecimal.
    """

    minimum: float = Field(ge=0, le=1)
    left_out: int = Field(ge=0)
    by_split: dict[str, int]
    unscored: int = Field(ge=0)
    quality_version: int | None
    scores_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class SplitCounts(ManifestPart):
    """Counts of a split.

    Attributes:
        episodes: Number of rows.
        steps: Number of steps of all its episodes.
        screenshots: Number of steps with a screenshot.
        trees: Number of steps with an accessibility tree.
        users: Number of distinct users.
        apps: Number of distinct values of the column `app`.
        categories: Number of distinct values of the column `intent_category`; None in version 1.
    """

    episodes: int = Field(ge=0)
    steps: int = Field(ge=0)
    screenshots: int = Field(ge=0)
    trees: int = Field(ge=0)
    users: int = Field(ge=0)
    apps: int = Field(ge=0)
    categories: int | None = Field(default=None, ge=0)


class People(ManifestPart):
    """Demographics of the users; see `fingertip_dataset.demographics`.

    Attributes:
        users: Number of users.
        sexes: Sex -> number of users.
        occupations: Group of occupations -> number of users.
        ages_known: Number of users whose age is known.
        youngest: Lowest age in years; None if no age is known.
        oldest: Highest age in years; None if no age is known.
        mean_age: Mean age in years; None if no age is known.
    """

    users: int = Field(ge=0)
    sexes: dict[str, int]
    occupations: dict[str, int]
    ages_known: int = Field(ge=0)
    youngest: int | None
    oldest: int | None
    mean_age: float | None

    @classmethod
    def of(cls, people: Demographics) -> Self:
        """Convert counts of `count_people`."""
        return cls(
            users=people.users,
            sexes=people.sexes,
            occupations=people.occupations,
            ages_known=len(people.ages),
            youngest=people.ages[0] if people.ages else None,
            oldest=people.ages[-1] if people.ages else None,
            mean_age=people.mean_age,
        )


class ReferenceMethod(ManifestPart):
    """How the references were found.

    Attributes:
        similarity: "text", or the name of the embedding model.
        skip_same_task: Whether candidates of the same task were left out (A.6.7).
    """

    similarity: str
    skip_same_task: bool


class Shard(ManifestPart):
    """A Parquet file.

    Attributes:
        config: "default" or "text".
        split: Split of the episodes.
        file: Path of the file, relative to the dataset.
        rows: Number of episodes.
        bytes: Size of the file.
        sha256: Sha256 of the file, in hexadecimal.
    """

    config: Config
    split: str
    file: str = Field(pattern=r"^[a-z]+/\w+-\d{5,}-of-\d{5,}\.parquet$")
    rows: int = Field(ge=0)
    bytes: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class DataFile(ManifestPart):
    """A data file next to the shards: subsets.json, simulations.jsonl, tables of the release.

    Attributes:
        file: Name of the file in the dataset.
        bytes: Size of the file.
        sha256: Sha256 of the file, in hexadecimal.
    """

    file: str = Field(pattern=r"^(\w+\.jsonl?|tables/[^/\\\x00-\x1f]+\.csv)$")
    bytes: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    @property
    def is_table(self) -> bool:
        """Whether it is a table of the release."""
        return self.file.startswith(TABLES)


class UnknownPart(ManifestPart):
    """A column, field or table of the release that this version does not know; as `ExtraPart`."""

    kind: ExtraKind
    file: str
    name: str
    count: int = Field(ge=0)
    kept_in: KeptIn
    detail: str


class MomentCounts(ManifestPart):
    """Counts of a split of moments.

    Attributes:
        moments: Number of rows.
        wanted: Number of moments at which something is wanted.
        kinds: Kind -> number of moments, for the kinds that occur.
        users: Number of distinct users.
    """

    moments: int = Field(ge=0)
    wanted: int = Field(ge=0)
    kinds: dict[str, int]
    users: int = Field(ge=0)


class MomentData(ManifestPart):
    """The moments of a dataset, with a hash of their own: that of the episodes is the same without them.

    Attributes:
        version: Version of the moments; see `MOMENTS_VERSION`.
        splits: Split -> counts, for every split of moments.
        shards: The Parquet files of the config "moments".
        files: The files that no task shows: probabilities and patience.
        data_sha256: Hash over these shards and files; see `hash_data`.
    """

    version: str
    splits: dict[str, MomentCounts]
    shards: tuple[Shard, ...]
    files: tuple[DataFile, ...]
    data_sha256: str

    @property
    def data_files(self) -> tuple[Shard | DataFile, ...]:
        """Every file of the moments."""
        return (*self.shards, *self.files)


class BuildSource(ManifestPart):
    """Software that built the dataset.

    Attributes:
        git_commit: Commit of the source tree; None if it is not a git checkout.
        dirty: Whether the source tree had changes; None if it is not a git checkout.
        packages: Name of a package -> version.
    """

    git_commit: str | None
    dirty: bool | None
    packages: dict[str, str]


class Manifest(ManifestPart):
    """Content of manifest.json.

    Attributes:
        version: Version of the layout, at most `MOMENTS_MANIFEST_VERSION`.
        schema_version: Version of the columns.
        provenance: Kinds of the recordings, joined by "+"; see `fingertip_dataset.release.provenance`.
        origins: Origins of the data in words, each once; "unknown" if none is stated.
        licences: Ids of the data's licences in lower case, each once; "unknown" if none is stated.
        people: Demographics of the users; None in version 1.
        episodes: Counts of episode folders.
        problems: Kind of problem -> count.
        splits: Split -> counts, in the order of `ALL_SPLITS`; "sampled_test_execution" and "test_long" only
            where the release has their table.
        split_method: "official tables" or "rule A.5".
        seed: Seed of the splits and subsets.
        history: Protocol of `previous_intents` and of the references: "online" or "strict".
        references: Method by which the references were found.
        user_types: Method by which users were assigned to the two types, in words.
        shards: Every Parquet file.
        files: Every other data file; empty in versions 1 and 2. The card and croissant.json hold no data.
        data_sha256: Hash over all shards and files; see `hash_data`.
        plan: Fingerprint of the build plan: the same for the same release, tables and settings.
        source: Software that built the dataset.
        redacted: What was redacted; None for data that state nothing of it.
        quality: Episodes left out because of their quality; None if all were kept. Then
            given = kept + rejected, otherwise given = kept + rejected + left out.
        release: Settings of the release; None for those of the published one.
        extra: Columns, fields and tables of the release that this version does not know.
        vali_table: Whether the split vali is a table of the release, and not the remainder.
        unassigned: Number of kept episodes in no split: with a table of validation, those in no table.
        moments: The moments; None for a dataset without any.
    """

    version: Literal[1, 2, 3, 4, 5, 6, 7, 8]
    schema_version: int
    provenance: Provenance
    origins: tuple[str, ...] = Field(default=(UNKNOWN,), min_length=1)
    licences: tuple[str, ...] = Field(default=(UNKNOWN,), min_length=1)
    people: People | None = None
    episodes: EpisodeCounts
    problems: dict[str, int]
    splits: dict[str, SplitCounts]
    split_method: str
    seed: int
    history: Literal["online", "strict"]
    references: ReferenceMethod
    user_types: str
    shards: tuple[Shard, ...]
    files: tuple[DataFile, ...] = ()
    data_sha256: str
    plan: str
    source: BuildSource
    redacted: Redaction | None = None
    quality: QualityCounts | None = None
    release: ReleaseSettings | None = None
    extra: tuple[UnknownPart, ...] = ()
    vali_table: bool = False
    unassigned: int = Field(default=0, ge=0)
    moments: MomentData | None = None

    @property
    def split_names(self) -> tuple[str, ...]:
        """Names of the dataset's splits."""
        return tuple(split for split in ALL_SPLITS if split in SPLITS or split in self.splits)

    @property
    def settings(self) -> ReleaseSettings:
        """Language, time zone and places of the release."""
        return self.release or PUBLISHED

    @property
    def data_files(self) -> tuple[Shard | DataFile, ...]:
        """Every file of `data_sha256`: the shards, then the others; not those of the moments."""
        return (*self.shards, *self.files)

    @property
    def all_files(self) -> tuple[Shard | DataFile, ...]:
        """Every file that the manifest lists, also those of the moments."""
        return (*self.data_files, *(self.moments.data_files if self.moments else ()))

    @property
    def all_shards(self) -> tuple[Shard, ...]:
        """Every Parquet file, also those of the moments."""
        return (*self.shards, *(self.moments.shards if self.moments else ()))

    @property
    def screen_shards(self) -> tuple[Shard, ...]:
        """The Parquet files with screens, of episodes and of moments."""
        return tuple(shard for shard in self.all_shards if shard.config in ("default", MOMENTS))

    @property
    def english_names(self) -> bool:
        """Whether rows have the columns of English names."""
        return self.schema_version in (ENGLISH_VERSION, ENGLISH_EXTRA_VERSION)

    @property
    def has_extra(self) -> bool:
        """Whether rows have the column `extra`."""
        return self.schema_version >= EXTRA_VERSION

    @property
    def references_on_every_split(self) -> bool:
        """Whether every split has references; in older datasets only test_execution has them."""
        return self.schema_version >= REFERENCES_SINCE

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a manifest.

        Raises:
            DatasetError: The file is missing, is not a manifest, or has a newer version.
        """
        try:
            text = read_file(file)
        except (FileNotFoundError, NotADirectoryError) as error:
            message = explain_missing(file.parent, "a built dataset")
            raise DatasetError(message, file=file.parent) from error
        except OSError as error:
            raise DatasetError(
                f"the manifest cannot be read: {error.strerror or error}", file=file
            ) from error
        try:
            version = _ManifestVersion.model_validate_json(text).version
            if version > MOMENTS_MANIFEST_VERSION:
                raise DatasetError(
                    f"expected a manifest of version {MOMENTS_MANIFEST_VERSION} or older, got version "
                    f"{version}: install a newer fingertip-20k to read it",
                    file=file,
                )
            return cls.model_validate_json(text)
        except ValidationError as error:
            fault = f"the manifest is not valid at {describe_fault(error)}"
            raise DatasetError(fault, file=file) from error

    def write(self, file: Path) -> None:
        """Write the manifest as indented JSON; without the fields that have nothing to state."""
        unused = {
            name for name in ("redacted", "quality", "release", "moments") if getattr(self, name) is None
        }
        unused |= {name for name in ("extra", "vali_table", "unassigned") if not getattr(self, name)}
        file.write_text(self.model_dump_json(indent=2, exclude=unused) + "\n", encoding="utf-8")


def data_file(name: str, content: bytes) -> DataFile:
    """Describe a data file next to the shards by its content."""
    return DataFile(file=name, bytes=len(content), sha256=hashlib.sha256(content).hexdigest())


def hash_data(files: Iterable[Shard | DataFile]) -> str:
    """Return one sha256 for all data: over the lines "sha256  file" of sha256sum, sorted by file.

    Args:
        files: The shards and the other data files, in any order.
    """
    lines = sorted((entry.file, entry.sha256) for entry in files)
    return hashlib.sha256("".join(f"{digest}  {file}\n" for file, digest in lines).encode()).hexdigest()


class _ManifestVersion(BaseModel):
    version: int
