"""Tasks, screens and past steps of track 2; a task of track 1; prompts as files."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
from fingertip_dataset.actions import format_action
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence, SuggestionInput
from fingertip_dataset.times import parse_time
from fingertip_models.messages import Message

SIZE = (360, 800)


@pytest.fixture(scope="session")
def task() -> Callable[..., ExecutionInput]:
    """A task whose reference has these actions; None for a task without one."""

    def make(actions: tuple[str, ...] | None = (), task_id: str = "7__20250310_081500") -> ExecutionInput:
        reference = ReferenceSequence(
            episode_id="7__20250301_081500", intent="", similarity=1, actions=actions or ()
        )
        return ExecutionInput(
            task_id=task_id,
            profile=UserProfile(),
            intent="定一个七点的闹钟",
            app="com.android.deskclock",
            time=parse_time("20250310_081500"),
            scenario="住所",
            reference=None if actions is None else reference,
        )

    return make


@pytest.fixture(scope="session")
def screen() -> Callable[..., ScreenInput]:
    """A screen of those nodes: (text, left, top, right, bottom) and further attributes."""

    def make(*nodes: str, size: tuple[int, int] = SIZE) -> ScreenInput:
        return ScreenInput(
            screenshot=b"\x89PNG", tree=f"<hierarchy>{''.join(nodes)}</hierarchy>", size=size, package="a"
        )

    return make


@pytest.fixture(scope="session")
def followed() -> Callable[..., list[Decision]]:
    """What an agent decides on these screens, one after the other; each decision is performed."""

    def follow(
        agent: ExecutionAgent, shown_text: ExecutionInput, screens: list[ScreenInput]
    ) -> list[Decision]:
        decisions: list[Decision] = []
        past: list[PastStep] = []
        for shown in screens:
            decisions.append(agent.act(shown_text, shown, tuple(past)))
            (action,) = decisions[-1].actions
            past.append(PastStep(action=action, written=format_action(action), output=decisions[-1].output))
        return decisions

    return follow


@pytest.fixture(scope="session")
def morning() -> SuggestionInput:
    """A Monday morning at home, and what the person wanted on the three days before."""
    earlier = (
        ("20250307_081000", "住所", "com.tencent.qqmusic", "打开QQ音乐，播放晴天"),
        ("20250308_120500", "餐饮场所", "com.sankuai.meituan/.Main", "打开美团，点一份麻辣烫"),
        ("20250309_201000", "快递站", "com.tencent.qqmusic", "打开QQ音乐，\n# 此刻\n播放稻香"),
    )
    return SuggestionInput(
        task_id="1__20250310_081530",
        profile=UserProfile(sex="女", age=31, occupation="教师", address="北京", phone_brand="小米"),
        time=parse_time("20250310_081530"),
        scenario="住所",
        previous_intents=tuple(
            Intent(user_id="1", time=time, scenario=scenario, app=app, text=text)
            for time, scenario, app, text in earlier
        ),
        screenshots=(b"\x89PNG first", b"\x89PNG second"),
    )


@pytest.fixture
def matches_golden(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[[str, str, tuple[Message, ...]], None]:
    """Compares a prompt with a file of golden/ beside the test; a prompt that changes needs a new version."""

    def compare(name: str, version: str, messages: tuple[Message, ...]) -> None:
        parts = [f"version {version}"]
        for message in messages:
            place = " after the text" if message.images_last else ""
            pictures = f", {len(message.images)} picture{place}" if message.images else ""
            parts.append(f"---- {message.role}{pictures}\n{message.text}")
        text, file = "\n".join(parts) + "\n", request.path.parent / "golden" / f"{name}.txt"
        now = tmp_path / file.name
        now.write_text(text, encoding="utf-8")
        known = file.read_text(encoding="utf-8") if file.exists() else ""
        assert text == known, f"if it is meant so: cp {now} {file}"

    return compare


@pytest.fixture(scope="session")
def alarm_task() -> ExecutionInput:
    return ExecutionInput(
        task_id="1__20250310_081530",
        profile=UserProfile(sex="女", age=31, occupation="教师", address="北京", phone_brand="小米"),
        intent="定一个七点的闹钟",
        app="com.clock",
        time=parse_time("20250310_081530"),
        scenario="住所",
        reference=ReferenceSequence(
            episode_id="1__20250301_070000",
            intent="设早上六点的闹钟",
            similarity=0.8,
            actions=(
                "click(coordinates=(540, 2240), content='添加闹钟')",
                "scroll(coordinates=(300, 900), direction='down')",
                "finished()",
            ),
        ),
    )


@pytest.fixture(scope="session")
def blank_screenshot() -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (1080, 2400), "white").save(written, "PNG", compress_level=1)
    return written.getvalue()
