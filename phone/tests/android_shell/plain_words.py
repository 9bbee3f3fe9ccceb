"""Lines of literal words alone, for tests of code that sends shell lines."""

from __future__ import annotations

from android_shell.shell.parser import parse_line
from android_shell.shell.syntax import Literal, ShellSyntaxError, ShellWord, SimpleCommand


def read_plain_words(text: str) -> list[list[str]]:
    """The words of each command of a line that is made of literal words alone.

    For a caller that checks its own quoting: a pipe, a variable or a pattern that it did not mean is refused.

    Raises:
        ShellSyntaxError: The line has a pipe, a compound command, an expansion other than `$?`, or a pattern.
    """
    found: list[list[str]] = []
    for item in parse_line(text).items:
        for _, pipeline in item.pipelines:
            command = pipeline.commands[0]
            if item.background or len(pipeline.commands) > 1 or not isinstance(command, SimpleCommand):
                raise ShellSyntaxError(f"expected commands of plain words, got {text!r}")
            targets = [redirection.target for redirection in command.redirections]
            values = [one.value for one in command.assignments]
            for word in (*command.words, *targets, *values):
                _check_plain(word, text)
            found.append(
                ["".join(part.text for part in word if isinstance(part, Literal)) for word in command.words]
            )
    return found


def _check_plain(word: ShellWord, text: str) -> None:
    for number, part in enumerate(word):
        status = not isinstance(part, Literal) and getattr(part, "name", "") == "?"
        special = (
            isinstance(part, Literal)
            and not part.quoted
            and (set(part.text) & set("*?[{") or (number == 0 and part.text.startswith("~")))
        )
        if special or not (status or isinstance(part, Literal)):
            raise ShellSyntaxError(f"expected only quoted special characters, got {text!r}")
