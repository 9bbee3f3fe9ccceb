"""Repeat the log of a host's inputs on another phone, by the phone's own clock.

A log may come from a stranger, so only what a host can do is done: an intent is resolved again, a setting is
written as `settings put` writes it, and nothing else reaches the state of an app than a touch, a key or text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from android_shell.command_call import CommandError
from android_shell.shell.pipes import Input
from simulated_phone.adb.commands.activity.activities import open_intent
from simulated_phone.adb.commands.activity.intents import read_intent
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.phone_device import make_device
from simulated_phone.logged_input import InputCall, LoggedInput
from simulated_phone.logged_phone import LoggedPhone
from simulated_phone.machine.faults import PERMISSION
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import PhoneError


class RepeatError(Exception):
    """Raised for an input that another phone cannot repeat, or that leads elsewhere on it.

    Args:
        number: Number of the input, from 1; one more than there are for the end.
        reason: What differs.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"input {number}: {reason}")
        self.number, self.reason = number, reason


def repeat_inputs(phone: LoggedPhone, inputs: Iterable[LoggedInput]) -> int:
    """Repeat a log on a phone in the state that the log began with, and compare after each input.

    Args:
        phone: The phone; `start_log` has been called, and nothing has happened since. Its own log is
            compared with the given one.
        inputs: The log.

    Returns:
        The number of inputs.

    Raises:
        RepeatError: An input is impossible, or its screen or state is another one.
    """
    number = 0
    for number, one in enumerate(inputs, start=1):
        wait_until(phone, one.at_ms, number)
        problem = ""
        try:
            repeat_input(phone, one)
        # a call that failed is logged as well, with what it had changed before
        except (PhoneError, CommandError, LookupError, TypeError, ValueError, AttributeError) as error:
            problem = f"is not possible: {error}"
        made = phone.log[-1] if phone.log is not None and len(phone.log) == number else None
        if made is None and problem:
            raise RepeatError(number, f"{_name(one)} {problem}")
        if reason := _find_difference(one, made):
            raise RepeatError(number, f"{_name(one)} {reason}")
    return number


def _find_difference(one: LoggedInput, made: LoggedInput | None) -> str:
    """In what an input differs from its repetition, in words; "" if it does not."""
    if made is None or (one.call, one.numbers, one.words, one.writes, one.velocity) != (
        *(made.call, made.numbers, made.words, made.writes, made.velocity),
    ):
        return "is not logged as itself when it is repeated"
    if one.screen_sha256 != made.screen_sha256:
        return "came on another screen than the one of the replay"
    if one.state_sha256 != made.state_sha256:
        return f"leads to state {one.state_sha256[:12]}, but its replay to {made.state_sha256[:12]}"
    return ""


def wait_until(phone: LoggedPhone, at_ms: int, number: int) -> None:
    """Let the phone's clock pass until a time of the log.

    Raises:
        RepeatError: It has passed already.
    """
    if at_ms < phone.log_ms:
        raise RepeatError(number, f"at {at_ms} ms, while the one before it ends at {phone.log_ms} ms")
    phone.wait((at_ms - phone.log_ms) / 1000)


def repeat_input(phone: LoggedPhone, one: LoggedInput) -> None:
    """Repeat an input of a log.

    Raises:
        PhoneError, CommandError, LookupError, TypeError, ValueError, AttributeError: It is not possible.
    """
    _CALLS[one.call](phone, one)


def _name(one: LoggedInput) -> str:
    return " ".join([one.call, *map(str, (*one.numbers, *one.words, *one.writes))])[:80]


def _follow_intent(phone: LoggedPhone, one: LoggedInput) -> None:
    call = DeviceCall(
        device=make_device(phone),
        name="am",
        args=list(one.words),
        write=_write_nowhere,
        input=Input(_read_nothing),
        folder="/",
        environment={},
        execute=_execute_nothing,
        run_script=_execute_nothing,
    )
    if not open_intent(call, read_intent(call)):
        raise ValueError("it leads nowhere")


async def _write_nowhere(_kind: int, _data: bytes) -> None:
    """Drop the output of a command."""


async def _read_nothing() -> bytes:
    return b""


async def _execute_nothing(*_words: object) -> int:
    return 127


def _write(phone: LoggedPhone, one: LoggedInput) -> None:
    """Write what a host wrote without another call."""
    for verb, *words in one.writes:
        _WRITES[verb](phone, *words)
    phone.command_ended()


def _put(phone: Phone, namespace: str, key: str, value: str) -> None:
    phone.setting_rows[namespace][key] = value


def _delete(phone: Phone, namespace: str, key: str) -> None:
    del phone.setting_rows[namespace][key]


def _grant(phone: Phone, mark: str) -> None:
    if not mark.startswith(PERMISSION):
        raise ValueError(f"expected the mark of a permission, got {mark!r}")
    phone.data["asked"].append(mark)


def _revoke(phone: Phone, mark: str) -> None:
    phone.data["asked"].remove(mark)


def _hide_toast(phone: Phone) -> None:
    phone.data["toast"] = None


_WRITES: Mapping[str, Callable[..., None]] = MappingProxyType(
    {
        "put": _put,
        "delete": _delete,
        "grant": _grant,
        "revoke": _revoke,
        "close": lambda phone, package: phone.tasks.close(package),
        "post": lambda phone, tag, title, text: phone.tasks.post_notification(tag, title, text),
        "hide_toast": _hide_toast,
    }
)
"""First word of a write -> what does it, with the others."""


def _set_display(phone: LoggedPhone, one: LoggedInput) -> None:
    width, height, density = map(int, one.numbers)
    phone.set_display((width, height) if width else None, density or None)


def _clear_app(phone: LoggedPhone, one: LoggedInput) -> None:
    phone.clear_app(*one.words)
    phone.command_ended()


_CALLS: Mapping[InputCall, Callable[[LoggedPhone, LoggedInput], object]] = MappingProxyType(
    {
        "tap": lambda phone, one: phone.tap(*one.numbers),
        "hold": lambda phone, one: phone.long_press(*one.numbers),
        "swipe": lambda phone, one: phone.swipe(*one.numbers, velocity=one.velocity),
        "text": lambda phone, one: phone.type_text(*one.words),
        "keys": lambda phone, one: phone.type_keys(*one.words),
        "key": lambda phone, one: phone.press_key(*one.words),
        "enter": lambda phone, _: phone.enter(),
        "clear_text": lambda phone, _: phone.edit(lambda _: ""),
        "start": lambda phone, one: phone.start(*one.words),
        "stop": lambda phone, one: phone.stop(*one.words),
        "intent": _follow_intent,
        "clear_app": _clear_app,
        "open_panel": lambda phone, _: phone.open_panel(),
        "close_panel": lambda phone, _: phone.close_panel(),
        "unlock": lambda phone, _: phone.unlock(),
        "display": _set_display,
        "write": _write,
        "answer": lambda phone, one: phone.take_answer(*one.words),
        "question": lambda phone, one: phone.put_question(*one.words),
    }
)
"""Call of a log -> what repeats it."""
