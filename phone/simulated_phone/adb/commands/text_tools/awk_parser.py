"""Parser of `awk`'s programs: text -> nested tuples, the kind of each first."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, TypeAlias

MAX_DEPTH = 100
"""Largest nesting of expressions and statements."""

Node: TypeAlias = "tuple[Any, ...]"
"""An expression or a statement: its kind, then its parts."""

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+|\\\r?\n|\#[^\n]*)
    |(?P<newline>\n)
    |(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
    |(?P<string>"(?:\\.|[^"\\\n])*")
    |(?P<call>[A-Za-z_]\w*(?=\())
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign>\*\*=|\*\*|\+=|-=|\*=|/=|%=|\^=|==|<=|>=|!=|\+\+|--|&&|\|\||>>|[-{}()\[\];,+*/%^!<>|?:~$=])""",
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/((?:\\.|\[\^?\]?[^]\n]*\]|[^/\\\n[])*)/")
_KEYWORDS = frozenset(
    {"BEGIN", "END", "function", "func", "if", "else", "while", "for", "do", "break", "continue", "next"}
    | {"exit", "return", "delete", "in", "print", "printf", "getline"}
)
_ESCAPE = re.compile(r"\\(\d{1,3}|.)", re.DOTALL)
_SIGNS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "\\": "\\",
    '"': '"',
    "/": "/",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
}
_BINARY = (
    ("||",),
    ("&&",),
    ("in",),
    ("~", "!~"),
    ("<", "<=", "==", "!=", ">", ">="),
    ("concat",),
    ("+", "-"),
    ("*", "/", "%"),
)


class AwkError(Exception):
    """A program that is wrong or fails; the text is awk's message."""


@dataclass(slots=True, kw_only=True)
class AwkRules:
    """A parsed program.

    Attributes:
        begin, end: Actions of BEGIN and END.
        rules: (pattern, second pattern of a range, action); None for no pattern.
        functions: Name -> (parameters, body).
    """

    begin: list[Node] = field(default_factory=list)
    end: list[Node] = field(default_factory=list)
    rules: list[tuple[Node | None, Node | None, Node]] = field(default_factory=list)
    functions: dict[str, tuple[list[str], Node]] = field(default_factory=dict)


def parse_program(text: str) -> AwkRules:
    """Parse a program.

    Raises:
        AwkError: It is wrong.
    """
    return _Parser(_tokens(text)).program()


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        if text[at] == "/" and _regex_may_start(tokens):
            found = _REGEX.match(text, at)
            if found is None:
                raise AwkError("non-terminated regular expression")
            tokens.append(("regex", found.group(1).replace("\\/", "/")))
            at = found.end()
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            raise AwkError(
                f"syntax error at source line {text.count(chr(10), 0, at) + 1}: {text[at : at + 10]!r}"
            )
        kind, value = str(found.lastgroup), found.group()
        at = found.end()
        if kind == "space":
            continue
        if kind in ("name", "call") and value in _KEYWORDS:
            kind = "sign"
        if kind == "newline":
            kind, value = "sign", "\n"
        tokens.append((kind, value))
    return tokens


def _regex_may_start(tokens: list[tuple[str, str]]) -> bool:
    if not tokens:
        return True
    kind, value = tokens[-1]
    return kind == "sign" and value not in (")", "]", "$", "++", "--")


def _string(text: str) -> str:
    def value(found: re.Match[str]) -> str:
        name = found.group(1)
        if name.isdecimal():
            return chr(int(name, 8)) if set(name) <= set("01234567") else name
        return _SIGNS.get(name, "\\" + name)

    return _ESCAPE.sub(value, text[1:-1])


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._no_in = False
        self._no_greater = False

    # ---- tokens

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _is(self, *signs: str) -> bool:
        kind, value = self._peek()
        return kind == "sign" and value in signs

    def _take(self, *signs: str) -> bool:
        found = self._is(*signs)
        self._at += found
        return found

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise AwkError(f"syntax error: expected {sign!r}, got {self._peek()[1]!r}")

    def _skip(self, *signs: str) -> None:
        while self._take(*signs):
            pass

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise AwkError("nesting too deep")

    # ---- program

    def program(self) -> AwkRules:
        rules = AwkRules()
        self._skip("\n", ";")
        while self._peek()[0] != "end":
            if self._take("BEGIN"):
                rules.begin.append(self._action())
            elif self._take("END"):
                rules.end.append(self._action())
            elif self._take("function", "func"):
                name, parameters = self._peek()[1], []
                self._at += 1
                self._expect("(")
                while not self._take(")"):
                    parameters.append(self._peek()[1])
                    self._at += 1
                    self._take(",")
                self._skip("\n")
                rules.functions[name] = (parameters, self._action())
            else:
                rules.rules.append(self._rule())
            self._skip("\n", ";")
        return rules

    def _rule(self) -> tuple[Node | None, Node | None, Node]:
        first = second = None
        if not self._is("{"):
            first = self._expression()
            if self._take(","):
                self._skip("\n")
                second = self._expression()
        action = self._action() if self._is("{") else ("print", [], None)
        return first, second, action

    def _action(self) -> Node:
        self._expect("{")
        self._deeper()
        statements: list[Node] = []
        self._skip("\n", ";")
        while not self._take("}"):
            statements.append(self._statement())
            self._skip("\n", ";")
        self._depth -= 1
        return ("block", statements)

    # ---- statements

    def _statement(self) -> Node:
        self._deeper()
        node = self._compound() or self._plain()
        self._depth -= 1
        return node

    def _compound(self) -> Node | None:
        if self._is("{"):
            return self._action()
        if self._take(";"):
            return ("block", [])
        if self._take("if"):
            condition = self._in_parentheses()
            body = self._body()
            mark = self._at
            self._skip("\n", ";")
            if self._take("else"):
                return ("if", condition, body, self._body())
            self._at = mark
            return ("if", condition, body, None)
        if self._take("while"):
            return ("while", self._in_parentheses(), self._body())
        if self._take("do"):
            body = self._body()
            self._skip("\n", ";")
            self._expect("while")
            return ("do", body, self._in_parentheses())
        if self._take("for"):
            return self._for()
        return None

    def _in_parentheses(self) -> Node:
        self._expect("(")
        condition = self._expression()
        self._expect(")")
        return condition

    def _body(self) -> Node:
        self._skip("\n")
        return self._statement()

    def _for(self) -> Node:
        self._expect("(")
        tokens = self._tokens[self._at : self._at + 4]
        if [value for _, value in tokens[1:2] + tokens[3:4]] == ["in", ")"]:
            self._at += 4
            return ("for in", tokens[0][1], tokens[2][1], self._body())
        start = None if self._is(";") else self._plain()
        self._expect(";")
        condition = None if self._is(";") else self._expression()
        self._expect(";")
        step = None if self._is(")") else self._plain()
        self._expect(")")
        return ("for", start, condition, step, self._body())

    def _plain(self) -> Node:
        for name in ("next", "break", "continue"):
            if self._take(name):
                return (name,)
        for name in ("exit", "return"):
            if self._take(name):
                return (name, None if self._at_end() else self._expression())
        if self._take("delete"):
            name = self._peek()[1]
            self._at += 1
            return ("delete", name, self._subscript() if self._take("[") else None)
        if self._is("print", "printf"):
            return self._print()
        return ("expression", self._expression())

    def _at_end(self) -> bool:
        return self._is("\n", ";", "}") or self._peek()[0] == "end"

    def _print(self) -> Node:
        kind = self._peek()[1]
        self._at += 1
        self._no_greater = True
        values = [] if self._at_end() or self._is(">", ">>", "|") else self._list()
        if len(values) == 1 and values[0][0] == "group":
            values = list(values[0][1])
        self._no_greater = False
        target = None
        if self._is(">", ">>", "|"):
            sign = self._peek()[1]
            if sign == "|":
                raise AwkError("pipes in print are not supported")
            self._at += 1
            target = (sign, self._concatenation())
        return (kind, values, target)

    def _list(self) -> list[Node]:
        values = [self._expression()]
        while self._take(","):
            self._skip("\n")
            values.append(self._expression())
        return values

    # ---- expressions

    def _expression(self) -> Node:
        self._deeper()
        node = self._ternary()
        if self._is("=", "+=", "-=", "*=", "/=", "%=", "^=", "**=") and node[0] in ("name", "field", "item"):
            sign = self._peek()[1]
            self._at += 1
            self._skip("\n")
            node = ("assign", sign[:-1].replace("**", "^"), node, self._expression())
        self._depth -= 1
        return node

    def _ternary(self) -> Node:
        condition = self._binary(0)
        if not self._take("?"):
            return condition
        self._skip("\n")
        first = self._expression()
        self._skip("\n")
        self._expect(":")
        self._skip("\n")
        return ("choose", condition, first, self._expression())

    def _binary(self, level: int) -> Node:
        if level == len(_BINARY):
            return self._unary()
        if _BINARY[level] == ("concat",):
            return self._concatenation()
        node = self._binary(level + 1)
        while sign := self._operator(level):
            if sign in ("&&", "||"):
                self._skip("\n")
            if sign == "in":
                node = ("in", [node], self._peek()[1])
                self._at += 1
            else:
                node = ("binary", sign, node, self._binary(level + 1))
        return node

    def _operator(self, level: int) -> str:
        kind, sign = self._peek()
        if kind != "sign":
            return ""
        if sign == "!" and self._tokens[self._at + 1 : self._at + 2] == [("sign", "~")] and level == 3:
            self._at += 2
            return "!~"
        if sign not in _BINARY[level] or (sign == ">" and self._no_greater) or (sign == "in" and self._no_in):
            return ""
        self._at += 1
        return sign

    def _concatenation(self) -> Node:
        level = _BINARY.index(("concat",)) + 1
        node = self._binary(level)
        while self._starts_operand():
            node = ("binary", "concat", node, self._binary(level))
        return node

    def _starts_operand(self) -> bool:
        kind, value = self._peek()
        if kind == "sign":
            return value in ("$", "!", "(", "-", "+", "++", "--") and not self._is_not_match()
        return kind in ("number", "string", "name", "call", "regex")

    def _is_not_match(self) -> bool:
        return self._is("!") and self._tokens[self._at + 1 : self._at + 2] == [("sign", "~")]

    def _unary(self) -> Node:
        for sign in ("!", "-", "+"):
            if self._is(sign):
                self._at += 1
                self._deeper()
                node = ("unary", sign, self._unary())
                self._depth -= 1
                return node
        return self._power()

    def _power(self) -> Node:
        node = self._postfix()
        if self._take("^", "**"):
            self._deeper()
            node = ("binary", "^", node, self._unary() if self._is("-", "+", "!") else self._power())
            self._depth -= 1
        return node

    def _postfix(self) -> Node:
        if self._is("++", "--"):
            sign = self._peek()[1]
            self._at += 1
            return ("step", sign, self._primary(), True)
        node = self._primary()
        if self._is("++", "--") and node[0] in ("name", "field", "item"):
            sign = self._peek()[1]
            self._at += 1
            return ("step", sign, node, False)
        return node

    def _primary(self) -> Node:
        kind, value = self._peek()
        self._at += 1
        if kind == "number":
            return ("number", float(int(value, 16)) if value[:2] in ("0x", "0X") else float(value))
        if kind == "string":
            return ("string", _string(value))
        if kind == "regex":
            return ("regex", value)
        if kind == "call" or (kind == "name" and value == "length"):
            arguments = self._arguments() if kind == "call" else []
            return ("call", value, arguments)
        if kind == "name":
            return ("item", value, self._subscript()) if self._take("[") else ("name", value)
        if value == "$":
            self._deeper()
            node = ("field", self._postfix_of_field())
            self._depth -= 1
            return node
        if value == "(":
            return self._group()
        if value == "getline":
            return ("getline",)
        raise AwkError(f"syntax error at {value!r}")

    def _postfix_of_field(self) -> Node:
        if self._is("++", "--", "-"):
            return self._unary() if self._is("-") else self._postfix()
        return self._primary()

    def _group(self) -> Node:
        saved, self._no_greater = self._no_greater, False
        values = self._list()
        self._expect(")")
        self._no_greater = saved
        if len(values) > 1 and self._take("in"):
            name = self._peek()[1]
            self._at += 1
            return ("in", values, name)
        return ("group", values)

    def _arguments(self) -> list[Node]:
        self._expect("(")
        saved, self._no_greater = self._no_greater, False
        values = [] if self._is(")") else self._list()
        self._expect(")")
        self._no_greater = saved
        return values

    def _subscript(self) -> list[Node]:
        saved, self._no_greater = self._no_greater, False
        values = self._list()
        self._expect("]")
        self._no_greater = saved
        return values
