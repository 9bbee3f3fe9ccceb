"""Differences between a built dataset and the published one, in one phrase."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_recorder.published_sample import (
    DATA_SHA256,
    MOMENTS_SHA256,
    PACKAGES,
    PUBLISHED,
    SIMULATIONS_SHA256,
    VERSIONS,
    explain_difference,
    has_published_moments,
)
from tests.shared_datasets import simulated_people


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltDataset:
    return BuiltDataset.open(simulated_people(tmp_path_factory) / "dataset")


def test_the_order_is_that_of_the_published_people() -> None:
    order = PUBLISHED.order(Path("people"))
    assert (order.users, order.episodes, order.seed, order.size) == (100, 60, 20, (360, 800))
    assert order.locales == ("zh", "en")


def test_a_difference_is_named_by_its_cause(built: BuiltDataset) -> None:
    manifest, versions = built.manifest, dict(VERSIONS)
    published = manifest.model_copy(update={"data_sha256": DATA_SHA256})
    assert explain_difference(published, versions) is None
    assert explain_difference(manifest, {}) == "its people are not simulated"
    assert explain_difference(manifest, versions) == "it has other people or other tasks"
    older = {**versions, "phone": "1.0"}
    assert explain_difference(manifest, older) == (
        f"its people are of phone 1.0 ({VERSIONS['phone']} in the published one)"
    )
    entries = [
        entry.model_copy(update={"sha256": SIMULATIONS_SHA256})
        if entry.file == "simulations.jsonl"
        else entry
        for entry in manifest.files
    ]
    other_pillow = manifest.source.model_copy(update={"packages": {**PACKAGES, "pillow": "1.0"}})
    same_people = manifest.model_copy(update={"files": tuple(entries), "source": other_pillow})
    assert explain_difference(same_people, versions) == (
        "it has the same people and tasks, but its files were written by "
        f"pillow 1.0 ({PACKAGES['pillow']} in the published one)"
    )
    alike = same_people.model_copy(
        update={"source": other_pillow.model_copy(update={"packages": dict(PACKAGES)})}
    )
    assert explain_difference(alike, versions) == (
        "it has the same people and tasks, but the bytes of its files differ"
    )


def test_the_published_moments_are_known_by_their_hash(built: BuiltDataset) -> None:
    manifest = built.manifest
    assert manifest.moments is not None
    assert not has_published_moments(manifest)
    assert not has_published_moments(manifest.model_copy(update={"moments": None}))
    published = manifest.moments.model_copy(update={"data_sha256": MOMENTS_SHA256})
    assert has_published_moments(manifest.model_copy(update={"moments": published}))
