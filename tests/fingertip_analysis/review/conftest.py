"""Fixtures: runs with generated screens, and served annotation pages."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image, ImageDraw

from fingertip_analysis.review.rating import RatingPage, RatingSession
from fingertip_analysis.review.success import SuccessPage, SuccessSession
from fingertip_runs.annotation import PageServer
from tests.execution_runner.conftest import DrawRun
from tests.execution_runner.conftest import draw_run as draw_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

SIZE = (270, 600)
ACTIONS = (
    "click(coordinates=(135, 120), content='搜索')",
    "type(text='稻香')",
    "scroll(coordinates=(135, 400), direction='down')",
    "finished()",
)
AGENT = "quixotic-agent"
THOUGHT = "I am quixotic-agent and I am sure"


def screen(number: int) -> bytes:
    """A screen that differs from all others, as PNG."""
    image = Image.new("RGB", SIZE, (250, 250 - 12 * number, 240))
    draw = ImageDraw.Draw(image)
    draw.rectangle((20, 90, 250, 150), fill=(60 + 20 * number, 110, 160))
    for row in range(6):
        draw.rounded_rectangle((20, 190 + 62 * row, 250, 240 + 62 * row), 10, fill=(235, 232, 224))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


DrawnRun = Callable[..., Path]


@pytest.fixture
def drawn_run(draw_run: DrawRun) -> DrawnRun:
    """Function that writes a run with screens; takes intents, fields of the tasks' ends, and of run.json."""

    def write(*intents: str, ends: dict[str, Any] | None = None, **changes: Any) -> Path:  # noqa: ANN401
        agent = {"name": AGENT, "settings": {"model": AGENT}}
        steps = [
            {
                "action": action,
                "written": action,
                "screenshot": f"screens/{number}.png",
                "size": list(SIZE),
                "thought": THOUGHT,
                "output": f"{AGENT} says {action}",
            }
            for number, action in enumerate(ACTIONS)
        ]
        tasks = [
            {
                "intent": intent,
                "task_id": f"{number}__20250301_080000",
                "actions": steps,
                "final_screenshot": f"screens/{len(ACTIONS)}.png",
                "reason": f"{AGENT} is done",
                **(ends or {}),
            }
            for number, intent in enumerate(intents)
        ]
        run = draw_run(tasks, agent=agent, **changes)
        (run / "screens").mkdir()
        for number in range(len(ACTIONS) + 1):
            (run / "screens" / f"{number}.png").write_bytes(screen(number))
        return run

    return write


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A served page of success labels."""

    session: SuccessSession
    server: PageServer
    thread: threading.Thread

    @property
    def url(self) -> str:
        return self.server.url


@pytest.fixture
def serve() -> Iterator[Callable[..., Page]]:
    """Function that opens a session of success labels over runs and serves its page; takes `rater`."""
    with contextlib.ExitStack() as stack:

        def start(*runs: Path, rater: str | None = "anna") -> Page:
            session = stack.enter_context(SuccessSession(runs))
            page = SuccessPage(session, raters=() if rater is None else (rater,))
            server = stack.enter_context(PageServer(page))
            thread = threading.Thread(target=server.serve)
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.stop)
            return Page(session=session, server=server, thread=thread)

        yield start


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRatings:
    """A served page of ratings."""

    session: RatingSession
    thread: threading.Thread
    url: str


@pytest.fixture
def serve_ratings() -> Iterator[Callable[..., ServedRatings]]:
    """Function that opens a rating session over runs and serves its page; takes `rater` and `user_id`."""
    with contextlib.ExitStack() as stack:

        def start(*runs: Path, rater: str | None = "anna", user_id: str | None = None) -> ServedRatings:
            session = stack.enter_context(RatingSession(runs, user_id=user_id))
            page = RatingPage(session, raters=() if rater is None else (rater,))
            server = stack.enter_context(PageServer(page))
            thread = threading.Thread(target=server.serve)
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.stop)
            return ServedRatings(session=session, thread=thread, url=server.url)

        yield start


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Tab]]:
    """Function that opens an address in a new window; every error on the page fails the test."""
    contexts, troubles, forgiveness = [], [], []

    def start(
        url: str,
        size: tuple[int, int] = (1280, 800),
        forgiven: str = "nothing",
        **options: Any,  # noqa: ANN401
    ) -> Tab:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        context.set_default_timeout(120_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda output: troubles.append(output.text) if output.type == "error" else None)
        forgiveness.append(forgiven)
        page.goto(url)
        return page

    yield start
    for context in contexts:
        context.close()
    assert [trouble for trouble in troubles if not any(kind in trouble for kind in forgiveness)] == []
