"""Tasks for Inspect: `inspect eval fingertip_20k/suggestion` and `inspect eval fingertip_20k/execution`.

The package has the name that Inspect looks up: the part of a task's name before the slash is the import name
of the package that defines it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_20k.inspect.execution_task import execution
    from fingertip_20k.inspect.log_to_run import write_run
    from fingertip_20k.inspect.suggestion_task import suggestion

__all__ = ["execution", "suggestion", "write_run"]

_MODULES = {
    "execution": "inspect.execution_task",
    "suggestion": "inspect.suggestion_task",
    "write_run": "inspect.log_to_run",
}

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
