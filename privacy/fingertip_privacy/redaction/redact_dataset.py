"""Redaction of a built dataset: new shards, simulations, manifest and card."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import MOMENTS
from fingertip_dataset.parquet.folder_cards import render_texts
from fingertip_dataset.parquet.manifest import (
    MANIFEST,
    REDACTED_VERSION,
    SUBSETS,
    TABLES,
    MomentData,
    Shard,
    UnknownPart,
    data_file,
    hash_data,
)
from fingertip_dataset.parquet.simulations import SIMULATIONS
from fingertip_dataset.release.redaction import Redaction
from fingertip_privacy.finds import Find
from fingertip_privacy.redaction.person_secrets import EVERYBODY, PersonSecrets, PixelFind
from fingertip_privacy.redaction.pseudonyms import TextReplacer
from fingertip_privacy.redaction.redact_episode import redactor_of
from fingertip_privacy.redaction.redact_shard import ShardRedactionJob, replacer_of
from fingertip_privacy.redaction.redacted_tables import Owner, redact_table, row_owners
from fingertip_privacy.redaction.redacted_texts import SIMULATION, Kinds, redact_json
from fingertip_privacy.redaction.redaction_stage import RedactionStage, UnitRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSource:
    """A built dataset that is redacted.

    Attributes:
        built: The dataset.
        lines: Episode id of each line of simulations.jsonl.
        owners: Owner of each row of the release's tables that are files of the dataset.
    """

    built: BuiltDataset
    lines: tuple[str, ...]
    owners: Mapping[tuple[str, int], Owner]

    @classmethod
    def open(cls, path: Path) -> DatasetSource:
        """Open a dataset and check all of its hashes.

        Raises:
            DatasetError: There is no dataset, or it has changed since the build.
        """
        built = BuiltDataset.open(path)
        built.verify()
        tables = path / TABLES
        owners = row_owners(tables) if tables.is_dir() else {}
        return cls(built=built, lines=tuple(built.simulations()), owners=owners)

    @property
    def redaction(self) -> Redaction | None:
        """Statement of a redaction in the dataset itself."""
        return self.built.manifest.redacted

    def owner(self, find: Find) -> tuple[str, str | None]:
        """User and episode of a find in a file of all users."""
        words = find.field.partition("@")[0].split()
        line = int(words[1]) if len(words) == 2 and words[1].isdecimal() else 0
        if find.file == SIMULATIONS and 0 < line <= len(self.lines):
            episode = self.lines[line - 1]
            return episode.rpartition("__")[0], episode
        return self.owners.get((PurePosixPath(find.file).name, line), (EVERYBODY, None))

    def jobs(
        self,
        secrets: Mapping[str, PersonSecrets],
        boxes: Mapping[str, list[PixelFind]],
        key: bytes,
        *,
        drop_unreadable: bool = False,
    ) -> Iterator[ShardRedactionJob]:
        """Yield the job of each shard with screens."""
        for shard in self.built.manifest.screen_shards:
            yield ShardRedactionJob(
                root=self.built.path,
                shard=shard,
                secrets=secrets,
                boxes={episode: tuple(found) for episode, found in boxes.items()},
                key=key,
                drop_unreadable=drop_unreadable,
            )

    def finish(
        self,
        stage: RedactionStage,
        statement: Redaction,
        records: Sequence[UnitRecord],
        secrets: Mapping[str, PersonSecrets],
        key: bytes,
    ) -> None:
        """Write everything but the shards.

        Raises:
            OSError: A file could not be written (for example, disk full).
        """
        old = self.built.manifest
        removed = {episode for record in records for episode in record.simulations_removed}
        data = {SUBSETS: (self.built.path / SUBSETS).read_bytes()}
        if kept := self._read_simulations(removed, secrets, key):
            data[SIMULATIONS] = kept
        data |= self._redact_tables(secrets, key)
        files = tuple(data_file(name, content) for name, content in sorted(data.items()))
        made = sorted((shard for record in records for shard in record.shards), key=lambda shard: shard.file)
        shards = tuple(shard for shard in made if shard.config != MOMENTS)
        plan = hashlib.sha256(f"{old.plan}{statement.model_dump_json()}".encode()).hexdigest()
        manifest = old.model_copy(
            update={
                "version": max(old.version, REDACTED_VERSION),
                "shards": shards,
                "files": files,
                "data_sha256": hash_data((*shards, *files)),
                "plan": plan,
                "redacted": statement,
                "moments": self._finish_moments(
                    stage, tuple(shard for shard in made if shard.config == MOMENTS)
                ),
                "extra": tuple(self._redact_extra(secrets, key)),
            }
        )
        for name, content in data.items():
            (stage.root / name).parent.mkdir(exist_ok=True)
            (stage.root / name).write_bytes(content)
        manifest.write(stage.root / MANIFEST)
        for name, text in render_texts(manifest).items():
            (stage.root / name).write_text(text, encoding="utf-8")

    def _finish_moments(self, stage: RedactionStage, shards: tuple[Shard, ...]) -> MomentData | None:
        """Copy what no task shows of the moments, which holds no texts, and describe the redacted shards."""
        old = self.built.manifest.moments
        if old is None:
            return None
        for entry in old.files:
            (stage.root / entry.file).write_bytes(self.built.read_moment_file(entry.file))
        return old.model_copy(update={"shards": shards, "data_sha256": hash_data((*shards, *old.files))})

    def _redact_extra(self, secrets: Mapping[str, PersonSecrets], key: bytes) -> Iterator[UnknownPart]:
        """Yield the release's unknown parts; a survey's field may be named by what is private."""
        replacers = [redactor_of(key, own).texts(None) for own in secrets.values()]
        for part in self.built.manifest.extra:
            name = part.name
            for replacer in replacers:
                name = replacer.replace(name)[0]
            yield part.model_copy(update={"name": name})

    def _redact_tables(self, secrets: Mapping[str, PersonSecrets], key: bytes) -> dict[str, bytes]:
        """The release's tables that are files of the dataset, without rows that name no person."""

        def replacer(user: str, episode: str | None) -> TextReplacer:
            return redactor_of(key, secrets.get(user) or secrets[EVERYBODY]).texts(episode)

        tables = [entry.file for entry in self.built.manifest.files if entry.is_table]
        return {name: redact_table(self.built.path / name, replacer)[0] for name in tables}

    def _read_simulations(self, removed: set[str], secrets: Mapping[str, PersonSecrets], key: bytes) -> bytes:
        """Lines of simulations.jsonl but for episodes whose words, actions or set-up hold a value."""
        replacer, lines = replacer_of(secrets, key), []
        for episode, simulation in self.built.simulations().items():
            kinds: Kinds = Counter()
            redact_json(dict(simulation), replacer(episode), kinds)
            if episode not in removed and not kinds:
                line = {"episode_id": episode, SIMULATION: simulation}
                lines.append(json.dumps(line, ensure_ascii=False) + "\n")
        return "".join(lines).encode()
