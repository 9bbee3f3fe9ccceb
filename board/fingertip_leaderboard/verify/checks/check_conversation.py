"""Replay the questions of a run: replies of the simulated person, consents, and what was known unasked.

The person's rule answers each question of a bundle again, in the order of the attempt, from the verifier's
own dataset. Replies that a model or people typed cannot be made again; they are read again by the same rule,
and such a run is on the submitter's word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from execution_runner.environments.dialogue_session import DialogueSession
from execution_runner.environments.simulated import SimulatedSession, simulation_of
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import ExecutionRun, ReplyRecord, StepRecord
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.verify.restored_targets import RestoredExecution
from fingertip_runs.task_answerers import PeopleByRule
from fingertip_runs.typed_answers import TypedAnswers
from simulated_phone.dialogue.conversation import Conversation
from simulated_phone.dialogue.reply import PersonReply
from simulated_phone.dialogue.slots import list_slots
from simulated_phone.dialogue.vague_task import find_task_goal
from simulated_phone.people.simulation import Simulation

GIVEN = ("value", "choice")
"""Kinds of replies that tell a value."""

UNLIKELY = 0.001
"""Chance below which so many right guesses are remarked. Our choice."""

ENOUGH = 3
"""Minimum number of values for a remark."""


@dataclass(slots=True, kw_only=True)
class _RecordedAnswers:
    """Replies that a model or people typed, read again in the order of the questions.

    Args:
        texts: Text of each reply.
        person: Reads what is typed; its `write` gives the next text.
    """

    texts: Sequence[str]
    person: TypedAnswers
    _number: int = field(default=0)

    def answer(self, question: str) -> PersonReply:
        """The reply to the next question; "" is read where the bundle has none."""
        text = self.texts[self._number] if self._number < len(self.texts) else ""
        self._number += 1
        self.person.write = lambda _person, _question: text
        return self.person.answer(question)


def begin_conversation(
    session: SimulatedSession,
    attempt: Attempt,
    task: ExecutionTask,
    simulation: Simulation,
    restored: RestoredExecution,
) -> SimulatedSession | DialogueSession:
    """Put the person who answers beside a replayed phone; the phone alone if nobody answers in the run.

    Args:
        session: The phone, in the task's initial state.
        attempt: The attempt, whose typed replies are read again.
        task: Its task.
        simulation: Setup of the phone, and the goal.
        restored: All tasks of the run, with its instructions.
    """
    instructed = restored.instructed
    if instructed is None or instructed.answered_by is None:
        return session
    person = PeopleByRule(tasks=instructed)(task, simulation)
    if instructed.answered_by == "simulated":
        return DialogueSession(session, session.do, person, simulation)
    typed = TypedAnswers(person=person, profile=task.input.profile.texts, write=lambda _person, _question: "")
    texts = [step.reply.text for step in attempt.steps if step.reply is not None]
    return DialogueSession(session, session.do, _RecordedAnswers(texts=texts, person=typed), simulation)


def make_conversation(
    task: ExecutionTask, simulation: Simulation, restored: RestoredExecution
) -> Conversation | None:
    """Make the conversation of an attached agent, whom the person's rule alone answers; None if nobody does.

    Args:
        task: A task.
        simulation: Setup of its phone, and the goal.
        restored: All tasks of the run, with its instructions.
    """
    instructed = restored.instructed
    if instructed is None or instructed.answered_by is None:
        return None
    return Conversation(PeopleByRule(tasks=instructed)(task, simulation), simulation)


def find_other_reply(ours: ReplyRecord | None, theirs: ReplyRecord | None) -> str:
    """Return how a reply differs from that of the replay, in words; "" if it does not."""
    if ours is None or theirs is None:
        lack = "expected a reply, got none" if theirs is None else "expected no reply, got one"
        return "" if ours is theirs else lack
    # that of a bundle is of a class of its own, which pydantic takes for another record
    expected, got = ours.model_dump(), theirs.model_dump()
    differs = next((name for name in expected if expected[name] != got[name]), None)
    if differs is None:
        return ""
    return f"the person's rule replies with {differs} {expected[differs]!r:.100}, got {got[differs]!r:.100}"


def remark_conversation(
    read: ReadBundle, run: ExecutionRun, restored: RestoredExecution, found: Refusals
) -> None:
    """Add remarks on replies that nobody can make again, and on values that were known without asking.

    Args:
        read: A bundle of track 2 with an attempt for every task.
        run: Its run.
        restored: Its tasks.
        found: Gets the remarks.
    """
    if run.answered_by in ("model", "human"):
        who = "a model" if run.answered_by == "model" else "people"
        found.remark(
            f"questions were answered by {who}: the replies, and what rests on them, are on the submitter's "
            "word"
        )
    if restored.instructed is None:
        return
    chances = list(_list_unheard(read, restored))
    known = sum(right for right, _ in chances)
    expected = sum(chance for _, chance in chances)
    if known >= ENOUGH and _exceeds(known, [chance for _, chance in chances]) < UNLIKELY:
        found.remark(
            f"knew {known} values that only asking tells, of {len(chances)} that nobody told it; guessing "
            f"gives {expected:.1f}: such a run can be made from public targets"
        )


def _list_unheard(read: ReadBundle, restored: RestoredExecution) -> Iterator[tuple[bool, float]]:
    """Of each value that only asking tells and no reply told: whether it was right, and the chance of it."""
    instructed = restored.instructed
    for one in read.executions:
        attempt = one.record
        described = instructed.tasks.get(attempt.end.task_id) if instructed else None
        if described is None or described.says_arguments:
            continue
        wanted = {name for name, source in described.sources.items() if source == "ask"}
        confirmed, heard = _read_replies(attempt.steps)
        left = wanted - heard
        if not left:
            continue
        values = _count_values(simulation_of(restored.simulations, attempt.end.task_id))
        for name in sorted(left):
            yield bool(attempt.end.success) or name in confirmed, 1 / values[name]


def _read_replies(steps: Iterable[StepRecord]) -> tuple[set[str], set[str]]:
    """Slots whose value the agent named rightly before anything was said of them, and those it was told."""
    confirmed: set[str] = set()
    heard: set[str] = set()
    for reply in (step.reply for step in steps):
        if reply is None:
            continue
        if reply.kind == "yes":
            confirmed |= set(reply.slots) - heard
        elif reply.kind in GIVEN or reply.kind == "no":
            # a no leaves fewer values to guess from
            heard |= set(reply.slots) - confirmed
    return confirmed, heard


def _count_values(simulation: Simulation) -> Mapping[str, int]:
    """Name of each slot of a task's goal -> number of its values."""
    _, goal = find_task_goal(simulation)
    seed = simulation.setup.seed
    cases = goal.cases(seed)
    return {slot.name: len({slot.value(case) for case in cases}) for slot in list_slots(goal, seed)}


def _exceeds(least: int, chances: Sequence[float]) -> float:
    """Chance that at least so many of independent events happen."""
    numbers = [1.0]
    for chance in chances:
        numbers = [
            (numbers[count] if count < len(numbers) else 0.0) * (1 - chance)
            + (numbers[count - 1] * chance if count else 0.0)
            for count in range(len(numbers) + 1)
        ]
    return sum(numbers[least:])
