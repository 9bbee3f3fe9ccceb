"""Bundles of runs with questions: replayed, forged ones refused or remarked, ranked in an own section."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from board.tests.fingertip_leaderboard.asking_runs import (
    Asker,
    run_asking,
    run_attached_asker,
    share_asked_people,
)
from board.tests.fingertip_leaderboard.bundle_factory import BASELINE_CARD
from board.tests.fingertip_leaderboard.parts import Parts, renumber
from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.run_scores import score_run
from fingertip_agents.registry import get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_LONG
from fingertip_leaderboard.bundle.make import make_bundle
from fingertip_leaderboard.bundle.refusal import RefusalKind
from fingertip_leaderboard.hub.eval_results import eval_results
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.repeated_submission import make_submission
from fingertip_leaderboard.space.render import facts_of, render_boards, render_submission, title_of
from fingertip_leaderboard.submission import SubmissionOrigin, describe_benchmark
from fingertip_leaderboard.task_groups import TaskGroups
from fingertip_leaderboard.task_lists import find_task_list, list_tests
from fingertip_leaderboard.verified_records import Submission, VerifiedResults
from fingertip_leaderboard.verify.check_bundle import check_bundle
from fingertip_leaderboard.verify.check_outcome import Embedders
from fingertip_leaderboard.verify.checks.coverage import find_wrong_split
from fingertip_leaderboard.verify.verify_bundle import _mark_near_bundles
from fingertip_leaderboard.verify.verify_report import CheckedBundle
from simulated_phone.dialogue.vague_task import Simulations

LATER = datetime.now(UTC) + timedelta(hours=1)

Forge = Callable[[Parts], Any]
Verify = Callable[[str, Forge], CheckedBundle]

OURS = ("ask-all", "never-ask")
OTHERS = ("knowing", "looping", "stubborn", "typed", "alone", "attached", "attached looping")
WRONG = "可以发给李雷雷吗？"  # a question about somebody whom the task is not about


def make_asker(name: str, *questions: str) -> Callable[[Simulations], Asker]:
    """An agent that asks these, and then goes the shortest way to the true goal."""

    def make(simulations: Simulations) -> Asker:
        oracle = get_execution_agent("shortest-path-oracle", AgentSetup(simulations=simulations))
        return Asker(name=name, then=oracle, questions=questions)

    return make


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return share_asked_people(tmp_path_factory)


@pytest.fixture(scope="module")
def built(dataset: Path) -> BuiltDataset:
    return BuiltDataset.open(dataset)


@pytest.fixture(scope="module")
def bundles(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Name of a run -> its honest bundle."""
    folder = tmp_path_factory.mktemp("asking")
    runs = {name: run_asking(dataset, folder / "runs" / name, name) for name in OURS}
    others: dict[str, dict[str, Any]] = {
        "knowing": {"agent": make_asker("mine")},
        "looping": {"agent": make_asker("mine", *["？ why"] * 9)},
        "stubborn": {"agent": make_asker("mine", WRONG)},
        "typed": {
            "agent": make_asker("mine", "哪个？", "Which album?"),
            "answered_by": "human",
            "typed": lambda _person, _question: "你知道的。 You know that",
        },
        "alone": {"agent": "ask-all", "answered_by": None},
    }
    runs |= {name: run_asking(dataset, folder / "runs" / name, **one) for name, one in others.items()}
    asks = {"attached": ["哪个联系人？", "Which album?"], "attached looping": ["？ why"] * 8}
    runs |= {name: run_attached_asker(dataset, folder / "runs" / name, of) for name, of in asks.items()}
    return {name: make_bundle(run, folder / "bundles", BASELINE_CARD) for name, run in runs.items()}


@pytest.fixture(scope="module")
def honest(bundles: dict[str, Path], built: BuiltDataset) -> dict[str, CheckedBundle]:
    """Name of a run -> its bundle as it is verified."""
    return {name: check_bundle(bundle, [built], Embedders(), LATER) for name, bundle in bundles.items()}


@pytest.fixture
def verify(bundles: dict[str, Path], built: BuiltDataset, tmp_path: Path) -> Verify:
    """Verifies a changed copy of the bundle of a run."""

    def run(name: str, forge: Forge) -> CheckedBundle:
        parts = Parts.read(bundles[name])
        forge(parts)
        return check_bundle(parts.write(tmp_path / "forged"), [built], Embedders(), LATER)

    return run


def find_asks(parts: Parts) -> list[dict[str, Any]]:
    """All questions of a bundle, in order."""
    return [step for task in parts.tasks for step in task["steps"] if step.get("reply")]


def forge_reply(place: int = 0, **fields: Any) -> Forge:  # noqa: ANN401 - any JSON
    return lambda parts: find_asks(parts)[place]["reply"].update(fields)


def forge_end(task: int, **fields: Any) -> Forge:  # noqa: ANN401 - any JSON
    return lambda parts: parts.tasks[task].update(fields)


def forge_dialogue(task: int, **fields: Any) -> Forge:  # noqa: ANN401 - any JSON
    return lambda parts: parts.tasks[task]["dialogue"].update(fields)


def set_in_run(**fields: Any) -> Forge:  # noqa: ANN401 - any JSON
    return lambda parts: parts.head["run"].update(fields)


def swap_replies(parts: Parts) -> None:
    """Move the replies of one task to another one, which asks the same."""
    first, second = (next(step for step in task["steps"] if step.get("reply")) for task in parts.tasks[:2])
    assert first["action"] == second["action"]
    first["reply"], second["reply"] = second["reply"], first["reply"]


def remove_question(parts: Parts) -> None:
    """Leave the first question of each task out, with what was counted of it."""
    for task in parts.tasks:
        task["steps"].pop(0)
        task["dialogue"]["questions"] -= 1
        renumber(task)


def hide_step(parts: Parts) -> None:
    """Let an act pass for a question, so that no limit and no score counts it."""
    step = next(step for step in parts.tasks[0]["steps"] if not step.get("reply"))
    step["reply"] = {"kind": "not_understood", "text": "什么意思？"}
    if counted := parts.tasks[0].get("dialogue"):
        counted["questions"] += 1


def hide_question(parts: Parts) -> None:
    """Ask one thing more, and count it nowhere."""
    steps = parts.tasks[0]["steps"]
    steps.insert(1, copy.deepcopy(steps[0]))
    renumber(parts.tasks[0])


def drop_reply(parts: Parts) -> None:
    del find_asks(parts)[0]["reply"]


def drop_input(parts: Parts) -> None:
    """Leave the first question out of the phone's log."""
    place = next(place for place, line in enumerate(parts.inputs) if line.get("call") == "question")
    parts.inputs.pop(place)


def go_on(parts: Parts) -> None:
    """Say that the person never lost patience."""
    for task in parts.tasks:
        last = task["steps"][-1]
        last["reply"] = copy.deepcopy(task["steps"][0]["reply"])
        task.update(outcome="truncated")


ATTACKS: list[tuple[str, str, Forge, str]] = [
    ("ask-all", "a reply in other words", forge_reply(text="表哥"), "wrong_reply"),
    ("ask-all", "a reply with another value of the person", forge_reply(text="妈妈，谢谢"), "wrong_reply"),
    ("ask-all", "a yes where the person says a value", forge_reply(kind="yes"), "wrong_reply"),
    ("ask-all", "a reply about another slot", forge_reply(slots=["text"]), "wrong_reply"),
    ("ask-all", "a needless question that counts as needed", forge_reply(needless=True), "wrong_reply"),
    ("ask-all", "a consent that was none", forge_reply(3, kind="no"), "wrong_reply"),
    ("ask-all", "replies of another task", swap_replies, "wrong_reply"),
    ("ask-all", "questions left out", remove_question, "wrong_reading"),
    ("ask-all", "a question without its reply", drop_reply, "wrong_reply"),
    ("ask-all", "a question that is counted nowhere", hide_question, "wrong_reading"),
    ("ask-all", "an act that passes for a question", hide_step, "wrong_reply"),
    ("ask-all", "fewer questions", forge_dialogue(0, questions=0), "wrong_reply"),
    ("ask-all", "no questions at all", forge_end(0, dialogue=None), "wrong_reply"),
    ("ask-all", "more that was agreed to", forge_dialogue(0, agreed=2), "wrong_reply"),
    ("ask-all", "all that people wrote", set_in_run(instructions="full"), "contradiction"),
    ("ask-all", "arguments that the instruction says", set_in_run(instructions="no_app"), "missing_task"),
    ("ask-all", "a run that nobody answers", set_in_run(answered_by=None), "wrong_reply"),
    ("ask-all", "a reference that gives arguments away", set_in_run(reference="same_user"), "contradiction"),
    ("ask-all", "a start in the app", set_in_run(start="app"), "contradiction"),
    ("ask-all", "an attached agent", set_in_run(attached=True), "contradiction"),
    ("never-ask", "an act that somebody agreed to", forge_dialogue(1, unasked=[], agreed=1), "wrong_reply"),
    ("never-ask", "an unasked act left out", forge_dialogue(1, unasked=[]), "wrong_reply"),
    ("knowing", "a reply in a task without a question", hide_step, "wrong_reply"),
    ("knowing", "a question less than none", forge_dialogue(0, questions=1), "wrong_reply"),
    ("looping", "patience without an end", go_on, "wrong_reply"),
    ("looping", "another end after the last patience", forge_end(0, outcome="truncated"), "wrong_reply"),
    ("stubborn", "a success after a no", forge_end(1, success=True), "wrong_success"),
    ("stubborn", "an act after a no left out", forge_dialogue(1, after_no=0), "wrong_reply"),
    ("stubborn", "a yes in place of a no", forge_reply(1, kind="yes", text="对"), "wrong_reply"),
    ("stubborn", "a question dropped", remove_question, "wrong_reply"),
    ("typed", "a typed value of another task", forge_reply(text="发给妈妈"), "wrong_reply"),
    ("typed", "a typed reply read as another kind", forge_reply(kind="value"), "wrong_reply"),
    ("typed", "typed replies as the rule's", set_in_run(answered_by="simulated"), "wrong_reply"),
    ("attached", "a reply to a broadcast", forge_reply(text="表哥"), "wrong_reply"),
    ("attached", "a consent to an attached agent", forge_dialogue(1, unasked=[]), "wrong_reply"),
    ("attached", "a question that was not sent", drop_input, "wrong_input"),
    ("alone", "a reply where nobody answers", hide_step, "wrong_reply"),
]


@pytest.mark.parametrize(
    ("seed", "forge", "kind"), [(one[0], one[2], one[3]) for one in ATTACKS], ids=[one[1] for one in ATTACKS]
)
def test_a_forged_conversation_is_refused(verify: Verify, seed: str, forge: Forge, kind: str) -> None:
    report = verify(seed, forge).report
    assert not report.accepted
    assert RefusalKind(kind) in {problem.kind for problem in report.problems}, report.problems


@pytest.mark.parametrize("name", [*OURS, *OTHERS])
def test_an_honest_bundle_has_the_scores_of_its_run(
    honest: dict[str, CheckedBundle], bundles: dict[str, Path], name: str
) -> None:
    report = honest[name].report
    assert report.accepted, report.problems
    ours = score_run(bundles[name].parent.parent / "runs" / name)
    assert report.scores is not None
    assert report.scores.means == ours.means
    assert report.scores.success == ours.success
    assert report.scores.breakdowns["known-from"] == ours.breakdowns["known-from"]


def test_values_that_nobody_told_are_remarked_above_chance(honest: dict[str, CheckedBundle]) -> None:
    found = {name: checked.report.remarks for name, checked in honest.items()}
    words = "knew 4 values that only asking tells, of 4 that nobody told it; guessing gives 0.5: such a run"
    assert any(line.startswith(words) for line in found["knowing"])
    assert found["never-ask"] == found["ask-all"] == ()


def test_a_lost_patience_ends_an_attempt_however_the_question_came(honest: dict[str, CheckedBundle]) -> None:
    for name in ("looping", "attached looping"):
        scores = honest[name].report.scores
        assert scores is not None
        assert scores.outcomes["out_of_patience"] == len(scores.tasks), name


def test_our_agent_under_another_name_is_remarked(verify: Verify) -> None:
    def rename(parts: Parts) -> None:
        parts.head["run"]["agent"].update(name="my agent", settings={})

    remarks = verify("ask-all", rename).report.remarks
    assert any("equals our agent ask-all" in line for line in remarks), remarks


def test_a_level_that_asks_for_the_same_cannot_be_told_from_another(verify: Verify) -> None:
    # a bundle has no instructions: the limit is in SECURITY.md
    report = verify("ask-all", set_in_run(instructions="no_arguments")).report
    assert report.accepted, report.problems


def submit(built: BuiltDataset, name: str, checked: CheckedBundle) -> Submission:
    """The submission of an honest bundle."""
    report = checked.report
    assert report.bundle is not None
    origin = SubmissionOrigin(
        bundle=report.bundle, sha256=report.sha256 or "", file=name, groups=TaskGroups(built),
        benchmark=describe_benchmark(built), built=built,
    )  # fmt: skip
    found = make_submission(origin, report.all_tries)
    return found.model_copy(update={"remarks": report.remarks})


def collect(built: BuiltDataset, submissions: list[Submission]) -> VerifiedResults:
    return VerifiedResults(
        checked="2026-01-01T00:00:00+08:00", source=submissions[0].source,
        benchmarks=(describe_benchmark(built),), given={}, submissions=tuple(submissions), refused=(),
    )  # fmt: skip


def test_each_level_and_answerer_has_a_table_ranked_by_sr2_and_then_by_fewer_questions(
    honest: dict[str, CheckedBundle], built: BuiltDataset
) -> None:
    names = ("knowing", "ask-all", "never-ask", "typed", "alone")
    found = {name: submit(built, name, honest[name]) for name in names}
    results = collect(built, list(found.values()))
    assert all(not table.rows for table in make_tables(results, ("execution",)))
    tables = make_tables(results, ("asking",))
    titles = {title_of(results, table): [row.submission.file for row in table.rows] for table in tables}
    data = built.path.name
    assert titles == {
        # both do every task, and one asks for nothing
        f"The need alone, the simulated person answers, {data}": ["knowing", "ask-all", "never-ask"],
        f"The need alone, people answer, {data}": ["typed"],
        f"The need alone, nobody answers, {data}": ["alone"],
    }
    by_rule = next(table for table in tables if len(table.rows) == 3)
    assert [row.rank for row in by_rule.rows] == [1, 2, 3]
    assert [column.name for column in by_rule.columns][:5] == [
        "sr2", "questions", "needless", "unasked", "after_no",
    ]  # fmt: skip
    assert set(by_rule.comparisons) == {"sr2", "identification"}
    assert {pair.tasks for pair in by_rule.comparisons["sr2"]} == {3}
    assert found["ask-all"].scores["questions"].mean == pytest.approx(5 / 3)
    assert found["ask-all"].evidence["questions"] == "success by rule, re-run"
    typed = {found["typed"].evidence[name] for name in ("sr2", "questions", "unasked", "identification")}
    assert typed == {"on the submitter's word"}
    assert {row.group: row.tasks for row in found["ask-all"].by["known from"]} == {"ask": 3}
    facts = dict(facts_of(by_rule.conditions))
    assert (facts["instructions"], facts["answered by"]) == ("goal-alone", "simulated")


def test_the_page_of_the_section_is_in_both_languages(
    honest: dict[str, CheckedBundle], built: BuiltDataset
) -> None:
    results = collect(
        built, [submit(built, name, honest[name]) for name in ("ask-all", "never-ask", "typed")]
    )
    tables = make_tables(results, ("asking",))
    page = render_boards(results, tables)
    assert "Rows are ranked by SR_2, then by fewer questions." in page
    assert "先按 SR_2、再按提问少排名" in page
    assert "只说需要" in page
    assert "辨认出本人，按语言" in page
    assert "all of this is on the submitter&#39;s word" in page
    assert "By known from" in render_submission(results, tables, tables[0].rows[0].submission)


def test_long_tasks_are_a_list_of_their_own(honest: dict[str, CheckedBundle], built: BuiltDataset) -> None:
    bundle = honest["alone"].report.bundle
    assert bundle is not None
    run = bundle.run
    assert isinstance(run, ExecutionRun)
    full = run.model_copy(update={"instructions": "full", "answered_by": None})
    far = full.model_copy(update={"split": TEST_LONG})
    assert [find_task_list(one) for one in (run, full, far)] == ["asking", "execution", "long"]
    assert "long" not in list_tests(built)
    assert find_wrong_split(far) == ""
    assert "expected split test_execution" in find_wrong_split(run.model_copy(update={"split": TEST_LONG}))
    results = collect(built, [submit(built, "alone", honest["alone"])])
    (table,) = make_tables(results, ("asking",))
    assert table.conditions is not None
    shown = table.conditions.model_copy(update={"measure": "execution", "split": TEST_LONG})
    assert shown.task_list == "long"
    assert ", tasks over several apps, " in title_of(results, replace(table, conditions=shown))
    long_bundle = bundle.model_copy(update={"run": far})
    assert "test_long" in eval_results(long_bundle, bundle.scores, benchmark="board/sim").left_out[0]


def test_the_hub_has_no_task_for_such_scores(honest: dict[str, CheckedBundle]) -> None:
    report = honest["ask-all"].report
    assert report.bundle is not None
    found = eval_results(report.bundle, report.bundle.scores, benchmark="board/sim")
    assert (found.text, len(found.left_out)) == ("", 1)


def test_one_agent_may_have_one_name_in_several_sections(honest: dict[str, CheckedBundle]) -> None:
    apart = _mark_near_bundles([honest["ask-all"], honest["typed"]])
    assert all(not report.marks for report in apart)
    together = _mark_near_bundles([honest["ask-all"], honest["never-ask"]])
    assert all("name" in {mark.kind for mark in report.marks} for report in together)
