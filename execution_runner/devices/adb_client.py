"""The adb program: locating it, calling it with a deadline, and classifying its errors."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from fingertip_dataset.errors import (
    ConnectionDroppedError,
    DeviceError,
    DeviceNotFoundError,
    DeviceOfflineError,
    DeviceTimeoutError,
    DeviceUnauthorizedError,
    EndlessOutputError,
    InputRefusedError,
    SeveralDevicesError,
)
from fingertip_dataset.missing_packages import write_install
from fingertip_dataset.program_output import MAX_OUTPUT, OutputTooLong, run_program

DEADLINE = 20.0
"""Default time limit of a command, seconds: a screenshot of a real phone takes two, a tree up to ten."""

RECONNECT_SECONDS = 3.0
"""Seconds to wait for a lost phone; the adb server reconnects within half a second."""

WIFI_RECONNECT_SECONDS = 60.0
"""Seconds to wait for a person's phone on Wi-Fi, which may be out of reach for a while."""

_POLL_SECONDS = 0.1
_CONNECT_EVERY, _CONNECT_SECONDS = 1.0, 5.0
"""Seconds between two tries to connect a phone on Wi-Fi again, and the limit of one."""

TRIES = 3
"""Number of tries of a read-only command whose connection drops."""

_MOST_WORDS = 4096
"""Bytes of each stream in which adb's own words are looked for."""

_REFUSED = b"INJECT_EVENTS"
"""The permission that MIUI and others grant to the shell only if an extra setting is on."""

_DONE = b"fingertip-done"
_MARK = f"; echo {_DONE.decode()}$?"
"""End of each shell line, with its status: where the connection drops, adb 29 exits with 0, as if all went
well, and later ones with 255, as a command may."""

_CUT = 255
"""Exit status of adb 30 and later when the connection ends within a command."""

# printed by adb when it starts its server, or replaces one: no error
_DAEMON_LINES = re.compile(
    r"^(\* daemon |adb server (version .* doesn't match|is out of date)|\* server|(adb: )?warning: ).*$",
    re.MULTILINE | re.IGNORECASE,
)
_PREFIXES = ("adb: ", "error: ")
_ERROR_LINE = re.compile(r"^(adb|error): ", re.MULTILINE)
_ERROR_KINDS: Mapping[str, type[DeviceError]] = MappingProxyType(
    {
        "device unauthorized": DeviceUnauthorizedError,
        "failed to authenticate": DeviceUnauthorizedError,
        "device offline": DeviceOfflineError,
        "no devices/emulators found": DeviceNotFoundError,
        "more than one device": SeveralDevicesError,
        "device still authorizing": DeviceUnauthorizedError,
        "device still connecting": DeviceOfflineError,
        "' not found": DeviceNotFoundError,
    }
)
_STATES: Mapping[str, type[DeviceError]] = MappingProxyType(
    {
        "unauthorized": DeviceUnauthorizedError,
        "authorizing": DeviceUnauthorizedError,
        "offline": DeviceOfflineError,
        "connecting": DeviceOfflineError,
    }
)
_HINTS: Mapping[type[DeviceError], str] = MappingProxyType(
    {
        DeviceUnauthorizedError: "a phone that accepts this computer's key (a dialog on the phone asks)",
        DeviceOfflineError: "a phone that answers",
        DeviceNotFoundError: "a connected phone",
        SeveralDevicesError: "the serial of one phone",
    }
)


def find_adb() -> Path:
    """The adb on the PATH, else that of the installed package adbutils.

    The one on the PATH is the user's: its server already holds their phones, with the key that these have
    accepted, and an adb of another version may replace that server and cut their connections. Every adb from
    29 (Debian 12) to 36 is read.

    Raises:
        DeviceError: Neither exists.
    """
    found = shutil.which("adb")
    if found:
        return Path(found)
    spec = importlib.util.find_spec("adbutils")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        bundled = Path(folder) / "binaries" / "adb"
        if bundled.is_file():
            return bundled
    raise DeviceError(f"no adb on the PATH: install platform-tools, or: {write_install('adbutils', 'phone')}")


class AdbClient:
    """A phone as adb knows it.

    Args:
        serial: As `adb devices` lists it.
        adb: The program; None for `find_adb()`.
        server_port: TCP port of the adb server; None for adb's default.
        reconnect_s: Seconds to wait for a lost phone.
    """

    def __init__(
        self,
        serial: str,
        *,
        adb: Path | None = None,
        server_port: int | None = None,
        reconnect_s: float = RECONNECT_SECONDS,
    ) -> None:
        self.serial, self.server_port = serial, server_port
        self._reconnect_s = reconnect_s
        self._reconnecting = threading.Lock()
        # by an address adb starts no server of its own, which nothing would end once ours has ended
        server = ["-H", "127.0.0.1", "-P", str(server_port)] if server_port else []
        self._adb = [str(adb or find_adb()), *server]

    @classmethod
    def find(
        cls,
        serial: str | None = None,
        *,
        adb: Path | None = None,
        server_port: int | None = None,
        reconnect_s: float = RECONNECT_SECONDS,
    ) -> AdbClient:
        """The phone of a serial, connected first if the serial is a HOST:PORT; without one, the only phone.

        Raises:
            DeviceError: The phone is absent, not ready, or not the only one.
        """
        client = cls(serial or "", adb=adb, server_port=server_port, reconnect_s=reconnect_s)
        known = client._list_serials()
        if serial is None:
            if len(known) != 1:
                kind = SeveralDevicesError if known else DeviceNotFoundError
                raise kind(f"expected {_HINTS[kind]}, got {', '.join(known) or 'none'}")
            client.serial = known[0]
        elif serial not in known and ":" in serial:
            client._connect()
        client.wait_until_ready(RECONNECT_SECONDS if client.serial in client._list_serials() else 0)
        return client

    @property
    def wireless(self) -> bool:
        """Whether the phone is connected over the network: by HOST:PORT, or found by mDNS."""
        return is_wireless(self.serial)

    def _list_serials(self) -> list[str]:
        lines = self._run(["devices"], DEADLINE).stdout.decode(errors="replace").splitlines()
        # only lines of devices have a tab; the header and messages of adb have none
        return [line.partition("\t")[0] for line in lines if "\t" in line]

    def _connect(self) -> None:
        """Runs `adb connect`, which exits with 0 even on failure: its output decides."""
        words = _read_words(self._run(["connect", self.serial], DEADLINE))
        if not words.startswith(("connected to", "already connected")):
            kind: type[DeviceError] = DeviceNotFoundError
            if "authenticate" in words:
                kind = DeviceUnauthorizedError
            elif self.serial in self._list_serials():
                kind = DeviceOfflineError
            raise kind(f"expected {_HINTS[kind]} at {self.serial}, got {_one_line(words)!r}")

    def disconnect(self) -> None:
        """Disconnects a phone that is connected by HOST:PORT."""
        self._run(["disconnect", self.serial], DEADLINE)

    # ---- commands

    def shell(self, *argv: str, deadline: float = DEADLINE) -> str:
        """Runs one command on the phone and returns its output; every argument is quoted.

        Raises:
            DeviceError: The phone cannot be reached, or the command fails.
        """
        return self.run_lines([argv], deadline=deadline)

    def read(self, *argv: str, deadline: float = DEADLINE) -> str:
        """Runs one read-only command as `shell` does, again if the connection drops."""
        for _ in range(TRIES - 1):
            try:
                return self.shell(*argv, deadline=deadline)
            except ConnectionDroppedError:
                self.wait_until_ready()
        return self.shell(*argv, deadline=deadline)

    def list_apps(self) -> frozenset[str]:
        """Packages of the installed apps.

        Raises:
            DeviceError: The phone cannot be reached, or does not list them: every phone has some.
        """
        output = self.read("pm", "list", "packages")
        found = frozenset(re.findall(r"(?m)^package:([\w.]+)\s*$", output))
        if not found:
            raise DeviceError(f"{self.serial} did not list its apps, but said {_one_line(output)[:200]!r}")
        return found

    def run_lines(self, commands: Sequence[Sequence[str]], *, deadline: float = DEADLINE) -> str:
        """Runs commands in one shell line, each only if the one before succeeded; returns their output."""
        line = " && ".join(shlex.join(argv) for argv in commands)
        done = self.run("shell", line, deadline=deadline)
        # Android's exception names the permission, on either stream and with any exit status
        if _REFUSED in done.stderr + done.stdout:
            raise InputRefusedError(
                f"{self.serial} refuses input from a computer: switch on "
                "'USB debugging (Security settings)' in the developer options"
            )
        if done.returncode:
            message = _one_line((done.stderr or done.stdout).decode(errors="replace"))
            raise DeviceError(f"`{line[:60]}` failed on {self.serial}: {message[:200]!r}")
        return done.stdout.decode(errors="replace")

    def run(self, *args: str, deadline: float = DEADLINE) -> subprocess.CompletedProcess[bytes]:
        """Runs an adb command for this phone; errors of the command on the phone are left to the caller.

        Waits for a phone that is offline, as nothing has been done yet.

        Raises:
            DeviceError: The phone cannot be reached, or the connection ended within the command.
        """
        done, error = self._call(args, deadline)
        gone = (DeviceOfflineError, DeviceNotFoundError) if self.wireless else DeviceOfflineError
        if isinstance(error, gone):
            self.wait_until_ready()
            done, error = self._call(args, deadline)
        if error is not None:
            raise error
        return done

    def _call(
        self, args: Sequence[str], deadline: float
    ) -> tuple[subprocess.CompletedProcess[bytes], DeviceError | None]:
        """Calls adb once; returns the result without the end mark, and the error of adb."""
        marked = args[0] == "shell"
        sent = [*args[:-1], args[-1] + _MARK] if marked else args
        done = self._run(["-s", self.serial, *sent], deadline)
        before, mark, behind = done.stdout.rpartition(_DONE)
        if marked and mark:
            # a vendor's process in the background may print behind it
            status = re.match(rb"\d{1,3}", behind)
            done.stdout, done.returncode = before, int(status[0]) if status else done.returncode
            return done, None
        error = self._read_adb_error(done, args)
        # without the mark, what arrived is no answer, unless the shell itself said why it ended
        cut = done.returncode == 0 or (done.returncode == _CUT and not done.stderr)
        if marked and cut and error is None:
            error = self.dropped(args)
        return done, error

    def open(self, *args: str) -> subprocess.Popen[bytes]:
        """Starts an adb command for this phone that runs until it is ended."""
        # a process group of its own, so that Ctrl-C reaches this program first
        return subprocess.Popen(  # noqa: S603 - a list of words, no shell
            [*self._adb, "-s", self.serial, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, process_group=0,
        )  # fmt: skip

    def dropped(self, args: Sequence[str]) -> ConnectionDroppedError:
        """The error of a connection that ended within a command."""
        return ConnectionDroppedError(
            f"the connection to {self.serial} dropped during `{' '.join(args)[:60]}`"
        )

    # ---- the phone's state

    def state(self) -> str:
        """State: "device" if ready, else "offline", "unauthorized", or "" if adb does not know the phone."""
        done = self._run(["-s", self.serial, "get-state"], DEADLINE)
        error = self._read_adb_error(done, ["get-state"])
        words = _read_words(done).split()
        if done.returncode == 0 and error is None and words:
            return words[-1]
        if isinstance(error, DeviceUnauthorizedError):
            return "unauthorized"
        return "offline" if isinstance(error, DeviceOfflineError) else ""

    def wait_until_ready(self, seconds: float | None = None) -> None:
        """Waits for the adb server to find the phone again after a dropped connection.

        A phone on Wi-Fi is connected again after a moment: the server itself tries only every ten seconds.

        Args:
            seconds: Longest wait; None for the phone's `reconnect_s`.

        Raises:
            DeviceError: The phone is not ready in time; the message has its state.
        """
        limit = self._reconnect_s if seconds is None else seconds
        began = last = time.monotonic()
        known = ""
        while (state := self.state()) != "device":
            known = state or known
            now = time.monotonic()
            # waiting does not help where a person has to accept the key on the phone
            if state == "unauthorized" or now - began > limit:
                raise self._make_not_ready_error(known)
            # the server of adb 29 tries at once, and then only after ten seconds
            if self.wireless and now - last > _CONNECT_EVERY:
                self._connect_again()
                last = time.monotonic()
            time.sleep(_POLL_SECONDS)

    def connect_anew(self) -> None:
        """Drops the connection of a phone on Wi-Fi that does not answer, and waits for a new one.

        Raises:
            DeviceError: The phone is not ready in time.
        """
        with suppress(DeviceError):
            self._run(["disconnect", self.serial], _CONNECT_SECONDS)
        self.wait_until_ready()

    def _connect_again(self) -> None:
        """Try once to connect a phone on Wi-Fi anew, in one thread at a time."""
        with self._reconnecting:
            if self.state() == "device":
                return
            with suppress(DeviceError):
                # while the server knows the phone it does not connect: "already connected"
                self._run(["disconnect", self.serial], _CONNECT_SECONDS)
                self._run(["connect", self.serial], _CONNECT_SECONDS)

    def _make_not_ready_error(self, state: str) -> DeviceError:
        if not state:
            return DeviceNotFoundError(
                f"no phone {self.serial} is connected (`adb devices` lists the connected ones)"
            )
        kind = _STATES.get(state, DeviceNotFoundError)
        return kind(f"expected {_HINTS[kind]}, got {self.serial} {state}")

    # ---- the program

    def _read_adb_error(
        self, done: subprocess.CompletedProcess[bytes], args: Sequence[str]
    ) -> DeviceError | None:
        """The error that adb itself, not the command on the phone, reports; None for none."""
        words = _read_words(done)
        # any other message is from the command on the phone
        if not words.startswith(_PREFIXES) or (done.returncode == 0 and done.stdout.strip()):
            return None
        for sign, kind in _ERROR_KINDS.items():
            if sign in words:
                return kind(
                    f"expected {_HINTS[kind]}, got {self.serial} {_one_line(words.splitlines()[0])!r}"
                )
        if "closed" in words or "protocol fault" in words:
            return self.dropped(args)
        return DeviceError(f"adb failed on {self.serial}: {_one_line(words)[:200]!r}")

    def _run(self, args: Sequence[str], deadline: float) -> subprocess.CompletedProcess[bytes]:
        words = args[2:] if args[0] == "-s" else args
        what = f"`{' '.join(words).removesuffix(_MARK)[:60]}`"
        try:
            return run_program([*self._adb, *args], seconds=deadline)
        except subprocess.TimeoutExpired:
            raise DeviceTimeoutError(f"{what} did not end within {deadline:g} s") from None
        except OutputTooLong:
            raise EndlessOutputError(f"{what} printed more than {MAX_OUTPUT >> 20} MB") from None
        except OSError as error:
            raise DeviceError(f"adb could not be run: {error.strerror}", file=self._adb[0]) from None


def is_wireless(serial: str) -> bool:
    """Whether a serial is that of a phone on the network.

    >>> [is_wireless(name) for name in ("R58M123", "10.0.0.7:5555", "adb-R58M-x1._adb-tls-connect._tcp")]
    [False, True, True]
    """
    return ":" in serial or "._adb" in serial


def _read_words(done: subprocess.CompletedProcess[bytes]) -> str:
    """Words of adb, on either stream, without its words about its server.

    Where a line of either begins as adb's errors do, the words begin with it: warnings of a phone come first.
    """
    streams = [
        _DAEMON_LINES.sub("", stream[:_MOST_WORDS].decode(errors="replace")).strip()
        for stream in (done.stderr, done.stdout)
    ]
    for words in streams:
        found = _ERROR_LINE.search(words)
        if found:
            return words[found.start() :]
    return streams[0] or streams[1]


def _one_line(text: str) -> str:
    return " ".join(text.split())
