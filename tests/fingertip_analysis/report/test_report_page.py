"""Report page of track 2 in a real browser: complete, self-contained, fast, on any screen, data escaped."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import html
from PIL import Image

from execution_runner.scoring.run_scores import ExecutionRunScores, score_run
from fingertip_analysis.report.page_screens import WIDTH
from fingertip_analysis.report.report_page import write_report
from fingertip_analysis.why.why_scores import explain_run
from fingertip_dataset import BuiltDataset
from fingertip_dataset.errors import DatasetError, RunError, UsageError
from fingertip_dataset.parquet.build import build
from tests.accessible_page import check_accessible, check_dialog, check_keyboard
from tests.browser_page import HOSTILE, check_policy

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DrawRun = Callable[..., Path]
COLUMNS = ("user_id", "time", "scenario", "app", "intentDescription", "intentClass")
TASKS = 14
SIZE = (120, 240)
ENDING = "</script><script>hacked=3</script><!--"
GOLDEN = (
    "click(coordinates=(60, 90), content='开始')",
    "scroll(coordinates=(60, 200), direction='down')",
    "finished()",
)


def picture(colour: tuple[int, int, int], kind: str = "PNG") -> bytes:
    stream = BytesIO()
    Image.new("RGB", SIZE, colour).save(stream, kind)
    return stream.getvalue()


def draw_episode(folder: Path, survey: dict[str, str], stamp: int) -> None:
    shots = folder / "Screenshots"
    shots.mkdir(parents=True)
    lines = []
    for step, action in enumerate(GOLDEN):
        name = f"{stamp + step}.jpg"
        (shots / name).write_bytes(picture((stamp % 251, 80 * step, 90), "JPEG"))
        lines.append(json.dumps({name: action}, ensure_ascii=False))
    (folder / "action.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "survey_result.json").write_text(json.dumps(survey, ensure_ascii=False), encoding="utf-8")


@pytest.fixture(scope="session")
def execution_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two users, fourteen tasks of track 2; the intent of the first one is hostile."""
    folder, rows = tmp_path_factory.mktemp("execution"), []
    for number in range(TASKS):
        user, time = str(1 + number % 2), f"20250301_{8 + number:02}0000"
        intent = HOSTILE if number == 0 else f"听第{number}首歌"
        row = (user, time, "住所", f"com.app{number % 3}", intent, "音乐")
        rows.append(row)
        survey = dict(zip(COLUMNS[:5], row, strict=False)) | {"provenance": "sample"}
        draw_episode(folder / "raw" / user / time, survey, 1741000000000 + 1000 * number)
    (folder / "tables").mkdir()
    for name in ("total", "test_execution", "test_suggestion", "train_set"):
        with (folder / "tables" / f"{name}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *(rows if name != "train_set" else [])])
    build(folder / "raw", folder / "dataset", tables=folder / "tables")
    return folder / "dataset"


@pytest.fixture(scope="module")
def runs(
    execution_dataset: Path, draw_runs_in: Callable[[Path], DrawRun], tmp_path_factory: pytest.TempPathFactory
) -> list[ExecutionRunScores]:
    """Two agents on every task: one repeats the person's actions, the other differs and fails sometimes."""
    manifest = BuiltDataset.open(execution_dataset).manifest
    data = {"path": str(execution_dataset), "data_sha256": manifest.data_sha256, "provenance": "sample"}
    rows = list(BuiltDataset.open(execution_dataset).rows("test_execution"))
    draw_run = draw_runs_in(tmp_path_factory.mktemp("runs"))
    found = []
    for agent in ("mimic", "stranger"):
        tasks = [task_of(row, number, agent) for number, row in enumerate(rows)]
        run = draw_run(tasks, agent={"name": agent, "settings": {}}, dataset=data)
        (run / "screens").mkdir()
        for colour in range(TASKS):
            (run / "screens" / f"{colour}.png").write_bytes(picture((20 * colour % 256, 120, 200)))
        found.append(score_run(run))
    return found


def task_of(row: dict[str, Any], number: int, agent: str) -> dict[str, Any]:
    shot = {"screenshot": f"screens/{number}.png", "package": row["app"]}
    steps: list[dict[str, Any]] = [
        shot | {"action": action, "thought": f"thought of {agent}"} for action in GOLDEN
    ]
    end: dict[str, Any] = {"success": agent == "mimic" or number % 2 == 0, "success_by": "rule"}
    if agent == "stranger" and number == 0:
        nonsense = {"action": "wait()", "written": ENDING, "output": ENDING, "problem": "expected an action"}
        steps.insert(0, shot | nonsense)
    if agent == "stranger" and number == 1:
        end = {"success": None, "outcome": "blocked", "reason": "a payment"}
        steps[-1] |= {"verdict": "deny", "reason": "a payment"}
    if agent == "stranger" and number == 2:
        reply = {"kind": "no", "text": f"不对 {ENDING}", "slots": ["song"], "needless": True}
        steps.insert(1, shot | {"action": "ask(text='是这首吗？')", "reply": reply})
        end["dialogue"] = {
            "questions": 1, "needless": 1, "not_understood": 0, "agreed": 0, "unasked": ["sends"],
            "after_no": 1,
        }  # fmt: skip
    place = {
        "task_id": row["episode_id"],
        "user_id": row["user_id"],
        "app": row["app"],
        "intent": row["intent"],
    }
    return place | end | {"actions": steps, "golden_actions": GOLDEN, "final_screenshot": shot["screenshot"]}


@pytest.fixture(scope="module")
def report(runs: list[ExecutionRunScores], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(runs, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    """The report in a desktop window; its requests and errors are recorded."""
    context = browser.new_context(viewport={"width": 1200, "height": 800}, offline=True)
    page = context.new_page()
    page.queried, page.complaints = [], []  # type: ignore[attr-defined]
    page.on("request", lambda request: page.queried.append(request.url))  # type: ignore[attr-defined]
    page.on("console", lambda message: page.complaints.append(message.text))  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.complaints.append(str(error)))  # type: ignore[attr-defined]
    page.goto(report.as_uri())
    yield page
    context.close()


def drawn(page: Page) -> int:
    return page.locator(".task.drawn").count()


def test_the_page_is_complete_and_loads_nothing(page: Page) -> None:
    assert page.locator(".task").count() == TASKS
    page.locator(".task").nth(TASKS - 1).scroll_into_view_if_needed()
    page.locator(".task").nth(TASKS - 1).locator("img").first.wait_for()
    query = [url for url in page.queried if not url.startswith("data:")]  # type: ignore[attr-defined]
    assert len(query) == 1
    assert query[0].startswith("file://")
    assert page.complaints == []  # type: ignore[attr-defined]
    assert "sample" in page.locator(".banner").first.inner_text()
    assert page.locator("tbody .name").all_inner_texts() == ["mimic", "stranger"]
    assert page.locator("tbody tr").nth(0).locator("td").nth(0).inner_text().startswith("100.0")


def test_screens_load_when_scrolled_into_view(page: Page) -> None:
    page.locator(".task").first.scroll_into_view_if_needed()
    first = page.locator(".task").first.locator("img").first
    first.wait_for()
    assert first.evaluate("image => image.decode().then(() => image.naturalWidth)") == WIDTH
    before = drawn(page)
    assert 0 < before < TASKS
    last = page.locator(".task").nth(TASKS - 1)
    assert last.locator("img").count() == 0
    last.scroll_into_view_if_needed()
    last.locator("img").first.wait_for()
    assert drawn(page) > before
    lanes = last.locator(".lane")
    assert lanes.count() == 3
    assert [lanes.nth(lane).locator(".step").count() for lane in range(3)] == [3, 4, 4]
    assert lanes.nth(0).locator("svg .ring").count() == 1
    assert lanes.nth(0).locator("svg .path").count() == 1


def test_equal_screens_are_on_the_page_once(report: Path) -> None:
    parts = html.parse(str(report)).getroot().xpath("//template[@id='screens']/p")
    assert len([screen for part in parts for screen in part.text.split(" ")]) == TASKS * len(GOLDEN) + TASKS


def test_data_is_never_markup(page: Page) -> None:
    first = page.locator(".task").first
    assert first.locator("h3").inner_text() == HOSTILE
    first.scroll_into_view_if_needed()
    odd = first.locator(".lane[data-run='1'] .step.odd")
    odd.wait_for()
    assert "unparsable" in odd.inner_text()
    odd.click()
    assert ENDING in page.locator("dialog").inner_text()
    assert page.evaluate("window.hacked") is None
    assert page.locator("dialog script, .lanes script").count() == 0


def test_a_conversation_stands_between_the_screens(page: Page) -> None:
    task = page.locator(".task").nth(2)
    task.scroll_into_view_if_needed()
    talk = task.locator(".lane[data-run='1'] .steps li:nth-child(2) .talk")
    talk.wait_for()
    assert talk.locator(".asked").inner_text() == "是这首吗？"
    assert talk.locator(".replied.no").inner_text() == f"不对 {ENDING}"
    assert "needless" in talk.locator(".kind").inner_text()
    assert "3 steps" in task.locator(".lane[data-run='1'] h4").inner_text()
    attempt = task.locator(".attempt[data-run='1']").inner_text()
    assert "1 question · 1 of them needless" in attempt
    assert "unasked: something sent" in attempt
    assert "acted after a no" in attempt
    talk.click()
    assert f"不对 {ENDING} (no · needless)" in page.locator("dialog").inner_text()
    assert page.evaluate("window.hacked") is None


def test_the_policy_stops_what_is_not_escaped(report: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(report.as_uri())
    check_policy(page)
    page.close()


def test_filters_keep_matching_tasks(page: Page) -> None:
    from playwright.sync_api import expect

    shown = page.locator(".task:not([hidden])")
    form = page.locator("form.filters")
    form.locator("[name=user]").select_option("1")
    assert shown.count() == TASKS / 2
    form.locator("[name=app]").select_option("com.app0")
    assert shown.count() == len([number for number in range(0, TASKS, 2) if number % 3 == 0])
    form.locator("button").click()
    expect(shown).to_have_count(TASKS)
    form.locator("[name=outcome]").select_option("blocked")
    assert shown.count() == 1
    assert shown.locator(".attempt:not([hidden])").count() == 1
    form.locator("[name=run]").select_option("0")
    assert shown.count() == 0
    assert page.locator(".nothing").is_visible()
    form.locator("button").click()
    expect(shown).to_have_count(TASKS)
    form.locator("[name=success]").select_option("no")
    assert shown.count() == TASKS // 2 - 1
    form.locator("button").click()
    form.locator("[name=text]").fill("听第3首歌")
    assert shown.count() == 1
    assert form.locator("output").inner_text() == f"1 of {TASKS} tasks"


def test_a_filtered_agent_has_no_lane(page: Page) -> None:
    page.locator("form.filters [name=run]").select_option("1")
    task = page.locator(".task").nth(2)
    task.scroll_into_view_if_needed()
    task.locator(".lane").first.wait_for()
    assert task.locator(".lane:not([hidden]) h4").all_inner_texts()[1].startswith("stranger")
    assert task.locator(".lane:not([hidden])").count() == 2


def test_the_page_can_be_used_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "text"
    task = page.locator(".task").nth(1)
    task.scroll_into_view_if_needed()
    task.locator(".lane[data-run='1'] .step").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    dialog = page.locator("dialog")
    assert "step 2 of 3" in dialog.inner_text().lower()
    page.keyboard.press("ArrowRight")
    assert "deny: a payment" in dialog.inner_text()
    assert "thought of stranger" in dialog.inner_text()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.key") == "later", "the focus came back to the step"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert dialog.locator(".eyebrow").inner_text().casefold() == "stranger · the end"
    assert page.evaluate("document.activeElement.textContent") == "Close", "nothing is later than the end"
    page.keyboard.press("Enter")
    assert not dialog.is_visible()


def test_the_page_fits_a_phone_without_sideways_scrolling(browser: Browser, report: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = context.new_page()
    page.goto(report.as_uri())
    page.locator(".task").first.scroll_into_view_if_needed()
    page.locator(".task img").first.wait_for()
    page.locator(".task .step").first.click()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert page.locator("dialog").bounding_box()["width"] <= 390  # type: ignore[index]
        back = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red = int(back.removeprefix("rgb(").split(",")[0])
        assert (red > 200) is (scheme == "light")
    context.close()


@pytest.mark.install
def test_both_themes_and_languages_are_accessible_and_fit_a_phone(page: Page) -> None:
    page.locator(".task").first.scroll_into_view_if_needed()
    page.locator(".task.drawn").first.wait_for()
    check_accessible(page)
    check_keyboard(page)
    check_dialog(page, page.locator(".task.drawn .step").first)


def test_runs_of_several_datasets_are_refused(
    runs: list[ExecutionRunScores], draw_run: DrawRun, tmp_path: Path
) -> None:
    other = score_run(draw_run([{"actions": GOLDEN}]))
    with pytest.raises(UsageError, match="the runs are of several splits or datasets"):
        write_report([*runs, other], tmp_path / "report.html")
    with pytest.raises(DatasetError, match="no built dataset: `fingertip build` makes one"):
        write_report([other], tmp_path / "report.html")


def test_a_missing_screen_or_folder_is_a_one_line_error(
    runs: list[ExecutionRunScores], draw_run: DrawRun, execution_dataset: Path, tmp_path: Path
) -> None:
    with pytest.raises(RunError, match="the file cannot be written"):
        write_report(runs, tmp_path / "nowhere" / "report.html")
    row = next(iter(BuiltDataset.open(execution_dataset).rows("test_execution")))
    data = {"path": str(execution_dataset), "data_sha256": runs[0].record.dataset.data_sha256}
    blind = score_run(draw_run([task_of(row, 0, "mimic")], dataset=data))
    with pytest.raises(RunError, match="a screen of the run cannot be read: No such file"):
        write_report([blind], tmp_path / "report.html")


def test_a_reason_of_a_failed_attempt_opens_its_step(
    browser: Browser, runs: list[ExecutionRunScores], tmp_path: Path
) -> None:
    report = write_report(runs, tmp_path / "report.html", why=[explain_run(run) for run in runs])
    context = browser.new_context(viewport={"width": 1200, "height": 800}, offline=True)
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(report.as_uri())
    assert "stopped by the safety gate" in page.locator("#why + .panel").inner_text()
    link = page.locator("a.why", has_text="stopped by the safety gate, step 3").first
    link.click()
    assert page.locator("dialog .eyebrow").inner_text().casefold() == "stranger · step 3 of 3"
    assert "a payment" in page.locator("dialog").inner_text()
    assert complaints == []
    context.close()


def test_title_changes_and_lists_are_in_the_language_of_the_page(
    browser: Browser, runs: list[ExecutionRunScores], tmp_path: Path
) -> None:
    effects = (
        '便签 notes: added {"title": "a: b"}',
        'Notes notes: removed {"title": ": added c"}',
        '系统 global.bluetooth_on: "0" -> "1"',
    )
    changed = replace(runs[0].tasks[0], side_effects=effects)
    run = replace(runs[0], tasks=(changed, *runs[0].tasks[1:]))
    report = write_report([run, runs[1]], tmp_path / "report.html")
    expected = {
        "zh-CN": (
            "FingerTip 20K: 个性化任务执行",
            ['便签 notes：新增 {"title": "a: b"}', 'Notes notes：删除 {"title": ": added c"}'],
            '系统 global.bluetooth_on: "0" -> "1"',
        ),
        "en": (
            "FingerTip 20K: Personalized task execution",
            list(effects[:2]),
            'System global.bluetooth_on: "0" -> "1"',
        ),
    }
    for locale, (title, lists, system) in expected.items():
        context = browser.new_context(locale=locale, offline=True)
        page = context.new_page()
        page.goto(report.as_uri())
        assert page.title() == title
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        items = page.locator("details.soft ul li")
        assert items.all_inner_texts() == [*lists, system]
        comma = {"zh-CN": "、", "en": ", "}[locale]
        assert re.search(rf"\b{TASKS - 1} [^,、]+{comma}1 ", page.inner_text("body"))
        context.close()
