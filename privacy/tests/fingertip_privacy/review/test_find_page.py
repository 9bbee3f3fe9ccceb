"""The review page in a real browser: decisions by keyboard, a dragged box, languages, and bad requests."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_privacy import Find, FindKind, FindPlace, decide_finds, read_decisions, write_finds
from fingertip_privacy.find_context import open_reviewed_data
from fingertip_privacy.review import FindPage, FindSession, select_finds
from fingertip_runs.annotation import PageServer
from privacy.tests.fingertip_privacy.review.conftest import Reviewed, find_at
from tests.accessible_page import check_dialog
from tests.browser_page import HOSTILE, check_policy, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


RULE, CHINESE_RULE = "mobile number of China (rules 2)", "中国手机号（规则版本 2）"


@pytest.fixture
def url(reviewed: Reviewed) -> Iterator[str]:
    survey = reviewed.raw / "30" / "20250302_090000" / "survey_result.json"
    content = json.loads(survey.read_text(encoding="utf-8"))
    survey.write_text(json.dumps(content | {"note": HOSTILE}), encoding="utf-8")
    hostile = find_at(
        FindPlace.SURVEY, survey.name, field="note", start=2, end=len(HOSTILE), text=HOSTILE[2:], step=None
    )
    write_finds(reviewed.report, [*reviewed.finds.values(), hostile])
    data = open_reviewed_data(reviewed.raw, "raw")
    with (
        FindSession(reviewed.report, data, select_finds(reviewed.report)) as session,
        PageServer(FindPage(session)) as server,
    ):
        thread = threading.Thread(target=server.serve)
        thread.start()
        yield server.url
        server.stop()
        thread.join()


def ask(url: str, body: object = None, **headers: str) -> tuple[int, Any]:
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(  # noqa: S310 - http on loopback
        url, data=content, headers={"Content-Type": "application/json", **headers}
    )
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - http on loopback
            return answer.status, answer.read() if "screen/" in url else json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def opened(browser: Browser, url: str, troubles: list[str], **options: Any) -> Page:  # noqa: ANN401 - of playwright
    page = browser.new_page(**options)
    page.set_default_timeout(120_000)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.goto(url)
    page.fill("#name", "王芳")
    page.keyboard.press("Enter")
    page.wait_for_selector("#task:not([hidden])")
    return page


def show(page: Page, kind: str) -> None:
    """Goes on to the find of a place whose file ends so, without deciding."""
    for _ in range(5):
        if kind in page.inner_text("#where"):
            return
        before = page.inner_text("#where")
        page.keyboard.press("Enter")
        wait_until(page, "text => document.getElementById('where').textContent !== text", before)
    pytest.fail(f"no find at {kind}")


def test_finds_are_decided_by_keyboard_and_a_box_is_drawn(
    reviewed: Reviewed, url: str, browser: Browser
) -> None:
    troubles: list[str] = []
    page = opened(browser, url, troubles, viewport={"width": 1200, "height": 800}, locale="en-GB")
    show(page, "note")
    assert page.inner_text("#context mark") == HOSTILE[2:]
    show(page, "0@text")
    assert page.inner_text("#kind") == "name"
    assert page.locator("#boxes .current").get_attribute("x") == "20"
    assert page.locator("#boxes .near").count() == 1
    assert page.inner_text("#alike") == "Decide 1 more with the same text, too S"
    drag(page, (50, 400), (120, 460))
    page.wait_for_selector("#add[open]")
    page.select_option("#add-kind", "qr_code")
    page.fill("#add-text", "y n")
    page.keyboard.press("Enter")
    wait_until(page, "() => document.querySelectorAll('#boxes .added').length === 1")
    check_dialog(page, lambda: drag(page, (5, 5), (60, 60)), within="#add")
    page.keyboard.press("a")
    page.locator("#draw-keys").wait_for(timeout=60_000)
    page.keyboard.press("ArrowRight")
    before = box_of(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    assert [b - a for a, b in zip(before, box_of(page), strict=True)] == [0, 5, 5, 0]
    page.keyboard.press("Enter")
    page.wait_for_selector("#add[open]")
    page.keyboard.press("Escape")
    wait_until(page, "() => document.activeElement.id === 'draw'")
    assert page.locator("#boxes .drawn").count() == 0
    page.locator("#draw").evaluate("button => button.blur()")
    page.keyboard.press("s")
    page.keyboard.press("n")
    wait_until(page, "() => document.getElementById('count').textContent.startsWith('2 of 5')")
    for number in (3, 4, 5):
        page.keyboard.press("y")
        wait_until(
            page, "start => document.getElementById('count').textContent.startsWith(start)", f"{number} of 5"
        )
    page.wait_for_selector("#done:not([hidden])")
    assert page.inner_text("#summary") == "5 finds: 3 private, 2 harmless."
    page.click("#language")
    assert page.inner_text("#summary") == "5 处发现：3 处是隐私，2 处不是。"
    assert page.evaluate("window.hacked") is None
    check_policy(page)
    page.close()
    assert troubles == []
    *stay, added = decide_finds(reviewed.report)
    assert {find.place for find in stay} == {FindPlace.SCREENSHOT, FindPlace.INTENT, FindPlace.SURVEY}
    assert (added.kind, added.text, added.why) == (FindKind.QR_CODE, "y n", "added by 王芳")
    assert added.box is not None
    assert max(abs(a - b) for a, b in zip(added.box, (50, 400, 120, 460), strict=True)) <= 1
    assert len(read_decisions(reviewed.report / "decisions.jsonl").added) == 1, "Escape drops a box"


def box_of(page: Page) -> list[int]:
    """x, y, width and height of the box that is drawn, px of the screenshot, of which a step is 5."""
    box = page.locator("#boxes .drawn")
    return [int(box.get_attribute(name) or 0) for name in ("x", "y", "width", "height")]


def drag(page: Page, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Drags from pixel to pixel of the screenshot, which is 270 px wide."""
    frame = page.locator("#frame").bounding_box()
    scale = frame["width"] / 270
    (x, y), (to_x, to_y) = ((frame["x"] + a * scale, frame["y"] + b * scale) for a, b in (start, end))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
    page.mouse.move(to_x, to_y)
    page.mouse.up()


def test_only_decisions_and_boxes_are_stored(reviewed: Reviewed, url: str) -> None:
    assert ask(url + "session") == (200, {"rater": None, "finds": [], "kinds": [*FindKind]})
    keys = {find.place: find.id for find in reviewed.finds.values()}
    tree, intent = keys[FindPlace.TREE], keys[FindPlace.INTENT]
    status, found = ask(f"{url}task/{tree}?rater=A")
    assert (status, found["context"], found["alike"], found["picture"]) == (200, ["", "开始", ""], 1, True)
    assert ask(f"{url}screen/{tree}/0")[1].startswith(b"\xff\xd8\xff")
    box = {"kind": "name", "box": [1, 2, 3, 4]}
    status, added = ask(f"{url}box/{tree}?rater=A", box)
    assert (status, added["kind"], added["box"]) == (200, "name", [1, 2, 3, 4])
    assert ask(f"{url}task/{tree}?rater=A")[1]["added"] == [added]
    assert ask(f"{url}task/{tree}?rater=B")[1]["added"] == []
    for place, body, output in (
        (f"label/{tree}?rater=A", {"decision": "maybe"}, 400),
        (f"label/{tree}?rater=judge:x", {"decision": "reject"}, 400),
        (f"label/{tree}", {"decision": "reject"}, 400),
        ("label/none?rater=A", {"decision": "reject"}, 404),
        (f"box/{tree}?rater=A", box | {"box": [3, 2, 1, 4]}, 400),
        (f"box/{tree}?rater=A", box | {"box": [1, 2, 3, 100000000]}, 400),
        (f"box/{tree}?rater=A", box | {"kind": "secret"}, 400),
        (f"box/{tree}?rater=A", box | {"file": "x"}, 400),
        (f"box/{intent}?rater=A", box, 400),
        ("box/none?rater=A", box, 404),
        (f"remove/{added['key']}?rater=B", {}, 404),
        ("remove/none?rater=A", {}, 404),
        (f"screen/{intent}/0", None, 404),
        (f"screen/{tree}/1", None, 404),
    ):
        assert ask(url + place, body)[0] == output, place
    assert ask(url + "session", Host="example.org")[0] == 403
    lines = (reviewed.report / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    assert [Find.model_validate_json(line).id for line in lines] == [added["key"]]
