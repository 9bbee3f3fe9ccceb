"""Protocol of the parser for the reader of conditions, which the parser imports."""

from __future__ import annotations

from typing import Protocol

from android_shell.shell.syntax import ShellSyntaxError, ShellWord


class TextReader(Protocol):
    """A position in a text, with the words and operators after it.

    Attributes:
        text: The text.
        at: Index of the next character.
    """

    text: str
    at: int

    def require_word(self) -> ShellWord:
        """Read a word.

        Raises:
            ShellSyntaxError: None stands here.
        """

    def peek_operator(self) -> str:
        """The next operator; "" if no operator stands there."""

    def skip_newlines(self) -> None:
        """Skip blanks, comments and empty lines."""

    def expect(self, sign: str) -> None:
        """Read past an operator or a reserved word."""

    def make_error(self, sign: str | None = None) -> ShellSyntaxError:
        """The error of a character that cannot stand here."""

    def go_deeper(self) -> TextReader:
        """A reader of the same text, one level deeper."""
