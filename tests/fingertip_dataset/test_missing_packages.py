"""What a message about a missing package says: a call of pip that works without an index of this project."""

from __future__ import annotations

import re

import pytest
from packaging import markers

from fingertip_cli.extras import EXTRAS
from fingertip_dataset.errors import MissingExtraError
from fingertip_dataset.missing_packages import list_brought, write_install


@pytest.mark.parametrize("extra", EXTRAS)
def test_each_package_of_an_extra_is_named_with_the_extra(extra: str) -> None:
    for package in list_brought()[extra]:
        words = str(MissingExtraError(package.replace("-", "_"), extra))
        plain = re.fullmatch(
            rf"the package {package} is not installed: pip install ({package}[\w -]*), or .*", words
        )
        assert plain, words
        assert words.endswith(f"or pip install 'fingertip-20k[{extra}]'")


def test_a_module_is_named_by_its_package() -> None:
    assert str(MissingExtraError("sklearn", "lexical")).startswith(
        "the package scikit-learn is not installed: pip install scikit-learn, or "
    )


def test_other_missing_packages_of_the_extra_come_in_the_same_call(monkeypatch: pytest.MonkeyPatch) -> None:
    # an environment without any package but the metadata of the project itself
    from importlib.metadata import Distribution, PackageNotFoundError

    found = Distribution.from_name

    def find(name: str) -> Distribution:
        if name.startswith("fingertip"):
            return found(name)
        raise PackageNotFoundError(name)

    monkeypatch.setattr(Distribution, "from_name", find)
    assert write_install("openai", "models").startswith("pip install openai cykooz-resizer tenacity, or ")


def test_a_package_without_a_wheel_for_this_machine_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    here = markers.default_environment()
    monkeypatch.setattr(
        markers,
        "default_environment",
        lambda: here | {"platform_machine": "riscv64", "sys_platform": "linux"},
    )
    assert "cykooz-resizer" not in list_brought()["models"]


def test_an_inner_extra_is_expanded() -> None:
    brought = list_brought()
    assert set(brought["lexical"]) | set(brought["plots"]) < set(brought["demo"])
    assert "adbutils" in brought["phone"]
