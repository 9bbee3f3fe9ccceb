"""The video app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from simulated_phone.goals.app_definition import App, PageFunction, PageView, Shortcut, generator
from simulated_phone.language import formats
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.feed import Feed
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow, ProgressBar
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, INK, PAPER, PINK, RED

from ... import voice
from ...builders import dialogs, tables, tabs
from ...builders.account import build_account_page
from ...builders.likes import flip, put, take
from ...builders.list_parts import empty
from ...builders.search import search_page, small_pill
from ...builders.taps import go, instead
from . import data
from .data import AUTHORS, VIDEOS, Video, find_position, length_words
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

ACCENT, OFFERED = PINK, _("推荐")
FEED_ROWS = 10
"""Number of videos that the recommendations draw at a time."""
_DONE = {_("点赞"): _("已点赞"), _("收藏"): _("已收藏")}
_UNDONE = {_("点赞"): _("已取消点赞"), _("收藏"): _("已取消收藏")}
TABS = tabs.bottom_tabs(
    ("home", _("首页"), "home"), ("follows", _("关注"), "heart"), ("mine", _("我的"), "person")
)


# ---- parts of pages


def _build_row(video: Video, under: str = "") -> ListRow:
    words = under or _("{author} · {views}次 · {length_words}").format(
        author=video.author,
        views=formats.short_number(_, video.views),
        length_words=length_words(video.length),
    )
    cover = Cover(video.title, glyph="play", room=64, subject="scene")
    tap, hold = action_ref("play", title=video.title), go("menu", title=video.title)
    return ListRow(video.title, words, leading=cover, lead=104, tap=tap, hold=hold)


def _rows(titles: Iterable[str]) -> list[Widget]:
    return [_build_row(VIDEOS[title]) for title in titles]


def _build_author_row(author: str, followed: bool, pad: float = 16) -> ListRow:
    words = _("{authors}博主").format(authors=AUTHORS[author]) + (_(" · 已关注") if followed else "")
    cover, tap = Cover(author, room=44, radius=22, subject="face"), go("author", author=author)
    return ListRow(author, words, leading=cover, trailing="›", tap=tap, pad=pad)


def _nothing(words: str) -> list[Widget]:
    return empty(words, space=140, glyph="film")


def _build_now_playing(view: PageView) -> list[Widget]:
    """Bar with the playing video, shown below other pages."""
    playing = view.state["playing"]
    if not playing["title"]:
        return []
    runs = playing["since"] is not None
    state = _("正在播放") if runs else _("已暂停")
    under = f"{state} {length_words(find_position(playing, view.now))}"
    toggle = Icon(
        "pause" if runs else "play", _("暂停") if runs else _("继续播放"), action_ref("flip"), size=22
    )
    cover, show = Cover(playing["title"], room=40, subject="scene"), go("video", title=playing["title"])
    return [ListRow(playing["title"], under, leading=cover, lead=56, trailing=toggle, tap=show, pad=4)]


def _build_follow_button(view: PageView, author: str) -> Button:
    if author in view.state["follows"]:
        return Button(_("已关注"), go("ask_unfollow", author=author), style="tonal", room=42)
    return Button(_("关注"), action_ref("follow", author=author), room=42)


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    channel = view.arguments.get("channel", OFFERED)
    channels = (OFFERED, *data.CHANNELS)
    bar = tabs.top_tabs(channels, channel, lambda name: action_ref("channel", name=name))
    offered = view.state["offered"] if channel == OFFERED else []
    body = _rows(offered or [title for title, video in VIDEOS.items() if video.channel == channel])
    if offered:
        body.append(Feed(_more_videos, view.seed))
    header = [Space(4), small_pill(data.SEARCH), bar]
    return AppPage(
        header=header, body=body, footer=_build_now_playing(view), tabs=TABS("home"), background=PAPER
    )


def _more_videos(seed: int, block: int) -> Sequence[Widget]:
    return _rows(generator(f"{data.PACKAGE} feed {block}", seed).sample(sorted(VIDEOS), FEED_ROWS))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    authors = [
        _build_author_row(author, author in view.state["follows"]) for author in AUTHORS if word in author
    ]
    return [*authors, *_rows(title for title, one in VIDEOS.items() if word in title or word in one.author)]


def _build_follows_page(view: PageView) -> AppPage:
    follows = view.state["follows"]
    body = _nothing(_("还没有关注的作者"))
    if follows:
        newest = _rows(title for title, video in VIDEOS.items() if video.author in follows)
        body = [*(_build_author_row(author, True) for author in follows), Heading(_("最新作品")), *newest]
    footer = _build_now_playing(view)
    return AppPage(
        title=_("关注"), back=False, body=body, footer=footer, tabs=TABS("follows"), background=PAPER
    )


def _build_mine_page(view: PageView) -> AppPage:
    lines = [
        (
            words,
            glyph,
            _n("{count}个视频›", len(view.state[page])).format(count=len(view.state[page])),
            go(page),
        )
        for words, glyph, page in (
            (_("观看历史"), "history", "history"),
            (_("我的收藏"), "star", "saved"),
            (_("我点赞的"), "heart", "liked"),
        )
    ]
    return build_account_page(*lines, color=ACCENT, tabs=TABS("mine"), footer=_build_now_playing(view))


def _build_history_page(view: PageView) -> AppPage:
    rows: list[Widget] = []
    for seen in view.state["history"]:
        video = VIDEOS[seen["title"]]
        words = _("看到 {length_words} · 共 {length_words_2}").format(
            length_words=length_words(seen["position"]), length_words_2=length_words(video.length)
        )
        rows.append(_build_row(video, words))
    return AppPage(title=_("观看历史"), body=rows or _nothing(_("没有观看记录")), background=PAPER)


def _build_marked_page(key: str, title: str, nothing: str) -> PageFunction:
    return lambda view: AppPage(
        title=title, body=_rows(view.state[key]) or _nothing(nothing), background=PAPER
    )


def _build_author_page(view: PageView) -> AppPage:
    author = view.arguments["author"]
    titles = [title for title, video in VIDEOS.items() if video.author == author]
    views = sum(VIDEOS[title].views for title in titles)
    count = Text(
        _n("{count}个作品 · {views}次播放", len(titles)).format(
            count=len(titles), views=formats.short_number(_, views)
        ),
        size=13,
        color=GREY,
    )
    words = ColumnLayout([Text(author, size=20, bold=True), count])
    parts = [Cover(author, room=60, radius=30, subject="face"), words, _build_follow_button(view, author)]
    body = [
        Space(6),
        RowLayout(parts, [60, None, 92], pad=16),
        Space(6),
        Heading(_("全部作品")),
        *_rows(titles),
    ]
    return AppPage(title=_("作者主页"), body=body, background=PAPER)


def _build_video_page(view: PageView) -> AppPage:
    video = VIDEOS[view.arguments["title"]]
    playing = view.state["playing"]
    current = playing["title"] == video.title
    second = find_position(playing, view.now) if current else 0
    runs = current and playing["since"] is not None
    toggle = action_ref("flip") if current else action_ref("play", title=video.title)
    times = [Text(length_words(second), size=13), Text(length_words(video.length), size=13, align="right")]
    control = Icon("pause" if runs else "play", _("暂停") if runs else _("播放"), toggle)
    progress = ProgressBar(second / video.length, pad=0)
    bar = RowLayout([control, times[0], progress, times[1]], [44, 44, None, 44], pad=10)
    row = _build_author_row(video.author, video.author in view.state["follows"], pad=2)
    author = RowLayout([row, _build_follow_button(view, video.author)], [None, 92], gap=0, pad=14)
    others = [
        title for title, other in VIDEOS.items() if other.channel == video.channel and other is not video
    ]
    words = Text(
        _("{views}次播放 · {channel}").format(
            views=formats.short_number(_, video.views), channel=video.channel
        ),
        size=13,
        color=GREY,
    )
    about = ColumnLayout([Text(video.title, size=20, bold=True), words], pad=16)
    picture = Cover(video.title, glyph=None if runs else "play", room=210, radius=0, subject="scene")
    body = [about, _list_marks(view, video), author, Heading(_("接下来播放")), *_rows(others)]
    return AppPage(title="", header=[picture, bar], body=body, background=PAPER)


def _list_marks(view: PageView, video: Video) -> RowLayout:
    """Buttons to like, save and share."""
    columns: list[Widget] = []
    for words, glyph, key, tap in (
        (_("点赞"), "heart", "liked", action_ref("mark", key="liked", title=video.title)),
        (_("收藏"), "star", "saved", action_ref("mark", key="saved", title=video.title)),
        (_("分享"), "share", "", action_ref("share")),
    ):
        on = bool(key) and video.title in view.state[key]
        columns.append(
            _build_mark_button(
                _DONE[words] if on and words in _DONE else words, glyph, tap, RED if on else INK
            )
        )
    return RowLayout(columns)


def _build_mark_button(words: str, glyph: str, tap: ActionRef, color: str) -> Card:
    label = Text(words, size=13, color=color, align="center")
    return Card([Icon(glyph, size=24, color=color, room=34), label], pad=6, tap=tap, gap=0)


def _build_menu_sheet(view: PageView) -> Sheet:
    title = view.arguments["title"]
    keep = _("取消收藏") if title in view.state["saved"] else _("收藏视频")
    return dialogs.menu(
        title,
        (_("播放"), "play", action_ref("play", title=title)),
        (keep, "star", action_ref("mark", key="saved", title=title)),
        (_("作者主页"), "person", instead("author", author=VIDEOS[title].author)),
    )


def _build_ask_unfollow_dialog(view: PageView) -> Dialog:
    author = view.arguments["author"]
    unfollow, message = action_ref("unfollow", author=author), _("不再关注“{author}”？").format(author=author)
    return dialogs.ask(
        _("取消关注"), _("取消关注"), unfollow, message=message, style="danger", no=_("再想想")
    )


# ---- handlers of taps


def _channel(context: HandlerContext, name: str) -> None:
    context.fact("channel_opened", channel=name)
    context.root("home", channel=name)


def _play(context: HandlerContext, title: str) -> None:
    """Play a video from its last position, and save the position of the one that played before."""
    _save_position(context)
    seen = next((seen for seen in context.state["history"] if seen["title"] == title), None)
    start = seen["position"] if seen and seen["position"] < VIDEOS[title].length else 0
    context.state["playing"] = {"title": title, "position": start, "since": round(context.now.timestamp())}
    others = [seen for seen in context.state["history"] if seen["title"] != title]
    context.state["history"] = [{"title": title, "position": start}, *others]
    context.fact("video_played", title=title, position=start)
    (context.replace if "title" in context.arguments else context.go)("video", title=title)


def _save_position(context: HandlerContext) -> None:
    """Save the position of the playing video."""
    playing = context.state["playing"]
    for seen in context.state["history"]:
        if seen["title"] == playing["title"]:
            seen["position"] = find_position(playing, context.now)


def _flip(context: HandlerContext) -> None:
    """Pause or resume."""
    playing = context.state["playing"]
    second = find_position(playing, context.now)
    runs = playing["since"] is not None
    over = not runs and second >= VIDEOS[playing["title"]].length
    since = None if runs else round(context.now.timestamp())
    context.state["playing"] = {"title": playing["title"], "position": 0 if over else second, "since": since}
    _save_position(context)
    context.fact("video_paused" if runs else "video_resumed", title=playing["title"])


def _follow(context: HandlerContext, author: str) -> None:
    put(context, "follows", "author_followed", author=author)
    context.toast(_("已关注{author}").format(author=author))


def _unfollow(context: HandlerContext, author: str) -> None:
    context.close("ask_unfollow")
    take(context, "follows", "author_unfollowed", author=author)
    context.toast(_("已取消关注{author}").format(author=author))


def _mark(context: HandlerContext, key: str, title: str) -> None:
    """Like or save a video, or undo that."""
    context.close("menu")
    on = flip(context.state[key], title, first=True)
    context.fact(f"video_{key}", title=title, on=on)
    context.toast((_DONE if on else _UNDONE)[{"saved": _("收藏"), "liked": _("点赞")}[key]])


def _share(context: HandlerContext) -> None:
    context.toast(_("链接已复制"))


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: follow or unfollow an author; save, play or resume a video."""
    author = next((author for author in AUTHORS if author in phrase), None)
    title = next((title for title in VIDEOS if title in phrase), None)
    if author and voice.says(phrase, _("关注", "said")):
        (
            _unfollow
            if voice.says(phrase, _("取消", "said")) or voice.says(phrase, _("不", "said"))
            else _follow
        )(context, author)
    elif title and voice.says(phrase, _("收藏", "said")):
        if (title in context.state["saved"]) == (voice.says(phrase, _("取消", "said"))):
            _mark(context, "saved", title)
    elif title:
        _play(context, title)
    elif voice.says(phrase, _("历史", "said")):
        context.go("history")
    elif voice.says(phrase, _("继续", "said")) and context.state["history"]:
        _play(context, context.state["history"][0]["title"])
    elif author:
        context.go("author", author=author)
    else:
        return False
    return True


VIDEO = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Video",
    glyph="film",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        "saved": _build_marked_page("saved", _("我的收藏"), _("没有收藏")),
        "liked": _build_marked_page("liked", _("我点赞的"), _("没有点赞")),
        "search": search_page(
            data.SEARCH,
            _find,
            _nothing(_("没有找到相关视频")),
            lambda view: [Heading(_("大家都在看")), *_rows(view.state["offered"][:6])],
        ),
        "voice": voice.page(_("播放外婆的红烧肉"), _("继续观看"), _("关注背包大鱼")),
    },
    handlers={
        **tables.handlers(_channel, _play, _flip, _follow, _unfollow, _mark, _share),
        "tab": tabs.tab_over("home"),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("观看历史"), glyph="history", tap=go("history")),
        Shortcut(text=_("我的收藏"), glyph="star", tap=go("saved")),
    ),
    goals=GOALS,
    position=8,
    hours=(12, 19, 21, 22),
    seen=("history", "playing"),
    times=("playing.since",),
)
