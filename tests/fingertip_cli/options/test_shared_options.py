"""One option, one meaning: an option of the same name is the same everywhere, and old names still work."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import click
import pytest

from fingertip_cli.options.checked_path import CheckedPath
from fingertip_cli.options.common_options import show_all_options
from fingertip_cli.options.old_spellings import RenamedOption
from fingertip_cli.options.option_groups import GROUPS
from tests.command_line import fingertip
from tests.fingertip_cli.all_commands import all_commands, options_of

VARIANTS = {
    "--agent": "one agent, in `experiment` several, when training only one around a model",
    "--answered-by": "on `phone` the simulated person alone, whom an agent of another process asks",
    "--backend": "of `suggest` and `infer-intents` also batch files, which no phone can wait for",
    "--dataset": "one dataset, on a board several: its bundles may be of different ones",
    "--device": "several that tasks are carried out on, or the one phone of `doctor` and `record`",
    "--embedder": "any, but of a bundle and a hidden test only those that every verifier has",
    "--episodes": "simulated per user, or of all users for training (the paper's 1,000 in `experiment`)",
    "--history": "`relevant` only in `suggest`: it needs a second model while the tasks are answered",
    "--judge": "of SR_1: a rule, people or a model; by screens only a vision model can judge",
    "--locale": "a phone has one language, simulated people may have several",
    "--model": "one that is asked, or in `agents` one that is looked up",
    "--moments": "part of `benchmark` unless left out, of `hidden-test` only where its maintainer wants them",
    "--out": "where the command writes: help says which file or folder, and if it must be new",
    "--partial": "a run that is not whole: `score` takes what is finished, `submit` makes its bundle",
    "--published": "only `score` prints rows of the paper unasked, and can leave them out",
    "--rater": "one person a call, with `suggest` several, who share the tasks",
    "--seed": "with a model it is also sent to the server, and has no default",
    "--task": "of `phone` with the dataset, which `execute` has as argument",
    "--without": "the parts that the prompts of track 1, of track 2, or of a training of both have",
    "--track": "a filter, or what is run or trained: then both, or both mixed, can be meant",
}
"""Option whose declaration differs between commands -> why it does."""

OLD = {
    ("suggest", "--history-from"): "--protocol",
    ("infer-intents", "--history-from"): "--protocol",
    ("export", "--history-from"): "--protocol",
    ("finetune", "--history-from"): "--protocol",
    ("build", "--history-from"): "--history",
    ("suggest", "--batch-results"): "--results",
    ("infer-intents", "--batch-results"): "--results",
    ("execute", "--only-users"): "--users",
    ("export", "--only-users"): "--users",
    ("finetune", "--only-users"): "--users",
    ("suggest", "--only-users"): "--users",
    ("tasks", "--only-users"): "--users",
    ("finetune", "--setting"): "--set",
    ("experiment", "--setting"): "--set",
    ("submit", "--model-size"): "--size",
    ("submit", "--model-name"): "--model",
    ("phone", "--agent-name"): "--agent",
    ("record", "--release-language"): "--language",
    ("privacy review", "--finds"): "--sample",
    ("assist", "--accept-by"): "--accept",
    ("hidden-test", "--prompt-format"): "--format",
    ("quality", "--judge-base-url"): "--base-url",
    ("quality", "--judge-no-preflight"): "--no-preflight",
    ("review", "--judge-base-url"): "--base-url",
    ("review", "--judge-no-preflight"): "--no-preflight",
    ("privacy scan", "--not-kind"): "--without",
}
"""Command and option -> its old name."""


def declaration(option: click.Option) -> tuple[object, ...]:
    kind = option.type
    if isinstance(kind, CheckedPath):
        kind = kind.inner
    return (str(sorted(kind.to_info_dict().items(), key=str)), option.multiple, option.is_flag, option.help)


def test_an_option_means_the_same_in_every_command() -> None:
    declared = defaultdict(set)
    for _, command in all_commands():
        for name, option in options_of(command).items():
            declared[name].add(declaration(option))
    assert {name for name, kinds in declared.items() if len(kinds) > 1} == set(VARIANTS)


def test_every_option_is_in_a_group_and_every_group_has_options() -> None:
    found = {name for _, command in all_commands() for name in options_of(command)}
    listed = [name for names in GROUPS.values() for name in names]
    assert len(listed) == len(set(listed))
    assert found - set(listed) == set(), "put them into a group of fingertip_cli/options/option_groups.py"
    assert set(listed) - found == {"--help", "--help-all", "--version"}


def test_old_names_are_those_listed() -> None:
    found = {
        (command_name, name): option.old
        for command_name, command in all_commands()
        for name, option in options_of(command).items()
        if isinstance(option, RenamedOption) and option.old
    }
    assert found == {place: (old,) for place, old in OLD.items()}


@pytest.mark.parametrize(("place", "old"), OLD.items(), ids=lambda part: str(part))
def test_an_old_name_is_read_as_the_new_one_and_hidden(place: tuple[str, str], old: str) -> None:
    commands = dict(all_commands())
    name, new = place
    option = options_of(commands[name])[new]
    values = {"--history-from": "strict", "--accept-by": "page", "--finds": "3"}
    value = [] if option.is_flag else [values.get(new, "face")]
    with click.Context(commands[name], info_name=name) as context:
        parser = commands[name].make_parser(context)
        by_old, by_new = (parser.parse_args([spelled, *value])[0] for spelled in (old, new))
        assert by_old == by_new
        assert option.name in by_old
        show_all_options(context)
        lines = commands[name].get_help(context).splitlines()
    shown = {line.split()[0] for line in lines if line.strip().startswith("--")}
    assert new in shown
    assert old not in shown or old in options_of(commands[name])


def test_resume_is_accepted_and_not_shown(tmp_path: Path) -> None:
    done = fingertip(
        "execute", "nowhere", "--agent", "imitate", "--device", "replay", "--out", tmp_path, "--resume"
    )
    assert "no built dataset" in done.stderr
    assert "--resume" not in fingertip("execute", "--help-all").stdout
