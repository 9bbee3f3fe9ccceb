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
from fingertip_agents.formats.arguments import ParsedCall
from fingertip_agents.formats.elements import on_screen, own_words, readable_tree, visible_box
from fingertip_agents.formats.native_syntax import typed
from fingertip_agents.formats.reading import Reading
from fingertip_dataset.actions import Action, Click, PressHome, Scroll

_LAUNCHER = re.compile(r"launcher|^com\.miui\.home$")
_NAME = "open_app"


def opening(name: str, thought: str) -> Reading:
    """The reading of a call that opens an app; `resolved` finds its action on a screen.

    Raises:
        ActionSyntaxError: The name is empty, or is no whole text.
    """
    return Reading(actions=(PressHome(),), opens=typed(name.strip()).text, thought=thought)


def planned(calls: Sequence[ParsedCall], convert: Callable[[ParsedCall], Action], thought: str) -> Reading:
    """The reading of calls that are performed in order.

    `open_app` ends the plan, because its screen depends on what was done before: as the first call it is the
    only one read, as a later one it is left to the next query.

    Args:
        calls: The calls, at least one.
        convert: Converts any other call to an action.
        thought: The reasoning before them.

    Raises:
        ActionSyntaxError: A call cannot be converted.
    """
    actions: list[Action] = []
    for call in calls:
        if call.name.rpartition(".")[2] == _NAME:
            if not actions:
                return opening(call.text("app_name"), thought)
            break
        actions.append(convert(call))
    return Reading(actions=tuple(actions), thought=thought)


def resolved(reading: Reading, screen: ScreenInput) -> Reading:
    """The reading with the action that opens the app from this screen; any other reading is unchanged."""
    return replace(reading, actions=(_action(reading.opens, screen),)) if reading.opens else reading


def is_way_to(name: str, action: Action) -> bool:
    """Whether `resolved` can give this action for an app of this name, on any screen.

    >>> is_way_to("微信", Click(x=5, y=9, content="微信")), is_way_to("微信", Click(x=5, y=9, content="支付"))
    (True, False)
    """
    match action:
        case Click():
            return _folded(action.content or "") == _folded(name)
        case Scroll():
            return action.direction == "right"
        case _:
            return isinstance(action, PressHome)


def _action(name: str, screen: ScreenInput) -> Action:
    if not _LAUNCHER.search(screen.package):
        return PressHome()
    tree = readable_tree(screen)
    icons = [
        element
        for element in (tree.elements if tree else ())
        if on_screen(element) and _folded(own_words(element)) == _folded(name)
    ]
    if tree is None or not icons:
        return Scroll(x=screen.size[0] // 2, y=screen.size[1] // 2, direction="right")
    # a widget can show the same words as an icon, but does not react itself
    icon = next((element for element in icons if element.clickable), icons[0])
    x, y = visible_box(icon, tree).center
    return Click(x=x, y=y, content=own_words(icon))


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
