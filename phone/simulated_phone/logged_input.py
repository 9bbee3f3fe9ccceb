"""A call of a host that may change a simulated phone, as it is logged, without the phone itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

InputCall = Literal[
    "tap", "hold", "swipe", "text", "keys", "key", "enter", "clear_text",
    "start", "stop", "intent", "clear_app", "open_panel", "close_panel", "unlock", "display",
    "write", "answer", "question",
]  # fmt: skip
"""Calls of a host; `LoggedInput` says what their numbers and words are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedInput:
    """A call of a host that may change the phone.

    Attributes:
        at_ms: Time on the phone's clock before the call, ms since the log's start.
        call: "tap", "hold" and "swipe": `numbers` has the points and, but for a tap, the duration, ms; a
            swipe may have a `velocity`. "text", "keys", "answer", "question": `words` has the text. "key":
            the key's name. "start": a component. "stop", "clear_app": a package. "intent": the arguments of
            `am`.
            "display": `numbers` has width, height and density, 0 for the physical one. "write": `writes` has
            what was written without any other call. The others have neither.
        numbers: As the call says.
        words: As the call says.
        writes: ("put", namespace, key, value) and ("delete", namespace, key) of a setting; ("grant", mark)
            and ("revoke", mark) of a permission; ("close", package) of a recent app; ("post", tag, title,
            text) of a notification; ("hide_toast",).
        velocity: Velocity of a swipe at release, px/s across and down; None for an even swipe.
        screen_sha256: Hash of the screen's tree before the call; "" for a write, which is noticed after it.
        state_sha256: Hash of the phone's state after the call.
    """

    at_ms: int
    call: InputCall
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    writes: tuple[tuple[str, ...], ...] = ()
    velocity: tuple[float, float] | None = None
    screen_sha256: str = ""
    state_sha256: str
