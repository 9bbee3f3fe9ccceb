"""A line for the phone's shell, cut into commands and words as POSIX quoting says.

Understood are words, quotes, backslashes, `$?`, assignments before a command, the joints `;` `&&` `||`,
and the redirections `>` `>>` `2>` `2>&1`: what adb, adbutils and uiautomator2 send. Everything else that a
shell acts on, and that a careful caller quotes, is refused: who forgets to quote finds out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

STATUS = "\0"
"""Stands in a word for `$?`, the exit code of the command before. A line holds no NUL of its own."""

_JOINTS = ("&&", "||", ";")
_REFUSED = "$`()&|<\n*?[{"
_REFUSED_AT_START = "~#"
_REDIRECTION = re.compile(r"(2>&1|1>&2|>&2|[12]?>>|[12]?>)")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


class ShellSyntaxError(Exception):
    """A line that the shell does not take; the text is the shell's message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirection:
    """Where a command's output goes instead.

    Args:
        source: 1 for what it says, 2 for its complaints.
        target: A path, or 1 or 2 for where that stream goes.
        append: Whether the file is kept and written on.
    """

    source: int
    target: str | int
    append: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellCommand:
    """One command of a line.

    Args:
        joint: What stands before it: `;`, `&&` or `||`.
        words: Its name and arguments, unquoted; `STATUS` stands for `$?`.
        redirections: In order.
    """

    joint: str
    words: tuple[str, ...]
    redirections: tuple[Redirection, ...] = ()


def parse_line(line: str) -> tuple[ShellCommand, ...]:
    r"""The commands of a line, in order; none for an empty line.

    Raises:
        ShellSyntaxError: The line is not one of those understood.

    >>> [command.words for command in parse_line("input text 'a b' && echo $?")]
    [('input', 'text', 'a b'), ('echo', '\x00')]
    """
    return _LineReader(line).commands()


class _LineReader:
    """Reads a line from left to right."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0

    def commands(self) -> tuple[ShellCommand, ...]:
        found: list[ShellCommand] = []
        joint = ";"
        while True:
            command = self._command(joint)
            if command is not None:
                found.append(command)
            self._skip_blanks()
            if self.at == len(self.line):
                if command is None and joint != ";":
                    raise self._refusal("newline")
                return tuple(found)
            joint = next(sign for sign in _JOINTS if self.line.startswith(sign, self.at))
            if command is None:
                raise self._refusal(joint)
            self.at += len(joint)

    def _command(self, joint: str) -> ShellCommand | None:
        words: list[str] = []
        redirections: list[Redirection] = []
        assigned = False
        while True:
            self._skip_blanks()
            if self._at_joint() or self.at == len(self.line):
                break
            sign = _REDIRECTION.match(self.line, self.at)
            if sign:
                redirections.append(self._redirection(sign.group()))
            elif not words and _ASSIGNMENT.match(self.line, self.at):
                self._word()
                assigned = True
            else:
                words.append(self._word())
        if not words and (redirections or assigned):
            words = ["true"]
        return (
            ShellCommand(joint=joint, words=tuple(words), redirections=tuple(redirections)) if words else None
        )

    def _redirection(self, sign: str) -> Redirection:
        self.at += len(sign)
        if sign == "2>&1":
            return Redirection(source=2, target=1)
        if sign.endswith(">&2"):
            return Redirection(source=1, target=2)
        self._skip_blanks()
        if self.at == len(self.line) or self._at_joint():
            raise self._refusal("newline")
        source = 2 if sign.startswith("2") else 1
        return Redirection(source=source, target=self._word(), append=sign.endswith(">>"))

    def _at_joint(self) -> bool:
        return any(self.line.startswith(sign, self.at) for sign in _JOINTS)

    def _skip_blanks(self) -> None:
        while self.at < len(self.line) and self.line[self.at] in " \t":
            self.at += 1

    def _word(self) -> str:
        word, start = "", self.at
        while self.at < len(self.line):
            sign = self.line[self.at]
            if sign in " \t>" or self._at_joint():
                if sign == ">" and self.line[start : self.at].isdigit():
                    raise self._refusal(sign)
                break
            if self.line.startswith("$?", self.at):
                word += STATUS
                self.at += 2
            elif sign in _REFUSED or (sign in _REFUSED_AT_START and self.at == start):
                raise self._refusal(sign)
            elif sign in "'\"":
                word += self._quoted(sign)
            elif sign == "\\":
                word += self._escaped()
            else:
                word += sign
                self.at += 1
        return word

    def _escaped(self) -> str:
        sign = self.line[self.at + 1 : self.at + 2]
        if sign in ("", "\n"):
            raise self._refusal("\\")
        self.at += 2
        return sign

    def _quoted(self, quote: str) -> str:
        start, text = self.at, ""
        self.at += 1
        while self.at < len(self.line):
            sign = self.line[self.at]
            if sign == quote:
                self.at += 1
                return text
            text += sign if quote == "'" else self._in_double_quotes(sign)
            self.at += 1
        self.at = start
        raise ShellSyntaxError(f"syntax error: no closing quote for {quote} at {start}")

    def _in_double_quotes(self, sign: str) -> str:
        """What the sign at hand stands for; leaves `at` on the last sign it has used."""
        after = self.line[self.at + 1 : self.at + 2]
        if sign + after == "$?":
            self.at += 1
            return STATUS
        if sign in "$`" or sign + after == "\\\n":
            raise self._refusal(sign)
        if sign == "\\" and after in tuple('$`"\\'):
            self.at += 1
            return after
        return sign

    def _refusal(self, sign: str) -> ShellSyntaxError:
        name = sign if sign.isprintable() else repr(sign)[1:-1]
        return ShellSyntaxError(
            f"syntax error: unexpected '{name}' at {self.at}; the simulated phone takes it only quoted"
        )
