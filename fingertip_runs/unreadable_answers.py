"""Count the answers of a call that cannot be read, and stop a run whose first tasks gave nothing readable."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from fingertip_dataset.errors import UnreadableAnswersError
from fingertip_dataset.release.problems import printable
from fingertip_models.chat.chat_answer import ALL_IN_REASONING, CALL_IN_XML

FIRST_TASKS = 10
"""Number of tasks that end without a readable answer before a run stops that had no readable one."""

SERVER = "server"
"""Kind of the notes that a model's server causes; they name the server's option to change."""

GENERAL_ADVICE = (
    "read the outputs in steps.jsonl of the run's folder, and choose with --agent the format that the model "
    "was trained for (`fingertip agents --model NAME` names it)"
)
INTENT_ADVICE = (
    "read the outputs in predictions.jsonl of the run's folder: the model answered with something else than "
    "an intent"
)
CUT_ADVICE = "give a larger --max-tokens"
MOST_WORDS = 300
"""Maximum number of characters that a message quotes of a problem."""


@dataclass(slots=True, kw_only=True)
class AnswerCounts:
    """Counts of the answers of one call.

    Attributes:
        answers: Number of answers of a model, cached ones included.
        unreadable: Number of them that could not be read.
        problem: The first problem, in words; "" if every answer was read.
        task_id: Its episode.
        advice: What to do about it.
        noted: Number of answers that were read with notes.
        notes: Kind of note -> number of notes on answers that were read.
    """

    answers: int = 0
    unreadable: int = 0
    problem: str = ""
    task_id: str = ""
    advice: str = ""
    noted: int = 0
    notes: Counter[str] = field(default_factory=Counter)

    def describe_unreadable(self) -> str:
        """Return a sentence on the answers that could not be read; "" if every answer was read.

        >>> counts = AnswerCounts(answers=9, unreadable=2, problem="no call", task_id="1__a")
        >>> counts.describe_unreadable()
        '2 of 9 answers could not be read, first: no call (episode 1__a)'
        """
        if not self.unreadable:
            return ""
        answers = "1 answer" if self.answers == 1 else f"{self.answers:,} answers"
        example = f"first: {self.problem} (episode {self.task_id})"
        words = f"{self.unreadable:,} of {answers} could not be read, {example}"
        return "; ".join(filter(None, (words, self.advice)))

    def describe_notes(self) -> str:
        """Return a phrase on the answers that were read with notes; "" if none was.

        >>> AnswerCounts(noted=2, notes=Counter(left_out=2, completed=1)).describe_notes()
        '2 answers were read with notes (an answer can have several): 2 left_out, 1 completed'
        """
        if not self.noted:
            return ""
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.notes.most_common())
        answers = "1 answer was" if self.noted == 1 else f"{self.noted:,} answers were"
        several = " (an answer can have several)" if self.notes.total() > self.noted else ""
        return f"{answers} read with notes{several}: {kinds}"


class AnswerCounter:
    """Counts answers as a call goes on, and stops it. Thread-safe.

    A task counts as unreadable if it ended, not in an error, and no answer to it could be read. A call stops
    once `FIRST_TASKS` tasks ended so and it had no readable answer. A call of fewer tasks fails at its end,
    unless an earlier call of the run had a readable answer.

    Args:
        keep_going: Whether the run goes on all the same.
        readable_before: Whether an earlier call of the run had a readable answer.
        unreadable_before: Ids of the tasks that earlier calls ended without one; they count if none had any.
        advice: What to do about an answer whose text cannot be read.

    Attributes:
        counts: The counts so far.
    """

    def __init__(
        self,
        *,
        keep_going: bool = False,
        readable_before: bool = False,
        unreadable_before: Collection[str] = (),
        advice: str = GENERAL_ADVICE,
    ) -> None:
        self.counts = AnswerCounts()
        self._advice = advice
        self._keep_going = keep_going
        self._readable_before = readable_before
        self._readable = False
        self._unread: set[str] = set()
        self._ended = set[str]() if readable_before else set(unreadable_before)
        self._lock = threading.Lock()

    @property
    def unreadable_tasks(self) -> frozenset[str]:
        """Ids of the tasks that ended without a readable answer, while the run had none at all."""
        return frozenset() if self._readable else frozenset(self._ended)

    def add(self, task_id: str, *, problem: str | None, notes: Sequence[str] = ()) -> None:
        """Count an answer.

        Args:
            task_id: Its episode.
            problem: Why it cannot be read; None if it can.
            notes: Notes on how it was read, each beginning with its kind and a colon.
        """
        with self._lock:
            counts = self.counts
            counts.answers += 1
            if problem is None:
                self._readable = True
                counts.noted += bool(notes)
                counts.notes.update(note.partition(":")[0] for note in notes)
                return
            counts.unreadable += 1
            self._unread.add(task_id)
            if counts.unreadable == 1:
                counts.problem, counts.task_id = printable(problem, MOST_WORDS), task_id
                counts.advice = advise(problem, notes, self._advice)

    def end_task(self, task_id: str) -> None:
        """Note that a task ended, not in an error, after its answers were counted."""
        with self._lock:
            if task_id in self._unread:
                self._ended.add(task_id)

    def check_first(self) -> None:
        """Check the first tasks.

        Raises:
            UnreadableAnswersError: They gave nothing readable.
        """
        tasks = len(self.unreadable_tasks)
        if tasks >= FIRST_TASKS:
            self._stop(f"no answer to the first {tasks} tasks could be read, and the run stops", "goes on")

    def check_end(self) -> None:
        """Check a call that has ended.

        Raises:
            UnreadableAnswersError: Its tasks, however few, gave nothing readable, and no earlier call did.
        """
        tasks = len(self.unreadable_tasks)
        if tasks and not self._readable_before:
            named = "the only task" if tasks == 1 else f"any of {tasks} tasks"
            self._stop(f"no answer to {named} could be read", "keeps the answers")

    def _stop(self, words: str, otherwise: str) -> None:
        counts = self.counts
        # unreadable tasks of earlier calls are no reason to stop a call that has asked for nothing
        if self._keep_going or not counts.unreadable:
            return
        raise UnreadableAnswersError(
            f"{words}: {counts.problem}; {counts.advice}; the same call asks these tasks again, "
            f"and --keep-going (keep_going=True) {otherwise} all the same",
            episode_id=counts.task_id,
        )


def advise(problem: str, notes: Sequence[str], general: str = GENERAL_ADVICE) -> str:
    """Return what to do about an answer that cannot be read: change the server, the limit, or the format.

    What a server put elsewhere was taken from there: if it is no answer all the same, its option is hardly
    the remedy, and is named last.

    Args:
        problem: Why the answer cannot be read.
        notes: Notes on the answer.
        general: Advice for a text that the model itself has written.

    >>> advise("expected an action, got nothing", ["server: the text is empty: start it otherwise"], "look")
    'the text is empty: start it otherwise'
    """
    found = [note.removeprefix(f"{SERVER}: ") for note in notes if note.startswith(f"{SERVER}: ")]
    # XML is no fault, and needs no change
    found = [note for note in found if note != CALL_IN_XML]
    if found and (ALL_IN_REASONING in found or problem.endswith("got nothing")):
        return found[0]
    if "cut at the limit of tokens" in problem:
        return CUT_ADVICE
    return "; ".join([general, *found])
