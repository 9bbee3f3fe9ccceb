"""Lexical part of the parser: characters of a line -> words, with quotes and expansions."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from android_shell.shell.syntax import (
    ArithmeticExpansion,
    CommandSubstitution,
    Literal,
    Parameter,
    ShellSyntaxError,
    ShellWord,
    UnsupportedSyntaxError,
)

if TYPE_CHECKING:
    from android_shell.shell.syntax import CommandList

MAX_DEPTH = 40
"""Largest nesting of substitutions and compound commands."""

WORD_ENDS = " \t\n;&|()<>"
"""Characters that end an unquoted word."""

_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]|[?$!#@*-]")
_BRACED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[?$!#@*-]")
_REFERENCE = re.compile(r"!([A-Za-z_][A-Za-z0-9_]*)\}")
_EXTENDED = re.compile(r"[@*+?!]\(")
_ARRAY = re.compile(r"!?[A-Za-z_][A-Za-z0-9_]*\[")
_OPERATOR = re.compile(r":[-=?+]|##|%%|//|/#|/%|@Q|[-=?+#%/:]")
_UNSUPPORTED = re.compile(r"%[A-Za-z_0-9]|![A-Za-z_]\w*[*@]|[A-Za-z_]\w*@#")
_ESCAPE = re.compile(r"x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|c(.)|(.)", re.DOTALL)
_ESCAPED = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
}


class BadSubstitutionError(Exception):
    """An expansion in braces that the language does not have."""


class WordReader:
    """Reader of the words of a text; `CommandReader` adds commands.

    Attributes:
        text: The text.
        at: Index of the next character.
    """

    def __init__(self, text: str, depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            raise ShellSyntaxError("syntax error: too many levels of nesting")
        self.text = text
        self.at = 0
        self.depth = depth

    def parse_commands(self, text: str) -> CommandList:
        """Parse the body of backticks."""
        raise NotImplementedError

    def read_substitution(self) -> CommandList:
        """Parse commands up to the `)` that closes a substitution, and read past it."""
        raise NotImplementedError

    def read_word(self) -> ShellWord:
        """Read an unquoted word."""
        start = self.at
        word = self._read_parts(WORD_ENDS, quoted=False)
        if self.text[self.at : self.at + 1] == "(" and self.at > start and self.text[self.at - 1] in "@*+?!":
            raise UnsupportedSyntaxError("patterns with parentheses")
        return word

    def document(self) -> ShellWord:
        """Read the whole text as a here-document in which expansions are made."""
        return self._read_parts("", quoted=True)

    def make_error(self, sign: str | None = None) -> ShellSyntaxError:
        """The error of a character that cannot stand here; by default the next one."""
        sign = sign or self.text[self.at : self.at + 1]
        name = {"": "EOF", "\n": "newline"}.get(sign, sign)
        return ShellSyntaxError(f"syntax error: unexpected '{name}'")

    def _read_parts(self, ends: str, *, quoted: bool) -> ShellWord:
        """Read parts up to a character of `ends`, which is not read, or the end of the text."""
        parts: list[Literal | Parameter | CommandSubstitution | ArithmeticExpansion] = []
        while self.at < len(self.text) and self.text[self.at] not in ends:
            sign = self.text[self.at]
            if sign == "$":
                parts.append(self._read_dollar(quoted=quoted))
            elif sign == "`":
                parts.append(CommandSubstitution(body=self._read_backticks(quoted=quoted), quoted=quoted))
            elif sign == "\\":
                parts.append(self._read_escape(ends, quoted=quoted))
            elif quoted and (sign != '"' or ends != "}"):
                parts.append(self._read_plain(ends, quoted=True))
            elif sign == "'":
                parts.append(Literal(text=self._read_until("'"), quoted=True))
            elif sign == '"':
                parts.extend(self._read_double_quotes())
            else:
                parts.append(self._read_plain(ends, quoted=False))
        return _merge(parts)

    def _read_plain(self, ends: str, *, quoted: bool) -> Literal:
        start = self.at
        stops = ends + ("\\$`" + '"' * (ends == "}") if quoted else "\\$`'\"")
        while self.at < len(self.text) and self.text[self.at] not in stops:
            self.at += 1
        return Literal(text=self.text[start : self.at], quoted=quoted)

    def _read_until(self, quote: str) -> str:
        end = self.text.find(quote, self.at + 1)
        if end < 0:
            raise ShellSyntaxError("syntax error: no closing quote")
        start, self.at = self.at + 1, end + 1
        return self.text[start:end]

    def _read_double_quotes(self) -> ShellWord:
        self.at += 1
        parts = self._read_parts('"', quoted=True)
        if self.at == len(self.text):
            raise ShellSyntaxError("syntax error: no closing quote")
        self.at += 1
        # "" is an empty word
        return parts or (Literal(text="", quoted=True),)

    def _read_escape(self, ends: str, *, quoted: bool) -> Literal:
        after = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        # a backslash before a newline joins two lines
        if after == "\n":
            return Literal(text="", quoted=False)
        if not after:
            # at the end of a text it joins nothing
            self.at = len(self.text)
            return Literal(text="", quoted=False)
        # in double quotes a backslash is special only before these (POSIX 2.2.3), elsewhere it stays
        if quoted and after not in "$`\\" + (ends if ends in ('"', "}") else ""):
            return Literal(text="\\" + after, quoted=True)
        return Literal(text=after, quoted=True)

    def _read_dollar(
        self, *, quoted: bool
    ) -> Literal | Parameter | CommandSubstitution | ArithmeticExpansion:
        # before "$(": $(( is arithmetic, where mksh, too, does not try a subshell first
        if self.text.startswith("$((", self.at):
            return self._read_arithmetic(quoted=quoted)
        if self.text.startswith("$(", self.at):
            self.at += 2
            return CommandSubstitution(body=self.read_substitution(), quoted=quoted)
        if self.text.startswith("${", self.at):
            return self._read_substitution(quoted=quoted)
        if self.text.startswith("$'", self.at) and not quoted:
            return Literal(text=self._read_ansi_quotes(), quoted=True)
        if self.text.startswith('$"', self.at) and not quoted:
            self.at += 1
            return Literal(text="", quoted=False)
        name = _PARAMETER.match(self.text, self.at + 1)
        if name is None:
            # a lone $ is a character
            self.at += 1
            return Literal(text="$", quoted=True)
        self.at = name.end()
        return Parameter(name=name.group(), quoted=quoted)

    def _read_ansi_quotes(self) -> str:
        text = ""
        self.at += 2
        while self.text[self.at : self.at + 1] not in ("'", ""):
            if self.text[self.at] == "\\" and (found := _ESCAPE.match(self.text, self.at + 1)):
                text += _read_escape(found)
                self.at = found.end()
            else:
                text += self.text[self.at]
                self.at += 1
        if self.at >= len(self.text):
            raise ShellSyntaxError("syntax error: no closing quote")
        self.at += 1
        return text

    def _read_substitution(self, *, quoted: bool) -> Parameter:
        start = self.at
        try:
            return self._read_braces(quoted=quoted)
        except BadSubstitutionError:
            # its error comes when it is expanded: what stands before it in the text is carried out
            end = self.text.find("}", start)
            if end < 0:
                raise ShellSyntaxError("no closing quote") from None
            self.at = end + 1
            return Parameter(name=self.text[start : self.at], operator="bad", quoted=quoted)

    def _read_braces(self, *, quoted: bool) -> Parameter:
        self.at += 2
        length = self.text.startswith("#", self.at) and self.text[self.at + 1 : self.at + 2] not in ("}", "")
        self.at += length
        if _ARRAY.match(self.text, self.at):
            raise UnsupportedSyntaxError("arrays")
        if _UNSUPPORTED.match(self.text, self.at):
            raise UnsupportedSyntaxError("widths, hashes and lists of names")
        reference = _REFERENCE.match(self.text, self.at)
        if reference and not length:
            # without a reference to another variable, ${!name} is the name itself
            self.at = reference.end()
            return Parameter(name=reference.group(1), operator="name", quoted=quoted)
        name = _BRACED.match(self.text, self.at)
        if name is None:
            raise BadSubstitutionError
        self.at = name.end()
        operator = "length" if length else ""
        operand: ShellWord = ()
        found = None if length else _OPERATOR.match(self.text, self.at)
        if found:
            operator, self.at = found.group(), found.end()
            if name.group() in ("@", "*") and operator[-1] not in "-=?+":
                raise BadSubstitutionError
            # a pattern is one in double quotes, too: only quotes of its own take its signs' meaning
            pattern = operator[0] in "#%/"
            operand = self._start_nested()._read_operand(self, quoted=quoted and not pattern, pattern=pattern)
        if self.text[self.at : self.at + 1] != "}":
            raise BadSubstitutionError
        self.at += 1
        return Parameter(name=name.group(), operator=operator, operand=operand, quoted=quoted)

    def _start_nested(self) -> WordReader:
        inner = type(self)(self.text, self.depth + 1)
        inner.at = self.at
        return inner

    def _read_operand(self, outer: WordReader, *, quoted: bool, pattern: bool) -> ShellWord:
        word = self._read_parts("}", quoted=quoted)
        for part in word if pattern else ():
            if isinstance(part, Literal) and not part.quoted and _EXTENDED.search(part.text):
                raise UnsupportedSyntaxError("patterns with parentheses")
        outer.at = self.at
        return word

    def _read_arithmetic(self, *, quoted: bool) -> ArithmeticExpansion:
        start = at = self.at + 3
        depth = 0
        while not (depth == 0 and self.text.startswith("))", at)):
            if at >= len(self.text):
                raise ShellSyntaxError("syntax error: missing '))'")
            depth += {"(": 1, ")": -1}.get(self.text[at], 0)
            if depth < 0:
                raise self.make_error(")")
            at += 1
        inner = type(self)(self.text[start:at], self.depth + 1)
        self.at = at + 2
        return ArithmeticExpansion(expression=inner.document(), quoted=quoted)

    def _read_backticks(self, *, quoted: bool) -> CommandList:
        self.at += 1
        # backticks take one level of backslashes before their text is parsed (POSIX 2.6.3)
        special = '$`\\"' if quoted else "$`\\"
        text: list[str] = []
        while (sign := self.text[self.at : self.at + 1]) != "`":
            if not sign:
                raise ShellSyntaxError("syntax error: no closing quote")
            after = self.text[self.at + 1 : self.at + 2]
            escaped = sign == "\\" and after and after in special
            text.append(after if escaped else sign)
            self.at += 2 if escaped else 1
        self.at += 1
        return self.parse_commands("".join(text))


def _read_escape(found: re.Match[str]) -> str:
    """The character of an escape in $'...'."""
    hexadecimal, code, octal, control, sign = found.groups()
    if hexadecimal or octal:
        number = int(hexadecimal, 16) if hexadecimal else int(octal, 8) & 0xFF
        return bytes([number]).decode("utf-8", "surrogateescape")
    if code:
        return chr(int(code, 16)).encode("utf-8", "replace").decode()
    if control:
        return chr(ord(control) & 0x1F)
    return _ESCAPED.get(sign, sign)


def _merge(
    parts: list[Literal | Parameter | CommandSubstitution | ArithmeticExpansion],
) -> ShellWord:
    """Join neighbouring literals that are quoted alike."""
    merged: list[Literal | Parameter | CommandSubstitution | ArithmeticExpansion] = []
    for (literal, quoted), group in groupby(parts, lambda part: (isinstance(part, Literal), part.quoted)):
        if literal:
            text = "".join(part.text for part in group if isinstance(part, Literal))
            merged += [Literal(text=text, quoted=quoted)] if text or quoted else []
        else:
            merged += group
    return tuple(merged)
