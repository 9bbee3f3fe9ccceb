"""Records what the real shell and tools of Android print: `make shell-oracle [TOYBOX=PROGRAM]`.

Debian's packages mksh, toybox and original-awk are the shell and the tools that Android has. Four tools that
Debian's toybox lacks are taken from TOYBOX, toybox 0.8.9 built with Android's configuration (the file
scripts/android_miniconfig of its later sources; `make allnoconfig` with KCONFIG_ALLCONFIG naming it, then
`make toybox`); without it their lines keep the answers that are recorded. Each line of
lines/*.txt is run by mksh in a root of its own, with nothing but these in it, as user 2000, in the folder
that `prepare.sh` makes anew for each line. Stdout, stderr and the status stand in recorded.json. It needs
root, for chroot.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
LINES = HERE / "lines"
PREPARE = HERE / "prepare.sh"
FOLDER = "/data/local/tmp"
PREPARED = "root/prepared"
"""Copy of the folder of the lines, where they cannot see it."""

USER = 2000
SECONDS = 10

PROGRAMS = {"mksh": "mksh", "toybox": "toybox", "awk": "original-awk"}
"""Name on a phone -> Debian's package and program."""

NOT_DEBIANS = ("tr", "dd", "expr", "diff")
"""Tools that Debian's toybox lacks and a phone has."""

TOYBOX = "TOYBOX"
"""Environment variable with the path of a toybox that has them."""

ENVIRONMENT = {
    "PATH": "/system/bin",
    "HOME": "/",
    "TMPDIR": FOLDER,
    "TZ": "Asia/Shanghai",
    "LANG": "C.UTF-8",
    "HOSTNAME": "phone",
    "USER": "shell",
    "LOGNAME": "shell",
    "SHELL": "/bin/sh",
}


def read_lines() -> dict[str, str]:
    """Lines to record -> name of their file; `⏎` is a newline within a line."""
    found: dict[str, str] = {}
    for file in sorted(LINES.glob("*.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#!"):
                found.setdefault(line.replace("⏎", "\n"), file.stem)
    return found


def main() -> int:
    """Record all lines."""
    missing = [package for package in PROGRAMS.values() if shutil.which(package) is None]
    if missing or os.geteuid():
        packages = " ".join(missing)
        needs = "run it as root, for chroot"
        if missing:
            needs = f"install {packages} (Debian: apt-get install {packages})"
        sys.stderr.write(f"make shell-oracle: the real shell cannot be run here: {needs}\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        root = Path(folder)
        make_root(root)
        prepare(root)
        answers = [{"kind": kind, **run_line(root, line)} for line, kind in read_lines().items()]
    recorded = list(keep_known(answers))
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in recorded)
    # a byte that is no UTF-8 cannot stand in the file as it is
    rows = re.sub("[\udc80-\udcff]", lambda byte: f"\\u{ord(byte[0]):04x}", rows)
    RECORDED.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    sys.stdout.write(f"{len(recorded)} lines recorded in {RECORDED}\n")
    return 0


def keep_known(answers: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Yield the answers; of a line whose tool is not here the recorded one, if there is any."""
    lacking = tuple(f"{name}: inaccessible or not found" for name in NOT_DEBIANS)
    rows = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else []
    known = {row["line"]: row for row in rows}
    for row in answers:
        if not any(text in str(row["err"]) for text in lacking):
            yield row
        elif (before := known.get(row["line"])) is not None:
            yield before | {"kind": row["kind"]}


def make_root(root: Path) -> None:
    """Make a root with the shell, its tools, and the libraries of both."""
    tools = root / "system" / "bin"
    programs = {name: Path(shutil.which(package) or "") for name, package in PROGRAMS.items()}
    if built := os.environ.get(TOYBOX):
        programs["toybox-android"] = Path(built)
    for folder in ("system/bin", "bin", "dev", "proc", "etc", FOLDER.lstrip("/"), "sdcard"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    root.chmod(0o755)
    for name, program in programs.items():
        real = program.resolve()
        shutil.copy(real, tools / name)
        for library in list_libraries(real):
            (root / library.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, root / library.lstrip("/"))
    (tools / "sh").symlink_to("mksh")
    (root / "bin" / "sh").symlink_to("/system/bin/mksh")
    for name in subprocess.run(["toybox"], capture_output=True, text=True, check=True).stdout.split():
        if not (tools / name).exists():
            (tools / name).symlink_to("toybox")
    for name in NOT_DEBIANS if built else ():
        # its name on the link is that of the tool
        (tools / name).symlink_to("toybox-android")
    for device, numbers in {"null": (1, 3), "zero": (1, 5), "urandom": (1, 9), "tty": (5, 0)}.items():
        os.mknod(root / "dev" / device, 0o020666, os.makedev(*numbers))
        (root / "dev" / device).chmod(0o666)
    shutil.copy("/usr/share/zoneinfo/Asia/Shanghai", root / "etc" / "localtime")
    shutil.copytree("/usr/lib/locale/C.utf8", root / "usr/lib/locale/C.utf8")
    for file in ("passwd", "group"):
        line = f"shell:x:{USER}:{USER}::/:/bin/sh" if file == "passwd" else f"shell:x:{USER}:"
        root_line = "root:x:0:0::/:/bin/sh" if file == "passwd" else "root:x:0:"
        (root / "etc" / file).write_text(f"{root_line}\n{line}\n", encoding="utf-8")
    zone = root / "usr/share/zoneinfo/Asia"
    zone.mkdir(parents=True)
    shutil.copy("/usr/share/zoneinfo/Asia/Shanghai", zone / "Shanghai")
    shutil.chown(root / FOLDER.lstrip("/"), USER, USER)
    (root / FOLDER.lstrip("/")).chmod(0o771)
    (root / PREPARED).parent.mkdir(mode=0o700)


def list_libraries(program: Path) -> Iterator[str]:
    """Paths of the libraries of a program."""
    printed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
    yield from re.findall(r"(/\S+)\s+\(0x", printed)


def prepare(root: Path) -> None:
    """Make the folder of the lines, and keep a copy of it outside the root."""
    run(root, f"cd {FOLDER}\numask 022\n{PREPARE.read_text(encoding='utf-8')}")
    subprocess.run(["cp", "-a", root / FOLDER.lstrip("/"), root / PREPARED], check=True)


def run_line(root: Path, line: str) -> dict[str, object]:
    """Run a line in a folder that is made anew; texts that are no UTF-8 keep their bytes as surrogates."""
    folder = root / FOLDER.lstrip("/")
    shutil.rmtree(folder)
    subprocess.run(["cp", "-a", root / PREPARED, folder], check=True)
    status, out, err = run(root, f"cd {FOLDER}/w\n{line}")
    return {"line": line, "rc": status, "out": out, "err": err}


def run(root: Path, text: str) -> tuple[int | None, str, str]:
    """Run a text of the shell in the root: its status, None if it takes too long, stdout and stderr."""
    limit, chroot = shutil.which("timeout") or "timeout", shutil.which("chroot") or "chroot"
    command = [chroot, f"--userspec={USER}:{USER}", str(root), "/system/bin/sh", "-c", text]
    ended = subprocess.run(
        [limit, "-k", "1", str(SECONDS), *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=ENVIRONMENT,
        check=False,
    )
    # a shell that a signal ended has 128 and the signal's number, as adb gives it
    ended_by = ended.returncode if ended.returncode >= 0 else 128 - ended.returncode
    status = None if ended.returncode in (124, 137) else ended_by
    out, err = (part.decode("utf-8", "surrogateescape") for part in (ended.stdout, ended.stderr))
    return status, out, err


if __name__ == "__main__":
    sys.exit(main())
