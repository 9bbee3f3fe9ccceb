"""Conversion of a result to a plain dict, for JSON files and for `evaluate`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def result_dict(result: DataclassInstance, *, per_item: bool) -> dict[str, Any]:
    """Fields of a result as a dict, in order.

    Args:
        result: A result such as `Sim1`, `Sim2` or `Sr2`.
        per_item: Whether to keep the values of each episode, a list with one dict per episode.
    """
    fields = asdict(result)
    items = fields.pop("per_item")
    return {**fields, "per_item": list(items)} if per_item else fields
