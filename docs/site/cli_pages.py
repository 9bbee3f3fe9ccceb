"""The pages of the command line, from what each command's --help writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import click

from docs.site.markdown_text import code, fenced, prose
from fingertip_cli.main import cli
from fingertip_cli.options.common_options import show_all_options
from fingertip_dataset.markdown_table import markdown_table


@dataclass(slots=True, kw_only=True)
class HelpSection:
    """Section of a help text: its title, paragraphs, and rows of two cells."""

    title: str
    paragraphs: list[str] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)


class HelpRecorder(click.HelpFormatter):
    """Keeps what a command writes into its help, in place of lines of text for a terminal."""

    def __init__(self) -> None:
        super().__init__(width=100_000)
        self.usage = ""
        self.sections = [HelpSection(title="")]

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Keep the usage line."""
        self.usage = f"{prog} {args}".rstrip()

    def write_heading(self, heading: str) -> None:
        """Begin a section."""
        self.sections.append(HelpSection(title=heading))

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Begin a section; what follows it belongs to the unnamed first one again."""
        self.write_heading(name)
        yield
        self.sections.append(HelpSection(title=""))

    def write_text(self, text: str) -> None:
        """Keep paragraphs."""
        self.sections[-1].paragraphs += text.split("\n\n")

    def write(self, string: str) -> None:
        """Keep text that is written as it stands."""
        if string.strip():
            self.write_text(string)

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Keep the rows of a list."""
        self.sections[-1].rows += [(first.strip(), second) for first, second in rows]


def cli_pages() -> dict[str, str]:
    """File name -> page: `index.md` with every command, and a page for each."""
    context = click.Context(cli, info_name="fingertip")
    show_all_options(context)
    pages = {
        f"{name}.md": "\n\n".join(_parts(command, inner, 1)) + "\n"
        for name, command, inner in _commands(cli, context)
    }
    return {"index.md": _index(context), **pages}


def _recorded(command: click.Command, context: click.Context) -> HelpRecorder:
    recorder = HelpRecorder()
    command.format_help(context, recorder)
    return recorder


def _index(context: click.Context) -> str:
    parts = ["# Commands", "Made from the commands themselves: what `fingertip COMMAND --help-all` prints."]
    names = set(cli.list_commands(context))
    for section in _recorded(cli, context).sections:
        rows = [
            (f"[{code('fingertip ' + name)}]({name}.md)" if name in names else code(name), prose(line))
            for name, line in section.rows
        ]
        if rows:
            parts += [f"## {section.title or 'Options'}", markdown_table(("command", "what it does"), rows)]
    return "\n\n".join(parts) + "\n"


def _commands(
    group: click.Group, parent: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Name, command and context of each command of a group."""
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        if command is not None:
            yield name, command, click.Context(command, info_name=name, parent=parent)


def _call(text: str) -> str:
    """Each spelling of an option, and its value, as code of its own: a cell breaks between them alone."""
    words = text.replace(",", "").split(" ")
    spellings = [word for word in words if word.startswith("-")]
    value = text.removeprefix(", ".join(spellings)).strip() if spellings else text
    return " ".join(code(part) for part in (*spellings, value) if part)


def _parts(command: click.Command, context: click.Context, level: int) -> list[str]:
    """A command's part of a page; those of a group's commands follow its own."""
    recorder = _recorded(command, context)
    parts = [f"{'#' * level} {context.command_path}", fenced(recorder.usage, "text")]
    for section in recorder.sections:
        if section.title and (section.paragraphs or section.rows):
            parts.append(f"{'#' * (level + 1)} {section.title}")
        parts += [prose(paragraph) for paragraph in section.paragraphs if paragraph.strip()]
        if section.rows:
            head = "option" if section.rows[0][0].startswith("-") else "command"
            parts.append(
                markdown_table(
                    (head, "meaning"), [(_call(first), prose(second)) for first, second in section.rows]
                )
            )
    if isinstance(command, click.Group):
        for _, sub, inner in _commands(command, context):
            parts += _parts(sub, inner, level + 1)
    return parts
