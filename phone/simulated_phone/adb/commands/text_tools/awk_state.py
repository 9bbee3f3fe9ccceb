"""State of a running `awk` program: variables, arrays, and the fields of the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulated_phone.adb.commands.text_tools.awk_parser import AwkError
from simulated_phone.adb.commands.text_tools.awk_values import InputText, to_text
from simulated_phone.adb.commands.text_tools.patterns import TextPattern


class AwkState:
    """Variables and fields.

    Args:
        environment: Values of ENVIRON.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._globals: dict[str, Any] = {
            "FS": " ",
            "OFS": " ",
            "ORS": "\n",
            "RS": "\n",
            "NR": 0.0,
            "FNR": 0.0,
            "SUBSEP": "\x1c",
            "OFMT": "%.6g",
            "CONVFMT": "%.6g",
            "RSTART": 0.0,
            "RLENGTH": -1.0,
            "ENVIRON": {name: InputText(value) for name, value in environment.items()},
        }
        self._locals: list[dict[str, Any]] = []
        self._fields: list[str] = [""]
        self._patterns: dict[str, TextPattern] = {}
        self._pending: list[str] = []

    def assign(self, name: str, value: str) -> None:
        """Set a variable from the command line."""
        self._globals[name] = InputText(value)

    def arguments(self, names: list[str]) -> None:
        """Set ARGC and ARGV."""
        self._globals["ARGC"] = float(len(names))
        self._globals["ARGV"] = {str(index): InputText(name) for index, name in enumerate(names)}

    def _take_record(self) -> None:
        self._globals["NR"] += 1
        self._globals["FNR"] += 1
        self._set_record(self._pending.pop())

    def _set_record(self, text: str) -> None:
        self._fields = [text, *self._split(text, str(self._text(self._globals["FS"])))]

    def _split(self, text: str, separator: str, *, regex: bool = False) -> list[str]:
        if separator == " " and not regex:
            return text.split()
        if not text:
            return []
        if separator == "":
            return list(text)
        # one character is itself, also one that means something in a pattern
        if len(separator) == 1 and not regex:
            return text.split(separator)
        pattern, parts, at, start = self._pattern(separator), [], 0, 0
        while (found := pattern.find(text, at)) and found[0]:
            begin, end = found[0]
            if end == begin:
                at = end + 1
                continue
            parts.append(text[start:begin])
            start = at = end
        return [*parts, text[start:]]

    def _pattern(self, text: str) -> TextPattern:
        if text not in self._patterns:
            self._patterns[text] = TextPattern(text, extended=True)
        return self._patterns[text]

    def _text(self, value: Any) -> str:  # noqa: ANN401 - str, float or a missing parameter
        return to_text(value, str(self._globals["CONVFMT"]))

    def _scope(self, name: str) -> dict[str, Any]:
        return self._locals[-1] if self._locals and name in self._locals[-1] else self._globals

    def _array(self, name: str) -> dict[str, Any]:
        scope = self._scope(name)
        if scope.get(name) is None:
            scope[name] = {}
        found = scope[name]
        if not isinstance(found, dict):
            raise AwkError(f"can't use {name} as an array")
        return found

    def _set_field(self, index: int, text: str) -> None:
        if index == 0:
            self._set_record(text)
            return
        self._fields += [""] * (index + 1 - len(self._fields))
        self._fields[index] = text
        self._join()

    def _join(self) -> None:
        self._fields[0] = self._text(self._globals["OFS"]).join(self._fields[1:])
