from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_analysis.review.trajectories import action_words, draw_action, read_trajectories
from fingertip_dataset.errors import RunError, UsageError
from fingertip_runs.annotation import read_picture

DrawRun = Callable[..., Path]


def test_a_trajectory_has_screens_and_actions_and_nothing_about_the_agent(drawn_run: DrawRun) -> None:
    (shown,) = read_trajectories(drawn_run("听稻香"))
    assert (shown.target.intent, shown.attempt, shown.end) == (
        "听稻香",
        1,
        "The agent reported that it is finished.",
    )
    assert [step.screen and step.screen.name for step in shown.steps] == ["0.png", "1.png", "2.png", "3.png"]
    assert shown.target.user_actions == ("click(coordinates=(60, 90), content='开始')", "type(text='稻香')")
    assert "quixotic" not in repr(shown)


def test_only_attempts_whose_success_a_label_decides_are_read(draw_run: DrawRun) -> None:
    run = draw_run(
        [
            {"actions": ["finished()"], "outcome": outcome, "task_id": outcome}
            for outcome in ("terminated", "truncated", "blocked", "device_error", "agent_error")
        ]
        # three golden steps, so the eighth is beyond 2.5 x of them
        + [{"actions": ["wait()"] * steps, "task_id": f"{steps} steps"} for steps in (7, 8)]
    )
    assert [shown.target.task_id for shown in read_trajectories(run)] == [
        "terminated",
        "truncated",
        "7 steps",
    ]


@pytest.mark.parametrize(
    ("change", "how"),
    [
        ({"dry_run": True}, "a dry run"),
        ({"device": "teacher_forced"}, "one on recorded episodes"),
        ({"device": "replay"}, "one on recorded episodes"),
    ],
)
def test_a_run_without_carried_out_actions_is_refused(
    drawn_run: DrawRun, change: dict[str, object], how: str
) -> None:
    with pytest.raises(UsageError, match=f"expected a run whose actions were carried out, got {how}"):
        read_trajectories(drawn_run("听歌", **change))


@pytest.mark.parametrize("name", ["../secret.png", "/etc/hostname", "screens/../../secret.png", "link.png"])
def test_a_screen_outside_the_run_is_refused(draw_run: DrawRun, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    run = draw_run([{"actions": [{"action": "wait()", "screenshot": name}]}])
    (run / "link.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(RunError, match="is not within the run"):
        read_trajectories(run)


def test_unparsable_and_unperformed_steps_are_described(draw_run: DrawRun) -> None:
    steps = [
        {"action": "wait()", "problem": "expected a quixotic call, got nothing", "output": "quixotic"},
        {"action": "press_home()", "performed": False},
    ]
    (shown,) = read_trajectories(draw_run([{"actions": steps}]))
    assert [step.note for step in shown.steps] == ["The agent's output is not an action.", "Not carried out."]
    assert shown.steps[0].screen is None


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("click(coordinates=(1, 2))", "taps"),
        ("long_click(coordinates=(1, 2), content='图')", "presses long on “图”"),
        ("long_click(coordinates=(1, 2))", "presses long"),
        ("type(text='<b>')", "types “<b>”"),
        ("press_back()", "goes back"),
        ("press_home()", "goes to the home screen"),
        ("press_recent()", "opens the recent apps"),
        ("wait()", "waits"),
        ("finished()", "says: finished"),
    ],
)
def test_each_action_is_a_sentence(raw: str, words: str) -> None:
    assert action_words(raw) == words


def test_a_touch_is_drawn_at_its_point_on_the_screen() -> None:
    shown = draw_action("click(coordinates=(-5, 9999))", (100, 200))
    assert (shown["name"], shown["at"]) == ("click", (0, 200))
    assert "to" not in shown
    shown = draw_action("scroll(coordinates=(50, 10), direction='left')", (1000, 200))
    assert (shown["at"], shown["to"]) == ((50, 10), (550, 10))


@given(st.text(max_size=60))
def test_any_text_can_be_shown(raw: str) -> None:
    assert isinstance(draw_action(raw, (10, 20))["words"], str)


def test_a_file_that_is_no_picture_is_none(tmp_path: Path) -> None:
    file = tmp_path / "page.png"
    assert read_picture(None) is read_picture(file) is read_picture(tmp_path) is None
    file.write_text("<script>")
    assert read_picture(file) is None
