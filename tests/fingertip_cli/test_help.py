"""--help of every command: groups, width, defaults, examples that can be called."""

from __future__ import annotations

import shlex

import click
import pytest

from fingertip_cli.options.common_options import COMMON, MOST, show_all_options
from fingertip_cli.options.option_groups import FEW, GROUPS
from tests.command_line import fingertip
from tests.fingertip_cli.all_commands import all_commands, options_of

COMMANDS = dict(all_commands())


LONG = [name for name, command in COMMANDS.items() if len(options_of(command)) > MOST]


def read_help(name: str, *, whole: bool = False) -> str:
    with click.Context(COMMANDS[name], info_name=f"fingertip {name}") as context:
        if whole:
            show_all_options(context)
        return COMMANDS[name].get_help(context)


def list_titles(text: str) -> list[str]:
    return [line[:-1] for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]


def list_options(text: str) -> list[str]:
    first = (line.strip().split()[0].rstrip(",") for line in text.splitlines() if line.startswith("  -"))
    return ["--help" if name == "-h" else name for name in first]


def cut_examples(text: str) -> str:
    # examples are not wrapped, because they are copied
    return text.partition("\nExamples:")[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_whole_help_fits_80_columns_and_has_groups(name: str) -> None:
    plain = cut_examples(read_help(name, whole=True))
    assert max(map(len, plain.splitlines())) <= 80
    titles = list_titles(plain)
    options = options_of(COMMANDS[name])
    assert set(options) <= set(list_options(plain))
    if len(options) - len({"--json", "--config"} & set(options)) > FEW:
        assert set(titles) <= set(GROUPS)
        assert len(titles) > 2
        assert titles == [title for title in GROUPS if title in titles]
    else:
        assert titles == ["Options"]


def test_every_long_command_has_common_options() -> None:
    assert set(COMMON) == set(LONG)
    for name in LONG:
        assert set(COMMON[name]) <= set(options_of(COMMANDS[name])), name
        assert len(set(COMMON[name])) == len(COMMON[name]) <= MOST, name


@pytest.mark.parametrize("name", LONG)
def test_help_of_a_long_command_shows_the_common_options_and_counts_the_others(name: str) -> None:
    text = read_help(name)
    plain = cut_examples(text)
    shown, options = list_options(plain), options_of(COMMANDS[name])
    required = {option for option, one in options.items() if one.required}
    assert required | set(COMMON[name]) <= set(shown) < {*options, "--help", "--help-all"}
    assert list_titles(plain) == ["Common options"]
    assert max(map(len, plain.splitlines())) <= 80
    assert len(plain.splitlines()) <= 48
    rest = len({*options, "--help", "--help-all"} - set(shown))
    last = " ".join(plain.split("\n\n")[-1].split())
    assert last == f"{rest} more options, and more on the command: fingertip {name} --help-all"
    assert ("Examples:" in text) is bool(COMMANDS[name].epilog)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in LONG])
def test_help_of_a_short_command_is_whole(name: str) -> None:
    assert read_help(name) == read_help(name, whole=True)
    assert "--help-all" not in read_help(name)


@pytest.mark.parametrize("call", [(), ("check",), ("suggest",), ("privacy",), ("privacy", "scan")])
def test_help_all_is_taken_by_every_command_before_required_options(call: tuple[str, ...]) -> None:
    done = fingertip(*call, "--help-all")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: {' '.join(('fingertip', *call))} [OPTIONS]")
    assert "more options" not in done.stdout


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help_all(name: str) -> None:
    context = click.Context(COMMANDS[name])
    assert "--help-all" in {option for one in COMMANDS[name].get_params(context) for option in one.opts}


def test_a_folded_option_is_completed() -> None:
    items = COMMANDS["suggest"].shell_complete(click.Context(COMMANDS["suggest"]), "--hi")
    assert {item.value for item in items} >= {"--history-from", "--history-model"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_the_default_of_every_option_that_has_one(name: str) -> None:
    for option in options_of(COMMANDS[name]).values():
        fixed = option.default not in (None, "", ()) and not option.is_flag and not option.multiple
        if fixed and "UNSET" not in repr(option.default):
            assert option.show_default or "efault" in (option.help or ""), option.name


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_calls_that_the_commands_read(name: str) -> None:
    epilog = COMMANDS[name].epilog
    assert epilog or name == "install-metrics"
    for line in (epilog or "").strip().splitlines():
        words = shlex.split(line, comments=True)
        start = words.index("fingertip") if "fingertip" in words else None
        if start is None:
            continue
        called = words[start + 1 :]
        if called[0] == "privacy":
            called = [" ".join(called[:2]), *called[2:]]
        called = called[: called.index(">")] if ">" in called else called
        if "$(" in line:
            continue
        command = COMMANDS[called[0]]
        with command.make_context(called[0], called[1:], resilient_parsing=True) as context:
            command.make_parser(context).parse_args(called[1:])
