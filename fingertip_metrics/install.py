"""Location and installation of this package's `evaluate` modules, for `evaluate.load(name)`."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from fingertip_dataset.errors import UsageError
from fingertip_dataset.path_arguments import accept_path_texts

_SCRIPTS = Path(__file__).parent.glob("*/fingertip_*.py")
MODULES = tuple(sorted(script.stem for script in _SCRIPTS if script.stem == script.parent.name))
"""Names of the modules: every folder of this package with a script of the same name."""


HASH_LENGTH = 64
"""Length of the name of a folder in which `evaluate` keeps one version of a module."""


def path(name: str) -> str:
    """Folder of a module, for `evaluate.load(fingertip_metrics.path("fingertip_sim2"))`.

    Raises:
        UsageError: Unknown module.

    >>> Path(path("fingertip_sim2"), "fingertip_sim2.py").is_file()
    True
    """
    if name not in MODULES:
        raise UsageError(f"expected a module of {', '.join(MODULES)}, got {name!r}")
    return str(Path(__file__).parent / name)


def find_modules_cache() -> Path:
    """Folder in which `evaluate` looks for modules: HF_MODULES_CACHE, else below HF_HOME, else ~/.cache.

    Repeats the rule of `evaluate.config`, because importing that takes seconds.
    """
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    home = os.environ.get("HF_HOME", os.path.join(cache, "huggingface"))  # noqa: PTH118 - "" and "~" as there
    return Path(os.environ.get("HF_MODULES_CACHE", Path(home).expanduser() / "modules"))


@accept_path_texts
def install_modules(cache: Path | None = None) -> tuple[Path, ...]:
    """Install all modules in the modules cache: `evaluate.load("fingertip_sim2")` then works anywhere.

    Idempotent. Replaces the modules of other versions of this package: `evaluate` loads whichever is newest.

    Args:
        cache: The modules cache; `find_modules_cache()` if not given.

    Returns:
        Paths of the installed scripts, in the order of `MODULES`.

    Raises:
        UsageError: The folder cannot be written.
    """
    folder = (cache or find_modules_cache()) / "evaluate_modules"
    try:
        return tuple(_install(name, folder) for name in MODULES)
    except OSError as error:
        reason = f"the modules cache cannot be written: {error.strerror}: set HF_HOME to a folder that can be"
        raise UsageError(reason, file=folder) from None


def _install(name: str, folder: Path) -> Path:
    """Install one script where `evaluate` 0.4.6 looks: metrics/evaluate-metric--{name}/{sha256}/{name}.py."""
    script = Path(path(name), f"{name}.py").read_bytes()
    packages = [folder, folder / "metrics", folder / "metrics" / f"evaluate-metric--{name}"]
    packages.append(packages[-1] / hashlib.sha256(script).hexdigest())
    for package in packages:
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").touch()
    target = packages[-1] / f"{name}.py"
    _write(target, script)
    for other in packages[-2].iterdir():
        if len(other.name) == HASH_LENGTH and other != packages[-1]:
            shutil.rmtree(other)
    return target


def check_script(name: str, file: Path) -> None:
    """Refuse a module that was copied from another version of this package.

    Args:
        name: Name of the module.
        file: Script that `evaluate` has loaded.

    Raises:
        UsageError: The script is not the one of this package.
    """
    ours = Path(path(name), f"{name}.py")
    if file.read_bytes() != ours.read_bytes():
        raise UsageError(
            f"the module {name} in the cache is not of the installed fingertip-20k: "
            f"`fingertip install-metrics` replaces it, "
            f"and evaluate.load(fingertip_metrics.path({name!r})) needs no cache",
            file=file,
        )


def _write(target: Path, content: bytes) -> None:
    """Write atomically, even if unchanged: `evaluate` loads the script with the newest mtime."""
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(target)
