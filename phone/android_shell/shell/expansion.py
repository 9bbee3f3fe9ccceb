"""Expansion of words: parameters, command substitution, arithmetic, field splitting, globbing.

The order is that of POSIX 2.6 (Word Expansions) with mksh's braces: tilde, then parameters, commands and
arithmetic from left to right, then splitting at IFS, then braces, then file names; quotes go at the end. A
segment remembers whether it was quoted, since splitting and globbing come after the quotes were read.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from android_shell.linear_regex import compile_linear
from android_shell.shell.arithmetic import ArithmeticFailure, evaluate
from android_shell.shell.globbing import (
    Segment,
    compile_pattern,
    escape_segments,
    expand_braces,
    match_file_names,
    translate_pattern,
)
from android_shell.shell.quoting import quote_value
from android_shell.shell.syntax import (
    ArithmeticExpansion,
    CommandList,
    CommandSubstitution,
    Literal,
    Parameter,
    ShellWord,
)
from android_shell.shell.variables import ShellError

if TYPE_CHECKING:
    from android_shell.shell.variables import ShellVariables

MAX_TEXT = 1 << 22
"""Largest length of an expanded word, in characters."""

MAX_CUT = 10_000
"""Largest length of a value from which a pattern is cut, in characters: the time grows with its square."""

GIVE_WAY = 5000
"""Number of fields of a word after which the phone may answer others."""

_HOME = re.compile(r"(?:^|(?<==))~([^/:=~]*)(?=/|$)")
_HOME_IN_VALUE = re.compile(r"(?:^|(?<=[:=]))~([^/:~]*)(?=[/:]|$)")
_ASTRAL = re.compile(r"[^\x00-\uffff]")
_BLANK = " \t\n"
_ALL = ("@", "*")


class ExpansionError(ShellError):
    """An expansion that fails; the text is the shell's message, `code` the exit code. The text ends."""


class _Fields:
    """Fields being built from the parts of a word."""

    def __init__(self, separators: str) -> None:
        self._separators = separators
        self.done: list[list[Segment]] = []
        self._current: list[Segment] | None = None

    def add(self, text: str, *, quoted: bool) -> None:
        # an unquoted expansion to nothing makes no field, "" makes an empty one (POSIX 2.6.5)
        if text or quoted:
            self._current = self._current or []
            self._current.append((text, quoted))

    def split(self, text: str) -> None:
        """Add text that is divided at separators; blank ones at the ends only divide."""
        # blanks of IFS are divided in one step: runs of them are one separator, which is the usual case
        if self._separators and not self._separators.strip(_BLANK):
            for number, part in enumerate(re.split(f"[{self._separators}]+", text)):
                if number:
                    self.end()
                self.add(part, quoted=False)
            return
        blank = "".join(sign for sign in self._separators if sign in _BLANK)
        piece: list[str] = []
        ended = False
        for sign in text:
            if sign not in self._separators:
                piece.append(sign)
                ended = False
                continue
            # a separator that is no blank ends a field even if that is empty: "a::b" has three, "a  b" two
            if piece or (sign not in blank and not ended):
                self.add("".join(piece), quoted=False)
                if sign not in blank and not piece and self._current is None:
                    self._current = [("", True)]
                piece = []
            self.end()
            ended = sign in blank
        self.add("".join(piece), quoted=False)

    def end(self) -> None:
        if self._current is not None:
            self.done.append(self._current)
        self._current = None


class Expander:
    """Expansions in one shell.

    Args:
        variables: Its variables and parameters.
        substitute: Runs a command list, and returns its output.
    """

    def __init__(
        self, variables: ShellVariables, substitute: Callable[[CommandList], Awaitable[str]]
    ) -> None:
        self._variables = variables
        self._substitute = substitute

    async def fields(self, words: tuple[ShellWord, ...]) -> list[str]:
        """Expand words to fields, with all expansions.

        Raises:
            ExpansionError: `${name?message}` of an unset variable, or wrong arithmetic.
        """
        found: list[str] = []
        for word in words:
            fields = _Fields(self._variables.values.get("IFS", _BLANK))
            await self._expand(self._expand_home(word), fields)
            fields.end()
            for number, segments in enumerate(fields.done):
                if number % GIVE_WAY == GIVE_WAY - 1:
                    await asyncio.sleep(0)
                # braces come after splitting, as in mksh: where x is "a b", {$x,c} is "{a" and "b,c}"
                for option in expand_braces(segments):
                    found += self._find_names(option) or ["".join(text for text, _ in option)]
        return found

    def _find_names(self, segments: list[Segment]) -> list[str]:
        # a pattern that matches no file stays as it is written (POSIX 2.13.3)
        if "f" in self._variables.options:
            return []
        return match_file_names(segments, self._variables.files, self._variables.folder)

    async def text(self, word: ShellWord, *, assigned: bool = False) -> str:
        """Expand a word to one text, by default none that is assigned: no splitting, no globbing."""
        return "".join(text for text, _ in await self._expand_segments(word, assigned=assigned))

    async def pattern(self, word: ShellWord) -> str:
        """Expand a word to a pattern."""
        return escape_segments(await self._expand_segments(word))

    async def _expand_segments(self, word: ShellWord, *, assigned: bool = False) -> list[Segment]:
        # no separators: assignments, patterns and redirections are not split (POSIX 2.9.1, 2.7)
        fields = _Fields("")
        await self._expand(self._expand_home(word, assigned=assigned), fields)
        fields.end()
        segments: list[Segment] = []
        for number, field in enumerate(fields.done):
            # "$@" has several fields also where one text is wanted: a blank joins them, as in mksh
            segments += [(" ", True), *field] if number else field
        return segments

    def _expand_home(self, word: ShellWord, *, assigned: bool = False) -> ShellWord:
        # a tilde that was quoted, or that an expansion gave, stands for itself (POSIX 2.6.1)
        first = word[0] if word else None
        if not isinstance(first, Literal) or first.quoted or "~" not in first.text:
            return word
        parts: list[Literal] = []
        at = 0
        for found in (_HOME_IN_VALUE if assigned else _HOME).finditer(first.text):
            folder = self._find_home(found.group(1))
            # ~name"x" names nobody
            if folder is None or (found.end() == len(first.text) and len(word) > 1):
                continue
            parts += [
                Literal(text=first.text[at : found.start()], quoted=False),
                Literal(text=folder, quoted=True),
            ]
            at = found.end()
        return (*parts, Literal(text=first.text[at:], quoted=False), *word[1:])

    def _find_home(self, name: str) -> str | None:
        if name in ("root", "shell"):
            return "/"
        return self._variables.get({"": "HOME", "+": "PWD", "-": "OLDPWD"}.get(name, ""))

    async def _expand(self, word: ShellWord, fields: _Fields) -> None:
        for part in word:
            if isinstance(part, Literal):
                fields.add(part.text, quoted=part.quoted)
            elif isinstance(part, Parameter) and part.name in _ALL and not part.operator:
                self._add_all(part, fields)
            else:
                text = await self._expand_part(part)
                if len(text) > MAX_TEXT:
                    raise ExpansionError("out of memory")
                if part.quoted:
                    fields.add(text, quoted=True)
                elif isinstance(part, Parameter) and part.operator.lstrip(":") in ("-", "+") and text:
                    await self._add_operand(part, text, fields)
                else:
                    fields.split(text)

    async def _add_operand(self, part: Parameter, text: str, fields: _Fields) -> None:
        # the word of ${x:-word} keeps its own quotes
        if self._chooses_operand(part):
            for inner in part.operand:
                if isinstance(inner, Literal) and inner.quoted:
                    fields.add(inner.text, quoted=True)
                elif isinstance(inner, Literal):
                    fields.split(inner.text)
                else:
                    await self._expand((inner,), fields)
        else:
            fields.split(text)

    def _chooses_operand(self, part: Parameter) -> bool:
        # with a colon an empty value counts as unset: ${x:-word}, but not ${x-word}
        value = self._variables.get(part.name)
        present = bool(value) if part.operator.startswith(":") else value is not None
        return present == part.operator.endswith("+")

    def _add_all(self, part: Parameter, fields: _Fields) -> None:
        arguments = self._variables.arguments
        # "$*" is one field, joined by the first character of IFS; "$@" keeps each parameter (POSIX 2.5.2)
        if part.quoted and part.name == "*":
            fields.add(self._variables.values.get("IFS", " ")[:1].join(arguments), quoted=True)
            return
        for number, argument in enumerate(arguments):
            if number:
                fields.end()
            if part.quoted:
                fields.add(argument, quoted=True)
            else:
                fields.split(argument)

    async def _expand_part(self, part: Parameter | CommandSubstitution | ArithmeticExpansion) -> str:
        if isinstance(part, CommandSubstitution):
            # all newlines at the end go, not only the last one (POSIX 2.6.3)
            return (await self._substitute(part.body)).rstrip("\n")
        if isinstance(part, ArithmeticExpansion):
            return str(self.number(await self.text(part.expression)))
        if part.operator == "bad":
            raise ExpansionError(f"{part.name}: bad substitution")
        whole = part.name in _ALL
        value = " ".join(self._variables.arguments) if whole else self._variables.get(part.name)
        if part.operator == "name":
            return part.name
        alternative = part.operator.lstrip(":") in ("-", "=", "?", "+") and part.operator != ":"
        if value is None and "u" in self._variables.options and not whole and not alternative:
            raise ExpansionError(f"{part.name}: parameter not set")
        if not part.operator:
            return value or ""
        if part.operator == "@Q":
            return quote_value(value or "")
        if part.operator == "length":
            return str(len(self._variables.arguments) if whole else len(_divide_signs(value or "")))
        if alternative:
            return await self._expand_alternative(part, value or "")
        if part.operator == ":":
            return self._slice(value or "", await self.text(part.operand))
        return _cut(value or "", part.operator, await self._cut_pattern(part))

    async def _cut_pattern(self, part: Parameter) -> tuple[str, str]:
        if not part.operator.startswith("/"):
            return await self.pattern(part.operand), ""
        before, after = _split_replacement(part.operand)
        return await self.pattern(before), await self.text(after)

    async def _expand_alternative(self, part: Parameter, value: str) -> str:
        kind = part.operator[-1]
        if not self._chooses_operand(part):
            return "" if kind == "+" else value
        text = await self.text(part.operand)
        if kind == "?":
            raise ExpansionError(f"{part.name}: {text or 'parameter null or not set'}")
        if kind == "=":
            self._variables.assign(part.name, text)
        return text

    def _slice(self, value: str, text: str) -> str:
        value = _divide_signs(value)
        start_text, _, length_text = text.partition(":")
        start = self.number(start_text)
        length = self.number(length_text) if length_text else None
        # from the end, as in mksh; one that is longer than the value begins at its first character
        start = max(0, len(value) + start) if start < 0 else start
        # a negative length is none, as in mksh
        cut = value[start:] if length is None or length < 0 else value[start : start + length]
        return cut if cut.isascii() else cut.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    def number(self, text: str) -> int:
        """The value of an arithmetic expression.

        Raises:
            ExpansionError: It is none.
        """
        try:
            return evaluate(text, self._variables)
        except ArithmeticFailure as error:
            raise ExpansionError(f"{text}: {error}") from None


def _divide_signs(text: str) -> str:
    """A text in which a character beyond U+FFFF is four, its bytes, as mksh counts it."""
    if not text or max(text) <= "\uffff":
        return text
    return _ASTRAL.sub(lambda sign: sign[0].encode().decode("ascii", "surrogateescape"), text)


def _split_replacement(word: ShellWord) -> tuple[ShellWord, ShellWord]:
    """The parts of `pattern/text`."""
    for number, part in enumerate(word):
        if isinstance(part, Literal) and not part.quoted and "/" in part.text:
            before, _, after = part.text.partition("/")
            return (
                (*word[:number], Literal(text=before, quoted=False)),
                (Literal(text=after, quoted=False), *word[number + 1 :]),
            )
    return word, ()


def _cut(value: str, operator: str, pattern: tuple[str, str]) -> str:
    if len(value) > MAX_CUT:
        raise ExpansionError("out of memory")
    if operator.startswith("/"):
        if not pattern[0]:
            return value
        part = translate_pattern(pattern[0])
        anchored = {"/#": f"^(?:{part})", "/%": f"(?:{part})$"}.get(operator, part)
        found = compile_linear(anchored)
        return str(found.sub(lambda _: pattern[1], value, count=0 if operator == "//" else 1))
    expression = compile_pattern(pattern[0])
    ends = range(len(value) + 1)
    if operator.startswith("#"):
        # the longest match of ## comes first
        order: Iterable[int] = reversed(ends) if operator == "##" else ends
        return next((value[end:] for end in order if expression.match(value[:end])), value)
    order = ends if operator == "%%" else reversed(ends)
    return next((value[:start] for start in order if expression.match(value[start:])), value)
