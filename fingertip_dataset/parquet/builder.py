"""`FingerTip20K`, a `datasets` builder over the raw release that makes the rows of `fingertip build`.

For users of the builder's interface. `fingertip build` is several times faster, and also writes a card, a
manifest and the out-of-domain subsets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_dataset.parquet.build_plan import BuildConfig, BuildPlan
from fingertip_dataset.parquet.dataset_rows import Row, in_order, screens
from fingertip_dataset.parquet.features import (
    CONFIGS,
    MOMENTS,
    SCHEMA_VERSION,
    choose_schema_version,
    features,
)
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.screens.content import read_content

try:
    # the base class; the package root imports this module only on use of the builder
    import datasets
except ModuleNotFoundError as missing:
    raise MissingExtraError(missing.name or "datasets", "datasets") from missing

if TYPE_CHECKING:
    from fingertip_dataset.parquet.shards import ShardJob


@dataclass
class FingerTipConfig(datasets.BuilderConfig):  # type: ignore[misc]  # datasets has no types
    """Configuration of the builder; `data_dir` is the raw release.

    Attributes:
        name: "default", "text" or "moments".
        tables: Folder of the index tables; None looks for them in the release.
        build_config: Settings of the build, as for `build`.
    """

    tables: str | None = None
    build_config: BuildConfig = field(default_factory=BuildConfig)


class FingerTip20K(datasets.GeneratorBasedBuilder):  # type: ignore[misc]  # datasets has no types
    """`FingerTip20K(config_name="default", data_dir=RAW)`, then `download_and_prepare` and `as_dataset`.

    `as_streaming_dataset` needs no preparation. Prepared data stay in the cache of `datasets`, keyed by the
    path of the release and the settings: after a change within the release pass
    `download_mode="force_redownload"`.
    """

    BUILDER_CONFIG_CLASS = FingerTipConfig
    BUILDER_CONFIGS: ClassVar[list[FingerTipConfig]] = [
        FingerTipConfig(name=name, version=f"{SCHEMA_VERSION}.0.0") for name in (*CONFIGS, MOMENTS)
    ]
    DEFAULT_CONFIG_NAME = "default"
    # the library's default of 1,000 rows would hold gigabytes of screenshots
    DEFAULT_WRITER_BATCH_SIZE = 16

    def _info(self) -> datasets.DatasetInfo:
        # a release with more than the known columns has `extra` as well: known only when it is read
        version = choose_schema_version(english=self.config.build_config.english_names, extra=False)
        return datasets.DatasetInfo(features=features(self.config.name, version))

    def _split_generators(self, dl_manager: object) -> list[datasets.SplitGenerator]:
        if not self.config.data_dir:
            raise UsageError("data_dir is missing: give data_dir=RAW, the folder of the raw release")
        tables = Path(self.config.tables) if self.config.tables else None
        plan = BuildPlan(read_release(Path(self.config.data_dir), tables), self.config.build_config)
        self.info.license = " ".join(plan.origins.licences)
        self.info.features = features(self.config.name, plan.schema_version)
        return [
            datasets.SplitGenerator(
                name=split,
                gen_kwargs={"jobs": [plan.job(spec) for spec in plan.shard_specs if spec.split == split]},
            )
            for split in (plan.splits.names if self.config.name != MOMENTS else plan.require_moments())
        ]

    def _as_dataset(self, split: datasets.Split, in_memory: bool = False) -> datasets.Dataset:
        """Return a split; an empty one as an empty dataset with its columns, which `datasets` refuses."""
        known = self.info.splits.get(str(split))
        if known is None or known.num_examples:
            return super()._as_dataset(split, in_memory)
        columns = self.info.features
        return datasets.Dataset.from_dict({name: [] for name in columns}, columns, split=split)

    def _generate_examples(self, jobs: list[ShardJob]) -> Iterator[tuple[str, Row]]:
        names = list(self.info.features)
        for job in jobs:
            for episode, row in zip(job.episodes, job.rows, strict=True):
                example = row
                if self.config.name != "text":
                    example = row | screens(
                        episode, read_content(job.root, episode, keep_metadata=job.keep_metadata)[0]
                    )
                yield episode.episode_id, in_order(example, names)
