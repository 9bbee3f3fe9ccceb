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
from tests.served_page import serve_page

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
class Served:
    """A served page of success labels or of ratings."""

    session: Any
    server: PageServer
    thread: threading.Thread

    @property
    def url(self) -> str:
        return self.server.url


@pytest.fixture
def serve_session() -> Iterator[Callable[..., Served]]:
    """Function that opens a session and serves it as a page of a type to one rater, or to all with None."""
    with contextlib.ExitStack() as stack:

        def start(session: Any, page: Any, rater: str | None) -> Served:  # noqa: ANN401
            stack.enter_context(session)
            served = serve_page(page(session, raters=() if rater is None else (rater,)))
            server, thread = stack.enter_context(served)
            return Served(session=session, server=server, thread=thread)

        yield start


@pytest.fixture
def serve(serve_session: Callable[..., Served]) -> Callable[..., Served]:
    """Function that serves the page of success labels of runs; takes `rater`."""
    return lambda *runs, rater="anna": serve_session(SuccessSession(runs), SuccessPage, rater)


@pytest.fixture
def serve_ratings(serve_session: Callable[..., Served]) -> Callable[..., Served]:
    """Function that serves the page of ratings of runs; takes `rater`."""
    return lambda *runs, rater="anna": serve_session(RatingSession(runs), RatingPage, rater)


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Tab]]:
    """Function that opens an address in a new window; every error on the page fails the test."""
    contexts, troubles, forgiveness = [], [], []

    def start(
        url: str,
        size: tuple[int, int] = (1280, 800),
        forgiven: tuple[str, ...] = (),
        **options: Any,  # noqa: ANN401
    ) -> Tab:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        context.set_default_timeout(120_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on("console", lambda output: troubles.append(output.text) if output.type == "error" else None)
        forgiveness.extend(forgiven)
        page.goto(url)
        return page

    yield start
    for context in contexts:
        context.close()
    assert [trouble for trouble in troubles if not any(kind in trouble for kind in forgiveness)] == []
