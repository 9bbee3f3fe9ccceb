"""Options of tools: which a tool has, and which a call gives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from android_shell.command_call import CommandCall, UnsupportedError

_NONE: Mapping[str, str] = MappingProxyType({})


class Options:
    """Options of a call.

    Args:
        pairs: Letter and value ("" without one) of each option, in order.

    Attributes:
        read: Letters that the tool has looked at.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, list[str]] = {}
        for letter, value in pairs:
            self._values.setdefault(letter, []).append(value)
        self.read: set[str] = set()

    def __contains__(self, letter: str) -> bool:
        self.read.add(letter)
        return letter in self._values

    def has(self, letters: str) -> bool:
        """Whether one of the letters is given."""
        self.read.update(letters)
        return any(letter in self._values for letter in letters)

    def get(self, letter: str, default: str = "") -> str:
        """Value of an option, the last of several; the default if it is not given."""
        self.read.add(letter)
        return self._values[letter][-1] if letter in self._values else default

    def list_values(self, letter: str) -> list[str]:
        """All values of an option."""
        self.read.add(letter)
        return self._values.get(letter, [])

    def add(self, letter: str) -> None:
        """Give an option that the name of the tool implies."""
        self._values.setdefault(letter, []).append("")

    @property
    def given(self) -> list[str]:
        """The letters that are given, each once."""
        return list(self._values)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTable:
    """The options of a tool, with the rules that toybox has for them.

    Args:
        letters: Letters that are carried out, those with a value followed by a colon, those with a value that
            may be missing (`-i.bak`, `-i`) by a question mark.
        refused: Letters that a phone's tool has and this one lacks, in the same form.
        long: Name of a long option -> its letter; the value of a letter without a colon is dropped.
        switches: Groups of letters of which the last one given counts.
        conflicts: Groups of letters that exclude each other.
        stops: Whether the options end at the first operand.
        minimum: Least number of operands.
        maximum: Largest number of operands; None for any.
        failure: Exit code of a wrong call, and of a file that cannot be read.
        dashless: Whether the first argument is letters without a dash, as of `tar xf`.
        passes: Whether an argument with an unknown letter is an operand, which the tool reads itself: `-5`.
    """

    letters: str = ""
    refused: str = ""
    long: Mapping[str, str] = field(default_factory=dict)
    switches: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    stops: bool = False
    minimum: int = 0
    maximum: int | None = None
    failure: int = 1
    passes: bool = False
    dashless: bool = False

    def list_letters(self) -> list[str]:
        """The letters that are carried out."""
        return [letter for letter in self.letters if letter not in ":?"]

    def parse(self, call: CommandCall) -> tuple[Options, list[str]]:
        """Split the arguments of a call.

        Returns:
            The options, and the operands, which may stand between them.

        Raises:
            CommandError: An option is none of the tool, or its value or an operand is missing.
            UnsupportedError: A phone's tool has the option, and this one lacks it.
        """
        args, pairs, operands = list(reversed(call.args)), list[tuple[str, str]](), list[str]()
        if self.dashless and args and args[-1][:1] not in ("", "-"):
            args[-1] = f"-{args[-1]}"
        while args:
            arg = args.pop()
            if arg == "--":
                operands += reversed(args)
                break
            if arg[:1] != "-" or arg == "-" or (self.passes and self._is_unknown(arg)):
                operands.append(arg)
                if self.stops:
                    operands += reversed(args)
                    break
            elif arg.startswith("--"):
                pairs.append(self._read_long(call, arg[2:], args))
            else:
                pairs += self._read_letters(call, arg[1:], args)
        self._check_operands(call, operands)
        return Options(self._settle(call, pairs)), operands

    def _is_unknown(self, arg: str) -> bool:
        return arg[1] != "-" and arg[1] not in self.letters + self.refused

    def _read_letters(self, call: CommandCall, text: str, args: list[str]) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        for at, letter in enumerate(text):
            if not self._is_known(call, letter):
                raise call.usage_error(f"Unknown option '{text[at:]}'")
            if f"{letter}:" in self.letters:
                rest = text[at + 1 :]
                if not rest and not args:
                    raise call.usage_error(f"Missing argument to '{letter}'")
                return [*pairs, (letter, rest or args.pop())]
            if f"{letter}?" in self.letters:
                return [*pairs, (letter, text[at + 1 :])]
            pairs.append((letter, ""))
        return pairs

    def _is_known(self, call: CommandCall, letter: str) -> bool:
        if letter not in ":?" and letter in self.refused:
            raise call.refuse_option(letter)
        return letter not in ":?" and letter in self.letters

    def _read_long(self, call: CommandCall, text: str, args: list[str]) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        letter = self.long.get(name)
        if letter is not None and letter in self.refused:
            raise call.refuse_option(name)
        if letter is None or not self._is_known(call, letter):
            raise call.usage_error(f"Unknown option '{text}'")
        if f"{letter}:" in self.letters and not equals:
            if not args:
                raise call.usage_error(f"Missing argument to '{name}'")
            value = args.pop()
        takes = f"{letter}:" in self.letters or f"{letter}?" in self.letters
        return letter, value if takes else ""

    def _check_operands(self, call: CommandCall, operands: list[str]) -> None:
        if len(operands) < self.minimum:
            raise call.usage_error(
                f"Need{'s' * (self.minimum == 1)} {self.minimum} argument{'s' * (self.minimum > 1)}"
            )
        if self.maximum is not None and len(operands) > self.maximum:
            raise call.usage_error(f"Max {self.maximum} argument{'s' * (self.maximum > 1)}")

    def _settle(self, call: CommandCall, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The options that count: the last one of each switch."""
        for group in self.conflicts:
            found = sorted({letter for letter, _ in pairs if letter in group})
            if len(found) > 1:
                raise call.usage_error(f"No '{found[0]}' with '{found[1]}'")
        dropped: set[int] = set()
        for group in self.switches:
            places = [index for index, (letter, _) in enumerate(pairs) if letter in group]
            dropped |= {index for index in places if pairs[index][0] != pairs[places[-1]][0]}
        return [pair for index, pair in enumerate(pairs) if index not in dropped]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool with the options that it declares.

    Args:
        run: Carries out a call with its options and operands.
        options: The options.
        help: Text that `--help` prints; "" where no client asks for it.
    """

    run: Callable[[CommandCall, Options, list[str]], Awaitable[None] | None]
    options: OptionTable = field(default_factory=OptionTable)
    help: str = ""

    def __call__(self, call: CommandCall) -> Awaitable[None] | None:
        """Parse the arguments of a call, and carry it out."""
        call.failure = self.options.failure
        if call.args == ["--help"]:
            if not self.help:
                raise UnsupportedError(call.usage_error("Unknown option 'help'").message)
            call.print(self.help)
            return None
        options, operands = self.options.parse(call)
        return self.run(call, options, operands)


def declare(
    run: Callable[..., Awaitable[None] | None],
    letters: str = "",
    *,
    refused: str = "",
    long: Mapping[str, str] = _NONE,
    switches: tuple[str, ...] = (),
    conflicts: tuple[str, ...] = (),
    stops: bool = False,
    minimum: int = 0,
    maximum: int | None = None,
    failure: int = 1,
    passes: bool = False,
    dashless: bool = False,
    help: str = "",
) -> Tool:
    """Return a tool with its options, as `OptionTable` has them."""
    table = OptionTable(
        letters=letters,
        refused=refused,
        long=long,
        switches=switches,
        conflicts=conflicts,
        stops=stops,
        minimum=minimum,
        maximum=maximum,
        failure=failure,
        passes=passes,
        dashless=dashless,
    )
    return Tool(run=run, options=table, help=help)
