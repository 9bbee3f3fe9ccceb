"""When a phone is asked for its accessibility tree: always, or only now and then while none can be had.

On a moving screen (a video, a live map) `uiautomator dump` waits ten seconds for an idle screen and fails,
each time. After some failures in a row the runner continues with screenshots alone.
"""

from __future__ import annotations

TREE_FAILURES = 3
"""Number of failures in a row after which trees are tried only now and then."""

TREE_EVERY = 5
"""In that mode a tree is tried at every n-th screen, and when another app comes to the front."""


class TreeTries:
    """Counts failed trees of one phone."""

    def __init__(self) -> None:
        self._failures = 0
        self._skipped = 0
        self._package = ""

    def due(self, package: str) -> bool:
        """Whether to try a tree.

        Args:
            package: The app that was last seen in front; "" if unknown.
        """
        if self._failures < TREE_FAILURES or package != self._package:
            return True
        self._skipped += 1
        return self._skipped >= TREE_EVERY

    def skipped(self) -> str:
        """Why no tree was tried, in words."""
        return (
            f"no accessibility tree was tried, as the last {self._failures} tries had none: screenshots "
            f"alone, and a tree at every {TREE_EVERY}th screen"
        )

    def count_failure(self, package: str) -> None:
        """Count a failure in this app."""
        self._failures += 1
        self._skipped = 0
        self._package = package

    def forget_failures(self) -> None:
        """Forget all failures."""
        self._failures = self._skipped = 0
