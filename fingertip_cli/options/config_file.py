"""`--config FILE` of every command: a TOML file of its options, which those on the command line override."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from fingertip_cli.command_list import COMMANDS
from fingertip_cli.options.option_groups import option_name
from fingertip_dataset.errors import UsageError
from fingertip_dataset.similar_names import did_you_mean

NAME = "config_file"
"""Name of the option's parameter, which no command receives."""

READ = "fingertip_cli.options.config_file"
"""Key in the meta data of a call's context: name and hash of the file, and key of each parameter in it."""


def config_option() -> click.Option:
    """The option --config FILE, read before all others."""
    return click.Option(
        ["--config", NAME],
        type=click.Path(path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=_read,
        metavar="FILE",
        help="TOML file of options, such as limit = 20, for all commands or below a command's name, [score]; "
        "those on the command line win.",
    )


def _read(ctx: click.Context, option: click.Parameter, file: Path | None) -> None:
    """Make the values of a file the defaults of the call."""
    if file is None:
        return
    content = _read_file(file)
    values = _choose_values(_parse_file(content, file), ctx, file)
    parameters = {_key(one): one for one in ctx.command.params if one.name != NAME and _key(one) != "help"}
    found, keys = {}, {}
    for key, value in values.items():
        name = key.replace("_", "-")
        if name not in parameters:
            of = f"{ctx.command_path} has no option {name!r}{did_you_mean(name, parameters)}"
            raise UsageError(of, file=file)
        own = parameters[name].name or name
        found[own], keys[own] = _check_value(ctx, parameters[name], key, value, file), name
    ctx.default_map = {**(ctx.default_map or {}), **found}
    ctx.meta[READ] = (file.name, sha256(content).hexdigest(), keys)


@contextmanager
def note_config(ctx: click.Context) -> Iterator[None]:
    """While the command of a context runs, the records of its runs name the file of --config."""
    if READ not in ctx.meta:
        yield
        return
    from fingertip_runs.run_record import CALL_CONFIG, ConfigFile

    name, digest, keys = ctx.meta[READ]
    from_file = click.core.ParameterSource.DEFAULT_MAP
    taken = [key for own, key in keys.items() if ctx.get_parameter_source(own) is from_file]
    before = CALL_CONFIG.set(ConfigFile(file=_printable(name), sha256=digest, options=tuple(sorted(taken))))
    try:
        yield
    finally:
        CALL_CONFIG.reset(before)


def _read_file(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"the file of --config cannot be read: {error.strerror}", file=file) from None


def _parse_file(content: bytes, file: Path) -> Mapping[str, Any]:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the file of --config is no TOML: {error}", file=file) from None
    except UnicodeError:
        raise UsageError("the file of --config cannot be read: it is not UTF-8", file=file) from None


def _choose_values(content: Mapping[str, Any], ctx: click.Context, file: Path) -> dict[str, Any]:
    """The values for this command: those of its own table, or all if the file has no tables."""
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    for name in tables:
        if name not in COMMANDS:
            raise UsageError(f"there is no command {name!r}{did_you_mean(name, COMMANDS)}", file=file)
    command = ctx.command_path.split()[1:]
    own: Any = content
    for name in command:
        own = own.get(name, {}) if isinstance(own, dict) else {}
    plain = {key: value for key, value in content.items() if key not in tables}
    return {**plain, **own}


def _key(parameter: click.Parameter) -> str:
    """The name of an option in a file: that of the command line without its hyphens."""
    if isinstance(parameter, click.Option):
        return option_name(parameter).removeprefix("--")
    return (
        parameter.human_readable_name.lower() if parameter.name is None else parameter.name.replace("_", "-")
    )


def _check_value(ctx: click.Context, parameter: click.Parameter, key: str, value: Any, file: Path) -> Any:  # noqa: ANN401
    """Check the shape and type of a value; click converts it again when the command takes it."""
    many = parameter.multiple or parameter.nargs != 1
    flag = isinstance(parameter, click.Option) and parameter.is_flag
    if many is not isinstance(value, list) or flag is not isinstance(value, bool):
        wanted = "true or false" if flag else "a list" if many else "one value"
        raise UsageError(f"{key} is {wanted}, got {_describe_value(value)}", file=file)
    if not flag:
        value = [str(one) for one in value] if many else str(value)
    try:
        parameter.type_cast_value(ctx, value)
    except click.BadParameter as error:
        raise UsageError(f"{key}: {error.message}", file=file) from None
    return value


def _describe_value(value: object) -> str:
    text = (
        "a table"
        if isinstance(value, dict)
        else str(value).lower()
        if isinstance(value, bool)
        else repr(value)
    )
    return text[:80]


def _printable(name: str) -> str:
    """A file's name as the record takes it; one that is no UTF-8 has question marks there."""
    return name.encode("utf-8", "replace").decode()[:255]
