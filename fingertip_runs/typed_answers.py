"""A model or people who answer an agent's questions instead of the rule.

Both are shown the person, what they want, and the question; both type a sentence, which is read by rule. What
a model says wrongly, a value of another task, is withheld and counted.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_models.messages import Message
from fingertip_models.model import Model
from fingertip_runs.instructed_tasks import InstructedTasks
from fingertip_runs.task_answerers import PeopleByRule
from simulated_phone.dialogue.named_values import ValueFinder
from simulated_phone.dialogue.person_answers import PersonAnswers
from simulated_phone.dialogue.question_words import read_slot_words
from simulated_phone.dialogue.reply import MAX_QUESTION, PersonReply
from simulated_phone.dialogue.slots import list_slots
from simulated_phone.dialogue.typed_replies import ReplyReader
from simulated_phone.people.simulation import Simulation

Type: TypeAlias = Callable[[str, str], str]
"""Types a reply, given what is known of the person and the task, and the question."""

_TERMINAL = threading.Lock()

LONGEST_REPLY = 500
"""Maximum number of characters of a reply; the rest is left out."""

PROMPTS = MappingProxyType(
    {
        "en": (
            "You are a person with a phone. An assistant carries out what you want, and may ask you "
            "about it.\n"
            "You: {profile}\nYou want: {want}\nExactly:\n{slots}\n"
            "Answer each question in one short sentence, in English, as people talk. Say only what it asks "
            "for. If it asks whether something is right or may be done, begin with yes or no. If it asks "
            'only for what the assistant can know, answer "You know that". If it asks for nothing above, '
            'answer "I don\'t understand".',
            "- {name}: {value}",
            "- {name}: {value} (the assistant can know this)",
        ),
        "zh": (
            "你是一个用手机的人。一个助手替你办事，可能会问你问题。\n"
            "你：{profile}\n你想要：{want}\n具体是：\n{slots}\n"
            "每个问题用一句简短的中文口语回答，只说问到的内容。"
            "如果问的是对不对、可不可以，先回答是或不。"
            "如果只问助手自己能知道的事，回答“你知道的”。"
            "如果问的不是上面的事，回答“没听懂”。",
            "- {name}：{value}",
            "- {name}：{value}（助手能知道）",
        ),
    }
)
"""Language -> description of a person and a task; of a slot that only they know; of one known to both."""


def describe_person(person: PersonAnswers, profile: Sequence[str]) -> str:
    """Describe a person and their task to a model or people who answer for them.

    Args:
        person: The person by rule, with goal, arguments and sources.
        profile: Texts of the profile.
    """
    whole, alone, known = PROMPTS[person.locale]
    slots = list_slots(person.goal, person.seed)
    finder = ValueFinder(slots, (), person.case, person.locale)
    lines = [
        (alone if person.sources.get(slot.name, "ask") == "ask" else known).format(
            name=read_slot_words(slot.name, person.locale).nouns[0],
            value=finder.say_value(slot.name, person.clock),
        )
        for slot in slots
    ]
    want = person.goal.words[0].format_map(person.case)
    return whole.format(profile=", ".join(profile), want=want, slots="\n".join(lines))


@dataclass(slots=True, kw_only=True)
class TypedAnswers:
    """Answers of a model or of people in one attempt; as patient as the person by rule.

    Args:
        person: The person by rule, whose goal, arguments, sources and patience count.
        profile: Texts of the person's profile.
        write: Types a reply.

    Attributes:
        replies: Number of replies that were typed.
        withheld: Those that had a wrong value, and were not given to the agent.
    """

    person: PersonAnswers
    profile: Sequence[str]
    write: Type
    replies: int = 0
    withheld: int = 0
    _reader: ReplyReader = field(init=False)
    _number: int = 0

    def __post_init__(self) -> None:
        person = self.person
        self._reader = ReplyReader(
            goal=person.goal,
            case=person.case,
            sources=person.sources,
            locale=person.locale,
            seed=person.seed,
        )

    @property
    def wrong_share(self) -> float:
        """Share of the replies that had a wrong value, 0 to 1; 0 without replies."""
        return self.withheld / self.replies if self.replies else 0.0

    def answer(self, question: str) -> PersonReply:
        """PersonReply to a question.

        Raises:
            ModelError: The model gives no answer.
            UsageError: Standard input has ended.
        """
        self._number += 1
        if self._number > self.person.patience or not question.strip() or len(question) > MAX_QUESTION:
            # nobody is bothered with these: the rule's own words
            return self._answer_by_rule(question)
        typed = self.write(describe_person(self.person, self.profile), question)[:LONGEST_REPLY]
        self.replies += 1
        found = self._reader.read_reply(question, typed)
        if found.wrong:
            self.withheld += 1
            return self._answer_by_rule("")
        return found.reply

    def _answer_by_rule(self, question: str) -> PersonReply:
        """The rule's reply to what nobody types an answer to."""
        left = self.person.patience - self._number + 1
        return replace(self.person, patience=max(left, 0)).answer(question)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleByTyping:
    """Makes who types the answers of each attempt.

    Args:
        tasks: The tasks with what can be known of them.
        write: Types a reply.

    Attributes:
        answerers: Those that were made, for the share of withheld replies.
    """

    tasks: InstructedTasks
    write: Type
    answerers: list[TypedAnswers] = field(default_factory=list)

    def __call__(self, task: ExecutionTask, simulation: Simulation) -> TypedAnswers:
        """Who answers in a task, before its first question."""
        person = PeopleByRule(tasks=self.tasks)(task, simulation)
        profile = task.input.profile.texts
        made = TypedAnswers(person=person, profile=profile, write=self.write)
        self.answerers.append(made)
        return made

    @property
    def replies(self) -> int:
        """Number of replies so far."""
        return sum(one.replies for one in self.answerers)

    @property
    def wrong_share(self) -> float:
        """Share of all replies so far that had a wrong value, 0 to 1; 0 without replies."""
        return sum(one.withheld for one in self.answerers) / self.replies if self.replies else 0.0


def query_model(model: Model) -> Type:
    """Types what a model answers.

    Args:
        model: Any chat model; the reply is the first line of its answer.
    """

    def write(description: str, question: str) -> str:
        # one message: some models take none of the system
        answer = model.ask((Message(role="user", text=f"{description}\n\n{question}"),))
        return next(iter(answer.text.strip().splitlines()), "")

    return write


def query_terminal(description: str, question: str) -> str:
    """Type what a person at the terminal answers.

    Raises:
        UsageError: Standard input has ended.
    """
    with _TERMINAL:
        lines = (*description.splitlines(), "", question, "> ")
        print(*map(printable, lines), sep="\n", end="", file=sys.stderr, flush=True)  # noqa: T201 - they read it
        line = sys.stdin.readline()
    if not line:
        raise UsageError("standard input has ended before the questions did: answer at a terminal")
    return line.strip()


def measure_agreement(first: Sequence[PersonReply], second: Sequence[PersonReply]) -> float:
    """Share of questions to which two answerers give the same, 0 to 1; 0 without questions.

    Replies are the same if they give the same slots, or say the same of them: yes, no, that the agent knows
    it, or that they do not understand. A choice gives a slot as any value does.

    Raises:
        ValueError: The numbers of replies differ.
    """
    same = [_find_sense(one) == _find_sense(other) for one, other in zip(first, second, strict=True)]
    return sum(same) / len(same) if same else 0.0


def _find_sense(reply: PersonReply) -> tuple[str, frozenset[str]]:
    if reply.kind in ("value", "choice"):
        return "gives", frozenset(reply.slots)
    return reply.kind, frozenset()
