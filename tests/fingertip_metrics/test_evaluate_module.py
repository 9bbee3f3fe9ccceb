"""The `evaluate` modules in this process: results, and wrong input; test_modules.py loads them by name."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from itertools import combinations
from types import ModuleType
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics import get_embedder, result_dict, score_identification, sim1, sim2, sr2
from fingertip_metrics.install import MODULES
from fingertip_metrics.judges import LexicalJudge
from fingertip_metrics.moment_scores import moment_scores
from fingertip_metrics.sr1_score import sr1

HOME, BACK, DONE = "press_home()", "press_back()", "finished()"
SIM2 = {
    "predictions": [[HOME, DONE], ["a"], []],
    "references": [[HOME, DONE], ["a"], [HOME]],
    "others": [[BACK, DONE], ["b"], []],
}
WAYS: dict[str, Any] = {
    "predictions": [[HOME, DONE], ["a"], []],
    "references": [[HOME, DONE], ["a"], [HOME]],
    "users": ["7", "8", "9"],
    "intents": ["听歌", "听一首歌", "打车"],
}
SR2 = {"predictions": SIM2["predictions"], "references": SIM2["references"], "success": [True, False, None]}
SIM1 = {"predictions": ["打开微信", ""], "references": ["打开微博", "点外卖"], "embedder": "lexical"}
MOMENTS: dict[str, Any] = {
    "predictions": ["打开微信", "", "听歌"],
    "references": ["打开微信", "点外卖", ""],
    "confidences": [0.9, 0.25, 0.5],
    "kinds": ["intent", "intent", "busy"],
    "users": ["7", "7", "8"],
}
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
        "identification": result_dict(score_identification(**WAYS, size=2), per_item=True),
        "sim2": result_dict(sim2(*SIM2.values(), protocol="paper"), per_item=True),
        "sr1": result_dict(sr1(*texts, judge=LexicalJudge()), per_item=True),
        "sr2": result_dict(sr2(*SR2.values()), per_item=True),
    }
    options: dict[str, dict[str, Any]] = {
        "sim1": SIM1,
        "identification": {**WAYS, "size": 2},
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


def test_moments_have_the_result_of_their_function(modules: Mapping[str, Any]) -> None:
    metric = modules["fingertip_moments"]
    found = metric.compute(**MOMENTS, judge="lexical", embedder="lexical", penalty=2.0, per_item=True)
    expected = moment_scores(**MOMENTS, judge=LexicalJudge(), embedder=get_embedder("lexical"), penalty=2.0)
    assert found == expected.to_dict(per_item=True)
    assert json.loads(json.dumps(found, allow_nan=False))["sr1"] == 1.0
    texts = {name: MOMENTS[name] for name in ("predictions", "references")}
    nothing_as_none = {**texts, "references": [text or None for text in texts["references"]]}
    plain = metric.compute(**texts)
    assert plain == metric.compute(**nothing_as_none)
    assert (plain["false_trigger_rate"], plain["utility"]) == (1.0, None)
    assert plain["why_undefined"]["brier"] == "the answers have no confidence"


HOLDERS: Mapping[str, Callable[[list[Any]], Any]] = {
    "a list": list,
    "a tuple": tuple,
    "a list of arrays": lambda rows: [np.array(row) if isinstance(row, list) else row for row in rows],
    "an array": lambda rows: np.fromiter(rows, dtype=object, count=len(rows)),
    "a series": lambda rows: pd.Series(rows, dtype=object),
    "a column": lambda rows: datasets.Dataset.from_dict({"rows": rows})["rows"],
    "an arrow array": pa.array,
}
"""Kind of column -> a maker of it from a list."""

CALLS: Mapping[str, dict[str, Any]] = {
    "sim1": SIM1,
    "identification": {**WAYS, "size": 2, "apps": ["a", "a", ""]},
    "moments": {**MOMENTS, "hits": [True, None, None]},
    "sim2": SIM2,
    "sr1": SR1,
    "sr2": SR2,
    "suggestion": {**SR1, "embedder": "lexical", "seconds": [1.0, 2.5], "completion_tokens": [5, 6]},
}
"""Metric -> keywords of a call."""


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("name", CALLS)
def test_columns_of_other_libraries_are_read_as_lists(
    modules: Mapping[str, Any], name: str, holder: str
) -> None:
    metric, make = modules[f"fingertip_{name}"], HOLDERS[holder]
    held = {key: make(value) if isinstance(value, list) else value for key, value in CALLS[name].items()}
    assert metric.compute(**held) == metric.compute(**CALLS[name])


@pytest.mark.install
def test_tensors_are_read_as_lists(modules: Mapping[str, Any]) -> None:
    import torch

    decided = {**SR2, "success": [True, False, True]}
    metric = modules["fingertip_sr2"]
    assert metric.compute(**{**decided, "success": torch.tensor(decided["success"])}) == metric.compute(
        **decided
    )
    metric, call = modules["fingertip_suggestion"], CALLS["suggestion"]
    numbers = {key: torch.tensor(call[key]) for key in ("seconds", "completion_tokens")}
    assert metric.compute(**{**call, **numbers}) == metric.compute(**call)


def test_functions_read_the_same_columns() -> None:
    frame = pd.DataFrame({key: pd.Series(SIM2[key]) for key in SIM2})
    assert sim2(*(frame[key] for key in SIM2)) == sim2(*SIM2.values())
    texts = [np.array(SIM1[key]) for key in ("predictions", "references")]
    assert sr1(*texts, judge=LexicalJudge()) == sr1(*map(list, texts), judge=LexicalJudge())


@pytest.mark.parametrize(
    "names",
    [
        *combinations(("sim1", "sr1", "suggestion"), 2),
        ("sim1", "sr1", "suggestion"),
        ("sim2", "sr2"),
        ("sr2", "sim2"),
    ],
    ids="+".join,
)
def test_metrics_of_a_track_are_combined_with_the_keywords_of_each(
    modules: Mapping[str, Any], names: tuple[str, ...]
) -> None:
    import evaluate

    both = evaluate.combine({name: modules[f"fingertip_{name}"] for name in names}, force_prefix=True)
    call = {key: value for name in names for key, value in CALLS[name].items()}
    found = both.compute(**call, per_item=True, protocol="paper")
    for name in names:
        own = {**CALLS[name], "per_item": True} | ({} if name == "sr1" else {"protocol": "paper"})
        alone = modules[f"fingertip_{name}"].compute(**own)
        assert {key: found[f"{name}_{key}"] for key in alone} == alone


def test_metrics_of_both_tracks_have_no_rows_in_common(modules: Mapping[str, Any]) -> None:
    import evaluate

    both = evaluate.combine([modules["fingertip_sim1"], modules["fingertip_sr2"]])
    with pytest.raises(MetricInputError, match=r"predictions\[0\] to be a list of strings, got str"):
        both.compute(**SIM1, success=[True, False])


def test_the_keywords_that_are_passed_on_are_those_of_the_five(modules: Mapping[str, Any]) -> None:
    from fingertip_metrics.evaluate_module import KEYWORDS

    own = {
        name
        for metric in modules.values()
        for name in (*metric.COLUMNS, *signature(metric._compute).parameters)
    }
    assert own - {"predictions", "references"} == KEYWORDS


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
        ("sim2", {**SIM2, "protocl": "paper"}, "has no keyword 'protocl': did you mean protocol?"),
        ("sr2", {**SR2, "zzz": 1}, "has no keyword 'zzz': there are per_item, predictions, protocol"),
        ("sr2", {**SR2, "success": [True, False, 1]}, r"success\[2\] to be True, False or None, got 1"),
        ("sr2", {**SR2, "success": [True, False, "False"]}, "True, False or None, got 'False'"),
        ("sr2", {**SR2, "protocol": "strict"}, "expected protocol release or paper, got 'strict'"),
        ("sr1", {**SR1, "judge": None}, "expected a judge: lexical, human, simulated, simulated-goal or"),
        ("sr1", {**SR1, "judge": "human", "labels": "none.jsonl"}, "the labels cannot be read: No such file"),
        ("moments", {**MOMENTS, "confidences": [0.5, 2, 0]}, r"confidences\[1\] to be a number from"),
        ("moments", {**MOMENTS, "predictions": ["a", None, ""]}, r"predictions\[1\] to be a string"),
        ("moments", {**MOMENTS, "kinds": ["busy"] * 3}, r"kinds\[0\] to be 'intent', as something is wanted"),
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
