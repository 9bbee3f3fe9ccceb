"""Names of our modules that a process may import before it runs or forks commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from pkgutil import walk_packages

from fingertip_metrics.install import MODULES

ROOT = Path(__file__).parents[1]
PACKAGES = [path.parent for pattern in ("*/py.typed", "*/*/py.typed") for path in sorted(ROOT.glob(pattern))]

# scripts, modules of `evaluate`, and those that import `datasets`, OpenEnv or Inspect, which take long
_SLOW = {"builder", "evaluate_module", "openenv_env", "openenv_server", "fingertip_20k", "learning", "grpo"}
# need frameworks that are not among the packages of the tests
_OTHERS = {"verifiers_env", "verl_loop"}
EXCLUDED = {"__main__", "app", *_SLOW, *_OTHERS, *MODULES}


def own_modules() -> Iterator[str]:
    """All but those of `EXCLUDED`."""
    for package in PACKAGES:
        for module in walk_packages([str(package)], f"{package.name}."):
            if not EXCLUDED & set(module.name.split(".")):
                yield module.name
