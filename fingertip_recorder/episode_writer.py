"""Writer of episodes in the release's raw layout; each folder appears complete or not at all."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from collections.abc import Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from types import TracebackType

from PIL import Image

from fingertip_dataset.actions import Action, Finished, format_action
from fingertip_dataset.errors import InputError, UsageError
from fingertip_dataset.pictures import FAULTS, convert_picture
from fingertip_dataset.plain_pictures import write_plain
from fingertip_dataset.times import BEIJING, format_time
from fingertip_recorder.collector_tree import release_dialect

JPEG_QUALITY = 85
"""JPEG quality (0-100) of screenshots that are not given as JPEG."""

STEP_MS = 1000
"""Time between two steps whose moments are not given."""

_JPEG = b"\xff\xd8\xff"


class EpisodeWriter:
    """Writes one episode to `RAW/{user_id}/{time}/`, in the layout of the release.

    Files are written to a hidden folder in `raw`, which `finish` moves to its final place. As a context
    manager it removes that folder if the episode is not finished by the end.

    Args:
        raw: Folder of the release; created if needed.
        user_id: Decimal user id.
        moment: Beginning of the episode, with a time zone; its local time, in seconds, names the folder.
        scenario: The person's place, e.g. 住所.
        app: Package name.
        intent: The intent, one sentence.
        provenance: "recorded", "simulated", ...; written to the survey file.
        survey: Further fields of the survey file. A simulated episode has its setup and goal under
            "simulation": see `simulated_phone.people.simulation`.
        zone: Time zone of the release.

    Raises:
        UsageError: The user id is not decimal, the moment has no time zone, the intent is blank, or the
            episode exists already.

    >>> from fingertip_dataset.actions import PressHome
    >>> from fingertip_dataset.times import parse_time
    >>> moment = parse_time("20250310_083000")
    >>> raw = Path(tempfile.mkdtemp())
    >>> with EpisodeWriter(raw, user_id="1", moment=moment, scenario="住所", app="com.android.deskclock",
    ...                    intent="定个闹钟", provenance="recorded") as writer:
    ...     writer.step(Image.new("RGB", (8, 8)), "<hierarchy />", PressHome())
    ...     folder = writer.finish(Image.new("RGB", (8, 8)), "<hierarchy />")
    >>> folder.relative_to(raw).as_posix()
    '1/20250310_083000'
    >>> (folder / "action.jsonl").read_text().splitlines()[0]
    '{"1741566600000.jpg": "press_home()"}'
    """

    def __init__(
        self,
        raw: Path,
        *,
        user_id: str,
        moment: datetime,
        scenario: str,
        app: str,
        intent: str,
        provenance: str,
        survey: Mapping[str, object] | None = None,
        zone: tzinfo = BEIJING,
    ) -> None:
        if not (user_id.isascii() and user_id.isdecimal()):
            raise UsageError(f"expected a number as user, got {user_id!r}")
        if moment.tzinfo is None:
            raise UsageError(f"expected a moment with a time zone, got {moment.isoformat()}")
        if not intent.strip():
            raise UsageError("the intent is empty")
        time = format_time(moment, zone)
        self._target = raw / user_id / time
        if self._target.exists():
            raise UsageError("the episode already exists", file=self._target)
        self._survey = {
            "user_id": user_id,
            "time": time,
            "scenario": scenario,
            "app": app,
            "intentDescription": intent,
            "provenance": provenance,
            **(survey or {}),
        }
        self._begin = round(moment.timestamp() * 1000)
        self._last: int | None = None
        self._lines: list[str] = []
        raw.mkdir(parents=True, exist_ok=True)
        # in `raw`, because a rename works only within one file system
        self._hidden_folder = Path(tempfile.mkdtemp(prefix=".recording-", dir=raw))
        self._folder = self._hidden_folder / time
        self._screens = self._folder / "Screenshots"
        self._screens.mkdir(parents=True)

    @property
    def steps(self) -> int:
        """Number of steps written so far."""
        return len(self._lines)

    def step(
        self,
        screenshot: Image.Image | bytes | None,
        tree: str | None,
        action: Action,
        *,
        moment: datetime | None = None,
    ) -> None:
        """Add an action with the screen before it.

        Args:
            screenshot: A picture, or the bytes of an image file. JPEG bytes are written unchanged, unless
                they have an EXIF orientation or are CMYK; other formats are converted to JPEG.
            tree: Accessibility tree in either dialect; written in the release's dialect.
            action: The action.
            moment: Time of the action, moved after the step before if it is not later; default: `STEP_MS`
                after the step before.

        Raises:
            InputError: The screenshot is not an image, or the tree cannot be parsed.
        """
        name = self._format_stamp(moment)
        if screenshot is not None:
            (self._screens / f"{name}.jpg").write_bytes(_encode_jpeg(screenshot))
        if tree is not None:
            (self._screens / f"tree_{name}.xml").write_text(release_dialect(tree), encoding="utf-8")
        self._lines.append(json.dumps({f"{name}.jpg": format_action(action)}, ensure_ascii=False) + "\n")

    def finish(
        self,
        screenshot: Image.Image | bytes | None = None,
        tree: str | None = None,
        *,
        moment: datetime | None = None,
        answer: str | None = None,
    ) -> Path:
        """Add `finished()` with the last screen, if given, and move the episode to its place.

        Args:
            screenshot: See `step`.
            tree: See `step`.
            moment: See `step`.
            answer: Answer to the question of the intent, if it asks one.

        Returns:
            The episode's folder.

        Raises:
            InputError: The screenshot is not an image, or the tree cannot be parsed.
            UsageError: Another episode of that user and time was written meanwhile.
        """
        self.step(screenshot, tree, Finished(content=answer), moment=moment)
        (self._folder / "action.jsonl").write_text("".join(self._lines), encoding="utf-8")
        survey = json.dumps(self._survey, ensure_ascii=False)
        (self._folder / "survey_result.json").write_text(survey, encoding="utf-8")
        self._target.parent.mkdir(exist_ok=True)
        try:
            # fails if the folder exists and is not empty, so two writers cannot mix an episode
            self._folder.rename(self._target)
        except OSError:
            raise UsageError("the episode already exists", file=self._target) from None
        self._hidden_folder.rmdir()
        return self._target

    def discard(self) -> None:
        """Remove the files of an unfinished episode; a finished one stays."""
        shutil.rmtree(self._hidden_folder, ignore_errors=True)

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.discard()

    def _format_stamp(self, moment: datetime | None) -> int:
        """Epoch milliseconds of a step, which name its files; always later than those of the step before."""
        if moment is not None:
            now = round(moment.timestamp() * 1000)
        else:
            now = self._begin if self._last is None else self._last + STEP_MS
        # two steps within a millisecond would share a file name
        self._last = now if self._last is None else max(now, self._last + 1)
        return self._last


def _encode_jpeg(screenshot: Image.Image | bytes) -> bytes:
    if isinstance(screenshot, bytes):
        if screenshot.startswith(_JPEG):
            return write_plain(screenshot)
        try:
            with Image.open(io.BytesIO(screenshot)) as image:
                upright = convert_picture(image)
        except (*FAULTS, Image.DecompressionBombError) as error:
            raise InputError(f"the screenshot cannot be read: {error}") from None
    else:
        upright = convert_picture(screenshot)
    stream = io.BytesIO()
    upright.save(stream, "JPEG", quality=JPEG_QUALITY)
    return stream.getvalue()
