"""Grammar of the shell: lists, pipelines, simple and compound commands, redirections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from android_shell.shell.conditional import read_condition
from android_shell.shell.syntax import (
    AndOr,
    Arithmetic,
    Assignment,
    Case,
    Command,
    CommandList,
    Conditional,
    For,
    FunctionDefinition,
    Group,
    If,
    Literal,
    Loop,
    Pipeline,
    Redirection,
    ShellSyntaxError,
    ShellWord,
    SimpleCommand,
    UnsupportedSyntaxError,
)
from android_shell.shell.word_reader import WORD_ENDS, WordReader

_OPERATOR = re.compile(r"&&|\|\||;;|;&|;\||\|&|[;&|()\n]")
_REDIRECTION = re.compile(r"([0-9]?)(<<<|<<-|<<|>>|<&|>&|<>|>\||<|>)|(&>>|&>)")
_FUNCTION = re.compile(r"([^\s;&|()<>$\"'`\\=@*+?!\[{}]+)[ \t]*\([ \t]*\)")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]\n]+\])?(\+?)=")
_RESERVED = re.compile(r"(?:[a-z]+|[!{}])(?=[ \t\n;&|()<>]|$)")
_OPENING = frozenset({"if", "while", "until", "for", "case", "function", "select", "{", "!"})
_ENDS = (")", ";;", ";&", ";|")
_TIME_OPTION = re.compile(r"[ \t]*-p(?=[ \t\n;]|$)")
_CLOSING = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})


def parse_line(text: str) -> CommandList:
    """Parse a line, or several.

    Raises:
        ShellSyntaxError: The text is incomplete or no sentence of the language.

    >>> [[len(pipe.commands) for _, pipe in item.pipelines] for item in parse_line("a | b && c; d").items]
    [[2, 1], [1]]
    """
    return CommandList(items=tuple(item for line in parse_lines(text) for item in line.items))


def parse_lines(text: str) -> Iterator[CommandList]:
    """Parse a text line by line: as in a real shell, lines before a wrong one can be run.

    Raises:
        ShellSyntaxError: The next line is incomplete or no sentence of the language.
    """
    reader = CommandReader(text)
    while True:
        reader.skip_newlines()
        if reader.at == len(text):
            return
        line = reader.read_commands(one_line=True)
        if reader.at < len(text) and reader.peek_operator() != "\n":
            raise reader.make_error(reader.peek_operator())
        yield replace(line, names=frozenset(reader.names - reader.functions))
        reader.names.clear()


def is_incomplete(text: str) -> bool:
    """Whether a text may become right by further lines: an open quote, or a command that is not closed."""
    try:
        parse_line(text)
    except ShellSyntaxError as error:
        return str(error).endswith(("'EOF'", "no closing quote", "missing '))'", "unclosed"))
    return False


def _literal_text(word: ShellWord) -> str:
    return "".join(part.text for part in word if isinstance(part, Literal))


class CommandReader(WordReader):
    """Recursive-descent parser."""

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        # index of a newline -> end of the here-documents after it
        self._jumps: dict[int, int] = {}
        # names of simple commands, also of those within others, and of functions
        self.names: set[str] = set()
        self.functions: set[str] = set()

    # ---- what the reader of words needs

    def parse_commands(self, text: str) -> CommandList:
        """Parse the body of backticks."""
        inner = CommandReader(text, self.depth + 1)
        commands = inner.read_commands()
        if inner.at < len(text):
            raise inner.make_error(inner.peek_operator())
        return commands

    def read_substitution(self) -> CommandList:
        """Parse commands up to the `)` that closes a substitution, and read past it."""
        inner = self.go_deeper()
        commands = inner.read_commands()
        inner.expect(")")
        self.at = inner.at
        return commands

    # ---- lists

    def read_commands(self, *, one_line: bool = False) -> CommandList:
        """Read and-or lists up to `)`, `;;`, a closing reserved word, the end of the text or of the line."""
        items: list[AndOr] = []
        self.skip_newlines()
        while not self._is_at_end():
            pipelines = self._read_and_or()
            sign = self.peek_operator()
            items.append(AndOr(pipelines=pipelines, background=sign == "&"))
            if sign not in (";", "&", "\n"):
                break
            if sign != "\n":
                self.at += 1
            if one_line and self.peek_operator() == "\n":
                break
            self.skip_newlines()
        return CommandList(items=tuple(items))

    def _is_at_end(self) -> bool:
        self._skip_blanks()
        if self.at == len(self.text) or self.peek_operator() in _ENDS:
            return True
        return self._peek_reserved() in _CLOSING

    def _read_and_or(self) -> tuple[tuple[str, Pipeline], ...]:
        pipelines = [("", self._read_pipeline())]
        while (sign := self.peek_operator()) in ("&&", "||"):
            self.at += 2
            self.skip_newlines()
            pipelines.append((sign, self._read_pipeline()))
        return tuple(pipelines)

    def _read_pipeline(self) -> Pipeline:
        negated = timed = False
        self._skip_blanks()
        while (reserved := self._peek_reserved()) in ("!", "time"):
            self._take(reserved)
            if reserved == "!" and self.text[self.at : self.at + 1] == "(":
                raise UnsupportedSyntaxError("patterns with parentheses")
            negated ^= reserved == "!"
            timed = timed or reserved == "time"
        if timed:
            option = _TIME_OPTION.match(self.text, self.at)
            self.at = option.end() if option else self.at
            if self.at == len(self.text) or self.peek_operator() not in ("", "("):
                return Pipeline(commands=(), negated=negated, timed=True)
        commands = [self._read_command()]
        while (sign := self.peek_operator()) in ("|", "|&"):
            if sign == "|&":
                raise UnsupportedSyntaxError("coprocesses")
            self.at += 1
            self.skip_newlines()
            commands.append(self._read_command())
        return Pipeline(commands=tuple(commands), negated=negated, timed=timed)

    # ---- commands

    def _read_command(self) -> Command:
        self._skip_blanks()
        if self.text.startswith("((", self.at) and (end := self._find_arithmetic_end(self.at + 2)) >= 0:
            expression = type(self)(self.text[self.at + 2 : end], self.depth + 1).document()
            self.at = end + 2
            return Arithmetic(expression=expression, redirections=self._read_redirections())
        if self.peek_operator() == "(":
            self.at += 1
            body = self._read_body(")")
            return Group(body=body, subshell=True, redirections=self._read_redirections())
        if self.text.startswith("[[", self.at) and self.text[self.at + 2 : self.at + 3] in " \t\n":
            self.at += 2
            return Conditional(condition=read_condition(self), redirections=self._read_redirections())
        reserved = self._peek_reserved()
        if reserved in _OPENING:
            return self.go_deeper()._read_compound(self, reserved)
        function = _FUNCTION.match(self.text, self.at)
        if function:
            self.at = function.end()
            self.functions.add(function.group(1))
            self.skip_newlines()
            return FunctionDefinition(
                name=function.group(1), body=self.go_deeper()._read_nested_command(self)
            )
        if reserved in _CLOSING:
            raise self.make_error(reserved)
        return self._read_simple()

    def _find_arithmetic_end(self, at: int) -> int:
        """Index of the `))` that closes `((`; -1 if these are two subshells, one within the other."""
        depth = 0
        while at < len(self.text):
            if depth == 0 and self.text.startswith("))", at):
                return at
            depth += {"(": 1, ")": -1}.get(self.text[at], 0)
            if depth < 0:
                return -1
            at += 1
        return -1

    def go_deeper(self) -> CommandReader:
        """A reader of the same text, one level deeper, so that nesting is limited."""
        inner = CommandReader(self.text, self.depth + 1)
        inner.at = self.at
        inner._jumps = self._jumps
        inner.names, inner.functions = self.names, self.functions
        return inner

    def _read_nested_command(self, outer: CommandReader) -> Command:
        command = self._read_command()
        outer.at = self.at
        return command

    def _read_compound(self, outer: CommandReader, reserved: str) -> Command:
        self._take(reserved)
        if reserved == "{":
            body = self._read_body("}")
            command: Command = Group(body=body, subshell=False, redirections=self._read_redirections())
        elif reserved == "if":
            command = self._read_if()
        elif reserved in ("while", "until"):
            condition, body = self._read_body("do"), self._read_body("done")
            until = reserved == "until"
            command = Loop(
                condition=condition, body=body, until=until, redirections=self._read_redirections()
            )
        elif reserved == "for":
            command = self._read_for()
        elif reserved == "case":
            command = self._read_case()
        elif reserved == "select":
            raise UnsupportedSyntaxError("menus with select")
        else:
            command = self._read_function()
        outer.at = self.at
        return command

    def _read_if(self) -> If:
        branches, otherwise = [], None
        condition = self._read_body("then")
        while True:
            body = self.read_commands()
            branches.append((condition, body))
            if self._peek_reserved() == "elif":
                self._take("elif")
                condition = self._read_body("then")
                continue
            if self._peek_reserved() == "else":
                self._take("else")
                otherwise = self.read_commands()
            self.expect("fi")
            return If(branches=tuple(branches), otherwise=otherwise, redirections=self._read_redirections())

    def _read_for(self) -> For:
        name = self._read_name()
        words: tuple[ShellWord, ...] | None = None
        self.skip_newlines()
        if self._peek_reserved() == "in":
            self._take("in")
            words = self._read_words()
        if self.peek_operator() == ";":
            self.at += 1
        self.skip_newlines()
        braces = self._peek_reserved() == "{"
        self.expect("{" if braces else "do")
        body = self._read_body("}" if braces else "done")
        return For(name=name, words=words, body=body, redirections=self._read_redirections())

    def _read_case(self) -> Case:
        self._skip_blanks()
        subject = self.require_word()
        self.skip_newlines()
        self.expect("in")
        branches: list[tuple[tuple[ShellWord, ...], CommandList]] = []
        self.skip_newlines()
        while self._peek_reserved() != "esac":
            if self.peek_operator() == "(":
                self.at += 1
            patterns = [self._read_spaced_word()]
            while self.peek_operator() == "|":
                self.at += 1
                patterns.append(self._read_spaced_word())
            self.expect(")")
            branches.append((tuple(patterns), self.read_commands()))
            if self.peek_operator() in (";&", ";|"):
                raise UnsupportedSyntaxError("branches that go on")
            if self.peek_operator() != ";;":
                break
            self.at += 2
            self.skip_newlines()
        self.expect("esac")
        return Case(subject=subject, branches=tuple(branches), redirections=self._read_redirections())

    def _read_function(self) -> FunctionDefinition:
        name = self._read_name()
        self.functions.add(name)
        self._skip_blanks()
        plain = self.text.startswith("()", self.at)
        self.at += 2 * plain
        self.skip_newlines()
        return FunctionDefinition(name=name, body=self._read_command(), named=not plain)

    def _read_simple(self) -> SimpleCommand:
        words: list[ShellWord] = []
        assignments: list[Assignment] = []
        redirections: list[Redirection] = []
        while True:
            self._skip_blanks()
            if self._read_redirection(redirections):
                continue
            assignment = None if words else self._read_assignment()
            if assignment:
                assignments.append(assignment)
            elif self.at == len(self.text) or self.text[self.at] in WORD_ENDS:
                break
            else:
                words.append(self.read_word())
        if words:
            self.names.add(_literal_text(words[0]))
        if not (words or assignments or redirections):
            raise self.make_error(self.peek_operator())
        if self.peek_operator() == "(":
            # `local a=(1 2)`: the parser of a builtin's words takes no list
            lists = len(words) > 1 and self.text[: self.at].endswith("=")
            raise UnsupportedSyntaxError("arrays") if lists else self.make_error("(")
        return SimpleCommand(
            assignments=tuple(assignments),
            words=tuple(word for word in words if word),
            redirections=tuple(redirections),
        )

    def _read_assignment(self) -> Assignment | None:
        found = _ASSIGNMENT.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        name, subscript, plus = found.groups()
        if subscript or self.text.startswith("(", self.at):
            raise UnsupportedSyntaxError("arrays")
        return Assignment(name=name, value=self.read_word(), append=bool(plus))

    # ---- redirections

    def _read_redirections(self) -> tuple[Redirection, ...]:
        found: list[Redirection] = []
        self._skip_blanks()
        while self._read_redirection(found):
            self._skip_blanks()
        if self.at < len(self.text) and not self.peek_operator():
            raise self.make_error()
        return tuple(found)

    def _read_redirection(self, found: list[Redirection]) -> bool:
        sign = _REDIRECTION.match(self.text, self.at)
        if sign is None:
            return False
        self.at = sign.end()
        self._skip_blanks()
        both, operator = sign.group(3), sign.group(2)
        start = self.at
        target = self.require_word()
        if both:
            # &> is > with 2>&1
            found.append(Redirection(descriptor=1, operator=both[1:], target=target))
            one = (Literal(text="1", quoted=False),)
            found.append(Redirection(descriptor=2, operator=">&", target=one))
            return True
        descriptor = int(sign.group(1)) if sign.group(1) else int(operator.startswith(">"))
        if operator in ("<<", "<<-"):
            quoted = any(character in self.text[start : self.at] for character in "'\"\\")
            target = self._read_document(target, tabs=operator == "<<-", quoted=quoted)
        if operator == "<<<":
            target = (*target, Literal(text="\n", quoted=True))
        if operator == "<>":
            raise UnsupportedSyntaxError("files open for both directions")
        name = {"<<<": "<<", "<<-": "<<"}.get(operator, operator)
        found.append(Redirection(descriptor=descriptor, operator=name, target=target))
        return True

    def _read_document(self, end: ShellWord, *, tabs: bool, quoted: bool) -> ShellWord:
        """Read the here-document that follows the line, up to a line that is `end`."""
        newline = self.text.find("\n", self.at)
        at = len(self.text) if newline < 0 else self._jumps.get(newline, newline + 1)
        last = _literal_text(end)
        lines: list[str] = []
        while at < len(self.text):
            stop = self.text.find("\n", at)
            stop = len(self.text) if stop < 0 else stop
            line = self.text[at:stop].lstrip("\t") if tabs else self.text[at:stop]
            at = stop + 1
            if line == last:
                break
            lines.append(line + "\n")
        else:
            raise ShellSyntaxError(f"here document '{last}' unclosed")
        self._jumps[newline] = min(at, len(self.text))
        text = "".join(lines)
        if quoted:
            return (Literal(text=text, quoted=True),)
        return CommandReader(text, self.depth + 1).document()

    # ---- tokens

    def peek_operator(self) -> str:
        """The operator at the next character that is not blank; "" if no operator stands there."""
        self._skip_blanks()
        sign = _OPERATOR.match(self.text, self.at)
        return "" if sign is None or self.text.startswith("&>", self.at) else sign.group()

    def skip_newlines(self) -> None:
        """Skip blanks, comments and empty lines."""
        while self.peek_operator() == "\n":
            self._pass()

    def _pass(self) -> None:
        # past a separator, and past the here-documents after a newline
        self.at = self._jumps.get(self.at, self.at + 1)

    def expect(self, sign: str) -> None:
        """Read past an operator or a reserved word."""
        self._skip_blanks()
        if sign == ")" and self.peek_operator() == ")":
            self.at += 1
        elif self._peek_reserved() == sign:
            self._take(sign)
        else:
            raise self.make_error(self.peek_operator() or None)

    def _read_body(self, end: str) -> CommandList:
        inner = self.go_deeper()
        body = inner.read_commands()
        self.at = inner.at
        if not body.items and end != "}":
            raise self.make_error(self.peek_operator() or None)
        self.expect(end)
        return body

    def _peek_reserved(self) -> str:
        self._skip_blanks()
        word = _RESERVED.match(self.text, self.at)
        return word.group() if word else ""

    def _take(self, reserved: str) -> None:
        self.at += len(reserved)

    def _read_name(self) -> str:
        self._skip_blanks()
        start = self.at
        self.read_word()
        return self.text[start : self.at]

    def _read_words(self) -> tuple[ShellWord, ...]:
        words: list[ShellWord] = []
        self._skip_blanks()
        while self.at < len(self.text) and self.text[self.at] not in WORD_ENDS:
            words.append(self.read_word())
            self._skip_blanks()
        return tuple(words)

    def _read_spaced_word(self) -> ShellWord:
        self._skip_blanks()
        return self.require_word()

    def require_word(self) -> ShellWord:
        """Read a word.

        Raises:
            ShellSyntaxError: None stands here.
        """
        start = self.at
        word = self.read_word()
        if self.at == start:
            raise self.make_error(self.peek_operator() or None)
        return word

    def _skip_blanks(self) -> None:
        while self.at < len(self.text):
            if self.text[self.at] in " \t":
                self.at += 1
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            elif self.text[self.at] == "#" and (self.at == 0 or self.text[self.at - 1] in WORD_ENDS):
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                return
