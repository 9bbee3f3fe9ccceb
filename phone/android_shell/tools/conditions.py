"""`test` and `[`: conditions on texts, numbers and files."""

from __future__ import annotations

import stat
from collections.abc import Callable

from android_shell.command_call import CommandCall, CommandError

_NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda left, right: left == right,
    "-ne": lambda left, right: left != right,
    "-lt": lambda left, right: left < right,
    "-le": lambda left, right: left <= right,
    "-gt": lambda left, right: left > right,
    "-ge": lambda left, right: left >= right,
}
_TEXTS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda left, right: left == right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
}
_FILE_TESTS = ("-e", "-f", "-d", "-s", "-r", "-w", "-x", "-L", "-h", "-b", "-c", "-p", "-S", "-a")
_MAX_WORDS = 500


def test(call: CommandCall) -> None:
    """`test EXPRESSION` and `[ EXPRESSION ]`; exit code 0 for true, 1 for false, 2 for an error."""
    words = list(call.args)
    if call.name == "[":
        if words[-1:] != ["]"]:
            raise CommandError("/system/bin/sh: [: missing ]", 2)
        words.pop()
    if len(words) > _MAX_WORDS:
        raise CommandError("/system/bin/sh: test: too many arguments", 2)
    call.code = int(not _Condition(call, words).value())


class _Condition:
    def __init__(self, call: CommandCall, words: list[str]) -> None:
        self._call = call
        self._words = words
        self._at = 0

    def value(self) -> bool:
        # by the number of words first, as POSIX has it: "! =" and the like are texts
        if len(self._words) == 0:
            return False
        if len(self._words) == 1:
            return self._words[0] != ""
        if len(self._words) == 3 and self._is_binary(self._words[1]):
            return self._compare(*self._words)
        found = self._evaluate_either()
        if self._at < len(self._words):
            raise self._error(f"{self._words[self._at]}: unexpected operator/operand")
        return found

    def _error(self, text: str) -> CommandError:
        return CommandError(f"/system/bin/sh: {self._call.name}: {text}", 2)

    @staticmethod
    def _is_binary(word: str) -> bool:
        return word in _NUMBERS or word in _TEXTS or word in ("-nt", "-ot", "-ef")

    def _take(self) -> str:
        if self._at >= len(self._words):
            raise self._error("missing argument")
        self._at += 1
        return self._words[self._at - 1]

    def _next(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _evaluate_either(self) -> bool:
        found = self._evaluate_both()
        while self._next() == "-o":
            self._at += 1
            found = self._evaluate_both() or found
        return found

    def _evaluate_both(self) -> bool:
        found = self._evaluate_single()
        while self._next() == "-a":
            self._at += 1
            found = self._evaluate_single() and found
        return found

    def _evaluate_single(self) -> bool:
        inverted = False
        while self._next() == "!" and self._at + 1 < len(self._words):
            self._at += 1
            inverted = not inverted
        return self._evaluate_primary() != inverted

    def _evaluate_primary(self) -> bool:
        word = self._take()
        if self._is_binary(self._next()):
            return self._compare(word, self._take(), self._take())
        if word == "(" and ")" in self._words[self._at :]:
            found = self._evaluate_either()
            if self._take() != ")":
                raise self._error("missing )")
            return found
        if word in ("-z", "-n") and self._at < len(self._words):
            return bool(self._take()) == (word == "-n")
        if word in _FILE_TESTS and self._at < len(self._words):
            return self._test_file(word, self._take())
        if word in ("-t", "-o", "-v") and self._at < len(self._words):
            name = self._take()
            return word == "-v" and name in self._call.environment
        return word != ""

    def _test_file(self, kind: str, name: str) -> bool:
        entry = self._call.device.files.get(self._call.path(name)) if name else None
        if entry is None or kind in ("-L", "-h", "-b", "-p", "-S"):
            return False
        if kind in ("-c", "-f"):
            return (stat.S_ISCHR if kind == "-c" else stat.S_ISREG)(entry.mode)
        return {
            "-d": entry.is_folder,
            "-s": entry.is_folder or bool(entry.data),
            "-x": bool(entry.mode & 0o111),
            "-w": entry.is_folder or bool(entry.mode & 0o222),
        }.get(kind, True)

    def _compare(self, left: str, sign: str, right: str) -> bool:
        if sign in _TEXTS:
            return _TEXTS[sign](left, right)
        if sign in _NUMBERS:
            return _NUMBERS[sign](self._parse_number(left), self._parse_number(right))
        files = self._call.device.files
        one, other = files.get(self._call.path(left)), files.get(self._call.path(right))
        if sign == "-ef":
            return one is not None and one is other
        times = (one.changed if one else -1, other.changed if other else -1)
        return times[0] > times[1] if sign == "-nt" else times[0] < times[1]

    def _parse_number(self, text: str) -> int:
        try:
            return int(text[:30])
        except ValueError:
            raise self._error(f"{text}: bad number") from None
