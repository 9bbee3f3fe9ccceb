"""The human baseline: people answer the tasks of a run on a page on this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from suggestion_runner.human.human_page import HumanPage
    from suggestion_runner.human.human_session import HumanSession

__all__ = ["HumanPage", "HumanSession"]

if not TYPE_CHECKING:  # a type checker would accept any name from a module-level __getattr__
    __getattr__, __dir__ = lazy_names(__name__)
