"""Open the log of a run of either track: run.json, the lines, and targets.jsonl in one folder."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from fingertip_dataset.errors import RunError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_models.chat.server_facts import find_conflict
from fingertip_runs import run_folder
from fingertip_runs.answer_caches import ANSWER_CACHES
from fingertip_runs.line_log import SAME_CALL, AnyLine, LineLog, ReadLine
from fingertip_runs.run_record import MOST_SOFTWARE, RunRecord, Session
from fingertip_runs.targets import TARGETS, write_targets


def _check_same_server(folder: Path, earlier: Iterable[Session], software: Mapping[str, str]) -> None:
    """Refuse what answers now beside what has answered earlier, which is part of the same scores."""
    for session in earlier:
        if (conflict := find_conflict({"in an earlier call": session.software, "now": software})) is not None:
            raise RunError(f"{conflict}; another run needs another folder", file=folder)


def resume_advice(*, resume: bool) -> str:
    """Advice on how a stopped run goes on: by `resume`, unless the call continues it already.

    >>> resume_advice(resume=True), resume_advice(resume=False)
    ('the same call resumes from here', 'with resume=True it goes on from here')
    """
    return SAME_CALL if resume else "with resume=True it goes on from here"


class RunLog(LineLog[AnyLine]):
    """A run's folder, open for writing by one process at a time. Thread-safe. A context manager.

    Args:
        folder: Created if it is missing; otherwise empty, or of a run of the same identity.
        record: The run, with the session that starts now.
        targets: Target of every task; consumed only if targets.jsonl has to be written.
        file: Name of the file of the lines.
        read: Parses a line.
        finished_task: Id of the task that a line finishes; None if it finishes none.
        reopened_task: Id of the finished task that a line reopens, so that its lines hold no result; None for
            most lines.
        is_result: Whether a line holds something that an agent did, and not only why it failed.
        screens: Name of the folder of what agents saw, which is worthless without a result; None without one.
        resume: Whether a run in the folder is continued; another run is refused there, unless it has no
            result and nothing that is waited for, as after a call that was refused. If not, a folder with a
            line is refused, and one without a line starts again.
        sync: Whether each line is synced to the disk; otherwise the operating system buffers it.

    Attributes:
        folder: Folder of the run.
        lines: Lines that were in the log when it was opened.
        done: Ids of the tasks that these lines finish.
        dropped: Number, from 1, of a truncated last line that was dropped; None if it was complete.

    Raises:
        RunError: The folder holds something else, a run that is not to be continued or another one, or is
            being written by another process.
    """

    def __init__(
        self,
        folder: Path,
        record: RunRecord,
        targets: Iterable[TaskTarget],
        *,
        file: str,
        read: ReadLine[AnyLine],
        finished_task: Callable[[AnyLine], str | None],
        reopened_task: Callable[[AnyLine], str | None] = lambda line: None,
        is_result: Callable[[AnyLine], bool],
        screens: str | None = None,
        resume: bool = True,
        sync: bool = False,
    ) -> None:
        run_folder.check_folder(folder, lines=file, track=record.track)
        super().__init__(folder / file, read, sync=sync, advice=resume_advice(resume=resume))
        self.folder = folder
        self._recording = threading.Lock()
        try:
            if not resume:
                self._start_again()
            # before the lines may be dropped: `finished_task` may count the lines that it gets
            done, has_result = _read_state(self.lines, finished_task, reopened_task, is_result)
            if resume and not has_result:
                self._replace_other(record, file, screens)
            self.done = done if self.lines else frozenset()
            finished = len(self.done) >= record.tasks
            self._record = run_folder.start_run(folder, record, finished=finished)
            if not finished:
                write_targets(folder, targets)
        except BaseException:
            self.close()
            raise

    def record_software(self, agent: object) -> None:
        """Write into the session that goes on what an agent says of the software that answers it.

        Args:
            agent: The agent, which may have a mapping `software`: versions of packages, or what its model's
                server tells, known after the first answer.

        Raises:
            RunError: run.json cannot be written, or a server of another engine or with other weights has
                answered in an earlier session.
        """
        found = getattr(agent, "software", None)
        if not isinstance(found, Mapping) or not found:
            return
        lines = list(found.items())[:MOST_SOFTWARE]
        software = {printable(str(name), 40): printable(str(text), 200) for name, text in lines}
        with self._recording:
            *earlier, session = self._record.sessions
            if session.software != software:
                _check_same_server(self.folder, earlier, software)
                session = session.model_copy(update={"software": software})
                self._record = self._record.model_copy(update={"sessions": (*earlier, session)})
                run_folder.write_json(self.folder / run_folder.RUN, self._record.model_dump(mode="json"))

    def _start_again(self) -> None:
        if self.lines:
            raise RunError("the folder already holds a run: resume=True continues it", file=self.folder)
        # left by a run that was killed before its first line, perhaps with other settings
        self._remove(run_folder.RUN, TARGETS)

    def _replace_other(self, record: RunRecord, file: str, screens: str | None) -> None:
        """Empty the folder of another run that has no result: a call was refused and is now corrected."""
        if not (self.folder / run_folder.RUN).exists():
            return
        earlier = run_folder.read_run(self.folder, type(record))
        if not run_folder.differing_fields(earlier, record):
            return
        own = {run_folder.RUN, TARGETS, file, screens, *ANSWER_CACHES}
        # such as the requests that a provider's batch API is answering, or the answers of people
        if any(path.name not in own and _has_content(path) for path in self.folder.iterdir()):
            return
        self.clear()
        if screens:
            shutil.rmtree(self.folder / screens, ignore_errors=True)
        self._remove(run_folder.RUN, TARGETS)

    def _remove(self, *names: str) -> None:
        for name in names:
            (self.folder / name).unlink(missing_ok=True)


def _read_state(
    lines: Iterable[AnyLine],
    finished_task: Callable[[AnyLine], str | None],
    reopened_task: Callable[[AnyLine], str | None],
    is_result: Callable[[AnyLine], bool],
) -> tuple[frozenset[str], bool]:
    """Read which tasks the lines finish, and whether they hold a result."""
    done, reopened = set[str](), set[str]()
    # tasks of the results; None for a line that finishes no task, such as a step
    results: set[str | None] = set()
    for line in lines:
        again, finished = reopened_task(line), finished_task(line)
        if again is not None:
            done.discard(again)
            reopened.add(again)
        elif finished is not None:
            done.add(finished)
            reopened.discard(finished)
        if is_result(line):
            results.add(finished)
    return frozenset(done), bool(results - reopened)


def _has_content(path: Path) -> bool:
    return path.is_dir() or path.stat().st_size > 0
