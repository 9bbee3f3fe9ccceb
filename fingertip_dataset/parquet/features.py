"""Columns of a row: one table of types for Parquet, `datasets.Features` and the YAML of the card.

The types are written once, in `COLUMNS`, because a build needs the Parquet schema without importing
`datasets` (a second and 100 MB in every worker).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    import datasets
    import pyarrow as pa

SCHEMA_VERSION = 3
"""Version of the columns and their meaning. In version 1 times were timestamps; in versions 1 and 2 only
test_execution had references."""

ENGLISH_VERSION = 4
"""Version of the columns with English names, which a build has only where it is asked for."""

EXTRA_VERSION = 5
"""Version of the columns with `extra`, which a build has only where a release states more than they hold."""

ENGLISH_EXTRA_VERSION = 6
"""Version of the columns with both."""

REFERENCES_SINCE = 3
"""First version with references on every split."""

Config = Literal["default", "text", "moments"]
Type: TypeAlias = "str | tuple[Type] | Mapping[str, Type]"
"""A type by name ("string", "image", ...), a list as a tuple of its element type, a struct as a mapping."""

TIME = "string"
"""Type of times: ISO 8601 text in Beijing time, `2025-03-10T08:15:30+08:00`. Not a timestamp, because torch
has none and cannot format a row with one. Texts of one zone and one length sort and filter like moments."""

REFERENCE: Mapping[str, Type] = MappingProxyType(
    {"episode_id": "string", "intent": "string", "similarity": "float32", "actions": ("string",)}
)

COLUMNS: Mapping[str, Type] = MappingProxyType(
    {
        "episode_id": "string",
        "user_id": "string",
        "user_profile": {
            "sex": "string",
            "age": "int32",
            "occupation": "string",
            "address": "string",
            "marital_status": "string",
            "phone_brand": "string",
        },
        "user_type": "int8",
        "time": TIME,
        "scenario": "string",
        "scenario_category": "string",
        "app": "string",
        "intent": "string",
        "intent_category": "string",
        "screenshots": ("image",),
        "accessibility_trees": ("string",),
        "actions": (
            {
                "type": "string",
                "x": "float64",
                "y": "float64",
                "direction": "string",
                "text": "string",
                "content": "string",
                "raw": "string",
            },
        ),
        "previous_intents": (
            {"episode_id": "string", "time": TIME, "scenario": "string", "app": "string", "intent": "string"},
        ),
        "same_user_reference": REFERENCE,
        "other_type_reference": REFERENCE,
    }
)
"""Columns of the config "default", in order. Coordinates are device px, null for actions without a point."""

ENGLISH: Mapping[str, Type] = MappingProxyType(
    {"scenario_en": "string", "app_en": "string", "intent_category_en": "string"}
)
"""The columns of `ENGLISH_VERSION`, behind the others: English names for viewers."""

EXTRA: Mapping[str, Type] = MappingProxyType(
    {"extra": ({"source": "string", "name": "string", "value": "string", "line": "int32"},)}
)
"""The column of `EXTRA_VERSION`, the last: values of a release that no other column holds. A list of structs
of text, because its type is the same in every shard, whatever the columns and fields of a release are."""

SCREENS = ("screenshots", "accessibility_trees")
"""The columns that the config "text" leaves out."""

CONFIGS: tuple[Config, ...] = ("default", "text")
"""The configs of the episodes, which every dataset has."""

MOMENTS: Config = "moments"
"""The config of the moments of simulated people, whose splits are `MOMENT_SPLITS`."""

MOMENT_COLUMNS: Mapping[str, Type] = MappingProxyType(
    {
        **{
            name: kind
            for name, kind in COLUMNS.items()
            if name not in ("actions", "same_user_reference", "other_type_reference")
        },
        "kind": "string",
        "condition": "string",
    }
)
"""Columns of the config "moments": those of track 1, the kind, and what a false routine is missing. `app`,
`intent` and `intent_category` are null where nothing is wanted."""


def choose_schema_version(*, english: bool, extra: bool) -> int:
    """Return the version of the columns with English names, with the column `extra`, or without."""
    if extra:
        return ENGLISH_EXTRA_VERSION if english else EXTRA_VERSION
    return ENGLISH_VERSION if english else SCHEMA_VERSION


def columns(config: Config = "default", version: int = SCHEMA_VERSION) -> dict[str, Type]:
    """Return the columns of a config with their types.

    Args:
        config: "default", "text" or "moments".
        version: Version of the columns; those of the moments have `MOMENTS_VERSION`.

    Raises:
        UsageError: The config is unknown.

    >>> "screenshots" in columns("default"), "screenshots" in columns("text")
    (True, False)
    """
    if config == MOMENTS:
        return dict(MOMENT_COLUMNS)
    if config not in CONFIGS:
        raise UsageError(f"expected config default, text or moments, got {config!r}")
    chosen = {name: kind for name, kind in COLUMNS.items() if config == "default" or name not in SCREENS}
    english = ENGLISH if version in (ENGLISH_VERSION, ENGLISH_EXTRA_VERSION) else {}
    return {**chosen, **english, **(EXTRA if version >= EXTRA_VERSION else {})}


def features(config: Config = "default", version: int = SCHEMA_VERSION) -> datasets.Features:
    """Return the columns of a config as features of `datasets`."""
    import datasets

    return datasets.Features({name: _make_feature(kind) for name, kind in columns(config, version).items()})


def arrow_schema(config: Config = "default", version: int = SCHEMA_VERSION) -> pa.Schema:
    """Return the Parquet schema of a config, with the metadata by which `datasets` recognizes images."""
    return make_schema(columns(config, version))


def make_schema(types: Mapping[str, Type]) -> pa.Schema:
    """Return the Parquet schema of columns, with the metadata by which `datasets` recognizes images."""
    import pyarrow as pa

    described = {name: _describe(kind) for name, kind in types.items()}
    metadata = {"huggingface": json.dumps({"info": {"features": described}})}
    return pa.schema([(name, _make_arrow_type(kind)) for name, kind in types.items()], metadata=metadata)


def yaml_features(config: Config = "default", version: int = SCHEMA_VERSION) -> list[dict[str, Any]]:
    """Return the columns of a config in the form of a dataset card's `dataset_info` block."""
    return [{"name": name} | _dump_feature(kind) for name, kind in columns(config, version).items()]


def _make_feature(kind: Type) -> Any:  # noqa: ANN401 - a feature is one of several unrelated classes, or a dict
    import datasets

    if isinstance(kind, tuple):
        return datasets.List(_make_feature(kind[0]))
    if isinstance(kind, Mapping):
        return {name: _make_feature(member) for name, member in kind.items()}
    return datasets.Image() if kind == "image" else datasets.Value(kind)


def _make_arrow_type(kind: Type) -> pa.DataType:
    import pyarrow as pa

    if isinstance(kind, tuple):
        return pa.list_(_make_arrow_type(kind[0]))
    if isinstance(kind, Mapping):
        return pa.struct([(name, _make_arrow_type(member)) for name, member in kind.items()])
    if kind == "image":
        return pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    return pa.type_for_alias(kind)


def _describe(kind: Type) -> dict[str, Any]:
    if isinstance(kind, tuple):
        return {"feature": _describe(kind[0]), "_type": "List"}
    if isinstance(kind, Mapping):
        return {name: _describe(member) for name, member in kind.items()}
    return {"_type": "Image"} if kind == "image" else {"dtype": kind, "_type": "Value"}


def _dump_feature(kind: Type) -> dict[str, Any]:
    if isinstance(kind, tuple):
        member = _dump_feature(kind[0])
        return {"list": member.get("dtype", member.get("struct"))}
    if isinstance(kind, Mapping):
        return {"struct": [{"name": name} | _dump_feature(member) for name, member in kind.items()]}
    return {"dtype": kind}
