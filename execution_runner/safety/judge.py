"""The rules applied to one action on one screen, before a person's consent.

docs/safety.md has the policy in words. A touched element is judged by its texts; if it has none, or only
"OK", by its resource id and by what stands beside or around it; and on a screen of money or of a secret,
what is not known to be harmless is asked about.
"""

from __future__ import annotations

from typing import TypeVar

from execution_runner.safety.decision import ALLOWED, GateDecision, strictest
from execution_runner.safety.judged_action import JudgedAction
from execution_runner.safety.judged_screen import JudgedScreen
from execution_runner.safety.judged_swipe import JudgedSwipe
from execution_runner.safety.judged_touch import JudgedTouch
from execution_runner.safety.judged_typing import JudgedTyping
from fingertip_agents.execution_agent import ScreenInput
from fingertip_dataset.actions import Action, Click, LongClick, Scroll, Type
from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, parse_tree
from fingertip_dataset.ui_tree.screen_layout import ScreenLayout
from fingertip_dataset.ui_tree.touched import words
from fingertip_runs.app_rules import Rules, matches

_Kind = TypeVar("_Kind", bound=JudgedAction)


def judge(
    rules: Rules, action: Action, observation: ScreenInput, app: str, *, black: bool = False
) -> GateDecision:
    """The strictest ruling on an action, before a person's consent.

    Args:
        rules: The rules.
        action: The agent's action; its own words for what it touches can only make the decision stricter.
        observation: The screen on which the agent decided.
        app: Package of the task's app, with or without an activity; "" for none.
        black: Whether the screenshot is black.
    """
    if not isinstance(action, Click | LongClick | Scroll | Type):
        return ALLOWED
    tree = _tree(observation)
    screen = None
    if tree is not None:
        bars = (*rules.packages.navigation, *rules.packages.keyboards)
        names = {e.package for e in tree.elements} - {observation.package}
        others = frozenset(name for name in names if matches(name, bars))
        layout = ScreenLayout(tree=tree, size=observation.size, other_packages=others)
        screen = JudgedScreen(rules=rules, layout=layout, package=observation.package)
    package = app.partition("/")[0]

    def judged(kind: type[_Kind]) -> _Kind:
        return kind(rules=rules, observation=observation, app=package, screen=screen, black=black)

    match action:
        case Click() | LongClick():
            return strictest(judged(JudgedTouch).touch(action))
        case Scroll():
            return strictest(judged(JudgedSwipe).swipe(action))
        case Type():
            return strictest(judged(JudgedTyping).typing(action.text))


def _tree(observation: ScreenInput) -> AccessibilityTree | None:
    """The tree, if it can be parsed and has any text; some apps give only frames."""
    if observation.tree is None:
        return None
    try:
        tree = parse_tree(observation.tree, screen=observation.size)
    except AccessibilityTreeError:
        return None
    return tree if any(words(element) for element in tree.elements) else None
