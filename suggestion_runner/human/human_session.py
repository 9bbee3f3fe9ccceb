"""People answer the tasks of a run: what each is dealt and shown, and the run that their answers become.

Every answer is a line of rater_answers.jsonl, on the disk before the page goes on. predictions.jsonl is made
from these lines, whole after each answer. Of a task that two raters answered, the answer of the one who
has its first place counts: to whom it was dealt first, or who took it over. As long as that one has not
answered, the other's counts. So the run is an ordinary one: scored, reported and submitted as any other.
"""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from fingertip_agents import suggestion_prompt
from fingertip_agents.suggestion_agent import Suggestion
from fingertip_dataset.episodes import BEIJING
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import DatasetRow, SuggestionInput, SuggestionTask
from fingertip_models.messages import Language
from fingertip_runs import run_folder
from fingertip_runs.raters import rater_name
from suggestion_runner.human.dealing import Dealing
from suggestion_runner.human.rater_answers import ANSWERS, RaterAnswer, RaterJoined, open_answers
from suggestion_runner.predict import predict
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import HUMAN, Prediction
from suggestion_runner.suggestion_tasks import open_tasks
from suggestion_runner.task_view import TaskView

OVERLAP = 0.1
"""Share of the tasks that two raters answer; ours, the paper does not say."""

LANGUAGES: tuple[Language, ...] = ("zh", "en")


class HumanRaters:
    """The agent of such a run, as run.json names it.

    Args:
        overlap: Share of the tasks that two raters answer.
        seed: Of the dealing.
        suggestion: What `suggest` returns; None for an agent that is only named.
    """

    name = HUMAN

    def __init__(self, *, overlap: float, seed: int, suggestion: Suggestion | None = None) -> None:
        self._spoken = suggestion
        self.settings: Mapping[str, object] = MappingProxyType(
            {
                "answered_by": "people on a page",
                "prompt": suggestion_prompt.VERSION,
                "distribution": False,
                "overlap": overlap,
                "dealing_seed": seed,
            }
        )

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """A person's answer to this task, given before.

        Raises:
            UsageError: There is none: people are asked on the page.
        """
        if self._spoken is None:
            raise UsageError("people answer on the page of `fingertip suggest --agent human`, not in a call")
        return self._spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTask:
    """A task as a rater sees it: the very text of the user message that a model gets.

    Attributes:
        known: Profile, time, place, earlier intents, in sections; language -> text.
        question: What is asked; language -> text.
        screens: The first screens, as files; deleted with the session.
    """

    known: Mapping[Language, str]
    question: Mapping[Language, str]
    screens: tuple[Path, ...]


class HumanSession:
    """A run whose tasks people answer, held by this process. A context manager.

    Args:
        dataset: A folder that `fingertip build` wrote.
        out: The run's folder: missing, empty, or of the same run.
        telling: How tasks are told.
        overlap: Share of the tasks that two raters answer, 0-1.
        raters: Who is dealt tasks at once; others may join later.

    Attributes:
        record: run.json.

    Raises:
        UsageError: An argument is not one of those named, or does not fit people.
        DatasetError: The dataset is missing or broken.
        RunError: `out` holds something else, is held by another process, or cannot be written.
    """

    def __init__(
        self,
        dataset: Path,
        out: Path,
        *,
        view: TaskView,
        overlap: float = OVERLAP,
        raters: Sequence[str] = (),
    ) -> None:
        names = sorted({rater_name(rater) for rater in raters})
        self._overlap, self._seed = overlap, view.seed
        built = BuiltDataset.open(dataset)
        record = view.record(dataset, built, HumanRaters(overlap=overlap, seed=view.seed))
        self._out = out
        self._turn = threading.RLock()
        self._shown: dict[str, ShownTask] = {}
        self._tasks: dict[str, tuple[DatasetRow, SuggestionTask]] = {}
        self._answers: dict[tuple[str, str], RaterAnswer] = {}
        run_folder.check_folder(out, lines=ANSWERS)
        with ExitStack() as stack:
            self._log = stack.enter_context(open_answers(out))
            self.record = run_folder.start_run(
                out, record, finished=True
            )  # is it this run? nothing is written
            screens = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fingertip-human-")))
            for row, task in open_tasks(built, self.record, ()):
                self._take_in(row, task, screens)
            self._keys = {
                hashlib.sha256(f"{view.seed}\0{task_id}".encode()).hexdigest()[:16]: task_id
                for task_id in self._tasks
            }
            self._dealing = Dealing(tuple(self._tasks), overlap=overlap, seed=view.seed)
            self._replay()
            if not self.complete:
                self.record = run_folder.start_run(out, record)
            for name in names:
                self.join(name)
            self._write_predictions()
            self._stack = stack.pop_all()

    def __len__(self) -> int:
        return len(self._tasks)

    def __getitem__(self, key: str) -> ShownTask:
        """The task of that key.

        Raises:
            KeyError: There is none.
        """
        return self._shown[self._keys[key]]

    @property
    def complete(self) -> bool:
        """Whether every task has all the answers that it is to have."""
        return self._dealing.complete

    @property
    def open_places(self) -> int:
        """Answers that are still to be given."""
        return self._dealing.open_places

    @property
    def answered_tasks(self) -> int:
        """Tasks with an answer."""
        return len({task_id for task_id, _ in self._answers})

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who has joined."""
        return self._dealing.raters

    def join(self, rater: str) -> None:
        """Deals a rater in; it is on the disk when this returns. One who has joined before goes on.

        Raises:
            RunError: The line could not be written.
        """
        with self._turn:
            if rater not in self._dealing.raters:
                self._log.append(RaterJoined(rater=rater, at=_now()))
                self._dealing.join(rater)

    def answered(self, rater: str) -> tuple[tuple[str, RaterAnswer], ...]:
        """(key, answer) of each task that the rater has answered, in the order in which they first did."""
        with self._turn:
            given = {task_id: answer for (task_id, name), answer in self._answers.items() if name == rater}
        keys = {task_id: key for key, task_id in self._keys.items()}
        return tuple((keys[task_id], answer) for task_id, answer in given.items())

    def open_for(self, rater: str) -> tuple[tuple[str, ...], bool]:
        """Keys of the tasks that the rater is to answer next, in their order, and whether they are their own.

        Their own ones; when these are answered, those of others that are open.
        """
        with self._turn:
            own = self._dealing.own(rater)
            found = own or self._dealing.others(rater)
        keys = {task_id: key for key, task_id in self._keys.items()}
        return tuple(keys[task_id] for task_id in found), bool(own) or not found

    def answer(self, key: str, rater: str, *, text: str, seconds: float, language: Language) -> None:
        """Takes in an answer; it is on the disk when this returns. A later one replaces it.

        Args:
            key: Of the task.
            rater: One who has joined.
            text: The intent; blanks around it are left out, and a line break is a blank.
            seconds: For which the task was in view.
            language: Of the page.

        Raises:
            KeyError: There is no task of that key.
            RunError: The answer could not be written.
        """
        answer = RaterAnswer(
            task_id=self._keys[key],
            rater=rater,
            text=" ".join(text.split()),
            seconds=seconds,
            language=language,
            at=_now(),
        )
        with self._turn:
            self._log.append(answer)
            self._take_answer(answer)
            self._write_predictions()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _take_in(self, row: DatasetRow, task: SuggestionTask, folder: Path) -> None:
        """Keeps what is shown and scored of a task; its screens go into files, for they may be large."""
        task_id = task.input.task_id
        known, question = _texts(task.input)
        screens = []
        for number, picture in enumerate(task.input.screenshots):
            screens.append(folder / f"{len(self._tasks)}_{number}")
            screens[-1].write_bytes(picture)
        self._shown[task_id] = ShownTask(known=known, question=question, screens=tuple(screens))
        # how many there were stays known
        task_input = replace(task.input, screenshots=(b"",) * len(screens), accessibility_trees=())
        kept = {name: cell for name, cell in row.items() if name != "screenshots"}
        self._tasks[task_id] = (kept, replace(task, input=task_input))

    def _replay(self) -> None:
        """Does again, in its order, what rater_answers.jsonl tells."""
        for number, line in enumerate(self._log.lines, start=1):
            if isinstance(line, RaterJoined):
                self._dealing.join(line.rater)
            elif line.task_id in self._tasks:
                self._take_answer(line)
            else:
                raise RunError(
                    "an answer to a task that is not one of this run",
                    file=self._out / ANSWERS,
                    line=number,
                    episode_id=line.task_id,
                )

    def _take_answer(self, answer: RaterAnswer) -> None:
        self._dealing.answer(answer.task_id, answer.rater)
        self._answers[answer.task_id, answer.rater] = answer

    def _write_predictions(self) -> None:
        lines = [self._prediction(counted) for counted in self._counted()]
        content = "".join(line.model_dump_json() + "\n" for line in lines)
        run_folder.write_text(self._out / PREDICTIONS, content)

    def _counted(self) -> list[RaterAnswer]:
        """Of each task with answers the one that counts, in the order of the dataset."""
        found = []
        for task_id in self._tasks:
            given = (self._answers.get((task_id, rater)) for rater in self._dealing.dealt(task_id))
            answer = next((answer for answer in given if answer is not None), None)
            if answer is not None:
                found.append(answer)
        return found

    def _prediction(self, answer: RaterAnswer) -> Prediction:
        suggestion = Suggestion(text=answer.text, seconds=answer.seconds, calls=0)
        people = HumanRaters(overlap=self._overlap, seed=self._seed, suggestion=suggestion)
        return predict(people, *self._tasks[answer.task_id])


def _texts(task_input: SuggestionInput) -> tuple[dict[Language, str], dict[Language, str]]:
    """What a model's user message tells, and the question at its end, in each language."""
    known: dict[Language, str] = {}
    question: dict[Language, str] = {}
    for language in LANGUAGES:
        *_, message = suggestion_prompt.suggestion_messages(task_input, language)
        known[language], _, question[language] = message.text.rpartition("\n\n")
    return known, question


def _now() -> str:
    return datetime.now(BEIJING).isoformat(timespec="milliseconds")
