"""Datasets of drawn people: a few lines of actions each, without screens, and the profiles of a test."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_dataset.parquet.build import BuildConfig, build

TABLE_COLUMNS = ("user_id", "time", "scenario", "app", "intentDescription", "intentClass")
PROFILE_COLUMNS = ("user_id", "sex", "age", "occupation", "address", "family", "phone_brand")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPerson:
    """A person of a drawn release.

    Attributes:
        episodes: (intent, actions without the last `finished()`) of each episode, a day apart. The last one
            is the test of both tracks, the others are the training part.
        sex: Sex in the profile; "" for none.
        age: Age in the profile; None for none.
    """

    episodes: Sequence[tuple[str, Sequence[str]]]
    sex: str = ""
    age: int | None = None


def build_people(folder: Path, people: Mapping[str, DrawnPerson], config: BuildConfig | None = None) -> Path:
    """Write the release of these people, by user id, into a folder, and return the dataset built from it."""
    tables: dict[str, list[tuple[str, ...]]] = {"train_set": [], "test_suggestion": [], "test_execution": []}
    total = []
    for user, person in people.items():
        for day, (intent, actions) in enumerate(person.episodes, start=1):
            row = (user, f"202503{day:02}_080000", "住所", f"com.app{day % 2}", intent, "示例")
            total.append(row)
            last = day == len(person.episodes)
            for name in ("test_suggestion", "test_execution") if last else ("train_set",):
                tables[name].append(row)
            _write_episode(folder / "raw" / user / row[1], row, [*actions, "finished()"])
    profiles = [
        (user, person.sex, "" if person.age is None else str(person.age), "", "", "", "")
        for user, person in people.items()
    ]
    (folder / "tables").mkdir()
    for name, rows in (tables | {"total": total}).items():
        _write_table(folder / "tables" / f"{name}.csv", TABLE_COLUMNS, rows)
    _write_table(folder / "tables" / "user_profile.csv", PROFILE_COLUMNS, profiles)
    dataset = folder / "dataset"
    build(folder / "raw", dataset, tables=folder / "tables", workers=1, config=config or BuildConfig())
    return dataset


def _write_episode(folder: Path, row: Sequence[str], actions: Sequence[str]) -> None:
    (folder / "Screenshots").mkdir(parents=True)
    survey = dict(zip(TABLE_COLUMNS[:5], row, strict=False)) | {"provenance": "sample"}
    (folder / "survey_result.json").write_text(json.dumps(survey, ensure_ascii=False), encoding="utf-8")
    lines = [json.dumps({f"{step}.jpg": action}, ensure_ascii=False) for step, action in enumerate(actions)]
    (folder / "action.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _write_table(file: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with file.open("w", encoding="utf-8-sig", newline="") as text:
        csv.writer(text).writerows([columns, *rows])
