"""Typing by ADB Keyboard: text arrives verbatim, and the person's keyboard is restored."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from benchmarks.soak_typing import focus_a_field, in_field, some_text
from execution_runner.devices.adb_keyboard import ADB_KEYBOARD, PIECE
from fingertip_dataset.errors import DeviceError
from tests.phone_bench import Bench

Start = Callable[..., Bench]
TEXTS = 25


def field(rig: Bench) -> str:
    return rig.server.do(in_field)


def empty(rig: Bench) -> None:
    rig.server.do(lambda phone: phone.edit(lambda _: ""))


@pytest.fixture
def rig(bench: Start) -> Bench:
    made = bench()
    focus_a_field(made.server, made.device)
    return made


def test_random_texts_arrive_verbatim(rig: Bench) -> None:
    rng = random.Random(20)  # noqa: S311 - texts, no secrets
    rig.server.do(lambda phone: phone.settings["secure"].update(default_input_method=ADB_KEYBOARD))
    for _ in range(TEXTS):
        text = some_text(rng)
        empty(rig)
        rig.device.type_text(text)
        assert field(rig) == text


@pytest.mark.parametrize(
    "text",
    [
        "a" * (2 * PIECE + 7),
        "长" * (PIECE + 1) + "尾",
        "\\\\n '\"`$(reboot)`\" ''",
        "%s %20 100%",
        "مرحبا שלום",
        "👍🏽🇨🇳é",
        "*** --- ***！",
        " leading and trailing ",
        "",
    ],
)
def test_texts_with_special_characters_arrive_verbatim(rig: Bench, text: str) -> None:
    own = rig.phone.current_ime
    rig.device.type_text(text)
    assert field(rig) == text
    assert rig.phone.current_ime == own


def test_every_kind_of_newline_is_sent_as_enter(rig: Bench) -> None:
    rig.device.type_text("ab\r\n")
    assert rig.server.do(lambda phone: phone.shown().focus) is None


def test_a_lone_surrogate_is_refused_in_one_line(rig: Bench) -> None:
    with pytest.raises(DeviceError, match="half a surrogate pair at position 1") as caught:
        rig.device.type_text("a\ud83d")
    assert "\n" not in str(caught.value)
    assert field(rig) == ""


TYPING = """
import sys
from execution_runner.devices.adb import AdbDevice
device = AdbDevice.find(sys.argv[1], server_port=int(sys.argv[2]))
while True:
    device.type_text("打字")
"""


def test_the_persons_keyboard_is_restored_after_ctrl_c(rig: Bench, adb_port: int) -> None:
    own = rig.phone.current_ime
    typing = subprocess.Popen(
        [sys.executable, "-c", TYPING, rig.server.serial, str(adb_port)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while rig.server.do(lambda phone: phone.current_ime) != ADB_KEYBOARD:
        assert time.monotonic() < deadline
    typing.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in typing.communicate(timeout=120)[1]
    assert rig.server.do(lambda phone: phone.current_ime) == own
