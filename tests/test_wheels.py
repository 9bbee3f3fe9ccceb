"""The wheels: what an index shows of them, and how much a base install brings."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest

from tests.test_architecture import ROOT
from tests.wheel_install import SOURCES, built_wheel, install, size_of

pytestmark = pytest.mark.install

MOST_BYTES = 350_000_000
"""Size that a base install may have, without compiled modules; pip's come to some 50 MB more."""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return [built_wheel(name, tmp_path_factory) for name in SOURCES]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("installed")


@pytest.fixture(scope="module")
def brought(folder: Path, wheels: list[Path]) -> dict[str, Distribution]:
    """What a base install brings."""
    return install("fingertip-20k", folder, *wheels)


def test_an_index_accepts_the_wheels(wheels: list[Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *map(str, wheels)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == len(wheels)


def test_an_index_shows_no_link_that_leads_nowhere(brought: dict[str, Distribution]) -> None:
    shown = {name: str(brought[name].metadata.get_payload()) for name in SOURCES}
    texts = {name: re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S) for name, text in shown.items()}
    links = [link for text in texts.values() for link in re.findall(r"\]\(([^)\s]+)", text)]
    assert "https://arxiv.org/abs/2507.21071" in links
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert not any(
        re.search(r"<(img|a)\s[^>]*(src|href)=[\"'](?!https://|#)", text) for text in texts.values()
    )


def test_an_index_shows_every_block_of_code_as_it_is(brought: dict[str, Distribution]) -> None:
    blocks = re.findall(r"```.*?```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    assert blocks
    payload = str(brought["fingertip-20k"].metadata.get_payload())
    assert [block for block in blocks if block not in payload] == []


def test_an_index_names_pythons_and_places(brought: dict[str, Distribution]) -> None:
    for name in SOURCES:
        metadata = brought[name].metadata
        classifiers = metadata.get_all("Classifier") or []
        assert all(f"Programming Language :: Python :: 3.{minor}" in classifiers for minor in (11, 12, 13))
        assert metadata.get_all("Project-URL")
        assert metadata["License-Expression"] == "Apache-2.0"


def test_both_distributions_are_of_the_version_in_their_package(folder: Path, wheels: list[Path]) -> None:
    import fingertip_dataset
    import simulated_phone

    found = {one.name: one.version for one in distributions(path=[str(folder)]) if one.name in SOURCES}
    assert found == {
        "fingertip-20k": fingertip_dataset.__version__,
        "fingertip-phone": simulated_phone.__version__,
    }


def test_a_base_install_stays_small_and_leaves_out_what_no_command_needs(
    brought: dict[str, Distribution],
) -> None:
    assert not {"datasets", "evaluate", "pandas", "huggingface-hub", "torch", "matplotlib"} & brought.keys()
    sizes = {name: size_of(found) for name, found in brought.items()}
    assert sum(sizes.values()) < MOST_BYTES, sorted(sizes.items(), key=lambda size: -size[1])[:10]
