"""The error tree of the project.

Every failure that a user can cause is one of these errors. Its text is one line: what is wrong, where (file,
line, episode id), and what to do. A traceback that reaches a user is a bug.

::

    FingerTipError
    ├── UsageError                 the call itself is wrong: an option, a name, a path that does not exist
    │   ├── MissingExtraError      a part that needs an optional install
    │   └── UnknownNameError       a name that is none of those that exist
    ├── InputError                 data that cannot be read as expected
    │   ├── ActionSyntaxError      an action string outside the grammar of the release
    │   ├── AccessibilityTreeError an accessibility tree that cannot be read
    │   ├── ReleaseError           a raw release, or one of its tables, that cannot be read at all
    │   └── DatasetError           a built dataset that is missing, incomplete, or of a newer version
    ├── MetricInputError           predictions and references that do not fit together, or are empty
    ├── ModelError                 a model (embedder, judge, agent) that cannot be loaded or does not answer
    │   └── EndpointError          a model's endpoint that answers nothing, so that a run stops
    │       └── PreflightError     the check before a run failed, so that nothing was asked
    ├── AllTasksFailedError        every task of a call ended in an error
    ├── UnreadableAnswersError     no answer to the first tasks of a run could be read, so that it stops
    ├── RunError                   a run folder that is missing, incomplete, or of another identity
    ├── HubError                   the Hugging Face Hub refuses, or cannot be reached
    └── DeviceError                a phone that cannot be reached, or does not carry out a command
        ├── DeviceNotFoundError    no phone, or none of that serial
        ├── SeveralDevicesError    more than one phone, and none was named
        ├── DeviceUnauthorizedError  the phone has not accepted this computer's key
        ├── DeviceOfflineError     the phone is known but does not answer
        ├── DeviceLockedError      the screen is locked, and only the owner can unlock it
        ├── InputRefusedError      the phone accepts no touches and keys from a computer
        ├── AppStartError          the app of a task does not come up on a phone that answers
        ├── DeviceTimeoutError     a command that exceeded its time limit
        ├── EndlessOutputError     a command that printed more than any answer has
        ├── ConnectionDroppedError the connection ended during a command, which may or may not have run
        ├── TruncatedScreenshotError  a screenshot that arrived incomplete
        ├── BlackFrameError        a screenshot of a protected screen: black but for bars
        ├── NoTreeError            the accessibility tree could not be read
        └── NoFocusError           text was to be typed while no field has the focus
"""

import errno
from collections.abc import Iterable
from pathlib import Path

from fingertip_dataset.similar_names import did_you_mean


class FingerTipError(Exception):
    """Base of every error that a user can cause.

    Args:
        message: One sentence: what is wrong, and what to do.
        file: The file in question.
        line: The line in the file, counted from 1.
        episode_id: The episode in question.
    """

    def __init__(
        self,
        message: str,
        *,
        file: Path | str | None = None,
        line: int | None = None,
        episode_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.episode_id = episode_id

    def __str__(self) -> str:
        places = (("file", self.file), ("line", self.line), ("episode", self.episode_id))
        where = ", ".join(f"{name} {value}" for name, value in places if value is not None)
        text = f"{self.message} ({where})" if where else self.message
        return " ".join(text.split())


class UsageError(FingerTipError):
    """The call itself is wrong: an option, a name, a path that does not exist."""


class MissingExtraError(UsageError):
    """A part that needs an optional install.

    Args:
        package: The package that could not be imported.
        extra: The extra of this project that installs it.
        instead: What works without it, such as another value of an option; "" for nothing.
    """

    def __init__(self, package: str, extra: str, *, instead: str = "") -> None:
        # the metadata of packages are read for this message alone
        from fingertip_dataset.missing_packages import name_distribution, write_install

        other = f"; or {instead}" if instead else ""
        name = name_distribution(package)
        super().__init__(f"the package {name} is not installed: {write_install(name, extra)}{other}")
        self.package = package
        self.extra = extra


class UnknownNameError(UsageError):
    """A name that is none of those that exist; the message lists them, and names the one that was meant.

    Args:
        what: What was named, with its article, such as "an agent".
        name: The wrong name.
        names: All names.
    """

    def __init__(self, what: str, name: str, names: Iterable[str]) -> None:
        self.name, self.names = name, tuple(names)
        listed = ", ".join(self.names)
        super().__init__(f"expected {what}, one of {listed}, got {name!r}{did_you_mean(name, self.names)}")


class InputError(FingerTipError):
    """Data that cannot be read as expected."""


class ActionSyntaxError(InputError, ValueError):
    """An action string outside the grammar of the release."""


class AccessibilityTreeError(InputError):
    """An accessibility tree that cannot be read."""


class ReleaseError(InputError):
    """A raw release, or one of its tables, that cannot be read at all."""


class DatasetError(InputError):
    """A built dataset that is missing, incomplete, or of a newer version."""


class MetricInputError(FingerTipError, ValueError):
    """Predictions and references that do not fit together, or are empty."""


class ModelError(FingerTipError):
    """A model (embedder, judge, agent) that cannot be loaded or does not answer."""


class EndpointError(ModelError):
    """A model's endpoint that answers nothing: not even a small request, or not the preflight of a run."""


class PreflightError(EndpointError):
    """The preflight of a run failed before anything was asked: the call or the server has to be changed."""


class AllTasksFailedError(FingerTipError):
    """Every task of a call ended in an error of the agent or of the phone; the lines of the run are kept."""


class UnreadableAnswersError(FingerTipError):
    """No answer to the first tasks of a run could be read; the same call asks these tasks again."""


class RunError(FingerTipError):
    """A run folder that is missing, incomplete, or of another identity."""


class HubError(FingerTipError):
    """The Hugging Face Hub refuses a request, or cannot be reached."""


class DeviceError(FingerTipError):
    """A phone that cannot be reached, or does not carry out a command."""


class DeviceNotFoundError(DeviceError):
    """No phone, or none of that serial."""


class SeveralDevicesError(DeviceError):
    """More than one phone, and none was named: the program never chooses between phones."""


class DeviceUnauthorizedError(DeviceError):
    """The phone has not accepted this computer's key."""


class DeviceOfflineError(DeviceError):
    """The phone is known but does not answer."""


class DeviceLockedError(DeviceError):
    """The screen is locked by a PIN, a pattern or a face, which only the owner may enter."""


class InputRefusedError(DeviceError):
    """The phone accepts no touches and keys from a computer until a setting of its vendor is enabled."""


class AppStartError(DeviceError):
    """The app of a task does not come up; the phone answers, and can carry out other tasks."""


class DeviceTimeoutError(DeviceError):
    """A command that exceeded its time limit."""


class EndlessOutputError(DeviceError):
    """A command that printed more than any answer has."""


class ConnectionDroppedError(DeviceError):
    """The connection ended during a command, which may or may not have run."""


class TruncatedScreenshotError(DeviceError):
    """A screenshot that arrived incomplete."""


class BlackFrameError(DeviceError):
    """A screenshot of a protected screen: black but for the bars and what other apps draw."""


class NoTreeError(DeviceError):
    """The accessibility tree could not be read."""


class NoFocusError(DeviceError):
    """Text was to be typed while no field has the focus; nothing was done."""


def is_memory_shortage(error: BaseException) -> bool:
    """Whether an error, or one that caused it, says that this computer has no memory left for the call.

    >>> is_memory_shortage(MemoryError()), is_memory_shortage(ValueError("memory"))
    (True, False)
    """
    return any(
        isinstance(cause, MemoryError)
        or getattr(cause, "errno", None) == errno.ENOMEM
        or (isinstance(cause, RuntimeError) and str(cause) == "can't start new thread")
        for cause in list_causes(error)
    )


def list_causes(error: BaseException) -> list[BaseException]:
    """Return an error, its cause, the cause of that, and so on.

    An error that was being handled counts as the cause of one that replaced its message.
    """
    causes = [error]
    # each once: an error that is raised again while it is handled stands among its own causes
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and all(
        cause is not known for known in causes
    ):
        causes.append(cause)
    return causes


NO_MEMORY = (
    "memory ran out, which says nothing of the agent: free some or allow more, then call again with --resume"
)
"""What a call ends with that has no memory left; finished tasks are kept."""
