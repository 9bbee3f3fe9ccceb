"""`ps`: processes in columns, padded as toybox pads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from android_shell.command_call import UnsupportedError
from android_shell.tools.tool_options import Options
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.processes import (
    COMMAND_LENGTH,
    Process,
    number_of,
    processes,
    split_words,
)

_DEFAULT = "USER,PID,PPID,VSIZE,RSS,WCHAN:10,ADDR:10,S,NAME"
_FULL = "USER:12=UID,PID,PPID,C,STIME,TTY,TIME,ARGS=CMD"
_OWN = (
    Process(user="shell", pid=4242, parent=720, name="sh"),
    Process(user="shell", pid=4243, parent=4242, name="ps"),
)
_APP_USER = re.compile(r"u\d+_a\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column.

    Attributes:
        title: Title in the header.
        width: Number of characters, negative where its texts are on the left.
        read: Text of a process.
    """

    title: str
    width: int
    read: Callable[[Process], str]


def _make_columns(*columns: _Column) -> Mapping[str, _Column]:
    return MappingProxyType({column.title: column for column in columns})


_COLUMNS = _make_columns(
    _Column(title="PID", width=5, read=lambda one: str(one.pid)),
    _Column(title="PPID", width=5, read=lambda one: str(one.parent)),
    _Column(title="RSS", width=6, read=lambda _: "90000"),
    _Column(title="VSZ", width=7, read=lambda _: "5000000"),
    _Column(title="ADDR", width=12, read=lambda _: "0"),
    _Column(title="UID", width=5, read=lambda one: str(number_of(one.user))),
    _Column(title="C", width=1, read=lambda _: "0"),
    _Column(title="%CPU", width=4, read=lambda _: "0.0"),
    _Column(title="STIME", width=5, read=lambda _: "08:30:00"),
    _Column(title="TIME", width=8, read=lambda _: "00:00:01"),
    _Column(title="TTY", width=-8, read=lambda _: "?"),
    _Column(title="WCHAN", width=-6, read=lambda _: "0"),
    _Column(title="S", width=-1, read=lambda _: "S"),
    _Column(title="USER", width=-12, read=lambda one: one.user),
    _Column(title="CMD", width=-15, read=lambda one: one.name[-COMMAND_LENGTH:]),
    _Column(title="NAME", width=-27, read=lambda one: one.name),
    _Column(title="ARGS", width=-27, read=lambda one: one.name),
    _Column(title="CMDLINE", width=-27, read=lambda one: one.name),
)
_OTHER_NAMES = MappingProxyType({"VSIZE": "VSZ", "UNAME": "USER", "PCPU": "%CPU"})


def ps(call: DeviceCall, options: Options, operands: list[str]) -> None:
    """`ps [-Aefn] [-p PID,...] [-P PID,...] [-u USER,...] [-o FIELD,...]`; without -A the shell's own."""
    shown = _choose_processes(call, options, operands)
    # as toybox, which fails where nothing is listed
    call.code = int(not shown)
    text = _FULL if "f" in options else _DEFAULT
    columns = _parse_columns(",".join(options.list_values("o")) if "o" in options else text)
    if "n" in options:
        shown = [replace(one, user=str(number_of(one.user))) for one in shown]
    header = [
        column.title.ljust(-column.width) if column.width < 0 else column.title.rjust(column.width)
        for column in columns
    ]
    call.print(" ".join(header) + "\n")
    for one in shown:
        call.print(_write_row(columns, one) + "\n")


def _choose_processes(call: DeviceCall, options: Options, operands: list[str]) -> list[Process]:
    known = [*processes(call), *_OWN]
    chosen = {
        letter: split_words(options.list_values(letter) + (operands if letter == "p" else []))
        for letter in "pPuU"
    }
    names = {one.user for one in known}
    for letter, words in chosen.items():
        for word in words:
            if not (word.isdecimal() or (letter in "uU" and (word in names or _APP_USER.fullmatch(word)))):
                raise call.error(f"bad {word}" if word in operands else f"bad -{letter} '{word}'")
    users = chosen["u"] | chosen["U"]
    if any(chosen.values()):
        return [
            one
            for one in known
            if str(one.pid) in chosen["p"]
            or str(one.parent) in chosen["P"]
            or {one.user, str(number_of(one.user))} & users
        ]
    return known if options.has("Ae") else list(_OWN)


def _parse_columns(text: str) -> list[_Column]:
    return [_parse_column(word) for word in text.split(",")]


def _parse_column(word: str) -> _Column:
    """The column of NAME[:WIDTH][=TITLE]."""
    form, equals, title = word.partition("=")
    name, colon, width = form.partition(":")
    key = name.lstrip("+-").upper()
    column = _COLUMNS.get(_OTHER_NAMES.get(key, key))
    if column is None or (colon and not width.isdecimal()):
        # toybox has more columns
        raise UnsupportedError(f"ps: bad -o '{word}'")
    # without a width the letters of a title are it, if there are any
    size = int(width) if colon else len(title)
    size = size or abs(column.width)
    return _Column(
        title=title if equals else column.title,
        width=-size if column.width < 0 else size,
        read=column.read,
    )


def _write_row(columns: list[_Column], process: Process) -> str:
    """Return a process as a row; what is too long for its column takes the space of later ones."""
    cells, extra = [], 0
    for column in columns:
        text, width = column.read(process), abs(column.width)
        if len(text) > width:
            extra += len(text) - width
        elif extra:
            taken = min(width - len(text), extra)
            width, extra = width - taken, extra - taken
        cells.append(text.ljust(width) if column.width < 0 else text.rjust(width))
    line = " ".join(cells)
    return line.rstrip() if columns[-1].width < 0 else line
