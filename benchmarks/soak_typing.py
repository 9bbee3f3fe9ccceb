"""Types ten thousand random texts into a text field through the real adb: each must arrive unchanged.

`python -m benchmarks.soak_typing [TEXTS]` takes minutes, so `python -m benchmarks` does not run it.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_keyboard import ADB_KEYBOARD
from execution_runner.devices.adb_server import run_private_adb_server
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
    """A random text of 1 to 39 printable characters, mixed from all alphabets."""
    letters = (rng.choice(rng.choice(ALPHABETS)) for _ in range(rng.randrange(1, LONGEST)))
    return "".join(letter for letter in letters if letter.isprintable()) or "a"


def focus_a_field(server: SimulatedPhoneServer, device: AdbDevice) -> None:
    """Focuses the launcher's search field by taps."""
    for words in ("搜索应用", "android.widget.EditText"):
        nodes = parse_tree(device.dump()).elements
        node = next(e for e in nodes if words in (e.text, e.description, e.hint, e.class_name) and e.box)
        assert node.box is not None  # noqa: S101 - checked above
        device.tap(*node.box.center)
    if server.do(lambda phone: phone.shown().focus) is None:
        raise SystemExit("expected a field with the focus, got none")


def in_field(phone: Phone) -> str:
    """Text of the focused field, from the phone's state."""
    focus = phone.shown().focus
    return "" if focus is None else focus.text


def soak(server: SimulatedPhoneServer, device: AdbDevice, texts: int, report: Callable[[str], None]) -> int:
    """Types a number of texts and returns how many arrive changed."""
    rng, wrong = random.Random(10), 0  # noqa: S311 - texts, no secrets
    for number in range(texts):
        text = some_text(rng)
        server.do(lambda phone: phone.edit(lambda _: ""))
        device.type_text(text)
        arrived = server.do(in_field)
        if arrived != text:
            wrong += 1
            report(f"text {number}: expected {text!r}, got {arrived!r}")
    return wrong


def main() -> None:
    """Prints how many texts arrived unchanged."""
    texts = int(sys.argv[1]) if len(sys.argv) > 1 else TEXTS
    phone = Phone(size=(540, 1200), density=210)
    with run_private_adb_server() as port, SimulatedPhoneServer(phone) as server:
        device = AdbDevice.find(server.serial, server_port=port)
        focus_a_field(server, device)
        # set once here, so that the keyboard is not switched ten thousand times; tests cover the switch
        server.do(lambda phone: phone.settings["secure"].update(default_input_method=ADB_KEYBOARD))
        begin = time.perf_counter()
        wrong = soak(server, device, texts, print)
        seconds = time.perf_counter() - begin
    print(f"{texts - wrong} of {texts} texts arrived unchanged, {1000 * seconds / texts:.0f} ms each")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
