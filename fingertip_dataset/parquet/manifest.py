"""manifest.json of a built dataset: what went in, what came out, and the sha256 of every shard."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fingertip_dataset.demographics import Demographics
from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.features import Config
from fingertip_dataset.release.origins import UNKNOWN

MANIFEST_VERSION: Literal[2] = 2
"""Of this file's layout: 1 has no origins, licences, categories and people. A newer one is refused."""

MANIFEST = "manifest.json"
SUBSETS = "subsets.json"
CARD = "README.md"


class ManifestPart(BaseModel):
    """What every part of a manifest has in common: no unknown field, no change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class EpisodeCounts(ManifestPart):
    """Folders of the release: given = kept + rejected."""

    given: int = Field(ge=0)
    kept: int = Field(ge=0)
    rejected: int = Field(ge=0)


class SplitCounts(ManifestPart):
    """What a split holds.

    Attributes:
        episodes: Rows.
        steps: Of all its episodes.
        screenshots: Steps with a screenshot.
        trees: Steps with an accessibility tree.
        users: Distinct users.
        apps: Distinct values of the column `app`.
        categories: Distinct values of the column `intent_category`; None in version 1.
    """

    episodes: int = Field(ge=0)
    steps: int = Field(ge=0)
    screenshots: int = Field(ge=0)
    trees: int = Field(ge=0)
    users: int = Field(ge=0)
    apps: int = Field(ge=0)
    categories: int | None = Field(default=None, ge=0)


class People(ManifestPart):
    """Who the users are; see `fingertip_dataset.demographics`.

    Attributes:
        users: All of them.
        sexes: Sex -> users.
        occupations: Group of occupations -> users.
        ages_known: Users whose age is known.
        youngest: Age in years; None where none is known.
        oldest: Likewise.
        mean_age: Likewise.
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
        """The same counts."""
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
    """How the references of the execution tasks were found.

    Attributes:
        similarity: "text", or the name of the embedding model.
        skip_same_task: Whether candidates of the very same task were left out (A.6.7).
    """

    similarity: str
    skip_same_task: bool


class Shard(ManifestPart):
    """A Parquet file.

    Attributes:
        config: "default" or "text".
        split: The part that it is of.
        file: Its path, relative to the dataset.
        rows: Episodes in it.
        bytes: Of the file.
        sha256: Of the file, in hexadecimal.
    """

    config: Config
    split: str
    file: str = Field(pattern=r"^[a-z]+/\w+-\d{5,}-of-\d{5,}\.parquet$")
    rows: int = Field(ge=0)
    bytes: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class BuildSource(ManifestPart):
    """What built the dataset.

    Attributes:
        git_commit: Of the source tree; None where it is not a git checkout.
        dirty: Whether that tree had changes; None where it is not a git checkout.
        packages: Name -> version.
    """

    git_commit: str | None
    dirty: bool | None
    packages: dict[str, str]


class Manifest(ManifestPart):
    """manifest.json.

    Attributes:
        version: `MANIFEST_VERSION`.
        schema_version: Of the columns.
        provenance: What the screens are: "recorded" from people's phones, or "sample", "simulated", ...
        origins: Where the data come from, in words, each once; "unknown" where nothing says it.
        licences: Of the data, by their ids in lower case, each once; "unknown" where nothing says it.
        people: Who the users are; None in version 1.
        episodes: Folders given, kept, rejected.
        problems: Kind -> count.
        splits: Split -> counts, in the order of `SPLITS`.
        split_method: "official tables" or "rule A.5".
        seed: Of the splits and subsets.
        history: Protocol of `previous_intents`, and of the references: "online" or "strict".
        references: How they were found.
        user_types: How users were put into two types, in words.
        shards: Every Parquet file.
        data_sha256: Over all shards; see `data_hash`.
        plan: What the build was to make: the same for the same release, tables and choices.
        source: What built it.
    """

    version: Literal[1, 2]
    schema_version: int
    provenance: str
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
    data_sha256: str
    plan: str
    source: BuildSource

    @classmethod
    def read(cls, file: Path) -> Self:
        """The manifest in a file.

        Raises:
            DatasetError: There is none, it is no manifest, or it is of a newer version.
        """
        try:
            text = file.read_bytes()
        except OSError as error:
            raise DatasetError(f"expected a manifest, got {error.strerror or error}", file=file) from error
        try:
            version = _ManifestVersion.model_validate_json(text).version
            if version > MANIFEST_VERSION:
                raise DatasetError(
                    f"expected a manifest of version {MANIFEST_VERSION} or older, got version {version}: "
                    "a newer fingertip-20k reads it",
                    file=file,
                )
            return cls.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or "the file"
            raise DatasetError(f"expected a manifest, got at {place}: {first['msg']}", file=file) from error

    def write(self, file: Path) -> None:
        """Writes JSON that people can read."""
        file.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")


def data_hash(shards: Iterable[Shard]) -> str:
    """One sha256 for all data: over the lines "sha256  file" in the order of the files, as sha256sum does.

    Args:
        shards: In any order.
    """
    lines = sorted((shard.file, shard.sha256) for shard in shards)
    return hashlib.sha256("".join(f"{digest}  {file}\n" for file, digest in lines).encode()).hexdigest()


class _ManifestVersion(BaseModel):
    version: int
