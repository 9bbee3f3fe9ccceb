"""Deleted records that can be restored: the page of the trash, its question, what taps do, and the voice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulated_phone.goals.app_definition import Handler, PageFunction, PageView
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.widgets import Button, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog
from simulated_phone.screens.theme import PAPER

from .. import voice
from . import dialogs, list_parts, records
from .items import Items
from .tabs import BottomTabs
from .taps import go

_ = messages(__name__)

TITLE, RESTORE = _("最近删除"), _("恢复")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trash:
    """The trash of a list of records, the state's list "trash".

    Args:
        items: The list, whose records are dropped into the trash.
        question: Title of the question whether to restore one.
        empty: What the page says without records.
        tabs: The app's tabs, of which the page is one.
        body: The page's body from (record, what a tap on it does) of each.
    """

    items: Items
    question: str
    empty: str
    tabs: BottomTabs
    body: Callable[[Sequence[tuple[dict[str, Any], ActionRef]]], Sequence[Widget]]

    def pages(self) -> Mapping[str, PageFunction]:
        """The pages "trash" and "restore"."""
        return {"trash": self._build_page, "restore": self._ask}

    def _build_page(self, view: PageView) -> AppPage:
        lost = [(one, go("restore", name=one[self.items.name])) for one in view.state["trash"]]
        return AppPage(
            title=TITLE,
            back=False,
            body=self.body(lost) if lost else list_parts.empty(self.empty, glyph="delete"),
            footer=[Button(_("全部恢复"), action_ref("restore_all"), style="tonal")] if lost else [],
            tabs=self.tabs("trash"),
            background=PAPER,
        )

    def _ask(self, view: PageView) -> Dialog:
        name = view.arguments["name"]
        message = _("要恢复“{name}”吗？").format(name=name)
        return dialogs.ask(self.question, RESTORE, action_ref("restore", name=name), message=message)

    def handlers(self) -> Mapping[str, Handler]:
        """The handlers "drop", "restore" and "restore_all"."""
        return {"drop": self.drop, "restore": self._restore, "restore_all": self._restore_all}

    def drop(self, context: HandlerContext, item: int) -> None:
        """Delete a record, and keep it in the trash."""
        context.state["trash"].append(dict(self.items.of(context.state, item)))
        self.items.remove(context, item)

    def _restore(self, context: HandlerContext, name: str) -> None:
        context.close("restore")
        one = records.record(context.state["trash"], name, self.items.name)
        context.state["trash"].remove(one)
        context.state[self.items.key].append(one)
        context.fact("restored", name=name)
        context.toast(_("已恢复"))

    def _restore_all(self, context: HandlerContext) -> None:
        for one in list(context.state["trash"]):
            self._restore(context, one[self.items.name])

    def obey(self, context: HandlerContext, phrase: str) -> bool:
        """Restore the record that a phrase names; whether it did."""
        name = voice.find_name(phrase, [one[self.items.name] for one in context.state["trash"]])
        if name is None or not voice.says(phrase, _("恢复", "said")):
            return False
        self._restore(context, name)
        return True
