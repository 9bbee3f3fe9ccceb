"""An intent by rule, from what was done: the app, the last typed text, the last labels touched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.tasks.task import DatasetRow
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_runs.app_rules import Rules, matches

RULE = "rule@1"
"""Name of the method; the number goes up on any change of its texts."""

LABELS = 2
"""Number of the last touched labels in the text."""

OPENING_STEPS = 6
"""Number of first steps among which the launcher's icon of the app is looked for."""


def rule_intent(row: DatasetRow) -> str:
    """The intent of an episode by rule; "" if its actions have neither text nor label.

    The parts are joined as in a list, in the language of the screens, without a sentence around them.

    Args:
        row: Row with the columns app, actions and accessibility_trees.

    >>> actions = [{"type": "click", "content": "时钟"}, {"type": "click", "content": "保存"}]
    >>> rule_intent({"app": "com.a.clock", "actions": actions, "accessibility_trees": [None, None]})
    'clock，时钟，保存'
    """
    touched = [label for action in row["actions"] if (label := _label(action))]
    typed = [text for action in row["actions"] if (text := _typed(action))]
    if not touched and not typed:
        return ""
    name = app_name(row)
    parts = [name, *typed[-1:]]
    last = list(dict.fromkeys(label for label in reversed(touched) if label not in parts))[:LABELS]
    return _choose_comma([*touched, *typed]).join([*parts, *reversed(last)])


def app_name(row: DatasetRow) -> str:
    """The label of the icon that opened the app; the last part of its package without one."""
    trees = row["accessibility_trees"] or ()
    packages = [_find_package(tree) for tree in trees[: OPENING_STEPS + 1]]
    for action, here, following in zip(row["actions"], packages, packages[1:], strict=False):
        if _is_launcher(here) and following and not _is_launcher(following) and (label := _label(action)):
            return label
    return str(row["app"]).partition("/")[0].rpartition(".")[2]


def _label(action: DatasetRow) -> str:
    if action["type"] not in ("click", "long_click"):
        return ""
    return " ".join((action.get("content") or "").split())


def _typed(action: DatasetRow) -> str:
    return " ".join((action.get("text") or "").split()) if action["type"] == "type" else ""


def _choose_comma(texts: Sequence[str]) -> str:
    chinese = any("\u4e00" <= letter <= "\u9fff" for text in texts for letter in text)
    return "，" if chinese else ", "


def _find_package(xml: str | None) -> str:
    """The package of a screen's first element that has one; "" for none."""
    if not xml:
        return ""
    try:
        tree = parse_tree(xml)
    except AccessibilityTreeError:
        return ""
    return next((element.package for element in tree.elements if element.package), "")


def _is_launcher(package: str) -> bool:
    return bool(package) and matches(package, _launchers())


@cache
def _launchers() -> tuple[str, ...]:
    return tuple(Rules.default().packages.launchers)
