"""The attacks of docs/developers/security.md: a list of them, with the test that is each attack.

attacks.toml holds the attacks by area. An attack is held by tests, is a known limit with its reason, or
broke: it still works. The tables of the page come from the list, and

    python -m docs.site.security_page

writes them again.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from board.tests.fingertip_leaderboard.attacks import ATTACKS
from fingertip_dataset.frozen_model import FrozenModel
from tests.execution_runner.safety.gate_cases import read_cases

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("attacks.toml")
PAGE = ROOT / "docs" / "developers" / "security.md"

Cell = Annotated[str, StringConstraints(min_length=3, pattern=r"^[^|\n]+$")]
"""Text of a table's cell."""

Status = Literal["held", "known limit", "broke"]


class ListedAttack(FrozenModel):
    """An attack.

    Attributes:
        attack: What the attacker does.
        held: What stops it, or shows it to a reader; None if nothing does.
        tests: Tests that are the attack, as "file::function".
        limit: Reason why nothing stops it, and what is done instead; None if something does.
        broke: How it still works; None if it does not.
        refusals: Kinds of refusal: the forged bundles with one of these are its cases.
        gate: Kind of the safety gate's fixed actions that are its cases.
    """

    attack: Cell
    held: Cell | None = None
    tests: tuple[str, ...] = ()
    limit: Cell | None = None
    broke: Cell | None = None
    refusals: tuple[str, ...] = ()
    gate: Literal["dangerous", "harmless"] | None = None

    @model_validator(mode="after")
    def _one_status(self) -> ListedAttack:
        if sum(text is not None for text in (self.held, self.limit, self.broke)) != 1:
            raise ValueError(f"{self.attack}: give one of held, limit and broke")
        if self.held is not None and not self.tests:
            raise ValueError(f"{self.attack}: name the tests that hold it")
        return self

    @property
    def status(self) -> Status:
        """Whether it is held."""
        return "held" if self.held else "known limit" if self.limit else "broke"

    @property
    def cases(self) -> int:
        """Number of its variants: those of the list it names, else 1."""
        if self.refusals:
            return sum(one.kind in self.refusals for one in ATTACKS)
        if self.gate is not None:
            return sum(one.kind == self.gate for one in read_cases())
        return 1


class AttackArea(FrozenModel):
    """Attacks on one part."""

    name: Cell
    attack: tuple[ListedAttack, ...] = Field(min_length=1)

    def count(self, status: Status) -> int:
        """Number of cases with a status."""
        return sum(one.cases for one in self.attack if one.status == status)


class _List(FrozenModel):
    area: tuple[AttackArea, ...]


@cache
def areas() -> tuple[AttackArea, ...]:
    """All areas, in the order of the page."""
    return _List.model_validate(tomllib.loads(LIST.read_text(encoding="utf-8"))).area


@cache
def functions_in(file: str) -> frozenset[str]:
    """Names of a file's test functions; empty if there is no such file."""
    if not (ROOT / file).is_file():
        return frozenset()
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def summary() -> str:
    """The table of areas with their counts."""
    lines = ["| area | cases | held | known limits | broke |", "|---|---:|---:|---:|---:|"]
    counts = [(one.name, one.count("held"), one.count("known limit"), one.count("broke")) for one in areas()]
    total = ("all", *(sum(column) for column in list(zip(*counts, strict=True))[1:]))
    for name, held, limits, broke in (*counts, total):
        lines.append(f"| {name} | {held + limits + broke} | {held} | {limits or ''} | {broke or ''} |")
    return "\n".join(lines)


def sections() -> str:
    """A table of attacks for each area."""
    return "\n\n".join("\n".join(_section(area)) for area in areas())


def _section(area: AttackArea) -> Iterator[str]:
    yield f"### {area.name[0].upper()}{area.name[1:]}\n"
    yield "| attack | cases | held by | test |\n|---|---:|---|---|"
    for one in area.attack:
        held = one.held or (f"**Known limit**: {one.limit}" if one.limit else f"**Broke**: {one.broke}")
        tests = "<br>".join(
            f"[{name}](../../{file})" for file, name in (test.split("::") for test in one.tests)
        )
        yield f"| {one.attack} | {one.cases} | {held} | {tests} |"


def with_tables(page: str) -> str:
    """The page with its tables written again."""
    for name, text in (("summary", summary()), ("attacks", sections())):
        head, start, rest = page.partition(f"<!-- {name} -->\n")
        _, end, tail = rest.partition(f"<!-- /{name} -->")
        page = f"{head}{start}\n{text}\n\n{end}{tail}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(summary())  # noqa: T201 - the command's output
