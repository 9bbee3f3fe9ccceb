"""Redaction of a person's moments in a raw release: moments.jsonl and the screens of the looks."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from fingertip_dataset.errors import InputError
from fingertip_dataset.release.moment_files import MAX_MOMENTS_BYTES
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.screens.screen_files import IMAGE_SUFFIXES, TREE_SUFFIX, parse_screen_file
from fingertip_dataset.release.user_folders import MOMENTS_FILE, MOMENTS_FOLDER
from fingertip_privacy.redaction.person_secrets import PersonRedactor, PersonSecrets, PixelFind
from fingertip_privacy.redaction.pseudonyms import TextReplacer
from fingertip_privacy.redaction.redact_episode import EpisodeJob, EpisodeRedactor, redactor_of
from fingertip_privacy.redaction.redacted_texts import Kinds, redact_json
from fingertip_privacy.redaction.redaction_stage import RedactionNotes, RedactionStage, UnitRecord, state_of
from fingertip_privacy.scan.scan_inputs import find_moment_id, is_moment_time, name_moment

TIMES = ("time", "episode")
"""Fields of a line that name a moment and an episode by their times, and stay as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentsJob:
    """Input for the redaction of a person's moments in any process.

    Attributes:
        root: Folder of the release.
        user: Id of the person.
        folder: Folder of the screens, relative to the release; it may be missing.
        list_file: Path of moments.jsonl, relative to the release; None without one.
        files: Files in the folder, relative to the release.
        finds: What was found in the pixels of the screenshots.
        secrets: Values of the person.
        key: Secret key of the pseudonyms.
        unscanned: Pictures that the scan could not read.
        drop_unreadable: Whether pictures that cannot be read are left out.
    """

    root: Path
    user: str
    folder: str
    list_file: str | None
    files: tuple[str, ...]
    finds: tuple[PixelFind, ...]
    secrets: PersonSecrets
    key: bytes
    unscanned: frozenset[str]
    drop_unreadable: bool


def redact_moments(job: MomentsJob, stage: RedactionStage) -> UnitRecord:
    """Redact the moments of a person, unless that is done already.

    Raises:
        UsageError: A picture cannot be read.
        OSError: A file could not be written (for example, disk full).
    """
    names = (*job.files, *((job.list_file,) if job.list_file else ()))
    inputs = state_of(job.root / name for name in names)
    target = stage.root / job.folder
    list_target = target.parent / MOMENTS_FILE
    done = stage.done(job.folder, inputs)
    if done is not None and target.is_dir() and (job.list_file is None or list_target.is_file()):
        return done
    stage.forget(job.folder)
    temporary = stage.root.parent / f"moments-{uuid4().hex}"
    writer = _MomentsRedactor(job=job, folder=temporary, person=redactor_of(job.key, job.secrets))
    try:
        record = writer.record(inputs)
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        if (temporary / MOMENTS_FILE).is_file():
            (temporary / MOMENTS_FILE).replace(list_target)
        (temporary / MOMENTS_FOLDER).rename(target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    stage.finished(job.folder, record)
    return record


@dataclass(kw_only=True)
class _MomentsRedactor(RedactionNotes):
    """Writes the redacted list and screens of a person's moments to a folder."""

    job: MomentsJob
    folder: Path
    person: PersonRedactor

    def record(self, inputs: str) -> UnitRecord:
        (self.folder / MOMENTS_FOLDER).mkdir(parents=True)
        by_moment: dict[str, list[str]] = {}
        for file in self.job.files:
            by_moment.setdefault(find_moment_id(self.job.user, self.job.folder, file), []).append(file)
        for moment, files in by_moment.items():
            self._screens(moment, tuple(files))
        if self.job.list_file is not None:
            self._list(self.job.list_file)
        return self.make_record(inputs, ())

    def _screens(self, moment: str, files: tuple[str, ...]) -> None:
        job = self.job
        writer = EpisodeRedactor(
            job=EpisodeJob(
                root=job.root,
                folder=job.folder,
                files=files,
                episode_id=moment,
                trees=_pair_trees(files),
                finds=job.finds,
                secrets=job.secrets,
                key=job.key,
                unscanned=job.unscanned,
                drop_unreadable=job.drop_unreadable,
            ),
            folder=self.folder / MOMENTS_FOLDER,
            replacer=self.person.texts(moment),
        )
        for file in files:
            writer.redact_screen(file)
        self.changes += writer.changes
        self.screenshots += writer.screenshots
        self.reencoded += writer.reencoded
        self.left_out += writer.left_out

    def _list(self, list_file: str) -> None:
        try:
            data = read_file(os.fspath(self.job.root / list_file), MAX_MOMENTS_BYTES)
        except InputError:
            self.left_out += 1
            return
        lines = data.splitlines(keepends=True)
        (self.folder / MOMENTS_FILE).write_bytes(b"".join(self._line(line, list_file) for line in lines))

    def _line(self, line: bytes, list_file: str) -> bytes:
        body = line.rstrip(b"\r\n")
        kinds: Kinds = Counter()
        try:
            fields: Any = json.loads(body)
        except (ValueError, RecursionError):
            fields = None
        moment = name_moment(self.job.user, fields.get("time") if isinstance(fields, dict) else None)
        if isinstance(fields, dict):
            new = _redact_fields(fields, self.person.texts(moment), kinds)
        else:
            new, found = self.person.texts(moment).replace(body.decode("utf-8", "surrogateescape"))
            kinds.update(found)
        if not kinds:
            return line
        self.note_values(list_file, moment, "moments", kinds)
        return new.encode("utf-8", "surrogateescape") + line[len(body) :]


def _redact_fields(fields: Mapping[str, Any], replacer: TextReplacer, kinds: Kinds) -> str:
    times = {name: fields[name] for name in TIMES if is_moment_time(fields.get(name))}
    others = {name: value for name, value in fields.items() if name not in times}
    # one level down: at the top a survey's fields have meanings that these have not
    redacted = redact_json(others, replacer, kinds, 1)
    return json.dumps({**times, **redacted}, ensure_ascii=False)


def _pair_trees(files: tuple[str, ...]) -> dict[str, str]:
    """Screenshot -> tree with the same name."""
    parts = [parse_screen_file(file) for file in files]
    trees = {file.path.rpartition(".")[0]: file.path for file in parts if file.suffix == TREE_SUFFIX}
    return {
        file.path: trees[stem]
        for file in parts
        if file.suffix in IMAGE_SUFFIXES and (stem := file.path.rpartition(".")[0]) in trees
    }
