"""Parser of shell lines into commands and words, with POSIX quoting.

Supported are words, quotes, backslashes, `$?`, assignments before a command, the operators `;` `&&` `||`,
and the redirections `>` `>>` `2>` `2>&1`: what adb, adbutils and uiautomator2 send. All other special
characters are refused unless quoted, so that missing quotes in a caller become visible.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

STATUS = "\0"
"""Placeholder of `$?` (exit code of the command before) in a word; lines cannot contain NUL."""

_OPERATORS = ("&&", "||", ";")
_REFUSED = "$`()&|<\n*?[{"
_REFUSED_AT_START = "~#"
_REDIRECTION = re.compile(r"(2>&1|1>&2|>&2|[12]?>>|[12]?>)")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


class ShellSyntaxError(Exception):
    """A line that cannot be parsed; the text is the shell's message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirection:
    """A redirection of a command's output.

    Args:
        source: 1 for stdout, 2 for stderr.
        target: A path, or 1 or 2 for the target of that stream.
        append: Whether the output is appended to the file.
    """

    source: int
    target: str | int
    append: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellCommand:
    """One command of a line.

    Args:
        operator: The operator before it: `;`, `&&` or `||`.
        words: Name and arguments, unquoted; `STATUS` is the placeholder of `$?`.
        redirections: Redirections, in order.
    """

    operator: str
    words: tuple[str, ...]
    redirections: tuple[Redirection, ...] = ()


def parse_line(line: str) -> tuple[ShellCommand, ...]:
    r"""Parse the commands of a line, in order; none for an empty line.

    Raises:
        ShellSyntaxError: The line has unsupported or incomplete syntax.

    >>> [command.words for command in parse_line("input text 'a b' && echo $?")]
    [('input', 'text', 'a b'), ('echo', '\x00')]
    """
    return _LineReader(line).commands()


class _LineReader:
    """Recursive-descent parser of a line."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0

    def commands(self) -> tuple[ShellCommand, ...]:
        parsed: list[ShellCommand] = []
        operator = ";"
        while True:
            command = self._command(operator)
            if command is not None:
                parsed.append(command)
            self._skip_blanks()
            if self.at == len(self.line):
                if command is None and operator != ";":
                    raise self._refusal("newline")
                return tuple(parsed)
            operator = next(sign for sign in _OPERATORS if self.line.startswith(sign, self.at))
            if command is None:
                raise self._refusal(operator)
            self.at += len(operator)

    def _command(self, operator: str) -> ShellCommand | None:
        words: list[str] = []
        redirections: list[Redirection] = []
        assigned = False
        while True:
            self._skip_blanks()
            if self._at_operator() or self.at == len(self.line):
                break
            sign = _REDIRECTION.match(self.line, self.at)
            if sign:
                redirections.append(self._redirection(sign.group()))
            elif not words and _ASSIGNMENT.match(self.line, self.at):
                self._word()
                assigned = True
            else:
                words.append(self._word())
        # > file alone empties the file, and an assignment alone succeeds
        if not words and (redirections or assigned):
            words = ["true"]
        return (
            ShellCommand(operator=operator, words=tuple(words), redirections=tuple(redirections))
            if words
            else None
        )

    def _redirection(self, sign: str) -> Redirection:
        self.at += len(sign)
        if sign == "2>&1":
            return Redirection(source=2, target=1)
        if sign.endswith(">&2"):
            return Redirection(source=1, target=2)
        self._skip_blanks()
        if self.at == len(self.line) or self._at_operator():
            raise self._refusal("newline")
        source = 2 if sign.startswith("2") else 1
        return Redirection(source=source, target=self._word(), append=sign.endswith(">>"))

    def _at_operator(self) -> bool:
        return any(self.line.startswith(sign, self.at) for sign in _OPERATORS)

    def _skip_blanks(self) -> None:
        while self.at < len(self.line) and self.line[self.at] in " \t":
            self.at += 1

    def _word(self) -> str:
        word, start = "", self.at
        while self.at < len(self.line):
            sign = self.line[self.at]
            if sign in " \t>" or self._at_operator():
                # 3> names a file descriptor, which is not supported
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
        """Value of the current character in double quotes; leaves `at` on the last consumed character."""
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
