"""Declared properties of an agent: its tracks, whether it is deterministic, how its answers are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fingertip_dataset.track import Track

AnswerForm = Literal["action", "points", "intent", "free"]
"""Form of an agent's raw output.

- "action": the action itself in the release's spelling.
- "points": a text whose actions depend only on it and the screen's size.
- "intent": a text that `read_intent` or `read_distribution` parses.
- "free": anything else, for example element numbers, which cannot be read without their screen.
"""


A_MODEL = "a model: --model NAME (extra models)"
"""What an agent needs that sends its prompts to a model."""

ON_SIMULATED_PHONE = "--device simulated"
"""What an agent needs that looks into the simulated app."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTraits:
    """Properties of an agent that do not depend on its settings; the class attribute `traits` of an agent.

    The verifier, the simulated benchmark and `fingertip demo` read them here, so that a new agent is listed
    only in the registry.

    Attributes:
        tracks: Tracks of the agent.
        deterministic: Whether the same task always gets the same answer: equal runs are then not copies, and
            the verifier may repeat a run.
        answer_form: Form of its raw output.
        baseline: Whether it needs only the dataset, and no model, file or person: experiments and the
            simulated benchmark run it.
        in_demo: Whether `fingertip demo` runs it.
        follows_reference: Track 2: whether it repeats the reference sequence; with another person's reference
            it is then a different baseline.
        only_moments: Track 1: whether all it decides is when to speak, so that it takes moments alone.
        seeded: Whether it draws its answers, so that it takes a seed.
        asks: Track 2: whether it asks where somebody answers, and else does without.
        summary: One-sentence description.
        needs: What it needs besides the dataset, as options, extras and people; "" for nothing.
    """

    tracks: tuple[Track, ...]
    deterministic: bool = False
    answer_form: AnswerForm = "free"
    baseline: bool = False
    in_demo: bool = False
    follows_reference: bool = False
    seeded: bool = False
    only_moments: bool = False
    asks: bool = False
    summary: str = ""
    needs: str = ""

    @property
    def rereadable(self) -> bool:
        """Whether the verifier can parse a raw output again with the same result."""
        return self.answer_form != "free"


def baseline_traits(summary: str, *, in_demo: bool = False, seeded: bool = False) -> AgentTraits:
    """Return the traits of an agent of track 1 that needs only the dataset."""
    return AgentTraits(
        tracks=("suggestion",), deterministic=True, baseline=True, in_demo=in_demo, seeded=seeded,
        summary=summary,
    )  # fmt: skip


def moment_traits(summary: str) -> AgentTraits:
    """Return the traits of an agent of track 1 that needs only the dataset, and takes moments alone."""
    return AgentTraits(
        tracks=("suggestion",), deterministic=True, only_moments=True, summary=summary,
        needs="moments: --split test_moments",
    )  # fmt: skip


def oracle_traits(summary: str, *, asks: bool = False) -> AgentTraits:
    """Return the traits of an agent that looks into the simulated app, and is no baseline."""
    return AgentTraits(
        tracks=("execution",),
        deterministic=True,
        answer_form="action",
        asks=asks,
        summary=summary,
        needs=ON_SIMULATED_PHONE,
    )


def format_traits(summary: str, *, answer_form: AnswerForm = "points") -> AgentTraits:
    """Return the traits of a prompt and output format around a model."""
    return AgentTraits(tracks=("execution",), answer_form=answer_form, summary=summary, needs=A_MODEL)
