"""Kind of file or folder at a path, for messages such as that of a run where a dataset is expected."""

from __future__ import annotations

from pathlib import Path

from fingertip_dataset.shell_line import write_call

MARKS = {
    "run.json": "a run",
    "repeats.json": "a repeated run",
    "bundle.json": "a bundle",
    "manifest.json": "a built dataset",
    "training.json": "a trained adapter",
    "export.json": "an export",
    "report.json": "the report of a privacy scan",
    "benchmark.json": "a benchmark",
}
"""File -> what the folder is that has it."""

ADVICE = {
    ("a run", "a bundle"): "`fingertip submit RUN --out DIR` makes a bundle of it",
    ("a run", "a built dataset"): "give the dataset that the run is of",
    ("a run", "a CSV file"): "`fingertip score` scores runs",
    ("a run", "a folder of bundles"): "`fingertip submit` makes a bundle of it",
    ("a run", "a repeated run"): "give it as it is",
    ("a repeated run", "a run"): "give one of its tries, such as its folder try-1",
    ("a repeated run", "a bundle"): "`fingertip submit RUN --out DIR` makes a bundle of it",
    ("a repeated run", "a folder of bundles"): "`fingertip submit` makes a bundle of it",
    ("a benchmark", "a run"): "give one of its runs, its folder suggestion or execution",
    ("a benchmark", "a bundle"): "give one of its folder bundles",
    ("a benchmark", "a folder of bundles"): "give its folder bundles",
    ("a bundle", "a folder of bundles"): "give the folder that it is in",
    ("a bundle", "a run"): "give the run that it was made of, or `fingertip verify` it",
    ("a built dataset", "a run"): "`fingertip suggest` or `fingertip execute` makes one of it",
    ("a built dataset", "a raw release"): "give the raw folders that it was built from",
    ("a raw release", "a built dataset"): "`fingertip build RAW --out DATASET` makes one of it",
    ("a raw release", "a run"): "`fingertip build` makes a dataset, and `fingertip suggest` a run of that",
}
"""What is there and what is wanted -> what to do."""


def find_path_kind(path: Path) -> str | None:
    """Return the kind of file or folder at a path, with its article; None if it is missing or unknown.

    >>> find_path_kind(Path("/nowhere/at/all")) is None
    True
    """
    try:
        if path.is_file():
            return "a bundle" if path.suffix.casefold() == ".zip" else "a file"
        known = next((kind for mark, kind in MARKS.items() if (path / mark).is_file()), None)
        if known is None and next(path.glob("[0-9]*/*/action.jsonl"), None) is not None:
            known = "a raw release"
    except OSError:
        return None
    return known


def explain_wrong_path(path: Path, wanted: str) -> str | None:
    """A message about a path that is something else than what is wanted; None if that is not known.

    Args:
        path: The path.
        wanted: What should be there, with its article, such as "a built dataset".
    """
    kind = find_path_kind(path)
    if kind is None and wanted != "a raw release" and find_path_kind(path / "raw") == "a raw release":
        raw, tables = path / "raw", path / "tables"
        return (
            f"this folder holds a raw release, not {wanted}: "
            f"`{write_call('build', raw, '--tables', tables, '--out', 'DATASET')}` makes a dataset of it"
        )
    if kind is None or kind == wanted:
        return None
    if kind == "a file" and find_path_kind(path.parent) == wanted:
        return f"this is a file of {wanted}: give its folder, {path.parent}"
    return f"this is {kind}, not {wanted}: {ADVICE.get((kind, wanted), f'give {wanted}')}"
