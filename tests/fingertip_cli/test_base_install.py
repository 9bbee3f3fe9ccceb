"""From a base install, without extras, every command works or names the extra that it needs in one line."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from fingertip_agents import get_agent
from fingertip_cli.command_list import COMMANDS
from fingertip_cli.outside_errors import DISTRIBUTIONS, PREFERRED, extras
from suggestion_runner import run_suggestions
from tests.shared_datasets import built_sample

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

FORKED_CALLS = Path(__file__).with_name("forked_calls.py")
PACKAGES = frozenset(path.parent.name for path in ROOT.glob("*/py.typed"))


def name_of(requirement: str) -> str:
    """The distribution that a requirement names."""
    end = next((at for at, sign in enumerate(requirement) if sign in "<>=![;, "), len(requirement))
    return requirement[:end].lower().replace("_", "-")


def optional_modules() -> frozenset[str]:
    """Import names of what the extras for users bring, beside what each install has."""
    base = {name_of(line) for line in PROJECT["dependencies"]}
    named = {name for name, by in extras().items() if set(by) & set(PREFERRED)} - base - {"fingertip-20k"}
    by_module = packages_distributions().items()
    found = {module for module, names in by_module if named & {name_of(name) for name in names}}
    # gradio is in an environment of its own; what comes with a package is hidden with it
    return frozenset({*found, *DISTRIBUTIONS, "gradio"})


@cache
def imports_of(module: str) -> frozenset[str]:
    """All modules that a module of ours imports anywhere in its file, with the packages above them."""
    file = ROOT.joinpath(*module.split("."))
    file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    if not file.is_file():
        return frozenset()
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def reach_optional(command: str, optional: frozenset[str]) -> bool:
    """Whether any module that a command's file may import imports an optional package."""
    todo, seen = [f"fingertip_cli.{command.replace('-', '_')}"], set[str]()
    while todo:
        module = todo.pop()
        if module in seen:
            continue
        seen.add(module)
        for name in imports_of(module):
            if name.partition(".")[0] in optional:
                return True
            if name.partition(".")[0] in PACKAGES:
                todo.append(name)
    # find_adb looks for a package without an import
    return "execution_runner.devices.adb_client" in seen


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[str, ...]]:
    """Command -> a call that reaches an optional package, where a base install can get there."""
    folder = tmp_path_factory.mktemp("base")
    dataset = built_sample(tmp_path_factory)
    run_suggestions(dataset, get_agent("recent"), folder / "run")
    (folder / "results.csv").write_text("a\n1\n", encoding="utf-8")
    (folder / "bundles" / "one").mkdir(parents=True)
    (folder / "seed").write_text("ab" * 32, encoding="utf-8")
    (folder / "seed").chmod(0o600)
    data, run = str(dataset), str(folder / "run")
    model = ("--agent", "model", "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    return {
        "demo": ("--out", str(folder / "demo")),
        "check": (data,),
        "build": (data, "--out", str(folder / "built"), "--engine", "ray"),
        "stats": (data, "--out", str(folder / "stats")),
        "quality": (data, "--config", "text", "--out", str(folder / "quality")),
        "infer-intents": (data, "--out", str(folder / "inferred.jsonl")),
        "suggest": (data, *model, "--out", str(folder / "suggested")),
        "execute": (data, "--agent", "imitate", "--device", "simulated", "--out", str(folder / "executed")),
        "export": (data, "--track", "suggestion", "--out", str(folder / "exported")),
        "finetune": (data, "--track", "suggestion", "--base", run, "--out", str(folder / "tuned")),
        "review": (run, "--judge", "m"),
        "experiment": ("figure-5", data, "--out", str(folder / "experiments")),
        "score": (run, "--embedder", "lexical"),
        "score-csv": (str(folder / "results.csv"), "--embedder", "lexical"),
        "report": (run, "--out", str(folder / "report.html"), "--embedder", "lexical"),
        "submit": (run, "--out", str(folder / "submitted")),
        "verify": (str(folder / "bundles" / "one"), "--dataset", data),
        "leaderboard": (str(folder / "bundles"), "--dataset", data),
        "hidden-test": ("habit", "--seed-file", str(folder / "seed")),
        "phone": ("--locale", "en"),
        "sample": (str(folder / "sample"), "--users", "1", "--episodes", "5", "--locale", "en"),
        "doctor": (),
        "paper": (),
        "record": ("--out", str(folder / "recorded")),
        "privacy": ("review", str(folder / "no-report")),
        "install-metrics": (),
    }


NEEDS_AN_EXTRA = {
    "demo": "demo", "build": "ray", "stats": "plots", "suggest": "models", "experiment": "plots",
    "quality": "plots", "infer-intents": "lexical",
    "score": "lexical", "report": "lexical", "phone": "phone", "sample": "phone", "doctor": "phone",
    "finetune": "train",
}  # fmt: skip
"""Command -> the extra that its call must name; other calls end before, or do not need one."""


def test_every_extra_for_users_is_known() -> None:
    chosen = {"demo", "test", "dev"}  # these bring the packages of others
    assert set(PREFERRED) == set(PROJECT["optional-dependencies"]) - chosen
    assert {"matplotlib", "torch", "openai", "adbutils", "scikit-learn"} <= set(extras())


def test_every_command_of_a_base_install_ends_in_one_line(
    calls: Mapping[str, tuple[str, ...]], tmp_path: Path
) -> None:
    optional = optional_modules()
    assert {"torch", "matplotlib", "sklearn", "openai", "tenacity", "adbutils"} <= optional
    assert {name for name in COMMANDS if reach_optional(name, optional)} <= set(calls)
    (tmp_path / "bin").mkdir()
    environment = {
        **os.environ, "HIDDEN_PACKAGES": ",".join(sorted(optional)), "PATH": str(tmp_path / "bin"),
        "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home"),
    }  # fmt: skip
    lines_in = [json.dumps({"words": [name, *words], "limit": None}) for name, words in calls.items()]
    done = subprocess.run(
        [sys.executable, FORKED_CALLS],
        input="\n".join(lines_in), capture_output=True, text=True, check=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    answers = {answer["words"][0]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert set(answers) == set(calls)
    for name, answer in answers.items():
        assert "Traceback" not in answer["stderr"], answer
        lines = [line for line in answer["stderr"].splitlines() if line.startswith("fingertip")]
        assert answer["code"] in (0, 1, 2), answer
        if answer["code"] == 2:
            assert len(lines) == 1, answer
        if name in NEEDS_AN_EXTRA:
            extra = f"pip install 'fingertip-20k[{NEEDS_AN_EXTRA[name]}]'"
            assert extra in answer["stderr"] + answer["stdout"], answer
