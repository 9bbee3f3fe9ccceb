"""The tables of the pages on installing: `python -m docs.site.install_page` writes them again.

Extras come from pyproject.toml and `fingertip_cli.extras`, tested versions from the records of `make compat`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from packaging.requirements import Requirement

from docs.site.page_lists import with_lists
from fingertip_cli.extras import EXTRAS
from tests.compat_run import RECORDS
from tests.test_architecture import ROOT

INSTALL = ROOT / "docs" / "install.md"
VERSIONS = ROOT / "docs" / "developers" / "tested-versions.md"
TESTED = ROOT / "docs" / "tested_versions.json"
"""Versions that `make compat` has run with, by job."""


def extras() -> str:
    """Each extra with what it is for, the commands that ask for it and what it brings."""
    rows = ["| extra | for | commands that ask for it | brings |", "|---|---|---|---|"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name, extra in EXTRAS.items():
        commands = ", ".join(f"`{command}`" for command in extra.commands) or "none"
        brought = ", ".join(_brought(line) for line in project["optional-dependencies"][name])
        rows.append(f"| `{name}` | {extra.use} | {commands} | {brought} |")
    return "\n".join(rows)


def tested() -> str:
    """List the runs of each job of `make compat`, with their versions."""
    jobs = list(recorded_jobs().values())
    if not jobs:
        return "No job has been recorded yet."
    head = [job["name"] for job in jobs]
    rows = [_row("", head), _row("---", ["---" for _ in head])]
    rows.append(_row("Python", [job["python_version"] for job in jobs]))
    rows.append(_row("tests passed, beside the demo", [str(job["passed"]) for job in jobs]))
    names = sorted({name for job in jobs for name in job["versions"]} & set(direct_requirements()))
    rows += [_row(name, [job["versions"].get(name, "") for job in jobs]) for name in names]
    return "\n".join(rows)


PAGES: Mapping[Path, Callable[[], str]] = MappingProxyType({INSTALL: extras, VERSIONS: tested})
"""Page -> what makes its table."""


def recorded_jobs() -> dict[str, dict[str, Any]]:
    """Job -> its record; none before the first run."""
    if not TESTED.exists():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(TESTED.read_text(encoding="utf-8"))
    return found


def direct_requirements() -> dict[str, Requirement]:
    """Distribution -> what pyproject.toml asks of it, for users; of both distributions."""
    found = {}
    for file in (ROOT / "pyproject.toml", ROOT / "phone" / "pyproject.toml"):
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        lines = list(project["dependencies"])
        for extra, requirements in project["optional-dependencies"].items():
            lines += [] if extra in ("test", "dev") else requirements
        for line in lines:
            needed = Requirement(line)
            if not needed.name.startswith("fingertip-"):
                found[needed.name.lower().replace("_", "-")] = needed
    return found


def main() -> None:
    """Take over the records of `make compat`, and write the pages."""
    jobs = recorded_jobs()
    for record in RECORDS.glob("*.json"):
        job = json.loads(record.read_text(encoding="utf-8"))
        kept = {name: version for name, version in job["versions"].items() if name in direct_requirements()}
        jobs[job["name"]] = job | {"versions": kept}
    if jobs:
        TESTED.write_text(json.dumps(dict(sorted(jobs.items())), indent=1) + "\n", encoding="utf-8")
    for page, make in PAGES.items():
        page.write_text(with_lists(page.read_text(encoding="utf-8"), [make]), encoding="utf-8")


def _brought(line: str) -> str:
    needed = Requirement(line)
    return f"`{needed.name}[{','.join(sorted(needed.extras))}]`" if needed.extras else f"`{needed.name}`"


def _row(first: str, cells: list[str]) -> str:
    return f"| {' | '.join([first, *cells])} |"


if __name__ == "__main__":
    main()
