"""A person's settings, as a phone tells them that may not answer."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.held_settings import hold_settings, restore_left_settings
from fingertip_dataset.errors import DeviceError


def play(folder: Path, answers: dict[str, str]) -> AdbClient:
    """A client whose adb answers lines with these words, and notes all lines in a file."""
    cases = ""
    for word, text in answers.items():
        cases += f"*{shlex.quote(word)}*) printf '%s\\n' {shlex.quote(text)};;\n"
    program = folder / "adb"
    program.write_text(
        f'#!/bin/sh\necho "$*" >> {folder}/lines\ncase "$*" in\n{cases}esac\necho fingertip-done0\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    return AdbClient("R58", adb=program, reconnect_s=0)


@pytest.mark.parametrize("answer", ["", "Failure calling service settings: Broken pipe (32)", "60000 x"])
def test_a_setting_that_was_not_told_is_not_changed(tmp_path: Path, answer: str) -> None:
    client = play(tmp_path, {"stay_on": "3", "screen_off": answer})
    with (
        pytest.raises(DeviceError, match=r"R58 did not tell its setting screen_off_timeout, but said"),
        hold_settings(client),
    ):
        pytest.fail("the phone is held")
    lines = (tmp_path / "lines").read_text(encoding="utf-8")
    assert "svc" not in lines
    assert "delete" not in lines


@pytest.mark.parametrize("answer", ["garbage", "[1]", "{}", '{"global/stay_on_while_plugged_in"'])
def test_a_file_of_settings_that_cannot_be_read_restores_nothing(tmp_path: Path, answer: str) -> None:
    client = play(tmp_path, {"cat": answer})
    assert not restore_left_settings(client)
    # it may have been read wrongly
    assert "rm" not in (tmp_path / "lines").read_text(encoding="utf-8")
