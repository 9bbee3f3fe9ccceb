"""Each fault is declared in faults.py alone, and its record names the file in which it takes effect."""

from __future__ import annotations

import ast
from pathlib import Path

import simulated_phone
from simulated_phone.machine import fault_overlays, faults
from simulated_phone.machine.faults import CLOSE_LABELS, FAULT_RECORDS, FAULTS, OVERLAYS

ROOT = Path(simulated_phone.__file__).parent
CONSTANTS = {value: name for name, value in vars(faults).items() if name.isupper() and value in list(FAULTS)}


def names_used(file: Path) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Name)}


def test_each_fault_takes_effect_in_the_file_that_its_record_names() -> None:
    assert CONSTANTS.keys() == FAULTS.keys() == FAULT_RECORDS.keys()
    for fault in FAULT_RECORDS.values():
        used = names_used(ROOT / fault.place)
        effect = {CONSTANTS[fault.name]} if fault.overlay is None else {"OVERLAYS"}
        effect |= {"BLOCKING_FAULTS"} if fault.blocks_host else set()
        assert effect & used, f"{fault.place} does not use {fault.name}"


def test_each_overlay_has_a_page_and_a_button_that_closes_it() -> None:
    assert CLOSE_LABELS.keys() <= fault_overlays.PAGES.keys()
    assert len(CLOSE_LABELS) == len(OVERLAYS)


def test_the_page_about_real_phones_lists_every_fault() -> None:
    page = (ROOT.parents[1] / "docs" / "real-phones.md").read_text(encoding="utf-8")
    rows = [
        f"| {fault.name} | {'' if fault.seconds is None else f'{fault.seconds:g}'} | {fault.description} |"
        for fault in FAULT_RECORDS.values()
    ]
    assert page.endswith("\n".join(rows) + "\n")
