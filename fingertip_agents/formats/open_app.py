"""Opening an app by name, as `open_app` and `open` ask for it, in the benchmark's own actions.

Table 2 of the paper has no such action, so it becomes what a person does: on the launcher a tap on the icon
with this name, or a swipe to the launcher's next page if no icon has it; elsewhere the home key, after which
the agent is queried again. Each is one step, is judged by the safety gate like any other action, and is
compared with the person's way as it is. Icons are found in the accessibility tree by their labels.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.parsing.native_syntax import NoEquivalentError, make_type
from fingertip_agents.parsing.parsed_call import ParsedCall
from fingertip_agents.parsing.reading import LEFT_OUT, Reading
from fingertip_agents.screens.elements import find_visible_box, is_on_screen, own_words, read_tree
from fingertip_dataset.actions import Action, Click, PressHome, Scroll
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree

_LAUNCHER = re.compile(r"launcher|^com\.miui\.home$")
_NAME = "open_app"


def open_by_name(name: str, thought: str) -> Reading:
    """The reading of a call that opens an app; `resolve_app` finds its action on a screen.

    Raises:
        ActionSyntaxError: The name is empty, or is no whole text.
    """
    return Reading(actions=(PressHome(),), opens=make_type(name.strip()).text, thought=thought)


def plan_calls(calls: Sequence[ParsedCall], convert: Callable[[ParsedCall], Action], thought: str) -> Reading:
    """The reading of calls that are performed in order.

    `open_app` ends the plan, because its screen depends on what was done before: as the first call it is the
    only one read, as a later one it is left to the next query. A call without an equivalent is left out,
    unless it is the only one.

    Args:
        calls: The calls, at least one.
        convert: Converts any other call to an action.
        thought: The reasoning before them.

    Raises:
        ActionSyntaxError: A call cannot be converted.
    """
    actions, notes, refused = list[Action](), list[str](), list[NoEquivalentError]()
    for call in calls:
        if call.name.rpartition(".")[2] == _NAME:
            if not actions:
                opened = open_by_name(call.text("app_name"), thought)
                return replace(opened, notes=(*notes, *call.notes))
            notes.append(f"{LEFT_OUT}: {call.name} and what follows, for the next screen")
            break
        try:
            actions.append(convert(call))
            call.leave_unused()
        except NoEquivalentError as error:
            refused.append(error)
            notes.append(f"{LEFT_OUT}: {call.name}, which has no equivalent")
        notes += call.notes
    if refused and not actions:
        raise refused[0]
    return Reading(actions=tuple(actions), thought=thought, notes=tuple(notes))


def resolve_app(reading: Reading, screen: ScreenInput) -> Reading:
    """The reading with the action that opens the app from this screen; any other reading is unchanged."""
    return replace(reading, actions=(_choose_action(reading.opens, screen),)) if reading.opens else reading


def is_way_to(name: str, action: Action) -> bool:
    """Whether `resolve_app` can give this action for an app of this name, on any screen.

    >>> is_way_to("微信", Click(x=5, y=9, content="微信")), is_way_to("微信", Click(x=5, y=9, content="支付"))
    (True, False)
    """
    match action:
        case Click():
            return _fold(action.content or "") == _fold(name)
        case Scroll():
            return action.direction == "right"
        case _:
            return isinstance(action, PressHome)


def _choose_action(name: str, screen: ScreenInput) -> Action:
    tree = read_tree(screen)
    # the view of a run hides the package in front; the tree has it, too
    front = screen.package or _find_package(tree)
    if not _LAUNCHER.search(front):
        return PressHome()
    icons = [
        element
        for element in (tree.elements if tree else ())
        if is_on_screen(element) and _fold(own_words(element)) == _fold(name)
    ]
    if tree is None or not icons:
        return Scroll(x=screen.size[0] // 2, y=screen.size[1] // 2, direction="right")
    # a widget can show the same words as an icon, but does not react itself
    icon = next((element for element in icons if element.clickable), icons[0])
    x, y = find_visible_box(icon, tree).center
    return Click(x=x, y=y, content=own_words(icon))


def _find_package(tree: AccessibilityTree | None) -> str:
    """Package of the first node that has one; "" without a tree."""
    return next((element.package for element in tree.elements if element.package), "") if tree else ""


def _fold(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
