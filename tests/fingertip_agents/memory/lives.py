"""Events of drawn lives, for tests of memories."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from hypothesis import strategies as st

from fingertip_agents.memory.event import Event
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_dataset.times import format_time, parse_time

START = parse_time("20250303_000000")
KINDS = ("episode", "episode", "episode", "accepted", "not_now", "never", "ignored")
WORDS = ("Play jazz", "Order lunch", "Set a 7 am alarm", "打开QQ音乐，播放晴天", "给妈妈回个电话", "查天气")


def make_event(
    minute: int, text: str, *, kind: str = "episode", user: str = "7", place: str = "住所"
) -> Event:
    """Return an event some minutes after the start."""
    moment = START + timedelta(minutes=minute)
    intent = Intent(
        user_id=user,
        time=format_time(moment),
        scenario=place,
        app="",
        text=text if kind == "episode" else "",
    )
    return Event(
        time=moment,
        kind=kind,  # type: ignore[arg-type]
        intent=intent,
        suggestion="" if kind == "episode" else text,
    )


def make_task(minute: int, *, language: str = "zh", place: str = "住所") -> SuggestionInput:
    """Return a task some minutes after the start."""
    moment: datetime = START + timedelta(minutes=minute)
    return SuggestionInput(
        task_id=f"7__{format_time(moment)}",
        profile=UserProfile(sex="女", age=30),
        time=moment,
        scenario=place,
        previous_intents=(),
        language=language,
    )


def draw_life(count: int, seed: int = 0) -> list[Event]:
    """Draw events of a person in the order of time, an hour apart, in a few dozen wordings."""
    rng = Random(seed)  # noqa: S311 - a drawn life
    return [
        make_event(60 * number, f"{rng.choice(WORDS)} {rng.randrange(8)}", kind=rng.choice(KINDS))
        for number in range(count)
    ]


LIVES = st.lists(
    st.tuples(st.integers(0, 40_000), st.sampled_from(WORDS), st.sampled_from(KINDS)), max_size=25
).map(lambda drawn: [make_event(minute, text, kind=kind) for minute, text, kind in sorted(drawn)])
"""Events in the order of time, some at the same minute."""
