"""The board's page in a real Chromium, started like a Space, with requests to 127.0.0.1 only."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml  # type: ignore[import-untyped]
from click.testing import CliRunner, Result
from lxml import html

from board.tests.fingertip_leaderboard.boards import PAPERS, TASK_IDS, conditions, results, score, submission
from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.hidden_records import OTHER, OTHER_SECRET, SECRET, record, row
from fingertip_dataset.errors import UsageError
from fingertip_leaderboard.commands.leaderboard import command
from fingertip_leaderboard.hidden_records import HIDDEN
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.results_file import RESULTS, read_results
from fingertip_leaderboard.score_columns import COLUMNS
from fingertip_leaderboard.space.publish import write_space
from fingertip_leaderboard.space.render import render_boards, render_refused
from fingertip_leaderboard.verified_records import (
    GroupRow,
    RefusalRecord,
    Refused,
    ShownSetting,
    VerifiedResults,
)
from tests.accessible_page import check_accessible, check_keyboard, check_paper
from tests.browser_page import check_policy, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

ROOT = Path(__file__).parents[3]
SPACE = ROOT / "board" / "fingertip_leaderboard" / "space"
N = len(TASK_IDS)
WINDOW: ViewportSize = {"width": 1200, "height": 900}
FULL = "Simulated phones, people, a stranger's way"
"""Title of a table with every column."""
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>{{value}}${1+1}"


def four() -> VerifiedResults:
    """Four submissions on simulated phones, two on real ones, two of track 1, and one refused bundle."""
    track_1 = (conditions(track="suggestion", measure="sim1", device=None, decided_by="lexical"),)
    made = results(
        submission("Alpha", {"sr2": [1.0, 0.0] * (N // 2), "sim2": [1.3] * N}),
        submission("Beta", {"sr2": [1.0] * N, "sim2": [1.0] * N}, weights="closed"),
        submission("Gamma", {"sr2": [0.0] * N, "sim2": [1.1] * N}),
        submission(HOSTILE, {"sr2": [0.0] * (N - 1) + [1.0], "sim2": [0.8] * N}, weights="none"),
        submission(
            "On a phone",
            {"sr2": [0.5] * N, "sim2": [1.2] * N},
            conditions=(conditions(**PAPERS),),
            caveats=(),
        ),
        submission(
            "Otherwise",
            {"sr2": [None] * N, "sim2": [1.1] * N},
            conditions=(conditions(**PAPERS),),
            caveats=("4 tasks",),
        ),
        submission(
            "Whole",
            {column.name: [0.5] * N for column in COLUMNS["execution"]},
            conditions=(conditions(told=ShownSetting(reference="other_type")),),
            by={
                "language": tuple(
                    GroupRow(group=name, tasks=N // 2, scores={"sr2": score([0.5] * (N // 2))})
                    for name in ("en", "zh")
                )
            },
        ),
        submission("Forward", {"sim1": [0.4] * N}, conditions=track_1, told="20 earlier intents"),
        submission("Backward", {"sim1": [0.3] * N}, conditions=track_1, told="20 earlier intents"),
    )
    reason = RefusalRecord(
        file="predictions.jsonl", line=7, reason="expected <b>a task</b>, got none", kind="missing_task"
    )
    return made.model_copy(
        update={"refused": (Refused(sha256=None, file="bad.zip", reasons=(reason,), more=3),)}
    )


SERVERS = """
import runpy, sys, threading, time, urllib.request
from fingertip_leaderboard.commands.leaderboard import command

threading.Thread(target=runpy.run_path, args=["space/app.py", {}, "__main__"], daemon=True).start()
while True:
    try:
        urllib.request.urlopen(sys.argv[-1], timeout=60).close()
        break
    except OSError:
        time.sleep(0.1)
sys.argv.pop()
command()
"""
"""Runs a Space's program, then `fingertip leaderboard`, in one process, to import gradio once."""


def wait_for_page(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 180
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text(encoding="utf-8")
        try:
            urllib.request.urlopen(address, timeout=60).close()  # noqa: S310 - loopback
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(log.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The page of a Space of `four`, and the page of `fingertip leaderboard`."""

    space: str
    board: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A folder with bundles, and what `fingertip leaderboard` says of them."""

    folder: Path
    result: Result


@pytest.fixture(scope="module")
def verified(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Verified:
    folder = tmp_path_factory.mktemp("space")
    for seed in ("habit", "recent"):
        workshop.parts(seed).write(folder / "bundles" / seed)
    (folder / "bundles" / "empty").mkdir()
    call = [str(folder / "bundles"), "--dataset", str(workshop.sample), "--space", str(folder / "written")]
    call += ["--results", str(folder / "results.json")]
    return Verified(folder=folder, result=CliRunner().invoke(command, call))


@pytest.fixture(scope="module")
def served(verified: Verified) -> Iterator[Served]:
    """Both pages; the Space is as on the Hub, a plain folder of five files."""
    folder = verified.folder
    ran = [record("Ran here", row(0.4)), record(HOSTILE, row(0.7)), record("Apart", commitment=OTHER)]
    space = write_space(four(), folder / "space", ran, (SECRET, OTHER_SECRET))
    assert sorted(path.name for path in space.iterdir()) == [
        "README.md", "app.py", HIDDEN, "requirements.txt", RESULTS,
    ]  # fmt: skip
    with socket.create_server(("127.0.0.1", 0)) as free, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [one.getsockname()[1] for one in (free, other)]
    pages = [f"http://127.0.0.1:{port}" for port in ports]
    env = {
        **os.environ, "GRADIO_SERVER_PORT": str(ports[0]), "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(folder / "home"), "NO_PROXY": "*", "MPLCONFIGDIR": str(folder / "home"),
    }  # fmt: skip
    words = [sys.executable, "-c", SERVERS, "results.json", "--port", str(ports[1]), pages[0]]
    log = folder / "page.log"
    with log.open("w") as output:
        process = subprocess.Popen(words, cwd=folder, env=env, stdout=output, stderr=output)
    try:
        for page in pages:
            wait_for_page(page, process, log)
        yield Served(space=pages[0], board=pages[1])
    finally:
        process.terminate()
        process.wait(120)


@pytest.fixture(scope="module")
def address(served: Served) -> str:
    """Address of the Space."""
    return served.space


@pytest.fixture(scope="module")
def opened_page(browser: Browser, address: str) -> Iterator[Page]:
    """The page of the board, loaded once; fails on requests to other hosts and on logged errors.

    Each test chooses its tab and leaves filters, order and address as they were.
    """
    context = browser.new_context(viewport=WINDOW)
    query: list[str] = []
    wrong: list[str] = []
    context.on("request", lambda request: query.append(request.url))
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    page = context.new_page()
    page.goto(address)
    page.get_by_role("link", name="Forward").wait_for()
    yield page
    context.close()
    outside = [url for url in query if not url.startswith((address, "data:", "blob:"))]
    assert query
    assert outside == []
    assert wrong == []


@pytest.fixture
def view(opened_page: Page) -> Iterator[Page]:
    """The page of the board; fails if the test made a script of a submission run."""
    yield opened_page
    assert opened_page.evaluate("window.hacked") is None


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def rows(page: Page, title: str) -> list[list[str]]:
    """The text lines of a table's cells, by the table's title."""
    board = page.get_by_role("region", name=title, exact=True)
    board.wait_for()
    found: list[list[str]] = board.evaluate(
        "board => [...board.querySelector('tbody').rows]"
        ".map(row => [...row.cells].map(cell => cell.innerText))"
    )
    return found


def names(page: Page, title: str) -> list[str]:
    return [row[1].split("\n")[0] for row in rows(page, title)]


@pytest.mark.install
def test_tables_rank_mark_and_sort(view: Page) -> None:
    open_tab(view, "Execution")
    title = "Simulated phones, people"
    assert names(view, title) == ["Beta", "Alpha", HOSTILE, "Gamma"]
    first = rows(view, title)[0]
    assert first[0] == "1"
    assert first[2].replace("\u202f", " ").split("\n") == ["100.0 % ▲ 3", "90.0 to 110.0 %"]
    board = view.get_by_role("region", name=title, exact=True)
    head = board.get_by_role("button", name="Sim_2")
    head.click()
    assert names(view, title) == ["Alpha", "Gamma", "Beta", HOSTILE]
    assert board.locator("th[aria-sort=descending]").inner_text() == "Sim_2"
    head.press("Enter")
    assert names(view, title) == [HOSTILE, "Beta", "Gamma", "Alpha"]
    board.get_by_role("button", name="agent").click()
    assert names(view, title) == [HOSTILE, "Alpha", "Beta", "Gamma"]
    board.get_by_role("button", name="#", exact=True).click()
    assert names(view, title) == ["Beta", "Alpha", HOSTILE, "Gamma"]


@pytest.mark.install
def test_what_the_board_ran_stands_above_the_tabs(view: Page) -> None:
    section = view.locator("#run-by-the-board")
    boards = section.get_by_role("region").evaluate_all(
        "boards => boards.map(board => [...board.querySelectorAll('tbody th')].map(name => name.innerText))"
    )
    assert [[name.split("\n")[0] for name in table] for table in boards] == [
        [HOSTILE, "Ran here"],
        ["Apart"],
    ]
    assert section.get_by_text("run by the board", exact=True).count() == 3
    box, tabs = section.bounding_box(), view.get_by_role("tablist").bounding_box()
    assert box is not None
    assert tabs is not None
    assert box["y"] + box["height"] <= tabs["y"]


@pytest.mark.install
def test_published_rows_can_be_left_out(view: Page) -> None:
    open_tab(view, "Execution")
    assert any("published" in row[1] for row in rows(view, "Real phones, people"))
    view.get_by_label("The paper's rows").locator("visible=true").uncheck()
    published = "document.querySelector('[role=tabpanel]:not([style*=none]) .ft-published')"
    wait_until(view, f"() => {published} === null")
    assert names(view, "Real phones, people") == ["On a phone", "Otherwise"]
    for _ in range(2):
        head = view.get_by_role("region", name="Real phones, people").get_by_role("button", name="SR_2")
        head.click()
        assert names(view, "Real phones, people") == ["On a phone", "Otherwise"], "what has no score is last"
    view.get_by_label("The paper's rows").locator("visible=true").check()
    wait_until(
        view, "() => document.querySelector('[role=tabpanel]:not([style*=none]) .ft-published') !== null"
    )


def choose(page: Page, label: str, choice: str) -> None:
    page.get_by_role("combobox", name=label).locator("visible=true").click()
    option = page.get_by_role("option", name=choice, exact=True)
    option.click()
    option.wait_for(state="hidden")


@pytest.mark.install
def test_filters_leave_ranks_as_they_are(view: Page) -> None:
    open_tab(view, "Execution")
    choose(view, "Phones", "simulated phones")
    view.get_by_role("heading", name="Real phones, people").wait_for(state="hidden")
    choose(view, "Weights", "open weights")
    view.get_by_role("link", name="Beta").wait_for(state="hidden")
    found = rows(view, "Simulated phones, people")
    assert [(row[0], row[1].split("\n")[0]) for row in found] == [("2", "Alpha"), ("4", "Gamma")]
    board = view.get_by_role("region", name="Simulated phones, people", exact=True)
    for order in (["Alpha", "Gamma"], ["Gamma", "Alpha"]):
        board.get_by_role("button", name="Sim_2").click()
        assert names(view, "Simulated phones, people") == order
    choose(view, "Phones", "recorded episodes")
    view.get_by_text("Nothing passes these filters.").wait_for()
    choose(view, "Weights", "all")
    choose(view, "Phones", "all")
    view.get_by_role("heading", name="Real phones, people").wait_for()
    view.get_by_role("link", name="Beta").wait_for()


@pytest.mark.install
def test_a_name_links_to_the_page_of_its_submission(view: Page) -> None:
    open_tab(view, "Execution")
    view.get_by_role("link", name="Alpha").click()
    view.get_by_role("heading", name="Alpha", exact=True).wait_for()
    assert "?submission=" in view.url
    text = view.locator(".ft-page").inner_text()
    assert "Not comparable with the paper: simulated phone." in text
    assert re.search(r"Beta\s+SR_2\s+−50\.0 %\s+−50\.0 to −50\.0 %\s+\S+\s+significantly worse", text)
    view.get_by_text("How it was run").click()
    assert "{{value}} ${1 + 1}" in view.locator(".ft-page pre").inner_text()
    view.go_back()
    view.get_by_role("link", name="Forward").wait_for()


@pytest.mark.install
def test_the_other_tabs_have_commands_and_limitations(view: Page) -> None:
    open_tab(view, "How to submit")
    view.get_by_text("fingertip verify BUNDLE").first.wait_for()
    open_tab(view, "What it is not")
    view.get_by_text("Simulated phones are not phones.").wait_for()


@pytest.mark.install
def test_all_columns_of_track_2_fit_a_window_of_1200_px(view: Page) -> None:
    open_tab(view, "Execution")
    rows(view, FULL)
    board = view.get_by_role("region", name=FULL, exact=True)
    head = board.evaluate("board => [...board.querySelectorAll('thead th')].map(cell => cell.innerText)")
    assert len(head) == 2 + len(COLUMNS["execution"]) + 3
    assert board.evaluate("board => board.scrollWidth <= board.clientWidth"), head


@pytest.mark.install
def test_a_narrow_screen_scrolls_tables_and_not_the_page(view: Page) -> None:
    open_tab(view, "Execution")
    rows(view, "Simulated phones, people")
    view.set_viewport_size({"width": 390, "height": 844})
    wait_until(view, "() => document.documentElement.clientWidth === 390")
    widths: Any = view.evaluate(
        "[document.documentElement.scrollWidth, document.querySelector('gradio-app > *').scrollWidth]"
    )
    assert max(widths) <= 390
    board = view.get_by_role("region", name="Simulated phones, people", exact=True)
    assert board.evaluate("board => board.scrollWidth > board.clientWidth")
    view.set_viewport_size(WINDOW)


UNFOLD = """() => {
  for (const part of document.querySelectorAll(".ft details")) part.open = true;
  const style = document.createElement("style");
  style.id = "unfolded";
  style.textContent = "[role=tabpanel] { display: block !important; }";
  document.head.append(style);
}"""
"""Shows all tabs below one another: axe takes as long for one of them as for all."""


@pytest.mark.soak
def test_all_tabs_are_accessible_in_both_themes_and_languages(view: Page) -> None:
    tabs = view.get_by_role("tab").all_inner_texts()
    assert len(tabs) == 6
    for tab in (*tabs, "Execution"):
        open_tab(view, tab)
    rows(view, FULL)
    check_keyboard(view)
    check_paper(view)
    view.evaluate(UNFOLD)
    assert view.locator("[role=tabpanel]:visible").count() == len(tabs)
    # the data's name and hash, languages of people, a submitter's link and words, and how the paper is cited
    names = "people|d{8}|en|zh|https|phone|execution|Holm|Appium|arXiv|ICLR|table|section"
    check_accessible(view, names=(names,))
    view.evaluate("document.getElementById('unfolded').remove()")
    view.locator("#language").click()
    view.get_by_role("tab", name="任务执行", exact=True).wait_for()
    wait_until(view, "() => document.documentElement.lang === 'zh-Hans'")
    chinese = view.get_by_role("region", name="模拟手机、people、陌生人的做法", exact=True)
    head = chinese.locator("thead").inner_text()
    assert {"智能体", "依据", "步数比", "误报完成"} <= set(head.split())
    assert chinese.locator(".ft-range").first.inner_text() == "40.0 至 60.0 %"
    board = view.locator(".ft-board", has=chinese)
    assert board.locator("h3").inner_text() == "模拟手机、people、陌生人的做法", "names of data stay"
    assert board.locator(".ft-caveat").inner_text().startswith("模拟用户与模拟手机：")
    assert "是否完成由谁判定 规则" in board.locator(".ft-facts").inner_text()
    assert view.get_by_role("heading", name="FingerTip 20K 榜单").is_visible()
    view.locator("#language").click()
    view.get_by_role("tab", name="Execution", exact=True).wait_for()


@pytest.mark.install
def test_an_unknown_submission_has_a_message(view: Page, address: str) -> None:
    page = view.context.new_page()
    page.goto(f"{address}/?submission=nobody")
    page.get_by_text("No submission of that name is here.").wait_for()
    assert page.evaluate("window.hacked") is None
    page.close()


@pytest.mark.install
def test_the_policy_stops_what_is_not_escaped(browser: Browser, address: str) -> None:
    """On the Space and at the address of a submission, whose HTML gradio makes in the browser."""
    page = browser.new_page()
    page.goto(f"{address}/?submission=nobody")
    page.get_by_text("No submission of that name is here.").wait_for()
    check_policy(page)
    page.close()


def test_the_command_verifies_and_writes_a_space(verified: Verified) -> None:
    done, folder = verified.result, verified.folder
    assert done.exit_code == 1, done.output
    assert "2 verified, 1 refused" in done.output
    assert "empty: refused: the file is missing [missing_file] bundle.json" in done.output
    assert read_results(folder / "written" / RESULTS) == read_results(folder / "results.json")
    assert not (folder / "bundles" / RESULTS).exists()


@pytest.mark.install
def test_the_command_serves_a_page(served: Served) -> None:
    config = urllib.request.urlopen(f"{served.board}/config", timeout=120).read().decode()  # noqa: S310 - loopback
    assert "habit" in config


@pytest.mark.install
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {"Host": "evil.example"}), ("/", {"Origin": "http://evil.example"}),
        ("/gradio_api/upload", {"Content-Type": "multipart/form-data; boundary=x"}),
        ("/gradio_api/upload", {"Content-Type": "application/octet-stream"}),
    ],
)  # fmt: skip
def test_the_board_refuses_other_sites_and_files(served: Served, path: str, headers: dict[str, str]) -> None:
    for page in (served.board, served.space):
        request = urllib.request.Request(f"{page}{path}", data=b"x", headers=headers)  # noqa: S310 - loopback
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=60)  # noqa: S310 - loopback
        assert refused.value.code == 403
        refused.value.close()


def drawn(part: html.HtmlElement) -> list[list[str]]:
    """The words of each row of a table."""
    return [[" ".join(cell.text_content().split()) for cell in row] for row in part.iterfind(".//tbody/tr")]


def test_the_tables_are_ranked_marked_and_escaped() -> None:
    made = four()
    text = render_boards(made, make_tables(made, ("execution",)))
    regions = {
        part.get("aria-label"): part for part in html.fromstring(text).iterfind(".//*[@role='region']")
    }
    ranked = drawn(regions["Simulated phones, people"])
    assert [row[0] for row in ranked] == ["1", "2", "3", "4"]
    assert [
        row[1].startswith(name) for row, name in zip(ranked, ("Beta", "Alpha", HOSTILE, "Gamma"), strict=True)
    ]
    assert ranked[0][2].replace("\u202f", " ").startswith("100.0 % ▲ 3")
    beside = [row for row in drawn(regions["Real phones, people"]) if "published" in row[1]]
    assert len(beside) == 11
    assert {row[0] for row in beside} == {"–"}
    (otherwise,) = [row for row in drawn(regions["Real phones, people"]) if row[1].startswith("Otherwise")]
    assert "not as in the paper" in otherwise[1]
    assert (otherwise[0], otherwise[2]) == ("–", "–")
    assert not any("published" in row[1] for row in ranked)
    (split,) = drawn(regions[f"{FULL}, SR_2 by language"])
    assert split[0].startswith("Whole")
    assert "<script>window.hacked" not in text
    refused = render_refused(made)
    assert drawn(html.fromstring(refused)) == [
        ["predictions.jsonl", "7", "missing task", "expected <b>a task</b>, got none"]
    ]


def test_a_wrong_call_is_a_one_line_error(tmp_path: Path) -> None:
    for options in ([], ["--verify-only"], ["--space", str(tmp_path / "space")]):
        done = CliRunner().invoke(command, [str(tmp_path), *options])
        assert isinstance(done.exception, UsageError)
        assert "a folder of bundles needs --dataset" in str(done.exception)
    (tmp_path / "something").touch()
    with pytest.raises(Exception, match="expected an empty folder or a Space, got something"):
        write_space(four(), tmp_path)


def test_without_gradio_the_error_names_the_extra(tmp_path: Path) -> None:
    write_space(four(), tmp_path)
    program = "import runpy, sys; sys.modules['gradio'] = None; runpy.run_path('app.py', {}, '__main__')"
    call = [sys.executable, "-c", program]  # as if it were not installed
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "leaderboard: the package gradio is not installed: pip install gradio, "
        "or pip install 'fingertip-20k[leaderboard]'"
    )


def test_the_card_configures_a_space() -> None:
    configuration = yaml.safe_load((SPACE / "README.md").read_text(encoding="utf-8").split("---\n", 2)[1])
    assert configuration["sdk"] == "gradio"
    assert (SPACE / configuration["app_file"]).is_file()
    assert len(configuration["short_description"]) <= 60
    assert version("gradio") == configuration["sdk_version"]
    assert "fingertip-20k[leaderboard]" in (SPACE / "requirements.txt").read_text(encoding="utf-8")
