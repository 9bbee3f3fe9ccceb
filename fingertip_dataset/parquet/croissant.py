"""croissant.json of a built dataset: its files, columns, licence and origin in Croissant 1.0 (JSON-LD).

Each config and split is a record set. Checksums are those of the manifest. The date is that of the release or
of its redaction, and no time of the build or machine state is written: the same build writes the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from fingertip_dataset.parquet.card import (
    CITATION,
    describe_columns,
    describe_moment_columns,
    list_configs,
)
from fingertip_dataset.parquet.features import MOMENTS, Config, Type, columns
from fingertip_dataset.parquet.manifest import DataFile, Manifest, Shard
from fingertip_dataset.parquet.shards import FOLDERS
from fingertip_dataset.release.origins import AUTHORS
from fingertip_dataset.split_names import MOMENT_SPLITS

CROISSANT = "croissant.json"

VERSION = "http://mlcommons.org/croissant/1.0"

PARQUET = "application/x-parquet"

AUTHORS_PAGE = "https://github.com/tsinghua-fib-lab/FingerTip-20K"

LICENCE_PAGES: Mapping[str, str] = {
    "apache-2.0": "https://spdx.org/licenses/Apache-2.0.html",
    "cc-by-4.0": "https://spdx.org/licenses/CC-BY-4.0.html",
    "cc-by-sa-4.0": "https://spdx.org/licenses/CC-BY-SA-4.0.html",
    "cc0-1.0": "https://spdx.org/licenses/CC0-1.0.html",
    "mit": "https://spdx.org/licenses/MIT.html",
}
"""Licence id -> page of the licence, which Croissant requires; other licences are given by id."""

TYPES: Mapping[str, str] = {
    "string": "sc:Text",
    "int8": "sc:Integer",
    "int32": "sc:Integer",
    "float32": "sc:Float",
    "float64": "sc:Float",
    "image": "sc:ImageObject",
}
"""Type of a column -> data type of Croissant."""


def render_croissant(manifest: Manifest, published: date | None = None) -> str:
    """Render croissant.json; the arguments are those of `croissant`."""
    return json.dumps(croissant(manifest, published), ensure_ascii=False, indent=1) + "\n"


def croissant(manifest: Manifest, published: date | None = None) -> dict[str, Any]:
    """Return the content of croissant.json as an object.

    Args:
        manifest: Manifest of the dataset; files are named by their paths within the dataset.
        published: Day of the release; a redacted dataset has the day of its redaction. None states no day.
    """
    day = manifest.redacted.date if manifest.redacted else published and published.isoformat()
    authors = manifest.origins == (AUTHORS,)
    licences = [LICENCE_PAGES.get(licence, licence) for licence in manifest.licences]
    languages = manifest.settings.all_languages
    return {
        "@context": _make_context(),
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        "name": _name(manifest),
        "description": _describe(manifest),
        "license": licences[0] if len(licences) == 1 else licences,
        **({"url": AUTHORS_PAGE} if authors else {}),
        **({"citeAs": CITATION} if manifest.release is None else {}),
        **({"datePublished": day} if day else {}),
        "inLanguage": list(languages) if len(languages) > 1 else manifest.settings.language,
        "keywords": ["mobile agents", "GUI agents", "Android", "personalization", "proactive agents"],
        "version": f"{manifest.schema_version}.0.0",
        "isLiveDataset": False,
        "prov:wasDerivedFrom": list(manifest.origins),
        "prov:wasGeneratedBy": _describe_build(manifest),
        "distribution": [
            *map(_file, manifest.all_shards),
            *_describe_file_sets(manifest),
            *(_describe_table(file) for file in manifest.files if file.is_table),
        ],
        "recordSet": [
            _describe_record_set(
                config, split, _describe_own_columns(config, manifest), manifest.schema_version
            )
            for config, split in _list_parts(manifest)
        ],
    }


def _make_context() -> dict[str, Any]:
    """JSON-LD context: the names of Croissant 1.0, and of the W3C's PROV-O for the origin of the data."""
    plain = (
        "citeAs column equivalentProperty extract field fileProperty fileObject fileSet format includes "
        "isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace "
        "samplingRate separator source subField transform"
    )
    return {
        "@language": "en",
        "@vocab": "https://schema.org/",
        "sc": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "dct": "http://purl.org/dc/terms/",
        "prov": "http://www.w3.org/ns/prov#",
        **{name: f"cr:{name}" for name in plain.split()},
        "conformsTo": "dct:conformsTo",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "examples": {"@id": "cr:examples", "@type": "@json"},
    }


def _name(manifest: Manifest) -> str:
    """Name of the dataset: letters, digits and hyphens of the release's title."""
    if manifest.release is None:
        return "fingertip-20k"
    return re.sub(r"[^\w.]+", "-", manifest.release.name.lower()).strip("-") or "release"


def _describe(manifest: Manifest) -> str:
    what = (
        "What people wanted from their phones and how they did it: intents with profile, time and place, "
        "every screen and every action; FingerTip 20K as Parquet."
    )
    if manifest.release is not None:
        what = what.replace(
            "; FingerTip 20K as Parquet", f"; {manifest.release.name}, in the layout of FingerTip 20K"
        )
    if manifest.redacted is not None:
        what += f" Private parts were replaced by `fingertip privacy redact` on {manifest.redacted.date}."
    if manifest.provenance != "recorded":
        return f"{what} These data were not recorded from people: {manifest.provenance}."
    return what


def _describe_build(manifest: Manifest) -> dict[str, Any]:
    packages = manifest.source.packages
    commit = f", commit {manifest.source.git_commit}" if manifest.source.git_commit else ""
    return {
        "@type": "prov:Activity",
        "name": "fingertip build",
        "description": f"fingertip-20k {packages.get('fingertip-20k', 'of unknown version')}{commit}; "
        f"provenance {manifest.provenance}; splits by {manifest.split_method}, seed {manifest.seed}; "
        f"data sha256 {manifest.data_sha256}",
    }


def _list_parts(manifest: Manifest) -> Iterator[tuple[Config, str]]:
    """Yield every config and split that has files."""
    existing = {(shard.config, shard.split) for shard in manifest.all_shards}
    yield from (
        (config, split)
        for config in list_configs(manifest)
        for split in (MOMENT_SPLITS if config == MOMENTS else manifest.split_names)
        if (config, split) in existing
    )


def _describe_own_columns(config: Config, manifest: Manifest) -> dict[str, str]:
    return describe_moment_columns(manifest) if config == MOMENTS else describe_columns(manifest)


def _file(shard: Shard) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": shard.file,
        "name": shard.file,
        "description": f"{shard.rows} {_name_rows(shard.config)}s of {shard.split}, config {shard.config}",
        "contentUrl": shard.file,
        "contentSize": f"{shard.bytes} B",
        "encodingFormat": PARQUET,
        "sha256": shard.sha256,
    }


def _describe_table(table: DataFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": table.file,
        "name": table.file,
        "description": "A table of the release that belongs to no episode and to no user alone",
        "contentUrl": table.file,
        "contentSize": f"{table.bytes} B",
        "encodingFormat": "text/csv",
        "sha256": table.sha256,
    }


def _describe_file_sets(manifest: Manifest) -> Iterator[dict[str, Any]]:
    # no "containedIn": the paths are relative to croissant.json, wherever the dataset lies
    for config, split in _list_parts(manifest):
        yield {
            "@type": "cr:FileSet",
            "@id": f"files/{config}/{split}",
            "name": f"{config}/{split}",
            "encodingFormat": PARQUET,
            "includes": f"{FOLDERS[config]}/{split}-*.parquet",
        }


def _describe_record_set(
    config: Config, split: str, meanings: Mapping[str, str], version: int
) -> dict[str, Any]:
    name = f"{config}/{split}"
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"{'A moment' if config == MOMENTS else 'An episode'} a record; split {split}, "
        f"config {config}",
        "key": {"@id": f"{name}/episode_id"},
        "field": [
            _describe_column(name, column, kind, meanings[column])
            for column, kind in columns(config, version).items()
        ],
    }


def _name_rows(config: Config) -> str:
    return "moment" if config == MOMENTS else "episode"


def _describe_column(record_set: str, column: str, kind: Type, meaning: str) -> dict[str, Any]:
    field = _describe_field(f"{record_set}/{column}", f"files/{record_set}", (column,), kind)
    return field | {"description": meaning.replace("`", "")}


def _describe_field(name: str, files: str, path: Sequence[str], kind: Type) -> dict[str, Any]:
    """Return one field; a struct's members are sub-fields, a list is repeated.

    Args:
        name: Id of the field.
        files: Id of the file set.
        path: Name of the column, followed by the struct members that lead to the value.
        kind: Type of the field, as in `features.COLUMNS`.
    """
    repeated = isinstance(kind, tuple)
    inner = kind[0] if isinstance(kind, tuple) else kind
    field: dict[str, Any] = {"@type": "cr:Field", "@id": name, "name": name}
    if isinstance(inner, str):
        field |= {"dataType": TYPES[inner], "source": _locate_values(files, path, inner)}
    elif isinstance(inner, Mapping):
        field["subField"] = [
            _describe_field(f"{name}/{member}", files, (*path, member), member_kind)
            for member, member_kind in inner.items()
        ]
    return field | ({"repeated": True} if repeated else {})


def _locate_values(files: str, path: Sequence[str], kind: str) -> dict[str, Any]:
    inside = [*path[1:], *(["bytes"] if kind == "image" else [])]
    return {
        "fileSet": {"@id": files},
        "extract": {"column": path[0]},
        **({"transform": {"jsonPath": ".".join(inside)}} if inside else {}),
    }
