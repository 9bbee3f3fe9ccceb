"""Base classes of the records that are read from and written to JSON files."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)


def describe_fault(error: ValidationError) -> str:
    """Return the place of the first fault in a file and what is wrong there, as "place: message"."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"


class FrozenModel(BaseModel):
    """Base of the records in files: immutable; unknown fields and NaN are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class OmitDefaults(FrozenModel):
    """A record whose later fields are left out of its JSON while they have their defaults.

    So files written before a field existed and files that do not use it stay byte-equal.

    Attributes:
        OMIT_DEFAULTS: Names of these fields; each has a default.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _omit_defaults(self, whole: SerializerFunctionWrapHandler, info: SerializationInfo) -> dict[str, Any]:
        found: dict[str, Any] = whole(self)
        if info.mode != "json":
            return found
        fields = type(self).model_fields
        silent = {name for name in self.OMIT_DEFAULTS if getattr(self, name) == fields[name].default}
        return {name: part for name, part in found.items() if name not in silent}
