"""Base classes of the formats with one picture of the screen and answers with coordinates on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.open_app import resolve_app
from fingertip_agents.parsing.native_syntax import (
    PastAnswer,
    list_past_answers,
    rewrite_action,
    rewrite_reference,
)
from fingertip_agents.parsing.reading import Prepared, Reading, WrittenAnswer
from fingertip_agents.screens.coordinates import (
    FACTOR,
    MAX_TOKENS,
    MIN_TOKENS,
    ModelFrame,
    fit_picture,
    smart_resize,
)
from fingertip_agents.screens.scale import Scale
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import Action, Finished
from fingertip_dataset.errors import UsageError
from fingertip_dataset.plain_pictures import write_plain
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

_USUAL_SCREEN = (1080, 2400)
NO_STEPS: Mapping[Language, str] = {"zh": "还没有任何步骤。", "en": "None yet."}
"""History of a prompt without any step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureQuestion:
    """Parts of a prompt.

    Attributes:
        intent: The person's intent, in their words.
        task: Text of the task view; the reference's actions are in the agent's own grammar.
        earlier: The agent's answers so far, oldest first; their screenshots have the phone's size.
        frame: Mapping from the model's coordinates to the phone's screen.
        language: Language of the prompt.
        written: Language that the person writes, by its ISO 639 code.
        picture: A PNG or JPEG file's bytes.
    """

    intent: str
    task: str
    earlier: Sequence[PastAnswer]
    frame: ModelFrame
    language: Language
    written: str
    picture: bytes = field(repr=False)

    def numbered_steps(self, step_text: Callable[[str], str], none: Mapping[Language, str]) -> str:
        """A line per earlier step, numbered from 1; `none` without any.

        Args:
            step_text: Converts an output to its text in the prompt.
            none: Text if there is no earlier step, by language.
        """
        steps = [
            f"Step {number}: {prompt_wording.make_data_line(step_text(answer.text), self.language)}"
            for number, answer in enumerate(self.earlier, start=1)
        ]
        return "\n".join(steps) or none[self.language]


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Check a setting of a format.

    Raises:
        UsageError: The value is none of the choices.
    """
    if value not in choices:
        raise UsageError(f"expected {name} {' or '.join(choices)}, got {value!r}")


class PictureFormat(ABC):
    """A prompt with one picture, and answers with points in the model's own frame.

    A subclass defines the frame, the messages, and both directions of its grammar. By default the picture may
    have any size and is scaled down only above `max_pixels`.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled.

    Raises:
        UsageError: `max_pixels` is too small to be legible.
    """

    name: ClassVar[str]
    traits: ClassVar[AgentTraits]
    version: ClassVar[str]
    conversation: ClassVar[bool] = False
    """Whether earlier screens and answers are messages of their own."""
    has_system: ClassVar[bool] = True
    """Whether the prompt has a system message."""
    xml_calls: ClassVar[bool] = False
    """Whether the prompt asks for calls as XML, so that it is no news that an answer has one."""
    pictures_last: ClassVar[bool] = False
    """Whether the picture stands after the text, so that a server can reuse its work on the text."""
    _answer: ClassVar[str] = "{}"
    """An answer around its call, without what no recording has, such as a thought."""
    _thinking: ClassVar[str] = ""
    """Thinking in front of an earlier answer that it was taken out of; "" to repeat answers without it."""

    def __init__(self, *, max_pixels: int | None = None) -> None:
        self._max_pixels = max_pixels
        self._shown(_USUAL_SCREEN)  # refuses a wrong limit now, not at the first task

    @property
    def settings(self) -> Mapping[str, object]:
        """The pixel limit of the picture."""
        return {"max_pixels": self._max_pixels}

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """Prepare the messages for this screen and the reader of the answer.

        Raises:
            InputError: The screenshot has to be scaled and is no picture.
        """
        frame = self._frame(screen.size)
        parse = partial(self._read_on, frame=frame, screen=screen)
        rewrite = partial(rewrite_action, write=partial(self.write, frame=frame), spell=frame.spell)
        native_input = rewrite_reference(task_input, rewrite)
        answer_call = self.write(Finished(content="..."), frame=frame) or prompt_wording.ANSWER_CALL
        question = PictureQuestion(
            intent=task_input.intent,
            task=prompt_wording.make_task_text(native_input, None, language, answer_call=answer_call),
            earlier=tuple(
                self._repeat_thinking(answer)
                for answer in list_past_answers(past, parse, partial(self.answer, frame=frame), frame.spell)
            ),
            frame=frame,
            language=language,
            written=task_input.language,
            picture=self._picture(screen.screenshot, screen.size),
        )
        return Prepared(
            messages=self._messages(question),
            parse=parse,
            write=partial(self.answer, frame=frame),
            values=lambda: prompt_wording.make_prompt_values(
                native_input,
                language,
                answer_call=answer_call,
                history=self._history(question),
                past=[answer.text for answer in question.earlier],
                package=screen.package,
                size=frame.size,
            ),
        )

    def _read_on(self, output: str, *, frame: ModelFrame, screen: ScreenInput) -> Reading:
        return resolve_app(self.read(output, frame=frame), screen)

    @abstractmethod
    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        """Read the actions of an answer; of one that opens an app the home key."""

    @abstractmethod
    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action in this agent's grammar; None if it has no equivalent."""

    def answer(self, actions: Sequence[Action], *, frame: ModelFrame) -> WrittenAnswer | None:
        """Write the answer to a screen from the recorded action on it; see `AnswerWriter`."""
        own = self.write(actions[0], frame=frame)
        return None if own is None else WrittenAnswer(text=self._answer.format(own))

    def _repeat_thinking(self, answer: PastAnswer) -> PastAnswer:
        """The answer with its thinking, if the agent's own code repeats that."""
        if not answer.thought or not self._thinking:
            return answer
        return replace(answer, text=self._thinking.format(answer.thought) + answer.text)

    def _history(self, question: PictureQuestion) -> str:
        """The steps so far in the agent's own form, as one text."""
        return question.numbered_steps(self._step_text, NO_STEPS)

    def _step_text(self, output: str) -> str:
        """Text of an earlier answer in the prompt."""
        return output

    @abstractmethod
    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        """The prompt."""

    @abstractmethod
    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        """The model's units on a screen of that size, device px."""

    def _shown(self, size: tuple[int, int]) -> tuple[int, int]:
        """Width and height of the picture of a screen of that size, px."""
        return Scale.fit(size, max_pixels=self._max_pixels).shown

    def _picture(self, screenshot: bytes, size: tuple[int, int]) -> bytes:
        """The picture of a screenshot of that size, px, as it is sent."""
        shown = self._shown(size)
        return write_plain(screenshot) if shown == size else fit_picture(screenshot, shown)


class ResizedPictureFormat(PictureFormat):
    """A format of Qwen2-VL's successors: coordinates are px of the picture after `smart_resize`.

    The picture is sent in exactly that size, because the size to which a server would scale it is unknown.

    Args:
        max_pixels: Maximum pixels, as set on the model's server; None for the model's own limit.

    Raises:
        UsageError: A limit that is too small for a picture.
    """

    _factor: ClassVar[int] = FACTOR
    _min_tokens: ClassVar[int] = MIN_TOKENS

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=self._shown(size), screen=size)

    def _shown(self, size: tuple[int, int]) -> tuple[int, int]:
        token = self._factor**2
        return smart_resize(
            size,
            factor=self._factor,
            min_pixels=self._min_tokens * token,
            max_pixels=self._max_pixels or MAX_TOKENS * token,
        )

    def _picture(self, screenshot: bytes, size: tuple[int, int]) -> bytes:
        return fit_picture(screenshot, self._shown(size))


class ThousandthsFormat(ResizedPictureFormat):
    """A format of Qwen2-VL's successors with coordinates in thousandths; the picture may have any size.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
    """

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=(1000, 1000), screen=size)

    def _picture(self, screenshot: bytes, size: tuple[int, int]) -> bytes:
        return super()._picture(screenshot, size) if self._max_pixels else screenshot
