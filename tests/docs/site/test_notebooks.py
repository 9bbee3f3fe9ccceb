"""The notebooks run as they stand, offline, and print what is stored in them and shown on the site."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from docs.site.site_map import ROOT, notebook_files
from docs.site.write_notebooks import executed
from tests.shared_datasets import simulated_people

pytestmark = pytest.mark.install


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What each cell of code prints; a picture counts by its kind alone."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [
        "".join(output.get("text", "") or "".join(output.get("data", {})) for output in cell.outputs)
        for cell in cells
    ]


@pytest.mark.parametrize("name", notebook_files())
def test_a_notebook_runs_and_prints_what_is_stored(
    name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the people whom the first cell makes where they are missing
    people = simulated_people(tmp_path_factory)
    (tmp_path / "people").symlink_to(people / "sample")
    (tmp_path / "sim").symlink_to(people / "dataset")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    stored = nbformat.read(ROOT / name, as_version=4)
    assert printed(executed(ROOT / name, tmp_path)) == printed(stored), (
        "what the notebook prints has changed: python -m docs.site.write_notebooks stores it"
    )
    assert len(printed(stored)) > 5
