"""The pages on installing: their tables are the code's, and versions were tested down to the floors."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.version import Version

from docs.site.install_page import PAGES, direct_requirements, recorded_jobs
from docs.site.page_lists import with_lists
from fingertip_cli.command_list import COMMANDS
from fingertip_cli.extras import EXTRAS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_shows_its_table(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == with_lists(text, [PAGES[page]]), "run: python -m docs.site.install_page"


def test_the_table_names_commands_that_exist() -> None:
    assert {command for extra in EXTRAS.values() for command in extra.commands} <= set(COMMANDS)


@pytest.mark.parametrize("name", [name for name, job in recorded_jobs().items() if job["lowest"]])
def test_each_floor_is_a_version_that_was_tested(name: str) -> None:
    """A floor that was lowered since needs another `make compat`."""
    versions = recorded_jobs()[name]["versions"]
    below = {
        package: str(needed.specifier)
        for package, needed in direct_requirements().items()
        if package in versions and not needed.specifier.contains(versions[package])
    }
    assert below == {}


def test_floors_were_run_at_themselves() -> None:
    """The lowest tested version of each package is its floor, except where another one asks for more."""
    lowest = [job["versions"] for job in recorded_jobs().values() if job["lowest"]]
    at_floor, above = [], {}
    for package, needed in direct_requirements().items():
        floors = [Version(one.version) for one in needed.specifier if one.operator == ">="]
        assert floors, f"{needed} has no floor"
        tested = [Version(versions[package]) for versions in lowest if package in versions]
        if tested and min(tested) == max(floors):
            at_floor.append(package)
        elif tested:
            above[package] = (str(max(floors)), str(min(tested)))
    assert len(at_floor) >= 4 * len(above), above
