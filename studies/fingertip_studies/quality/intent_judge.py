"""The judge of recorded episodes: a vision model says whether the last screens show the intent served.

The prompt, the form of the question and that of the answer are those of the judge that labels agents' runs
(`fingertip_analysis.review.vision_judge`), so its agreement with people is that of `fingertip review`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fingertip_analysis.review.screen_question import (
    SCREENS,
    ScreenQuestion,
    ShownAction,
    caption_screen,
    shrink_picture,
    write_screen_question,
)
from fingertip_analysis.review.vision_judge import PROMPTS, name_judge, read_verdict
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_metrics.judges.prompt import request_reason
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.messages import Language
from fingertip_runs.line_log import LineLog, validate_json
from fingertip_studies.quality.episode_flaws import Flaw
from fingertip_studies.quality.flaw_kinds import FlawKind
from fingertip_studies.quality.measure_dataset import QualityMeasurement

JUDGED_FILE = "judged.jsonl"
"""File of the verdicts in the folder of a measurement; the same call queries no episode twice."""

_COLUMNS = ("episode_id", "app", "intent", "actions", "screenshots")


class JudgedIntent(FrozenModel):
    """A verdict on one episode of one dataset by one judge."""

    episode_id: str
    data_sha256: str
    judge: str
    served: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedIntents:
    """Verdicts on the episodes of a dataset.

    Attributes:
        flaws: Episode id -> flaw, for intents that were not served.
        judged: Number of episodes with a verdict.
        unparsable: Number of answers that could not be read.
        unseen: Number of episodes without a screen to send.
    """

    flaws: dict[str, Flaw]
    judged: int
    unparsable: int
    unseen: int


def judge_intents(
    measurement: QualityMeasurement,
    folder: Path,
    client: ChatClient,
    *,
    language: Language,
    reasons: str = "",
    on_progress: Callable[[int, int], None] | None = None,
) -> JudgedIntents:
    """Query a model about each episode; verdicts are kept in `folder` as they come.

    Args:
        measurement: The dataset.
        folder: Folder of the verdicts.
        client: Client of a model that takes pictures.
        language: Language of the prompt.
        reasons: Language in which reasons are requested, by its ISO 639 code; "" for that of the prompt.
        on_progress: Called with (episodes done, episodes).

    Raises:
        RunError: The file of verdicts is broken or being written by another process.
        ModelError: The model does not answer; the same call goes on.
    """
    built, name = measurement.built, name_judge(client.options.model, language, reasons)
    prompt = request_reason(PROMPTS[language], language, reasons)
    data = built.manifest.data_sha256
    counts = {"unparsable": 0, "unseen": 0}
    with LineLog(folder / JUDGED_FILE, partial(validate_json, JudgedIntent)) as log:
        known = {
            line.episode_id: line for line in log.lines if (line.data_sha256, line.judge) == (data, name)
        }
        total, done, seen = (
            sum(shard.rows for split in built.split_names for shard in built.shards(split)),
            0,
            set(),
        )
        if on_progress is not None:
            on_progress(0, total)
        for split in built.split_names:
            for row in built.rows(split, columns=_COLUMNS, config="default"):
                done += 1
                if on_progress is not None:
                    on_progress(done, total)
                if row["episode_id"] in known or row["episode_id"] in seen:
                    continue
                seen.add(row["episode_id"])
                verdict = _ask(write_intent_question(row, prompt, language), client)
                if isinstance(verdict, str):
                    counts[verdict] += 1
                    continue
                line = JudgedIntent(episode_id=row["episode_id"], data_sha256=data, judge=name, **verdict)
                log.append(line)
                known[line.episode_id] = line
    return JudgedIntents(
        flaws={
            line.episode_id: Flaw(
                kind=FlawKind.INTENT_NOT_SERVED, step=None, detail=f"{name}: {line.reason[:300]}"
            )
            for line in known.values()
            if not line.served
        },
        judged=len(known),
        **counts,
    )


def _ask(question: ScreenQuestion | None, client: ChatClient) -> dict[str, Any] | str:
    """The verdict on an episode; "unseen" or "unparsable" without one."""
    if question is None:
        return "unseen"
    verdict = read_verdict(client.ask(question.messages).text, question.code)
    return "unparsable" if verdict is None else {"served": verdict.done, "reason": verdict.reason}


def write_intent_question(row: Mapping[str, Any], prompt: str, language: Language) -> ScreenQuestion | None:
    """Write the question about a recorded episode; None without any readable screen.

    Args:
        row: Row of the config "default".
        prompt: Text of the system message.
        language: Language of our words in the data: captions of pictures and remarks.
    """
    taken = [
        (caption_screen(number, language), content)
        for number, picture in enumerate(row["screenshots"], 1)
        if picture is not None and (content := shrink_picture(picture["bytes"])) is not None
    ][-SCREENS:]
    if not taken:
        return None
    return write_screen_question(
        prompt,
        task=row["intent"],
        app=row["app"],
        actions=[ShownAction(fields=_list_fields(entry), shares={}) for entry in row["actions"]],
        screens=taken,
        language=language,
    )


def _list_fields(entry: Mapping[str, Any]) -> dict[str, object]:
    known = {name: entry[name] for name in ("direction", "text") if entry[name]}
    return {"type": entry["type"] or "none", **known}
