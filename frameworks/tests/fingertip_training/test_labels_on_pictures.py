"""Labels, prompts and sent pictures have one frame, however a screenshot is stored."""

from __future__ import annotations

import io
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from execution_runner.environments.recorded_episodes import read_recorded_steps
from fingertip_agents.registry import FORMATS, make_format, sends_pictures
from fingertip_dataset.actions import Click, parse_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_dataset.times import parse_time
from fingertip_training.dropped_steps import DroppedSteps
from fingertip_training.execution_samples import episode_samples
from fingertip_training.training_sample import TrainingSample
from tests.examples import examples
from tests.stored_pictures import CORNER, KINDS, StoredPicture

TASK = ExecutionInput(
    task_id="7__20250310_081500",
    profile=UserProfile(),
    intent="定一个七点的闹钟",
    app="com.android.deskclock",
    time=parse_time("20250310_081500"),
    scenario="住所",
    reference=None,
)
SIZE = (360, 800)
ACTION = f"click(coordinates=({CORNER // 2}, {CORNER // 2}), content='红')"
TREE = (
    '<hierarchy><node text="红" clickable="true" package="com.android.deskclock" '
    f'bounds="[0,0][{CORNER},{CORNER}]"/></hierarchy>'
)


def make_sample(name: str, data: bytes, max_pixels: int | None) -> TrainingSample:
    """Return the sample of an episode of one click on the corner of a screenshot."""
    row = {
        "actions": [{"raw": ACTION}],
        "screenshots": [{"bytes": data, "path": "11.jpg"}],
        "accessibility_trees": [TREE],
    }
    steps = read_recorded_steps(row)
    assert steps[0].observation.size == SIZE
    chosen = make_format(name, **({} if max_pixels is None else {"max_pixels": max_pixels}))
    (sample,) = episode_samples(TASK, "7", steps, DroppedSteps(), format=chosen, language="en")
    return sample


@pytest.mark.parametrize("max_pixels", [None, 150_000])
@pytest.mark.parametrize("name", [name for name in FORMATS if sends_pictures(name)])
@settings(max_examples=examples(12), deadline=None)
@given(kind=st.sampled_from(KINDS), orientation=st.integers(1, 8))
def test_the_label_is_that_of_the_upright_picture(
    name: str, max_pixels: int | None, kind: tuple[str, str], orientation: int
) -> None:
    upright = make_sample(name, StoredPicture(format="PNG", size=SIZE).write(), max_pixels)
    stored = StoredPicture(format=kind[0], mode=kind[1], orientation=orientation, size=SIZE)
    sample = make_sample(name, stored.write(), max_pixels)
    assert sample.answer == upright.answer
    assert [message.text for message in sample.messages] == [message.text for message in upright.messages]
    (shown,) = (image for message in sample.messages for image in message.images)
    (wanted,) = (image for message in upright.messages for image in message.images)
    with Image.open(io.BytesIO(shown)) as image, Image.open(io.BytesIO(wanted)) as other:
        assert image.size == other.size
        assert image.getexif().get(0x112) is None
        assert image.mode not in ("CMYK", "I;16")
        across, down = (side / whole for side, whole in zip(image.size, SIZE, strict=True))
        corner = (
            image.convert("RGBA")
            .convert("RGB")
            .getpixel((round(across * CORNER * 0.25), round(down * CORNER * 0.6)))
        )
    # AppAgent draws numbers and boxes on its picture
    assert name == "appagent" or corner == pytest.approx(stored.corner, abs=24)
    if shown.startswith(b"\x89PNG"):
        assert struct.unpack(">B", shown[24:25])[0] <= 8


def test_the_case_of_an_orientation_of_6() -> None:
    stored = StoredPicture(format="JPEG", orientation=6, size=SIZE)
    with Image.open(io.BytesIO(stored.write())) as image:
        # stored lying, as a camera would
        assert image.size == (800, 360)
    sample = make_sample("qwen3-vl", stored.write(), None)
    # in thousandths of 360 x 800, and not of 800 x 360
    assert '"coordinate": [22, 10]' in sample.answer
    assert parse_action(ACTION) == Click(x=8, y=8, content="红")
