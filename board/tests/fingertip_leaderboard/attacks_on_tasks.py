"""Attacks: coverage of tasks, their inputs, their usage, and the parsed outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from board.tests.fingertip_leaderboard.forging import Attack, of_line, of_step, put, put_step, together
from board.tests.fingertip_leaderboard.parts import Parts
from fingertip_leaderboard import RefusalKind


def _repeat(parts: Parts) -> None:
    parts.tasks.append(dict(parts.tasks[0]))
    parts.head["run"]["tasks"] += 1


def _foreign(parts: Parts) -> None:
    parts.tasks.append(dict(parts.tasks[0], task_id="999__20250101_000000"))
    parts.head["run"]["tasks"] += 1


def _partial(parts: Parts) -> None:
    parts.tasks.pop()
    parts.verdicts.pop()
    parts.head["run"]["tasks"] -= 1


def _partial_execution(parts: Parts) -> None:
    gone = parts.tasks.pop()["task_id"]
    parts.head["run"]["tasks"] -= 1
    parts.head["run"]["task_ids"].remove(gone)
    parts.labels = [label for label in parts.labels if label["task_id"] != gone]


def _first_touch(steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A step whose output gives a point; an output that opens an app may become the home key as well."""
    return next(step for step in steps if "Action: click(" in step["output"])


COVERAGE = together(
    [
        Attack(
            name="a task twice",
            seed="model",
            kind=RefusalKind.DUPLICATE_TASK,
            forge=_repeat,
            file="predictions.jsonl",
            line=13,
        ),
        Attack(
            name="a task of no test",
            seed="model",
            kind=RefusalKind.UNKNOWN_TASK,
            forge=_foreign,
            file="predictions.jsonl",
            line=13,
        ),
        Attack(
            name="a part of the test",
            seed="model",
            kind=RefusalKind.MISSING_TASK,
            forge=_partial,
            file="predictions.jsonl",
        ),
        Attack(
            name="a part of the test of track 2",
            seed="phone",
            kind=RefusalKind.MISSING_TASK,
            forge=_partial_execution,
            file="steps.jsonl",
        ),
        Attack(
            name="a verdict is missing",
            seed="model",
            kind=RefusalKind.MISSING_TASK,
            forge=lambda parts: parts.verdicts.pop(),
            file="verdicts.jsonl",
        ),
        of_line(
            "an id in full-width digits",
            RefusalKind.CONFUSABLE,
            lambda line: line.update(task_id=line["task_id"].replace("1", "１")),
            also=[RefusalKind.MISSING_TASK],
        ),
        of_line(
            "an id with a Cyrillic letter",
            RefusalKind.CONFUSABLE,
            lambda line: line.update(task_id=line["task_id"].replace("0", "о")),
            also=[RefusalKind.MISSING_TASK],
        ),
    ]
)


INPUTS = together(
    [
        of_line("more earlier intents than there are", RefusalKind.IMPOSSIBLE_HISTORY, put(shown_intents=99)),
        of_line("more screens than the run shows", RefusalKind.IMPOSSIBLE_HISTORY, put(shown_screenshots=3)),
        of_line(
            "the task itself as reference",
            RefusalKind.TARGET_LEAKED,
            lambda line: line.update(reference_id=line["task_id"]),
            seed="phone",
        ),
        of_line(
            "another reference",
            RefusalKind.WRONG_REFERENCE,
            put(reference_id="1__20250101_000000"),
            seed="phone",
        ),
        of_line(
            "no reference where one was shown",
            RefusalKind.WRONG_REFERENCE,
            put(reference_id=None),
            seed="phone",
        ),
        of_line(
            "a reason that tells the person's action",
            RefusalKind.TARGET_LEAKED,
            put(reason="the recorded action is x"),
            seed="replayed",
        ),
    ]
)


EFFORT = together(
    [
        of_line("text of no tokens", RefusalKind.IMPOSSIBLE_TOKENS, put(completion_tokens=0)),
        of_line("an answer to nothing", RefusalKind.IMPOSSIBLE_TOKENS, put(prompt_tokens=0)),
        of_line("tokens without a call", RefusalKind.IMPOSSIBLE_TOKENS, put(calls=0)),
        of_line(
            "more tokens than a model takes", RefusalKind.IMPOSSIBLE_TOKENS, put(prompt_tokens=900_000_000)
        ),
        of_line("a million tokens a second", RefusalKind.BAD_TIME, put(time_s=1e-5)),
        of_step(
            "a step's tokens without a call", RefusalKind.IMPOSSIBLE_TOKENS, put_step(0, prompt_tokens=5)
        ),
        of_step("a step's answer in no time", RefusalKind.BAD_TIME, put_step(1, agent_s=0.0), seed="points"),
        of_step("a step that nobody timed", RefusalKind.BAD_TIME, put_step(1, agent_s=None), seed="points"),
    ]
)


READING = together(
    [
        of_step(
            "a screen that no agent can be shown",
            RefusalKind.WRONG_READING,
            put_step(1, size=[540, 1]),
            seed="points",
        ),
        of_line(
            "alternatives that nobody asked for",
            RefusalKind.OUT_OF_RANGE,
            put(alternatives=[["听歌", 1.0]]),
        ),
        of_line(
            "another intent than the output's",
            RefusalKind.WRONG_READING,
            put(predicted_intent="打开微信，发消息"),
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_line(
            "an intent of a model without output",
            RefusalKind.MISSING_OUTPUT,
            put(output=""),
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_line("a failed query with its answer", RefusalKind.WRONG_READING, put(outcome="failed")),
        of_line(
            "a failed query with an output alone",
            RefusalKind.WRONG_READING,
            put(outcome="failed", predicted_intent=""),
            also=[RefusalKind.WRONG_SCORE, RefusalKind.WRONG_VERDICT],
        ),
        Attack(
            name="every query failed, each with its answer",
            seed="model",
            kind=RefusalKind.WRONG_READING,
            forge=lambda parts: [task.update(outcome="failed") for task in parts.tasks],
            file="predictions.jsonl",
            line=1,
        ),
        of_line(
            "our model's answer read otherwise",
            RefusalKind.WRONG_READING,
            put(predicted_intent="打开微信，发消息"),
            seed="ours",
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_line(
            "our model's outcome made better",
            RefusalKind.WRONG_READING,
            lambda line: line.update(
                outcome="answered, in a way" if line["outcome"] != "answered" else "wrapped"
            ),
            seed="ours",
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_line(
            "our baseline made better",
            RefusalKind.WRONG_READING,
            put(predicted_intent="打开微信，发消息"),
            seed="habit",
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_step(
            "an action in another spelling",
            RefusalKind.WRONG_READING,
            lambda steps: steps[0].update(action=f" {steps[0]['action']}"),
        ),
        of_step(
            "what is no action",
            RefusalKind.WRONG_READING,
            put_step(0, action="rm -rf /", written="rm -rf /"),
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_step(
            "scored is not what was done",
            RefusalKind.WRONG_READING,
            lambda steps: steps[0].update(written="press_recent()"),
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_step(
            "another point than the output's",
            RefusalKind.WRONG_READING,
            lambda steps: _first_touch(steps).update(action="press_home()", written="press_home()"),
            seed="points",
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_step(
            "an output that can be read, called unreadable",
            RefusalKind.WRONG_READING,
            lambda steps: steps[1].update(action="wait()", written=steps[1]["output"], problem="?"),
            seed="points",
            also=[RefusalKind.WRONG_SCORE],
        ),
    ]
)
