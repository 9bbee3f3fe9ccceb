"""The table of the pretrained model: cells in table 5's order, and their gains over the tasks in common."""

from __future__ import annotations

import json
from pathlib import Path

from fingertip_studies.learning.learning_cells import Cell, LearnedScores
from fingertip_studies.learning.pretrained import EXECUTIONS, SUGGESTIONS, Bench, list_common, show
from fingertip_training.finetune.finetune_settings import read_settings


def score(name: str, value: float, *tasks: str) -> LearnedScores:
    return LearnedScores(Cell(name=name), {"Sim_1": dict.fromkeys(tasks, value)})


def test_gains_follow_table_5_on_each_source() -> None:
    cells = [cell for cell in SUGGESTIONS if cell.name.endswith(("as it is", "1/16 r4", "r64", "habit"))]
    tasks = [f"{user}__{number}" for user in "ab" for number in range(3)]
    text = show(cells, [score(cell.name, at / 10, *tasks) for at, cell in enumerate(cells)])
    assert text.startswith("6 tasks of 2 people\n")
    assert "| own months, 1/16 r4 over as it is | +0.400" in text
    assert "| own months, all r64 over own months, 1/16 r64 | +0.100" in text
    assert "| own months, all r64 over habit | -0.100" in text


def test_only_tasks_of_all_cells_count() -> None:
    assert list_common([score("one", 1, "b", "a"), score("other", 0, "b", "c")]) == ["b"]


def test_every_cell_has_folders_of_its_own(tmp_path: Path) -> None:
    cells = (*SUGGESTIONS, *EXECUTIONS)
    assert len({cell.folder for cell in cells}) == len(cells)
    bench = Bench(work=tmp_path, model=tmp_path, sim=tmp_path, others=tmp_path / "others", size="cpu")
    assert bench.find_data("other people") == tmp_path / "others"


def test_both_settings_files_train_the_same_steps() -> None:
    folder = Path(__file__).parents[2] / "fingertip_studies" / "learning"
    cpu, gpu = (
        read_settings(folder / name).values.model_dump()
        for name in ("pretrained.toml", "pretrained-gpu.toml")
    )
    differing = {name for name in cpu if cpu[name] != gpu[name]}
    assert differing == {"device_batch_size", "gradient_checkpointing", "precision"}, json.dumps(gpu)
