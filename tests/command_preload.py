"""Imports of nearly every command, done once in the process that the commands are forked from.

Modules that read the environment on import (`HF_HOME`, `HF_HUB_OFFLINE`) are excluded: it differs by command.
"""

from __future__ import annotations

import asyncio  # noqa: F401

import PIL.Image  # noqa: F401
import pyarrow.parquet  # noqa: F401
import rich.table  # noqa: F401
import sklearn.feature_extraction.text  # noqa: F401

import suggestion_runner  # noqa: F401
