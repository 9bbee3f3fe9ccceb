"""A simulated Android phone: apps, screens and trees, reset in milliseconds, driven through the real adb.

Each public name is imported from its own module on first use. What an app file needs is here too
(docs/developers/add-an-app.md).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulated_phone import voice
    from simulated_phone.adb.phone_server import SimulatedPhoneServer
    from simulated_phone.apps import APPS
    from simulated_phone.builders import (
        account,
        checkout,
        dialogs,
        forms,
        likes,
        list_parts,
        records,
        search,
        shop_front,
        tables,
        tabs,
        taps,
        wheels,
    )
    from simulated_phone.builders.goals import GoalBuilder, goal
    from simulated_phone.goals.app_definition import (
        App,
        Arguments,
        Goal,
        GoalInstance,
        PageView,
        Shortcut,
        State,
        States,
        Strategy,
        generator,
    )
    from simulated_phone.goals.steps import Hold, Open, Press, SetWheel, Swipe, Tap, TypeText
    from simulated_phone.language.language import messages
    from simulated_phone.machine.faults import FAULTS
    from simulated_phone.machine.handler_context import HandlerContext
    from simulated_phone.machine.state import Fact, Snapshot
    from simulated_phone.people.gestures import GesturePlayer
    from simulated_phone.phone import Phone
    from simulated_phone.phone_errors import PhoneError, PhoneHungError, PhoneSetupError, TreeUnavailableError
    from simulated_phone.screens.drawing.picture_cache import Pictures
    from simulated_phone.screens.layouts.layout import Card
    from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow, ProgressBar
    from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
    from simulated_phone.screens.nodes import action_ref
    from simulated_phone.screens.pages import AppPage, Dialog, Sheet
    from simulated_phone.screens.theme import GREY

__version__ = "2.0.0"
"""Version of the distribution: that of phone and suite in versions.toml, and a third number for fixes."""

__all__ = [
    "APPS",
    "FAULTS",
    "GREY",
    "App",
    "AppPage",
    "Arguments",
    "Button",
    "Card",
    "Cover",
    "Dialog",
    "Fact",
    "Field",
    "GesturePlayer",
    "Goal",
    "GoalBuilder",
    "GoalInstance",
    "HandlerContext",
    "Heading",
    "Hold",
    "Icon",
    "ListRow",
    "Open",
    "PageView",
    "Phone",
    "PhoneError",
    "PhoneHungError",
    "PhoneSetupError",
    "Pictures",
    "Press",
    "ProgressBar",
    "SetWheel",
    "Sheet",
    "Shortcut",
    "SimulatedPhoneServer",
    "Snapshot",
    "Space",
    "State",
    "States",
    "Strategy",
    "Swipe",
    "Tap",
    "Text",
    "TreeUnavailableError",
    "TypeText",
    "Widget",
    "account",
    "action_ref",
    "checkout",
    "dialogs",
    "forms",
    "generator",
    "goal",
    "likes",
    "list_parts",
    "messages",
    "records",
    "search",
    "shop_front",
    "tables",
    "tabs",
    "taps",
    "voice",
    "wheels",
]

_MODULES = {
    "APPS": "apps",
    "App": "goals.app_definition",
    "AppPage": "screens.pages",
    "Arguments": "goals.app_definition",
    "Button": "screens.layouts.widgets",
    "Card": "screens.layouts.layout",
    "Cover": "screens.layouts.lists",
    "Dialog": "screens.pages",
    "FAULTS": "machine.faults",
    "Fact": "machine.state",
    "Field": "screens.layouts.widgets",
    "GREY": "screens.theme",
    "Goal": "goals.app_definition",
    "GoalBuilder": "builders.goals",
    "GoalInstance": "goals.app_definition",
    "GesturePlayer": "people.gestures",
    "HandlerContext": "machine.handler_context",
    "Heading": "screens.layouts.lists",
    "Hold": "goals.steps",
    "Icon": "screens.layouts.widgets",
    "ListRow": "screens.layouts.lists",
    "Open": "goals.steps",
    "PageView": "goals.app_definition",
    "Phone": "phone",
    "PhoneError": "phone_errors",
    "PhoneHungError": "phone_errors",
    "PhoneSetupError": "phone_errors",
    "Pictures": "screens.drawing.picture_cache",
    "Press": "goals.steps",
    "ProgressBar": "screens.layouts.lists",
    "Sheet": "screens.pages",
    "Shortcut": "goals.app_definition",
    "SimulatedPhoneServer": "adb.phone_server",
    "Snapshot": "machine.state",
    "Space": "screens.layouts.widgets",
    "State": "goals.app_definition",
    "States": "goals.app_definition",
    "Strategy": "goals.app_definition",
    "Swipe": "goals.steps",
    "Tap": "goals.steps",
    "Text": "screens.layouts.widgets",
    "TreeUnavailableError": "phone_errors",
    "SetWheel": "goals.steps",
    "TypeText": "goals.steps",
    "Widget": "screens.layouts.widgets",
    "action_ref": "screens.nodes",
    "generator": "goals.app_definition",
    "goal": "builders.goals",
    "messages": "language.language",
    "voice": "voice",
    **{
        name: f"builders.{name}"
        for name in (
            "account",
            "checkout",
            "dialogs",
            "forms",
            "likes",
            "list_parts",
            "records",
            "search",
            "shop_front",
            "tables",
            "tabs",
            "taps",
            "wheels",
        )
    },
}
_ALIASES = {
    "Aim": "GoalInstance",
    "Hand": "GesturePlayer",
    "NoTreeError": "TreeUnavailableError",
    "Way": "Strategy",
}
"""Names of earlier versions."""


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})


def _get(name: str) -> object:
    """The value of a public name; a name that is its own module stands for the module."""
    current = _ALIASES.get(name, name)
    if current not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_MODULES[current]}")
    is_module = _MODULES[current].rpartition(".")[2] == current
    value: object = module if is_module else getattr(module, current)
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__ = _get
