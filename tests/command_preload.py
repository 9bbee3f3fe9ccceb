"""Imports of nearly every command, done once in the process that the commands are forked from.

Modules that read the environment on import (`HF_HOME`, `HF_HUB_OFFLINE`) are excluded: it differs by command.
Ours import each other within functions, so every module is imported here.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module

from tests.own_modules import own_modules

THEIRS = (
    "aiohttp",
    "asyncio",
    "click",
    "jinja2",
    "lxml.etree",
    "matplotlib.backends.backend_agg",
    "matplotlib.figure",
    "matplotlib.layout_engine",
    "matplotlib.table",
    "openai.resources.chat.completions",
    "PIL.Image",
    "pyarrow.parquet",
    "rich.table",
    "sklearn.feature_extraction.text",
    "yaml",
)

# looking for garbage among what stays takes a fifth of the time
gc.disable()
# scikit-learn needs no pandas, whose import takes half a second
sys.modules["pandas"] = None  # type: ignore[assignment]
for name in (*THEIRS, *own_modules()):
    import_module(name)
del sys.modules["pandas"]
assert not {"datasets", "huggingface_hub"} & set(sys.modules)
# a fork shares what its garbage collector does not touch
gc.freeze()
gc.set_threshold(20_000)
gc.enable()
