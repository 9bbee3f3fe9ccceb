"""The tab of the person's own things: a picture and name over a card of lines."""

from __future__ import annotations

from collections.abc import Sequence

from simulated_phone.language.language import messages
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Cover, ListRow, Tab
from simulated_phone.screens.layouts.widgets import Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef
from simulated_phone.screens.pages import AppPage

from .list_parts import panel

_ = messages(__name__)

MINE, ME, ACCOUNT, MEMBER = _("我的"), _("我"), _("我的账号"), _("普通会员")


def build_account_page(
    *lines: tuple[str, str, str, ActionRef], color: str, tabs: Sequence[Tab], footer: Sequence[Widget] = ()
) -> AppPage:
    """The account with a line for each list: words, icon, text at the right, action; icons in `color`."""
    rows = [
        ListRow(words, leading=Icon(glyph, size=22, color=color, room=40), lead=32, trailing=end, tap=tap)
        for words, glyph, end, tap in lines
    ]
    picture = Cover(ME, glyph="person", room=64, radius=32, subject="face")
    me = RowLayout([picture, Text(ACCOUNT, size=20, bold=True)], [64, None])
    body = [Space(4), me, Space(8), Card(rows, pad=2)]
    return AppPage(title=MINE, back=False, body=body, pad=14, footer=footer, tabs=tabs)


def build_member_page(name: str, picture: str, rows: Sequence[ListRow], tabs: Sequence[Tab]) -> AppPage:
    """A member of a shop, with rows about orders, favourites and addresses."""
    cover = Cover(picture, glyph="person", room=56, radius=28)
    who = Card([ListRow(name, MEMBER, leading=cover, bold=True)], pad=4, margin=12)
    return AppPage(title=MINE, back=False, body=[Space(2), who, panel(*rows)], gap=10, tabs=tabs)
