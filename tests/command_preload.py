"""Imports of nearly every command, done once in the process that the commands are forked from.

Modules that read the environment on import (`HF_HOME`, `HF_HUB_OFFLINE`) are excluded: it differs by command.
Ours import each other within functions, so every module is imported here.
"""

from __future__ import annotations

import asyncio  # noqa: F401
import gc
import sys
from importlib import import_module

import aiohttp  # noqa: F401
import click  # noqa: F401
import jinja2  # noqa: F401
import lxml.etree  # noqa: F401
import matplotlib.backends.backend_agg
import matplotlib.figure
import matplotlib.layout_engine
import matplotlib.table  # noqa: F401
import openai.resources.chat.completions  # noqa: F401
import PIL.Image  # noqa: F401
import pyarrow.parquet  # noqa: F401
import rich.table  # noqa: F401
import sklearn.feature_extraction.text  # noqa: F401
import yaml  # type: ignore[import-untyped]  # noqa: F401

from tests.own_modules import own_modules

for name in own_modules():
    import_module(name)
assert not {"datasets", "huggingface_hub"} & set(sys.modules)
# a fork shares what its garbage collector does not touch
gc.freeze()
gc.set_threshold(20_000)
