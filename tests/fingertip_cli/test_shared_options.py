"""Each option is declared once, also where several commands have it."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import fingertip_cli

FOLDER = Path(fingertip_cli.__file__).parent
OF_ONE_COMMAND = {
    "--agent": "one agent of either track, or several besides the baselines",
    "--base": "needed by `finetune`, and of the experiments that train models",
    "--base-url": "server of the agent's model, or of the judge that `review` asks",
    "--concurrency": "of `suggest` and judges with its note on timing, or of track 1 of `hidden-test`",
    "--currency": "of the prices of the agent's model, or of the inspector's",
    "--dataset": "needed by `verify`, several of `leaderboard`, and for --repo of `submit`",
    "--embedder": "any embedder, or one that every verifier has; both in scoring_options.py",
    "--episodes": "of a demo or a sample: other ranges; in training a number, all, or as in the paper",
    "--format": "framework of an export, or prompt and output format of a hidden test's model",
    "--history": "which earlier intents a dataset has, or how many a prompt has",
    "--judge": "judge of SR_1, or the vision model that labels attempts",
    "--device": "what tasks are carried out on, or one connected phone; both in shared_options.py",
    "--kind": "kinds that are looked for, or whose finds are shown",
    "--model": "model that is queried, or its name on the leaderboard",
    "--no-preflight": "of the agent's model, or of the judge that `review` asks",
    "--out": "another kind of output in each command; runs have `run_folder`",
    "--port": "port of a page, of the leaderboard's page, or of a phone: other ranges",
    "--protocol": "scoring protocol, or which earlier intents are taken",
    "--rater": "several raters of a run, or the one of this page",
    "--requests-per-minute": "of the agent's model, or of the inspector",
    "--results": "files of a batch API, or the file that a leaderboard writes",
    "--sample": "tasks of a run, or finds that are shown",
    "--seed": "seed with default 0, or of a model, without a default",
    "--set": "a setting of an agent's format, or of training",
    "--size": "display size, or size of a model",
    "--skip-same-task": "by text when building, or by --judge when executing",
    "--split": "with a default, or without; both in shared_options.py",
    "--task": "tasks of a run, or the dataset and the task of a phone",
    "--track": "columns of a CSV file, or the tracks of a hidden test, both among them",
    "--user": "number of the recorded user, or whose finds are shown",
    "--users": "number of users of a demo or a sample: other ranges; in training their ids",
    "--why": "reasons in tables, on the page, or asked of a judge",
    "--without": "parts of a prompt that are omitted, or kinds that are not looked for",
}
"""Option that is declared several times -> why its commands cannot share a declaration."""


def declared_options() -> Counter[str]:
    return Counter(
        argument.value
        for file in FOLDER.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "click.option"
        for argument in node.args
        if isinstance(argument, ast.Constant) and argument.value.startswith("--")
    )


def test_an_option_is_declared_again_only_if_it_means_something_else() -> None:
    declared = declared_options()
    assert {name for name, count in declared.items() if count > 1} == set(OF_ONE_COMMAND)
