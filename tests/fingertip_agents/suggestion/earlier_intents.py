"""Earlier intents of one person and tasks of a Wednesday morning."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import strategies as st

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_dataset.times import BEIJING, TIME_FORMAT

NOW = datetime(2025, 3, 12, 8, 0, tzinfo=BEIJING)  # a Wednesday


def at(day: int, hour: float) -> datetime:
    return datetime(2025, 3, day, tzinfo=BEIJING) + timedelta(hours=hour)


def earlier(moment: datetime, text: str, scenario: str = "住所") -> Intent:
    return Intent(user_id="1", time=moment.strftime(TIME_FORMAT), scenario=scenario, app="com.a", text=text)


def task(*intents: Intent, scenario: str = "住所", time: datetime | None = NOW) -> SuggestionInput:
    return SuggestionInput(
        task_id="1__20250312_080000",
        profile=UserProfile(),
        time=time,
        scenario=scenario,
        previous_intents=intents,
    )


TEXTS = st.sampled_from(["听歌", "打开音乐听歌", "导航", "听歌。", "看 新闻", "看新闻"])
MOMENTS = st.integers(0, 60 * 24 * 40).map(lambda minutes: at(12, 0) - timedelta(minutes=minutes))
HISTORIES = st.lists(
    st.builds(earlier, MOMENTS, TEXTS, st.sampled_from(["住所", "学校"])), min_size=1, max_size=12
).map(lambda found: sorted(found, key=lambda intent: intent.time))
