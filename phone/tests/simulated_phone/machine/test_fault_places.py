"""Each fault has what closes it, and a row on the page about real phones."""

from __future__ import annotations

from pathlib import Path

import simulated_phone
from simulated_phone.machine import fault_overlays
from simulated_phone.machine.faults import CLOSE_LABELS, FAULT_RECORDS, OVERLAYS

ROOT = Path(simulated_phone.__file__).parent


def test_each_overlay_has_a_page_and_a_button_that_closes_it() -> None:
    assert CLOSE_LABELS.keys() <= fault_overlays.PAGES.keys()
    assert len(CLOSE_LABELS) == len(OVERLAYS)


def test_the_page_about_real_phones_lists_every_fault() -> None:
    page = (ROOT.parents[1] / "docs" / "real-phones.md").read_text(encoding="utf-8")
    rows = [
        f"| {fault.name} | {'' if fault.seconds is None else f'{fault.seconds:g}'} | {fault.description} |"
        for fault in FAULT_RECORDS.values()
    ]
    assert "\n".join(rows) + "\n" in page
