"""The text of an answer that is scored: as the agent gave it, or the intent parsed from it.

The authors score the model's output (the release's script reads it verbatim from a CSV). Our reader removes a
code fence, a label or an explanation, which favours the model and gives a different score.

An answer that was cut at the output limit is no answer: it is scored as an empty one.
"""

from __future__ import annotations

from typing import Literal, Protocol, get_args

from fingertip_dataset.errors import UsageError

AnswerText = Literal["raw", "read"]
"""Form of an answer: "raw" as given, trimmed and without reasoning; "read" the parsed intent."""

ANSWER_TEXTS: tuple[AnswerText, ...] = get_args(AnswerText)

DEFAULT: AnswerText = "raw"
"""Default of both protocols: the release scores it, and the paper (5.1) compares "the agent's output"."""


class Answered(Protocol):
    """A line of a run of track 1, or of a bundle."""

    @property
    def predicted_intent(self) -> str:
        """The parsed intent."""

    @property
    def output(self) -> str:
        """The model's output; "" without a model."""

    @property
    def cut(self) -> bool:
        """Whether the output was truncated at the token limit."""


def answer_text(line: Answered, which: AnswerText, *, distribution: bool) -> str:
    """The text of an answer that is scored; "" for none, and for one that was cut at the output limit.

    Args:
        line: Log line of the answer.
        which: "raw" or "read". They are the same for an agent without a model.
        distribution: Whether answers are several intents with probabilities (A.6.5): their JSON is not a
            sentence, so the text is the likeliest intent.

    Raises:
        UsageError: `which` is neither of them.
    """
    if which not in ANSWER_TEXTS:
        raise UsageError(f"expected answers {' or '.join(ANSWER_TEXTS)}, got {which!r}")
    if line.cut:
        return ""
    if which == "read" or distribution:
        return line.predicted_intent
    return line.output.strip() or line.predicted_intent
