"""The human baseline: people answer the tasks of a run on a page on this computer."""

from __future__ import annotations

from suggestion_runner.human.server import HumanServer
from suggestion_runner.human.session import HumanSession

__all__ = ["HumanServer", "HumanSession"]
