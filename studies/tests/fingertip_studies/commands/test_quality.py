"""`fingertip quality` as a user calls it, and its page in a browser."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from fingertip_studies.quality.flaw_kinds import KINDS
from tests.accessible_page import check_accessible, check_keyboard, check_paper
from tests.command_line import fingertip, list_ends

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def out(people: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quality")
    done = fingertip("quality", people, "--out", folder, "--workers", 1, "--worst", 4)
    assert done.returncode == 0, done.stderr
    assert list_ends(done.stderr) == ["shards 0/4", "shards 4/4"]
    assert "Flaws of demonstrations (simulated data)" in done.stdout
    assert "not checked (no judge): intent not served" in done.stdout
    return folder


def test_files_agree_and_the_same_call_prints_json(people: Path, out: Path) -> None:
    done = fingertip("quality", people, "--out", out, "--workers", 1, "--worst", 4, "--json")
    record = json.loads(done.stdout)
    assert record["not_checked"] == ["intent_not_served"]
    assert record["files"] == [str(Path(file)) for file in record["files"]]
    with (out / "quality.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == record["episodes"] == sum(user["episodes"] for user in record["users"])
    assert pq.read_table(out / "quality.parquet").column("score").to_pylist() == [
        float(row["score"]) for row in rows
    ]
    flaws = [json.loads(line) for line in (out / "flaws.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in record["kinds"]:
        assert sum(int(one[row["kind"]]) for one in rows) == row["flaws"]
        assert sum(flaw["kind"] == row["kind"] for flaw in flaws) == row["flaws"]
    assert {row["intent_not_served"] for row in rows} == {""}
    assert len(list(out.glob("*.png"))) == 3


def test_a_build_leaves_out_what_scores_low(people: Path, out: Path, tmp_path: Path) -> None:
    call = ["build", people.parent / "sample" / "raw", "--tables", people.parent / "sample" / "tables"]
    call += ["--out", tmp_path / "clean", "--workers", 1, "--quality", out / "quality.parquet"]
    done = fingertip(*call, "--min-quality", 0.99)
    assert done.returncode == 0, done.stderr
    with (out / "quality.csv").open(encoding="utf-8", newline="") as stream:
        low = sum(float(row["score"]) < 0.99 for row in csv.DictReader(stream))
    assert low > 0
    assert f"left out for a quality below 0.99: {low}; kept without a score: 0" in done.stdout


def test_text_only_says_what_it_cannot_check(people: Path) -> None:
    done = fingertip("quality", people, "--read", "actions", "--workers", 1)
    assert done.returncode == 0
    assert "not checked (--read actions): missing screenshot, " in done.stdout
    assert "do not compare scores without these checks" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no built dataset: `fingertip build` makes one"),
        (["nowhere", "--base-url", "http://localhost:1/v1"], "--judge-base-url needs --judge"),
        (["nowhere", "--judge", "m"], "--judge needs --out, where its answers are kept"),
    ],
)
def test_a_wrong_call_is_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = fingertip("quality", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "dark"), pytest.param(1240, "light", marks=pytest.mark.soak)]
)
def test_the_page_of_the_worst_episodes_fits_and_filters(
    out: Path, browser: Browser, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto((out / "quality.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    cards = page.locator(".episode")
    count = cards.count()
    assert 1 <= count <= 4
    assert page.locator(".flawed .flag").count() >= count
    assert page.locator("table").first.locator("tbody tr").count() == len(KINDS) - 1
    chosen = page.locator("#kind option").nth(1).inner_text()
    page.select_option("#kind", chosen)
    shown = page.locator(".episode:not([hidden])").count()
    assert 1 <= shown <= count
    assert page.locator(".filters output").inner_text() == f"{shown} shown"
    assert troubles == []
    if scheme == "light":
        page.select_option("#kind", "")
        check_accessible(page)
        check_keyboard(page)
        check_paper(page)
    context.close()
