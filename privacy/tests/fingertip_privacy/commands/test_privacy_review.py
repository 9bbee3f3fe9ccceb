"""`fingertip privacy review` as a user calls it: a page that ends, what is printed then, wrong calls."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from privacy.tests.fingertip_privacy.review.conftest import Reviewed
from privacy.tests.fingertip_privacy.review.conftest import reviewed as reviewed
from tests.command_line import fingertip

COMMAND = Path(sys.executable).with_name("fingertip")


def ask(url: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
        return json.loads(answer.read())


def test_a_session_ends_with_what_stays_and_the_agreement(reviewed: Reviewed) -> None:
    moved = reviewed.raw.rename(reviewed.raw.with_name("moved"))
    for rater, verbs in (("anna", "crrr"), ("ben", "crcr")):
        call = [
            COMMAND,
            "privacy",
            "review",
            reviewed.report,
            "--data",
            moved,
            "--rater",
            rater,
            "--no-browser",
        ]
        with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            first = process.stdout.readline()
            found = re.fullmatch(r"4 finds to review: (http://127\.0\.0\.1:\d+/\S+/)", first.strip())
            assert found, (first, process.communicate())
            for find, verb in zip(reviewed.finds.values(), verbs, strict=True):
                decision = {"c": "confirm", "r": "reject"}[verb]
                ask(f"{found[1]}label/{find.id}?rater={rater}", {"decision": decision})
            ask(f"{found[1]}finish?rater={rater}", {})
            out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert "keep it as private as the data itself" in err
    assert "anna: 4 of 4 labelled\nben: 4 of 4 labelled\n" in out
    assert "2 of 4 finds stay" in out
    assert "anna and ben: kappa 0.50" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--kind", "secret"), "expected some of phone, "),
        (("--user", "nobody"), "nothing to review"),
        (("--data", "nowhere"), "name it with --data"),
        (("--rater", "judge:m"), "expected a person's name"),
    ],
)
def test_a_wrong_call_prints_one_line(reviewed: Reviewed, words: tuple[str, ...], message: str) -> None:
    done = fingertip("privacy", "review", reviewed.report, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


def test_without_a_report_the_scan_is_named(tmp_path: Path) -> None:
    done = fingertip("privacy", "review", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "`fingertip privacy scan` makes a report" in done.stderr


def test_screens_without_a_find_are_counted_apart(reviewed: Reviewed) -> None:
    call = [COMMAND, "privacy", "review", reviewed.report, "--screens", "2", "--kind", "face", "--no-browser"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.fullmatch(r"3 finds to review: (http://\S+/)", process.stdout.readline().strip())
        assert found, process.communicate()
        keys = [one["key"] for one in ask(f"{found[1]}session?rater=A")["finds"]]
        details = [ask(f"{found[1]}task/{key}?rater=A") for key in keys]
        assert sorted(one["unfound"] for one in details) == [False, True, True]
        assert all(one["picture"] for one in details)
        for number, one in enumerate(one for one in details if one["unfound"]):
            decision = ["confirm", "reject"][number]
            ask(f"{found[1]}label/{one['key']}?rater=A", {"decision": decision})
        ask(f"{found[1]}finish?rater=A", {})
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "1 of 1 finds stay" in out
    assert "2 screens without a find were looked at: 1 have a private part" in out
