"""Training samples of moments: the prompt of `fingertip suggest` at a moment, and an intent or nothing.

The probability in an answer is 1 where something was wanted and 0 where nothing was: a log of a person says
whether, and never how likely it was.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator

from fingertip_agents.moments.moment_json import PROBABILITY
from fingertip_agents.prompts.prompt_files import PromptFiles
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_models.messages import Language
from fingertip_training.dropped_steps import DroppedSteps
from fingertip_training.training_sample import TrainingSample
from suggestion_runner.suggestion_tasks import TaskRows


def moment_samples(
    tasks: TaskRows,
    moments: Container[str],
    dropped: DroppedSteps,
    *,
    language: Language,
    max_pixels: int | None = None,
    files: PromptFiles | None = None,
    excluded: Container[str] = (),
) -> Iterator[TrainingSample]:
    """Yield a sample per moment, in the order of the dataset.

    Args:
        tasks: The moments of the split.
        moments: Ids of the moments.
        dropped: Counts what is left out.
        language: Language of the prompt.
        max_pixels: Maximum pixels of a screenshot; None for no limit.
        files: Texts of the user's in place of our prompt; None for ours.
        excluded: Ids of episodes that no prompt mentions as earlier intents.

    Raises:
        InputError: A screenshot has to be scaled and is no picture.
    """
    for task in tasks.show(moments.__contains__, unmentioned=excluded):
        moment_id, intent = task.input.task_id, task.target.intent.strip()
        if bool(intent) != (task.target.kind == "intent"):
            dropped.add("moment whose kind and intent contradict each other", moment_id)
            continue
        yield TrainingSample(
            track="suggestion",
            episode_id=moment_id,
            user_id=task.target.user_id,
            step=0,
            messages=make_suggestion_messages(
                task.input, language, max_pixels=max_pixels, files=files, moments=True
            ),
            answer=write_answer(intent),
        )


def write_answer(intent: str) -> str:
    """Write an answer in the form that the agent model is asked for, the probability first.

    Nothing is one answer, and something is any of many intents: where half of the moments want nothing, a
    model that begins with the intent finds no intent as likely as none, and greedy decoding is always silent.

    Args:
        intent: The intent; "" for nothing.

    >>> write_answer("打开地图"), write_answer("")
    ('{"wanted": 1, "intent": "打开地图"}', '{"wanted": 0, "intent": ""}')
    """
    return json.dumps({PROBABILITY: 1 if intent else 0, "intent": intent}, ensure_ascii=False)
