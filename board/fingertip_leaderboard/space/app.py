"""Entry point of the Space: `python app.py`; reads the results next to it, or at FINGERTIP_RESULTS."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from fingertip_dataset.errors import FingerTipError
from fingertip_leaderboard.hidden_records import HIDDEN, read_shown
from fingertip_leaderboard.results_file import RESULTS, read_results
from fingertip_leaderboard.space.board_page import build_page, launch

if __name__ == "__main__":
    results = Path(os.environ.get("FINGERTIP_RESULTS", Path(__file__).with_name(RESULTS)))
    try:
        launch(build_page(read_results(results), read_shown(results.with_name(HIDDEN))), click.echo)
    except FingerTipError as error:
        sys.exit(f"leaderboard: {error}")
