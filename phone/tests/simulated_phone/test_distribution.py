"""The distribution `fingertip-phone`: the phone alone, from its wheel, with nothing but what it asks for."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from packaging.version import Version

from phone.tests.simulated_phone.conftest import Adb
from simulated_phone import __version__
from simulated_phone.versions import content_hashes
from tests import wheel_install
from tests.wheel_install import built_wheel, install, size_of

MOST_BYTES = 120_000_000
"""Size that an install may have, with everything it asks for."""


@pytest.fixture(scope="module")
def brought() -> dict[str, Distribution]:
    """Name -> each distribution that the install brings."""
    return {}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, brought: dict[str, Distribution]) -> Path:
    """A folder with the wheel's content and links to what it asks for, as pip would install them."""
    folder = tmp_path_factory.mktemp("installed")
    wheel = built_wheel("fingertip-phone", tmp_path_factory)
    brought.update(install("fingertip-phone", folder, wheel))
    return folder


def command(folder: Path, *words: str) -> list[str]:
    return wheel_install.command(folder, "simulated_phone.command_line", *words)


@pytest.fixture
def phone(installed: Path) -> Iterator[subprocess.Popen[str]]:
    """A phone that is served."""
    with subprocess.Popen(
        command(installed, "--size", "540x1200"),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        yield process
        process.kill()


def test_the_command_serves_a_phone_to_adb(phone: subprocess.Popen[str], adb: Adb) -> None:
    assert phone.stdout is not None
    first = phone.stdout.readline()
    assert first.startswith("a simulated phone is on 127.0.0.1:"), first
    serial = first.split(" is on ")[1].split(";")[0]
    assert "connected to" in adb.run("connect", serial).stdout.decode()
    shown = adb.run("-s", serial, "shell", "wm", "size").stdout.decode()
    assert shown == "Physical size: 540x1200\n"
    found = adb.run("-s", serial, "shell", "echo alarm 7 | grep -E 'al+arm [0-9]'").stdout.decode()
    assert found == "alarm 7\n"
    phone.send_signal(signal.SIGINT)
    assert phone.wait() == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--locale", "en"],
            "the package babel is not installed: pip install babel",
        ),
        (["--size", "big"], "expected --size as WIDTHxHEIGHT, each 10 to 9999 px, got 'big'"),
    ],
)
def test_a_wrong_call_is_one_line(installed: Path, words: list[str], message: str) -> None:
    done = subprocess.run(command(installed, *words), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"fingertip-phone: {message}\n")


def test_it_brings_no_dataset_software_and_stays_small(
    installed: Path, brought: dict[str, Distribution]
) -> None:
    assert "numpy" in brought
    assert not {"datasets", "torch", "huggingface-hub", "evaluate", "pyarrow"} & brought.keys()
    assert sum(map(size_of, brought.values())) < MOST_BYTES


def test_its_version_is_the_newer_of_the_phone_and_the_suite() -> None:
    newest = [list(content_hashes()[part])[-1] for part in ("phone", "suite")]
    assert __version__.rpartition(".")[0] == max(newest, key=Version)
