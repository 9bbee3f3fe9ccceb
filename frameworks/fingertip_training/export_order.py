"""Order of an export: track, rows, episodes, and what the prompts show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

from execution_runner.execution_records import ReferenceKind
from execution_runner.execution_view import HIDDEN_PARTS, ExecutionView, HiddenPart, MorePart
from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.release.settings import Start
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_dataset.tasks.task import MAX_SCREENSHOTS
from fingertip_dataset.track import TRACK_NUMBER, Track
from fingertip_dataset.ui_tree.screen_description import ScreenForm
from fingertip_models.messages import Language
from suggestion_runner.suggestion_records import Hidden, HistoryLength

if TYPE_CHECKING:
    from fingertip_agents.model_agent import Format
    from fingertip_agents.prompts.prompt_files import PromptFiles

TrainingTrack = Literal["suggestion", "moments", "execution", "joint"]
"""Track of the samples; "moments": track 1 with moments at which nothing is wanted; "joint": tracks 1 and 2,
mixed (A.6.2)."""

RowFormat = Literal["trl", "llama-factory", "ms-swift"]
"""Framework whose rows are written."""

DEFAULT_AGENT = "generalist"

MODEL = "model"
"""The agent of track 1 that queries a model."""

_OF_THE_RUN: Mapping[str, str] = {
    "screenshots": "--screenshots",
    "history": "--history",
    "protocol": "--history-from",
    "without": "--without",
    "prompt_file": "--prompt-file",
    "system_prompt_file": "--system-prompt-file",
}
"""Field -> option of what the prompts of preference pairs have from their month run."""


@dataclass(frozen=True, kw_only=True)
class ExportOrder:
    """Order of an export; the defaults of the prompts are those of `suggest` and `execute`.

    Attributes:
        track: Track of the samples.
        format: Framework whose rows are written.
        agent: Agent of track 2 whose prompts and answers are written; None for "generalist".
        episodes: Number of training episodes, drawn in proportion from the users; None for all.
        users: Ids of the users whose episodes are exported; None for all users.
        exclude_unseen: Whether to train on the filtered training set of table 8.
        validation: Whether to write the split vali as well, at most `episodes` of it.
        seed: Seed of the draw, and of the order of a joint export.
        max_pixels: Maximum pixels of a picture; None for no limit, or the agent's own.
        language: Language of the prompts.
        screenshots: Track 1: number of first screens in the prompt, 0 to 3.
        history: Track 1: earlier intents in the prompt; "relevant" needs a model and is refused.
        protocol: Track 1: episodes that earlier intents may come from; None for the dataset's own.
        without: Hidden parts, of track 1, track 2 or both.
        more: Track 2: parts beyond equation (2) that a prompt shows.
        start: Track 2: where episodes begin, which has to be the dataset's start; None for whichever that is.
        reference: Track 2: whose reference trajectory a prompt shows.
        screen_description: Track 2: form of the list of elements of the agent generalist; None for ours.
        prompt_file: Place of the text of the user message, of track 2 in a joint export; None for ours.
        system_prompt_file: Place of the text of the system message, likewise; None for ours.
        agent_settings: Track 2: settings of the agent's format, each as NAME=VALUE; None for none.
        embed: Whether to write Parquet files that contain the pictures; with "trl" only.
        pairs: With "moments": folders of month runs whose suggestions become preference pairs, with prompts
            as the runs showed them; None for samples with one answer.
        missed: With pairs: whether silence where something was wanted gives a pair, too.

    Raises:
        UsageError: A field is invalid, or two exclude each other.
    """

    # no slots: cached_property needs an instance dictionary
    track: TrainingTrack
    format: RowFormat = "trl"
    agent: str | None = None
    episodes: int | None = None
    users: tuple[str, ...] | None = None
    exclude_unseen: bool = False
    validation: bool = False
    seed: int = 0
    max_pixels: int | None = None
    language: Language = "zh"
    screenshots: int = 0
    history: HistoryLength = "20"
    protocol: HistoryProtocol | None = None
    without: tuple[Hidden | HiddenPart, ...] = ()
    more: tuple[MorePart, ...] = ()
    start: Start | None = None
    reference: ReferenceKind = "same_user"
    screen_description: ScreenForm | None = None
    prompt_file: str | None = None
    system_prompt_file: str | None = None
    agent_settings: tuple[str, ...] | None = None
    embed: bool = False
    pairs: tuple[str, ...] | None = None
    missed: bool = False

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("track", self.track, get_args(TrainingTrack)),
            ("format", self.format, get_args(RowFormat)),
            ("history", self.history, ("20", "all", "none")),
            ("reference", self.reference, ("same_user", "other_type", "none")),
        ):
            if value not in choices:
                raise UsageError(f"expected a {name}, one of {', '.join(choices)}, got {value!r}")
        if self.episodes is not None and self.episodes < 1:
            raise UsageError(f"expected 1 or more episodes, got {self.episodes}")
        if self.users is not None and not self.users:
            raise UsageError("expected one or more users, got none")
        if not 0 <= self.screenshots <= MAX_SCREENSHOTS:
            raise UsageError(f"expected 0 to {MAX_SCREENSHOTS} screenshots, got {self.screenshots}")
        self._check_parts()
        if self.embed and self.format != "trl":
            raise UsageError(f"--embed is for --format trl: {self.format} reads pictures from files")
        self._check_pairs()
        self._check_agent()

    def __getstate__(self) -> dict[str, object]:
        """The fields alone: what is derived from them is made again in another process."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def of_moments(self) -> bool:
        """Whether the samples are of moments, at which a person may want nothing."""
        return self.track == "moments"

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks of the samples."""
        if self.track == "joint":
            return ("suggestion", "execution")
        return ("execution",) if self.track == "execution" else ("suggestion",)

    @property
    def agent_name(self) -> str | None:
        """Name of the agent of track 2; None without track 2."""
        return (self.agent or DEFAULT_AGENT) if "execution" in self.tracks else None

    @property
    def suggestion_without(self) -> tuple[Hidden, ...]:
        """Hidden parts of the prompts of track 1."""
        return tuple(part for part in get_args(Hidden) if part in self.without)

    @property
    def view(self) -> ExecutionView:
        """Parts that the prompts of track 2 show.

        Raises:
            UsageError: A part is shown of what is hidden, or there is no such part to show.
        """
        hidden = tuple(part for part in HIDDEN_PARTS if part in self.without)
        return ExecutionView(more=self.more, without=hidden)

    @cached_property
    def agent_format(self) -> Format | None:
        """Prompt and output format of track 2; None without track 2.

        Raises:
            UsageError: The agent does not accept a setting.
        """
        from fingertip_agents.agent_settings import read_settings
        from fingertip_agents.prompts.prompt_files import PromptFiles
        from fingertip_agents.registry import make_model_format

        if self.agent_name is None:
            return None
        files = PromptFiles.read(self.prompt_file, self.system_prompt_file, "execution") or PromptFiles()
        return make_model_format(
            self.agent_name,
            max_pixels=self._agent_pixels,
            screen_description=self.screen_description,
            given=read_settings(self.agent_settings or ()),
            prompt=files.user,
            system_prompt=files.system,
        )

    @cached_property
    def suggestion_files(self) -> PromptFiles | None:
        """Texts of the user's in place of the prompt of track 1; None for ours.

        Raises:
            UsageError: A file cannot be read, or its text does not show a task.
        """
        from fingertip_agents.prompts.prompt_files import PromptFiles
        from fingertip_agents.suggestion.suggestion_prompt import check_files

        if self.tracks != ("suggestion",):
            return None
        files = PromptFiles.read(self.prompt_file, self.system_prompt_file, "suggestion")
        if files is not None:
            check_files(files, relevant=False)
        return files

    @property
    def with_pictures(self) -> bool:
        """Whether any row can have a picture."""
        from fingertip_agents.registry import sends_pictures

        name = self.agent_name
        return ("suggestion" in self.tracks and self.screenshots > 0) or bool(name and sends_pictures(name))

    @property
    def _agent_pixels(self) -> int | None:
        """The limit of pictures of track 2; in a joint export it may be for the pictures of track 1 alone."""
        from fingertip_agents.registry import sends_pictures

        text_only = self.agent_name is not None and not sends_pictures(self.agent_name)
        return None if text_only and self.track == "joint" else self.max_pixels

    def _check_parts(self) -> None:
        """Refuse parts that the prompts of no track of the export have."""
        parts: dict[Track, tuple[str, ...]] = {"suggestion": get_args(Hidden), "execution": HIDDEN_PARTS}
        known = dict.fromkeys(part for track in self.tracks for part in parts[track])
        unknown = [part for part in self.without if part not in known]
        if unknown:
            raise UsageError(f"expected to hide {', '.join(known)}, got {unknown[0]!r}")
        if self.more and "execution" not in self.tracks:
            raise UsageError("--with needs --track execution or joint")
        self.view  # noqa: B018 - refuses what no prompt can show

    def _check_pairs(self) -> None:
        """Refuse pairs of another track, and options that the runs of the pairs decide."""
        if self.of_moments and self.exclude_unseen:
            raise UsageError(
                "--exclude unseen leaves out episodes, and --track moments has none: give --only-users"
            )
        if self.pairs is None:
            if self.missed:
                raise UsageError("--missed needs --pairs: it adds a kind of preference pairs")
            return
        if not self.pairs:
            raise UsageError("expected one or more folders of month runs, got none")
        if not self.of_moments:
            raise UsageError(
                "--pairs needs --track moments: preference pairs are made of suggestions at moments"
            )
        defaults = {field.name: field.default for field in fields(self)}
        for name, option in _OF_THE_RUN.items():
            if getattr(self, name) != defaults[name]:
                raise UsageError(
                    f"--pairs shows moments as their month run did: leave out {option}, or give it to "
                    "`fingertip suggest --month`"
                )

    def _check_agent(self) -> None:
        from fingertip_agents.registry import agent_names, format_names, is_format
        from fingertip_agents.suggestion.model_suggester import describe_files
        from suggestion_runner.task_view import check_prompt

        name = self.agent_name
        if name is None:
            if self.agent not in (None, MODEL):
                raise UsageError(
                    f"--agent {self.agent} is of track {TRACK_NUMBER['execution']}: leave it out with "
                    f"--track {self.track}, whose prompt is that of the agent model"
                )
            if self.screen_description is not None:
                raise UsageError("--screen-description needs --track execution or joint")
            if self.agent_settings is not None:
                raise UsageError("--set needs --track execution or joint")
            if self.suggestion_files is not None:
                shown = describe_files(self.suggestion_files)
                check_prompt(shown, self.suggestion_without, self.history)
            if self.max_pixels is not None and not self.screenshots and self.pairs is None:
                raise UsageError("--max-pixels needs pictures: give --screenshots 1, 2 or 3")
            return
        if not is_format(name):
            other = name in agent_names()
            if not other:
                raise UnknownNameError("an agent around a model", name, format_names())
            raise UsageError(f"the agent {name} is of track 1: expected one of {', '.join(format_names())}")
        # refuses settings that the format does not accept
        if self.agent_format is not None:
            self.view.check_prompt(self.agent_format.settings)
        if self.format == "llama-factory" and getattr(self.agent_format, "conversation", False):
            raise UsageError(
                f"LLaMA-Factory leaves out rows of several answers, which the agent {name} has: give "
                "--format trl or ms-swift"
            )
