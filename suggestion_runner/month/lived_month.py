"""Month of one person as it is lived: each moment is shown with what came before, and answered by rule."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from fingertip_agents.memory.dataset_events import read_events
from fingertip_agents.memory.event import Event
from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import DatasetError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import MOMENT_SPLITS
from fingertip_dataset.tasks.feedback import Feedback, PastOffer
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_dataset.tasks.moments import read_patience
from fingertip_dataset.tasks.task import SuggestionTask
from fingertip_dataset.times import format_time, offset_of
from suggestion_runner.month.offer_reading import OfferReading
from suggestion_runner.month.person_rule import answer_offer, is_rejection
from suggestion_runner.suggestion_records import Hidden, Prediction
from suggestion_runner.suggestion_tasks import hide, remember

if TYPE_CHECKING:
    from fingertip_agents.memory.keeper import MemoryKeeper


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthPerson:
    """Facts of a person by which their month is lived.

    Attributes:
        user_id: The person.
        episodes: What the person does in the month and a memory may know, in the order of time.
        reading: How the person reads a suggestion.
        patience: Number of suggestions that the person rejects on a day.
    """

    user_id: str
    episodes: tuple[Event, ...]
    reading: OfferReading
    patience: int

    def count_earlier(self, moment: datetime) -> int:
        """Number of episodes strictly before a moment."""
        return bisect_left(self.episodes, moment, key=attrgetter("time"))


class MonthPeople:
    """Facts of all people of a dataset, read once.

    Args:
        built: The dataset.
        protocol: Episodes that a memory may know, "online" or "strict".

    Raises:
        UsageError: The dataset has no moments.
        DatasetError: A file is missing, broken, or has changed since the build.
    """

    def __init__(self, built: BuiltDataset, protocol: HistoryProtocol) -> None:
        self._path = built.path
        self._patience = read_patience(built)
        self._episodes = read_events(built, protocol)
        simulations = built.simulations()
        self._own: dict[str, dict[str, Mapping[str, Any]]] = {}
        for split in built.split_names:
            for row in built.rows(split, columns=("episode_id", "user_id", "intent")):
                if row["episode_id"] in simulations:
                    own = self._own.setdefault(row["user_id"], {})
                    own[row["intent"]] = simulations[row["episode_id"]]

    @property
    def user_ids(self) -> tuple[str, ...]:
        """Ids of the people with moments."""
        return tuple(self._patience)

    def read_person(self, user_id: str) -> MonthPerson:
        """Return the facts of a person.

        Raises:
            DatasetError: The dataset does not have them.
        """
        if user_id not in self._patience or user_id not in self._own:
            raise DatasetError(
                f"expected the patience and the simulations of user {user_id}, got none: sample the people "
                "and build the dataset again",
                file=self._path,
            )
        return MonthPerson(
            user_id=user_id,
            episodes=tuple(self._episodes.get(user_id, ())),
            reading=OfferReading(self._own[user_id]),
            patience=self._patience[user_id],
        )


def read_moment_splits(built: BuiltDataset) -> Mapping[str, str]:
    """Read the split of each moment, one of `MOMENT_SPLITS`, by its id.

    Raises:
        UsageError: The dataset has no moments.
        DatasetError: A file has changed since the build.
    """
    return {
        row["episode_id"]: split
        for split in MOMENT_SPLITS
        for row in built.rows(split, columns=("episode_id",))
    }


@dataclass(slots=True, kw_only=True)
class LivedMonth:
    """Month of a person up to the latest moment.

    Attributes:
        person: The person.
        keeper: Memories of the run, which have been given nothing of this person yet; None without memories.
        feedback: Whether the agent and the memory get the person's answers.
        without: Parts of each task that the agent does not see.
    """

    person: MonthPerson
    keeper: MemoryKeeper | None
    feedback: bool
    without: Collection[Hidden] = ()
    _task: SuggestionTask | None = None
    _given: int = 0
    _offers: list[PastOffer] = field(default_factory=list)
    _rejected: list[tuple[date, PastOffer]] = field(default_factory=list)

    def begin_moment(self, task: SuggestionTask) -> None:
        """Go on to a moment: the memory is given what the person did before it.

        Raises:
            DatasetError: The moment is not later than the one before.
        """
        moment = datetime.fromisoformat(task.target.time)
        if self._task is not None and moment <= datetime.fromisoformat(self._task.target.time):
            raise DatasetError(
                f"expected the moments of user {self.person.user_id} in the order of time, got one of "
                f"{task.target.time} after one of {self._task.target.time}: build the dataset again",
                episode_id=task.input.task_id,
            )
        self._task = task
        until = self.person.count_earlier(moment)
        if self.keeper is not None:
            for event in self.person.episodes[self._given : until]:
                self.keeper.observe(event)
        self._given = until

    def show(self, task: SuggestionTask) -> SuggestionTask:
        """Return the task of the moment as the agent gets it.

        Args:
            task: The task of the moment that was begun last, without earlier intents and hidden parts.

        Raises:
            ModelError: The memory failed, or recalled more than its budget allows.
        """
        if self.keeper is not None:
            moment = datetime.fromisoformat(task.target.time)
            task = hide(remember(task, moment, self.keeper), self.without)
        return replace(task, input=replace(task.input, feedback=tuple(self._offers)))

    def answer(self, task: SuggestionTask, line: Prediction) -> Prediction:
        """Return the line of an agent's answer with the person's; both are remembered.

        Args:
            task: The task of the moment that was begun last.
            line: The agent's answer, or the line of a query that failed, which counts as silence.
        """
        text = line.offer
        if not text:
            return line
        moment, reading = datetime.fromisoformat(task.target.time), self.person.reading
        today, intent = moment.date(), task.target.intent
        answer = answer_offer(
            wanted=bool(intent) and reading.states(text, intent),
            own=reading.is_own(text),
            patience=self.person.patience,
            rejected_today=sum(day == today for day, _ in self._rejected),
        )
        repeats = self._find_rejection(text, today)
        self._remember(task, text, moment, answer)
        return line.model_copy(update={"feedback": answer, "repeats": repeats})

    def repeat(self, task: SuggestionTask, line: Prediction) -> None:
        """Remember an answer of an earlier call, with what the person answered to it then.

        Args:
            task: The task of the moment that was begun last.
            line: The agent's answer, as `answer` returned it.
        """
        if line.offer and line.feedback:
            self._remember(task, line.offer, datetime.fromisoformat(task.target.time), line.feedback)

    def end(self) -> None:
        """Let the memory catch up with all that happened until the last moment, and write it.

        Raises:
            RunError: It cannot be written.
            ModelError: The memory failed.
        """
        if self.keeper is not None and self._task is not None:
            moment = datetime.fromisoformat(self._task.target.time)
            self.keeper.catch_up(self.person.user_id, moment, self._task.input)
            self.keeper.save()

    def _find_rejection(self, text: str, today: date) -> Literal["", "not_now", "never"]:
        """How the person rejected the same suggestion before: ever by "never", today by "not now"."""
        found: Literal["", "not_now", "never"] = ""
        for day, offer in self._rejected:
            never = offer.feedback == "never"
            if (never or day == today) and self.person.reading.is_same(text, offer.text):
                if never:
                    return "never"
                found = "not_now"
        return found

    def _remember(self, task: SuggestionTask, text: str, moment: datetime, answer: Feedback) -> None:
        offer = PastOffer(
            time="" if "time" in self.without else task.target.time,
            scenario=task.input.scenario,
            text=text,
            feedback=answer,
        )
        if is_rejection(answer):
            self._rejected.append((moment.date(), offer))
        if not self.feedback:
            return
        self._offers.append(offer)
        if self.keeper is not None:
            place = Intent(
                user_id=self.person.user_id,
                time=format_time(moment),
                scenario=task.input.scenario,
                app="",
                text="",
                offset=offset_of(moment),
            )
            self.keeper.observe(Event(time=moment, kind=answer, intent=place, suggestion=text))
