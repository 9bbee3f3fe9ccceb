"""Redaction of one episode's folder of a raw release, in any process."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

from fingertip_dataset.errors import InputError, UsageError
from fingertip_dataset.release.action_lines import ACTION_FILE, MAX_ACTION_BYTES
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.screens.content import MAX_IMAGE_BYTES
from fingertip_dataset.release.screens.screen_files import (
    IMAGE_SUFFIXES,
    TREE_SUFFIX,
    parse_screen_file,
)
from fingertip_dataset.release.surveys import MAX_SURVEY_BYTES, SURVEY_FILE
from fingertip_dataset.ui_tree.tree_xml import MAX_BYTES
from fingertip_privacy.redaction.person_secrets import PersonRedactor, PersonSecrets, PixelFind
from fingertip_privacy.redaction.pseudonyms import TextReplacer
from fingertip_privacy.redaction.redacted_screens import redact_picture
from fingertip_privacy.redaction.redacted_texts import (
    SIMULATION,
    Kinds,
    redact_action_lines,
    redact_file_name,
    redact_survey,
    redact_tree_file,
)
from fingertip_privacy.redaction.redaction_stage import RedactionNotes, RedactionStage, UnitRecord, state_of
from fingertip_privacy.tree_source import tree_text

UNREADABLE = "a picture cannot be read, so it cannot be redacted: --drop-unreadable leaves such pictures out"

KEPT_PEOPLE = 4
"""Redactors of people that a process keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeJob:
    """Input for the redaction of one episode in any process.

    Attributes:
        root: Folder of the release.
        folder: Folder of the episode, relative to the release.
        files: Files of the episode, relative to the release.
        episode_id: Id of the episode.
        trees: Screenshot -> tree of the same step, both relative to the release.
        finds: What was found in the pixels of the episode's screenshots.
        secrets: Values of the person.
        key: Secret key of the pseudonyms.
        unscanned: Pictures that the scan could not read.
        drop_unreadable: Whether pictures that cannot be read are left out.
    """

    root: Path
    folder: str
    files: tuple[str, ...]
    episode_id: str
    trees: Mapping[str, str]
    finds: tuple[PixelFind, ...]
    secrets: PersonSecrets
    key: bytes
    unscanned: frozenset[str]
    drop_unreadable: bool


@lru_cache(maxsize=KEPT_PEOPLE)
def redactor_of(key: bytes, secrets: PersonSecrets) -> PersonRedactor:
    """The redactor of a person, made once for several episodes."""
    return PersonRedactor(key, secrets)


def redact_episode(job: EpisodeJob, stage: RedactionStage) -> UnitRecord:
    """Redact one episode, unless it is done already.

    Raises:
        InputError: A picture cannot be read.
        OSError: A file could not be written (for example, disk full).
    """
    inputs = state_of(job.root / name for name in job.files)
    target = stage.root / job.folder
    done = stage.done(job.folder, inputs)
    if done is not None and target.is_dir():
        return done
    stage.forget(job.folder)
    temporary = stage.root.parent / f"episode-{uuid4().hex}"
    writer = EpisodeRedactor(
        job=job, folder=temporary, replacer=redactor_of(job.key, job.secrets).texts(job.episode_id)
    )
    try:
        record = writer.record(inputs)
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.rename(target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    stage.finished(job.folder, record)
    return record


@dataclass(kw_only=True)
class EpisodeRedactor(RedactionNotes):
    """Writes the redacted files of one episode, or the screens of a moment, to a folder."""

    job: EpisodeJob
    folder: Path
    replacer: TextReplacer

    def record(self, inputs: str) -> UnitRecord:
        """Write every file and return the record."""
        self.folder.mkdir(parents=True)
        survey: str | None = None
        for name in self.job.files:
            within = name.removeprefix(f"{self.job.folder}/")
            if within == SURVEY_FILE:
                survey = name
            elif within == ACTION_FILE:
                self._actions(name)
            elif within.count("/") == 1 and within.lower().startswith("screenshots"):
                self.redact_screen(name)
            else:
                self.left_out += 1
        removed = survey is not None and self._survey(survey)
        return self.make_record(inputs, (self.job.episode_id,) if removed else ())

    def _read(self, name: str, limit: int) -> bytes | None:
        try:
            return read_file(os.fspath(self.job.root / name), limit)
        except InputError:
            self.left_out += 1
            return None

    def _write(self, name: str, data: bytes) -> None:
        path = self.folder / self._redact_name(name).removeprefix(f"{self.job.folder}/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def _redact_name(self, name: str) -> str:
        """Path of a file in the copy: values go from its name, too, as they do from that in action.jsonl."""
        within = name.removeprefix(f"{self.job.folder}/")
        return f"{self.job.folder}/{redact_file_name(within, self.replacer, Counter())}"

    def _note(self, name: str, place: str, kinds: Kinds) -> None:
        if kinds:
            self.note_values(self._redact_name(name), self.job.episode_id, place, kinds)

    def _actions(self, name: str) -> None:
        data = self._read(name, MAX_ACTION_BYTES)
        if data is not None:
            kinds: Kinds = Counter()
            self._write(name, redact_action_lines(data, self.replacer, kinds))
            self._note(name, "action", kinds)

    def _survey(self, name: str) -> bool:
        """Write the survey; True if its set-up of a simulated phone is left out."""
        data = self._read(name, MAX_SURVEY_BYTES)
        kinds: Kinds = Counter()
        fields = None if data is None else redact_survey(data, self.replacer, kinds)
        if data is None or fields is None:
            self.left_out += data is not None
            return False
        # a phone of this set-up would show the values that were replaced in its words or its actions
        replaced = any(change.place == "action" for change in self.changes) or kinds.total()
        removed = bool(replaced and fields.get(SIMULATION) is not None)
        if removed:
            fields = {key: value for key, value in fields.items() if key != SIMULATION}
        changed = kinds.total() or removed
        self._write(name, json.dumps(fields, ensure_ascii=False).encode() if changed else data)
        self._note(name, "survey", kinds)
        return removed

    def redact_screen(self, name: str) -> None:
        """Write a screenshot or a tree; a file of another kind is left out."""
        file = parse_screen_file(name)
        if file.suffix == TREE_SUFFIX:
            data = self._read(name, MAX_BYTES)
            if data is not None:
                kinds: Kinds = Counter()
                self._write(name, redact_tree_file(data, self.replacer, kinds))
                self._note(name, "tree", kinds)
        elif file.suffix in IMAGE_SUFFIXES:
            self._picture(name)
        else:
            self.left_out += 1

    def _picture(self, name: str) -> None:
        job = self.job
        try:
            if name in job.unscanned:
                raise InputError("the scan could not read it")
            data = read_file(os.fspath(job.root / name), MAX_IMAGE_BYTES)
            finds = [find for find in job.finds if find.file == name]
            picture = redact_picture(data, self._tree(name), finds, self.replacer)
        except InputError as error:
            if not job.drop_unreadable:
                raise UsageError(f"{UNREADABLE} ({error.message})", file=name) from None
            self.left_out += 1
            return
        self._write(name, picture.data)
        kinds = {find.kind for find in finds}
        self.note_picture(self._redact_name(name), job.episode_id, picture, data, kinds)

    def _tree(self, name: str) -> str | None:
        tree = self.job.trees.get(name)
        if tree is None:
            return None
        try:
            return tree_text(read_file(os.fspath(self.job.root / tree), MAX_BYTES))[0]
        except InputError:
            return None
