"""Imports that nearly every command needs, done once in the process that the commands are forked from.

Nothing that reads the environment while it is imported (`HF_HOME`, `HF_HUB_OFFLINE`): it differs by command.
"""

from __future__ import annotations

import asyncio  # noqa: F401

import PIL.Image  # noqa: F401
import pyarrow.parquet  # noqa: F401
import rich.table  # noqa: F401
import sklearn.feature_extraction.text  # noqa: F401

import suggestion_runner  # noqa: F401
