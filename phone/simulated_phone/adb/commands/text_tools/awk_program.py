"""Interpreter of `awk`'s programs."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simulated_phone.adb.commands.text_tools.awk_output import AwkOutput
from simulated_phone.adb.commands.text_tools.awk_parser import AwkError, AwkRules, Node
from simulated_phone.adb.commands.text_tools.awk_state import AwkState
from simulated_phone.adb.commands.text_tools.awk_values import (
    FUNCTIONS,
    InputText,
    Value,
    arithmetic,
    compared,
    formatted,
    is_true,
    replacement,
    to_number,
    to_text,
)
from simulated_phone.adb.commands.text_tools.patterns import TextPattern

if TYPE_CHECKING:
    from simulated_phone.adb.commands.command_call import CommandCall

__all__ = ["AwkError", "AwkProgram"]

MAX_STEPS = 1_000_000
"""Largest number of statements that a program runs."""

MAX_FIELD, MAX_CALLS, MAX_TEXT = 10_000, 40, 1 << 22
"""Largest number of a field, nesting of function calls, and length of a text."""

_RECORDS = 2000  # after so many, the output is sent


class _Jump(Exception):
    """Raised by next, exit, break, continue and return."""

    def __init__(self, kind: str, value: Value = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.value = value


class AwkProgram(AwkState):
    """A program with its variables.

    Args:
        rules: The parsed program.
        call: The call; output goes there.

    Attributes:
        reads: Whether it reads its input.
        code: Exit code.
    """

    def __init__(self, rules: AwkRules, call: CommandCall) -> None:
        super().__init__(call.environment)
        self._rules = rules
        self._call = call
        self._ranges: set[int] = set()
        self._output = AwkOutput(call)
        self._random = random.Random(0)  # noqa: S311 - awk's rand, the same in each run
        self._steps = 0
        self._cancelled = False
        self.reads = bool(rules.rules or rules.end)
        self.code = 0

    # ---- running

    async def begin(self) -> bool:
        """Run BEGIN; return whether input is to be read."""
        return await self._run_all(self._rules.begin)

    async def end(self) -> None:
        """Run END."""
        await self._run_all(self._rules.end)

    async def _run_all(self, actions: list[Node]) -> bool:
        going = await self._beside(lambda: self._run_actions(actions))
        if not going and self._rules.begin is actions:
            self._rules.end = []
        return going

    def _run_actions(self, actions: list[Node]) -> bool:
        try:
            for action in actions:
                self._run(action)
        except _Jump as jump:
            self._leave(jump)
            return False
        return True

    async def _beside(self, work: Callable[[], bool]) -> bool:
        """Run a part of the program in a thread, so that the phone answers meanwhile; send its output."""
        try:
            return await asyncio.to_thread(work)
        except asyncio.CancelledError:
            self._cancelled = True
            raise
        finally:
            if not self._cancelled:
                await self._output.send()

    def _leave(self, jump: _Jump) -> None:
        if jump.kind == "exit" and jump.value != "":
            self.code = int(to_number(jump.value)) & 0xFF

    async def read(self, text: str) -> bool:
        """Apply the rules to each record of a text; return whether more is to be read."""
        separator = str(self._globals["RS"])
        if separator == "":
            records = re.split(r"\n\n+", text.strip("\n"))
        else:
            records = text.split(separator[0])
            records = records if records[-1] not in ("", "\n") else records[:-1]
        self._pending = records[::-1]
        self._globals["FNR"] = 0.0
        while self._pending:
            if not await self._beside(self._read_some):
                return False
        return True

    def _read_some(self) -> bool:
        """Apply the rules to some records; return whether more are to be read."""
        for _ in range(_RECORDS):
            if not self._pending:
                break
            self._take_record()
            try:
                self._apply_rules()
            except _Jump as jump:
                if jump.kind != "next":
                    self._leave(jump)
                    return False
        return True

    def _apply_rules(self) -> None:
        for index, (first, second, action) in enumerate(self._rules.rules):
            if first is None:
                selected = True
            elif second is None:
                selected = is_true(self._condition(first))
            else:
                selected = index in self._ranges or is_true(self._condition(first))
                if selected:
                    ended = is_true(self._condition(second))
                    (self._ranges.discard if ended else self._ranges.add)(index)
            if selected:
                self._run(action)

    # ---- statements

    def _run(self, node: Node) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS or self._cancelled:
            raise AwkError("the program takes too long")
        _STATEMENTS[node[0]](self, node)

    def _block(self, node: Node) -> None:
        for statement in node[1]:
            self._run(statement)

    def _if(self, node: Node) -> None:
        if is_true(self._condition(node[1])):
            self._run(node[2])
        elif node[3] is not None:
            self._run(node[3])

    def _loop(self, node: Node) -> None:
        kind = node[0]
        if kind == "for":
            start, condition, step, body = node[1:]
        else:
            start = step = None
            condition, body = (node[1], node[2]) if kind == "while" else (node[2], node[1])
        if start is not None:
            self._run(start)
        first = kind == "do"
        while first or condition is None or is_true(self._condition(condition)):
            first = False
            if self._body(body):
                break
            if step is not None:
                self._run(step)
            self._run(("block", []))

    def _body(self, body: Node) -> bool:
        """Run a loop's body; return whether the loop ends."""
        try:
            self._run(body)
        except _Jump as jump:
            if jump.kind not in ("break", "continue"):
                raise
            return jump.kind == "break"
        return False

    def _for_in(self, node: Node) -> None:
        for key in list(self._array(node[2])):
            self._store(("name", node[1]), InputText(key))
            if self._body(node[3]):
                break

    def _jump(self, node: Node) -> None:
        value = self._value(node[1]) if len(node) > 1 and node[1] is not None else ""
        raise _Jump(node[0], value)

    def _delete(self, node: Node) -> None:
        array = self._array(node[1])
        if node[2] is None:
            array.clear()
        else:
            array.pop(self._key(node[2]), None)

    def _expression_statement(self, node: Node) -> None:
        self._value(node[1])

    def _print(self, node: Node) -> None:
        values = [self._value(part) for part in node[1]]
        if node[0] == "printf":
            text = formatted(values) if values else ""
        else:
            texts = [self._printed(value) for value in values] if values else [self._fields[0]]
            text = self._text(self._globals["OFS"]).join(texts) + self._text(self._globals["ORS"])
        path = "/dev/stdout" if node[2] is None else self._text(self._value(node[2][1]))
        self._output.write(path, text, anew=bool(node[2]) and node[2][0] == ">")

    def _printed(self, value: Value) -> str:
        return to_text(value, str(self._globals["OFMT"]))

    # ---- values

    def _condition(self, node: Node) -> Value:
        if node[0] == "regex":
            return float(self._pattern(node[1]).matches([self._fields[0]])[0])
        return self._value(node)

    def _value(self, node: Node) -> Value:
        return _EXPRESSIONS[node[0]](self, node)

    def _constant(self, node: Node) -> Value:
        found: Value = node[1]
        return found

    def _name(self, node: Node) -> Value:
        if node[1] == "NF":
            return float(len(self._fields) - 1)
        scope = self._scope(node[1])
        value = scope.get(node[1], InputText(""))
        if isinstance(value, dict):
            raise AwkError(f"can't use array {node[1]} as a scalar")
        return value if value is not None else InputText("")

    def _key(self, parts: list[Node]) -> str:
        return self._text(self._globals["SUBSEP"]).join(self._text(self._value(part)) for part in parts)

    def _item(self, node: Node) -> Value:
        found: Value = self._array(node[1]).setdefault(self._key(node[2]), InputText(""))
        return found

    def _field(self, node: Node) -> Value:
        index = self._index(node)
        return InputText(self._fields[index]) if index < len(self._fields) else InputText("")

    def _index(self, node: Node) -> int:
        index = int(to_number(self._value(node[1])))
        if not 0 <= index <= MAX_FIELD:
            raise AwkError(f"trying to access out of range field {index}")
        return index

    def _in(self, node: Node) -> Value:
        return float(self._key(node[1]) in self._array(node[2]))

    def _group(self, node: Node) -> Value:
        if len(node[1]) != 1:
            raise AwkError("syntax error: a list in parentheses")
        return self._condition(node[1][0])

    def _choose(self, node: Node) -> Value:
        return self._value(node[2] if is_true(self._condition(node[1])) else node[3])

    def _unary(self, node: Node) -> Value:
        if node[1] == "!":
            return float(not is_true(self._condition(node[2])))
        number = to_number(self._value(node[2]))
        return -number if node[1] == "-" else number

    def _step(self, node: Node) -> Value:
        before = to_number(self._value(node[2]))
        after = before + (1 if node[1] == "++" else -1)
        self._store(node[2], after)
        return after if node[3] else before

    def _assign(self, node: Node) -> Value:
        value = self._value(node[3])
        if node[1]:
            value = arithmetic(node[1], to_number(self._value(node[2])), to_number(value))
        self._store(node[2], value)
        return value

    def _store(self, node: Node, value: Value) -> None:
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise AwkError("out of memory")
        if node[0] == "item":
            self._array(node[1])[self._key(node[2])] = value
        elif node[0] == "field":
            self._set_field(self._index(node), self._text(value))
        elif node[1] == "NF":
            count = min(MAX_FIELD, max(0, int(to_number(value))))
            self._fields = [*self._fields[: count + 1], *[""] * (count + 1 - len(self._fields))]
            self._join()
        else:
            self._scope(node[1])[node[1]] = value

    def _binary(self, node: Node) -> Value:
        sign = node[1]
        if sign in ("&&", "||"):
            left = is_true(self._condition(node[2]))
            if left == (sign == "||"):
                return float(left)
            return float(is_true(self._condition(node[3])))
        if sign in ("~", "!~"):
            text = self._text(self._value(node[2]))
            pattern = node[3][1] if node[3][0] == "regex" else self._text(self._value(node[3]))
            return float(self._pattern(pattern).matches([text])[0] == (sign == "~"))
        left_value, right_value = self._value(node[2]), self._value(node[3])
        if sign == "concat":
            joined = self._text(left_value) + self._text(right_value)
            if len(joined) > MAX_TEXT:
                raise AwkError("out of memory")
            return joined
        if sign in _COMPARISONS:
            return float(_COMPARISONS[sign](compared(left_value, right_value)))
        return arithmetic(sign, to_number(left_value), to_number(right_value))

    def _getline(self, _node: Node) -> Value:
        if not self._pending:
            return 0.0
        self._take_record()
        return 1.0

    # ---- functions

    def _call_function(self, node: Node) -> Value:
        name, parts = node[1], node[2]
        if name in self._rules.functions:
            return self._call_own(name, parts)
        if name in _OWN:
            return _OWN[name](self, parts)
        if name not in FUNCTIONS:
            raise AwkError(f"calling undefined function {name}")
        try:
            return FUNCTIONS[name]([self._value(part) for part in parts])
        except (IndexError, TypeError):
            raise AwkError(f"wrong number of arguments of {name}") from None

    def _call_own(self, name: str, parts: list[Node]) -> Value:
        if len(self._locals) >= MAX_CALLS:
            raise AwkError("function call nesting too deep")
        parameters, body = self._rules.functions[name]
        scope: dict[str, Any] = dict.fromkeys(parameters)
        for parameter, part in zip(parameters, parts, strict=False):
            given = self._scope(part[1]).get(part[1]) if part[0] == "name" else None
            # arrays are passed by reference
            scope[parameter] = given if isinstance(given, dict) else self._value(part)
        self._locals.append(scope)
        try:
            self._run(body)
        except _Jump as jump:
            if jump.kind != "return":
                raise
            return jump.value
        finally:
            self._locals.pop()
        return InputText("")

    def _texts(self, parts: list[Node]) -> list[str]:
        return [self._text(self._value(part)) for part in parts]

    def _length(self, parts: list[Node]) -> Value:
        if parts and parts[0][0] == "name" and isinstance(self._scope(parts[0][1]).get(parts[0][1]), dict):
            return float(len(self._array(parts[0][1])))
        return float(len(self._texts(parts)[0] if parts else self._fields[0]))

    def _split_into(self, parts: list[Node]) -> Value:
        text = self._text(self._value(parts[0]))
        separator, regex = self._text(self._globals["FS"]), False
        if len(parts) > 2:
            regex = parts[2][0] == "regex"
            separator = parts[2][1] if regex else self._text(self._value(parts[2]))
        array = self._array(parts[1][1])
        found = self._split(text, separator, regex=regex)
        array.clear()
        array.update({str(index): InputText(one) for index, one in enumerate(found, 1)})
        return float(len(found))

    def _match(self, parts: list[Node]) -> Value:
        text = self._text(self._value(parts[0]))
        found = self._pattern_of(parts[1]).find(text)
        start, end = found[0] if found and found[0] else (-1, -2)
        self._globals["RSTART"], self._globals["RLENGTH"] = float(start + 1), float(end - start)
        return float(start + 1)

    def _pattern_of(self, node: Node) -> TextPattern:
        return self._pattern(node[1] if node[0] == "regex" else self._text(self._value(node)))

    def _substitute(self, parts: list[Node], *, every: bool) -> Value:
        pattern, new = self._pattern_of(parts[0]), self._text(self._value(parts[1]))
        target = parts[2] if len(parts) > 2 else ("field", ("number", 0.0))
        text = self._text(self._value(target))
        result, at, copied, count = [], 0, 0, 0
        while at <= len(text) and (found := pattern.find(text, at)) and found[0]:
            start, end = found[0]
            result += [text[copied:start], replacement(new, text[start:end])]
            count += 1
            copied = end
            at = end if end > start else end + 1
            if not every:
                break
        if count:
            self._store(target, "".join(result) + text[copied:])
        return float(count)

    def _rand(self, _parts: list[Node]) -> Value:
        return self._random.random()

    def _srand(self, parts: list[Node]) -> Value:
        self._random = random.Random(self._texts(parts)[0] if parts else "0")  # noqa: S311 - awk's rand
        return 0.0

    def _strftime(self, parts: list[Node]) -> Value:
        return self._call.phone.now.strftime(self._texts(parts[:1])[0] if parts else "%c")

    def _systime(self, _parts: list[Node]) -> Value:
        return float(int(self._call.phone.now.timestamp()))


_COMPARISONS: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    "==": lambda order: order == 0,
    "!=": lambda order: order != 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}
_OWN: dict[str, Callable[[AwkProgram, list[Node]], Value]] = {
    "close": lambda _program, _parts: 0.0,
    "fflush": lambda _program, _parts: 0.0,
    "gsub": lambda program, parts: program._substitute(parts, every=True),
    "length": AwkProgram._length,
    "match": AwkProgram._match,
    "rand": AwkProgram._rand,
    "split": AwkProgram._split_into,
    "srand": AwkProgram._srand,
    "strftime": AwkProgram._strftime,
    "sub": lambda program, parts: program._substitute(parts, every=False),
    "systime": AwkProgram._systime,
}
_STATEMENTS: dict[str, Callable[[AwkProgram, Node], None]] = {
    "block": AwkProgram._block,
    "break": AwkProgram._jump,
    "continue": AwkProgram._jump,
    "delete": AwkProgram._delete,
    "do": AwkProgram._loop,
    "exit": AwkProgram._jump,
    "expression": AwkProgram._expression_statement,
    "for": AwkProgram._loop,
    "for in": AwkProgram._for_in,
    "if": AwkProgram._if,
    "next": AwkProgram._jump,
    "print": AwkProgram._print,
    "printf": AwkProgram._print,
    "return": AwkProgram._jump,
    "while": AwkProgram._loop,
}
_EXPRESSIONS: dict[str, Callable[[AwkProgram, Node], Value]] = {
    "assign": AwkProgram._assign,
    "binary": AwkProgram._binary,
    "call": AwkProgram._call_function,
    "choose": AwkProgram._choose,
    "field": AwkProgram._field,
    "getline": AwkProgram._getline,
    "group": AwkProgram._group,
    "in": AwkProgram._in,
    "item": AwkProgram._item,
    "name": AwkProgram._name,
    "number": AwkProgram._constant,
    "regex": AwkProgram._condition,
    "step": AwkProgram._step,
    "string": AwkProgram._constant,
    "unary": AwkProgram._unary,
}
