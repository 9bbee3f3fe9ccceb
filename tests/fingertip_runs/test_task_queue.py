"""The queue of a run's tasks when no device is left."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fingertip_dataset.errors import DeviceError, DeviceNotFoundError
from fingertip_runs.task_queue import TaskQueue, work_concurrently


@dataclass(frozen=True, slots=True)
class Device:
    """A device by its name."""

    name: str


@pytest.mark.parametrize(
    ("tasks", "reasons", "words", "kind"),
    [
        (
            3,
            {"a": "no adb on the PATH", "b": "no adb on the PATH"},
            "no device is left for 3 tasks: a, b: no adb on the PATH; call again",
            DeviceNotFoundError,
        ),
        (
            1,
            {"a": "no adb on the PATH", "b": "offline", "c": "no adb on the PATH"},
            "no device is left for 1 task: a, c: no adb on the PATH; b: offline; call again",
            DeviceError,
        ),
    ],
)
def test_a_cause_that_devices_share_is_named_once(
    tasks: int, reasons: dict[str, str], words: str, kind: type[DeviceError]
) -> None:
    def lost(_task: int, device: Device) -> DeviceError:
        reason = reasons[device.name]
        return DeviceError(reason) if reason == "offline" else DeviceNotFoundError(reason)

    with pytest.raises(DeviceError) as caught:
        work_concurrently(TaskQueue(range(tasks)), [*map(Device, reasons)], lost, advice="call again")
    assert (str(caught.value), type(caught.value)) == (words, kind)
