"""The `evaluate` modules in this process: results, and wrong input; test_modules.py loads them by name."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fingertip_metrics import get_embedder, result_dict, sim1, sim2, sr2
from fingertip_metrics.install import MODULES
from fingertip_metrics.judges import LexicalJudge
from fingertip_metrics.sr1_score import sr1

HOME, BACK, DONE = "press_home()", "press_back()", "finished()"
SIM2 = {
    "predictions": [[HOME, DONE], ["a"], []],
    "references": [[HOME, DONE], ["a"], [HOME]],
    "others": [[BACK, DONE], ["b"], []],
}
SR2 = {"predictions": SIM2["predictions"], "references": SIM2["references"], "success": [True, False, None]}
SIM1 = {"predictions": ["打开微信", ""], "references": ["打开微博", "点外卖"], "embedder": "lexical"}
SR1 = {"predictions": SIM1["predictions"], "references": SIM1["references"], "judge": "lexical"}


@pytest.fixture(scope="module")
def modules() -> Iterator[Mapping[str, Any]]:
    """Name -> metric. evaluate's evaluators, which import transformers for ten seconds, are left out."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("evaluate.evaluator", "evaluate.evaluation_suite"):
            absent = ModuleType(name)
            absent.__getattr__ = lambda _: None  # type: ignore[method-assign]
            patch.setitem(sys.modules, name, absent)
        classes = {
            name: next(
                value
                for key, value in vars(importlib.import_module(f"fingertip_metrics.{name}.{name}")).items()
                if key.lower() == name.replace("_", "")
            )
            for name in MODULES
        }
        yield {name: metric(keep_in_memory=True) for name, metric in classes.items()}
    for name in [name for name in sys.modules if name.split(".")[0] == "evaluate"]:
        del sys.modules[name]


def test_a_module_has_the_result_of_its_function(modules: Mapping[str, Any]) -> None:
    texts = (SIM1["predictions"], SIM1["references"])
    expected = {
        "sim1": result_dict(sim1(*texts, embedder=get_embedder("lexical")), per_item=True),
        "sim2": result_dict(sim2(*SIM2.values(), protocol="paper"), per_item=True),
        "sr1": result_dict(sr1(*texts, judge=LexicalJudge()), per_item=True),
        "sr2": result_dict(sr2(*SR2.values()), per_item=True),
    }
    options: dict[str, dict[str, Any]] = {
        "sim1": SIM1,
        "sim2": {**SIM2, "protocol": "paper", "success": SR2["success"]},
        "sr1": SR1,
        "sr2": SR2,
    }
    for name, columns in options.items():
        metric = modules[f"fingertip_{name}"]
        assert metric.compute(**columns, per_item=True) == expected[name]
        del expected[name]["per_item"]
        assert metric.compute(**columns) == expected[name]
    judge = LexicalJudge(threshold=0)
    assert modules["fingertip_sr1"].compute(**{**SR1, "judge": judge})["sr1"] == 0.5
    both = modules["fingertip_suggestion"].compute(
        **SR1, embedder="lexical", seconds=[1, 2], prompt_tokens=[5, 6]
    )
    effort = {"seconds": 1.5, "prompt_tokens": 5.5, "completion_tokens": None}
    reasons = [expected[name]["why_not_comparable"] for name in ("sr1", "sim1")]
    merged = {**expected["sim1"], **expected["sr1"], **effort, "why_not_comparable": "; ".join(reasons)}
    assert both == {name: merged[name] for name in both}
    assert json.loads(json.dumps(both)) == both


def test_arrays_and_series_are_read_as_lists(modules: Mapping[str, Any]) -> None:
    listed, metric = modules["fingertip_sr2"].compute(**SR2), modules["fingertip_sr2"]
    held = pd.Series(SR2["predictions"], dtype=object)
    success = [np.bool_(True), np.bool_(False), None]
    assert metric.compute(predictions=held, references=SR2["references"], success=success) == listed
    texts = {name: np.array(SIM1[name]) for name in ("predictions", "references")}
    sim1_module = modules["fingertip_sim1"]
    assert sim1_module.compute(**texts, embedder="lexical") == sim1_module.compute(**SIM1)


def test_rows_are_added_one_by_one(modules: Mapping[str, Any]) -> None:
    metric = modules["fingertip_sim2"]
    for agent, person, other in zip(*SIM2.values(), strict=True):
        metric.add(prediction=agent, reference=person, others=other)
    assert metric.compute() == result_dict(sim2(*SIM2.values()), per_item=False)


@pytest.mark.parametrize(
    ("name", "columns", "words"),
    [
        ("sim1", {**SIM1, "predictions": [], "references": []}, "at least one row in predictions"),
        ("sim1", {**SIM1, "predictions": ["a"]}, r"number of predictions \(1\) and references \(2\)"),
        ("sim1", {**SIM1, "predictions": ["a", 5]}, r"predictions\[1\] to be a string, got int"),
        ("sim1", {**SIM1, "references": ["a", None]}, r"references\[1\] to be a string, got NoneType"),
        ("sim1", {**SIM1, "predictions": "ab"}, "predictions to be a list of strings, got str"),
        ("sim1", {"predictions": ["a"]}, "references to be a list of strings, got NoneType"),
        ("sim1", {**SIM1, "predictions": ["\ud83d", ""]}, r"predictions\[0\] to be Unicode text"),
        ("sim2", {**SIM2, "others": [[BACK], ["b"], "c"]}, r"others\[2\] to be a list of strings, got str"),
        ("sim2", {**SIM2, "references": [[HOME], ["a"], []]}, r"at least one action in references\[2\]"),
        ("sim2", {**SIM2, "protocl": "paper"}, "protocl"),
        ("sr2", {**SR2, "success": [True, False, 1]}, r"success\[2\] to be True, False or None, got 1"),
        ("sr2", {**SR2, "success": [True, False, "False"]}, "True, False or None, got 'False'"),
        ("sr2", {**SR2, "protocol": "strict"}, "expected protocol release or paper, got 'strict'"),
        ("sr1", {**SR1, "judge": None}, "expected a judge: lexical, human, simulated, simulated-goal or"),
        ("sr1", {**SR1, "judge": "human", "labels": "none.jsonl"}, "the labels cannot be read: No such file"),
        ("suggestion", {**SIM1, "judge": "lexical", "seconds": [1, float("nan")]}, r"seconds\[1\] to be a"),
    ],
)  # fmt: skip
def test_wrong_input_is_named(
    modules: Mapping[str, Any], name: str, columns: dict[str, Any], words: str
) -> None:
    with pytest.raises(Exception, match=words):
        modules[f"fingertip_{name}"].compute(**columns)


@pytest.mark.parametrize(
    ("name", "row", "words"),
    [
        ("sim1", {"prediction": "a", "reference": 7}, r"references\[0\] to be a string, got int"),
        ("sim2", {"prediction": [HOME], "reference": HOME, "others": []}, "to be a list of strings, got str"),
    ],
)  # fmt: skip
def test_a_wrong_row_is_named(modules: Mapping[str, Any], name: str, row: dict[str, Any], words: str) -> None:
    with pytest.raises(Exception, match=words):
        modules[f"fingertip_{name}"].add(**row)
