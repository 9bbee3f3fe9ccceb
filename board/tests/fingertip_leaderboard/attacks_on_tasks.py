"""Attacks: coverage of tasks, their inputs, their usage, and the parsed outputs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from board.tests.fingertip_leaderboard.forging import of_file, of_line, of_step, put, put_step
from board.tests.fingertip_leaderboard.parts import Parts


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


# the same attack builders, from another bundle or with what cannot but follow
phone_line = partial(of_line, seed="phone")
points_step = partial(of_step, seed="points")


COVERAGE = (
    of_file("a task twice", "duplicate_task", _repeat, "predictions.jsonl", line=13),
    of_file("a task of no test", "unknown_task", _foreign, "predictions.jsonl", line=13),
    of_file("a part of the test", "missing_task", _partial, "predictions.jsonl"),
    of_file("a part of the test of track 2", "missing_task", _partial_execution, "steps.jsonl", seed="phone"),
    of_file("a verdict is missing", "missing_task", lambda parts: parts.verdicts.pop(), "verdicts.jsonl"),
    of_line(
        "an id in full-width digits",
        "confusable",
        lambda line: line.update(task_id=line["task_id"].replace("1", "１")),
        also=["missing_task"],
    ),
    of_line(
        "an id with a Cyrillic letter",
        "confusable",
        lambda line: line.update(task_id=line["task_id"].replace("0", "о")),
        also=["missing_task"],
    ),
)


INPUTS = (
    of_line("more earlier intents than there are", "impossible_history", put(shown_intents=99)),
    of_line("more screens than the run shows", "impossible_history", put(shown_screenshots=3)),
    phone_line(
        "the task itself as reference",
        "target_leaked",
        lambda line: line.update(reference_id=line["task_id"]),
    ),
    phone_line("another reference", "wrong_reference", put(reference_id="1__20250101_000000")),
    phone_line("no reference where one was shown", "wrong_reference", put(reference_id=None)),
    of_line(
        "a reason that tells the person's action",
        "target_leaked",
        put(reason="the recorded action is x"),
        seed="replayed",
    ),
)


EFFORT = (
    of_line("text of no tokens", "impossible_tokens", put(completion_tokens=0)),
    of_line("an answer to nothing", "impossible_tokens", put(prompt_tokens=0)),
    of_line("tokens without a call", "impossible_tokens", put(calls=0)),
    of_line("more tokens than a model takes", "impossible_tokens", put(prompt_tokens=900_000_000)),
    of_line("a million tokens a second", "bad_time", put(time_s=1e-5)),
    of_step("a step's tokens without a call", "impossible_tokens", put_step(0, prompt_tokens=5)),
    points_step("a step's answer in no time", "bad_time", put_step(1, agent_s=0.0)),
    points_step("a step that nobody timed", "bad_time", put_step(1, agent_s=None)),
)


READING = (
    points_step("a screen that no agent can be shown", "wrong_reading", put_step(1, size=[540, 1])),
    of_line("alternatives that nobody asked for", "out_of_range", put(alternatives=[["听歌", 1.0]])),
    of_line(
        "another intent than the output's",
        "wrong_reading",
        put(predicted_intent="打开微信，发消息"),
        also=["wrong_score"],
    ),
    of_line("an intent of a model without output", "missing_output", put(output=""), also=["wrong_score"]),
    of_line("a failed query with its answer", "wrong_reading", put(outcome="failed")),
    of_line(
        "a failed query with an output alone",
        "wrong_reading",
        put(outcome="failed", predicted_intent=""),
        also=["wrong_score", "wrong_verdict"],
    ),
    of_file(
        "every query failed, each with its answer",
        "wrong_reading",
        lambda parts: [task.update(outcome="failed") for task in parts.tasks],
        "predictions.jsonl",
        line=1,
    ),
    of_line(
        "our model's answer read otherwise",
        "wrong_reading",
        put(predicted_intent="打开微信，发消息"),
        seed="ours",
        also=["wrong_score"],
    ),
    of_line(
        "our model's outcome made better",
        "wrong_reading",
        lambda line: line.update(
            outcome="answered, in a way" if line["outcome"] != "answered" else "wrapped"
        ),
        seed="ours",
        also=["wrong_score"],
    ),
    of_line(
        "our baseline made better",
        "wrong_reading",
        put(predicted_intent="打开微信，发消息"),
        seed="habit",
        also=["wrong_score"],
    ),
    of_step(
        "an action in another spelling",
        "wrong_reading",
        lambda steps: steps[0].update(action=f" {steps[0]['action']}"),
    ),
    of_step(
        "what is no action",
        "wrong_reading",
        put_step(0, action="rm -rf /", written="rm -rf /"),
        also=["wrong_score"],
    ),
    of_step(
        "scored is not what was done",
        "wrong_reading",
        lambda steps: steps[0].update(written="press_recent()"),
        also=["wrong_score"],
    ),
    of_step(
        "another point than the output's",
        "wrong_reading",
        lambda steps: _first_touch(steps).update(action="press_home()", written="press_home()"),
        seed="points",
        also=["wrong_score"],
    ),
    of_step(
        "an output that can be read, called unreadable",
        "wrong_reading",
        lambda steps: steps[1].update(action="wait()", written=steps[1]["output"], problem="?"),
        seed="points",
        also=["wrong_score"],
    ),
)
