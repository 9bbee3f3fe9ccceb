"""Run the notebooks and store their outputs: `python -m docs.site.write_notebooks`.

The tests run them too, and compare the text that they print with what is stored.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from docs.site.site_map import ROOT, notebook_files

if TYPE_CHECKING:
    from nbformat import NotebookNode


def executed(path: Path, folder: Path) -> NotebookNode:
    """A notebook with the outputs of a run in a folder; metadata that changes from run to run is dropped.

    Raises:
        CellExecutionError: A cell fails.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    # no progress bars, which are never the same
    quiet = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "HF_HOME": str(folder / "hf")}
    os.environ |= quiet | {"PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    client = NotebookClient(
        notebook, timeout=500, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata.clear()
        if cell.cell_type == "code":
            cell.outputs = _stored(cell.outputs)
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook


def _stored(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Outputs without what differs from run to run: progress, addresses in memory, and how a text was cut."""
    kept: list[NotebookNode] = []
    for output in outputs:
        if output.output_type == "stream":
            if output.name == "stderr":
                continue
            if kept and kept[-1].output_type == "stream":
                kept[-1].text += output.text
                continue
        for kind in ("image/jpeg", "image/png"):
            if kind in output.get("data", {}):
                output.data, output.metadata = {kind: output.data[kind]}, {}
        kept.append(output)
    return kept


if __name__ == "__main__":
    import nbformat

    for name in notebook_files():
        with tempfile.TemporaryDirectory() as temporary:
            nbformat.write(executed(ROOT / name, Path(temporary)), ROOT / name)
