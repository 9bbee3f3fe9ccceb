"""The tables of docs/developers/official-parsers.md: answers that official parsers of models read otherwise.

The tables come from the data of the tests, and

    python -m docs.site.official_parsers_page

writes them again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "fingertip_agents" / "formats" / "official"
PAGE = ROOT / "docs" / "developers" / "official-parsers.md"


def with_tables(page: str) -> str:
    """The page with its tables written again."""
    for name, text in (("ui-tars", list_ui_tars()), ("other models", list_other_models())):
        head, start, rest = page.partition(f"<!-- {name} -->\n")
        _, end, tail = rest.partition(f"<!-- /{name} -->")
        page = f"{head}{start}\n{text}\n\n{end}{tail}"
    return page


def list_ui_tars() -> str:
    """The table of differences from the package ui-tars."""
    return "\n".join(_list_rows(_read_data("ui-tars.toml")["differences"]))


def list_other_models() -> str:
    """A table for each official parser of another model."""
    data = _read_data("other-models.toml")
    return "\n\n".join(
        "\n".join(
            (
                f"### {name}\n\n{parser}.\n",
                *_list_rows(row for row in data["differences"] if row["format"] == name),
            )
        )
        for name, parser in data["parsers"].items()
    )


def _read_data(name: str) -> Mapping[str, Any]:
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


def _list_rows(rows: Iterable[Mapping[str, str]]) -> Iterator[str]:
    yield "| kind of answer | example | official | ours | why |"
    yield "|---|---|---|---|---|"
    for row in rows:
        cells = (_write_text(row["kind"]), _write_code(row["answer"]), _write_code(row["official"]))
        yield f"| {' | '.join(cells)} | {_write_code(row['ours'])} | {_write_text(row['why'])} |"


def _write_text(text: str) -> str:
    """Return the text of a cell; tags in it are shown as they are."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def _write_code(text: str) -> str:
    """Return a cell with a text as code, in one line."""
    shown = text.replace("\n", "\\n").replace("\t", "\\t").replace("|", "\\|")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
