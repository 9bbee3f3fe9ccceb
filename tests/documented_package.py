"""Packages that pages of the docs show, as if pip had installed them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.command_line import fingertip
from tests.page_blocks import blocks


def list_files(page: Path) -> list[tuple[str, str]]:
    """Name and text of each block of a page that is a file of Python or TOML, in order."""
    shown = [block for block in blocks(page) if block.file and block.language in ("python", "toml")]
    return [(block.file, block.text) for block in shown]


def list_commands(page: Path) -> list[str]:
    """The command lines of a page that run in the tests."""
    return [line for block in blocks(page) if block.language == "bash" for line in block.commands]


def write_package(files: Sequence[tuple[str, str]], folder: Path) -> None:
    """Write files, blocks of one name joined, and what pip leaves beside each pyproject.toml's package."""
    for name in {name for name, _ in files} - {"pyproject.toml"}:
        texts = [text for other, text in files if other == name]
        (folder / name).write_text("\n\n".join(texts), encoding="utf-8")
    for text in (text for name, text in files if name == "pyproject.toml"):
        write_metadata(tomllib.loads(text)["project"], folder)


def write_metadata(project: Mapping[str, Any], folder: Path) -> None:
    """Write the name, version and entry points of a distribution."""
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head, encoding="utf-8")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


def run_where_installed(line: str, folder: Path, port: int) -> subprocess.CompletedProcess[str]:
    """Run a command line where the package of a folder is installed.

    Args:
        line: Line that begins with `fingertip`.
        folder: Folder of the package, and the working folder.
        port: Port of the adb server.
    """
    program, *arguments = shlex.split(re.sub(r"\s+#.*", "", line))
    assert program == "fingertip"
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"PYTHONPATH": str(folder), "PATH": programs, "ANDROID_ADB_SERVER_PORT": str(port)}
    return fingertip(*arguments, cwd=folder, env=os.environ | own, timeout=500)
