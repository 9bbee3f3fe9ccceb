"""`test`, `[` and the tests of `[[ ]]`: conditions on texts, numbers, files and options, as in mksh."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from android_shell.condition_words import BINARY, MAX_WORDS, NUMBERS, TEXTS, ConditionWords
from android_shell.file_entries import SHELL_USER
from android_shell.file_paths import ENTER, READ, WRITE, FileError, check_access
from android_shell.shell.arithmetic import ArithmeticFailure, evaluate
from android_shell.shell.builtins.builtin_call import BuiltinError
from android_shell.shell.builtins.naming import is_on

if TYPE_CHECKING:
    from android_shell.file_entries import FileEntry
    from android_shell.shell.builtins.builtin_call import BuiltinCall

_UNARY = {f"-{letter}" for letter in "abcdefghknoprstuvwxzGHLOS"}
_KINDS = {"-d": stat.S_ISDIR, "-f": stat.S_ISREG, "-c": stat.S_ISCHR}
_BITS = {"-u": stat.S_ISUID, "-g": stat.S_ISGID, "-k": stat.S_ISVTX}
_RIGHTS = {"-r": READ, "-w": WRITE, "-x": ENTER}


async def test(call: BuiltinCall) -> int:
    """`test EXPRESSION` and `[ EXPRESSION ]`; exit code 0 for true, 1 for false, 2 for an error."""
    words = list(call.args)
    if call.name == "[":
        if words[-1:] != ["]"]:
            raise BuiltinError("missing ]", 2)
        words.pop()
    if len(words) > MAX_WORDS:
        raise BuiltinError("too many arguments", 2)
    return int(not _Condition(call, words).value())


class _Condition(ConditionWords):
    def __init__(self, call: BuiltinCall, words: list[str]) -> None:
        super().__init__(words)
        self._call = call

    def value(self) -> bool:
        found = self._evaluate_words(self._words)
        return self._evaluate_rest() if found is None else found

    def _make_error(self, text: str) -> BuiltinError:
        return BuiltinError(text, 2)

    def _evaluate_words(self, words: list[str]) -> bool | None:
        """The value by the number of words, as POSIX has it; None where the grammar decides."""
        if len(words) < 2:
            return bool(words and words[0])
        if len(words) == 3 and words[1] in BINARY:
            return self._compare(*words)
        if len(words) == 3 and words[0] == "(" and words[2] == ")":
            return words[1] != ""
        if words[0] == "!" and len(words) <= 4:
            inner = self._evaluate_words(words[1:])
            return None if inner is None else not inner
        if len(words) == 2 and words[0] in _UNARY:
            return self._test_one(words[0], words[1])
        return None

    def _evaluate_single(self) -> bool:
        if self._next() == "!":
            self._at += 1
            return not self._evaluate_single()
        word = self._take()
        after = self._words[self._at + 1 : self._at + 2]
        if self._next() in BINARY:
            if not after:
                raise BuiltinError(f"{self._next()}: missing second argument", 2)
            return self._compare(word, self._take(), self._take())
        if word == "(":
            return self._evaluate_brackets()
        if word in _UNARY and self._at < len(self._words):
            return self._test_one(word, self._take())
        return word != ""

    def _test_one(self, kind: str, name: str) -> bool:
        variables = self._call.variables
        if kind in ("-n", "-z"):
            return bool(name) == (kind == "-n")
        if kind == "-v":
            return variables.get(name) is not None
        if kind == "-o":
            return is_on(self._call, name)
        if kind == "-t":
            # no descriptor of a line is a terminal
            return False
        return self._test_file(kind, name)

    def _test_file(self, kind: str, name: str) -> bool:
        files = self._call.variables.files
        path = self._call.variables.path(name)
        if kind in ("-h", "-L"):
            link = files.get(path, follow=False) if name else None
            return link is not None and link.is_link
        entry = files.get(path) if name else None
        if entry is None:
            return False
        if kind in _KINDS:
            return _KINDS[kind](entry.mode)
        if kind in _BITS:
            return bool(entry.mode & _BITS[kind])
        if kind in ("-O", "-G"):
            return (entry.owner if kind == "-O" else entry.group) == SHELL_USER
        if kind in ("-b", "-p", "-S", "-H"):
            return False
        if kind == "-s":
            return entry.is_folder or bool(entry.read())
        return kind not in _RIGHTS or _may(entry, _RIGHTS[kind])

    def _compare(self, left: str, sign: str, right: str) -> bool:
        if sign in TEXTS:
            return TEXTS[sign](left, right)
        if sign in NUMBERS:
            return NUMBERS[sign](self._parse_number(left), self._parse_number(right))
        variables = self._call.variables
        one, other = (variables.files.get(variables.path(name)) if name else None for name in (left, right))
        if sign == "-ef":
            return one is not None and one is other
        times = [-1.0 if entry is None else entry.changed for entry in (one, other)]
        return times[0] > times[1] if sign == "-nt" else times[0] < times[1]

    def _parse_number(self, text: str) -> int:
        try:
            return evaluate(text, self._call.variables, hexadecimal=False)
        except ArithmeticFailure as error:
            raise BuiltinError(f"{text}: {error}", 2) from None


def _may(entry: FileEntry, permission: int) -> bool:
    try:
        check_access(entry, permission)
    except FileError:
        return False
    return True
