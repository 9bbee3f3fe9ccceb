"""The data: a raw release of FingerTip 20K becomes episodes, splits, tasks, and a built dataset.

Each public name is imported from its own module on first use: importing the package loads neither `datasets`
nor `pyarrow`.

>>> import fingertip_dataset
>>> fingertip_dataset.parse_action("click(coordinates=(336, 1267), content='发送')")
Click(x=336, y=1267, content='发送')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_dataset.actions import (
        Action,
        Ask,
        Click,
        Finished,
        LongClick,
        PressBack,
        PressHome,
        PressRecent,
        Scroll,
        Type,
        Wait,
        canonical,
        format_action,
        parse_action,
    )
    from fingertip_dataset.english_names import english_app, english_category, english_place
    from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
    from fingertip_dataset.errors import (
        ActionSyntaxError,
        EndpointError,
        FingerTipError,
        ModelError,
        UsageError,
    )
    from fingertip_dataset.parquet.build import build
    from fingertip_dataset.parquet.builder import FingerTip20K
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_dataset.parquet.loading import load
    from fingertip_dataset.release.checking import check_release
    from fingertip_dataset.release.read_release import Release, read_release
    from fingertip_dataset.tasks.moments import read_moment_odds
    from fingertip_dataset.tasks.task import (
        ExecutionInput,
        ExecutionTask,
        SuggestionInput,
        SuggestionTask,
        TaskTarget,
        execution_task,
        references_from,
        suggestion_task,
    )
    from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, parse_tree
    from fingertip_dataset.ui_tree.screen_description import describe_screen

__version__ = "0.1.0"
"""Version of the distribution `fingertip-20k`: the one place where it is written."""

__all__ = [
    "AccessibilityTree",
    "Action",
    "ActionSyntaxError",
    "Ask",
    "BuiltDataset",
    "Click",
    "EndpointError",
    "Episode",
    "ExecutionInput",
    "ExecutionTask",
    "FingerTip20K",
    "FingerTipError",
    "Finished",
    "Intent",
    "LongClick",
    "ModelError",
    "PressBack",
    "PressHome",
    "PressRecent",
    "Release",
    "Scroll",
    "Step",
    "SuggestionInput",
    "SuggestionTask",
    "TaskTarget",
    "Type",
    "UsageError",
    "UserProfile",
    "Wait",
    "build",
    "canonical",
    "check_release",
    "describe_screen",
    "english_app",
    "english_category",
    "english_place",
    "execution_task",
    "format_action",
    "load",
    "parse_action",
    "parse_tree",
    "read_moment_odds",
    "read_release",
    "references_from",
    "suggestion_task",
]

_NAMES: Mapping[str, tuple[str, ...]] = {
    "actions": (
        "Action",
        "Ask",
        "Click",
        "Finished",
        "LongClick",
        "PressBack",
        "PressHome",
        "PressRecent",
        "Scroll",
        "Type",
        "Wait",
        "canonical",
        "format_action",
        "parse_action",
    ),
    "english_names": ("english_app", "english_category", "english_place"),
    "episodes": ("Episode", "Intent", "Step", "UserProfile"),
    "errors": ("ActionSyntaxError", "EndpointError", "FingerTipError", "ModelError", "UsageError"),
    "parquet.build": ("build",),
    "parquet.builder": ("FingerTip20K",),
    "parquet.built": ("BuiltDataset",),
    "parquet.loading": ("load",),
    "release.checking": ("check_release",),
    "release.read_release": ("Release", "read_release"),
    "tasks.moments": ("read_moment_odds",),
    "tasks.task": (
        "ExecutionInput",
        "ExecutionTask",
        "SuggestionInput",
        "SuggestionTask",
        "TaskTarget",
        "execution_task",
        "references_from",
        "suggestion_task",
    ),
    "ui_tree.accessibility": ("AccessibilityTree", "parse_tree"),
    "ui_tree.screen_description": ("describe_screen",),
}
"""Module -> its public names."""


if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__)
