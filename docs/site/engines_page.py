"""The table of docs/servers.md: what each engine does with each setting, from runs with real weights.

python -m docs.site.engines_page [RESULTS.jsonl]

writes it again; results of `make test-models` (build/engines.jsonl) replace the earlier ones of an engine.
Engines that were not run are shown as their documents describe them.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from docs.site.page_lists import with_lists
from tests.models.engine_probes import PROBES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "servers.md"
RESULTS = ROOT / "tests" / "models" / "results.json"
DOCUMENTED = Path(__file__).with_name("engines_documented.toml")

Results = dict[str, dict[str, Any]]
"""Name of an engine -> its version, the day of the run, and what was seen of each setting."""


def load_results() -> Results:
    """Load the results that are kept next to the tests."""
    results: Results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return results


def merge(results: Results, lines: str) -> Results:
    """Merge the results of a run (JSONL) into earlier ones; the latest line of an engine counts."""
    measured = {line.pop("engine"): line for line in map(json.loads, lines.splitlines())}
    return dict(sorted((results | measured).items(), key=lambda entry: entry[0].casefold()))


def engines() -> str:
    """Make the table, a row for each setting."""
    results = load_results()
    documented = tomllib.loads(DOCUMENTED.read_text(encoding="utf-8"))
    heads = [f"{name}<br>{row['version']}, {row['day']}" for name, row in results.items()]
    heads += [f"{name}<br>[not run: its documents]({row['link']})" for name, row in documented.items()]
    lines = [f"| setting | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    for setting in PROBES:
        cells = [row["seen"].get(setting, "not tried") for row in results.values()]
        cells += [row[setting] for row in documented.values()]
        lines.append(f"| {setting} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:]:
        merged = merge(load_results(), Path(sys.argv[1]).read_text(encoding="utf-8"))
        RESULTS.write_text(json.dumps(merged, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(with_lists(PAGE.read_text(encoding="utf-8"), (engines,)), encoding="utf-8")
