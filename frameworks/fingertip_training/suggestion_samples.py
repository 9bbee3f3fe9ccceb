"""Training samples of track 1: the prompt of `fingertip suggest`, and the person's intent as the answer."""

from __future__ import annotations

from collections.abc import Container, Iterator

from fingertip_agents.prompts.prompt_files import PromptFiles
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_models.messages import Language
from fingertip_training.dropped_steps import DroppedSteps
from fingertip_training.training_sample import TrainingSample
from suggestion_runner.suggestion_tasks import TaskRows


def suggestion_samples(
    tasks: TaskRows,
    episodes: Container[str],
    dropped: DroppedSteps,
    *,
    language: Language,
    max_pixels: int | None = None,
    files: PromptFiles | None = None,
    excluded: Container[str] = (),
) -> Iterator[TrainingSample]:
    """Yield a sample per episode, in the order of the dataset.

    Args:
        tasks: The tasks of the split.
        episodes: Ids of the episodes.
        dropped: Counts what is left out.
        language: Language of the prompt.
        max_pixels: Maximum pixels of a screenshot; None for no limit.
        files: Texts of the user's in place of our prompt; None for ours.
        excluded: Ids of episodes that no prompt mentions as earlier intents.

    Raises:
        InputError: A screenshot has to be scaled and is no picture.
    """
    for task in tasks.show(episodes.__contains__, unmentioned=excluded):
        episode_id, intent = task.input.task_id, task.target.intent.strip()
        if not intent:
            dropped.add("episode without an intent", episode_id)
            continue
        yield TrainingSample(
            track="suggestion",
            episode_id=episode_id,
            user_id=task.target.user_id,
            step=0,
            messages=make_suggestion_messages(task.input, language, max_pixels=max_pixels, files=files),
            answer=intent,
        )
