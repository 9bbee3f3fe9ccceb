"""Other apps: pages of theirs that an app opens, what it gives them, and the sheet of those it shares with.

An app takes what others give by its handler "receive", and what is shared with it by its page "share", whose
argument `what` is a line of text such as "[图片] 晚霞".
"""

from __future__ import annotations

from simulated_phone.goals.app_definition import PageView
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.lists import ListRow
from simulated_phone.screens.layouts.widgets import Icon
from simulated_phone.screens.nodes import ActionRef, ActionValue, action_ref
from simulated_phone.screens.pages import Sheet
from simulated_phone.screens.theme import WHITE

from ..goals.acquaintances import CHAT
from . import tables
from .taps import go

_ = messages(__name__)

CALENDAR, CLOCK, NOTES = "com.android.calendar", "com.android.deskclock", "com.simulated.bianqian"
CONTACTS, PHONE, MESSAGES, MAIL = (
    "com.android.contacts",
    "com.android.dialer",
    "com.android.mms",
    "com.android.email",
)
GALLERY, FILES = "com.android.gallery3d", "com.android.documentsui"
__all__ = ["CALENDAR", "CHAT", "CLOCK", "CONTACTS", "FILES", "GALLERY", "MAIL", "MESSAGES", "NOTES", "PHONE"]

SHARE, SHARE_WITH, MISSING = _("分享"), _("分享到"), _("没有安装这个应用")


def share(what: str) -> ActionRef:
    """Choose an app that what is named is shared with."""
    return go("share_with", what=what)


def share_line(what: str, words: str = SHARE) -> tuple[str, str, ActionRef]:
    """A line of a menu that shares what is named."""
    return words, "share", action_ref("instead", page="share_with", what=what)


def show(package: str, page: str, /, **arguments: ActionValue) -> ActionRef:
    """Open a page of another app."""
    return action_ref("show", package=package, page=page, **arguments)


def give(package: str, /, **things: ActionValue) -> ActionRef:
    """Give another app something without opening it."""
    return action_ref("give", package=package, **things)


def give_now(context: HandlerContext, package: str, /, **things: ActionValue) -> bool:
    """In a handler: give another app something; False, with a toast, if it is not installed."""
    if package not in context.states:
        context.toast(MISSING)
        return False
    context.act(package, action_ref("receive", **things))
    return True


def show_now(context: HandlerContext, package: str, page: str, /, **arguments: ActionValue) -> None:
    """In a handler: open a page of another app, or say that it is not installed."""
    if package in context.states:
        context.open_app(package, page, **arguments)
    else:
        context.toast(MISSING)


def _build_share_with_sheet(view: PageView) -> Sheet:
    """The apps that have a page "share"."""
    what = view.arguments["what"]
    rows = [
        ListRow(
            app.label,
            leading=Icon(app.glyph, size=19, color=WHITE, plate=app.color, square=True, room=40),
            lead=40,
            tap=action_ref("share_to", package=app.package, what=what),
        )
        for app in view.apps
        if "share" in app.pages
    ]
    return Sheet(title=SHARE_WITH, body=rows)


def _share_to(context: HandlerContext, package: str, what: str) -> None:
    context.back()
    context.open_app(package, "share", what=what)


def _give(context: HandlerContext, package: str, **things: ActionValue) -> None:
    context.close("menu")
    give_now(context, package, **things)


def _show(context: HandlerContext, package: str, page: str, **arguments: ActionValue) -> None:
    context.close("menu")
    show_now(context, package, page, **arguments)


PAGES = tables.pages(_build_share_with_sheet)
HANDLERS = tables.handlers(_share_to, _give, _show)
