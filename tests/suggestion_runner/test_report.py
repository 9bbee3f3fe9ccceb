"""Report page of a run: every task and answer, model output as text, no external resources."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import html
from PIL import Image

from fingertip_agents import get_agent
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.judges import LexicalJudge
from fingertip_runs.cells import format_interval
from suggestion_runner import SuggestionRunScores, run_suggestions, score_run, write_report
from suggestion_runner.report import THUMBNAIL_WIDTH
from suggestion_runner.scoring import GROUPINGS
from tests.accessible_page import check_accessible, check_keyboard, check_paper
from tests.browser_page import HOSTILE, check_policy, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="


@pytest.fixture(scope="module")
def scores(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> list[SuggestionRunScores]:
    """Two agents on every task; a test that changes a run takes `changed`."""
    folder, embedder, runs = tmp_path_factory.mktemp("runs"), get_embedder("lexical"), []
    for agent in ("habit", "recent"):
        run_suggestions(small_dataset, get_agent(agent), folder / agent)
        runs.append(score_run(folder / agent, embedder=embedder))
    return runs


@pytest.fixture(scope="module")
def report(scores: list[SuggestionRunScores], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of both runs, with a figure."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "hours.png").write_bytes(base64.b64decode(PIXEL))
    (folder / "hours.csv").write_text("hour,episodes\n0,3\n1,4\n", encoding="utf-8")
    return write_report(scores, folder / "report.html", figures=[folder / "hours.png"])


def changed(run: SuggestionRunScores, folder: Path, *lines: dict[str, str]) -> SuggestionRunScores:
    """A copy of a run with changes of its first predictions, scored again."""
    shutil.copytree(run.folder, folder)
    file = folder / "predictions.jsonl"
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for line, change in zip(found, lines, strict=False):
        line |= change
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found), encoding="utf-8")
    return score_run(folder, embedder=get_embedder("lexical"))


def read(page: Path) -> html.HtmlElement:
    return html.document_fromstring(page.read_text(encoding="utf-8"))


def test_every_task_is_on_the_page_with_every_answer(scores: list[SuggestionRunScores], report: Path) -> None:
    page = read(report)
    cards = page.xpath("//article")
    assert len(cards) == scores[0].record.tasks
    for card in cards:
        assert [name.text for name in card.xpath(".//div[@class='answer']/span[1]")] == ["habit", "recent"]
        assert card.xpath(".//h3/@lang") == ["zh-Hans"]


def test_the_page_shows_the_scores_of_the_run(scores: list[SuggestionRunScores], report: Path) -> None:
    page = read(report)
    shown = [row.xpath("string(td[1]/b)") for row in page.xpath("//table[@id='scores']/tbody/tr")]
    assert shown == [f"{run.result.sim1:.3f}" for run in scores]
    assert "SR₁ %" not in page.xpath("string(//table[@id='scores'])")
    assert "sample" in page.xpath("string(//p[contains(@class, 'banner')])")
    figure = page.xpath("//figure[contains(., 'how close')]")[0]
    values = [part.text_content() for part in figure.xpath(".//span[@class='value number']")]
    assert values == [format_interval(run.intervals["sim1"]) for run in scores]


def test_with_a_judge_sr1_its_interval_verdicts_and_groups_are_on_the_page(
    small_dataset: Path, tmp_path: Path
) -> None:
    runs = []
    for agent in ("habit", "recent"):
        run_suggestions(small_dataset, get_agent(agent), tmp_path / agent)
        runs.append(
            score_run(tmp_path / agent, embedder=get_embedder("lexical"), judge=LexicalJudge(threshold=0.5))
        )
    page = read(write_report(runs, tmp_path / "report.html"))
    figure = page.xpath("//figure[contains(., 'is it the same intent?')]")[0]
    shown = [part.text_content() for part in figure.xpath(".//span[@class='value number']")]
    cells = [format_interval(run.judged.interval, decimals=1, factor=100) for run in runs if run.judged]
    assert shown == [f"{cell} %" for cell in cells]
    means = [row.xpath("string(td[1]/b)") for row in page.xpath("//table[@id='scores']/tbody/tr")]
    assert means == [cell.partition(" ")[0] for cell in cells]
    output = [span.text_content() for span in page.xpath("//span[contains(@class, 'verdict')]")]
    states = [item.state for run in runs if run.sr1 for item in run.sr1.per_item]
    assert output.count("same intent") == states.count("same") > 0
    assert output.count("another intent") == states.count("different") > 0
    for by in GROUPINGS:
        (table,) = page.xpath(f"//table[@data-by='{by}']")
        rows = [[cell.text_content() for cell in row.xpath("th | td")] for row in table.xpath("./tbody/tr")]
        groups = [group.group or "not known" for group in runs[0].breakdowns[by]]
        assert [row[0].partition(" (")[0] for row in rows] == groups
        assert sum(int(row[3]) for row in rows) == runs[0].result.n
        means = [group.interval.mean for group in runs[0].breakdowns[by] if group.interval]
        assert [row[2][:5] for row in rows] == [f"{mean:.3f}" for mean in means]


def test_a_differing_read_intent_is_below_the_answer(
    scores: list[SuggestionRunScores], tmp_path: Path
) -> None:
    run = changed(
        scores[0],
        tmp_path / "run",
        {"output": "好的。意图：听歌", "predicted_intent": "听歌"},
        {"output": "长" * 5000, "predicted_intent": "长" * 500},
    )
    page = read(write_report([run], tmp_path / "report.html"))
    texts = page.xpath("//div[@class='answer']/span[2]/text()")
    assert "好的。意图：听歌" in texts
    assert f"{'长' * 600}…" in texts
    read_as = [part.text_content() for part in page.xpath("//span[starts-with(., 'read as:')]")]
    assert "read as: 听歌" in read_as


def test_the_page_loads_no_external_resources(report: Path) -> None:
    page = read(report)
    sources = page.xpath("//@src | //@href")
    assert sources
    assert all(source.startswith(("data:image/", "#")) for source in sources)


def test_screens_are_small_pictures(report: Path) -> None:
    page = read(report)
    uri = page.xpath("//article//img/@src")[0]
    with Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2]))) as image:
        assert image.width == THUMBNAIL_WIDTH


def test_answers_are_text_and_never_markup(
    scores: list[SuggestionRunScores], tmp_path: Path, browser: Browser
) -> None:
    run = changed(scores[0], tmp_path / "run", {"output": HOSTILE, "predicted_intent": HOSTILE})
    report = write_report([run], tmp_path / "report.html")
    content = read(report)
    assert HOSTILE in content.xpath("//div[@class='answer']/span[2]/text()")
    assert len(content.xpath("//script[not(@type)]")) == 2, "the frame's and the page's"
    page = browser.new_page()
    page.goto(report.as_uri())
    assert HOSTILE in page.locator(".answer span:nth-child(2)").all_inner_texts()
    page.fill("[name=text]", "window.hacked=10")
    wait_until(page, "() => document.querySelectorAll('.card:not([hidden])').length === 1")
    assert page.evaluate("window.hacked") is None
    check_policy(page)
    page.close()


def test_a_missing_dataset_is_a_one_line_error(
    scores: list[SuggestionRunScores], small_dataset: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "copy"
    shutil.copytree(small_dataset, moved)
    run_suggestions(moved, get_agent("habit"), tmp_path / "other")
    run = score_run(tmp_path / "other", embedder=get_embedder("lexical"))
    shutil.rmtree(moved)
    with pytest.raises(DatasetError):
        write_report([run], tmp_path / "report.html")


def test_runs_of_several_splits_are_refused(
    scores: list[SuggestionRunScores], small_dataset: Path, tmp_path: Path
) -> None:
    run_suggestions(small_dataset, get_agent("habit"), tmp_path / "train", split="train")
    other = score_run(tmp_path / "train", embedder=get_embedder("lexical"))
    with pytest.raises(UsageError, match="several splits or datasets"):
        write_report([scores[0], other], tmp_path / "report.html")


@pytest.mark.soak
def test_both_themes_and_languages_are_accessible_and_fit_a_phone(report: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(report.as_uri())
    # one of each kind: axe takes seconds for what is the same again
    for kind in ("details.notes", ".groups details", ".figures details", ".card details"):
        page.locator(kind).first.evaluate("part => { part.open = true; }")
    page.locator(".groups details", has=page.locator("[data-by=scenario]")).evaluate(
        "part => { part.open = true; }"
    )
    check_accessible(page)
    check_keyboard(page)
    check_paper(page)
    assert page.get_by_role("img", name="Columns: number of episodes").count() == 1
    figure = page.locator(".figures figure")
    assert figure.locator("tbody tr").all_inner_texts() == ["0\t3", "1\t4"]
    page.locator("#language").click()
    assert page.locator("h1").inner_text() == "主动任务建议"
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    notes = page.locator("details.notes li").all_inner_texts()
    assert all(re.search("[\u4e00-\u9fff]", note) for note in notes), notes
    assert "不能与论文比较：" in "".join(notes)
    place = page.locator("table[data-by=scenario] th[scope=row]").first
    assert place.inner_text() == "住所"
    page.locator("#language").click()
    assert place.inner_text() == "住所 (residence)"
    page.locator("#language").click()
    assert page.locator("#theme").inner_text() == "深色"
    page.locator("#theme").click()
    page.reload()
    assert page.locator("h1").inner_text() == "主动任务建议"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 20, 23)"
    page.close()
