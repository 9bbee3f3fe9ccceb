"""One option, one meaning: an option of the same name is the same everywhere, and old names still work."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import click
import pytest

from fingertip_cli.checked_path import CheckedPath
from fingertip_cli.old_spellings import RenamedOption
from fingertip_cli.option_groups import GROUPS
from tests.command_line import fingertip
from tests.fingertip_cli.all_commands import all_commands, options_of

VARIANTS = {
    "--agent": "one agent, or in `experiment` several; the only one of `suggest` is of track 1",
    "--backend": "of `suggest` and `infer-intents` also a provider's batch files",
    "--base": "folder or Hub name of the model that is trained; needed by `finetune`",
    "--contact": "needed by `submit`, else a default",
    "--dataset": "of the runs; needed by `verify`, several of `leaderboard`",
    "--device": "several that tasks are carried out on, or the one phone of `doctor` and `record`",
    "--embedder": "of a bundle and of a hidden test only those that every verifier has",
    "--engine": "what is done on Ray: shards, tasks, a scan",
    "--episodes": "simulated per user, or training episodes of all",
    "--history": "which of the choices a command has: `relevant` needs a second model",
    "--judge": "of SR_1, or the vision model of `review` and `quality`",
    "--kind": "kinds of private parts that are looked for, or shown",
    "--language": "of the prompts; in `record` the one of a new release, by any code",
    "--licence": "of the data that is built, or recorded",
    "--limit": "how many tasks, from the beginning on track 1 and spread over the split on track 2",
    "--locale": "of one phone, or several of simulated people",
    "--model": "of the agent: queried, or named on the leaderboard",
    "--name": "needed by `submit`, else a default",
    "--out": "where the command writes: a file or a folder",
    "--port": "of the page or the phone on 127.0.0.1; the board's page has its own range",
    "--published": "rows of the paper that are printed; of `score` also a way to leave them out",
    "--rater": "one person, or with `suggest` several",
    "--repo": "on the Hub: submissions of `submit`, what `publish` sends; needed by `publish`",
    "--sample": "how many are drawn by chance: tasks, or finds",
    "--seed": "of the draws that the command makes; of a model without a default",
    "--shard": "part i of n: what is made of it",
    "--skip-same-task": "no reference of the same task: judged by text when building, else by --judge",
    "--split": "of the dataset; by default the test of the command's track",
    "--task": "of `phone` with the dataset, which `execute` has as argument",
    "--track": "of runs, agents or samples; both or joint where a command does two at once",
    "--user": "of the data: recorded, or whose finds are shown",
    "--users": "number of simulated people",
    "--zone": "of people and phones; in `record` that of a new release",
    "--why": "why attempts failed: printed, on the page, or asked of a judge",
}
"""Option whose declaration differs between commands -> its one meaning, and what differs."""

OLD = {
    ("suggest", "--history-from"): "--protocol",
    ("infer-intents", "--history-from"): "--protocol",
    ("export", "--history-from"): "--protocol",
    ("finetune", "--history-from"): "--protocol",
    ("build", "--history-from"): "--history",
    ("suggest", "--batch-results"): "--results",
    ("infer-intents", "--batch-results"): "--results",
    ("export", "--only-users"): "--users",
    ("finetune", "--only-users"): "--users",
    ("finetune", "--setting"): "--set",
    ("experiment", "--setting"): "--set",
    ("submit", "--model-size"): "--size",
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
    assert found - set(listed) == set(), "put them into a group of fingertip_cli/option_groups.py"
    assert set(listed) - found == {"--help", "--version"}


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
    values = {"--history-from": "strict", "--accept-by": "page"}
    value = [] if option.is_flag else [values.get(new, "face")]
    with click.Context(commands[name], info_name=name) as context:
        parser = commands[name].make_parser(context)
        by_old, by_new = (parser.parse_args([spelled, *value])[0] for spelled in (old, new))
        assert by_old == by_new
        assert option.name in by_old
        lines = commands[name].get_help(context).splitlines()
    shown = {line.split()[0] for line in lines if line.strip().startswith("--")}
    assert new in shown
    assert old not in shown or old in options_of(commands[name])


def test_resume_is_accepted_and_not_shown(tmp_path: Path) -> None:
    done = fingertip(
        "execute", "nowhere", "--agent", "imitate", "--device", "replay", "--out", tmp_path, "--resume"
    )
    assert "no built dataset" in done.stderr
    assert "--resume" not in fingertip("execute", "--help").stdout
