"""`FingerTip20K`, a dataset builder over the raw release: the rows of `fingertip build`, made by `datasets`.

For those who want the builder's interface. `fingertip build` is several times faster, and writes a card, a
manifest and the out-of-domain subsets besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import datasets  # a class needs its base: this module is imported when the builder is asked for

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.build_plan import BuildConfig, BuildPlan
from fingertip_dataset.parquet.dataset_rows import Row, in_order, screens
from fingertip_dataset.parquet.features import CONFIGS, SCHEMA_VERSION, features
from fingertip_dataset.release.content import read_content
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.split_names import SPLITS

if TYPE_CHECKING:
    from fingertip_dataset.parquet.shards import ShardJob


@dataclass
class FingerTipConfig(datasets.BuilderConfig):  # type: ignore[misc]  # datasets has no types
    """What the builder is to make; `data_dir` is the raw release.

    Attributes:
        name: "default" or "text".
        tables: The folder of the index tables; None looks for them in the release.
        recipe: The choices, as for `build`.
    """

    tables: str | None = None
    recipe: BuildConfig = field(default_factory=BuildConfig)


class FingerTip20K(datasets.GeneratorBasedBuilder):  # type: ignore[misc]  # datasets has no types
    """`FingerTip20K(config_name="default", data_dir=RAW)`, then `download_and_prepare` and `as_dataset`.

    `as_streaming_dataset` needs no preparation. What is prepared stays in the cache of `datasets` by the path
    of the release and the choices: after a change within the release ask for
    `download_mode="force_redownload"`.
    """

    BUILDER_CONFIG_CLASS = FingerTipConfig
    BUILDER_CONFIGS: ClassVar[list[FingerTipConfig]] = [
        FingerTipConfig(name=name, version=f"{SCHEMA_VERSION}.0.0") for name in CONFIGS
    ]
    DEFAULT_CONFIG_NAME = "default"
    DEFAULT_WRITER_BATCH_SIZE = 16

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(features=features(self.config.name))

    def _split_generators(self, dl_manager: object) -> list[datasets.SplitGenerator]:
        if not self.config.data_dir:
            raise UsageError("expected data_dir=RAW, the folder of the raw release, got none")
        tables = Path(self.config.tables) if self.config.tables else None
        plan = BuildPlan(read_release(Path(self.config.data_dir), tables), self.config.recipe)
        self.info.license = " ".join(plan.origins.licences)
        return [
            datasets.SplitGenerator(
                name=split,
                gen_kwargs={"jobs": [plan.job(slot) for slot in plan.slots if slot.split == split]},
            )
            for split in SPLITS
        ]

    def _as_dataset(self, split: datasets.Split, in_memory: bool = False) -> datasets.Dataset:
        """As `datasets` does it, which refuses a split without any example; ours has its columns."""
        known = self.info.splits.get(str(split))
        if known is None or known.num_examples:
            return super()._as_dataset(split, in_memory)
        columns = self.info.features
        return datasets.Dataset.from_dict({name: [] for name in columns}, columns, split=split)

    def _generate_examples(self, jobs: list[ShardJob]) -> Iterator[tuple[str, Row]]:
        names = list(features(self.config.name))
        for job in jobs:
            for episode, row in zip(job.episodes, job.rows, strict=True):
                shown = row
                if self.config.name == "default":
                    shown = row | screens(episode, read_content(job.root, episode)[0])
                yield episode.episode_id, in_order(shown, names)
