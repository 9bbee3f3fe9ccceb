"""The data: a raw release of FingerTip 20K becomes episodes, splits, tasks, and a built dataset.

What is listed here is public and comes from its own file the moment it is asked for: importing the package
imports neither `datasets` nor `pyarrow`.

>>> import fingertip_dataset
>>> fingertip_dataset.parse_action("click(coordinates=(336, 1267), content='发送')")
Click(x=336, y=1267, content='发送')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingertip_dataset.actions import Action, canonical, format_action, parse_action
    from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
    from fingertip_dataset.errors import FingerTipError
    from fingertip_dataset.parquet.build import build
    from fingertip_dataset.parquet.builder import FingerTip20K
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_dataset.parquet.loading import load
    from fingertip_dataset.release.checking import check_release
    from fingertip_dataset.release.read_release import Release, read_release
    from fingertip_dataset.tasks.task import ExecutionTask, SuggestionTask, execution_task, suggestion_task
    from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, parse_tree
    from fingertip_dataset.ui_tree.screen_description import describe_screen

__all__ = [
    "AccessibilityTree",
    "Action",
    "BuiltDataset",
    "Episode",
    "ExecutionTask",
    "FingerTip20K",
    "FingerTipError",
    "Intent",
    "Release",
    "Step",
    "SuggestionTask",
    "UserProfile",
    "build",
    "canonical",
    "check_release",
    "describe_screen",
    "execution_task",
    "format_action",
    "load",
    "parse_action",
    "parse_tree",
    "read_release",
    "suggestion_task",
]

_FILES = {
    "AccessibilityTree": "ui_tree.accessibility",
    "Action": "actions",
    "BuiltDataset": "parquet.built",
    "Episode": "episodes",
    "ExecutionTask": "tasks.task",
    "FingerTip20K": "parquet.builder",
    "FingerTipError": "errors",
    "Intent": "episodes",
    "Release": "release.read_release",
    "Step": "episodes",
    "SuggestionTask": "tasks.task",
    "UserProfile": "episodes",
    "build": "parquet.build",
    "canonical": "actions",
    "check_release": "release.checking",
    "describe_screen": "ui_tree.screen_description",
    "execution_task": "tasks.task",
    "format_action": "actions",
    "load": "parquet.loading",
    "parse_action": "actions",
    "parse_tree": "ui_tree.accessibility",
    "read_release": "release.read_release",
    "suggestion_task": "tasks.task",
}


def __getattr__(name: str) -> object:
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FILES[name]}"), name)
