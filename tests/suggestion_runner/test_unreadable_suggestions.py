"""Runs of track 1 whose answers give no intent: they stop, and the same call asks their tasks again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.errors import UnreadableAnswersError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from fingertip_models.responses import Cached
from suggestion_runner import RunOutcome, read_predictions, run_suggestions
from tests.shared_fixtures import OpenAIServer

TASKS, FIRST = 12, 10
Run = Callable[..., RunOutcome]


class Says:
    """Agent that answers each query with the next of its suggestions, the last one again and again."""

    name = "says"

    def __init__(self, *suggestions: Suggestion, **settings: object) -> None:
        self.settings = settings
        self.queried: list[str] = []
        self._suggestions = suggestions

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        self.queried.append(task_input.task_id)
        return self._suggestions[min(len(self.queried), len(self._suggestions)) - 1]


NOTHING = Suggestion(text="", seconds=0.1, output="", outcome="nothing", calls=1)
INTENT = Suggestion(
    text="听歌", seconds=0.1, output="听歌", calls=1, notes=("left_out: a mark", "server: there")
)


@pytest.fixture
def run(sample: Path, tmp_path: Path) -> Run:
    """Function that starts or resumes a run of twelve tasks in tmp_path/run."""

    def call(agent: object, out: str = "run", **options: object) -> RunOutcome:
        return run_suggestions(sample, agent, tmp_path / out, **options)  # type: ignore[arg-type]

    return call


@pytest.fixture
def model(openai_server: OpenAIServer, tmp_path: Path) -> Iterator[Cached]:
    """A model behind a cache, whose answers all stand in the reasoning."""
    openai_server.play(openai_server.says("", reasoning_content="He may want music."))
    client = ChatClient(ModelOptions(base_url=openai_server.base_url, model="tiny-1"))
    model = Cached(client, tmp_path / "answers.jsonl")
    yield model
    model.close()


def test_a_run_stops_and_the_same_call_asks_again(run: Run, tmp_path: Path) -> None:
    agent = Says(NOTHING)
    with pytest.raises(
        UnreadableAnswersError, match=r"the first 10 tasks .*: expected an intent, got no text; "
    ):
        run(agent)
    assert len(agent.queried) == FIRST
    assert read_predictions(tmp_path / "run") == ()
    again = Says(INTENT)
    outcome = run(again)
    assert again.queried[:FIRST] == agent.queried
    assert (outcome.answered_before, outcome.queried, len(again.queried)) == (0, TASKS, TASKS)
    assert outcome.answers.describe_notes() == (
        "12 answers were read with notes (an answer can have several): 12 left_out, 12 server"
    )
    assert {line.notes for line in read_predictions(tmp_path / "run")} == {INTENT.notes}
    finished = run(Says(NOTHING))
    assert (finished.answered_before, finished.queried) == (TASKS, 0)


def test_a_stopped_run_stops_again_and_again(run: Run, tmp_path: Path) -> None:
    for _ in range(4):
        agent = Says(NOTHING)
        with pytest.raises(UnreadableAnswersError):
            run(agent)
        assert len(agent.queried) == FIRST
    assert run(Says(INTENT)).queried == TASKS


def test_a_run_that_goes_on_keeps_its_answers(run: Run) -> None:
    counted: list[int] = []
    outcome = run(Says(NOTHING), keep_going=True, on_unreadable=counted.append)
    assert (outcome.queried, outcome.answers.unreadable, counted) == (TASKS, TASKS, [*range(1, TASKS + 1)])
    later = Says(NOTHING)
    run(later)
    assert later.queried == []


def test_a_short_run_fails_at_its_end_and_may_change_its_agent(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UnreadableAnswersError, match="no answer to any of 3 tasks could be read"):
        run(Says(NOTHING, prompt="wrong"), limit=3)
    assert run(Says(INTENT, prompt="right"), limit=3).queried == 3
    assert len(read_predictions(tmp_path / "run")) == 3


def test_one_answer_is_enough_to_go_on(run: Run) -> None:
    assert run(Says(*[NOTHING] * 9, INTENT, NOTHING)).answers.unreadable == TASKS - 1


def test_agents_without_a_model_are_not_stopped(run: Run) -> None:
    outcome = run(Says(Suggestion(text="", seconds=0.0)))
    assert (outcome.unanswered, outcome.answers.answers) == (TASKS, 0)


def test_answers_that_stopped_a_run_do_not_come_from_the_cache_again(
    run: Run, openai_server: OpenAIServer, model: Cached
) -> None:
    agent = ModelSuggester(model)
    with pytest.raises(UnreadableAnswersError, match="without --reasoning-parser"):
        run(agent, concurrency=2)
    sent = len(openai_server.requests)
    assert sent in (FIRST, FIRST + 1)
    # another run of the same settings gets them from the cache, and they count alike
    with pytest.raises(UnreadableAnswersError):
        run(agent, "other", concurrency=1)
    assert len(openai_server.requests) == sent
    openai_server.play(openai_server.says("听歌"))
    assert run(agent).answers.unreadable == 0
    assert len(openai_server.requests) == sent + TASKS
    # the new answers have taken the place of the old ones
    assert run(agent, "third").cached == TASKS
