"""--help of every command: groups, width, defaults, examples that can be called."""

from __future__ import annotations

import shlex

import click
import pytest

from fingertip_cli.options.option_groups import FEW, GROUPS
from tests.fingertip_cli.all_commands import all_commands, options_of

COMMANDS = dict(all_commands())


def help_text(name: str) -> str:
    with click.Context(COMMANDS[name], info_name=f"fingertip {name}") as context:
        return COMMANDS[name].get_help(context)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_80_columns_and_has_groups(name: str) -> None:
    text = help_text(name)
    # examples are not wrapped, because they are copied
    plain = text.partition("\nExamples:")[0]
    assert max(map(len, plain.splitlines())) <= 80
    titles = [line[:-1] for line in plain.splitlines() if line.endswith(":") and not line.startswith(" ")]
    count = len(options_of(COMMANDS[name])) - len({"--json", "--config"} & set(options_of(COMMANDS[name])))
    if count > FEW:
        assert set(titles) <= set(GROUPS)
        assert len(titles) > 2
        assert titles == [title for title in GROUPS if title in titles]
    else:
        assert titles == ["Options"]


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
