"""`sed`: edit lines by a script."""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from android_shell.command_call import CommandCall
from android_shell.file_paths import FileError
from android_shell.tools.patterns import PatternError
from android_shell.tools.sed_script import Address, SedCommand, parse_script
from android_shell.tools.tool_arguments import read_contents, split_lines
from android_shell.tools.tool_options import Options

MAX_STEPS = 10_000
"""Largest number of branches taken for one line."""

MAX_SPACE = 1 << 22
"""Largest length of the pattern space and of the hold space, in characters."""

MAX_TEXT = 1 << 26
"""Largest length of the edited text, in characters."""


async def sed(call: CommandCall, options: Options, names: list[str]) -> None:
    """`sed [-nErsz] [-i[SUFFIX]] [-e SCRIPT] [-f FILE] [SCRIPT] [FILE ...]`."""
    if "V" in options:
        call.print("This is not GNU sed version 9.0\n")
        return
    scripts = options.list_values("e")
    for name in options.list_values("f"):
        scripts = [*scripts, _read_script(call, name)]
    if not options.has("ef"):
        if not names:
            raise call.error("no pattern")
        scripts = [names.pop(0)]
    try:
        commands = parse_script("\n".join(scripts), extended=options.has("Er"))
        await _edit(call, commands, options, names)
    except PatternError as error:
        raise call.error(f"{error}") from None


def _read_script(call: CommandCall, name: str) -> str:
    try:
        return call.device.files.read(call.path(name)).decode("utf-8", "surrogateescape").removesuffix("\n")
    except FileError as error:
        raise call.error(f"{name}: {error}") from None


async def _edit(call: CommandCall, commands: list[SedCommand], options: Options, names: list[str]) -> None:
    quiet, end = "n" in options, "\0" if "z" in options else "\n"
    if options.has("is"):
        async for name, data in read_contents(call, names):
            editor = _Editor(commands, quiet=quiet, end=end)
            text = await editor.run(data)
            if "i" in options and name != "-":
                _replace(call, name, data, text, options.get("i"))
            else:
                call.print(text)
            call.code = call.code or editor.code
        return
    editor = _Editor(commands, quiet=quiet, end=end)
    parts = [data async for _, data in read_contents(call, names)]
    # a last line without its end is joined to the next file by one
    whole = b"".join(
        data if data.endswith(end.encode()) or not data or index == len(parts) - 1 else data + end.encode()
        for index, data in enumerate(parts)
    )
    call.print(await editor.run(whole))
    call.code = call.code or editor.code


def _replace(call: CommandCall, name: str, before: bytes, text: str, suffix: str) -> None:
    """Write an edited file, and keep the old one if a suffix is given."""
    files, path = call.device.files, call.path(name)
    mode = files.find(path).mode & 0o777
    if suffix:
        folder, base = posixpath.split(path)
        kept = suffix.replace("*", base) if "*" in suffix else base + suffix
        files.write(posixpath.join(folder, kept), before, mode=mode)
    files.write(path, text.encode("utf-8", "surrogateescape"), mode=mode)


@dataclass(slots=True, kw_only=True)
class _Space:
    """State of one cycle."""

    pattern: str
    substituted: bool = False
    appended: list[str] = field(default_factory=list)


class _Editor:
    """Applies a script to lines."""

    def __init__(self, commands: list[SedCommand], *, quiet: bool, end: str) -> None:
        self._commands = commands
        self._quiet = quiet
        self._end = end
        self._ended = self._terminated = True
        self._hold = ""
        self._output: list[str] = []
        self._size = 0
        self._ranges: dict[int, int] = {}
        self._lines: list[str] = []
        self._number = 0
        self.code = 0

    async def run(self, data: bytes) -> str:
        """The edited text."""
        self._lines = lines = split_lines(data, self._end)
        self._terminated = not data or data.endswith(self._end.encode())
        carried: str | None = None
        while self._number < len(lines) or carried is not None:
            if carried is None:
                self._number += 1
            space = _Space(pattern=lines[self._number - 1] if carried is None else carried)
            carried = None
            if self._number % 500 == 0:
                await asyncio.sleep(0)
            end = self._run_cycle(space)
            if end == "D":
                carried = space.pattern
                continue
            if end != "d" and not self._quiet:
                self._print_space(space.pattern)
            for text in space.appended:
                self._print(text)
            if end == "q":
                break
        return self._end.join(self._output) + (self._end if self._output and self._ended else "")

    def _run_cycle(self, space: _Space) -> str:
        """Run the script once; return "" or what ended it: `d`, `D` or `q`."""
        at = steps = 0
        while at < len(self._commands):
            steps += 1
            if steps > MAX_STEPS:
                raise PatternError("too many branches")
            command = self._commands[at]
            at += 1
            if not self._selected(at - 1, command, space):
                at = command.target if command.name == "{" else at
                continue
            if command.name in ("b", "t", "T"):
                if command.name == "b" or space.substituted == (command.name == "t"):
                    at = command.target
                space.substituted = space.substituted and command.name == "b"
            elif command.name in ("d", "q", "Q"):
                self.code = command.count if command.name != "d" else self.code
                return "d" if command.name == "Q" and self._stop() else command.name[0].lower()
            elif command.name == "D":
                _, _, space.pattern = space.pattern.partition(self._end)
                return "D" if space.pattern else "d"
            elif command.name == "c":
                # of a range, at its end
                if at - 1 not in self._ranges:
                    self._print(command.text)
                return "d"
            elif command.name in ("n", "N") and self._number >= len(self._lines):
                return "q" if command.name == "N" or not self._quiet else "d"
            else:
                self._apply(command, space)
        return ""

    def _stop(self) -> bool:
        # Q ends without printing
        self._number = len(self._lines)
        return True

    def _print(self, line: str) -> None:
        self._size += len(line) + 1
        if self._size > MAX_TEXT:
            raise PatternError("out of memory")
        self._output.append(line)
        self._ended = True

    def _print_space(self, line: str) -> None:
        """Print what was read: a last line without its end stays so."""
        self._print(line)
        self._ended = self._terminated or self._number < len(self._lines)

    def _apply(self, command: SedCommand, space: _Space) -> None:
        match command.name:
            case "s":
                self._substitute(command, space)
            case "y":
                space.pattern = space.pattern.translate(command.table)
            case "p":
                self._print_space(space.pattern)
            case "P":
                self._print_space(space.pattern.partition(self._end)[0])
            case "=":
                self._print(str(self._number))
            case "a":
                space.appended.append(command.text)
            case "i":
                self._print(command.text)
            case "n" | "N":
                self._read_next(command.name, space)
            case "h":
                self._hold = space.pattern
            case "H":
                self._hold = _join(self._hold, self._end, space.pattern)
            case "g":
                space.pattern = self._hold
            case "G":
                space.pattern = _join(space.pattern, self._end, self._hold)
            case "x":
                self._hold, space.pattern = space.pattern, self._hold

    def _read_next(self, name: str, space: _Space) -> None:
        if name == "n" and not self._quiet:
            self._print_space(space.pattern)
        self._number += 1
        line = self._lines[self._number - 1]
        space.pattern = _join(space.pattern, self._end, line) if name == "N" else line

    def _substitute(self, command: SedCommand, space: _Space) -> None:
        text, parts, at, copied, count, size = space.pattern, list[str](), 0, 0, 0, 0
        if command.pattern is None:
            raise PatternError("no previous regex")
        behind = -1
        while at <= len(text) and (found := command.pattern.find(text, at)) and found[0]:
            start, end = found[0]
            if start == end == behind:
                # an empty match right behind another one does not count
                at, behind = end + 1, -1
                continue
            count += 1
            if count >= command.count:
                new = [text[copied:start], *_fill_replacement(command, text, found)]
                parts += new
                size += sum(map(len, new))
                if size > MAX_SPACE:
                    raise PatternError("out of memory")
                copied = end
                if not command.every:
                    break
            behind = end if end > start else -1
            at = end if end > start else end + 1
        if count < command.count:
            return
        space.pattern = _join(*parts, text[copied:])
        space.substituted = True
        if command.prints:
            self._print_space(space.pattern)

    def _selected(self, index: int, command: SedCommand, space: _Space) -> bool:
        return self._in_range(index, command, space) != command.inverted

    def _in_range(self, index: int, command: SedCommand, space: _Space) -> bool:
        if command.first is None:
            return True
        if command.last is None:
            return self._matches(command.first, space)
        if index in self._ranges:
            if self._ends(index, command.last, space):
                del self._ranges[index]
            return True
        if not self._matches(command.first, space):
            return False
        line = command.last.line
        end = self._number + command.last.offset if command.last.offset else line
        if end is None or end > self._number:
            self._ranges[index] = end or 0
        return True

    def _ends(self, index: int, last: Address, space: _Space) -> bool:
        if self._ranges[index]:
            return self._number >= self._ranges[index]
        return self._matches(last, space)

    def _matches(self, address: Address, space: _Space) -> bool:
        if address.pattern is not None:
            return address.pattern.matches([space.pattern])[0]
        if address.line is None:
            return self._number == len(self._lines)
        return self._number == address.line


def _join(*parts: str) -> str:
    """The parts as one text.

    Raises:
        PatternError: It is too long.
    """
    if sum(map(len, parts)) > MAX_SPACE:
        raise PatternError("out of memory")
    return "".join(parts)


def _fill_replacement(
    command: SedCommand, text: str, found: Sequence[tuple[int, int] | None]
) -> Iterator[str]:
    """Yield the parts of the text that replaces a match."""
    for piece in command.replacement:
        if isinstance(piece, str):
            yield piece
        elif piece < len(found) and (span := found[piece]):
            yield text[span[0] : span[1]]
