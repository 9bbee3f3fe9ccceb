"""`fingertip privacy scan --inspector`: a model's finds stand in the report; wrong calls end early."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from privacy.tests.fingertip_privacy.review.conftest import Reviewed
from privacy.tests.fingertip_privacy.review.conftest import reviewed as reviewed
from tests.command_line import fingertip

if TYPE_CHECKING:
    pass


def scan(reviewed: Reviewed, *words: object) -> subprocess.CompletedProcess[str]:
    out = reviewed.report.with_name("scanned")
    return fingertip(
        "privacy", "scan", reviewed.raw, "--out", out, "--kind", "email", "--ocr", "none", *words
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--inspector-base-url", "http://127.0.0.1:9/v1"), "--inspector-base-url needs --inspector"),
        (("--inspector", "m", "--inspector-price-prompt", "1"), "go together: give both"),
    ],
)
def test_a_wrong_call_prints_one_line_and_scans_nothing(
    reviewed: Reviewed, words: tuple[str, ...], message: str
) -> None:
    done = scan(reviewed, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert not reviewed.report.with_name("scanned").exists()
