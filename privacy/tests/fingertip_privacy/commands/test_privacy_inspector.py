"""`fingertip privacy scan --inspector`: a model's finds stand in the report; wrong calls end early."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from fingertip_privacy import read_finds
from privacy.tests.fingertip_privacy.review.conftest import Reviewed
from privacy.tests.fingertip_privacy.review.conftest import reviewed as reviewed
from tests.command_line import fingertip

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer

FOUND = {"picture": 1, "kind": "face", "text": "", "reason": "a portrait", "box": [0, 0, 500, 500]}


def scan(reviewed: Reviewed, *words: object) -> subprocess.CompletedProcess[str]:
    out = reviewed.report.with_name("scanned")
    return fingertip(
        "privacy", "scan", reviewed.raw, "--out", out, "--kind", "email", "--ocr", "none", *words
    )


@pytest.mark.soak
def test_the_inspector_adds_to_the_report_and_the_same_call_costs_nothing(
    reviewed: Reviewed, openai_server: OpenAIServer
) -> None:
    openai_server.play(openai_server.says(json.dumps({"finds": [FOUND]})), openai_server.says("no"))
    words = ("--inspector", "seer", "--inspector-base-url", openai_server.base_url)
    words += ("--inspector-price-prompt", "2", "--inspector-price-completion", "10", "--currency", "CNY")
    words += ("--inspector-concurrency", "1")
    done = scan(reviewed, *words, "--json")
    assert done.returncode == 0, done.stderr
    report, queries = json.loads(done.stdout), len(openai_server.requests)
    inspection = report["inspection"]
    assert (inspection["finds"], inspection["malformed"], inspection["currency"]) == (1, queries - 1, "CNY")
    assert report["counts"]["face"] == {"screenshot": 1}
    cost = inspection["cost"]
    assert f"inspector seer: 1 find in 1 of {queries} episodes" in done.stderr
    assert f"cost {cost:.4f} CNY; 0 answers were cached" in done.stderr
    assert f"{queries - 1} answers were not what was asked for" in done.stderr
    again = scan(reviewed, *words)
    assert again.returncode == 0, again.stderr
    assert len(openai_server.requests) == queries
    assert f"{queries} answers were cached" in again.stderr
    finds = [*read_finds(reviewed.report.with_name("scanned"))]
    assert [find.why for find in finds if find.kind == "face"] == [
        "inspector seer@1, approximate box: a portrait"
    ]


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
