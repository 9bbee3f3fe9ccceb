"""Memory that the phones of a process share for speed: pages, layouts and worlds that were made before."""

from __future__ import annotations

from simulated_phone.goals.app_definition import pristine_state
from simulated_phone.machine.kept_pages import forget_pages
from simulated_phone.screens.layouts.kept_layouts import forget_layouts


def forget_kept() -> None:
    """Drop what was made for phones before; phones of other seeds need little of it."""
    forget_pages()
    forget_layouts()
    pristine_state.cache_clear()
