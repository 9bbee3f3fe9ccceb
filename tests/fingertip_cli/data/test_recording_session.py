"""A session of recordings while its person is waited for: reminders, and the limit of a day."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from fingertip_cli.data.recording_session import TITLE, RecordingSession, ask_place
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.settings import PUBLISHED
from fingertip_recorder.reminders import TAG, read_reminder_rules
from tests.phone_bench import Bench, adb_port, bench

__all__ = ["adb_port", "bench"]

QUICK = 0.05


class Terminal:
    """Keyboard and screen of a session that runs in a thread."""

    def __init__(self, capsys: pytest.CaptureFixture[str], keys: int) -> None:
        self._capsys, self._keys, self._shown = capsys, keys, ""

    def type(self, line: str) -> None:
        os.write(self._keys, f"{line}\n".encode())

    def until(self, words: str) -> str:
        deadline = time.monotonic() + 60
        while words not in self._shown:
            assert time.monotonic() < deadline, self._shown
            out, err = self._capsys.readouterr()
            self._shown += out + err
            time.sleep(QUICK / 5)
        shown, _, self._shown = self._shown.partition(words)
        return shown


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    ends = os.pipe()
    with os.fdopen(ends[0]) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield Terminal(capsys, ends[1])


def session_of(rig: Bench, raw: Path, *, most: int | None = None) -> RecordingSession:
    return RecordingSession(
        device=rig.device,
        out=raw,
        user="7",
        settings=PUBLISHED,
        start="home",
        most_a_day=most,
        remind_seconds=QUICK,
    )


@contextmanager
def waiting(session: RecordingSession, terminal: Terminal, *occasions: str) -> Iterator[None]:
    """The session in a thread, which ends with its input."""
    rules = read_reminder_rules(occasions, ["22:00-08:00"])
    thread = threading.Thread(target=lambda: session.record_with_reminders(rules, notify=True, place="住所"))
    thread.start()
    terminal.until("waiting: Enter records an episode, Ctrl-C ends\n")
    try:
        yield
    finally:
        os.close(terminal._keys)
        thread.join(60)
        assert not thread.is_alive()


def pass_time(rig: Bench, *, hours: float) -> None:
    def change(phone: object) -> None:
        rig.phone.now = rig.phone.now + timedelta(hours=hours)

    rig.server.do(change)


def test_a_screen_that_wakes_reminds_on_the_terminal_and_on_the_phone(
    bench: Callable[..., Bench], tmp_path: Path, terminal: Terminal
) -> None:
    rig = bench()
    (tmp_path / "7" / "20250310_000000").mkdir(parents=True)
    with waiting(session_of(rig, tmp_path, most=2), terminal, "wake"):
        pass_time(rig, hours=2)
        rig.device.client.shell("input", "keyevent", "KEYCODE_SLEEP")
        time.sleep(8 * QUICK)
        rig.device.client.shell("input", "keyevent", "KEYCODE_WAKEUP")
        shown = terminal.until("reminder: the screen came on; 1 of 2 episodes today\n")
        assert shown == "10:30 "
        deadline = time.monotonic() + 60
        while not rig.server.do(lambda phone: phone.tasks.posted) and time.monotonic() < deadline:
            time.sleep(QUICK)
        title, _ = rig.server.do(lambda phone: phone.tasks.posted)[TAG]
        assert title == TITLE


def test_hours_without_an_episode_remind_but_not_at_night(
    bench: Callable[..., Bench], tmp_path: Path, terminal: Terminal
) -> None:
    """The latest episode lies in the release; the phone shows half past eight."""
    rig = bench()
    (tmp_path / "7" / "20250310_063000").mkdir(parents=True)
    with waiting(session_of(rig, tmp_path), terminal, "4h"):
        pass_time(rig, hours=1)
        time.sleep(4 * QUICK)
        pass_time(rig, hours=1.5)
        assert terminal.until("reminder: no episode for 4.5 h\n") == "11:00 "
        pass_time(rig, hours=12)
        time.sleep(4 * QUICK)
        pass_time(rig, hours=9.5)
        assert terminal.until("reminder: no episode for 26 h\n") == "08:30 "


def test_nobody_is_reminded_once_the_limit_is_reached_until_the_phones_next_day(
    bench: Callable[..., Bench], tmp_path: Path, terminal: Terminal
) -> None:
    rig = bench()
    (tmp_path / "7" / "20250310_080000").mkdir(parents=True)
    session = session_of(rig, tmp_path, most=1)
    with pytest.raises(UsageError, match="the next from 00:00, in 15 h"):
        session.check_limit()
    with waiting(session, terminal, "4h"):
        terminal.until("user 7 has the most episodes of a day, 1 on 2025-03-10 by the phone")
        pass_time(rig, hours=5)
        terminal.type("")
        terminal.until("nothing is kept: ")
        pass_time(rig, hours=19)
        assert "reminder" not in terminal.until(
            "08:30 reminder: no episode for 24.5 h; 0 of 1 episodes today"
        )


@pytest.mark.soak
def test_a_phone_out_of_reach_is_told_once_and_reminds_when_it_is_back(
    bench: Callable[..., Bench], tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fingertip_recorder.recorded_phone.RECONNECT_SECONDS", 0.2)
    rig = bench(reconnect_s=0.2)
    with waiting(session_of(rig, tmp_path), terminal, "4h"):
        rig.server.__exit__(None, None, None)
        terminal.until("no reminders while the phone is out of reach: ")
        rig.server.__enter__()
        assert "no reminders" not in terminal.until("the phone is in reach again\n")
        pass_time(rig, hours=4)
        terminal.until("reminder: no episode for 4 h\n")


@pytest.mark.parametrize(
    ("answer", "place"), [("2", "office"), ("the T", "the T"), ("", "home"), ("9", "9"), ("0", "0")]
)
def test_a_place_is_chosen_by_its_number_or_written(
    answer: str, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import click
    from click.testing import CliRunner

    @click.command()
    def ask() -> None:
        click.echo(f"<{ask_place(('home', 'office'))}>")

    shown = CliRunner().invoke(ask, input=f"{answer}\n").output
    assert shown.startswith("Where are you? 1 home, 2 office, or in your words [home]: ")
    assert shown.endswith(f"<{place}>\n")
