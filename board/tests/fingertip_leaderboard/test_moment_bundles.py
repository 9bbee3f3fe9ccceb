"""Bundles of moments: verified from their lines, forged ones refused or remarked, ranked by utility."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import BASELINE_CARD, MODEL_CARD, Teller
from board.tests.fingertip_leaderboard.parts import Parts
from fingertip_agents.moments import moment_prompt
from fingertip_agents.moments.moment_answer import read_moment
from fingertip_agents.registry import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.source import source
from fingertip_dataset.split_names import TEST_MOMENTS, TEST_SUGGESTION
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_leaderboard.bundle.draft import draft_bundle, join_tries
from fingertip_leaderboard.bundle.make import make_bundle, write_bundle
from fingertip_leaderboard.bundle.refusal import RefusalKind
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.repeated_submission import make_submission
from fingertip_leaderboard.space.render import render_boards, render_submission
from fingertip_leaderboard.submission import SubmissionOrigin, describe_benchmark
from fingertip_leaderboard.task_groups import TaskGroups
from fingertip_leaderboard.verified_records import Submission, VerifiedResults
from fingertip_leaderboard.verify.check_bundle import check_bundle
from fingertip_leaderboard.verify.check_outcome import Embedders
from fingertip_leaderboard.verify.verify_cache import VerifyCache
from fingertip_leaderboard.verify.verify_report import CheckedBundle, checked_bundle_adapter
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.judges import LexicalJudge
from fingertip_runs.repeats import begin_repeats
from suggestion_runner import run_suggestions
from suggestion_runner.moments.moment_scoring import score_moment_run
from suggestion_runner.month.person_rule import PERSON_RULE

LATER = datetime.now(UTC) + timedelta(hours=1)
EMBEDDERS = Embedders()

Forge = Callable[[Parts], Any]


def answer_like_a_model(task: SuggestionInput) -> Suggestion:
    """Silence at every third moment, and else the oldest earlier intent, in the requested form."""
    silent = int(task.task_id[-1]) % 3 == 0
    intent = "" if silent else task.previous_intents[0].text
    output = json.dumps({"intent": intent, "wanted": 0.2 if silent else 0.7}, ensure_ascii=False)
    read = read_moment(output)
    return Suggestion(
        text=read.intent, output=output, seconds=0.1 + len(task.task_id) / 1000, calls=1, prompt_tokens=50,
        completion_tokens=5, outcome=read.outcome, confidence=read.confidence,
    )  # fmt: skip


@pytest.fixture(scope="module")
def built(people: Path) -> BuiltDataset:
    return BuiltDataset.open(people)


@pytest.fixture(scope="module")
def bundles(people: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Name of an agent -> its honest bundle; "model" answers as our model agent does."""
    folder = tmp_path_factory.mktemp("moments")
    embedder = ("lexical", get_embedder("lexical"))
    setup = AgentSetup(moments=True, dataset=people)
    agents: dict[str, Any] = {name: get_agent(name, setup) for name in ("habit", "always", "never", "hour")}
    settings = {"moments": True, "prompt": moment_prompt.VERSION, "model": "tiny", "temperature": 0.0}
    agents["model"] = Teller(name="model", say=answer_like_a_model, settings=settings)
    found = {}
    for name, agent in agents.items():
        run_suggestions(people, agent, folder / "runs" / name, split=TEST_MOMENTS)
        card = MODEL_CARD if name == "model" else BASELINE_CARD
        found[name] = make_bundle(folder / "runs" / name, folder / "bundles", card, embedder=embedder)
    run_suggestions(people, get_agent("habit"), folder / "runs" / "intents", split=TEST_SUGGESTION)
    found["intents"] = make_bundle(
        folder / "runs" / "intents", folder / "bundles", BASELINE_CARD, embedder=embedder
    )
    return found


@pytest.fixture
def verify(
    bundles: dict[str, Path], built: BuiltDataset, tmp_path: Path
) -> Callable[[str, Forge], CheckedBundle]:
    """Verifies a changed copy of the bundle of an agent."""

    def run(name: str, forge: Forge) -> CheckedBundle:
        parts = Parts.read(bundles[name])
        forge(parts)
        return check_bundle(parts.write(tmp_path / "forged"), [built], EMBEDDERS, LATER)

    return run


def set_claim(name: str, value: float) -> Forge:
    return lambda parts: parts.head["scores"].update({name: value})


def set_in_run(**fields: Any) -> Forge:  # noqa: ANN401 - any JSON
    return lambda parts: parts.head["run"].update(fields)


def set_in_line(**fields: Any) -> Forge:  # noqa: ANN401 - any JSON
    return lambda parts: parts.tasks[0].update(fields)


def of_data(**fields: Any) -> Forge:  # noqa: ANN401 - any JSON
    return lambda parts: parts.head["run"]["dataset"].update(fields)


def swap_answers(parts: Parts) -> None:
    """Give each answer to the next moment, so that offers are where they were not."""
    ids = [line["task_id"] for line in parts.tasks]
    for line, task_id in zip(parts.tasks, [*ids[1:], ids[0]], strict=True):
        line["task_id"] = task_id


def leave_one_out(parts: Parts) -> None:
    parts.tasks.pop()
    parts.head["run"]["tasks"] -= 1


def rename(name: str) -> Forge:
    """Give the agent another name and settings, and its answers other confidences."""

    def forge(parts: Parts) -> None:
        parts.head["run"]["agent"].update(name=name, settings={"moments": True})

    return forge


def dress_as_moments(parts: Parts) -> None:
    parts.head["run"]["split"] = TEST_MOMENTS


ATTACKS: list[tuple[str, str, Forge, str]] = [
    ("model", "a higher utility", set_claim("utility", 0.9), "wrong_score"),
    ("model", "fewer false triggers", set_claim("false_trigger_rate", 0.0), "wrong_score"),
    ("model", "a better Brier score", set_claim("brier", 0.01), "wrong_score"),
    ("model", "more hits", set_claim("hits", 6), "wrong_score"),
    ("model", "a kind of a moment", set_in_line(kind="intent"), "schema"),
    ("model", "the answers of other moments", swap_answers, "wrong_score"),
    ("model", "a confidence above 1", set_in_line(confidence=1.5), "out_of_range"),
    ("model", "a confidence below 0", set_in_line(confidence=-0.1), "out_of_range"),
    ("model", "another confidence than the output has", set_in_line(confidence=0.55), "wrong_reading"),
    ("model", "an intent and silence", set_in_line(outcome="silent", predicted_intent="x"), "wrong_reading"),
    ("model", "a moment left out", leave_one_out, "missing_task"),
    ("model", "other moments", of_data(moments_sha256="0" * 64), "other_data"),
    ("model", "no moments", of_data(moments_sha256=""), "other_data"),
    ("model", "moments that an agent learns from", set_in_run(split="train_moments"), "not_a_test"),
    (
        "model",
        "a month in order",
        set_in_run(month={"feedback": True, "person": PERSON_RULE}),
        "not_a_test",
    ),
    ("model", "a run of moments as one of intents", set_in_run(split=TEST_SUGGESTION), "contradiction"),
    ("intents", "a run of intents as one of moments", dress_as_moments, "contradiction"),
    ("intents", "a confidence on an intent", set_in_line(confidence=0.9), "wrong_reading"),
    ("habit", "another decision of our agent", set_in_line(predicted_intent="x"), "wrong_reading"),
    ("habit", "another confidence of our agent", set_in_line(confidence=0.987), "wrong_reading"),
    (
        "habit",
        "another threshold of our agent",
        lambda parts: parts.head["run"]["agent"]["settings"].update(threshold=0.1),
        "wrong_reading",
    ),
    ("never", "an offer of the agent that makes none", set_in_line(predicted_intent="x"), "wrong_reading"),
]


@pytest.mark.parametrize(
    ("seed", "forge", "kind"), [(one[0], one[2], one[3]) for one in ATTACKS], ids=[one[1] for one in ATTACKS]
)
def test_a_forged_bundle_of_moments_is_refused(
    verify: Callable[[str, Forge], CheckedBundle], seed: str, forge: Forge, kind: str
) -> None:
    report = verify(seed, forge).report
    assert not report.accepted
    assert RefusalKind(kind) in {problem.kind for problem in report.problems}


def test_honest_bundles_have_the_scores_of_their_runs(bundles: dict[str, Path], built: BuiltDataset) -> None:
    for name in ("habit", "always", "never", "hour", "model"):
        checked = check_bundle(bundles[name], [built], EMBEDDERS, LATER)
        assert checked.report.accepted, (name, checked.report.problems)
        scores = checked.report.scores
        run = bundles[name].parent.parent / "runs" / name
        assert scores is not None
        assert scores.result.scores == score_moment_run(run, embedder=get_embedder("lexical")).result.scores
        # the verifying process hands it over as JSON
        adapter = checked_bundle_adapter()
        again = adapter.validate_json(adapter.dump_json(checked))
        assert again.report.scores is not None
        assert again.report.scores.result.scores == scores.result.scores


def test_a_bundle_holds_no_kinds_and_no_intents(bundles: dict[str, Path], built: BuiltDataset) -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in bundles["never"].iterdir())
    for row in built.rows(TEST_MOMENTS, columns=("kind", "intent")):
        assert row["intent"] is None or row["intent"] not in text
    assert "false_routine" not in text


@pytest.mark.parametrize("name", ["habit", "always", "never"])
def test_our_agent_under_another_name_is_remarked(
    verify: Callable[[str, Forge], CheckedBundle], name: str
) -> None:
    report = verify(name, rename("my agent")).report
    assert report.accepted, report.problems
    assert any(f"equals our agent {name}, which needs no model" in line for line in report.remarks)


def test_the_same_offer_at_all_moments_is_remarked(verify: Callable[[str, Forge], CheckedBundle]) -> None:
    def forge(parts: Parts) -> None:
        rename("my agent")(parts)
        parts.head["run"]["agent"]["settings"] = {}
        for number, line in enumerate(parts.tasks):
            line.update(output="", calls=0, confidence=None, predicted_intent="", outcome="silent")
            if number:
                line.update(predicted_intent="打开微信，看看朋友圈的新消息", outcome="answered")

    report = verify("model", forge).report
    assert report.bundle is not None
    offers = report.bundle.run.tasks - 1
    assert f"nearly the same answer in {offers} of {offers} offers" in report.remarks


def test_copied_intents_are_remarked(
    verify: Callable[[str, Forge], CheckedBundle], built: BuiltDataset
) -> None:
    rows = built.rows(TEST_MOMENTS, columns=("episode_id", "intent"))
    intents = {row["episode_id"]: row["intent"] or "" for row in rows}

    def forge(parts: Parts) -> None:
        rename("my agent")(parts)
        for line in parts.tasks:
            intent = intents[line["task_id"]]
            outcome = "answered" if intent else "silent"
            line.update(output=intent, confidence=None, predicted_intent=intent, outcome=outcome)

    wanted = sum(map(bool, intents.values()))
    remarks = verify("model", forge).report.remarks
    assert any(
        line.startswith(f"{wanted} of {wanted} predicted intents are the true ones") for line in remarks
    )


def submit(built: BuiltDataset, bundle: Path) -> Submission:
    """The submission of an honest bundle."""
    report = check_bundle(bundle, [built], EMBEDDERS, LATER).report
    assert report.accepted
    assert report.bundle is not None
    origin = SubmissionOrigin(
        bundle=report.bundle, sha256=report.sha256 or "", file=bundle.name, groups=TaskGroups(built),
        benchmark=describe_benchmark(built), built=built,
    )  # fmt: skip
    return make_submission(origin, report.all_tries)


def collect(built: BuiltDataset, submissions: list[Submission]) -> VerifiedResults:
    return VerifiedResults(
        checked="2026-01-01T00:00:00+08:00", source=submissions[0].source,
        benchmarks=(describe_benchmark(built),), given={}, submissions=tuple(submissions), refused=(),
    )  # fmt: skip


def test_moments_have_a_table_of_their_own_ranked_by_utility(
    bundles: dict[str, Path], built: BuiltDataset
) -> None:
    submissions = [submit(built, bundles[name]) for name in ("always", "habit", "never", "intents")]
    results = collect(built, submissions)
    (table,) = make_tables(results, ("moments",))
    assert [column.name for column in table.columns] == [
        "utility", "false_trigger_rate", "missed_rate", "offer_sr1", "brier",
    ]  # fmt: skip
    utilities = [row.submission.scores["utility"].mean or 0.0 for row in table.rows]
    assert utilities == sorted(utilities, reverse=True)
    assert {row.submission.file for row in table.rows} == {"always", "habit", "never"}
    assert len(table.comparisons["utility"]) == 3
    assert table.conditions is not None
    assert table.conditions.moments_sha256 == built.require_moments().data_sha256
    page = render_boards(results, [table])
    assert "When to speak" in page
    assert "什么时候该开口" in page
    assert "By kind" in render_submission(results, [table], table.rows[0].submission)
    # those of track 1 are as they were
    others = make_tables(results, ("sim1",))
    assert [row.submission.file for one in others for row in one.rows] == ["intents"]


def test_results_without_moments_have_no_table(bundles: dict[str, Path], built: BuiltDataset) -> None:
    results = collect(built, [submit(built, bundles["intents"])])
    assert make_tables(results, ("moments",)) == ()


def test_a_repeated_run_of_moments_has_means_over_its_tries(
    people: Path, built: BuiltDataset, tmp_path: Path
) -> None:
    folder = tmp_path / "drawn"
    record = begin_repeats(folder, track="suggestion", repeats=2, seed=5)
    embedder = ("lexical", get_embedder("lexical"))
    drafts = []
    for name, seed in zip(record.tries, record.seeds, strict=True):
        run_suggestions(people, get_agent("random", AgentSetup(seed=seed)), folder / name, split=TEST_MOMENTS)
        drafts.append(draft_bundle(folder / name, BASELINE_CARD, embedder=embedder))
    bundle = write_bundle(join_tries(folder, drafts), tmp_path / "bundles")
    found = submit(built, bundle)
    utilities = [draft.bundle.scores.utility for draft in drafts]
    assert found.repeats == 2
    assert found.scores["utility"].mean == pytest.approx(sum(utilities) / 2)
    assert found.scores["right_every"].mean is not None
    assert "right" not in found.scores
    assert "When to speak" in render_boards(
        collect(built, [found]), make_tables(collect(built, [found]), ("moments",))
    )


def test_a_judge_of_moments_and_a_month_are_refused_in_one_line(
    bundles: dict[str, Path], tmp_path: Path
) -> None:
    run = bundles["never"].parent.parent / "runs" / "never"
    embedder = ("lexical", get_embedder("lexical"))
    with pytest.raises(FingerTipError, match="leave out --judge"):
        draft_bundle(run, BASELINE_CARD, embedder=embedder, judge=LexicalJudge())
    month = tmp_path / "month"
    month.mkdir()
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    record |= {"split": "month", "month": {"feedback": True, "person": PERSON_RULE}}
    (month / "run.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(FingerTipError, match="without --month"):
        draft_bundle(month, BASELINE_CARD, embedder=embedder)


def test_the_cache_forgets_a_bundle_when_the_moments_change(
    bundles: dict[str, Path], built: BuiltDataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean = source().model_copy(update={"dirty": False})
    monkeypatch.setattr("fingertip_leaderboard.verify.verify_cache.source", lambda: clean)
    cache = VerifyCache(tmp_path / "cache")
    changed = built.require_moments().model_copy(update={"data_sha256": "0" * 64})
    other = replace(built, manifest=built.manifest.model_copy(update={"moments": changed}))
    keys = {cache.key(bundles["never"], [one]) for one in (built, built, other)}
    assert None not in keys
    assert len(keys) == 2


def test_rules_of_a_dataset_are_made_once_and_keep_nothing_of_a_bundle(built: BuiltDataset) -> None:
    embedders = Embedders()
    rules = embedders.keep_rules(built)
    assert embedders.keep_rules(BuiltDataset.open(built.path)) is rules
    assert rules.list_speakers()["habit"] is rules.list_speakers()["habit"]
    assert rules.know_moments(TEST_MOMENTS) is rules.know_moments(TEST_MOMENTS)
    intent = next(row["intent"] for row in built.rows(TEST_MOMENTS, columns=("intent",)) if row["intent"])
    first, second = rules.make_judge(), rules.make_judge()
    assert first is not second
    assert first.judge([(intent, intent)]) == second.judge([(intent, intent)])
    assert first.settings == second.settings == rules.make_judge().settings
