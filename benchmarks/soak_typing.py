"""Ten thousand random texts through the real adb into a text field: each must arrive as it is.

`python -m benchmarks.soak_typing [TEXTS]`: minutes; no part of `python -m benchmarks`.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_keyboard import ADB_KEYBOARD
from execution_runner.devices.adb_server import private_adb_server
from fingertip_dataset.ui_tree.accessibility import parse_tree
from simulated_phone import Phone, SimulatedPhoneServer

TEXTS = 10_000
LONGEST = 40
ALPHABETS = (
    "abc XYZ 019 .,:;!?@_+=/-",
    "\\'\"`$&|;<>()[]{}*?#~!%^ \t",
    "%s %d %% $HOME $(id) `id` && || ;; ",
    "的一是不了人我在有他支付，。！？、（）《》“”",
    "😀👍🇨🇳🏽🎉",
    "مرحبا שלום ",
    "éüñßøОтвет日本語한국어",
)


def some_text(rng: random.Random) -> str:
    """One to forty characters that can be seen, of any of the alphabets mixed."""
    letters = (rng.choice(rng.choice(ALPHABETS)) for _ in range(rng.randrange(1, LONGEST)))
    return "".join(letter for letter in letters if letter.isprintable()) or "a"


def focus_a_field(server: SimulatedPhoneServer, device: AdbDevice) -> None:
    """The launcher's search field has the focus, by taps."""
    for words in ("搜索应用", "android.widget.EditText"):
        nodes = parse_tree(device.dump()).elements
        node = next(e for e in nodes if words in (e.text, e.description, e.hint, e.class_name) and e.box)
        assert node.box is not None  # noqa: S101 - asked for above
        device.tap(*node.box.center)
    if server.do(lambda phone: phone.shown().focus) is None:
        raise SystemExit("expected a field with the focus, got none")


def in_field(phone: Phone) -> str:
    """What the field that has the focus holds, from the phone's own state."""
    focus = phone.shown().focus
    return "" if focus is None else focus.text


def soak(server: SimulatedPhoneServer, device: AdbDevice, texts: int, say: Callable[[str], None]) -> int:
    """Types that many texts, and counts those that arrive otherwise."""
    rng, wrong = random.Random(10), 0  # noqa: S311 - texts, no secrets
    for number in range(texts):
        text = some_text(rng)
        server.do(lambda phone: phone.edit(lambda _: ""))
        device.type_text(text)
        arrived = server.do(in_field)
        if arrived != text:
            wrong += 1
            say(f"text {number}: expected {text!r}, got {arrived!r}")
    return wrong


def main() -> None:
    """Prints how many texts arrived."""
    texts = int(sys.argv[1]) if len(sys.argv) > 1 else TEXTS
    phone = Phone(size=(540, 1200), density=210)
    with private_adb_server() as port, SimulatedPhoneServer(phone) as server:
        device = AdbDevice.find(server.serial, server_port=port)
        focus_a_field(server, device)
        # the keyboard is changed and restored once, not ten thousand times: the tests do that part
        server.do(lambda phone: phone.settings["secure"].update(default_input_method=ADB_KEYBOARD))
        begin = time.perf_counter()
        wrong = soak(server, device, texts, print)
        seconds = time.perf_counter() - begin
    print(f"{texts - wrong} of {texts} texts arrived as they are, {1000 * seconds / texts:.0f} ms each")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
