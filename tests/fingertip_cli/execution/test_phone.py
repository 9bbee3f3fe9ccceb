from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import fingertip

ROOT = Path(__file__).parents[3]
MAIN = "from fingertip_cli.main import main; main()"


def phone(*options: str) -> subprocess.CompletedProcess[str]:
    return fingertip("phone", *options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--fault", "gremlins"), "got 'gremlins'"),
        (("--size", "big"), "expected --size as WIDTHxHEIGHT, each 10 to 9999 px, got 'big'"),
        (("--size", "2400x1080"), "expected an upright display"),
        (("--port", "5555"), "not 5554-5585"),
        (("--port", "70000"), "70000"),
        (("--port", "many"), "not a valid integer"),
    ],
)
def test_a_wrong_call_prints_one_line(options: tuple[str, ...], words: str) -> None:
    done = phone(*options)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("sign", [pytest.param(signal.SIGINT, marks=pytest.mark.soak), signal.SIGTERM])
def test_connection_commands_are_printed_and_a_signal_stops_it(sign: signal.Signals) -> None:
    command = [sys.executable, "-c", MAIN, "phone", "--seed", "3", "--fault", "no_tree", "--still-clock"]
    env = dict(os.environ, PYTHONPATH=str(ROOT))
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("a simulated phone is on 127.0.0.1:")
        assert process.stdout.readline().startswith("  adb connect 127.0.0.1:")
        process.send_signal(sign)
        out, err = process.communicate(timeout=120)
    assert out.endswith("the phone is off\n")
    assert (process.returncode, err) == (0, "")
