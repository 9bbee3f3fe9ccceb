"""The cost of a run of track 2 so far, from the lines that it has written."""

from __future__ import annotations

import json
from pathlib import Path

from execution_runner.execution_records import STEPS
from fingertip_models.prices import Prices


class TokenCost:
    """Cost of the tokens in the log of a run that goes on; each line is read once.

    Args:
        run: Folder of the run, which may be missing yet.
        prices: Prices of the model's tokens; None counts nothing.
    """

    def __init__(self, run: Path, prices: Prices | None) -> None:
        self._file, self._prices = run / STEPS, prices
        self._read, self.so_far = 0, 0.0

    def describe(self) -> str:
        """The cost so far, with its currency; "" without prices."""
        if self._prices is None:
            return ""
        self._read_new_lines(self._prices)
        return f"{self.so_far:.4f} {self._prices.currency}"

    def _read_new_lines(self, prices: Prices) -> None:
        try:
            with self._file.open("rb") as file:
                file.seek(self._read)
                content = file.read()
        except FileNotFoundError:
            return
        # the last line may be half written
        whole = content.rfind(b"\n") + 1
        self._read += whole
        for line in content[:whole].splitlines():
            step = json.loads(line)
            tokens = step.get("prompt_tokens"), step.get("completion_tokens")
            if step.get("kind") == "step" and None not in tokens:
                self.so_far += prices.cost(*tokens)
