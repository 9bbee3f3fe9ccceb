"""The video app's pages and the handlers of their taps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView
from simulated_phone.apps.video.data import AUTHORS, CHANNELS, SEARCH, VIDEOS, Video, length_words, position
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.lists import Cover, Heading, ListRow, ProgressBar, SearchBar, Tab, Tabs
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, INK, PAPER, RED
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Text, Widget

OFFERED = "推荐"


def _tabs(chosen: str) -> list[Tab]:
    tabs = (("home", "首页", "home"), ("follows", "关注", "heart"), ("mine", "我的", "person"))
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in tabs
    ]


# ---- parts of pages


def _row(video: Video, under: str = "") -> ListRow:
    words = under or f"{video.author} · {video.views}万次 · {length_words(video.length)}"
    cover = Cover(video.title, glyph="play", room=64)
    tap, hold = action_ref("play", title=video.title), action_ref("go", page="menu", title=video.title)
    return ListRow(video.title, words, leading=cover, lead=104, tap=tap, hold=hold)


def _rows(titles: Iterable[str]) -> list[Widget]:
    return [_row(VIDEOS[title]) for title in titles]


def _author_row(author: str, followed: bool, pad: float = 16) -> ListRow:
    words = f"{AUTHORS[author]}博主" + (" · 已关注" if followed else "")
    cover = Cover(author, room=44, radius=22)
    return ListRow(
        author,
        words,
        leading=cover,
        lead=44,
        trailing="›",
        tap=action_ref("go", page="author", author=author),
        pad=pad,
    )


def _empty_body(words: str) -> list[Widget]:
    return [
        Space(140),
        Icon("film", size=60, color="#c6c9d0", room=90),
        Text(words, color=GREY, align="center"),
    ]


def _now_playing(view: PageView) -> list[Widget]:
    """Bar with the playing video, shown below other pages."""
    playing = view.state["playing"]
    if not playing["title"]:
        return []
    runs = playing["since"] is not None
    under = f"{'正在播放' if runs else '已暂停'} {length_words(position(playing, view.now))}"
    flip = Icon("pause" if runs else "play", "暂停" if runs else "继续播放", action_ref("flip"), size=22)
    cover = Cover(playing["title"], room=40)
    show = action_ref("go", page="video", title=playing["title"])
    return [ListRow(playing["title"], under, leading=cover, lead=56, trailing=flip, tap=show, pad=4)]


def _follow_button(view: PageView, author: str) -> Button:
    if author in view.state["follows"]:
        return Button("已关注", action_ref("go", page="ask_unfollow", author=author), style="tonal", room=42)
    return Button("关注", action_ref("follow", author=author), room=42)


# ---- pages


def _home_page(view: PageView) -> AppPage:
    channel = view.arguments.get("channel", OFFERED)
    names = (OFFERED, *CHANNELS)
    tabs = [Tab(text=name, tap=action_ref("channel", name=name), chosen=name == channel) for name in names]
    pill = Card(
        [
            ListRow(
                SEARCH,
                leading=Icon("search", size=18, color=GREY, room=26),
                lead=20,
                color=GREY,
                size=14,
                pad=6,
            )
        ],
        color="#eceef2",
        pad=0,
        radius=22,
        tap=action_ref("search"),
        description=SEARCH,
    )
    bar = RowLayout([pill, Icon("mic", "语音", voice.LISTEN)], [None, 48], pad=12)
    offered = view.state["offered"] if channel == OFFERED else []
    body = _rows(offered or [title for title, video in VIDEOS.items() if video.channel == channel])
    header = [Space(4), bar, Tabs(tabs)]
    return AppPage(header=header, body=body, footer=_now_playing(view), tabs=_tabs("home"), background=PAPER)


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", "").strip()
    bar = SearchBar(Field("query", SEARCH, glyph="search", enter="搜索"), voice.LISTEN)
    body = _search_results(view, word) if word else [Heading("大家都在看"), *_rows(view.state["offered"][:6])]
    return AppPage(title="搜索", header=[bar], body=body, background=PAPER)


def _search_results(view: PageView, word: str) -> list[Widget]:
    rows: list[Widget] = [
        _author_row(author, author in view.state["follows"]) for author in AUTHORS if word in author
    ]
    rows += _rows(title for title, video in VIDEOS.items() if word in title or word in video.author)
    return rows or _empty_body("没有找到相关视频")


def _follows_page(view: PageView) -> AppPage:
    follows = view.state["follows"]
    body: list[Widget] = [_author_row(author, True) for author in follows]
    if follows:
        body.append(Heading("最新作品"))
        body += _rows(title for title, video in VIDEOS.items() if video.author in follows)
    else:
        body = _empty_body("还没有关注的作者")
    footer = _now_playing(view)
    return AppPage(
        title="关注", back=False, body=body, footer=footer, tabs=_tabs("follows"), background=PAPER
    )


def _mine_page(view: PageView) -> AppPage:
    state = view.state
    lists = (
        ("观看历史", "history", "history", len(state["history"])),
        ("我的收藏", "star", "saved", len(state["saved"])),
        ("我点赞的", "heart", "liked", len(state["liked"])),
    )
    rows: list[Widget] = []
    for words, glyph, page, count in lists:
        leading = Icon(glyph, size=22, color="#d6336c", room=40)
        rows.append(
            ListRow(
                words, leading=leading, lead=32, trailing=f"{count}个视频›", tap=action_ref("go", page=page)
            )
        )
    me = RowLayout(
        [Cover("我", glyph="person", room=64, radius=32), Text("我的账号", size=20, bold=True)], [64, None]
    )
    body = [Space(4), me, Space(8), Card(rows, pad=2)]
    return AppPage(title="我的", back=False, body=body, pad=14, footer=_now_playing(view), tabs=_tabs("mine"))


def _history_page(view: PageView) -> AppPage:
    rows: list[Widget] = [
        _row(
            VIDEOS[seen["title"]],
            f"看到 {length_words(seen['position'])} · 共 {length_words(VIDEOS[seen['title']].length)}",
        )
        for seen in view.state["history"]
    ]
    return AppPage(title="观看历史", body=rows or _empty_body("没有观看记录"), background=PAPER)


def _saved_page(view: PageView) -> AppPage:
    return AppPage(
        title="我的收藏", body=_rows(view.state["saved"]) or _empty_body("没有收藏"), background=PAPER
    )


def _liked_page(view: PageView) -> AppPage:
    return AppPage(
        title="我点赞的", body=_rows(view.state["liked"]) or _empty_body("没有点赞"), background=PAPER
    )


def _author_page(view: PageView) -> AppPage:
    author = view.arguments["author"]
    titles = [title for title, video in VIDEOS.items() if video.author == author]
    views = sum(VIDEOS[title].views for title in titles)
    words = ColumnLayout(
        [
            Text(author, size=20, bold=True),
            Text(f"{len(titles)}个作品 · {views}万次播放", size=13, color=GREY),
        ]
    )
    head = RowLayout(
        [Cover(author, room=60, radius=30), words, _follow_button(view, author)], [60, None, 92], pad=16
    )
    body = [Space(6), head, Space(6), Heading("全部作品"), *_rows(titles)]
    return AppPage(title="作者主页", body=body, background=PAPER)


def _video_page(view: PageView) -> AppPage:
    video = VIDEOS[view.arguments["title"]]
    playing = view.state["playing"]
    current = playing["title"] == video.title
    second = position(playing, view.now) if current else 0
    runs = current and playing["since"] is not None
    control = Icon(
        "pause" if runs else "play",
        "暂停" if runs else "播放",
        action_ref("flip") if current else action_ref("play", title=video.title),
    )
    times = [Text(length_words(second), size=13), Text(length_words(video.length), size=13, align="right")]
    bar = RowLayout(
        [control, times[0], ProgressBar(second / video.length, pad=0), times[1]], [44, 44, None, 44], pad=10
    )
    followed = video.author in view.state["follows"]
    author = RowLayout(
        [_author_row(video.author, followed, pad=2), _follow_button(view, video.author)],
        [None, 92],
        gap=0,
        pad=14,
    )
    others = [
        title for title, other in VIDEOS.items() if other.channel == video.channel and other is not video
    ]
    body: list[Widget] = [
        Text(video.title, size=20, bold=True),
        Text(f"{video.views}万次播放 · {video.channel}", size=13, color=GREY),
    ]
    rest: list[Widget] = [_marks(view, video), author, Heading("接下来播放"), *_rows(others)]
    picture = Cover(video.title, glyph=None if runs else "play", room=210, radius=0)
    header = [picture, bar]
    return AppPage(title="", header=header, body=[ColumnLayout(body, pad=16), *rest], background=PAPER)


def _marks(view: PageView, video: Video) -> RowLayout:
    """Buttons to like, save and share."""
    columns: list[Widget] = []
    for words, glyph, key, tap in (
        ("点赞", "heart", "liked", action_ref("mark", key="liked", title=video.title)),
        ("收藏", "star", "saved", action_ref("mark", key="saved", title=video.title)),
        ("分享", "share", "", action_ref("share")),
    ):
        on = bool(key) and video.title in view.state[key]
        columns.append(_mark(f"已{words}" if on else words, glyph, tap, RED if on else INK))
    return RowLayout(columns)


def _mark(words: str, glyph: str, tap: ActionRef, color: str) -> Card:
    label = Text(words, size=13, color=color, align="center")
    return Card([Icon(glyph, size=24, color=color, room=34), label], pad=6, tap=tap, gap=0)


def _menu_sheet(view: PageView) -> Sheet:
    title = view.arguments["title"]
    keep = "取消收藏" if title in view.state["saved"] else "收藏视频"
    rows = (
        ("播放", "play", action_ref("play", title=title)),
        (keep, "star", action_ref("keep", title=title)),
        ("作者主页", "person", action_ref("to_author", author=VIDEOS[title].author)),
    )
    body = [
        ListRow(words, leading=Icon(glyph, size=20, room=40), lead=36, tap=tap) for words, glyph, tap in rows
    ]
    return Sheet(title=title, body=body)


def _unfollow_dialog(view: PageView) -> Dialog:
    author = view.arguments["author"]
    buttons = [
        Button("再想想", BACK, style="tonal"),
        Button("取消关注", action_ref("unfollow", author=author), style="danger"),
    ]
    return Dialog(title="取消关注", message=f"不再关注“{author}”？", buttons=buttons)


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _home_page,
        "search": _search_page,
        "follows": _follows_page,
        "mine": _mine_page,
        "history": _history_page,
        "saved": _saved_page,
        "liked": _liked_page,
        "author": _author_page,
        "video": _video_page,
        "menu": _menu_sheet,
        "ask_unfollow": _unfollow_dialog,
        "voice": voice.page("播放外婆的红烧肉", "继续观看", "关注背包大鱼"),
    }
)
"""Page functions by name."""


# ---- handlers of taps


def _tab(context: HandlerContext, page: str) -> None:
    """Open a tab with the first tab below it, so that back returns to it."""
    context.root("home")
    if page != "home":
        context.go(page)


def _channel(context: HandlerContext, name: str) -> None:
    context.fact("channel_opened", channel=name)
    context.root("home", channel=name)


def _search(context: HandlerContext) -> None:
    context.go("search")
    context.focus("query")


def _play(context: HandlerContext, title: str) -> None:
    """Play a video from its last position, and save the position of the one that played before."""
    _save_position(context)
    seen = next((seen for seen in context.state["history"] if seen["title"] == title), None)
    start = seen["position"] if seen else 0
    if start >= VIDEOS[title].length:
        start = 0
    context.state["playing"] = {"title": title, "position": start, "since": round(context.now.timestamp())}
    others = [seen for seen in context.state["history"] if seen["title"] != title]
    context.state["history"] = [{"title": title, "position": start}, *others]
    context.fact("video_played", title=title, position=start)
    if "title" in context.arguments:
        context.replace("video", title=title)
    else:
        context.go("video", title=title)


def _save_position(context: HandlerContext) -> None:
    """Save the position of the playing video."""
    playing = context.state["playing"]
    for seen in context.state["history"]:
        if seen["title"] == playing["title"]:
            seen["position"] = position(playing, context.now)


def _flip(context: HandlerContext) -> None:
    """Pause or resume."""
    playing = context.state["playing"]
    second = position(playing, context.now)
    runs = playing["since"] is not None
    over = not runs and second >= VIDEOS[playing["title"]].length
    since = None if runs else round(context.now.timestamp())
    context.state["playing"] = {"title": playing["title"], "position": 0 if over else second, "since": since}
    _save_position(context)
    context.fact("video_paused" if runs else "video_resumed", title=playing["title"])


def _follow(context: HandlerContext, author: str) -> None:
    if author not in context.state["follows"]:
        context.state["follows"].append(author)
        context.fact("author_followed", author=author)
    context.toast(f"已关注{author}")


def _unfollow(context: HandlerContext, author: str) -> None:
    if author in context.state["follows"]:
        context.state["follows"].remove(author)
        context.fact("author_unfollowed", author=author)
    context.toast(f"已取消关注{author}")


def _unfollow_confirmed(context: HandlerContext, author: str) -> None:
    context.back()
    _unfollow(context, author)


def _mark_video(context: HandlerContext, key: str, title: str) -> None:
    """Like or save a video, or undo that."""
    on = title not in context.state[key]
    if on:
        context.state[key].insert(0, title)
    else:
        context.state[key].remove(title)
    context.fact(f"video_{key}", title=title, on=on)
    context.toast(("已" if on else "已取消") + {"saved": "收藏", "liked": "点赞"}[key])


def _save_from_sheet(context: HandlerContext, title: str) -> None:
    """Save the video of the sheet that a long press opened."""
    context.back()
    _mark_video(context, "saved", title)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: follow or unfollow an author; save, play or resume a video."""
    author = next((author for author in AUTHORS if author in phrase), None)
    title = next((title for title in VIDEOS if title in phrase), None)
    if author and "关注" in phrase:
        (_unfollow if "取消" in phrase or "不" in phrase else _follow)(context, author)
    elif title and "收藏" in phrase:
        if (title in context.state["saved"]) == ("取消" in phrase):
            _mark_video(context, "saved", title)
    elif title:
        _play(context, title)
    elif "历史" in phrase:
        context.go("history")
    elif "继续" in phrase and context.state["history"]:
        _play(context, context.state["history"][0]["title"])
    elif author:
        context.go("author", author=author)
    else:
        return False
    return True


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "tab": _tab,
        "channel": _channel,
        "search": _search,
        "play": _play,
        "flip": _flip,
        "to_author": lambda context, author: context.replace("author", author=author),
        "follow": _follow,
        "unfollow": _unfollow_confirmed,
        "mark": _mark_video,
        "keep": _save_from_sheet,
        "share": lambda context: context.toast("链接已复制"),
        **voice.handlers(_understand),
    }
)
