"""What every prompt tells of a task."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_agents.execution_agent import PastStep
from fingertip_agents.formats.prompt_wording import (
    MAX_CHARACTERS,
    describe_actions,
    make_data_line,
    make_task_text,
)
from fingertip_dataset.actions import Click, Direction, Finished, Scroll, Type, Wait
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence
from fingertip_models.messages import Language

LANGUAGES = get_args(Language)

languages = pytest.mark.parametrize("language", LANGUAGES)


@languages
@given(words=st.text(), action=st.text())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_in_the_data_makes_a_line_or_a_heading(
    language: Language, alarm_task: ExecutionInput, words: str, action: str
) -> None:
    profile = replace(alarm_task.profile, sex=words, occupation=words, address=words)
    reference = ReferenceSequence(episode_id="1__x", intent=words, similarity=1, actions=(action, action))
    shown_text = replace(alarm_task, profile=profile, intent=words, scenario=words, reference=reference)
    done = (PastStep(action=Wait(), written=action, output=action, thought=words),)
    lines = make_task_text(shown_text, done, language).splitlines()
    # the place and the intent of the reference are left out where they say nothing
    assert len(lines) == (14 if words.strip() else 12)
    assert sum(line.startswith("# ") for line in lines) == 5


@languages
def test_a_hidden_part_leaves_no_heading_and_an_empty_history_is_named(
    language: Language, alarm_task: ExecutionInput
) -> None:
    hidden = replace(alarm_task, profile=UserProfile(), reference=None, time=None, scenario="")
    lines = make_task_text(hidden, (), language).splitlines()
    assert [line.startswith("# ") for line in lines] == [True, False, True, False]
    assert lines[-1] == ("还没有任何动作。" if language == "zh" else "None yet.")


def test_an_unreadable_output_is_marked_in_the_history(
    alarm_task: ExecutionInput, two_steps: tuple[PastStep, ...]
) -> None:
    text = make_task_text(alarm_task, two_steps, "en")
    assert text.endswith(
        "1. click(coordinates=(540, 2240), content='添加闹钟')\n"
        "2. this output could not be read, and only wait() was performed: I am\\nlost."
    )


def test_a_long_line_is_cut_with_the_missing_length() -> None:
    assert make_data_line("长" * (MAX_CHARACTERS + 7), "en").endswith("长… (7 more characters)")


@languages
def test_the_action_space_names_every_action_once(language: Language) -> None:
    lines = describe_actions(language).splitlines()
    names = [line.partition("(")[0] for line in lines]
    classes = (Click, Type, Scroll, Wait, Finished)
    assert {kind.name for kind in classes} < set(names)
    assert len(set(names)) == len(names) == 9
    assert all(direction in describe_actions(language) for direction in get_args(Direction))


@languages
def test_a_question_is_followed_by_the_form_of_its_answer(
    language: Language, alarm_task: ExecutionInput
) -> None:
    plain = make_task_text(alarm_task, None, language)
    question = make_task_text(replace(alarm_task, answer_form="form: HH:MM"), None, language)
    added = [line for line in question.splitlines() if line not in plain.splitlines()]
    assert added[0] == "form: HH:MM"
    assert added[1].endswith("finished(content='...')")
    assert len(question.splitlines()) == len(plain.splitlines()) + 2
