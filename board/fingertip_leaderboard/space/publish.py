"""Write the board as the folder of a Space on the Hub."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from fingertip_dataset.errors import RunError
from fingertip_leaderboard.hidden_records import HIDDEN, HiddenTestRecord, check_secret, write_shown
from fingertip_leaderboard.hidden_secret import HiddenSecret
from fingertip_leaderboard.results_file import RESULTS
from fingertip_leaderboard.verified_records import VerifiedResults
from fingertip_runs.run_folder import write_json

FILES = ("README.md", "app.py", "requirements.txt")
"""Files of a Space except its results; all other code is in the package."""


def write_space(
    results: VerifiedResults,
    out: Path,
    hidden: Sequence[HiddenTestRecord] = (),
    secrets: Sequence[HiddenSecret] = (),
) -> Path:
    """Write a Space; files of an earlier one are replaced.

    Args:
        results: Verified results.
        out: Folder of the Space.
        hidden: Records of hidden tests.
        secrets: Secrets of the records.

    Raises:
        RunError: The folder cannot be written, or is neither empty nor a Space, or a record was changed or is
            of none of the secrets.
    """
    for record in hidden:
        check_secret(record, secrets)
    here = Path(__file__).parent
    try:
        out.mkdir(parents=True, exist_ok=True)
        others = sorted(
            {path.name for path in out.iterdir() if path.name != ".git"} - {*FILES, RESULTS, HIDDEN}
        )
        if others and not (out / FILES[1]).exists():
            raise RunError(f"expected an empty folder or a Space, got {others[0]}", file=out)
        for name in FILES:
            shutil.copyfile(here / name, out / name)
    except OSError as error:
        raise RunError(f"the Space cannot be written: {error.strerror or error}", file=out) from error
    write_json(out / RESULTS, results.model_dump(mode="json"))
    write_shown(hidden, out / HIDDEN)
    return out
