"""The pages of the file formats, from the records that read and write the files."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from types import UnionType
from typing import Any, Union, get_args, get_origin

import griffe
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from docs.site.markdown_text import code, prose
from fingertip_dataset.markdown_table import markdown_table


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """A file and the record of its content.

    Attributes:
        name: Name of the file, or of the files.
        records: "module:class" of the object, or of each kind of line.
        text: What it is, in a sentence.
    """

    name: str
    records: tuple[str, ...]
    text: str


PAGES: Mapping[str, tuple[str, tuple[FileFormat, ...]]] = {
    "dataset": (
        "Built dataset",
        (
            FileFormat(
                name="manifest.json",
                records=("fingertip_dataset.parquet.manifest:Manifest",),
                text="What the build did, with the hash of each data file.",
            ),
            FileFormat(
                name="subsets.json",
                records=("fingertip_dataset.tasks.out_of_domain:OutOfDomain",),
                text="Users, apps and categories out of domain (A.6.1).",
            ),
        ),
    ),
    "run": (
        "Run folder",
        (
            FileFormat(
                name="run.json, track 1",
                records=("suggestion_runner.suggestion_records:SuggestionRun",),
                text="The run of a suggestion agent.",
            ),
            FileFormat(
                name="run.json, track 2",
                records=("execution_runner.execution_records:ExecutionRun",),
                text="The run of an execution agent.",
            ),
            FileFormat(
                name="targets.jsonl",
                records=("fingertip_dataset.tasks.task:TaskTarget",),
                text="What each task is scored by, a line a task.",
            ),
            FileFormat(
                name="predictions.jsonl",
                records=("suggestion_runner.suggestion_records:Prediction",),
                text="Track 1: a line for each answer.",
            ),
            FileFormat(
                name="steps.jsonl",
                records=(
                    "execution_runner.execution_records:StepRecord",
                    "execution_runner.execution_records:EndRecord",
                ),
                text="Track 2: a line for each step, and one at the end of each attempt.",
            ),
            FileFormat(
                name="labels.jsonl",
                records=("execution_runner.scoring.success_labels:LabelRecord",),
                text="Track 2: success as people or a judge label it.",
            ),
            FileFormat(
                name="ratings.jsonl",
                records=("fingertip_analysis.review.ratings:RatingRecord",),
                text="Track 2: how personal people rate an agent's actions.",
            ),
            FileFormat(
                name="acceptance.jsonl",
                records=("suggestion_runner.acceptance:AcceptanceLabel",),
                text="Track 1: suggestions that people accept or reject.",
            ),
            FileFormat(
                name="same_task.jsonl",
                records=("fingertip_runs.same_task:SameTaskRecord",),
                text="Whether a reference is the task itself (A.6.7).",
            ),
            FileFormat(
                name="inferred.jsonl",
                records=(
                    "suggestion_runner.inferred.inferred_file:InferenceSource",
                    "suggestion_runner.inferred.inferred_file:InferredIntent",
                ),
                text="What `fingertip infer-intents` writes: its source, then a line an episode.",
            ),
        ),
    ),
    "bundle": (
        "Leaderboard files",
        (
            FileFormat(
                name="bundle.json",
                records=("fingertip_leaderboard.bundle.schema:Bundle",),
                text="A submission; its JSON Schema is [bundle.schema.json](../../bundle.schema.json).",
            ),
            FileFormat(
                name="verdicts.jsonl",
                records=("fingertip_leaderboard.bundle.schema:VerdictLine",),
                text="A judge's raw outputs, a line a pair.",
            ),
            FileFormat(
                name="verified.json",
                records=("fingertip_leaderboard.verified_records:VerifiedResults",),
                text="Recomputed scores of bundles: what a board shows.",
            ),
        ),
    ),
    "quality": (
        "Quality files",
        (
            FileFormat(
                name="quality.csv, quality.parquet",
                records=("fingertip_studies.quality.measure_dataset:EpisodeQuality",),
                text="The scores of `fingertip quality`, a row an episode.",
            ),
            FileFormat(
                name="flaws.jsonl",
                records=("fingertip_studies.quality.episode_flaws:Flaw",),
                text="A line for each flaw.",
            ),
        ),
    ),
    "privacy": (
        "Privacy files",
        (
            FileFormat(
                name="finds.jsonl",
                records=("fingertip_privacy.finds:Find",),
                text="What `fingertip privacy scan` found, a line a find.",
            ),
            FileFormat(
                name="report.json",
                records=("fingertip_privacy.finds:ScanReport",),
                text="What was scanned, how, and what could not be.",
            ),
            FileFormat(
                name="decisions.jsonl",
                records=("fingertip_privacy.find_decisions:FindDecision",),
                text="What people decided on the review page, a line a decision.",
            ),
        ),
    ),
    "export": (
        "Training exports",
        (
            FileFormat(
                name="export.json",
                records=("fingertip_training.export_record:ExportRecord",),
                text="What an export of `fingertip export` holds; the rows are those of the framework.",
            ),
        ),
    ),
}
"""File name of a page -> its title and the files on it."""


def format_pages() -> dict[str, str]:
    """File name -> page: `index.md` with every file, and a page for each group."""
    rows = [
        (f"[{title}]({name}.md)", ", ".join(code(file.name) for file in files))
        for name, (title, files) in PAGES.items()
    ]
    text = (
        "Made from the classes that read and write the files. All of it is UTF-8; `.jsonl` has one JSON "
        "object a line. The actions' grammar and the columns are on the page of the dataset."
    )
    index = f"# File formats\n\n{text}\n\n{markdown_table(('group', 'files'), rows)}\n"
    return {"index.md": index, **{f"{name}.md": _page(name) for name in PAGES}}


def _page(name: str) -> str:
    title, files = PAGES[name]
    parts = [f"# {title}", *(_columns() if name == "dataset" else [])]
    for file in files:
        parts += [f"## {file.name}", file.text]
        shown: set[type] = set()
        for place in file.records:
            module, _, record = place.partition(":")
            parts += _records(getattr(importlib.import_module(module), record), shown)
    return "\n\n".join(parts) + "\n"


def _columns() -> list[str]:
    from fingertip_dataset.parquet.card import EXTRA_MEANINGS, MEANINGS
    from fingertip_dataset.parquet.features import EXTRA_VERSION, SCHEMA_VERSION, SCREENS, arrow_schema

    schema, meanings = arrow_schema("default", EXTRA_VERSION), MEANINGS | EXTRA_MEANINGS
    rows = [
        (code(field.name), _arrow(field.type), meanings[field.name], "no" if field.name in SCREENS else "yes")
        for field in schema
    ]
    return [
        "## Columns",
        f"Of the Parquet shards, version {SCHEMA_VERSION}; `text` is the config without screens. "
        f"Version {EXTRA_VERSION} has `extra` as well, where the release states more than the others hold.",
        markdown_table(("column", "Arrow type", "content", "in `text`"), rows),
    ]


def _arrow(kind: Any) -> str:  # noqa: ANN401 - a type of pyarrow, which has no types of its own
    text = re.sub(r"\b(?:element|item): ", "", str(kind)).replace("<", "&lt;").replace(">", "&gt;")
    return f"<code>{text.replace(', ', ',<br>')}</code>"


def _records(record: type[BaseModel], shown: set[type]) -> Iterator[str]:
    """A record's table, then those of the records within it, each once a file."""
    if record in shown:
        return
    shown.add(record)
    yield f"### {record.__name__}"
    yield prose(cleandoc(record.__doc__ or "").split("\n\n")[0])
    meanings = _meanings(record)
    rows = [
        (
            code(field.serialization_alias or name),
            code(_annotation(field)),
            _default(field),
            meanings.get(name, ""),
        )
        for name, field in record.model_fields.items()
    ]
    yield markdown_table(("field", "type", "default", "meaning"), rows)
    for field in record.model_fields.values():
        for inner in _inner_records(field.annotation):
            yield from _records(inner, shown)


def _inner_records(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _inner_records(part)


@cache
def _meanings(record: type[BaseModel]) -> Mapping[str, str]:
    """Read the docstring of each field: that of the class and its bases, or below the field."""
    found: dict[str, str] = {}
    for base in reversed(record.__mro__):
        if not issubclass(base, BaseModel) or not base.__doc__:
            continue
        for section in griffe.Docstring(cleandoc(base.__doc__)).parse(griffe.Parser.google, warnings=False):
            if section.kind is griffe.DocstringSectionKind.attributes:
                found |= {item.name: prose(item.description) for item in section.value}
    return found


def _annotation(field: FieldInfo) -> str:
    return _type_name(field.annotation)


def _type_name(annotation: object) -> str:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return " | ".join(_type_name(part) for part in parts)
    if annotation is type(None) or annotation is None:
        return "null"
    if origin is not None and str(origin).endswith("Literal"):
        return " | ".join(repr(part).replace("'", '"') for part in parts)
    if parts and hasattr(annotation, "__metadata__"):
        return _type_name(parts[0])
    if parts and isinstance(origin, type):
        inner = ", ".join("…" if part is ... else _type_name(part) for part in parts)
        return f"{origin.__name__}[{inner}]"
    name = getattr(annotation, "__name__", str(annotation))
    return "any JSON" if "JsonValue" in name else name


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    text = json.dumps(field.get_default(call_default_factory=True, validated_data={}), default=_plain)
    return code(text if len(text) <= 40 else f"{text[:39]}…")


def _plain(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else str(value)
