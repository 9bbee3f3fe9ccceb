"""An attempt in which somebody answers questions, and expects to be asked before what is risky."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeAlias

from execution_runner.devices.device import Observation
from execution_runner.environments.environment import AttemptEnd, EnvironmentSession, RuleResult, StepResult
from execution_runner.environments.simulated import PhoneAccess, SimulatedEnvironment
from execution_runner.execution_records import DialogueRecord, ReplyRecord, StartRecord
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action, Ask
from fingertip_dataset.tasks.task import ExecutionTask
from simulated_phone.dialogue.conversation import Conversation
from simulated_phone.dialogue.reply import Answerer, PersonReply
from simulated_phone.people.simulation import Simulation

MakeAnswerer: TypeAlias = Callable[[ExecutionTask, Simulation], Answerer]
"""Makes who answers the questions of one attempt at a task."""


class DialogueEnvironment:
    """An `Environment` of a simulated phone whose person answers questions.

    Args:
        environment: The phone.
        make_answerer: Makes who answers, for each attempt.
    """

    kind: Literal["simulated"] = "simulated"

    def __init__(self, environment: SimulatedEnvironment, make_answerer: MakeAnswerer) -> None:
        self._environment, self._make_answerer = environment, make_answerer
        self.name, self.faults, self.trees = environment.name, environment.faults, environment.trees

    def begin(self, task: ExecutionTask) -> DialogueSession:
        """As of `SimulatedEnvironment`; nobody remembers the questions of an earlier attempt."""
        session, simulation = self._environment.begin(task), self._environment.find_simulation(task)
        return DialogueSession(session, session.do, self._make_answerer(task, simulation), simulation)

    def restart(self) -> None:
        """Discard the phone and its connection."""
        self._environment.restart()

    def close(self) -> None:
        """Discard the phone and its connection."""
        self._environment.close()


class DialogueSession:
    """An `EnvironmentSession` of a simulated phone whose person answers questions.

    A question is no action of the phone, and ends the attempt only when the person has no patience left. An
    act after a no fails the task, whatever the phone shows at the end.

    Args:
        session: The session of the phone.
        do: Access to the phone itself.
        answerer: Who answers.
        simulation: The phone's setup and the task's goal, whose own ways a yes covers.
    """

    def __init__(
        self, session: EnvironmentSession, do: PhoneAccess, answerer: Answerer, simulation: Simulation
    ) -> None:
        self._session, self._do = session, do
        self._conversation = Conversation(answerer, simulation)
        self._sha256 = ""
        do(self._conversation.begin)

    @property
    def start(self) -> StartRecord | None:
        """Where the attempt began."""
        return self._session.start

    @property
    def gaps(self) -> tuple[int, ...]:
        """Empty: a phone always has a screen."""
        return self._session.gaps

    @property
    def inputs(self) -> bytes:
        """As of the session of the phone."""
        return self._session.inputs

    def before(self) -> tuple[PastStep, ...]:
        """Empty: nothing is done before the first screen."""
        return self._session.before()

    def observe(self) -> Observation:
        """The current screen."""
        return self._session.observe()

    def step(self, action: Action) -> StepResult:
        """Answer a question, or carry out an action and judge what it changed."""
        if isinstance(action, Ask):
            return make_reply_result(self._conversation.reply(action.text))
        done = self._session.step(action)
        if done.performed and not (done.state_sha256 or "") == self._sha256 != "":
            self._sha256 = done.state_sha256 or ""
            self._do(self._conversation.judge)
        return done

    def last_screen(self) -> bytes | None:
        """A screenshot."""
        return self._session.last_screen()

    def evaluate(self) -> RuleResult:
        """Apply the rule of success; after an act after a no the task is not done."""
        return add_dialogue(self._session.evaluate(), self._conversation)


def make_reply_result(reply: PersonReply) -> StepResult:
    """The result of a question: the reply, which ends the attempt if the person has no patience left."""
    record = ReplyRecord(kind=reply.kind, text=reply.text, slots=reply.slots, needless=reply.needless)
    over = AttemptEnd(outcome="out_of_patience") if reply.kind == "out_of_patience" else None
    return StepResult(reply=record, end=over)


def add_dialogue(found: RuleResult, conversation: Conversation) -> RuleResult:
    """The result of a task's rule with the counts of a conversation, by which the task may have failed."""
    replies, consent = conversation.replies, conversation.consent
    record = DialogueRecord(
        questions=len(replies),
        needless=sum(reply.needless for reply in replies),
        not_understood=sum(reply.kind == "not_understood" for reply in replies),
        agreed=consent.agreed,
        unasked=tuple(risky.risk for risky in consent.unasked),
        after_no=len(consent.after_no),
    )
    return replace(found, success=found.success and not consent.failed, dialogue=record)
