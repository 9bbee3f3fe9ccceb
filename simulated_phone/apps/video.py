"""Video: plays what is found by search, channel or author; remembers what was watched, kept and followed."""

from __future__ import annotations

from simulated_phone import voice
from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.video_pages import PAGES
from simulated_phone.apps.video_world import AUTHORS, GOALS, PACKAGE, VIDEOS, initial, position
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.nodes import action_ref


def _tab(context: HandlerContext, page: str) -> None:
    """Open a tab; back leads from it to the first one."""
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
    """Play from where it was left; what played before is left where it is."""
    _leave(context)
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


def _leave(context: HandlerContext) -> None:
    """Remember how far the playing video was watched."""
    playing = context.state["playing"]
    for seen in context.state["history"]:
        if seen["title"] == playing["title"]:
            seen["position"] = position(playing, context.now)


def _flip(context: HandlerContext) -> None:
    """Pause, or go on."""
    playing = context.state["playing"]
    second = position(playing, context.now)
    runs = playing["since"] is not None
    over = not runs and second >= VIDEOS[playing["title"]].length
    since = None if runs else round(context.now.timestamp())
    context.state["playing"] = {"title": playing["title"], "position": 0 if over else second, "since": since}
    _leave(context)
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


def _unfollow_asked(context: HandlerContext, author: str) -> None:
    context.back()
    _unfollow(context, author)


def _mark_video(context: HandlerContext, key: str, title: str) -> None:
    """Like or keep a video, or no longer."""
    on = title not in context.state[key]
    if on:
        context.state[key].insert(0, title)
    else:
        context.state[key].remove(title)
    context.fact(f"video_{key}", title=title, on=on)
    context.toast(("已" if on else "已取消") + {"saved": "收藏", "liked": "点赞"}[key])


def _keep_held(context: HandlerContext, title: str) -> None:
    """From the sheet that a long press opened."""
    context.back()
    _mark_video(context, "saved", title)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """An author to follow or not; a video to keep, to play or to go on with."""
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


VIDEO = App(
    package=PACKAGE,
    activity=".MainActivity",
    label="视频",
    english="Video",
    glyph="film",
    color="#d6336c",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers={
        "tab": _tab,
        "channel": _channel,
        "search": _search,
        "play": _play,
        "flip": _flip,
        "to_author": lambda context, author: context.replace("author", author=author),
        "follow": _follow,
        "unfollow": _unfollow_asked,
        "mark": _mark_video,
        "keep": _keep_held,
        "share": lambda context: context.toast("链接已复制"),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text="观看历史", glyph="history", tap=action_ref("go", page="history")),
        Shortcut(text="我的收藏", glyph="star", tap=action_ref("go", page="saved")),
    ),
    goals=GOALS,
)
