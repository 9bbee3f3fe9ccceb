"""Captures the lines that clients send to the phone's shell, on the wire.

    python -m phone.tests.android_shell.oracle.capture [CLIENT ...]

Other people's clients, from the registries and unchanged, call the simulated phone over the real adb server
with the values of wire/python_clients.py and wire/node_clients.mjs, and a tap on the wire notes what arrives.
Lines that the shell and its tools alone answer are written to lines/wire.txt, which `make shell-oracle` has
the real shell answer; lines with Android's own commands, or about the phone's own state, to wire/android.txt.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from android_shell.tools import TOOLS
from execution_runner.devices.adb_server import run_private_adb_server
from phone.tests.android_shell.oracle.record import LINES, PREPARE
from phone.tests.android_shell.oracle.wire.python_clients import CLIENTS as PYTHON
from phone.tests.android_shell.oracle.wire.tap import WireTap
from phone.tests.simulated_phone.conftest import BUNDLED_ADB
from simulated_phone import Phone, SimulatedPhoneServer
from simulated_phone.adb.commands import COMMANDS

HERE = Path(__file__).parent / "wire"
ROOT = HERE.parents[4]
WIRE, ANDROID = LINES / "wire.txt", HERE / "android.txt"
VENV = ROOT / ".venv-wire"
NODE = ("appium-adb", "adb-ts", "@devicefarmer/adbkit", "@u4/adbkit")
SECONDS = 300
"""Most time for one client."""

_WORDS = """
awk bc chgrp chown date dmesg df free getconf getenforce groups hostname id ifconfig iorenice kill
killall locksettings logname lsof more mount mountpoint netstat nproc pgrep pidof ping pkill ps pwdx
renice top uname uptime vmstat watch whoami
"""
OF_ITS_STATE = frozenset(_WORDS.split())
"""Tools whose answer is about the machine, its processes and its users, or that the phone lacks."""

_BEFORE_COMMANDS = frozenset(("!", "(", "do", "elif", "else", "if", "then", "time", "until", "while", "{"))

OF_THE_PHONE = re.compile(
    r"/(?:proc|sys|system|vendor|sdcard|storage|dev/(?!null))\b|/data/(?!local/tmp/w\b)"
)
"""Places whose content is that of the phone, not of the folder that each line finds as it was."""


_RANDOM = re.compile(
    r"\d{9,}|[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{4}|/tmp[^/\s]*\.\w{6}\b|\btmp[a-z0-9_]{8}\b|[\r\0]|⏎"
)
MARK = "01234567-89ab-4cde-8f01-23456789abcd"
SENT = "202401051020"
"""Time of files that are sent, as `touch -t` has it; see wire/python_clients.py."""


def main(names: Sequence[str]) -> int:
    """Capture the lines of the clients; those of clients that are not named stay as they are."""
    known = [*PYTHON, *NODE]
    if unknown := set(names) - set(known):
        sys.stderr.write(f"expected a client of {', '.join(known)}, got {min(unknown)}\n")
        return 2
    python = prepare()
    captured = read_captured() if names else {}
    for client in names or known:
        version, lines = capture(client, python)
        captured[client] = (version, lines)
        sys.stdout.write(f"{client} {version}: {len(lines)} lines\n")
        sys.stdout.flush()
    write({f"{client} {captured[client][0]}": captured[client][1] for client in known if client in captured})
    return 0


def read_captured() -> dict[str, tuple[str, list[str]]]:
    """Version and lines of each client, as they were captured before."""
    found: dict[str, tuple[str, list[str]]] = {}
    for file in (WIRE, ANDROID):
        _, *groups = file.read_text(encoding="utf-8").split("\n\n#! ")
        for group in groups:
            title, *lines = group.splitlines()
            client, version = title.rsplit(" ", 1)
            found.setdefault(client, (version, []))[1].extend(line.replace("⏎", "\n") for line in lines)
    return found


def prepare() -> Path:
    """Make the venv of the clients, if there is none; return its Python."""
    python, stamp = VENV / "bin" / "python", VENV / "requirements.txt"
    wanted = "".join((HERE / name).read_text("utf-8") for name in ("requirements.txt", "package.json"))
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-r", str(HERE / "requirements.txt")], check=True)
        shutil.copy(HERE / "package.json", VENV)
        npm = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(npm, cwd=VENV, check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return python


def capture(client: str, python: Path) -> tuple[str, list[str]]:
    """Let a client call a phone of its own; return the client's version and its lines."""
    with connect() as (tap, serial, port, adb, env):
        program = [str(python), str(HERE / "python_clients.py")] if client in PYTHON else ["node"]
        program += [] if client in PYTHON else [str(HERE / "node_clients.mjs")]
        command = [*program, client, serial, str(port), adb]
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
            process = subprocess.Popen(command, cwd=VENV, env=dict(env), stdout=output)
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            output.seek(0)
            version = output.readline().strip()
        return version, list(tap.lines)


@contextmanager
def connect() -> Iterator[tuple[WireTap, str, int, str, Mapping[str, str]]]:
    """Serve a phone with the recorder's files behind a tap; yield the tap and what leads a client there."""
    with ExitStack() as running:
        port = running.enter_context(run_private_adb_server(BUNDLED_ADB))
        phone = Phone(seed=1, size=(540, 1200), locale="en")
        server = running.enter_context(SimulatedPhoneServer(phone))
        tap = running.enter_context(WireTap(int(server.serial.rpartition(":")[2])))
        home = running.enter_context(tempfile.TemporaryDirectory())
        adb = Path(home) / "platform-tools" / "adb"
        adb.parent.mkdir()
        adb.symlink_to(BUNDLED_ADB)
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
            "ANDROID_ADB_SERVER_PORT": str(port),
            "ANDROID_HOME": home,
            "ANDROID_SERIAL": tap.serial,
            "HOME": home,
            "TZ": "UTC",
            "PATH": f"{adb.parent}{os.pathsep}{os.environ['PATH']}",
        }
        for words in (
            ["connect", tap.serial],
            ["shell", f"cd /data/local/tmp\n{PREPARE.read_text('utf-8')}"],
        ):
            subprocess.run([str(adb), *words], env=env, check=True, capture_output=True)
        tap.lines.clear()
        yield tap, tap.serial, port, str(adb), env


def write(captured: Mapping[str, Sequence[str]]) -> None:
    """Write the lines, each once, below the client that sent it first."""
    texts: dict[Path, str] = {
        WIRE: "#! Captured on the wire by capture.py, below the client that sent them first.\n",
        ANDROID: "#! Lines of Android's own commands, captured on the wire by capture.py.\n",
    }
    known: set[str] = set()
    for client, lines in captured.items():
        found: dict[Path, list[str]] = {WIRE: [], ANDROID: []}
        for line in map(settle_marks, lines):
            if line not in known and not has_own_state(line):
                found[WIRE if is_shells_own(line) else ANDROID].append(line.replace("\n", "⏎"))
            known.add(line)
        for file, rows in found.items():
            texts[file] += f"\n#! {client}\n" + "".join(f"{row}\n" for row in sorted(rows)) if rows else ""
    for file, text in texts.items():
        file.write_text(text, encoding="utf-8")


def settle_marks(line: str) -> str:
    """Put one mark in place of a random one, by which a client tells that a command failed.

    >>> settle_marks("(rm a) || echo 'b173149d-7832-4b37-9942-7711b2773118'")
    "(rm a) || echo '01234567-89ab-4cde-8f01-23456789abcd'"
    """
    return re.sub(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", MARK, line)


def has_own_state(line: str) -> bool:
    """Whether a line has what another run would not have: random names, times, ports."""
    return bool(_RANDOM.search(line.replace(MARK, "").replace(SENT, "")))


def is_shells_own(line: str) -> bool:
    """Whether the shell and its tools alone answer a line.

    >>> [is_shells_own(line) for line in ("[ -e 'a b' ] && echo yes", "'ls' '-l' | grep x", "pm path x; ls")]
    [True, True, False]
    """
    if OF_THE_PHONE.search(line):
        return False
    # a quoted word that needs no quotes is a word: some clients quote each, also the command
    plain = re.sub(r"""(['"])([\w./-]+)\1""", r"\2", line)
    plain = re.sub(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"", "_", plain)
    plain = re.sub(r"\d?[<>]+&?\s*\S+", " ", plain)
    for part in re.split(r"[;&|\n]+|\$?\(", plain):
        words = [word for word in part.split() if not re.fullmatch(r"\w+=\S*", word)]
        while words and words[0] in _BEFORE_COMMANDS:
            del words[0]
        name = words[0].rstrip(")") if words else ""
        if name in OF_ITS_STATE or (name in COMMANDS and name not in TOOLS):
            return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
