"""`test` and `[`: conditions on texts, numbers and files."""

from __future__ import annotations

import stat

from android_shell.command_call import CommandCall, CommandError
from android_shell.condition_words import BINARY, MAX_WORDS, NUMBERS, TEXTS, ConditionWords

_FILE_TESTS = ("-e", "-f", "-d", "-s", "-r", "-w", "-x", "-L", "-h", "-b", "-c", "-p", "-S", "-a")


def test(call: CommandCall) -> None:
    """`test EXPRESSION` and `[ EXPRESSION ]`; exit code 0 for true, 1 for false, 2 for an error."""
    words = list(call.args)
    if call.name == "[":
        if words[-1:] != ["]"]:
            raise CommandError("/system/bin/sh: [: missing ]", 2)
        words.pop()
    if len(words) > MAX_WORDS:
        raise CommandError("/system/bin/sh: test: too many arguments", 2)
    call.code = int(not _Condition(call, words).value())


class _Condition(ConditionWords):
    def __init__(self, call: CommandCall, words: list[str]) -> None:
        super().__init__(words)
        self._call = call

    def value(self) -> bool:
        # by the number of words first, as POSIX has it: "! =" and the like are texts
        if len(self._words) == 0:
            return False
        if len(self._words) == 1:
            return self._words[0] != ""
        if len(self._words) == 3 and self._words[1] in BINARY:
            return self._compare(*self._words)
        return self._evaluate_rest()

    def _make_error(self, text: str) -> CommandError:
        return CommandError(f"/system/bin/sh: {self._call.name}: {text}", 2)

    def _evaluate_single(self) -> bool:
        inverted = False
        while self._next() == "!" and self._at + 1 < len(self._words):
            self._at += 1
            inverted = not inverted
        return self._evaluate_primary() != inverted

    def _evaluate_primary(self) -> bool:
        word = self._take()
        if self._next() in BINARY:
            return self._compare(word, self._take(), self._take())
        if word == "(" and ")" in self._words[self._at :]:
            return self._evaluate_brackets()
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
        if sign in TEXTS:
            return TEXTS[sign](left, right)
        if sign in NUMBERS:
            return NUMBERS[sign](self._parse_number(left), self._parse_number(right))
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
            raise self._make_error(f"{text}: bad number") from None
