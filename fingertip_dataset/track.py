"""The two tracks of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Track = Literal["suggestion", "execution"]
"""Track 1 suggests an intent; track 2 carries one out on a phone."""

TRACK_NUMBER: Mapping[str, int] = MappingProxyType({"suggestion": 1, "execution": 2})
"""Number of a track in messages and in the paper."""
