"""Attacks: attempts of track 2 that cannot have gone so."""

from __future__ import annotations

from typing import Any

from leaderboard import Kind
from tests.leaderboard.forging import FAR, of_line, of_step, put, put_step, together


def _longer(steps: list[dict[str, Any]]) -> None:
    steps[:0] = [dict(steps[0], action="wait()", written="wait()", output="wait()") for _ in range(30)]


STEPS = together(
    [
        of_step(
            "an action on the recorded way, called off it",
            Kind.WRONG_OUTCOME,
            put_step(0, on_trace=False),
            seed="replayed",
        ),
        of_step(
            "a recorded step called right",
            Kind.WRONG_OUTCOME,
            lambda steps: steps[0].update(on_trace=not steps[0]["on_trace"]),
            seed="forced",
        ),
        of_step(
            "a recorded screen of another size",
            Kind.WRONG_OUTCOME,
            put_step(0, size=[10, 10]),
            seed="forced",
        ),
        of_line(
            "kept to the recorded way, called stopped at the limit",
            Kind.IMPOSSIBLE_STEPS,
            put(outcome="truncated"),
            seed="replayed",
            also=[Kind.WRONG_OUTCOME],
        ),
        of_line(
            "a recorded step called one without a screen",
            Kind.WRONG_OUTCOME,
            put(gaps=[0]),
            seed="replayed",
            also=[Kind.WRONG_SCORE, Kind.CONTRADICTION],
        ),
        of_line(
            "a step without a screen on a phone",
            Kind.WRONG_OUTCOME,
            put(gaps=[0]),
            seed="phone",
            also=[Kind.WRONG_SCORE],
        ),
        of_step(
            "an action scored in a spelling that the agent did not write",
            Kind.WRONG_READING,
            lambda steps: steps[0].update(written=steps[0]["written"].replace("(", "(      ")),
            also=[Kind.WRONG_SCORE],
        ),
        of_step("more steps than the limit", Kind.IMPOSSIBLE_STEPS, _longer, also=[Kind.WRONG_SCORE]),
        of_step(
            "no steps at all", Kind.IMPOSSIBLE_STEPS, lambda steps: steps.clear(), also=[Kind.WRONG_SCORE]
        ),
        of_line(
            "truncated too early",
            Kind.IMPOSSIBLE_STEPS,
            put(outcome="truncated"),
            seed="phone",
            also=[Kind.WRONG_OUTCOME],
        ),
        of_step(
            "terminated without finished()",
            Kind.WRONG_OUTCOME,
            lambda steps: steps.pop(),
            also=[Kind.WRONG_SCORE],
        ),
        of_step(
            "steps after finished()",
            Kind.WRONG_OUTCOME,
            lambda steps: steps.append(dict(steps[-1])),
            also=[Kind.WRONG_SCORE],
        ),
        of_step("a denied action was performed", Kind.WRONG_OUTCOME, put_step(0, verdict="deny")),
        of_step("a step that was not performed", Kind.WRONG_OUTCOME, put_step(0, performed=False)),
        of_step("a recorded way on a phone", Kind.WRONG_OUTCOME, put_step(0, on_trace=True)),
        of_line(
            "off the trace on a phone",
            Kind.WRONG_OUTCOME,
            put(outcome="off_trace"),
            seed="phone",
            also=[Kind.WRONG_SCORE],
        ),
        of_line(
            "blocked by nothing",
            Kind.WRONG_OUTCOME,
            put(outcome="blocked"),
            seed="phone",
            also=[Kind.WRONG_SCORE],
        ),
        of_step("steps that go back in time", Kind.BAD_TIME, put_step(1, at="2020-01-01T00:00:00+08:00")),
        of_step("a step in the future", Kind.FUTURE_TIME, put_step(1, at=FAR)),
        of_line("a rule of success on a real phone", Kind.WRONG_SUCCESS, put(success=True), seed="phone"),
        of_line(
            "a rule of success on a recording",
            Kind.WRONG_SUCCESS,
            put(success=True),
            seed="forced",
            also=[Kind.WRONG_SCORE],
        ),
        of_step(
            "success without doing it",
            Kind.WRONG_SUCCESS,
            lambda steps: steps.__delitem__(slice(0, -1)),
            seed="person",
            also=[Kind.WRONG_SCORE],
        ),
        of_line(
            "success denied", Kind.WRONG_SUCCESS, put(success=False), seed="person", also=[Kind.WRONG_SCORE]
        ),
    ]
)
