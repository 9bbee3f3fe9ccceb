"""A prompt's text from a file that the user names: plain text, or a constant of Python code or a notebook.

Code is parsed, never run. So the original prompt of an agent is used from the user's own checkout of it.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fingertip_agents.prompts.placeholders import ALIASES, PLACEHOLDERS, find_placeholder, list_placeholders
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.track import Track

MAX_CHARACTERS = 200_000
"""Maximum length of a prompt's text."""

SHOWN_TEXTS = 20
"""Maximum number of text constants that a message lists."""

_PLACEHOLDER = re.compile(r"\{\{([A-Za-z][A-Za-z_0-9]{0,40})\}\}|\{([a-z][a-z_0-9]{0,40})\}")
# the second part has also what str.format and f-strings allow after a name: {name!r}, {name:>10}, {name.part}
_NAME = re.compile(
    r"\{\{[^{}]*\}\}|\{\s*([A-Za-z][A-Za-z_0-9]{0,40})\s*(?:[.\[]\w+\]?|![rsa]|:[^\s\"'{}]{1,10}){0,3}\}"
)
_CODE = re.compile(r"(.*\.(?:py|ipynb)):([A-Za-z_]\w*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptText:
    """The text of one message of a prompt, with placeholders.

    `{name}` is a placeholder and `{{name}}` the text {name}; all other braces are text, as in JSON.

    Attributes:
        name: Name of its file, and of its constant in code.
        text: The text.
    """

    name: str
    text: str = field(repr=False)

    @property
    def label(self) -> str:
        """Name and beginning of the text's SHA-256, for records and tables."""
        return f"{self.name} sha256:{hashlib.sha256(self.text.encode()).hexdigest()[:12]}"

    @property
    def placeholders(self) -> frozenset[str]:
        """Names of its placeholders, without aliases."""
        return frozenset(ALIASES.get(name, name) for _, name in _PLACEHOLDER.findall(self.text) if name)

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with the values in place of the placeholders; the values are not searched.

        >>> PromptText(name="a", text='{intent}: {"x": {{intent}}}').filled({"intent": "{time}"})
        '{time}: {"x": {intent}}'
        """

        def value(match: re.Match[str]) -> str:
            literal, name = match.groups()
            return f"{{{literal}}}" if literal else values[ALIASES.get(name, name)]

        return _PLACEHOLDER.sub(value, self.text)


def read_prompt_text(place: str, track: Track = "execution") -> PromptText:
    """Read the text of a prompt.

    Args:
        place: Path of a text file, or of a .py or .ipynb file with `:NAME` of a text constant in it.
        track: Track of the agent, whose placeholders are known.

    Raises:
        UsageError: The file cannot be read, has no such text, or a placeholder in it is unknown.
    """
    code = _CODE.fullmatch(place)
    path = Path(code[1] if code else place)
    source = _read_source(path)
    if path.suffix in (".py", ".ipynb"):
        text = _read_constant(path, source, code[2] if code else None, track)
        prompt = PromptText(name=f"{path.name}:{code[2] if code else ''}", text=text)
    else:
        prompt = PromptText(name=path.name, text=source)
    if len(prompt.text) > MAX_CHARACTERS:
        raise UsageError(f"expected a prompt of at most {MAX_CHARACTERS} characters", file=path)
    _check_placeholders(prompt, path, track, in_code=code is not None)
    return prompt


def _check_placeholders(prompt: PromptText, path: Path, track: Track, *, in_code: bool) -> None:
    """Refuse an unknown name in braces, and a known one with capitals, spaces or a format."""
    known = list_placeholders(track)
    for match in _NAME.finditer(prompt.text):
        shown, name = match[0], match[1]
        if name is None:
            continue  # in double braces
        # other words with capitals, spaces or formats, such as {X} or {a:1}, are text of the prompt
        exact = _PLACEHOLDER.fullmatch(shown)
        wrong = name not in known if exact else name.lower() in known
        if not wrong:
            continue
        line = prompt.text.count("\n", 0, match.start()) + 1
        where = f"line {line} of the text" if in_code else "the prompt"
        raise UsageError(
            f"{where} has the unknown placeholder {' '.join(shown.split())}: {_describe_known(name, track)}; "
            f"{{{{{name}}}}} is the text itself",
            file=path,
            line=None if in_code else line,
        )


def _describe_known(name: str, track: Track) -> str:
    """The placeholder that was meant, and all that are known."""
    meant = find_placeholder(name, track)
    listed = ", ".join(PLACEHOLDERS[track])
    return f"did you mean {{{meant}}}? Known are {listed}" if meant else f"expected one of {listed}"


def _read_source(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError, ValueError) as error:
        reason = str(error.strerror) if isinstance(error, OSError) else "it is not UTF-8"
        base, _, name = str(path).rpartition(":")
        if base and Path(base).is_file():
            reason += f"; :{name} picks a constant of a .py or .ipynb file, and no part of another one"
        raise UsageError(f"the prompt cannot be read: {reason}", file=path) from None


def _read_constant(path: Path, source: str, name: str | None, track: Track) -> str:
    """The text of a constant of Python code."""
    assigned = _Assigned(path, track)
    for cell in _read_cells(path, source):
        assigned.add(cell)
    if name is None or name not in assigned:
        got = f"there is no constant {name}" if name else "a prompt in code needs :NAME of its constant"
        raise UsageError(f"{got}: {_list_texts(path, assigned.texts())}", file=path)
    text = assigned.value(name)
    if not isinstance(text, str):
        raise UsageError(f"{name} is no text", file=path)
    return text


def _list_texts(path: Path, names: list[str]) -> str:
    """The text constants of a file, with an example of how one is named."""
    if not names:
        return "the file has no text constant at its top level, copy the prompt into a text file"
    more = f" and {len(names) - SHOWN_TEXTS} more" if len(names) > SHOWN_TEXTS else ""
    return f"its texts are {', '.join(names[:SHOWN_TEXTS])}{more}, as in {path.name}:{names[0]}"


def _read_cells(path: Path, source: str) -> list[str]:
    """The code of the file, or of each code cell of a notebook without its shell commands."""
    if path.suffix != ".ipynb":
        return [source]
    try:
        cells = json.loads(source)["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise UsageError("the file is no notebook", file=path) from None
    return ["\n".join(line for line in cell.splitlines() if line[:1] not in ("!", "%")) for cell in code]


class _Assigned:
    """Names that code assigns at its top level, and the values of those that are constants.

    Args:
        path: File of the code, for messages.
        track: Track of the agent, whose placeholders an f-string may have.
    """

    def __init__(self, path: Path, track: Track) -> None:
        self._path, self._track = path, track
        self._nodes: dict[str, ast.expr] = {}
        self._open: list[str] = []

    def add(self, code: str) -> None:
        """Add the assignments of some code; a cell of a notebook that cannot be parsed adds nothing."""
        try:
            body = ast.parse(code).body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if self._path.suffix == ".ipynb":
                return
            raise UsageError(f"the file cannot be parsed as Python: {error}", file=self._path) from None
        for statement in body:
            targets: list[ast.expr] = statement.targets if isinstance(statement, ast.Assign) else []
            targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
            value = getattr(statement, "value", None)
            for target in targets:
                if isinstance(target, ast.Name) and isinstance(value, ast.expr):
                    self._nodes[target.id] = value

    def __contains__(self, name: str) -> bool:
        return name in self._nodes

    def texts(self) -> list[str]:
        """Names of the constants that are texts; those of more than one line first, as most prompts are."""
        found: dict[str, str] = {}
        for name in self._nodes:
            try:
                value = self.value(name)
            except UsageError:
                continue
            if isinstance(value, str):
                found[name] = value
        return sorted(found, key=lambda name: "\n" not in found[name])

    def value(self, name: str) -> object:
        """The value of a constant.

        Raises:
            UsageError: It is no constant; the message names the line.
        """
        node = self._nodes[name]
        if name in self._open or len(self._open) > 20:
            raise self._make_refusal(node)
        self._open.append(name)
        try:
            return self._read(node)
        except RecursionError:
            raise self._make_refusal(node) from None
        finally:
            self._open.pop()

    def _read(self, node: ast.expr) -> object:
        match node:
            case ast.Name(id=name) if name in self._nodes:
                return self.value(name)
            case ast.JoinedStr(values=parts):
                return "".join(map(self._read_part, parts))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._read_text(left) + self._read_text(right)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="json"), attr="dumps"), args=[value]):
                return json.dumps(self._read(value))
            case _:
                try:
                    return ast.literal_eval(node)
                except (ValueError, TypeError, SyntaxError, MemoryError):
                    raise self._make_refusal(node) from None

    def _read_part(self, part: ast.expr) -> str:
        """A part of an f-string; a name that is a placeholder stays one."""
        if not isinstance(part, ast.FormattedValue):
            return self._read_text(part)
        if isinstance(part.value, ast.Name) and part.value.id in list_placeholders(self._track):
            return f"{{{part.value.id}}}"
        if isinstance(part.value, ast.Name) and part.value.id not in self._nodes:
            raise UsageError(
                f"the f-string has {{{part.value.id}}}, which is neither a constant of the file nor a "
                f"placeholder: {_describe_known(part.value.id, self._track)}",
                file=self._path,
                line=self._find_line(part),
            )
        return self._read_text(part.value)

    def _read_text(self, node: ast.expr) -> str:
        value = self._read(node)
        if not isinstance(value, str):
            raise self._make_refusal(node)
        return value

    def _make_refusal(self, node: ast.expr) -> UsageError:
        shown = printable(" ".join(ast.unparse(node).split()), 60)
        return UsageError(
            f"the prompt must be a constant, got {shown}: copy its text into a file",
            file=self._path,
            line=self._find_line(node),
        )

    def _find_line(self, node: ast.expr) -> int | None:
        return None if self._path.suffix == ".ipynb" else node.lineno
