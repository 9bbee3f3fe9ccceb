"""`[[ ... ]]`: conditions with `&&`, `||`, `!`, parentheses, and patterns after `==` and `!=`."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from android_shell.shell.globbing import compile_pattern
from android_shell.shell.syntax import (
    Condition,
    ConditionChain,
    ConditionNot,
    ConditionTest,
    Literal,
    ShellWord,
)
from android_shell.shell.word_reader import WORD_ENDS

if TYPE_CHECKING:
    from android_shell.shell.expansion import Expander
    from android_shell.shell.text_reader import TextReader

_UNARY = re.compile(r"-[a-zA-Z]")
_PATTERNS = ("=", "==", "!=")
_NUMBERS = ("-eq", "-ne", "-lt", "-le", "-gt", "-ge")
_COMPARISONS = (*_PATTERNS, *_NUMBERS, "-nt", "-ot", "-ef")


def read_condition(reader: TextReader) -> Condition:
    """Read a condition up to `]]`, and past it.

    Raises:
        ShellSyntaxError: It is incomplete or wrong.
    """
    found = _read_chain(reader, "||")
    if not _is_at_end(reader):
        raise reader.make_error()
    reader.at += 2
    return found


def _is_at_end(reader: TextReader) -> bool:
    reader.skip_newlines()
    after = reader.text[reader.at + 2 : reader.at + 3]
    return reader.text.startswith("]]", reader.at) and (not after or after in WORD_ENDS)


def _read_chain(reader: TextReader, operator: str) -> Condition:
    terms = []
    while True:
        terms.append(_read_chain(reader, "&&") if operator == "||" else _read_single(reader))
        reader.skip_newlines()
        if reader.peek_operator() != operator:
            break
        reader.at += 2
    return terms[0] if len(terms) == 1 else ConditionChain(operator=operator, terms=tuple(terms))


def _read_single(reader: TextReader) -> Condition:
    negated = False
    reader.skip_newlines()
    while reader.text.startswith("!", reader.at) and reader.text[reader.at + 1 : reader.at + 2] in " \t\n":
        reader.at += 1
        negated = not negated
        reader.skip_newlines()
    if reader.peek_operator() == "(":
        inner = reader.go_deeper()
        inner.at += 1
        found = _read_chain(inner, "||")
        inner.expect(")")
        reader.at = inner.at
    else:
        found = _read_test(reader)
    return ConditionNot(term=found) if negated else found


def _read_test(reader: TextReader) -> ConditionTest:
    words: list[ShellWord] = []
    while reader.peek_operator() not in ("&&", "||", ")", "\n") and not _is_at_end(reader):
        if reader.text[reader.at : reader.at + 1] in ("<", ">"):
            words.append((Literal(text=reader.text[reader.at], quoted=True),))
            reader.at += 1
        else:
            words.append(reader.require_word())
    right = {
        1: True,
        2: len(words) == 2 and _UNARY.fullmatch(_plain(words[0])) is not None,
        3: len(words) == 3 and _plain(words[1]) in (*_COMPARISONS, "<", ">"),
    }
    if not right.get(len(words), False):
        raise reader.make_error()
    return ConditionTest(words=tuple(words))


def _plain(word: ShellWord) -> str:
    return "".join(part.text for part in word if isinstance(part, Literal))


async def evaluate_condition(
    condition: Condition, expander: Expander, execute: Callable[[list[str]], Awaitable[int]]
) -> bool:
    """Whether a condition is true.

    Args:
        condition: The condition.
        expander: Expands its words.
        execute: Runs a command by its words: what is no pattern is decided by `test`.
    """
    if isinstance(condition, ConditionNot):
        return not await evaluate_condition(condition.term, expander, execute)
    if isinstance(condition, ConditionChain):
        stops = condition.operator == "||"
        for term in condition.terms:
            if await evaluate_condition(term, expander, execute) == stops:
                return stops
        return not stops
    words = condition.words
    first = await expander.text(words[0])
    if len(words) == 1:
        return first != ""
    sign = _plain(words[1]) if len(words) == 3 else ""
    if sign in _PATTERNS:
        matches = compile_pattern(await expander.pattern(words[2])).match(first) is not None
        return matches == (sign != "!=")
    others = [await expander.text(word) for word in words[1:]]
    if sign in _NUMBERS:
        # expressions, of which an empty one is 0
        first, others[1] = (str(expander.number(text or "0")) for text in (first, others[1]))
    return await execute(["test", first, *others]) == 0
