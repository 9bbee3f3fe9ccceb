"""Software that builds a dataset: the commit of the source tree, and versions of the relevant packages."""

from __future__ import annotations

import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import which

from fingertip_dataset.parquet.manifest import BuildSource

PACKAGES = ("fingertip-20k", "lxml", "numpy", "pillow", "pyarrow", "rapidfuzz")
"""Packages that determine the content of a dataset."""


@cache
def source() -> BuildSource:
    """Return the commit of this package's git checkout, if any, and the package versions.

    They are read once per process: those of the code that it runs, also after the checkout has changed.
    """
    commit = _run_git("rev-parse", "HEAD")
    changes = _run_git("status", "--porcelain", "--untracked-files=no") if commit else None
    return BuildSource(
        git_commit=commit or None,
        dirty=None if changes is None else bool(changes),
        packages={
            package: installed for package in PACKAGES if (installed := find_installed_version(package))
        },
    )


@cache
def find_installed_version(package: str) -> str | None:
    """Return the version of an installed package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _run_git(*arguments: str) -> str | None:
    """Run git in this project's checkout; None if the package does not lie in one."""
    root = Path(__file__).resolve().parents[2]
    git = which("git")
    if git is None or not (root / ".git").exists():
        return None
    call = [git, "-C", str(root), *arguments]
    try:
        done = subprocess.run(call, capture_output=True, text=True, check=True, timeout=20)  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
