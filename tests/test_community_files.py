"""Templates and the workflow that a host reads: they parse, and run what a user runs."""

from __future__ import annotations

import re

import yaml

from tests.test_architecture import ROOT

GITHUB = ROOT / ".github"


def test_issue_forms_have_what_they_need() -> None:
    forms = [file for file in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if file.name != "config.yml"]
    assert forms
    for file in forms:
        form = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert form.keys() >= {"name", "description", "body"}
        fields = [part for part in form["body"] if part["type"] != "markdown"]
        assert fields
        assert all({"id", "attributes"} <= part.keys() and part["attributes"]["label"] for part in fields)


def test_the_workflow_runs_make_test_make_soak_and_make_compat() -> None:
    workflow = yaml.safe_load((GITHUB / "workflows" / "test.yml").read_text(encoding="utf-8"))
    runs = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    assert runs == [".ci/run", "CI_FULL=1 .ci/run", "make soak", "make compat"]
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert {"test", "soak", "compat"} <= set(targets)
