"""Random use of a phone, for tests of invariants."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from simulated_phone import Phone
from simulated_phone.screens.drawing.frame_buffer import FrameBuffer
from simulated_phone.screens.nodes import Node

KEYS = ("KEYCODE_BACK", "KEYCODE_HOME", "KEYCODE_APP_SWITCH", "KEYCODE_ENTER", "KEYCODE_DEL")
TEXTS = ("晴天", "7", "wifi", "a&<b\n", "🚇\x00")


def small(seed: int = 1) -> Phone:
    """A phone of the usual aspect ratio with a quarter of the pixels."""
    return Phone(seed=seed, size=(540, 1200), density=210)


def node(phone: Phone, label: str) -> Node:
    """The first node with the label."""
    return next(n for n in phone.screen().nodes() if label in (n.text, n.description, n.hint))


def visible_texts(phone: Phone) -> set[str]:
    """The texts of all nodes on the screen."""
    return {n.text for n in phone.screen().nodes()} - {""}


def is_black_but_for_bars(phone: Phone) -> bool:
    """Whether a screenshot is black where the app is, and shows the bars."""
    picture = phone.screenshot()
    width, height = picture.size
    top, bottom = round(height * 0.08), round(height * 0.92)
    app, bar = picture.crop((0, top, width, bottom)), picture.crop((0, bottom, width, height))
    assert np.array_equal(FrameBuffer(phone.size).draw(phone.screen()), np.asarray(picture))
    return app.getextrema() == ((0, 0),) * 3 and bar.convert("L").getextrema()[1] > 200


def touch(phone: Phone, label: str) -> None:
    """Tap the first node with the label."""
    phone.tap(*node(phone, label).box.centre)


def random_actions(phone: Phone, rng: random.Random, count: int) -> Iterator[str]:
    """Perform random actions, mostly on clickable nodes; yield the kind of each."""
    for _ in range(count):
        width, height = phone.size
        kind = rng.choices(["node", "hold", "swipe", "type", "key", "any"], [60, 6, 14, 6, 6, 8])[0]
        nodes = [n for n in phone.screen().nodes() if n.clickable]
        x, y = rng.randrange(width), rng.randrange(height)
        if kind in ("node", "hold") and nodes:
            x, y = rng.choice(nodes).box.centre
        if kind in ("node", "any"):
            phone.tap(x, y)
        elif kind == "hold":
            phone.long_press(x, y)
        elif kind == "swipe":
            phone.swipe(x, y, rng.randrange(width), rng.randrange(height))
        elif kind == "type":
            phone.type_text(rng.choice(TEXTS))
        else:
            phone.press_key(rng.choice(KEYS))
        yield kind
