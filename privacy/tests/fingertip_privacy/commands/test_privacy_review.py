"""`fingertip privacy review` as a user calls it: a page that ends, what is printed then, wrong calls."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def review(*words: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running review and the address of its page; it ends with the block, however that ends."""
    call = [COMMAND, "privacy", "review", *map(str, words), "--no-browser"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            first = process.stdout.readline()  # type: ignore[union-attr]
            found = re.fullmatch(r"\d finds to review: (http://127\.0\.0\.1:\d+/\S+/)", first.strip())
            assert found, first
            yield process, found[1]
        finally:
            process.kill()


def test_a_session_ends_with_what_stays_and_the_agreement(reviewed: Reviewed) -> None:
    moved = reviewed.raw.rename(reviewed.raw.with_name("moved"))
    for rater, verbs in (("anna", "crrr"), ("ben", "crcr")):
        with review(reviewed.report, "--data", moved, "--rater", rater) as (process, url):
            for find, verb in zip(reviewed.finds.values(), verbs, strict=True):
                decision = {"c": "confirm", "r": "reject"}[verb]
                ask(f"{url}label/{find.id}?rater={rater}", {"decision": decision})
            ask(f"{url}finish?rater={rater}", {})
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
    with review(reviewed.report, "--screens", "2", "--kind", "face") as (process, url):
        keys = [one["key"] for one in ask(f"{url}session?rater=A")["finds"]]
        details = [ask(f"{url}task/{key}?rater=A") for key in keys]
        unfound = [one for one in details if one["unfound"]]
        assert (len(details), len(unfound)) == (3, 2)
        assert all(one["picture"] for one in details)
        for one, decision in zip(unfound, ("confirm", "reject"), strict=True):
            ask(f"{url}label/{one['key']}?rater=A", {"decision": decision})
        ask(f"{url}finish?rater=A", {})
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "1 of 1 finds stay" in out
    assert "2 screens without a find were looked at: 1 have a private part" in out
