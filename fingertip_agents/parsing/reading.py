"""Records between a format and its model: the prepared question, and the reading of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fingertip_agents.parsing.rounds import list_first_rounds, split_headings
from fingertip_dataset.actions import Action, Wait, format_action, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_models.messages import Message
from fingertip_models.thinking import split_thinking

MAX_OUTPUT = 100_000
"""Maximum number of characters of an answer."""

LEFT_OUT, COMPLETED, CONVERTED = "left_out", "completed", "converted"
"""Kinds of notes: a part that is not performed, a missing last quote or bracket, a value of another type."""

UNLIKE = "expected an action that the benchmark has, too"
"""Beginning of the problem of a call that is well-formed and has no equivalent."""


ANSWER_NAMES = (
    *("answer", "final_answer", "content", "text", "message", "result", "response", "reply", "output"),
    *("value", "return", "答案", "回答", "结果", "内容"),
)
"""Names of the argument with which models answer in their last call, whatever their own grammar calls it."""


def note_more_calls(count: int) -> tuple[str, ...]:
    """Return the note on calls that are left out, as they are for screens nobody has seen; () for none."""
    return (f"{LEFT_OUT}: {count} more calls, for the next screens",) if count else ()


def is_completed(notes: Iterable[str]) -> bool:
    """Whether notes name a quote or bracket that was missing at the end."""
    return any(note.startswith(COMPLETED) for note in notes)


def drop_left_out(notes: list[str], *names: str) -> None:
    """Drop the notes that these arguments were left out."""
    beginnings = tuple(f"{LEFT_OUT}: {name}=" for name in names)
    notes[:] = [note for note in notes if not note.startswith(beginnings)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An agent's parsed output: its actions, or the problem.

    Attributes:
        actions: Actions in px of the phone's screenshot; empty if there is a `problem`.
        raw: Text of each action as the agent wrote it, if that is the release's syntax in px of the phone's
            screenshot; if empty, the release's spelling of each action is used. The release's protocol scores
            this text.
        problem: Reason why the output cannot be parsed, "expected X, got Y" in one line; None if it can.
        thought: The agent's reasoning, without the action.
        opens: Name of the app that the output opens; "" for none. The only action is then a step on the way
            to it, which depends on the screen; see `open_app`.
        notes: What of the output was left out, completed or converted, each beginning with its kind, such as
            "left_out: ...".
    """

    actions: tuple[Action, ...] = ()
    raw: tuple[str, ...] = ()
    problem: str | None = None
    thought: str = ""
    opens: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenAnswer:
    """An answer in an agent's own format, written from recorded actions.

    Attributes:
        text: The answer. Parts that no recording has (a thought, a summary) are empty or left out.
        actions: Number of recorded actions that it stands for: 2 where the format has one call for a click
            on a field and the text typed into it.
    """

    text: str
    actions: int = 1


AnswerWriter = Callable[[Sequence[Action]], WrittenAnswer | None]
"""Writes the answer to a screen from the recorded action on it and those after it, at least one, in px of the
phone's screenshot; None if the format has no equivalent of the first one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A query to a model, the reader of its answer, and the writer of the right answer.

    Attributes:
        messages: Messages to send, in order.
        parse: Converts the answer without its thinking to actions, with the scale of the screenshot applied;
            raises nothing.
        write: Inverse of `read`, for training data.
        values: Makes the texts for the placeholders of a prompt that replaces ours, by name.
    """

    messages: tuple[Message, ...]
    parse: Callable[[str], Reading]
    write: AnswerWriter
    values: Callable[[], Mapping[str, str]] = dict

    def read(self, output: str) -> Reading:
        """Convert an answer to actions; raises nothing."""
        return read_output(output, self.parse)


def read_output(output: str, parse: Callable[[str], Reading]) -> Reading:
    """Read an answer: its thinking is taken out in any spelling before a format parses the rest."""
    split = split_thinking(output)
    if split.unfinished:
        return Reading(problem="expected an action behind the thought, got none", thought=split.thought)
    draft, text = split_headings(split.text)
    reading = _read_first_round(text, parse)
    notes = (*reading.notes, f"{LEFT_OUT}: what follows the end of the answer") if split.cut_off else ()
    if not split.thought and not draft and not notes:
        return reading
    thought = "\n".join(filter(None, (split.thought, draft, reading.thought)))
    return replace(reading, thought=thought, notes=notes or reading.notes)


def _read_first_round(text: str, parse: Callable[[str], Reading]) -> Reading:
    """Read the first round of an answer if it can be read alone, otherwise the whole answer."""
    for first in list_first_rounds(text):
        reading = parse(first)
        if reading.problem and reading.problem.startswith(UNLIKE):
            return reading
        # a quote without an end: the mark of a round stands within a text
        if not reading.problem and not is_completed(reading.notes):
            note = f"{LEFT_OUT}: further rounds, for the next screens"
            return replace(reading, notes=(*reading.notes, note))
    return parse(text)


def make_messages(
    system: str, user: str, *pictures: bytes, pictures_last: bool = False
) -> tuple[Message, ...]:
    """Return a system message and one of the user with these pictures, before its text or after it."""
    own = Message(role="user", text=user, images=pictures, images_last=pictures_last)
    return Message(role="system", text=system), own


def choose_scored_text(output: str) -> str:
    """The scored text of an output that the agent's format cannot parse, for which `wait()` is performed.

    It is the output, as in the authors' script, unless the output is an action in the release's spelling:
    that action was not performed, so it is not scored either.

    >>> choose_scored_text("I am done"), choose_scored_text("press_home()")
    ('I am done', 'wait()')
    """
    try:
        parse_action(output, can_ask=False)
    except ActionSyntaxError:
        return output
    return format_action(Wait())
