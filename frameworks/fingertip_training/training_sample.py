"""Training sample: the messages that an agent is sent, and the right answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from fingertip_dataset.track import Track
from fingertip_models.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSample:
    """A prompt exactly as `suggest` or `execute` sends it, and the answer that is right.

    Attributes:
        track: Track of the sample.
        episode_id: Id of the episode that it is made of.
        user_id: Id of the person.
        step: Track 2: number of the step that is answered, from 1. Track 1: 0.
        messages: The prompt, with the pictures that are sent.
        answer: Track 1: the person's intent; at a moment an intent or nothing, as the agent model writes it.
            Track 2: the recorded action in the agent's own format, in px of the picture that is sent, or in
            the agent's own units.
        rejected: Preference pairs: the answer that is worse than `answer`; None for a sample with one answer.
        kind: Preference pairs: the kind of the pair; "" for a sample with one answer.
    """

    track: Track
    episode_id: str
    user_id: str
    step: int
    messages: tuple[Message, ...] = field(repr=False)
    answer: str
    rejected: str | None = None
    kind: str = ""

    @property
    def pictures(self) -> tuple[bytes, ...]:
        """The pictures of all messages, in order."""
        return tuple(image for message in self.messages for image in message.images)

    @property
    def characters(self) -> int:
        """Number of characters of all messages and the answer, of a pair the longer one."""
        return sum(len(message.text) for message in self.messages) + max(map(len, self.answers))

    @property
    def answers(self) -> tuple[str, ...]:
        """The answer, and the worse one of a pair."""
        return (self.answer,) if self.rejected is None else (self.answer, self.rejected)
