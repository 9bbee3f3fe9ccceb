from __future__ import annotations

from dataclasses import fields

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_metrics import conventions
from fingertip_metrics.conventions import PAPER, RELEASE, get_protocol, why_not_comparable


def test_every_difference_of_the_protocols_is_a_named_constant() -> None:
    constants = {
        "similarity": "SIMILARITY",
        "agent_terminator": "AGENT_TERMINATOR",
        "sim1_decimals": "SIM1_DECIMALS",
        "s_ii_of_zero": "S_II_OF_ZERO",
        "no_other_type": "NO_OTHER_TYPE",
        "spelling": "SPELLING",
        "cosine": "COSINE",
        "outputs": "OUTPUTS",
    }
    assert {field.name for field in fields(conventions.Protocol)} == {"name", *constants}
    for name, constant in constants.items():
        assert getattr(RELEASE, name) == getattr(conventions, f"RELEASE_{constant}")
        assert getattr(PAPER, name) == getattr(conventions, f"PAPER_{constant}")
        assert getattr(RELEASE, name) != getattr(PAPER, name)


def test_protocols_are_found_by_name() -> None:
    assert get_protocol("release") is RELEASE
    assert get_protocol("paper") is PAPER
    with pytest.raises(UsageError, match="expected protocol release or paper, got 'Release'"):
        get_protocol("Release")


def test_only_the_releases_own_scores_stand_next_to_the_papers() -> None:
    assert why_not_comparable(RELEASE, "release") is None
    assert "protocol paper" in str(why_not_comparable(PAPER, "levenshtein"))
    assert why_not_comparable(RELEASE, "release", "written") is None
    assert "spelling canonical" in str(why_not_comparable(RELEASE, "release", "canonical"))
    assert "similarity fuzzywuzzy-difflib" in str(why_not_comparable(RELEASE, "fuzzywuzzy-difflib"))
