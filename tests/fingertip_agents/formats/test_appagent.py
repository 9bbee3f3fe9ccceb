"""Numbers and typed texts of AppAgent."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.appagent import list_marks
from fingertip_dataset.actions import Type
from tests.examples import examples
from tests.fingertip_agents.formats.conftest import Prepare


def test_what_reacts_is_numbered_in_document_order(clock_screen: ScreenInput) -> None:
    marks = list_marks(clock_screen)
    assert [mark.words for mark in marks] == ["07:00 起床", "开启", "", "搜索", "添加闹钟"]
    assert [mark.box.center for mark in marks] == [
        (540, 400), (970, 400), (540, 1250), (380, 2080), (540, 2240),
    ]  # fmt: skip


LINES = st.text(min_size=1).map(lambda text: "".join(text.splitlines()))


@given(LINES.filter(lambda text: text and "\\" not in text))
@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_of_one_line_is_typed_as_it_is_but_for_escapes(prepare: Prepare, text: str) -> None:
    assert prepare("appagent", {}).read(f'Action: text("{text}")').actions == (Type(text=text),)
