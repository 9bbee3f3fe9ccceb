"""Base class of the formats that repeat earlier screens and answers as messages of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from fingertip_agents.formats.picture_format import PictureFormat, PictureQuestion
from fingertip_agents.parsing.native_syntax import PastAnswer
from fingertip_dataset.errors import UsageError
from fingertip_dataset.pictures import read_picture_size


class ConversationFormat(PictureFormat):
    """A format whose prompt is a conversation: screens of the user, answers of the assistant.

    Args:
        max_pixels: Maximum pixels of a picture; None to send screenshots unscaled. Coordinates do not depend
            on it.
        max_pictures: Maximum number of pictures in a prompt, the current one included; None for the number
            that the agent's own code keeps.

    Raises:
        UsageError: A limit that is too small for a picture, or no picture.
    """

    conversation: ClassVar[bool] = True
    own_pictures: ClassVar[int]
    """Number of pictures that the agent's own code keeps in a prompt."""

    def __init__(self, *, max_pixels: int | None = None, max_pictures: int | None = None) -> None:
        if max_pictures is not None and max_pictures < 1:
            raise UsageError(f"expected max_pictures of 1 or more, got {max_pictures}")
        super().__init__(max_pixels=max_pixels)
        self._max_pictures = self.own_pictures if max_pictures is None else max_pictures

    @property
    def settings(self) -> Mapping[str, object]:
        """The pixel limit of a picture, and the number of pictures."""
        return {**super().settings, "max_pictures": self._max_pictures}

    def _list_turns(self, question: PictureQuestion) -> Iterator[tuple[PastAnswer, tuple[bytes, ...]]]:
        """Each earlier answer with the picture of its screen, which older ones have no more."""
        oldest_shown = len(question.earlier) - (self._max_pictures - 1)
        for number, answer in enumerate(question.earlier):
            if answer.screenshot is None or number < oldest_shown:
                yield answer, ()
            else:
                # the phone may have been turned since
                size = read_picture_size(answer.screenshot)
                yield answer, (self._picture(answer.screenshot, size),)
