"""Parser of calls with arguments in a model's output, such as `click(start_box='(197,525)')`.

Nothing is evaluated. A quoted text may contain unescaped quotes and brackets, so its end is found by the text
after the quote: another argument, or the end of the call. What differs from the grammar and leaves no doubt
is read with a note: an argument that the grammar lacks is left out, the bracket or the quote that is missing
at the end of the whole output is completed, a number is taken for a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeVar

from fingertip_agents.parsing.parsed_call import (
    NUMBER,
    ArgumentValue,
    BareWord,
    ParsedCall,
    is_point,
    read_number,
)
from fingertip_agents.parsing.reading import COMPLETED, LEFT_OUT
from fingertip_dataset.actions import MAX_LENGTH, refuse
from fingertip_dataset.release.problems import printable

T = TypeVar("T")

MAX_FURTHER = 200
"""Maximum number of quotes and brackets searched for a certain end of a text behind a possible one."""

MAX_DEPTH = 8
"""Maximum nesting depth of lists."""

MAX_BRACES = 2000
"""Maximum number of characters of an object as the value of an argument that the grammar lacks."""

_CLOSERS = {"'": "'", '"': '"', "‘": "‘’", "“": "“”", "＇": "＇", "＂": "＂"}
_SPACE = re.compile(r"\s*")
_COMMA = re.compile(r"\s*[,，]")
_NAMED = re.compile(r"([A-Za-z_]\w{0,40})\s{0,5}[=＝]")
_TAGGED = re.compile(r"<\|?(\w{1,20})\|?>([^<]{0,120})<\|?/?\w{1,20}\|?>")
_WORD = re.compile(r"[A-Za-z_][\w.]{0,60}")
# all repetitions are bounded, so that hostile output cannot make matching quadratic
_HEAD = re.compile(
    r"[^\S\n]{0,40}(?:(?:[-*>`;]{1,3}|[0-9]{1,3}[.)、])[^\S\n]{0,8}){0,3}"
    r"([A-Za-z_][A-Za-z0-9_]{0,40}(?:\.[A-Za-z0-9_]{1,40}){0,3})"
    r"(?:[ \t]?([(（])|(?=[ \t`.;。]{0,20}(?:\n|\Z)))"
)
_IN_QUOTES = re.compile(r"\\.|[()（）'\"‘’“”＇＂]", re.DOTALL)
_NEXT_ARGUMENT = re.compile(
    r"\s{0,20}[,，]\s{0,20}"
    r"(?:([A-Za-z_]\w{0,40})\s{0,5}[=＝]\s{0,5}|['\"‘“\[(0-9+-]|(?:True|False|None)(?!\w))"
)
# a value without quotes of an argument that the grammar lacks, up to the next one or the end of the call
_BARE = r"[^'\"‘’“”＇＂\n,，()（）\[\]{}]{1,80}"
_OTHER_VALUE = re.compile(rf"(?:[\[(（{{]|{_BARE}(?:\([^'\"\n()]{{0,80}}\)\s{{0,5}})?(?:[,，)）]|\Z))")
_UNQUOTED = re.compile(rf"{_BARE}(?=[,，)）])")
_SEPARATOR = re.compile(r"\s{0,5}(?:[,，)）\]]|\Z)")
_INNER_ARGUMENT = re.compile(r"(?<!\\)['\"’”＇＂]\s{0,20}[,，]\s{0,20}[A-Za-z_]\w{0,40}\s{0,5}[=＝]")
_QUOTE_ENDS = re.compile(r"['\"’”＇＂](?=\s{0,9}(?:[,，)）]|\Z))")
_INNER_END = re.compile(r"(?<!\\)['\"’”＇＂][\s,，.;。)）]")
_INNER_CALL = re.compile(r"(?<![\w.])([A-Za-z_][\w.]{0,60})\s?[(（]")
_SMILE = re.compile(r"[:;=^-]\)\Z")
TAIL = re.compile(r"(?:\s|```|[`。;；]|</?[a-z_:]{1,20}>|</?\Z){0,12}\Z")
"""Space, fences and tags at the end of an output."""
_CALL_ENDS = re.compile(r"\s{0,20}[)\]）]{1,5}[ \t]{0,20}(?:[\n;`<]|\Z)")
_BRACKET = re.compile(r"\s{0,20}[)\]）]")
_ESCAPED = re.compile(r"\\([\\'\"ntr])")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Names of an agent's calls and arguments.

    Attributes:
        calls: Names of its calls, including those without an equivalent on a phone.
        arguments: Names of their arguments.
        bare: Calls that are also accepted without brackets, on a line of their own.
        escapes: Whether a backslash in a text escapes what follows it; the release has no escapes.
        label: Pattern that may precede a call on its line, such as "Action:"; None without one.
    """

    calls: Collection[str]
    arguments: Collection[str]
    bare: Collection[str] = ()
    escapes: bool = True
    label: re.Pattern[str] | None = None


def quote_text(text: str) -> str:
    r"""Escape a text and put it in single quotes; inverse of `read_calls`.

    >>> print(quote_text("it's\n"))
    'it\'s\n'
    """
    return f"'{text.translate(_ESCAPES)}'"


def read_calls(text: str, grammar: Grammar) -> tuple[ParsedCall, ...]:
    r"""All calls that begin a line or directly follow another call, in order; quoted text is skipped.

    Args:
        text: The model's output.
        grammar: Names of the calls; a line that begins with anything else is prose.

    Raises:
        ActionSyntaxError: A call cannot be parsed, or `text` is too long.

    >>> grammar = Grammar(calls=("type", "wait"), arguments=("content",))
    >>> [call.named for call in read_calls("Action:\ntype(content='wait() for it's (end)')", grammar)]
    [{'content': "wait() for it's (end)"}]
    """
    if len(text) > MAX_LENGTH:
        refuse(f"at most {MAX_LENGTH} characters", f"{len(text)}")
    calls, at = list[ParsedCall](), 0
    while 0 <= at < len(text):
        head = _HEAD.match(text, at)
        name = head[1] if head else ""
        if head and head[2] and name in grammar.calls:
            call = read_call(text, head, grammar)
            calls.append(call)
            at = call.end
        elif head and not head[2] and name in grammar.bare:
            at = head.end(1)
            calls.append(ParsedCall(name=name, start=head.start(1), end=at))
        else:
            at = _find_next_head(text, at, grammar.label)
    return tuple(calls)


def read_call(text: str, head: re.Match[str], grammar: Grammar) -> ParsedCall:
    """Read one call whose name and opening bracket were found.

    Args:
        text: The model's output.
        head: Match whose first group is the call's name, and whose end is behind its opening bracket.
        grammar: Names of the arguments.

    Raises:
        ActionSyntaxError: The call cannot be parsed.
    """
    scanner = _Scanner(text, head, grammar)
    plain, named = scanner.arguments()
    return ParsedCall(
        name=head[1],
        plain=plain,
        named=named,
        others=scanner.others,
        start=head.start(1),
        end=scanner.at,
        notes=scanner.notes,
    )


def _find_next_head(text: str, at: int, label: re.Pattern[str] | None) -> int:
    """Next position where a call may begin: after a label on this line, or on the next line."""
    end = text.find("\n", at) + 1 or len(text)
    match = label.search(text, at, end) if label else None
    return match.end() if match else end


class _Scanner:
    """Recursive-descent scanner of arguments; `at` is the current position, `notes` what differs."""

    def __init__(self, text: str, head: re.Match[str], grammar: Grammar) -> None:
        self._text, self.at, self._call = text, head.end(), head[1]
        self._names, self._calls = grammar.arguments, grammar.calls
        self._escapes = grammar.escapes
        self.notes = list[str]()
        self.others: dict[str, ArgumentValue] = {}
        self._depth = 0
        self._complete = True
        """Whether the last value has a mark of its own end: a quote, a bracket, a tag."""

    def arguments(self) -> tuple[tuple[ArgumentValue, ...], dict[str, ArgumentValue]]:
        """Read all arguments and the closing bracket."""
        plain, named = list[ArgumentValue](), dict[str, ArgumentValue]()
        while not self._passes(")）") and not self._completes(")"):
            name, start = self._take(_NAMED), self.at
            if name is None:
                plain.append(self._read_value(listed=True))
            elif name[1] not in self._names:
                value = self._read_other()
                words = printable(f"{name[1]}={self._text[start : self.at].strip()}", 60)
                self._note(f"{LEFT_OUT}: {words} in {self._call}")
                if not self._depth:
                    self.others[name[1]] = value
            # two values of one argument: either could be meant
            elif name[1] in named:
                refuse(f"one {name[1]}", "two")
            elif (value := self._read_value(listed=False)) not in (BareWord("None"), BareWord("null")):
                named[name[1]] = value
            self._pass_separator(")）")
        return tuple(plain), named

    def _read_other(self) -> ArgumentValue:
        """Read a value of an argument that the grammar lacks, whatever it is."""
        self._take(_SPACE)
        if self._text[self.at : self.at + 1] == "{":
            return self._read_braces()
        # it ends where any argument may follow, so that it swallows none
        bare = self._take(_UNQUOTED)
        return BareWord(bare[0].strip()) if bare else self._read_value(listed=True)

    def _read_braces(self) -> BareWord:
        start, depth = self.at, 0
        for place in range(start, min(len(self._text), start + MAX_BRACES)):
            depth += {"{": 1, "}": -1}.get(self._text[place], 0)
            if not depth:
                self.at, self._complete = place + 1, True
                return BareWord(self._text[start : self.at])
        refuse("the end of the braces", self._rest())

    def _note(self, note: str) -> None:
        """Keep a note; those of nested calls are of calls that are skipped."""
        if not self._depth:
            self.notes.append(note)

    def _completes(self, bracket: str) -> bool:
        """Whether nothing but a bracket is missing at the end of the output."""
        if not self._complete or not TAIL.match(self._text, self.at):
            return False
        self._note(f"{COMPLETED}: the missing {bracket} of {self._call}")
        return True

    def _read_value(self, *, listed: bool) -> ArgumentValue:
        self._take(_SPACE)
        character = self._text[self.at : self.at + 1]
        self._complete = True
        if character in _CLOSERS:
            return self._read_quoted(listed=listed)
        if character and character in "[(（":
            return self._read_list()
        if character == "{":
            return self._read_braces()
        if tagged := self._take(_TAGGED):
            return tagged[2]
        self._complete = False
        start = self.at
        number = self._take(NUMBER)
        if number and _SEPARATOR.match(self._text, self.at):
            return read_number(number[0])
        self.at = start
        if bare := self._take(_UNQUOTED):
            return BareWord(bare[0].strip())
        if number:
            self.at = number.end()
            return read_number(number[0])
        if word := self._take(_WORD):
            # a nested call is skipped as a whole: it is no action of its own
            if self._passes("(（"):
                self._read_nested(self.arguments)
                self._complete = True
            return BareWord(word[0])
        refuse("a text in quotes, a number or a list", self._rest())

    def _read_list(self) -> ArgumentValue:
        self.at += 1
        items = self._read_nested(self._read_items)
        self._complete = True
        return items

    def _read_items(self) -> tuple[ArgumentValue, ...]:
        items = list[ArgumentValue]()
        while not self._passes("])）"):
            items.append(self._read_value(listed=True))
            self._pass_separator("])）")
        return tuple(items)

    def _read_nested(self, read: Callable[[], T]) -> T:
        self._depth += 1
        # output of a model must not exhaust Python's stack
        if self._depth > MAX_DEPTH:
            refuse(f"at most {MAX_DEPTH} brackets within brackets", "more")
        found = read()
        self._depth -= 1
        return found

    def _read_quoted(self, *, listed: bool) -> str:
        start = self.at + 1
        opening = self._text[self.at]
        if opening in "'\"" and self._text.startswith(opening * 3, self.at):
            end = self._text.find(opening * 3, self.at + 3)
            if end >= 0:
                self.at = end + 3
                return self._unescape(self._text[start + 2 : end])
        closing = self._find_closing_quote(start, _CLOSERS[opening], listed=listed)
        if closing < 0:
            closing = self._complete_quote(start)
            self.at = closing
        else:
            self.at = closing + 1
        text = self._text[start:closing]
        self._refuse_swallowed(text, _CLOSERS[opening])
        return self._unescape(text)

    def _unescape(self, text: str) -> str:
        return _ESCAPED.sub(lambda match: _PLAIN.get(match[1], match[1]), text) if self._escapes else text

    def _refuse_swallowed(self, text: str, closers: str) -> None:
        """Refuse a text with an end of its own and another call behind it: its bracket is missing."""
        end = _INNER_END.search(text)
        while end and end[0][0] not in closers:
            end = _INNER_END.search(text, end.end())
        if end and any(name[1] in self._calls for name in _INNER_CALL.finditer(text, end.end())):
            refuse("one call", f"another within the text of {self._call}")

    def _complete_quote(self, start: int) -> int:
        """Index where the closing quote is missing at the end of the output.

        A point ends with its own bracket or tag, another text with the bracket of the call; without it nobody
        knows whether the text is whole.
        """
        text = self._text[start:].rstrip("`").rstrip()
        inside = text[:-1] if text.endswith((")", "）")) else text
        points = [part for part in (inside, text) if part.endswith((")", "]", ">")) and is_point(part)]
        # a bracket of the text itself is none of the call
        balanced = sum(map(inside.count, "(（")) == sum(map(inside.count, ")）"))
        sure = inside != text and balanced and "\n" not in inside and not _SMILE.search(text)
        sure = sure and not _INNER_ARGUMENT.search(inside)
        whole = points[0] if points else inside if sure else ""
        if self._depth or not whole:
            refuse("a quote and a bracket behind the text", self._rest())
        self._note(f"{COMPLETED}: the missing quote of {self._call}")
        return start + len(whole)

    def _find_closing_quote(self, start: int, closers: str, *, listed: bool) -> int:
        """Index of the closing quote; if none is certain, of the first possible one; -1 without any."""
        depth, likely, further = 0, -1, 0
        for match in _IN_QUOTES.finditer(self._text, start):
            found = match[0]
            further += likely >= 0
            # without this limit each of many calls would be searched up to the end of the answer
            if further > MAX_FURTHER:
                break
            if found in "(（":
                depth += 1
            elif found in ")）":
                # a typed text may contain closing brackets alone, such as :)
                depth = max(0, depth - 1)
            elif found in closers:
                behind = match.end()
                if self._goes_on(behind, listed=listed) or _CALL_ENDS.match(self._text, behind):
                    return match.start()
                # the bracket behind it is missing
                if not self._depth and TAIL.match(self._text, behind):
                    return match.start()
                if _BRACKET.match(self._text, match.end()):
                    if not depth:
                        return match.start()
                    # the bracket may close one of the text itself
                    likely = match.start() if likely < 0 else likely
        return likely

    def _goes_on(self, at: int, *, listed: bool) -> bool:
        """Whether another argument follows."""
        match = _NEXT_ARGUMENT.match(self._text, at)
        if match is None or not match[1]:
            return match is not None and listed
        return match[1] in self._names or self._is_value(match.end())

    def _is_value(self, at: int) -> bool:
        """Whether a value of an argument that the grammar lacks begins here, not the text of another one."""
        opening = self._text[at : at + 1]
        if opening not in _CLOSERS:
            return _OTHER_VALUE.match(self._text, at) is not None
        if self._text.startswith(opening * 3, at):
            return True
        end = _QUOTE_ENDS.search(self._text, at + 1, at + MAX_LENGTH)
        # two quotes at the end: the first one is of the text around it
        return end is None or end.start() == at + 1 or self._text[end.start() - 1] not in _CLOSERS[opening]

    def _pass_separator(self, closing: str) -> None:
        if self._take(_COMMA):
            # another argument was to follow
            self._complete = False
        else:
            self._take(_SPACE)
            ended = not self._depth and self._complete and TAIL.match(self._text, self.at)
            if self._text[self.at : self.at + 1] not in tuple(closing) and not ended:
                refuse("a comma or the closing bracket behind an argument", self._rest())

    def _passes(self, characters: str) -> bool:
        self._take(_SPACE)
        there = self.at < len(self._text) and self._text[self.at] in characters
        self.at += there
        return there

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        space = _SPACE.match(self._text, self.at)
        match = pattern.match(self._text, space.end() if space else self.at)
        if match:
            self.at = match.end()
        return match

    def _rest(self) -> str:
        return self._text[self.at : self.at + 40]
