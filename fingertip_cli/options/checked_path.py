"""Paths on the command line: what no command can use is refused before the command runs."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import click

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}

_STREAMS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""Paths under which a shell passes the output of another command."""


class CheckedPath(click.ParamType[Any]):
    """A `click.Path` that also refuses an empty path, one that is not UTF-8, and pipes and devices.

    To open a named pipe waits for its other end, which may never come.

    Args:
        inner: The path type of the option.
    """

    name = "path"

    def __init__(self, inner: click.Path) -> None:
        self.inner = inner
        self.name = inner.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Convert and check a value."""
        text = os.fsdecode(value)
        if not text:
            self.fail("the path is empty.", param, ctx)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"the path {text!a} is not UTF-8: rename it.", param, ctx)
        if not text.startswith(_STREAMS) and (kind := _kind(Path(text))):
            self.fail(f"{text!r} is {kind}, not a file or a folder.", param, ctx)
        return self.inner.convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """As the inner type."""
        return self.inner.get_metavar(param, ctx)


def check_paths(command: click.Command) -> click.Command:
    """Check all path arguments and options of a command; returns the command."""
    for parameter in command.params:
        if isinstance(parameter.type, click.Path):
            parameter.type = CheckedPath(parameter.type)
        elif isinstance(parameter.type, click.Tuple):
            parts = [CheckedPath(one) if isinstance(one, click.Path) else one for one in parameter.type.types]
            parameter.type = click.Tuple(parts)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            check_paths(inner)
    return command


def _kind(path: Path) -> str | None:
    """Kind of a path that is neither a file nor a folder; None for these, and where there is nothing."""
    try:
        return _KINDS.get(stat.S_IFMT(path.stat().st_mode))
    except (OSError, ValueError):
        return None
