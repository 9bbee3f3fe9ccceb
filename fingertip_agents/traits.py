"""What an agent declares of itself: its tracks, whether it is deterministic, how its answers are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Track = Literal["suggestion", "execution"]

AnswerForm = Literal["action", "points", "intent", "free"]
"""What an agent's raw output is.

- "action": the action itself in the release's spelling.
- "points": a text whose actions follow from it and the screen's size alone.
- "intent": a text from which `read_intent` or `read_distribution` takes the intent.
- "free": anything else, for example numbers of elements, which mean nothing without the screen they are on.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTraits:
    """What holds of every run of an agent, whatever its settings; the class attribute `traits` of an agent.

    Whoever has to know this of an agent (the verifier, the simulated benchmark, `fingertip demo`) reads it
    here, so that a new agent has to be entered in no list but the registry's.

    Attributes:
        tracks: Tracks that it takes part in.
        deterministic: Whether the same task always gets the same answer: two equal runs are then no copies,
            and the verifier may repeat one.
        answer_form: How its raw output is read.
        baseline: Whether it needs nothing but the dataset, neither a model nor a file nor a person:
            experiments and the simulated benchmark run it.
        in_demo: Whether `fingertip demo` runs it.
        follows_reference: Track 2: whether it repeats the reference sequence, so that another person's
            reference makes it another baseline.
        summary: What it does, in one sentence.
    """

    tracks: tuple[Track, ...]
    deterministic: bool = False
    answer_form: AnswerForm = "free"
    baseline: bool = False
    in_demo: bool = False
    follows_reference: bool = False
    summary: str = ""

    @property
    def rereadable(self) -> bool:
        """Whether the verifier can read a raw output again and gets the same answer."""
        return self.answer_form != "free"
