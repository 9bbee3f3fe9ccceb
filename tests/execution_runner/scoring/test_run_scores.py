"""Scores of a run of track 2, compared with a slow oracle, and their caveats."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.run_scores import score_run, scores_dict, write_scores
from fingertip_dataset.errors import RunError, UsageError

DrawRun = Callable[..., Path]
GOLDEN = ("click(coordinates=(60, 90), content='开始')", "type(text='稻香')", "finished()")
ACTIONS = (
    *GOLDEN,
    "press_home()",
    "wait()",
    "scroll(coordinates=(60, 120), direction='down')",
    "click(coordinates=(9, 9), content='搜索')",
)


def indel(a: str, b: str) -> float:
    """The release's ratio, by the table of longest common subsequences."""
    row = [0] * (len(b) + 1)
    for one in a:
        before = row[:]
        for at, other in enumerate(b, start=1):
            row[at] = before[at - 1] + 1 if one == other else max(before[at], row[at - 1])
    return round(100 * 2 * row[-1] / (len(a) + len(b))) / 100 if a or b else 1.0


def oracle(tasks: list[dict[str, Any]]) -> dict[str, float | None]:
    """SR_2, Sim_2 and step ratios of the release, computed per task."""
    cut = [task for task in tasks if task["outcome"] not in ("terminated", "truncated")]
    done, quotients, ratios, ratios_all = [], [], [], []
    for task in tasks:
        agent = "".join(f"{written}，" for written in map(read_action, task["actions"]))
        s_i = indel("，".join(task["golden_actions"]), agent)
        s_ii = indel("，".join(task["other_type_actions"]), agent)
        quotients.append(s_i / (s_ii or 0.4))
        ratio = len(task["actions"]) / len(task["golden_actions"])
        done.append(task["success"] is True and ratio <= 2.5)
        ratios_all.append(ratio)
        if done[-1]:
            ratios.append(ratio)
    return {
        "sr2": fmean(done),
        "sim2": fmean(quotients),
        "step_ratio": fmean(ratios) if ratios else None,
        "step_ratio_all": fmean(ratios_all),
        "worst": sum(done) / len(tasks),
        "best": (sum(done) + len(cut)) / len(tasks),
    }


def drawn_steps(actions: list[str], outcome: str) -> list[Any]:
    """The steps of an attempt: its last one was not performed if the gate denied it, or the phone failed."""
    if outcome not in ("blocked", "device_error"):
        return actions
    verdict = "deny" if outcome == "blocked" else "allow"
    return [*actions[:-1], {"action": actions[-1], "performed": False, "verdict": verdict}]


def read_action(step: Any) -> str:  # noqa: ANN401 - an action, or the fields of a step
    """The action string of a drawn step."""
    return str(step if isinstance(step, str) else step["action"])


def random_tasks(seed: int, count: int = 25) -> list[dict[str, Any]]:
    draw = random.Random(seed)  # noqa: S311 - tasks of a test
    tasks = []
    for number in range(count):
        outcome = draw.choice(["terminated"] * 5 + ["truncated", "blocked", "device_error", "agent_error"])
        ended = outcome in ("terminated", "truncated")
        tasks.append(
            {
                "task_id": f"{number % 4}__20250301_0800{number:02}",
                "actions": drawn_steps(draw.choices(ACTIONS, k=draw.randint(1, 12)), outcome),
                "golden_actions": draw.choices(ACTIONS, k=draw.randint(1, 12)),
                "other_type_actions": draw.choices(ACTIONS, k=draw.randint(1, 6)),
                "outcome": outcome,
                "success": draw.random() < 0.6 if ended else None,
                "success_by": "rule" if ended else None,
                "user_id": str(number % 4),
            }
        )
    return tasks


@pytest.mark.parametrize("seed", range(4))
def test_scores_equal_a_slow_oracle(draw_run: DrawRun, seed: int) -> None:
    tasks = random_tasks(seed)
    scores, expected = score_run(draw_run(tasks)), oracle(tasks)
    assert scores.success.sr2.mean == pytest.approx(expected["sr2"])
    assert scores.success.sr2.clusters == 4
    assert scores.success.sr2.low <= scores.success.sr2.mean <= scores.success.sr2.high  # type: ignore[operator]
    for name in ("sim2", "step_ratio", "step_ratio_all"):
        interval = scores.means[name]
        assert (interval.mean if interval else None) == pytest.approx(expected[name]), name
    assert (scores.success.worst, scores.success.best) == pytest.approx((expected["worst"], expected["best"]))
    for outcome, count in scores.outcomes.items():
        assert count == sum(task["outcome"] == outcome for task in tasks)


def test_output_that_the_phone_did_not_take_counts_as_written(draw_run: DrawRun) -> None:
    """The authors' script appends each output to the agent's string before it is carried out."""
    typed = {"action": "type(text='稻香')", "performed": False, "reason": "no field has the focus"}
    actions = [GOLDEN[0], typed, GOLDEN[1], "finished()"]
    other = ("press_home()", "type(text='晴天')", "finished()")
    task = {"actions": actions, "golden_actions": GOLDEN, "other_type_actions": other}
    run = draw_run([task | {"success": True, "success_by": "rule"}])
    with_it = "".join(f"{read_action(action)}，" for action in actions)
    without = "".join(f"{action}，" for action in GOLDEN)
    counted, left_out = (
        indel("，".join(GOLDEN), agent) / indel("，".join(other), agent) for agent in (with_it, without)
    )
    scores = score_run(run)
    assert scores.means["sim2"].mean == pytest.approx(counted)  # type: ignore[union-attr]
    assert scores.tasks[0].step_ratio == pytest.approx(4 / 3)
    assert counted != left_out
    assert (
        "1 of 4 steps could not be carried out. They still count in Sim_2 and in the step ratio: Sim_2 is "
        f"{counted:.4f}, {left_out:.4f} without them" in scores.remarks
    )
    paper, plain = score_run(run, protocol="paper"), score_run(draw_run([task | {"actions": GOLDEN}]))
    assert paper.sim2.sim2 == score_run(plain.folder, protocol="paper").sim2.sim2
    assert paper.tasks[0].step_ratio == pytest.approx(4 / 3)
    assert any("Protocol paper leaves them out of Sim_2" in line for line in paper.remarks)
    assert not any("could not be carried out" in line for line in plain.remarks)


def test_tasks_of_a_person_without_an_earlier_episode_are_named(draw_run: DrawRun) -> None:
    tasks = [{"actions": GOLDEN}, {"actions": ["finished()"]}, {"actions": GOLDEN}]
    shown = [task | {"reference_id": f"1__20250228_08000{number}"} for number, task in enumerate(tasks)]

    def named(run: Path) -> list[str]:
        return [line for line in score_run(run).remarks if "had no reference to show" in line]

    lacking = draw_run([tasks[1], *shown[1:]])
    assert named(lacking) == [
        "1 of 3 tasks had no reference to show: the dataset has no earlier episode of that person"
    ]
    assert score_run(lacking).sim2.n == 3
    assert named(draw_run(shown)) == []
    assert named(draw_run(tasks, reference="none")) == []
    # the phone failed before the agent was shown anything: nobody can say that the person lacks one
    failed = {"actions": [], "outcome": "device_error"}
    assert named(draw_run([failed, *shown[1:]])) == []
    assert "of another type" in named(draw_run(tasks, reference="other_type"))[0]
    assert "is the same task" in named(draw_run(tasks, reference="not_same_task"))[0]


def test_answer_counts_as_written_by_the_release_and_is_named(draw_run: DrawRun) -> None:
    golden, written = (*GOLDEN[:2], "finished(content='24')"), (*GOLDEN[:2], "finished(content='9')")
    run = draw_run([{"actions": written, "golden_actions": golden, "other_type_actions": GOLDEN}])
    release, paper = (score_run(run, protocol=protocol) for protocol in ("release", "paper"))
    agent = "".join(f"{action}，" for action in written)
    assert release.tasks[0].sim2.s_i == indel("，".join(golden), agent)
    assert release.tasks[0].sim2.s_ii == indel("，".join(GOLDEN), agent)
    assert paper.tasks[0].sim2.s_i == paper.tasks[0].sim2.s_ii == 1
    named = "1 of 1 tasks end with an answer, finished(content='...'). Sim_2 "
    assert [line for line in release.remarks if line.startswith(named + "compares it as written")]
    assert [line for line in paper.remarks if line.startswith(named + "leaves the answer out")]


@pytest.mark.parametrize("seed", range(2))
def test_breakdowns_sum_to_the_whole(draw_run: DrawRun, seed: int) -> None:
    tasks = random_tasks(seed)
    scores = score_run(draw_run(tasks))
    for by, rows in scores.breakdowns.items():
        assert sum(row.success.tasks for row in rows) == 25, by
        assert sum(row.success.successes for row in rows) == scores.success.successes
    assert [row.group for row in scores.breakdowns["difficulty"]] == ["1-5", "6-10", "11+"]
    easy = [task for task in tasks if len(task["golden_actions"]) <= 5]
    interval = scores.breakdowns["difficulty"][0].means["step_ratio_all"]
    assert interval.mean == pytest.approx(oracle(easy)["step_ratio_all"])


def test_attempts_ended_by_others_count_as_not_done(draw_run: DrawRun) -> None:
    done = {"actions": GOLDEN, "success": True, "success_by": "rule"}
    ends = ("blocked", "device_error", "agent_error")
    scores = score_run(draw_run([done, *({"actions": GOLDEN[:1], "outcome": end} for end in ends)]))
    assert (scores.success.sr2.mean, scores.success.sr2.n) == (0.25, 4)
    assert (scores.success.worst, scores.success.best) == (0.25, 1)
    assert (scores.sim2.n, scores.sim2.undefined) == (4, 0)
    assert [caveat for caveat in scores.caveats if "count as not done" in caveat] == [
        "3 of 4 tasks were not ended by the agent and count as not done, with the Sim_2 of its "
        "actions until then: 1 ended by an error of the agent, 1 stopped by the safety gate, 1 ended by "
        "an error "
        "of the phone; the paper does not say how it counts them"
    ]
    assert "SR_2 would be 100.0% if all undecided tasks were done: 3 not ended by the agent" in scores.remarks


@pytest.mark.parametrize("outcome", ["device_error", "agent_error", "blocked"])
def test_errors_on_the_worst_tasks_do_not_raise_a_score(draw_run: DrawRun, outcome: str) -> None:
    """The attack: the five tasks with the lowest Sim_2 end in an error after their first action."""
    tasks = [task | {"task_id": f"{number}__x"} for number, task in enumerate(random_tasks(7, 11))]
    tasks = [task | {"outcome": "terminated", "success": number < 6} for number, task in enumerate(tasks)]
    tasks = [task | {"success_by": "rule", "golden_actions": ["wait()"] * 12} for task in tasks]
    honest = score_run(draw_run(tasks))
    last = {score.task_id for score in sorted(honest.tasks, key=lambda score: score.sim2.sim2 or 0)[:5]}
    forged = [
        task | {"outcome": outcome, "success": None, "success_by": None, "actions": []}
        if task["task_id"] in last
        else task
        for task in tasks
    ]
    scores = score_run(draw_run(forged))
    for name in ("sim2", "s_i", "action_similarity"):
        before, after = honest.means[name], scores.means[name]
        assert (after.n, after.undefined) == (11, 0)
        assert after.mean <= before.mean
    assert scores.success.sr2.mean <= honest.success.sr2.mean
    for rows in scores.breakdowns.values():
        assert sum(row.success.sr2.n for row in rows if row.success.sr2) == 11


APP = "com.app"
OTHER, HOME_SCREEN, KEYS = "com.other", "com.miui.home", "com.baidu.input"
MONEY = "com.eg.android.AlipayGphone"


@pytest.mark.parametrize(
    ("packages", "wrong"),
    [
        ((OTHER,), True),
        ((APP, OTHER), True),
        ((APP, OTHER, KEYS), True),
        ((APP, OTHER, "com.android.systemui", "android"), True),
        ((APP, "com.android.mms"), True),
        ((HOME_SCREEN, MONEY), True),
        ((MONEY, KEYS), True),
        ((APP, OTHER, MONEY), True),
        ((APP, MONEY, KEYS, MONEY), False),
        ((APP, OTHER, APP), False),
        ((OTHER, HOME_SCREEN), False),
        ((APP, OTHER, HOME_SCREEN, APP, KEYS), False),
        ((HOME_SCREEN, "com.google.android.permissioncontroller"), False),
        ((HOME_SCREEN, ""), False),
    ],
)
@pytest.mark.parametrize("reason", ["the label says 支付", "com.other is not the app of the task", ""])
def test_a_stop_in_another_app_is_a_failure_whatever_the_gate_says(
    draw_run: DrawRun, packages: tuple[str, ...], wrong: bool, reason: str
) -> None:
    steps = [{"action": "press_back()", "package": package} for package in packages]
    steps[-1] |= {"performed": False, "verdict": "deny", "reason": reason}
    scores = score_run(
        draw_run([{"actions": steps, "outcome": "blocked", "app": f"{APP}/.Main"}], device="adb")
    )
    (task,) = scores.tasks
    assert (task.success, task.decided) == ((False, "wrong app") if wrong else (None, None))
    assert (scores.success.worst, scores.success.best) == (0, 0 if wrong else 1)
    assert (scores.success.wrong_app, scores.success.cut) == (int(wrong), int(not wrong))
    assert any("by the safety gate in another app" in remark for remark in scores.remarks) == wrong


def test_an_unlabelled_task_counts_as_not_done_and_in_the_best_case_as_done(draw_run: DrawRun) -> None:
    tasks = [{"actions": GOLDEN, "task_id": f"1__{number}"} for number in range(4)]
    labels = [
        {"task_id": "1__0", "rater": "ann", "success": "yes"},
        {"task_id": "1__1", "rater": "ann", "success": "no"},
        {"task_id": "1__2", "rater": "ann", "success": "unsure"},
    ]
    scores = score_run(draw_run(tasks, labels, device="adb"))
    assert (scores.success.sr2.mean, scores.success.sr2.n) == (0.25, 4)
    assert (scores.success.worst, scores.success.best) == (0.25, 0.75)
    assert scores.success.disputed == 1
    assert "2 of 4 tasks have no label: they count as not done" in scores.caveats
    assert "SR_2 would be 75.0% if all undecided tasks were done: 2 without a label" in scores.remarks
    assert "1 tasks have no majority among their raters" in scores.remarks
    success = json.loads(write_scores(scores).read_text("utf-8"))["success"]
    assert (success["sr2"]["mean"], success["worst"], success["best"], success["decided"]) == (
        0.25,
        0.25,
        0.75,
        2,
    )


def test_success_names_its_source(draw_run: DrawRun) -> None:
    tasks = [
        {"actions": GOLDEN, "task_id": "1__0"},
        {"actions": GOLDEN, "task_id": "1__1"},
        {"actions": ["wait()"] * 8, "task_id": "1__2", "outcome": "truncated"},
    ]
    labels = [
        {"task_id": "1__0", "rater": "ann", "success": "yes"},
        {"task_id": "1__0", "rater": "eye v1", "kind": "judge", "success": "no"},
        {"task_id": "1__1", "rater": "eye v1", "kind": "judge", "success": "yes"},
        {"task_id": "1__1", "rater": "old", "attempt": 7, "success": "no"},
    ]
    scores = score_run(draw_run(tasks, labels, device="adb"))
    assert [(task.success, task.decided, task.by) for task in scores.tasks] == [
        (True, "person", ("ann",)),
        (True, "judge", ("eye v1",)),
        (False, "step limit", ("step limit",)),
    ]
    assert scores.success.sr2.mean == pytest.approx(2 / 3)
    assert (
        "Who decided whether a task is done: 1 by judge, 1 by person, 1 by step limit (ann, eye v1)"
        in scores.remarks
    )
    assert "1 labels are of an attempt that was made again: they are ignored" in scores.remarks
    assert any(caveat.startswith("1 tasks judged by a model") for caveat in scores.caveats)


def test_exactly_at_the_limit_is_within_it(draw_run: DrawRun) -> None:
    golden = ("wait()",) * 4
    tasks = [
        {"actions": ["wait()"] * steps, "golden_actions": golden, "success": True, "success_by": "rule"}
        for steps in (10, 11)
    ]
    assert [task.success for task in score_run(draw_run(tasks)).tasks] == [True, False]


def test_unparsable_output_is_scored_as_written_and_counted(draw_run: DrawRun) -> None:
    nonsense = {
        "action": "wait()",
        "written": "I would rather tap on the blue button below",
        "problem": "expected an action, got words",
    }
    one, other = (
        score_run(draw_run([{"actions": [step, "finished()"], "success": False, "success_by": "rule"}]))
        for step in (nonsense, "wait()")
    )
    assert (
        one.sim2.s_i
        == indel("，".join(GOLDEN), "I would rather tap on the blue button below，finished()，")
        != other.sim2.s_i
    )
    assert [task.unparsable for task in one.tasks] == [1]
    assert "1 of 2 steps could not be read as an action: wait() was carried out in their place" in one.remarks


def test_time_tokens_and_cost_are_summed(draw_run: DrawRun) -> None:
    step = {"action": "wait()", "prompt_tokens": 1000, "completion_tokens": 50, "queries": 1, "agent_s": 2.0}
    task = {"actions": [step, step], "success": True, "success_by": "rule"}
    prices = {"prompt": 2.0, "completion": 8.0, "currency": "EUR"}
    scores = score_run(draw_run([task, task | {"task_id": "b"}], prices=prices))
    effort = scores_dict(scores)["effort"]
    assert (effort["tokens_per_task"], effort["seconds_per_query"], effort["queries"]) == (2100, 2.0, 4)
    assert scores.cost == effort["cost"] == pytest.approx((4000 * 2 + 200 * 8) / 1e6)
    assert effort["currency"] == "EUR"
    unknown = score_run(draw_run([task | {"actions": [step | {"prompt_tokens": None}]}], prices=prices))
    assert (unknown.usage.tokens_per_query, unknown.cost) == (None, None)


def test_an_unfinished_run_is_refused_or_marked(draw_run: DrawRun) -> None:
    run = draw_run([{"actions": GOLDEN}], tasks=3, task_ids=["0__20250301_080000", "b", "c"])
    with pytest.raises(RunError, match=r"not finished \(1 of 3 tasks\)"):
        score_run(run)
    scores = score_run(run, partial=True)
    assert scores.partial
    assert "1 of the run's 3 tasks" in scores.caveats
    with pytest.raises(RunError, match="none of the run's 3 tasks"):
        score_run(draw_run([], tasks=3, task_ids=["a", "b", "c"]), partial=True)


@pytest.mark.parametrize("protocol", ["release", "paper"])
def test_a_run_of_errors_only_has_scores_of_zero(draw_run: DrawRun, protocol: str) -> None:
    run = draw_run([{"actions": [], "outcome": "device_error", "reason": "the phone is gone"}])
    scores = scores_dict(score_run(run, protocol=protocol))
    assert (scores["success"]["sr2"]["mean"], scores["sim2"]["mean"], scores["sim2_empty"]) == (0, 0, 1)
    assert (scores["success"]["worst"], scores["success"]["best"]) == (0, 1)


def heads(scores_caveats: tuple[str, ...]) -> list[str]:
    return [caveat.split(":")[0] for caveat in scores_caveats]


def test_a_run_like_the_papers_is_comparable(draw_run: DrawRun) -> None:
    tasks = [{"actions": GOLDEN, "task_id": f"1__{number}"} for number in range(200)]
    labels = [{"task_id": f"1__{number}", "rater": "ann", "success": "yes"} for number in range(200)]
    scores = scores_dict(score_run(draw_run(tasks, labels, device="adb")))
    assert (scores["comparable"], scores["why_not_comparable"]) == (True, [])
    assert scores["success"]["sr2"]["why_no_interval"] is not None  # one user


@pytest.mark.parametrize(
    ("change", "head"),
    [
        ({"device": "simulated"}, "simulated phone"),
        ({"device": "replay"}, "replay of recorded episodes"),
        ({"device": "teacher_forced"}, "teacher-forced"),
        ({"dry_run": True}, "dry run"),
        ({"reference": "other_type"}, "the reference shown is of a person of another type"),
        ({"reference": "none"}, "no reference (earlier actions of the same person) is shown"),
        ({"history": "strict"}, "references are chosen by protocol strict"),
        (
            {"reference_method": "text, the very same task left out"},
            "references of the same task are left out (A.6.7)",
        ),
        (
            {"reference_method": "text, the same task by judge tiny left out"},
            "references of the same task are left out (A.6.7)",
        ),
        ({"user_types": "by age: type 2 from 40 years"}, "people are put into types by age"),
        ({"action_text": "canonical"}, "the run stores its actions in one uniform spelling"),
        (
            {"agent": {"name": "drawn", "settings": {"screen_description": "elements"}}},
            "screen description elements",
        ),
        (
            {"agent": {"name": "model", "settings": {"prompt": "7", "language": "en", "temperature": 0.0}}},
            "prompt 7 in en of this project",
        ),
        ({"agent": {"name": "model", "settings": {"temperature": 1.7}}}, "temperature 1.7"),
        ({"agent": {"name": "model", "settings": {"temperature": None}}}, "temperature left to the server"),
        ({"start": "home"}, "attempts begin on the home screen"),
        ({"step_limit_factor": 3}, "an attempt is stopped at 3 x the person's steps"),
        ({"split": "vali"}, "split vali"),
        ({"dataset": {"provenance": "simulated"}}, "the data were not recorded from people (simulated)"),
        ({"dataset": {"split_method": "rule A.5"}}, "split by rule A.5"),
        ({"tasks": 40}, "40 tasks"),
    ],
)
def test_all_deviations_from_the_paper_are_caveats(
    draw_run: DrawRun, change: dict[str, Any], head: str
) -> None:
    task = {"actions": GOLDEN, "success": True, "success_by": "rule"}
    plain = {"device": "adb", "tasks": 200}
    before = heads(score_run(draw_run([task], **plain), partial=True).caveats)
    after = heads(score_run(draw_run([task], **(plain | change)), partial=True).caveats)
    assert head in after
    assert head not in before


def test_tasks_that_begin_at_home_are_counted_with_the_reason(draw_run: DrawRun) -> None:
    several, launcher = "the task needs several apps", "the app is the home screen"
    homes = [{"at": "home", "reason": reason} for reason in (several, launcher, several)]
    starts = ({"at": "app", "app": "a", "found": "a"}, *homes)
    run = draw_run([{"actions": GOLDEN, "start": start} for start in starts])
    found = f"3 of 4 tasks begin on the home screen: 2 as {several}, 1 as {launcher}"
    assert found in score_run(run).remarks
    plain = score_run(draw_run([{"actions": GOLDEN}])).remarks
    assert not any("begin on the home screen" in remark for remark in plain)


def test_a_run_of_before_began_on_the_home_screen(draw_run: DrawRun) -> None:
    run = draw_run([{"actions": GOLDEN}])
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    del record["start"]
    assert ExecutionRun.model_validate(record).start == "home"


def test_retries_are_reported(draw_run: DrawRun) -> None:
    run = draw_run([{"actions": GOLDEN, "attempt": 2}], device="adb")
    found = "1 of 1 tasks needed more than one attempt after an error or a crash, at most 2"
    assert found in heads(score_run(run, partial=True).caveats)
    assert scores_dict(score_run(run, partial=True))["attempts"] == {"repeated": 1, "most": 2}


def test_actions_are_scored_as_written_and_the_spelling_is_reported(draw_run: DrawRun) -> None:
    step = {"action": GOLDEN[0], "written": "click(coordinates=(60,90), content='开始')", "output": "..."}
    run = draw_run([{"actions": [step, *GOLDEN[1:]]}, {"actions": GOLDEN, "other_type_actions": []}])
    written, canonical = score_run(run), score_run(run, spelling="canonical")
    assert (written.spelling, canonical.spelling) == ("written", "canonical")
    # the whole text has 70 characters, the agent's one separator more: 138 of 140, 140 of 141
    assert [task.sim2 and task.sim2.s_i for task in written.tasks] == [0.99, 0.99]
    assert "spelling canonical" in heads(canonical.caveats)
    assert "spelling canonical" not in heads(written.caveats)
    scores = scores_dict(written)
    assert (scores["sim2_no_other_type"], scores["sim2_undefined"]) == (1, 0)
    assert scores["depends_on"]["protocol"]["spelling"] == "written"
    assert any("1 tasks have no actions of a person of another" in remark for remark in written.remarks)
    with pytest.raises(UsageError, match="expected a spelling, written or canonical, got 'raw'"):
        score_run(run, spelling="raw")


def test_unqueried_steps_count_on_neither_side(draw_run: DrawRun) -> None:
    run = draw_run([{"actions": GOLDEN[1:], "gaps": [0]}, {"actions": GOLDEN}], device="replay")
    scores = score_run(run, protocol="paper")
    assert [(task.golden_steps, task.gaps, task.step_ratio) for task in scores.tasks] == [
        (2, 1, 1.0),
        (3, 0, 1.0),
    ]
    assert [task.sim2 and task.sim2.s_i for task in scores.tasks] == [1.0, 1.0]
    assert any(remark.startswith("1 recorded steps have no screenshot") for remark in scores.remarks)


def test_another_protocol_or_similarity_is_applied_and_reported(draw_run: DrawRun) -> None:
    run = draw_run([{"actions": ["press_home()"], "success": True, "success_by": "rule"}])
    paper, tokens = score_run(run, protocol="paper"), score_run(run, similarity="tokens")
    assert "protocol paper" in heads(paper.caveats)
    assert "similarity tokens" in heads(tokens.caveats)
    assert (tokens.sim2.s_i, tokens.sim2.s_ii) == (0, pytest.approx(1 / 3))
    with pytest.raises(UsageError, match="release or paper, got 'mine'"):
        score_run(run, protocol="mine")


def test_the_score_file_lists_all_dependencies(draw_run: DrawRun) -> None:
    run = draw_run(
        [{"actions": GOLDEN}], [{"task_id": "0__20250301_080000", "rater": "ann", "success": "yes"}]
    )
    scores = json.loads(write_scores(score_run(run)).read_text("utf-8"))
    assert scores == json.loads(json.dumps(scores_dict(score_run(run))))
    depends = scores["depends_on"]
    assert depends["run"] == json.loads((run / "run.json").read_text("utf-8"))
    assert len(depends["steps_sha256"]) == len(depends["labels_sha256"]) == 64
    assert depends["protocol"]["name"] == "release"
    assert depends["bootstrap"]["clusters"] == "users"
    assert {"rapidfuzz", "numpy"} <= set(depends["source"]["packages"])
    assert [item["task_id"] for item in scores["per_item"]] == depends["run"]["task_ids"]


def test_a_run_without_action_limit_or_golden_steps_is_a_one_line_error(draw_run: DrawRun) -> None:
    from fingertip_dataset.errors import FingerTipError

    with pytest.raises(FingerTipError, match="expected"):
        score_run(draw_run([{"actions": ["wait()"], "golden_actions": []}]))
