"""Test suites of clients: where each is in a checkout, what it needs, and which of its tests cannot pass."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from lxml import etree

TABLE = Path(__file__).with_name("suites.toml")
State = Literal["passed", "failed", "skipped"]
SKIPPED = "the suite skips it"
"""Reason of a test that its own suite leaves out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of one test.

    Attributes:
        test: Its file or group and its name.
        state: How it ended.
        message: First line of its error, or the reason why it was skipped.
    """

    test: str
    state: State
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Test suite of a client.

    Attributes:
        name: Name of the client.
        folder: Name of a checkout's folder.
        repository: Where checkouts come from.
        packages: What pip installs for it, or the npm packages that its tests do without.
        runner: Program that runs it: pytest, or node's own.
        paths: Folders of the tests in the checkout.
        imports: Folders from which its tests import helpers.
        connected: Whether its tests expect a connected device.
        emulator: Whether it looks for an emulator's adb server, console and serial.
        excuses: Patterns of tests that cannot pass, with a reason each.
    """

    name: str
    folder: str
    repository: str
    packages: tuple[str, ...]
    runner: Literal["pytest", "node"]
    paths: tuple[str, ...]
    imports: tuple[str, ...]
    connected: bool
    emulator: bool
    excuses: Mapping[str, str]

    def find_excuse(self, outcome: Outcome) -> str | None:
        """Return the reason why a test cannot pass; None if there is none."""
        found = (why for pattern, why in self.excuses.items() if fnmatchcase(outcome.test, pattern))
        return next(found, SKIPPED if outcome.state == "skipped" else None)


def load_suites() -> list[Suite]:
    """Return the suites that are known, by name."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return [
        Suite(
            name=name,
            folder=row["folder"],
            repository=row["repository"],
            packages=tuple(row["packages"]),
            runner=row["runner"],
            paths=tuple(row["paths"]),
            imports=tuple(row.get("imports", ())),
            connected=row.get("connected", False),
            emulator=row.get("emulator", False),
            excuses=row.get("excuses", {}),
        )
        for name, row in sorted(rows.items(), key=lambda item: item[0].casefold())
    ]


def read_outcomes(file: Path, name: str) -> list[Outcome]:
    """Return the outcomes in a JUnit file of pytest or node, in order.

    A file that was cut off is read as far as it goes. Node's runner names no file: the tests get the given
    name in its place. A test of which a part was skipped or failed counts once, as failed if a part did.
    """
    found: dict[str, Outcome] = {}
    if not file.exists():
        return []
    for case in etree.parse(file, etree.XMLParser(recover=True)).iter("testcase"):
        outcome = _read_case(case, name)
        known = found.get(outcome.test)
        if known is None or known.state != "failed":
            found[outcome.test] = outcome
    return list(found.values())


def _read_case(case: etree._Element, name: str) -> Outcome:
    group = case.get("classname", "")
    test = f"{name if group == 'test' else group}::{case.get('name', '')}"
    for state, tags in (("failed", ("failure", "error")), ("skipped", ("skipped",))):
        for tag in tags:
            mark = case.find(tag)
            if mark is not None:
                words = (mark.get("message") or mark.text or "").strip().splitlines()
                return Outcome(test=test, state=state, message=words[0][:200] if words else "")
    return Outcome(test=test, state="passed", message="")
