"""People who speak English: simulated, built, attempted and judged like those who speak Chinese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts
from execution_runner.execution_run import run_execution
from fingertip_agents.registry import get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset import BuiltDataset, build
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from simulated_phone.language.language import languages
from tests.command_line import fingertip

CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
SPLITS = ("train", "vali", "test_suggestion", "test_execution")


@pytest.fixture(scope="module")
def built(english_people: Path) -> BuiltDataset:
    return BuiltDataset.open(english_people)


def test_rows_are_english_with_their_places(built: BuiltDataset) -> None:
    columns = ("episode_id", "intent", "intent_category", "user_profile", "scenario", "previous_intents")
    rows = [row for split in SPLITS for row in built.rows(split, columns=columns)]
    assert len({row["episode_id"] for row in rows}) == 10
    for row in rows:
        assert not CHINESE.search(str(row)), row["intent"]
    assert built.manifest.settings.language == "en"
    assert {built.manifest.settings.place_category(row["scenario"]) for row in rows} == {
        row["scenario"] for row in rows
    }


def test_agents_reach_english_goals(built: BuiltDataset, tmp_path: Path) -> None:
    setup = AgentSetup(simulations=built.simulations())
    with open_environments(["simulated"], built, split="test_execution") as environments:
        for name in ("imitate", "shortest-path-oracle"):
            run_execution(built.path, get_execution_agent(name, setup), environments, tmp_path / name)
    ends = [recorded.end for recorded in read_attempts(tmp_path / "shortest-path-oracle")]
    assert [end.success for end in ends] == [True, True]
    assert len(list(read_attempts(tmp_path / "imitate"))) == 2


def test_an_unknown_language_is_one_line(tmp_path: Path) -> None:
    result = fingertip("sample", tmp_path / "people", "--locale", "xx")
    assert result.returncode == 2
    assert result.stderr.strip() == f"fingertip: no phone speaks 'xx'; there are {', '.join(languages())}"


def test_a_population_of_two_languages_by_turns(tmp_path: Path) -> None:
    out = tmp_path / "people"
    order = SampleOrder(out=out, users=4, episodes=2, seed=2, size=(270, 600), locales=("zh", "en"))
    months = write_sample(order)
    assert [month.person.locale for month in months] == ["zh", "zh", "en", "en"]
    assert [bool(CHINESE.search(str(month.person))) for month in months] == [True, True, False, False]
    manifest = build(out / "raw", tmp_path / "built", tables=out / "tables", workers=1)
    assert manifest.provenance == "simulated"
    spoken = {
        name.partition("__")[0]: record.get("locale", "zh")
        for name, record in BuiltDataset.open(tmp_path / "built").simulations().items()
    }
    assert spoken == {"1001": "zh", "1002": "zh", "1003": "en", "1004": "en"}
    assert {user: manifest.settings.language_of(user) for user in spoken} == spoken
    rows = [row for split in SPLITS for row in BuiltDataset.open(tmp_path / "built").rows(split)]
    chinese = {(spoken[row["user_id"]], bool(CHINESE.search(row["scenario"]))) for row in rows}
    assert chinese == {("zh", True), ("en", False)}
    assert "other" not in {row["scenario_category"] for row in rows}
