"""A simulated release keeps how its phones were set up, beside the columns and not among them."""

from __future__ import annotations

import json
import shutil
from copy import deepcopy
from pathlib import Path

import pytest

from execution_runner.environments.simulated import simulation_of
from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.simulations import HEAD, SIMULATIONS, list_answer_forms, list_heads
from fingertip_runs.benchmark_versions import HARNESS, BenchmarkVersions
from simulated_phone import Phone
from simulated_phone.people.simulation import Simulation
from simulated_phone.versions import CURRENT
from tests.fixtures.drawn_sample import sample_release
from tests.shared_datasets import manifest_again, simulated_people


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


def test_every_simulated_episode_has_its_set_up(dataset: Path) -> None:
    output = BuiltDataset.open(dataset).simulations()
    assert len(output) == 16
    for episode_id, fields in output.items():
        simulation = Simulation.from_json(fields)
        assert simulation.to_json() == fields
        assert simulation.size == (270, 600)
        phone = Phone(size=simulation.size, density=105)
        simulation.setup.apply(phone)
        assert phone.now.strftime("%Y%m%d_%H%M%S") == episode_id.partition("__")[2]
        assert not phone.achieved(simulation.goal_instance)


def test_a_broken_line_is_named(dataset: Path, tmp_path: Path) -> None:
    changed = Path(shutil.copytree(dataset, tmp_path / "changed"))
    file = changed / SIMULATIONS
    file.write_text(file.read_text(encoding="utf-8") + "[]\n", encoding="utf-8")
    manifest_again(changed)
    with pytest.raises(DatasetError, match=r"expected an episode id and its simulation.*line 17"):
        BuiltDataset.open(changed).simulations()


def test_a_changed_simulation_is_refused(dataset: Path, tmp_path: Path) -> None:
    changed = Path(shutil.copytree(dataset, tmp_path / "changed"))
    file = changed / SIMULATIONS
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(reversed(lines)), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"it has changed since the build.*simulations\.jsonl"):
        BuiltDataset.open(changed).simulations()
    file.unlink()
    with pytest.raises(DatasetError, match=r"got no file: it has changed.*simulations\.jsonl"):
        BuiltDataset.open(changed)
    assert SIMULATIONS in {entry.file for entry in BuiltDataset.open(dataset).manifest.files}


def test_data_that_are_not_simulated_have_none(tmp_path: Path) -> None:
    sample = sample_release()
    build(sample / "raw", tmp_path / "out", tables=sample / "tables")
    assert BuiltDataset.open(tmp_path / "out").simulations() == {}
    assert not (tmp_path / "out" / SIMULATIONS).exists()


def test_a_dataset_of_one_suite_has_its_versions_and_a_mixed_one_is_refused(
    dataset: Path, tmp_path: Path
) -> None:
    ours = BenchmarkVersions.of(BuiltDataset.open(dataset))
    assert ours == BenchmarkVersions(harness=HARNESS, **CURRENT.to_json())
    changed = Path(shutil.copytree(dataset, tmp_path / "changed"))
    file = changed / SIMULATIONS
    first, *others = file.read_text(encoding="utf-8").splitlines(keepends=True)
    old = first.replace(f'"suite": "{CURRENT.suite}"', '"suite": "0.1"')
    file.write_text(old + "".join(others), encoding="utf-8")
    manifest_again(changed)
    with pytest.raises(
        DatasetError, match=r"people of different versions .*suite 0\.1.*build one dataset for each"
    ):
        BenchmarkVersions.of(BuiltDataset.open(changed))
    with pytest.raises(
        DatasetError, match=f"the tasks are of suite 0.1, this phone has suite {CURRENT.suite}"
    ):
        simulation_of(BuiltDataset.open(changed).simulations(), json.loads(old)["episode_id"])


def test_what_all_episodes_are_asked_for_is_kept_once(dataset: Path) -> None:
    output = BuiltDataset.open(dataset).simulations()
    heads = list_heads(output)
    assert [
        one for one in output.values() if {name: one[name] for name in HEAD if name in one} not in heads
    ] == []
    assert len(heads) < len(output)
    assert list_heads(dict(output)) == list(output.values())
    assert deepcopy(output) == output  # as it is sent to another process
    forms = {name: str(one["answer_form"]) for name, one in output.items() if one.get("answer_form")}
    assert list_answer_forms(output) == list_answer_forms(dict(output)) == forms
