"""Syntax tree of shell lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias


class ShellSyntaxError(Exception):
    """A line that cannot be parsed; the text is the shell's message, `code` the exit code."""

    code = 1


UNSUPPORTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "arrays": ("a=(1 2)", "a[1]=x", "echo ${a[0]}", "echo $((a[0]))", "set -A a x", "read -A a"),
        "patterns with parentheses": ("ls +(a|b)", "case a in @(a|b)) ;; esac", "echo ${x%%*(0)}"),
        "coprocesses": ("cat |& cat",),
        "menus with select": ("select x in a b; do echo $x; done",),
        "branches that go on": ("case a in a) echo;& b) echo;; esac", "case a in a) echo;| b) echo;; esac"),
        "files open for both directions": ("echo a <> /sdcard/f",),
        "widths, hashes and lists of names": ("echo ${%x}", "echo ${x@#}", "echo ${!x*}"),
    }
)
"""Parts of mksh's language that no client sends, and that are refused -> lines with them."""


class UnsupportedSyntaxError(ShellSyntaxError):
    """A part of mksh's language that no client sends, so that it is refused and not carried out.

    Args:
        feature: A key of `UNSUPPORTED`.
    """

    code = 2

    def __init__(self, feature: str) -> None:
        super().__init__(f"{feature} are not supported")


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """Characters of a word; unquoted ones are subject to globbing, braces and tilde."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """`$name`, `${name}`, `${#name}` or `${name OPERATOR operand}`.

    Attributes:
        name: A variable, a number, or one of `? $ ! # @ * -`.
        operator: "" for the value, "length" for its length, else `:-`, `%`, ...; `:` for a slice.
        operand: The word after the operator.
        quoted: Whether it stands in double quotes.
    """

    name: str
    operator: str = ""
    operand: ShellWord = ()
    quoted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSubstitution:
    """`$(...)` or backticks."""

    body: CommandList
    quoted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ArithmeticExpansion:
    """`$((...))`."""

    expression: ShellWord
    quoted: bool


ShellWord: TypeAlias = "tuple[Literal | Parameter | CommandSubstitution | ArithmeticExpansion, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirection:
    """A redirection.

    Attributes:
        descriptor: The file descriptor that is redirected.
        operator: `<`, `>`, `>|`, `>>`, `<&`, `>&`, or `<<` for a here-document or here-string.
        target: Path, descriptor, or the document's text.
    """

    descriptor: int
    operator: str
    target: ShellWord


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """`name=value`, or `name+=value` where `append` is set."""

    name: str
    value: ShellWord
    append: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleCommand:
    """Assignments, words and redirections."""

    assignments: tuple[Assignment, ...]
    words: tuple[ShellWord, ...]
    redirections: tuple[Redirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """`{ ...; }`, or `( ... )` where `subshell` is set."""

    body: CommandList
    subshell: bool
    redirections: tuple[Redirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic:
    """`((...))`; its exit code is 0 if the expression is not 0."""

    expression: ShellWord
    redirections: tuple[Redirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class If:
    """`if`; `branches` are (condition, body) pairs."""

    branches: tuple[tuple[CommandList, CommandList], ...]
    otherwise: CommandList | None
    redirections: tuple[Redirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """`while`, or `until` where `until` is set."""

    condition: CommandList
    body: CommandList
    until: bool
    redirections: tuple[Redirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class For:
    """`for name in words`; the positional parameters where `words` is None."""

    name: str
    words: tuple[ShellWord, ...] | None
    body: CommandList
    redirections: tuple[Redirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`case subject in`; `branches` are (patterns, body) pairs."""

    subject: ShellWord
    branches: tuple[tuple[tuple[ShellWord, ...], CommandList], ...]
    redirections: tuple[Redirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionTest:
    """A condition of one word, an operator before a word, or an operator between two."""

    words: tuple[ShellWord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionNot:
    """`! ...`."""

    term: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionChain:
    """Conditions joined by one operator, `&&` or `||`."""

    operator: str
    terms: tuple[Condition, ...]


Condition: TypeAlias = "ConditionTest | ConditionNot | ConditionChain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional:
    """`[[ ... ]]`."""

    condition: Condition
    redirections: tuple[Redirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDefinition:
    """`name() ...`, or `function name ...` where `named` is set: then `$0` is its name while it runs."""

    name: str
    body: Command
    named: bool = False


Command: TypeAlias = (
    "SimpleCommand | Group | Arithmetic | If | Loop | For | Case | Conditional | FunctionDefinition"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Commands joined by `|`; `negated` by `!`, `timed` by `time`, which may stand without a command."""

    commands: tuple[Command, ...]
    negated: bool
    timed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AndOr:
    """Pipelines joined by `&&` and `||`: (operator before it, pipeline) pairs, the first with ""."""

    pipelines: tuple[tuple[str, Pipeline], ...]
    background: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandList:
    """And-or lists, run one after another; `names` are those of the commands of a whole line."""

    items: tuple[AndOr, ...]
    names: frozenset[str] = frozenset()
