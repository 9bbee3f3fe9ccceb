"""Attacks: impossible attempts of track 2."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from board.tests.fingertip_leaderboard.forging import FAR, of_line, of_log, of_step, put, put_step


def _longer(steps: list[dict[str, Any]]) -> None:
    steps[:0] = [dict(steps[0], action="wait()", written="wait()", output="wait()") for _ in range(30)]


def _opened_elsewhere(steps: list[dict[str, Any]]) -> None:
    opened = next(step for step in steps if "open_app" in step["output"])
    other = "click(coordinates=(5, 5), content='支付')"
    opened.update(action=other, written=other)


def _of_another(lines: list[dict[str, Any]]) -> None:
    """Replace the first step by that of the second task."""
    task = next(line["task_id"] for line in lines if line["task_id"] != lines[0]["task_id"])
    lines[0]["task_id"] = task


def _end_of_another(lines: list[dict[str, Any]]) -> None:
    first, second = [number for number, line in enumerate(lines) if line["kind"] == "end"][:2]
    lines[first]["task_id"] = lines[second]["task_id"]


def _first_end(**fields: Any) -> Callable[[list[dict[str, Any]]], None]:  # noqa: ANN401 - of any kind
    return lambda lines: next(line for line in lines if line["kind"] == "end").update(fields)


# the same attack builders, from another bundle or with what cannot but follow
scored_phone_line = partial(of_line, seed="phone", also=["wrong_score"])
scored_step = partial(of_step, also=["wrong_score"])
scored_person_step = partial(of_step, seed="person", also=["wrong_score"])
scored_person_line = partial(of_line, seed="person", also=["wrong_score"])
person_step = partial(of_step, seed="person")


FIRST_END = 6
"""Line number of the end of the first attempt on a phone."""

LOG = (
    of_log("a line of no kind", "schema", lambda lines: lines[0].pop("kind"), line=1),
    of_log("a line of another kind", "schema", lambda lines: lines[0].update(kind="x"), line=1),
    of_log("steps out of order", "contradiction", lambda lines: lines.reverse(), line=1),
    of_log("a step that is missing", "contradiction", lambda lines: lines.pop(0), line=1),
    of_log("a step twice", "contradiction", lambda lines: lines.insert(1, lines[0]), line=2),
    of_log("a step of another task", "contradiction", _of_another, line=2),
    of_log("the end of another task", "contradiction", _end_of_another, line=FIRST_END),
    of_log("an end with more steps than there are", "contradiction", _first_end(steps=9), line=FIRST_END),
    of_log("an attempt that was tried again", "contradiction", _first_end(final=False), line=FIRST_END),
    of_log("a rule that says nothing", "contradiction", _first_end(success_by="rule"), line=FIRST_END),
    of_log("an attempt without its end", "contradiction", lambda lines: lines.pop(), line=22),
    of_line(
        "why a phone gave up, with its serial",
        "schema",
        put(reason="adb -s R58M123: device offline"),
        seed="phone",
    ),
)

STEPS = (
    of_step(
        "an action on the recorded way, called off it",
        "wrong_outcome",
        put_step(0, on_trace=False),
        seed="replayed",
    ),
    of_step(
        "a recorded step called right",
        "wrong_outcome",
        lambda steps: steps[0].update(on_trace=not steps[0]["on_trace"]),
        seed="forced",
    ),
    of_step("a recorded screen of another size", "wrong_outcome", put_step(0, size=[10, 10]), seed="forced"),
    of_line(
        "kept to the recorded way, called stopped at the limit",
        "impossible_steps",
        put(outcome="truncated"),
        seed="replayed",
        also=["wrong_outcome"],
    ),
    of_line(
        "a recorded step called one without a screen",
        "wrong_outcome",
        put(gaps=[0]),
        seed="replayed",
        also=["wrong_score", "contradiction"],
    ),
    scored_phone_line("a step without a screen on a phone", "wrong_outcome", put(gaps=[0])),
    scored_step(
        "an action scored in a spelling that the agent did not write",
        "wrong_reading",
        lambda steps: steps[0].update(written=steps[0]["written"].replace("(", "(      ")),
    ),
    scored_step("more steps than the limit", "impossible_steps", _longer),
    scored_step("no steps at all", "impossible_steps", lambda steps: steps.clear()),
    of_line(
        "truncated too early",
        "impossible_steps",
        put(outcome="truncated"),
        seed="phone",
        also=["wrong_outcome"],
    ),
    scored_step("terminated without finished()", "wrong_outcome", lambda steps: steps.pop()),
    scored_step("steps after finished()", "wrong_outcome", lambda steps: steps.append(dict(steps[-1]))),
    of_step("a denied action was performed", "wrong_outcome", put_step(0, verdict="deny")),
    scored_step("a step that was not performed", "wrong_outcome", put_step(0, performed=False)),
    of_step("a recorded way on a phone", "wrong_outcome", put_step(0, on_trace=True)),
    scored_phone_line("off the trace on a phone", "wrong_outcome", put(outcome="off_trace")),
    scored_phone_line("blocked by nothing", "wrong_outcome", put(outcome="blocked")),
    of_step("steps that go back in time", "bad_time", put_step(1, at="2020-01-01T00:00:00+08:00")),
    of_step("a step in the future", "future_time", put_step(1, at=FAR)),
    of_line(
        "a rule of success on a real phone",
        "wrong_success",
        put(success=True, success_by="rule"),
        seed="phone",
    ),
    of_line(
        "a rule of success on a recording",
        "wrong_success",
        put(success=True, success_by="rule"),
        seed="forced",
        also=["wrong_score"],
    ),
    scored_person_step(
        "success without doing it", "wrong_state", lambda steps: steps.__delitem__(slice(0, -1))
    ),
    scored_person_line("success denied", "wrong_success", put(success=False)),
    scored_person_line("success left out", "wrong_success", put(success=None, success_by=None, state=None)),
    of_line(
        "progress without a rule",
        "contradiction",
        put(success=None, success_by=None),
        seed="person",
        also=["wrong_success", "wrong_score"],
    ),
    scored_person_line(
        "progress that the replay does not give",
        "wrong_state",
        lambda line: line["state"].update(conditions=line["state"]["conditions"] + 1),
    ),
    scored_person_line(
        "a side effect that the replay does not give",
        "wrong_state",
        lambda line: line["state"]["side_effects"].append("时钟 a: 1 -> 2"),
    ),
    scored_person_line("progress and side effects left out", "wrong_state", put(state=None)),
    of_line(
        "more conditions met than there are",
        "schema",
        lambda line: line["state"].update(met=line["state"]["conditions"] + 1),
        seed="person",
    ),
    of_line(
        "more side effects than are listed",
        "out_of_range",
        lambda line: line["state"].update(side_effects=["x"] * 101),
        seed="person",
    ),
    scored_person_step(
        "an action put in place of the performed one",
        "wrong_state",
        put_step(0, action="press_recent()", written="press_recent()", output="press_recent()"),
    ),
    scored_person_step(
        "a typed text put in place of the performed action",
        "wrong_state",
        put_step(0, action="type(text='a')", written="type(text='a')", output="type(text='a')"),
    ),
    person_step("a state left out", "wrong_state", put_step(0, state_sha256=None)),
    person_step(
        "the state of another step",
        "wrong_state",
        lambda steps: steps[0].update(state_sha256=steps[-1]["state_sha256"]),
    ),
    person_step("a screen of another size on a simulated phone", "wrong_state", put_step(0, size=[10, 10])),
    of_step("a state of a real phone", "wrong_outcome", put_step(0, state_sha256="0" * 64)),
    of_step(
        "an action scored that was said to be unreadable and not performed",
        "wrong_reading",
        put_step(0, action="wait()", problem="expected an action, got none"),
    ),
    of_step(
        "an app opened by name, and another button touched",
        "wrong_reading",
        _opened_elsewhere,
        seed="points",
        also=["wrong_score"],
    ),
    scored_step(
        "a last action that was not performed, called finished",
        "wrong_outcome",
        put_step(-1, performed=False),
    ),
)
