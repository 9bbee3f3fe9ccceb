"""Expressions of `find`: tests and actions, with `-a`, `-o`, `!` and parentheses."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from android_shell.command_call import CommandCall, CommandError, UnsupportedError
from android_shell.file_entries import FileEntry


@dataclass(slots=True, kw_only=True)
class Visit:
    """An entry that `find` looks at.

    Attributes:
        path: The path, as it is printed.
        start: The path that it was found below.
        name: Last part of the path.
        entry: The entry.
        depth: Number of folders between the start and the entry.
        enters: Whether what is in the folder is looked at; tests change it.
    """

    path: str
    start: str
    name: str
    entry: FileEntry
    depth: int
    enters: bool = True


Test = Callable[[Visit], "bool | Awaitable[bool]"]


@dataclass(slots=True, kw_only=True)
class Expression:
    """A parsed expression.

    Attributes:
        alternatives: Lists of tests that all have to hold, one of the lists for a match; each with whether
            it is inverted.
        acts: Whether it has an action of its own; without one a match is printed.
        inner_first: Whether what is in a folder is looked at before the folder.
        finish: Called at the end, to run what `-exec {} +` has collected.
    """

    alternatives: list[list[tuple[bool, Test]]] = field(default_factory=lambda: [[]])
    acts: bool = False
    inner_first: bool = False
    finish: list[Callable[[], Awaitable[None]]] = field(default_factory=list)

    async def matches(self, visit: Visit) -> bool:
        """Whether an entry matches; actions are carried out."""
        for tests in self.alternatives:
            for inverted, test in tests:
                result = test(visit)
                if inspect.isawaitable(result):
                    result = await result
                if bool(result) == inverted:
                    break
            else:
                return True
        return False


class ExpressionParser:
    """Parses an expression.

    Args:
        call: The call of `find`.
        words: The words of the expression.
        tests: Name of a test -> makes it of its argument; None in its place for one without an argument.
        flags: Name of a test without an argument -> the test.
        actions: Name of an action -> makes it, taking its words from the parser.
        refused: Names that a phone's tool has and this one lacks.
    """

    def __init__(
        self,
        call: CommandCall,
        words: list[str],
        *,
        tests: dict[str, Callable[[CommandCall, str], Test]],
        flags: dict[str, Test],
        actions: dict[str, Callable[[ExpressionParser], Test]],
        refused: tuple[str, ...],
    ) -> None:
        self.call = call
        self._words = list(reversed(words))
        self._tests = tests
        self._flags = flags
        self._actions = actions
        self._refused = refused
        self.whole = Expression()

    def parse(self) -> Expression:
        """Parse all words.

        Raises:
            CommandError: A word is none of the expression, or an argument is missing.
        """
        self._parse_group(self.whole, closed=False)
        return self.whole

    def take(self, name: str) -> str:
        """The next word.

        Raises:
            CommandError: There is none.
        """
        if not self._words:
            raise self.call.error(f"'-{name}' needs 1 arg")
        return self._words.pop()

    def take_command(self) -> tuple[list[str], bool]:
        """Words of a command up to `;` or `{} +`, and whether it was the latter."""
        taken: list[str] = []
        while self._words:
            word = self._words.pop()
            if word == ";":
                return taken, False
            if word == "+" and taken[-1:] == ["{}"]:
                return taken, True
            taken.append(word)
        raise self.call.error("-exec without " + ("\\;" if "{}" in taken else "{}"))

    def _parse_group(self, group: Expression, *, closed: bool) -> None:
        inverted = False
        while self._words:
            word = self._words.pop()
            if word == ")" and closed:
                return
            if word in ("!", "-not"):
                inverted = not inverted
            elif word in ("-o", "-or"):
                if inverted:
                    raise self._error(word)
                group.alternatives.append([])
            elif word in ("-a", "-and", "-noleaf"):
                if inverted:
                    raise self._error(word)
            else:
                group.alternatives[-1].append((inverted, self._parse_test(word)))
                inverted = False

    def _parse_test(self, word: str) -> Test:
        if word == "(":
            inner = Expression()
            self._parse_group(inner, closed=True)
            return inner.matches
        name = word.removeprefix("-")
        if word[:1] != "-" or not name:
            raise self._error(word)
        if name in self._flags:
            return self._flags[name]
        if name in self._actions:
            return self._actions[name](self)
        if name in self._refused:
            raise UnsupportedError(f"find: bad arg '{word}'")
        make = self._tests.get(name)
        if make is None:
            raise self._error(word)
        return make(self.call, self.take(name))

    def _error(self, word: str) -> CommandError:
        return self.call.error(f"bad arg '{word}'")
