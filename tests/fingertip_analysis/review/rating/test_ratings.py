"""Style ratings on disk, and their session: tasks per rater, their order, and stored ratings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fingertip_analysis.review.rating import Rating, RatingSession
from fingertip_analysis.review.ratings import RATINGS, read_ratings
from fingertip_dataset.errors import RunError, UsageError

DrawRun = Callable[..., Path]
INTENTS = tuple(f"第{number}件事" for number in range(10))
FIRST = "0__20250301_080000"


def names(session: RatingSession, rater: str) -> list[list[str]]:
    """The runs of each task, all in the rater's order."""
    return [
        [session[way].run.name for way in session.trajectory_order(key, rater)]
        for key in session.task_order(rater)
    ]


def test_each_task_is_shown_once_in_the_raters_own_order(drawn_run: DrawRun) -> None:
    runs = [drawn_run(*INTENTS) for _ in range(4)]
    with RatingSession(runs) as session:
        assert len(session.tasks) == len(INTENTS)
        anna, ben = names(session, "anna"), names(session, "ben")
        tasks = [session.tasks[key].target.task_id for key in session.task_order("anna")]
    assert all(sorted(ways) == sorted(run.name for run in runs) for ways in anna)
    # random within tasks, and another order for each task and rater
    assert len({tuple(ways) for ways in anna}) > 3
    assert anna != ben
    assert tasks != sorted(tasks)
    with RatingSession(runs[::-1]) as again:
        assert names(again, "anna") == anna


def test_a_rating_is_stored_in_its_run_with_rater_and_position(drawn_run: DrawRun) -> None:
    runs = [drawn_run("听歌", ends={"user_id": "7"}) for _ in range(3)]
    with RatingSession(runs, user_id="7") as session:
        (key,) = session.task_order("anna")
        order = session.trajectory_order(key, "anna")
        for number, way in enumerate(order, start=1):
            session.add(way, "anna", Rating(rating=number, seconds=2.5))
        session.add(order[0], "anna", Rating(rating=5))
        assert (session.rated("anna"), session.rated("ben"), session.raters()) == (1, 0, ("anna",))
        places = {session[way].run: number for number, way in enumerate(order, start=1)}
    for run, place in places.items():
        (line,) = read_ratings(run)
        assert (line.task_id, line.attempt, line.rater, line.rater_user_id) == (FIRST, 1, "anna", "7")
        assert (line.place, line.ways, line.rating) == (place, 3, 5 if place == 1 else place)
        assert json.loads((run / RATINGS).read_text("utf-8").splitlines()[0])["version"] == 1
    with RatingSession(runs, user_id="7") as again:
        (key,) = again.task_order("anna")
        assert [again.rating(way, "anna") for way in again.trajectory_order(key, "anna")] == [5, 2, 3]
        assert [again.rating(way, "ben") for way in again.trajectory_order(key, "ben")] == [None] * 3


def test_a_user_sees_their_own_tasks_alone(drawn_run: DrawRun) -> None:
    one, other = drawn_run("听歌", ends={"user_id": "7"}), drawn_run(*INTENTS[:2], ends={"user_id": "8"})
    with RatingSession([one], user_id="7") as session:
        assert len(session.tasks) == 1
    with pytest.raises(UsageError, match="the agent ended no task of user 9"):
        RatingSession([one, other], user_id="9")


def test_trajectories_beyond_the_step_limit_are_rated_and_device_errors_are_not(drawn_run: DrawRun) -> None:
    long = drawn_run("听歌", ends={"golden_actions": ["press_home()"]})
    with RatingSession([long, drawn_run("听歌", ends={"outcome": "device_error"})]) as session:
        (key,) = session.task_order("anna")
        assert [session[way].run for way in session.trajectory_order(key, "anna")] == [long]


def test_runs_without_trajectories_to_rate_are_refused(drawn_run: DrawRun) -> None:
    run = drawn_run("听歌")
    for runs, words in (
        ([run, run], "a run is given twice: name each run once"),
        ([drawn_run("听歌", device="teacher_forced")], "a teacher-forced one"),
        ([drawn_run("听歌", dry_run=True)], "a dry run"),
        ([run, drawn_run("听歌", dataset={"data_sha256": "e" * 64})], "not of the same data"),
        ([drawn_run("听歌", ends={"outcome": "agent_error"})], "nothing to rate"),
    ):
        with pytest.raises(UsageError, match=words):
            RatingSession(runs)
    with RatingSession([run]), pytest.raises(RunError, match="is writing this run"):
        RatingSession([run])


def test_a_rating_beside_a_success_label_counts_unless_there_is_another(draw_run: DrawRun) -> None:
    label = {"task_id": FIRST, "rater": "anna", "success": "yes", "rating": 2}
    run = draw_run(
        [{"actions": ["finished()"]}],
        [label, {**label, "rater": "ben", "rating": None}, {**label, "rater": "judge:m@1", "kind": "judge"}],
    )
    (old,) = read_ratings(run)
    assert (old.rater, old.rating, old.place, old.rater_user_id) == ("anna", 2, None, None)
    (run / RATINGS).write_text(
        '{"version":1,"task_id":"0__20250301_080000","attempt":1,"rater":"anna","rating":4,"place":1,"ways":2,'
        '"at":"2026-01-01T00:00:00+08:00"}\n{"version":1,"task_id"',
        encoding="utf-8",
    )
    assert [line.rating for line in read_ratings(run)] == [4]
    (run / RATINGS).write_text('{"version":2}\n', encoding="utf-8")
    with pytest.raises(RunError, match=r"ratings\.jsonl"):
        read_ratings(run)
