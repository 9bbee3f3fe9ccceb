"""Versions of phone, suite and people: a changed content needs a new version; other suites are refused."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.content_hash import hashes, main, problems
from simulated_phone import PhoneSetupError
from simulated_phone.versions import (
    CURRENT,
    PARTS,
    UNVERSIONED,
    SimulationVersions,
    check_suite,
    content_hashes,
    write_suite_name,
)


def test_changed_content_has_a_new_version() -> None:
    found = problems(content_hashes(), hashes())
    assert not found, "\n".join(
        [
            *found,
            "python -m phone.tests.simulated_phone.content_hash PART=VERSION; docs/developers/versioning.md",
        ]
    )


def test_another_content_is_a_problem_of_its_part_alone() -> None:
    today = {part: list(versions.values())[-1] for part, versions in content_hashes().items()}
    (problem,) = problems(content_hashes(), today | {"suite": "0" * 64})
    assert problem.startswith("suite: ")


def test_the_name_has_the_version_and_every_hash() -> None:
    digits = [list(content_hashes()[part].values())[-1][:8] for part in PARTS]
    assert write_suite_name() == f"fingertip-sim {CURRENT.suite} ({'-'.join(digits)})"


def test_a_wrong_word_is_told() -> None:
    assert main(["apps=2"]) == "'apps=2': give PART=VERSION, with a part of phone, suite, people"


@pytest.mark.parametrize("other", [UNVERSIONED, SimulationVersions(phone="9", suite="9.1", people="9")])
def test_tasks_of_another_suite_are_refused(other: SimulationVersions) -> None:
    with pytest.raises(
        PhoneSetupError, match=f"this phone has suite {CURRENT.suite}: simulate the people again"
    ):
        check_suite(other)
    check_suite(CURRENT)
