"""README.md of an export: the splits for `load_dataset`, and what the folder is for a reader.

Without stated splits `datasets` finds them by keywords in file names, and `vali` is none of its keywords: it
drops vali.jsonl without a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fingertip_training.export_record import EXPORT_RECORD, ExportedSplit

EXPORT_CARD = "README.md"


def render_export_card(splits: Sequence[ExportedSplit]) -> str:
    """Render README.md, with the file of each split in its YAML.

    Args:
        splits: The written splits.
    """
    import yaml  # type: ignore[import-untyped]

    files = [{"split": Path(one.file).stem, "path": one.file} for one in splits]
    header = yaml.safe_dump(
        {"configs": [{"config_name": "default", "data_files": files}]}, sort_keys=False, allow_unicode=True
    )
    counts = "".join(f"| {one.split} | {one.rows} | {one.episodes} |\n" for one in splits)
    return (
        f"---\n{header}---\n# Training samples\n\n"
        f"Written by `fingertip export`; {EXPORT_RECORD} says from what and how. `load_dataset` reads this "
        "folder, each split by its name.\n\n"
        f"| split | samples | episodes |\n|---|---|---|\n{counts}"
    )
