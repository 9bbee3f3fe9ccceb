"""Run by test_modules.py in a process of its own: importing `evaluate` takes seconds, so everything at once.

Works in the current folder. The environment's HF_ENDPOINT is a port of this machine, on which nobody listens
at first. Prints one JSON object.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import shutil
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import evaluate

import fingertip_metrics
from fingertip_metrics.conventions import OFFICIAL_EMBEDDER
from fingertip_metrics.install import MODULES, modules_cache
from fingertip_metrics.judges import LexicalJudge
from tests.tiny_models import write_sentence_model

HOME, BACK, DONE = "press_home()", "press_back()", "finished()"
SIM2 = {
    "predictions": [[HOME, DONE], ["a"], []],
    "references": [[HOME, DONE], ["a"], [HOME]],
    "others": [[BACK, DONE], ["b"], []],
}
SR2 = {"predictions": SIM2["predictions"], "references": SIM2["references"], "success": [True, False, False]}
LEXICAL = {"judge": "lexical", "embedder": "lexical"}
SIM1 = {"predictions": ["打开微信", ""], "references": ["打开微博", "点外卖"]}


def refusal(call: Callable[[], object]) -> str:
    """Type and text of the error that the call must end in."""
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


class Nothing(BaseHTTPRequestHandler):
    """A Hub that has nothing."""

    def do_GET(self) -> None:
        self.send_error(404)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        """Stay silent."""


def official(sim1: Any, model: Path) -> dict[str, Any]:  # noqa: ANN401
    """The official embedder without network, on a Hub that does not have it, and in the cache."""
    results: dict[str, Any] = {"no answer": refusal(lambda: sim1.compute(**SIM1))}
    with ThreadingHTTPServer(("127.0.0.1", urlsplit(os.environ["HF_ENDPOINT"]).port or 0), Nothing) as hub:
        threading.Thread(target=hub.serve_forever, daemon=True).start()
        results["not there"] = refusal(lambda: sim1.compute(**SIM1))
        hub.shutdown()
    folder = Path(os.environ["HF_HOME"], "hub", f"models--{OFFICIAL_EMBEDDER.replace('/', '--')}")
    (folder / "refs").mkdir(parents=True, exist_ok=True)
    (folder / "refs" / "main").write_text("0" * 40)
    shutil.copytree(model, folder / "snapshots" / ("0" * 40))
    results["cached"] = sim1.compute(**SIM1)
    return results


def run_card(name: str) -> list[str]:
    """The example of a metric card, run; the names that it leaves behind."""
    card = Path(fingertip_metrics.path(name), "README.md").read_text(encoding="utf-8")
    script = Path(f"card_of_{name}.py")
    script.write_text(card.split("```python\n", 1)[1].split("```", 1)[0], encoding="utf-8")
    return sorted(name for name in runpy.run_path(str(script)) if not name.startswith("_"))


def cache_of_evaluate(**variables: str) -> list[str]:
    """Where `evaluate` and where we look for modules in such an environment."""
    kept = {name: os.environ.pop(name, None) for name in ("HF_HOME", "HF_MODULES_CACHE", "XDG_CACHE_HOME")}
    os.environ.update(variables)
    config = importlib.reload(importlib.import_module("evaluate.config"))
    found = [str(config.HF_MODULES_CACHE), str(modules_cache())]
    for name, value in kept.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    importlib.reload(config)
    return found


def refusals(sim1: Any, sim2: Any, sr1: Any, sr2: Any, suggestion: Any) -> dict[str, str]:  # noqa: ANN401
    """What the modules say to wrong input."""
    lexical = {"embedder": "lexical"}
    return {
        "empty": refusal(lambda: sim1.compute(predictions=[], references=[], **lexical)),
        "lengths": refusal(lambda: sim1.compute(predictions=["a"], references=["a", "b"], **lexical)),
        "late number": refusal(
            lambda: sim1.compute(predictions=["a", "b", 5], references=["a"] * 3, **lexical)
        ),
        "late none": refusal(lambda: sim1.compute(predictions=["a", "b"], references=["a", None], **lexical)),
        "bare string": refusal(lambda: sim1.compute(predictions="ab", references=["a", "b"], **lexical)),
        "missing": refusal(lambda: sim1.compute(predictions=["a"], **lexical)),
        "late number in a row": refusal(lambda: sim1.add(prediction="a", reference=7)),
        "bare row": refusal(lambda: sim2.compute(**{**SIM2, "others": [[BACK], ["b"], "c"]})),
        "no person": refusal(lambda: sim2.compute(**{**SIM2, "references": [[HOME], ["a"], []]})),
        "one row": refusal(lambda: sim2.add(prediction=[HOME], reference=HOME, others=[])),
        "one": refusal(lambda: sr2.compute(**{**SR2, "success": [True, False, 1]})),
        "text": refusal(lambda: sr2.compute(**{**SR2, "success": [True, False, "False"]})),
        "protocol": refusal(lambda: sr2.compute(**SR2, protocol="strict")),
        "option": refusal(lambda: sim2.compute(**SIM2, protocl="paper")),
        "no judge": refusal(lambda: sr1.compute(**SIM1)),
        "no labels": refusal(lambda: sr1.compute(**SIM1, judge="human", labels="none.jsonl")),
        "no seconds": refusal(lambda: suggestion.compute(**SIM1, **LEXICAL, seconds=[1, float("nan")])),
        "surrogate": refusal(lambda: sim1.compute(predictions=["\ud83d"], references=["a"], **lexical)),
    }


def plant_stale() -> Path:
    """A module of an earlier version in the cache, newer than the one that was installed."""
    folder = modules_cache() / "evaluate_modules" / "metrics" / "evaluate-metric--fingertip_sim2" / ("0" * 64)
    folder.mkdir()
    (folder / "__init__.py").touch()
    script = Path(fingertip_metrics.path("fingertip_sim2"), "fingertip_sim2.py").read_text(encoding="utf-8")
    (folder / "fingertip_sim2.py").write_text(script + "# as it was\n", encoding="utf-8")
    later = time.time() + 60
    os.utime(folder / "fingertip_sim2.py", (later, later))
    return folder


def main() -> dict[str, Any]:
    """Everything that test_modules.py looks at."""
    model = str(write_sentence_model(Path.cwd() / "tiny"))
    before = refusal(lambda: evaluate.load("fingertip_sim2"))
    sim1, sim2, sr1, sr2, suggestion = modules = [
        evaluate.load(fingertip_metrics.path(name)) for name in MODULES
    ]
    # an error inside compute leaves evaluate's lock file locked, and the next module waits a second for it
    in_memory = [evaluate.load(fingertip_metrics.path(name), keep_in_memory=True) for name in MODULES]
    results = {
        "before": before,
        "sim1": sim1.compute(**SIM1, embedder="lexical", per_item=True),
        "sim1_model": sim1.compute(**SIM1, embedder=model, protocol="paper"),
        "sim2": sim2.compute(**SIM2, per_item=True),
        "sim2_paper": sim2.compute(**SIM2, protocol="paper"),
        "sr1": sr1.compute(**SIM1, judge="lexical", per_item=True),
        "sr1_object": sr1.compute(**SIM1, judge=LexicalJudge(threshold=0)),
        "sr2": sr2.compute(**SR2, per_item=True),
        "suggestion": suggestion.compute(**SIM1, **LEXICAL, seconds=[1, 2], prompt_tokens=[5, 6]),
        "refusals": refusals(*in_memory),
        "official": official(in_memory[0], Path(model)),
        "again": in_memory[0].compute(**SIM1, embedder="lexical"),
    }
    fingertip_metrics.install_modules()
    stale = plant_stale()
    results["stale"] = refusal(lambda: evaluate.load("fingertip_sim2"))
    fingertip_metrics.install_modules()
    results["stale is gone"] = not stale.exists()
    installed = evaluate.load("fingertip_sim2")
    for row in zip(*SIM2.values(), strict=True):
        installed.add(prediction=row[0], reference=row[1], others=row[2])
    results["row by row"] = installed.compute()
    both = evaluate.combine(["fingertip_sim2", "fingertip_sr2"])
    results["combined"] = both.compute(**SIM2, success=SR2["success"], protocol="paper")
    results["cards"] = [run_card(name) for name in MODULES]
    results["saved"] = json.loads(
        evaluate.save(Path("result.json"), **results["sim2_paper"]).read_text(encoding="utf-8")
    )
    results["described"] = [metric.name for metric in modules]
    results["caches"] = [
        cache_of_evaluate(),
        cache_of_evaluate(XDG_CACHE_HOME="/x"),
        cache_of_evaluate(HF_HOME="~/h", XDG_CACHE_HOME="/x"),
        cache_of_evaluate(HF_MODULES_CACHE="m/n", HF_HOME="/h"),
    ]
    return results


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main()))
