"""Redaction of one shard of a built dataset: its rows with screens and without, in any process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from fingertip_dataset.errors import DatasetError, InputError, UsageError
from fingertip_dataset.parquet.features import (
    CONFIGS,
    ENGLISH,
    EXTRA,
    MOMENTS,
    choose_schema_version,
)
from fingertip_dataset.parquet.manifest import Shard
from fingertip_dataset.parquet.shards import FOLDERS
from fingertip_dataset.parquet.writer import ParquetFile
from fingertip_privacy.redaction.person_secrets import EVERYBODY, PersonSecrets, PixelFind
from fingertip_privacy.redaction.pseudonyms import TextReplacer
from fingertip_privacy.redaction.redact_episode import UNREADABLE, redactor_of
from fingertip_privacy.redaction.redacted_screens import redact_picture
from fingertip_privacy.redaction.redacted_texts import Kinds, redact_action, redact_file_name, redact_tree
from fingertip_privacy.redaction.redaction_stage import RedactionNotes, RedactionStage, UnitRecord, state_of

ROWS_AT_ONCE = 4
"""Rows in memory at a time: an episode takes several megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardRedactionJob:
    """Input for the redaction of a shard.

    Attributes:
        root: Folder of the dataset.
        shard: The shard with screens; that without has the same name. Moments have one shard with screens.
        secrets: User id -> values.
        boxes: Episode id -> what was found in the pixels of its screenshots.
        key: Secret key of the pseudonyms.
        drop_unreadable: Whether pictures that cannot be read are left out.
    """

    root: Path
    shard: Shard
    secrets: Mapping[str, PersonSecrets]
    boxes: Mapping[str, tuple[PixelFind, ...]]
    key: bytes
    drop_unreadable: bool


def redact_shard(job: ShardRedactionJob, stage: RedactionStage) -> UnitRecord:
    """Redact one shard in its configs, unless it is done already.

    Raises:
        InputError: A picture, or the shard, cannot be read.
        OSError: A file could not be written (for example, disk full).
    """
    name = Path(job.shard.file).name
    inputs = f"{job.shard.sha256} {state_of((job.root / job.shard.file,))}"
    configs = (MOMENTS,) if job.shard.config == MOMENTS else CONFIGS
    targets = {config: stage.root / FOLDERS[config] / name for config in configs}
    done = stage.done(job.shard.file, inputs)
    if done is not None and all(file.is_file() for file in targets.values()):
        return done
    stage.forget(job.shard.file)
    temporary = {config: stage.root.parent / f"shard-{uuid4().hex}" for config in configs}
    redactor = _RowRedactor(job=job)
    try:
        shards, version = [], _find_schema_version(job.root / job.shard.file)
        with ExitStack() as opened:
            files = {
                config: opened.enter_context(ParquetFile(path, config, version))
                for config, path in temporary.items()
            }
            for row in _rows(job.root / job.shard.file):
                redactor.row(row)
                for file in files.values():
                    file.write(row)
        for config, file in files.items():
            shards.append(
                Shard(
                    config=config,
                    split=job.shard.split,
                    file=f"{FOLDERS[config]}/{name}",
                    rows=file.rows,
                    bytes=file.length,
                    sha256=file.sha256(),
                )
            )
        for config, path in temporary.items():
            targets[config].parent.mkdir(parents=True, exist_ok=True)
            path.replace(targets[config])
    finally:
        for path in temporary.values():
            path.unlink(missing_ok=True)
    record = redactor.make_record(inputs, redactor.simulations, tuple(shards))
    stage.finished(job.shard.file, record)
    return record


def _find_schema_version(file: Path) -> int:
    """Version of a shard's columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names = set(pq.read_schema(file).names)
        return choose_schema_version(english=ENGLISH.keys() <= names, extra=EXTRA.keys() <= names)
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"the Parquet shard cannot be read: {error}", file=file) from error


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as parquet:
            for batch in parquet.iter_batches(batch_size=ROWS_AT_ONCE, use_threads=False):
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"the Parquet shard cannot be read: {error}", file=file) from error


@dataclass(kw_only=True)
class _RowRedactor(RedactionNotes):
    """Redacts rows in place, and counts."""

    job: ShardRedactionJob
    simulations: list[str] = field(default_factory=list)

    def texts(self, episode: str) -> TextReplacer:
        """The replacer of any episode, also of another person."""
        return replacer_of(self.job.secrets, self.job.key)(episode)

    def row(self, row: dict[str, Any]) -> None:
        episode = row["episode_id"]
        own = self.texts(episode)
        # before the trees are redacted: they say where values stand in the pixels
        self._screens(row, own)
        actions: Kinds = Counter()
        for action in row.get("actions") or ():
            for name in ("text", "content"):
                if action[name]:
                    action[name], found = own.replace(action[name])
                    actions.update(found)
            action["raw"] = redact_action(action["raw"], own, Counter())
        self._note(episode, "action", actions)
        words: Kinds = Counter()
        self._words(row, ("scenario", "intent"), own, words)
        if (words or actions) and self.job.shard.config != MOMENTS:
            self.simulations.append(episode)
        if row["user_profile"]:
            self._words(row["user_profile"], tuple(row["user_profile"]), own, words)
        for value in row.get("extra") or ():
            self._words(value, ("name", "value"), own, words)
        for earlier in row["previous_intents"] or ():
            self._words(earlier, ("scenario", "intent"), self.texts(earlier["episode_id"]), words)
        for name in ("same_user_reference", "other_type_reference"):
            if row.get(name):
                self._reference(row[name], words)
        self._note(episode, "columns", words)

    def _reference(self, reference: dict[str, Any], kinds: Kinds) -> None:
        replacer = self.texts(reference["episode_id"])
        self._words(reference, ("intent",), replacer, kinds)
        reference["actions"] = [redact_action(raw, replacer, kinds) for raw in reference["actions"] or ()]

    def _words(
        self, fields: dict[str, Any], names: tuple[str, ...], replacer: TextReplacer, kinds: Kinds
    ) -> None:
        for name in names:
            if isinstance(fields[name], str):
                fields[name], found = replacer.replace(fields[name])
                kinds.update(found)

    def _screens(self, row: dict[str, Any], own: TextReplacer) -> None:
        trees = row["accessibility_trees"] or []
        # a moment and an episode may have one id
        of_moment = self.job.shard.config == MOMENTS
        finds = [
            find
            for find in self.job.boxes.get(row["episode_id"], ())
            if (Path(find.file).parent.name == FOLDERS[MOMENTS]) == of_moment
        ]
        for step, image in enumerate(row["screenshots"] or ()):
            if image is not None:
                tree = trees[step] if step < len(trees) else None
                row["screenshots"][step] = self._picture(
                    row["episode_id"], image, tree, [find for find in finds if find.step == step], own
                )
        kinds: Kinds = Counter()
        row["accessibility_trees"] = [tree and redact_tree(tree, own, kinds) for tree in trees]
        self._note(row["episode_id"], "tree", kinds)

    def _picture(
        self,
        episode: str,
        image: dict[str, Any],
        tree: str | None,
        finds: list[PixelFind],
        own: TextReplacer,
    ) -> dict[str, Any] | None:
        try:
            picture = redact_picture(image["bytes"], tree, finds, own)
        except InputError as error:
            if not self.job.drop_unreadable:
                raise UsageError(f"{UNREADABLE} ({error.message})", episode_id=episode) from None
            self.left_out += 1
            return None
        path = redact_file_name(image["path"] or "", own, Counter())
        kinds = {find.kind for find in finds}
        self.note_picture(f"{self.job.shard.file}:{path}", episode, picture, image["bytes"], kinds)
        return image | {"bytes": picture.data, "path": path or None}

    def _note(self, episode: str, place: str, kinds: Kinds) -> None:
        self.note_values(self.job.shard.file, episode, place, kinds)


def replacer_of(secrets: Mapping[str, PersonSecrets], key: bytes) -> Callable[[str], TextReplacer]:
    """Function that gives the replacer of an episode by its id, whoever's it is."""

    def texts(episode: str) -> TextReplacer:
        user = episode.rpartition("__")[0]
        return redactor_of(key, secrets.get(user) or secrets[EVERYBODY]).texts(episode)

    return texts
