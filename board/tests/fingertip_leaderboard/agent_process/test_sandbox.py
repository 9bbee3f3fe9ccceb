"""The sandbox: what it refuses, to a process that knows every path, and what still works in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_leaderboard.agent_process.sandbox import why_no_sandbox

ROOT = Path(__file__).parents[4]

PROGRAM = """
import asyncio, ctypes, errno, fcntl, os, platform, resource, socket, struct, subprocess, sys
from pathlib import Path
from fingertip_leaderboard.agent_process.sandbox import enter_sandbox

secret, own = Path(sys.argv[1]), Path(sys.argv[2])
parent = os.getppid()
enter_sandbox(readable=[Path(sys.base_prefix)], listed=[], writable=[own])

def call(name, *values):
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*values) < 0:
        raise OSError(ctypes.get_errno(), name)

def program(*words):
    done = subprocess.run(words, capture_output=True)
    if done.returncode:
        raise PermissionError(errno.EPERM, done.stderr)

async def waited():
    await asyncio.sleep(0)

opened = os.open(sys.executable, os.O_RDONLY)
eight = ctypes.create_string_buffer(8)
place = struct.pack("PN", ctypes.addressof(eight), 8)
REFUSED = [
    lambda: secret.read_bytes(),
    lambda: secret.write_bytes(b""),
    lambda: secret.unlink(),
    lambda: secret.rename(own / "moved"),
    lambda: (own / "linked").hardlink_to(secret),
    lambda: (own / "link").symlink_to(secret) or (own / "link").read_bytes(),
    lambda: list(secret.parent.iterdir()),
    lambda: (secret.parent / "new").mkdir(),
    lambda: secret.chmod(0o644),
    lambda: os.truncate(secret, 0),
    lambda: os.setxattr(secret, "user.a", b"b"),
    lambda: program("cat", str(secret)),
    lambda: program("mount", "--bind", str(secret.parent), str(own)),
    lambda: program("unshare", "-Urm", "cat", str(secret)),
    lambda: Path(f"/proc/{parent}/cmdline").read_bytes(),
    lambda: Path(f"/proc/{parent}/environ").read_bytes(),
    lambda: Path(f"/proc/{parent}/mem").open("rb"),
    lambda: list(Path(f"/proc/{parent}/fd").iterdir()),
    lambda: Path(f"/proc/{parent}/root{secret}").read_bytes(),
    lambda: call("ptrace", 16, parent, 0, 0),
    lambda: call("process_vm_readv", parent, place, 1, place, 1, 0),
    lambda: socket.socket(),
    lambda: socket.socket(socket.AF_UNIX),
    lambda: call("syscall", 425, 1, bytes(120)),
    # through a file that may be read
    lambda: os.chmod(opened, os.fstat(opened).st_mode),
    lambda: os.chown(opened, -1, -1),
    lambda: os.setxattr(opened, "user.a", b"b"),
    lambda: os.removexattr(opened, "user.a"),
    lambda: os.utime(opened),
    lambda: os.utime(secret, (1, 1)),
    lambda: fcntl.ioctl(opened, 0x40086602, bytes(8)),
    # what outlives the process, or makes it outlive its group
    lambda: call("shmget", 0x20202020, 4096, 0o1600),
    lambda: call("msgget", 0x20202020, 0o1600),
    lambda: call("semget", 0x20202020, 1, 0o1600),
    lambda: call("syscall", {"x86_64": 248}.get(platform.machine(), 217), b"user", b"k", b"v", 1, -4),
    lambda: os.setsid(),
    lambda: os.setpgid(0, 0),
    lambda: call("unshare", 0x10000000),
    # other processes and folders
    lambda: resource.prlimit(parent, resource.RLIMIT_CORE),
    lambda: call("inotify_add_watch", ctypes.CDLL(None).inotify_init(), bytes(secret.parent), 0x100),
]
resource.getrlimit(resource.RLIMIT_CORE)
for number, attempt in enumerate(REFUSED):
    try:
        print(number, "succeeded", attempt())
    except OSError as error:
        # EXDEV: the first Landlock refuses to move files so
        if error.errno not in (errno.EPERM, errno.EACCES, errno.EXDEV):
            print(number, error)
(own / "notes").write_text("kept")
asyncio.run(waited())
program(sys.executable, "-S", "-c", "import json")
print(f"{len(REFUSED)} refused", (own / "notes").read_text())
"""


@pytest.mark.skipif(why_no_sandbox() is not None, reason="the system has no Landlock")
def test_what_a_sandbox_refuses(tmp_path: Path) -> None:
    secret, own = tmp_path / "secret", tmp_path / "own"
    secret.write_text("a secret", encoding="utf-8")
    own.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, secret, own], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["40 refused kept"]
    assert secret.read_text(encoding="utf-8") == "a secret"


THREADED = """
import threading
from fingertip_leaderboard.agent_process.sandbox import enter_sandbox
threading.Thread(target=threading.Event().wait, daemon=True).start()
enter_sandbox(readable=[], listed=[], writable=[])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a sandbox is for Linux")
def test_a_process_with_threads_is_refused_because_they_would_not_be_limited() -> None:
    call = [sys.executable, "-c", THREADED]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "RuntimeError: expected a process without other threads" in done.stderr
