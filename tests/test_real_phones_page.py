"""docs/real-phones.md: its faults are those of the simulated phone, in words and seconds."""

from __future__ import annotations

import re
from pathlib import Path

from simulated_phone.machine.faults import FAULT_RECORDS

PAGE = Path(__file__).parents[1] / "docs" / "real-phones.md"


def read_rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its two head lines."""
    part = PAGE.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")][2:]


def test_the_table_of_faults_is_that_of_the_phone() -> None:
    rows = [tuple(cell.strip() for cell in row) for row in read_rows("Faults")]
    assert rows == [
        (fault.name, "" if fault.seconds is None else f"{fault.seconds:g}", fault.description)
        for fault in FAULT_RECORDS.values()
    ]


def test_what_a_brand_does_has_a_source_and_is_played_by_faults_that_exist() -> None:
    rows = [[cell.strip() for cell in row] for row in read_rows("What each brand is known to do")]
    brands = " ".join(row[0] for row in rows)
    for brand in ("Xiaomi", "vivo", "OPPO", "Huawei", "HarmonyOS", "Honor", "Samsung", "Pixel", "OnePlus"):
        assert brand in brands
    for _, does, source, handled, faults in rows:
        assert does
        assert handled
        assert re.fullmatch(r"[\w.-]+/[\w.-]+ \d+(, [\w.-]+/[\w.-]+ \d+)*", source)
        assert set(re.findall(r"\w+", faults)) <= FAULT_RECORDS.keys()
