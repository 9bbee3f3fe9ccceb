"""Parser of the expressions of Appium's locator strategy `-android uiautomator`.

An expression is Java: `new UiSelector().text("a").childSelector(new UiSelector().className("b"))`, or
`new UiScrollable(new UiSelector().scrollable(true)).scrollIntoView(new UiSelector().text("a"))`; several are
separated by semicolons. Selectors become those of uiautomator2, whose names are the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from simulated_phone.device_servers.appium.webdriver_errors import invalid_selector

MAX_EXPRESSION = 2000
"""Maximum length of an expression, characters."""

MAX_DEPTH = 10
"""Maximum depth of selectors within selectors."""

Selector = Mapping[str, Any]

_KINDS: Mapping[str, type] = MappingProxyType(
    {
        **{
            name + suffix: str
            for name in ("text", "description")
            for suffix in ("", "Contains", "Matches", "StartsWith")
        },
        **{
            name + suffix: str
            for name in ("className", "packageName", "resourceId")
            for suffix in ("", "Matches")
        },
        "checkable": bool,
        "checked": bool,
        "clickable": bool,
        "enabled": bool,
        "focusable": bool,
        "focused": bool,
        "longClickable": bool,
        "scrollable": bool,
        "selected": bool,
        "index": int,
        "instance": int,
    }
)
"""Method of UiSelector -> type of its argument."""

_STEPS = MappingProxyType({"childSelector": "child", "fromParent": "sibling"})

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?)"""
    r"""|(?P<name>[A-Za-z_]\w*)|(?P<sign>[().,;]))""",
    re.DOTALL,
)

Argument = str | int | float | bool | Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrolling:
    """A `UiScrollable` and the methods called on it.

    Args:
        container: Selector of the scrolled element.
        calls: Name and arguments of each method, in order.
    """

    container: Selector
    calls: tuple[tuple[str, tuple[Argument, ...]], ...]


def parse(expression: str) -> list[Selector | Scrolling]:
    """Parse an expression into its statements.

    Raises:
        WebDriverError: "invalid selector".
    """
    if len(expression) > MAX_EXPRESSION:
        raise invalid_selector(
            f"expected at most {MAX_EXPRESSION} characters of a UiSelector, got {len(expression)}"
        )
    parser = _Parser(expression)
    found = [parser.statement()]
    while parser.skip(";") and not parser.at_end:
        found.append(parser.statement())
    if not parser.at_end:
        raise parser.problem("expected the end")
    return found


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, expression: str) -> None:
        self._expression = expression
        self._tokens: list[tuple[str, str]] = []
        self._next = 0
        self._depth = 0
        place, end = 0, len(expression.rstrip())
        while place < end:
            match = _TOKEN.match(expression, place)
            if match is None:
                raise invalid_selector(f"unexpected character at position {place} of {expression!r}")
            self._tokens.append((str(match.lastgroup), match.group(str(match.lastgroup))))
            place = match.end()

    @property
    def at_end(self) -> bool:
        return self._next == len(self._tokens)

    def problem(self, what: str) -> Exception:
        token = "the end" if self.at_end else repr(self._tokens[self._next][1])
        return invalid_selector(f"{what}, got {token} in {self._expression!r}")

    def skip(self, text: str) -> bool:
        """Skip a sign or a name, if it is next."""
        found = not self.at_end and self._tokens[self._next][1] == text
        self._next += found
        return found

    def statement(self) -> Selector | Scrolling:
        start = self._next
        self.skip("new")
        if self.skip("UiScrollable"):
            return self._read_scrolling()
        self._next = start
        return self._read_selector()

    def _expect(self, text: str) -> None:
        if not self.skip(text):
            raise self.problem(f"expected {text!r}")

    def _name(self) -> str:
        if self.at_end or self._tokens[self._next][0] != "name":
            raise self.problem("expected the name of a method")
        self._next += 1
        return self._tokens[self._next - 1][1]

    def _read_scrolling(self) -> Scrolling:
        self._expect("(")
        container = self._read_selector()
        self._expect(")")
        calls: list[tuple[str, tuple[Argument, ...]]] = []
        while self.skip("."):
            calls.append((self._name(), self._read_arguments()))
        return Scrolling(container=container, calls=tuple(calls))

    def _read_selector(self) -> Selector:
        start = self._next
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.problem(f"expected at most {MAX_DEPTH} selectors within each other")
        if self.skip("new"):
            self._expect("UiSelector")
            self._no_arguments()
        elif self.skip("UiSelector"):
            self._no_arguments()
        selector: dict[str, Any] = {}
        # `.text("a")` and `text("a")` are taken too
        bare = start == self._next
        while self.skip(".") or bare:
            self._add(selector, self._name())
            bare = False
        self._depth -= 1
        return selector

    def _no_arguments(self) -> None:
        self._expect("(")
        self._expect(")")

    def _add(self, selector: dict[str, Any], name: str) -> None:
        """Call one method of UiSelector."""
        arguments = self._read_arguments()
        value = arguments[0] if len(arguments) == 1 else None
        if name in _STEPS and isinstance(value, Mapping):
            inner = dict(value)
            steps = [_STEPS[name], *inner.pop("childOrSibling", ())]
            selectors = [inner, *inner.pop("childOrSiblingSelector", ())]
            selector["childOrSibling"] = [*selector.get("childOrSibling", ()), *steps]
            selector["childOrSiblingSelector"] = [*selector.get("childOrSiblingSelector", ()), *selectors]
            return
        if name not in _KINDS or type(value) is not _KINDS[name]:
            raise invalid_selector(
                f"UiSelector has no method {name} with this argument: {self._expression!r}"
            )
        selector[name] = value

    def _read_arguments(self) -> tuple[Argument, ...]:
        self._expect("(")
        found: list[Argument] = []
        while not self.skip(")"):
            if found:
                self._expect(",")
            found.append(self._read_argument())
        return tuple(found)

    def _read_argument(self) -> Argument:
        if self.at_end:
            raise self.problem("expected an argument")
        kind, text = self._tokens[self._next]
        if text in ("new", "UiSelector"):
            return self._read_selector()
        self._next += 1
        if kind == "string":
            # the server takes other backslashes as they are: patterns need them
            return text[1:-1].replace('\\"', '"')
        if kind == "number":
            return float(text) if "." in text else int(text)
        if text in ("true", "false"):
            return text == "true"
        self._next -= 1
        raise self.problem("expected a string, a number, true, false or a UiSelector")
