"""The page of moments: every score, picture and moment, output of models as text, both languages."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import html

from fingertip_dataset.errors import UsageError
from suggestion_runner.moments.moment_report import MOST_POINTS, write_moment_report
from suggestion_runner.moments.moment_run_scores import MomentRunScores
from suggestion_runner.moments.moment_scoring import score_moment_run
from tests.accessible_page import check_accessible, check_keyboard, check_paper
from tests.browser_page import HOSTILE, check_policy
from tests.suggestion_runner.moments.conftest import MakeRun

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def page(scores: list[MomentRunScores], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_moment_report(scores, tmp_path_factory.mktemp("page") / "moments.html")


def read(page: Path) -> html.HtmlElement:
    return html.document_fromstring(page.read_text(encoding="utf-8"))


def test_the_page_has_the_scores_and_the_ceiling(scores: list[MomentRunScores], page: Path) -> None:
    rows = read(page).xpath("//table[@id='scores']/tbody/tr")
    assert len(rows) == len(scores) + 1
    for row, run in zip(rows, scores, strict=False):
        shown = [cell.xpath("string(b)") for cell in row.xpath("td")]
        assert shown[0] == f"{100 * (run.result.scores['false_trigger_rate'] or 0):.1f}"
        assert shown[6] == f"{run.result.scores['utility']:.3f}"
    undefined = rows[1].xpath("td[3]/span")[0]
    assert undefined.text == "–"
    assert "there is no offer" in undefined.get("title")
    assert "ceiling" in rows[-1].text_content()
    assert "simulated" in read(page).xpath("string(//p[contains(@class, 'banner')])")


def test_every_moment_has_its_answers_and_outcomes(scores: list[MomentRunScores], page: Path) -> None:
    cards = read(page).xpath("//article")
    assert len(cards) == scores[0].result.n
    outcomes = [card.get("data-outcome") for card in cards]
    of_runs = zip(*([item.outcome for item in run.result.per_item] for run in scores), strict=True)
    assert sorted(outcomes) == sorted("|".join(dict.fromkeys(pair)) for pair in of_runs)
    kinds = [target.kind for target in scores[0].targets]
    assert sorted(card.get("data-kind") for card in cards) == sorted(kinds)
    assert all(len(card.xpath(".//div[@class='reply']")) == 2 for card in cards)


def test_pictures_have_their_numbers_as_tables(scores: list[MomentRunScores], page: Path) -> None:
    figures = read(page).xpath("//figure[contains(@class, 'picture')]")
    assert len(figures) == 4
    reliability = next(one for one in figures if "Reliability" in one.text_content())
    rows = reliability.xpath(".//tbody/tr")
    assert len(rows) == len(scores[0].result.reliability)
    assert [row.xpath("string(td[last()])") for row in rows] == [
        f"{one.n:,}" for one in scores[0].result.reliability
    ]
    assert all(len(figure.xpath(".//tbody/tr")) <= 3 * MOST_POINTS for figure in figures)


def test_offers_are_text_and_long_ones_are_cut(
    make_run: MakeRun, intents: dict[str, str], tmp_path: Path
) -> None:
    run = make_run("hostile", dict.fromkeys(intents, (HOSTILE + "打" * 5000, 0.5)))
    page = write_moment_report([score_moment_run(run)], tmp_path / "hostile.html")
    assert not read(page).xpath("//article//script | //article//img")
    assert HOSTILE[:100] in read(page).xpath("string(//article[1])")
    assert max(len(card.text_content()) for card in read(page).xpath("//article")) < 1000


def test_runs_of_other_splits_are_refused(scores: list[MomentRunScores], tmp_path: Path) -> None:
    record = scores[1].record.model_copy(update={"split": "test_moments"})
    with pytest.raises(UsageError, match="split"):
        write_moment_report([scores[0], replace(scores[1], record=record)], tmp_path / "page.html")


def test_without_its_dataset_the_page_lacks_places_alone(
    scores: list[MomentRunScores], tmp_path: Path
) -> None:
    dataset = scores[0].record.dataset.model_copy(update={"path": str(tmp_path / "gone")})
    moved = replace(scores[0], record=scores[0].record.model_copy(update={"dataset": dataset}))
    page = write_moment_report([moved], tmp_path / "page.html")
    assert len(read(page).xpath("//article")) == scores[0].result.n


def test_the_page_is_readable_in_both_languages_and_without_a_mouse(browser: Browser, page: Path) -> None:
    tab = browser.new_page(viewport={"width": 1200, "height": 900})
    try:
        tab.goto(page.as_uri())
        names = ("mixed|silent|scripted|test_moments|train_moments|AUROC|Brier|SR_1|Sim_1|FingerTip",)
        check_accessible(tab, names=names)
        check_keyboard(tab)
        tab.locator("select[name=kind]").select_option("intent")
        shown = tab.locator("article:not([hidden])").count()
        assert re.match(rf"{shown} of \d+ moments", tab.locator("form.filters output").inner_text())
        check_policy(tab)
        check_paper(tab)
    finally:
        tab.close()
