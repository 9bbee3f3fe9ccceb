"""How to install a missing package: by its own name, which any index has, or by an extra of this project."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution, requires

PROJECT = "fingertip-20k"
PHONE = "fingertip-phone"
DISTRIBUTIONS = {"sklearn": "scikit-learn", "scipy": "scikit-learn", "zxingcpp": "zxing-cpp"}
"""Import name -> the distribution that brings it, where that is not the name with hyphens."""

_EXTRA = re.compile(r"extra == ['\"]([\w.-]+)['\"]")


def name_distribution(module: str) -> str:
    """Return the distribution that brings a module.

    >>> name_distribution("sklearn.svm"), name_distribution("sentence_transformers")
    ('scikit-learn', 'sentence-transformers')
    """
    root = module.partition(".")[0]
    return DISTRIBUTIONS.get(root, root.replace("_", "-"))


def list_brought(project: str = PROJECT) -> dict[str, list[str]]:
    """Map each extra of a project to the distributions that it installs here, those of inner extras included.

    Raises:
        PackageNotFoundError: The project is not installed.
    """
    from packaging.requirements import Requirement

    lines: dict[str, list[Requirement]] = {}
    for line in requires(project) or ():
        needed = Requirement(line)
        match = _EXTRA.search(str(needed.marker))
        # not where the extra does without it: there may be no wheel
        if match and needed.marker and needed.marker.evaluate({"extra": match[1]}):
            lines.setdefault(match[1], []).append(needed)

    def expand(extra: str) -> list[str]:
        found: list[str] = []
        for needed in lines.get(extra, ()):
            name = needed.name.lower().replace("_", "-")
            if name == project:
                found += [one for inner in sorted(needed.extras) for one in expand(inner)]
                continue
            found.append(name)
            if name == PHONE:
                found += [one for inner in sorted(needed.extras) for one in list_brought(PHONE)[inner]]
        return found

    return {extra: list(dict.fromkeys(expand(extra))) for extra in lines}


def write_install(package: str, extra: str) -> str:
    """Return the calls of pip that bring a package: with what else of the extra is missing, and by the extra.

    Args:
        package: Name of the package, or of a module of it.
        extra: The extra of this project that brings it.
    """
    name = name_distribution(package)
    try:
        brought = list_brought().get(extra, [])
    except PackageNotFoundError:
        brought = []
    others = [other for other in brought if other not in (name, PHONE) and not _is_installed(other)]
    return f"pip install {' '.join((name, *others))}, or pip install '{PROJECT}[{extra}]'"


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
