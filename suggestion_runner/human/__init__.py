"""The human baseline: people answer the tasks of a run on a page on this computer."""

from __future__ import annotations

from suggestion_runner.human.human_page import HumanPage
from suggestion_runner.human.human_session import HumanSession

__all__ = ["HumanPage", "HumanSession"]
