"""Records with a name in one list of the state: their menu, changes of a value, deletion, spoken commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from simulated_phone.goals.app_definition import Handler, PageFunction, PageView, State
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.widgets import Icon
from simulated_phone.screens.nodes import ActionRef, ActionValue, action_ref
from simulated_phone.screens.pages import Dialog, Sheet

from .. import voice
from . import dialogs, records
from .goals import MORE
from .taps import go, visit

_ = messages(__name__)

DELETE, DELETED = _("删除"), _("已删除")
Command: TypeAlias = Callable[..., object] | Mapping[str, ActionValue] | str
"""What a phrase does with a record: a function of the context, the record's id and the groups of the phrase's
pattern; or the values that are changed; or the key whose value is the pattern's group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """A list of records, each with an "id" and a name; pages of one take the argument `item`, its id.

    Args:
        key: Name of the list in the state.
        name: The record's key that holds its name.
        page: The page that shows one.
        saved: Toast after a change.
        home: The page under it after a deletion.
        choices: Key of a record -> title of the sheet where a value is chosen, and the values, or the key of
            the state's list that has them.
    """

    key: str
    name: str
    page: str
    saved: str = _("已保存")
    home: str = "home"
    choices: Mapping[str, tuple[str, Sequence[str] | str]] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def shown(self, view: PageView) -> dict[str, Any]:
        """The record that the page shows."""
        return self.of(view.state, view.arguments["item"])

    def of(self, state: State, item: int) -> dict[str, Any]:
        """The record with that id."""
        return records.record(state[self.key], item)

    # ---- what taps do

    def open(self, one: Mapping[str, Any]) -> ActionRef:
        """Open its page."""
        return visit(self.page, item=one["id"])

    def menu(self, one: Mapping[str, Any]) -> ActionRef:
        """Open its menu, the page "menu"."""
        return go("menu", item=one["id"])

    def more(self, one: Mapping[str, Any]) -> Icon:
        """The icon that opens its menu."""
        return Icon("more", MORE, self.menu(one))

    def star(self, one: Mapping[str, Any], do: str, undo: str) -> Icon:
        """The star that sets the mark "starred" or takes it away."""
        on = one["starred"]
        return Icon("star" if on else "star_line", undo if on else do, self.put(one, "starred", not on))

    def put(self, one: Mapping[str, Any], key: str, value: ActionValue, *, back: int = 0) -> ActionRef:
        """Change one of its values, and close so many pages."""
        return action_ref("put", item=one["id"], key=key, value=value, back=back)

    def switch(
        self, one: Mapping[str, Any], key: str, do: str, undo: str, glyph: str
    ) -> tuple[str, str, ActionRef]:
        """A line of its menu that sets a mark or takes it away."""
        return undo if one[key] else do, glyph, self.put(one, key, not one[key], back=1)

    def delete(self, one: Mapping[str, Any]) -> ActionRef:
        """Ask whether it is to be deleted, in place of the menu."""
        return action_ref("instead", page="ask_delete", item=one["id"])

    def choose(self, one: Mapping[str, Any], key: str, glyph: str) -> tuple[str, str, ActionRef]:
        """A line of its menu that opens the choices of a value."""
        return self.choices[key][0], glyph, action_ref("instead", page="choose", item=one["id"], key=key)

    # ---- the question, the handlers, the voice

    def pages(self) -> Mapping[str, PageFunction]:
        """The pages "ask_delete" and "choose"."""
        return {"ask_delete": self._ask_delete, "choose": self._choose}

    def _choose(self, view: PageView) -> Sheet:
        one, key = self.shown(view), view.arguments["key"]
        title, values = self.choices[key]
        values = view.state[values] if isinstance(values, str) else values
        return dialogs.choices(title, values, one[key], lambda value: self.put(one, key, value, back=1))

    def _ask_delete(self, view: PageView) -> Dialog:
        one = self.shown(view)
        message = _("要删除“{one}”吗？").format(one=one[self.name])
        drop = action_ref("drop", item=one["id"])
        return dialogs.ask(DELETE, DELETE, drop, message=message, style="danger")

    def change(self, context: HandlerContext, item: int, **values: ActionValue) -> None:
        """In a handler: change values of a record."""
        one = self.of(context.state, item)
        one.update(values)
        context.fact("changed", item=item, **values)
        context.toast(self.saved)

    def remove(self, context: HandlerContext, item: int) -> None:
        """In a handler: delete a record and go to the first page."""
        context.fact("deleted", item=item)
        records.drop(context.state, self.key, item)
        context.root(self.home)
        context.toast(DELETED)

    def handlers(self) -> Mapping[str, Handler]:
        """The handlers "put" and "drop"."""

        def put(context: HandlerContext, item: int, key: str, value: ActionValue, back: int) -> None:
            context.back(back)
            self.change(context, item, **{key: value})

        return {"put": put, "drop": self.remove}

    def obey(self, context: HandlerContext, phrase: str, commands: Mapping[str, Command]) -> bool:
        """Act on a phrase that names a record: the first command whose pattern fits, else open its page.

        Args:
            context: The context.
            phrase: What was said.
            commands: Pattern -> what it does.

        Returns:
            Whether the phrase names a record.
        """
        name = voice.find_name(phrase, [one[self.name] for one in context.state[self.key]])
        if name is None:
            return False
        item = records.record(context.state[self.key], name, self.name)["id"]
        rest = phrase.replace(name, "", 1)
        for pattern, act in commands.items():
            if found := re.search(pattern, rest, re.IGNORECASE):
                if callable(act):
                    act(context, item, *found.groups())
                else:
                    self.change(context, item, **({act: found[1]} if isinstance(act, str) else act))
                return True
        context.go(self.page, item=item)
        return True
