"""An install from wheels: their content and links to what they ask for, in a folder that sees nothing else.

As `pip install` into an empty environment would make it, without the download.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.shared_datasets import shared_folder
from tests.test_architecture import ROOT

SOURCES = {"fingertip-20k": ROOT, "fingertip-phone": ROOT / "phone"}
"""Distribution -> the folder that it is built from."""


def built_wheel(name: str, factory: pytest.TempPathFactory) -> Path:
    """The wheel of one of our distributions, built once in a run of pytest; read only."""

    def make(folder: Path) -> None:
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
            cwd=SOURCES[name], check=True, capture_output=True,
        )  # fmt: skip

    (wheel,) = shared_folder(factory, f"wheel-{name}", make).glob("*.whl")
    return wheel


def install(requirement: str, folder: Path, *wheels: Path) -> dict[str, Distribution]:
    """Install a requirement from wheels, and what they ask for from this environment.

    Args:
        requirement: As for pip, `fingertip-20k[demo]`.
        folder: The folder of the install.
        wheels: Our wheels.

    Returns:
        Name -> distribution of everything that the requirement brings.
    """
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as file:
            file.extractall(folder)
    own = {found.name: found for found in distributions(path=[str(folder)])}
    brought = _closure(requirement, own)
    for name, found in brought.items():
        if name not in own:
            _link(found, folder)
    return brought


def command(folder: Path, module: str, *words: str) -> list[str]:
    """A command, `main` of a module, of an interpreter that sees the folder and the standard library."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r})\nfrom {module} import main\nmain()"
    return [sys.executable, "-I", "-S", "-c", code, *words]


def size_of(found: Distribution) -> int:
    """Bytes of a distribution's files, without compiled modules."""
    files = [Path(str(file.locate())) for file in found.files or () if file.suffix != ".pyc"]
    return sum(file.stat().st_size for file in files if file.is_file())


def _closure(requirement: str, own: dict[str, Distribution]) -> dict[str, Distribution]:
    """Name -> distribution of everything that a requirement with its extras brings."""
    found: dict[str, Distribution] = {}
    todo, seen = [Requirement(requirement)], set[tuple[str, str]]()
    while todo:
        needed = todo.pop()
        name = needed.name.lower().replace("_", "-")
        if name not in found:
            found[name] = own.get(name) or distribution(name)
        for extra in {"", *needed.extras} - {done for of, done in seen if of == name}:
            seen.add((name, extra))
            requirements = map(Requirement, found[name].requires or ())
            todo += [
                one for one in requirements if one.marker is None or one.marker.evaluate({"extra": extra})
            ]
    return found


def _link(found: Distribution, folder: Path) -> None:
    for top in {file.parts[0] for file in found.files or () if file.parts[0] != ".."}:
        if not (folder / top).exists():
            (folder / top).symlink_to(Path(str(found.locate_file(top))))
