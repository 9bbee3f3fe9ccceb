"""`cmd notification`: notifications that a host posts, and access of listeners."""

from __future__ import annotations

from collections.abc import Mapping

from android_shell.command_call import CommandError, UnsupportedError
from simulated_phone.adb.commands.device_call import DeviceCall

SHELL_PACKAGE = "com.android.shell"
"""Package in whose name a host posts."""

_CHANNEL, _ID = "shell_cmd", 2020
_EXTRAS = ("android.title", "android.text")
_STYLE_OPTIONS, _TITLE_OPTIONS = frozenset({"-S", "--style"}), frozenset({"-t", "--title", "title"})


def notification(call: DeviceCall) -> None:
    """`cmd notification post [-t TITLE] [-S bigtext] TAG TEXT`, `allow_listener|disallow_listener COMPONENT`.

    A notification is shown in the panel, in place of an earlier one of its tag. It makes no sound and covers
    nothing, as those of the shell's own channel on a phone in silent mode.
    """
    word = call.args[0].replace("-", "_") if call.args else ""
    if word in ("post", "notify"):
        _post(call, call.args[1:])
    elif word not in ("allow_listener", "disallow_listener") or len(call.args) < 2:
        raise CommandError(f"Unknown command: {' '.join(call.args[:1])}", 255)


def _post(call: DeviceCall, words: list[str]) -> None:
    title, at = "", 0
    while at < len(words) and words[at].startswith("-"):
        option, value = words[at], words[at + 1] if at + 1 < len(words) else ""
        if option in _TITLE_OPTIONS:
            title = value
        elif option not in _STYLE_OPTIONS or value.lower() != "bigtext":
            raise call.refuse_option(option)
        at += 2
    if len(words) - at < 2:
        raise UnsupportedError("cmd notification post: the usage text is not simulated; give TAG and TEXT")
    tag, text = words[at : at + 2]
    call.phone.tasks.post_notification(tag, title, text)
    call.print(f"posting:\n  {_describe()}\n")


def _describe() -> str:
    return (
        f"Notification(channel={_CHANNEL} shortcut=null contentView=null vibrate=null sound=null "
        "defaults=0x0 flags=0x0 color=0x00000000 vis=PRIVATE)"
    )


def format_records(posted: Mapping[str, list[str]], *, redact: bool) -> str:
    """The records of posted notifications, as `dumpsys notification` lists them.

    Args:
        posted: Tag -> title and text.
        redact: Whether texts are replaced by their lengths, as without `--noredact`.
    """
    lines: list[str] = []
    for tag, words in posted.items():
        lines.append(
            f"    NotificationRecord(0x{len(lines):08x}: pkg={SHELL_PACKAGE} user=UserHandle{{0}} id={_ID} "
            f"tag={tag} importance=3 key=0|{SHELL_PACKAGE}|{_ID}|{tag}|2000: {_describe()})"
        )
        for name, value in zip(_EXTRAS, words, strict=True):
            shown = f"[length={len(value)}]" if redact else f"({value})"
            lines.append(f"        {name}=String {shown}")
    return "".join(f"{line}\n" for line in lines)
