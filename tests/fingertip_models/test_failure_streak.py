"""Failed tasks in a row: an answer ends the streak, many different tasks stop the run."""

from __future__ import annotations

import pytest

from fingertip_dataset.errors import EndpointError, ModelError, PreflightError
from fingertip_models.failure_streak import MOST_FAILED_IN_A_ROW, FailureStreak

REFUSED = ModelError("status 400: no", episode_id="30__20250302_090000")


def test_only_different_tasks_without_an_answer_between_them_stop_a_run() -> None:
    streak = FailureStreak()
    for _ in range(3):
        for number in range(MOST_FAILED_IN_A_ROW - 1):
            streak.add(number, REFUSED, advice="call again")
            streak.add(number, REFUSED, advice="call again")
        assert not streak.answered
    streak.reset()
    assert streak.answered
    for number in range(MOST_FAILED_IN_A_ROW - 1):
        streak.add(number, REFUSED, advice="call again")
    with pytest.raises(EndpointError) as caught:
        streak.add("one more", REFUSED, advice="call again")
    assert caught.value.message == "status 400: no; so ended 10 tasks in a row, and the run stops: call again"
    assert caught.value.episode_id == REFUSED.episode_id


def test_a_dead_endpoint_stops_a_run_at_once() -> None:
    with pytest.raises(EndpointError, match=r"^expected a server; call again$"):
        FailureStreak().add("task", EndpointError("expected a server"), advice="call again")


def test_a_call_that_has_to_be_changed_is_not_advised_to_be_repeated() -> None:
    with pytest.raises(PreflightError, match=r"^expected a server$"):
        FailureStreak().add("task", PreflightError("expected a server"), advice="call again")
    streak = FailureStreak()
    streak.reset()
    with pytest.raises(EndpointError, match=r"^expected a server; call again$"):
        streak.add("task", PreflightError("expected a server"), advice="call again")
