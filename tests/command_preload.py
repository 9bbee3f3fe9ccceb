"""Imports of nearly every command, done once in the process that the commands are forked from.

Modules that read the environment on import (`HF_HOME`, `HF_HUB_OFFLINE`) are excluded: it differs by command.
Ours import each other within functions, so every module is imported here.
"""

from __future__ import annotations

import asyncio  # noqa: F401
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

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

from fingertip_metrics.install import MODULES

PACKAGES = [path.parent for path in sorted(Path(__file__).parents[1].glob("*/py.typed"))]

# scripts, modules of `evaluate`, and those that import `datasets`
EXCLUDED = {"__main__", "app", "builder", "evaluate_module", *MODULES}

for package in PACKAGES:
    for module in walk_packages([str(package)], f"{package.name}."):
        if not EXCLUDED & set(module.name.split(".")):
            import_module(module.name)
assert not {"datasets", "huggingface_hub"} & set(sys.modules)
