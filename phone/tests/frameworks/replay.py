"""Device controllers of other people's agents, replayed: their adb commands, from lists of facts.

A list is a TOML file in `replayed/`: the commands that the controller sends for each of its operations, in
order, with what the controller reads from their output. Nothing of the controller's code is in it.
"""

from __future__ import annotations

import base64
import io
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from phone.tests.frameworks.scripted import Controller, Key, centre_of
from phone.tests.simulated_phone.conftest import Rig
from simulated_phone import APPS

LISTS = Path(__file__).parent / "replayed"
_ON_HOST = ("connect", "devices", "version")
_NEEDS_ESCAPE = re.compile(r"[\\;|`\r '\"&<>()#$]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """An adb command.

    Args:
        send: The arguments of adb, without `-s SERIAL`; names in braces are filled in.
        expect: Pattern that the controller's reading of the output needs; "" for none.
        keep: Name under which later commands use the output; "" for none.
        each: "character" or "word": once for each part of the text that `match` matches, instead of once.
        match: Pattern of a whole part; the first command of neighbours with `each` that matches is sent.
        into: "png" or "xml": the output is kept as the file `{file}`.
        may_fail: The controller does not look at the exit code, and the command may fail.
    """

    send: str
    expect: str = ""
    keep: str = ""
    each: Literal["", "character", "word"] = ""
    match: str = ""
    into: str = ""
    may_fail: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandList:
    """A controller's commands.

    Args:
        name: Name in docs/developers/frameworks.md.
        repository: Public repository on GitHub.
        commit: The commit that was read, with its date.
        files: The files that were read.
        host: How a command line becomes arguments: "line" as the host's shell splits it, "words" at spaces
            before names are filled in, "quoted" likewise, each argument then quoted for the phone's shell.
        sees: "tree": the controller reads positions from a dump; "picture": a model does from the screenshot,
            for which the phone's own tree stands here.
        tasks: Names of the tasks.
        in_test: Those that `make test` carries out.
        note: What differs from the other controllers, for docs/developers/frameworks.md.
        operations: Operation ("begin", "observe", "tap", ...) -> its commands.
    """

    name: str
    repository: str
    commit: str
    files: tuple[str, ...]
    host: Literal["line", "words", "quoted"]
    sees: Literal["tree", "picture"]
    tasks: tuple[str, ...]
    in_test: tuple[str, ...]
    note: str = ""
    operations: Mapping[str, tuple[Command, ...]]

    @classmethod
    def load(cls, file: Path) -> CommandList:
        """Read a list.

        Raises:
            TypeError: A field is missing or unknown.
        """
        record = tomllib.loads(file.read_text(encoding="utf-8"))
        operations = {name: tuple(map(_command, lines)) for name, lines in record.pop("operations").items()}
        lists = {name: tuple(value) for name, value in record.items() if isinstance(value, list)}
        return cls(**(record | lists), operations=operations)


def _command(entry: str | dict[str, Any]) -> Command:
    return Command(send=entry) if isinstance(entry, str) else Command(**entry)


@cache
def command_lists() -> dict[str, CommandList]:
    """All lists by name."""
    lists = [CommandList.load(file) for file in sorted(LISTS.glob("*.toml"))]
    return {one.name: one for one in lists}


class ReplayedController(Controller):
    """Sends a list's commands through the real adb and checks what their outputs must show.

    Args:
        commands: The list.
        rig: The phone behind adb.
        folder: Where pulled files are kept.
    """

    def __init__(self, commands: CommandList, rig: Rig, folder: Path) -> None:
        self._list = commands
        self._rig = rig
        self._folder = folder
        self._kept: dict[str, str] = {}
        self._count = 0

    def begin(self) -> None:
        self.perform("begin")

    def observe(self) -> None:
        self._count += 1
        self.perform("observe")

    def end(self) -> None:
        self.perform("end")

    def tree(self) -> str:
        if self._list.sees == "picture":
            return self._rig.server.do(lambda phone: phone.tree())
        return self._file("xml").read_text(encoding="utf-8")

    def open(self, package: str) -> None:
        if "open" in self._list.operations:
            self.perform("open", package=package)
            return
        if "home" in self._list.operations:
            self.perform("home")
            self.observe()
        label = next(app.label for app in APPS if app.package == package)
        if f'"{label}"' not in self.tree():
            # the second page of the home screen
            self.perform("swipe", x=500, y=600, x2=40, y2=600)
            self.observe()
        self.tap(*centre_of(self.tree(), label))

    def tap(self, x: int, y: int) -> None:
        self.perform("tap", x=x, y=y)

    def tap_label(self, label: str) -> None:
        self.tap(*centre_of(self.tree(), label))

    def press(self, key: Key) -> None:
        self.perform(key)

    def write(self, text: str) -> None:
        self.observe()
        self.perform("write", text=text, base64=base64.b64encode(text.encode()).decode())

    def perform(self, operation: str, **values: str | int) -> None:
        """Send the commands of an operation; one that the controller lacks sends none.

        Raises:
            AssertionError: A command fails, or its output lacks what the controller reads.
        """
        for command, part in _expanded(self._list.operations.get(operation, ()), str(values.get("text", ""))):
            self._send(command, {"part": part, "escaped": _NEEDS_ESCAPE.sub(r"\\\g<0>", part), **values})

    def _send(self, command: Command, values: Mapping[str, str | int]) -> None:
        kind = command.into or ("xml" if "{file}" in command.send and ".xml" in command.send else "png")
        text = str(values.get("text", ""))
        names = {
            "file": str(self._file(kind)),
            "number": self._count,
            "percent": text.replace(" ", "%s").replace("'", ""),
            "deletes": "67 " * 100,
            "component": self._component(str(values.get("package", ""))),
            **self._kept,
            **values,
        }
        words = _words(command.send, self._list.host, names)
        run = self._rig.adb.run if words[0] in _ON_HOST else self._rig.run
        done = run(*words)
        output = done.stdout.decode("utf-8", "replace") + done.stderr.decode()
        assert command.may_fail or done.returncode == 0, (words, done.returncode, output)
        expected = _filled(command.expect, {name: re.escape(str(value)) for name, value in names.items()})
        assert re.search(expected, output), (words, expected, output)
        if command.keep:
            self._kept[command.keep] = output.strip()
        if command.into:
            self._file(kind).write_bytes(done.stdout)
        if kind == "png" and (command.into or "{file}" in command.send):
            assert Image.open(io.BytesIO(self._file("png").read_bytes())).size == self._rig.server.do(
                lambda phone: phone.size
            )

    def _component(self, package: str) -> str:
        return next((app.component for app in APPS if app.package == package), "")

    def _file(self, kind: str) -> Path:
        return self._folder / f"screen.{kind}"


def _words(line: str, host: str, names: Mapping[str, str | int]) -> list[str]:
    """The arguments of adb that a command line becomes on the host."""
    if host == "line":
        return shlex.split(_filled(line, names))
    words = [_filled(word, names) for word in shlex.split(line)]
    return ["shell", *map(shlex.quote, words[1:])] if host == "quoted" and words[0] == "shell" else words


def _filled(text: str, names: Mapping[str, str | int]) -> str:
    """The text with the names in braces replaced; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda found: str(names.get(found.group(1), found.group())), text)


def _expanded(commands: tuple[Command, ...], text: str) -> Iterator[tuple[Command, str]]:
    """The commands to send, in order, with the part of the text of those that are sent for each part."""
    rest = list(commands)
    while rest:
        if not rest[0].each:
            yield rest.pop(0), ""
            continue
        group = []
        while rest and rest[0].each:
            group.append(rest.pop(0))
        parts = list(text) if group[0].each == "character" else re.findall(r"[^ ]+| ", text)
        for part in parts:
            found = [command for command in group if re.fullmatch(command.match, part)]
            assert found, f"the list has no command for {part!r}"
            yield found[0], part
