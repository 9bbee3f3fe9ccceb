"""Plants private values into a simulated release: screens, trees, actions, intents, surveys, tables."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image

from fingertip_dataset.episodes import Episode
from fingertip_dataset.errors import UsageError
from fingertip_dataset.pictures import read_picture_size
from fingertip_dataset.release.action_lines import ACTION_FILE
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.surveys import SURVEY_FILE
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_privacy.finds import FindKind, FindPlace
from fingertip_privacy.planted.known_secrets import (
    KnownSecret,
    find_secrets_in_pixels,
    find_secrets_in_text,
    find_secrets_of_episode,
)
from fingertip_privacy.planted.panel import (
    DrawnPanel,
    draw_panel,
    draw_portrait,
    draw_qr_code,
    portraits,
)
from fingertip_privacy.planted.planted_rows import PlantedRow, RowSource
from fingertip_privacy.scan.scanned_texts import (
    INTENT_FIELD,
    Source,
    TextField,
    action_field,
    list_survey_fields,
    list_tree_fields,
    read_json,
)

ROWS, HARMLESS = 5, 2
"""Number of rows with and without a private value on a panel."""


def plant_release(raw: Path, *, seed: int = 0) -> tuple[KnownSecret, ...]:
    """Plant invented private values into every episode of a simulated release, in place.

    Each episode gets a panel on one screen and in its tree, whose action becomes a click on a row; another
    step becomes typing; the intent gets a sentence, and the scenario a value. The tables beside `raw` change
    with the surveys.

    Args:
        raw: Folder of users' folders, as `fingertip sample` writes it.
        seed: Seed of the values.

    Returns:
        Every planted value at every place, then every value of the simulated phones that a tree or its
        screenshot shows.

    Raises:
        UsageError: An episode is not simulated.
        MissingExtraError: A package of the extra `privacy` is not installed.
    """
    release = read_release(raw)
    if release.provenance != "simulated":
        raise UsageError("values are planted into simulated releases only", file=raw)
    planter = _Planter(release.root, seed)
    for episode in release.episodes:
        planter.plant(episode)
    planter.change_tables(raw.parent / "tables")
    # read again: the actions of the planted release
    changed = read_release(raw).episodes
    own = simulate_secrets(release.root, changed)
    planted = {(one.place, one.file, one.field, one.start) for one in planter.secrets}
    return (
        *planter.secrets,
        *(one for one in own if (one.place, one.file, one.field, one.start) not in planted),
    )


class _Planter:
    """Plants values episode by episode and remembers them."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.secrets: list[KnownSecret] = []
        self._rng = random.Random(f"planted release {seed}")  # noqa: S311 - no secret
        self._sources = {language: RowSource(language, seed) for language in ("zh", "en")}
        self._cells: dict[tuple[str, str], dict[str, str]] = {}

    def plant(self, episode: Episode) -> None:
        survey_file = self.root / episode.folder / SURVEY_FILE
        survey = json.loads(survey_file.read_text(encoding="utf-8"))
        language = str(survey["simulation"].get("locale", "zh"))
        source = self._sources[language]
        numbers = [n for n, step in enumerate(episode.steps) if step.screenshot and step.tree]
        lines = (self.root / episode.folder / ACTION_FILE).read_text(encoding="utf-8").splitlines()
        if numbers:
            shown = self._rng.choice(numbers)
            self._plant_screen(episode, shown, source, lines)
            # the last line is finished()
            others = [n for n in range(len(lines) - 1) if n != shown]
            if others:
                self._plant_typing(episode, self._rng.choice(others), source, lines)
        (self.root / episode.folder / ACTION_FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._plant_survey(episode, survey, source)
        survey_file.write_text(json.dumps(survey, ensure_ascii=False), encoding="utf-8")

    def _plant_screen(self, episode: Episode, number: int, source: RowSource, lines: list[str]) -> None:
        step = episode.steps[number]
        if step.screenshot is None or step.tree is None:
            return
        rows = [source.draw(kind) for kind in source.kinds()[:ROWS]]
        rows += [source.draw_harmless() for _ in range(HARMLESS)]
        self._rng.shuffle(rows)
        picture, kind = self._picture()
        shot, tree = self.root / step.screenshot, self.root / step.tree
        panel = draw_panel(shot.read_bytes(), tree.read_bytes(), rows, picture, self._rng)
        shot.write_bytes(panel.screenshot)
        tree.write_bytes(panel.tree)
        self._note_panel(episode, number, panel, kind)
        target = next((one for one in panel.rows if one.row.kind), None)
        if target is not None and number < len(lines) - 1:
            x, y = (target.box[0] + target.box[2]) // 2, (target.box[1] + target.box[3]) // 2
            self._change_line(lines, number, f"click(coordinates=({x}, {y}), content='{target.row.text}')")
            self._note(episode, number, FindPlace.ACTION, f"line {number + 1}@content", target.row)

    def _note_panel(self, episode: Episode, number: int, panel: DrawnPanel, kind: FindKind | None) -> None:
        step = episode.steps[number]
        for one in panel.rows:
            if one.row.kind is None:
                continue
            tree, shot = str(step.tree), str(step.screenshot)
            self._note(episode, number, FindPlace.TREE, f"{one.node}@text", one.row, file=tree, box=one.box)
            self._add(
                episode,
                number,
                FindPlace.SCREENSHOT,
                one.row.kind,
                one.row.value,
                shot,
                box=one.value_box,
                text_area=one.text_area,
            )
        if kind is not None and panel.picture is not None:
            self._add(
                episode, number, FindPlace.SCREENSHOT, kind, "", str(step.screenshot), box=panel.picture
            )

    def _picture(self) -> tuple[Image.Image | None, FindKind | None]:
        choice, side, faces = self._rng.random(), self._rng.randrange(180, 420), portraits()
        if choice < 0.3:
            return draw_qr_code(f"https://u.example/{self._rng.randrange(10**9)}", side), FindKind.QR_CODE
        if choice < 0.6 and faces:
            return draw_portrait(faces[0], side, self._rng), FindKind.FACE
        return None, None

    def _plant_typing(self, episode: Episode, number: int, source: RowSource, lines: list[str]) -> None:
        row = source.draw(source.kinds()[0])
        self._change_line(lines, number, f"type(text='{row.text}')")
        self._note(episode, number, FindPlace.TYPED_TEXT, f"line {number + 1}@text", row)

    def _change_line(self, lines: list[str], number: int, action: str) -> None:
        name = next(iter(json.loads(lines[number])))
        lines[number] = json.dumps({name: action}, ensure_ascii=False)

    def _plant_survey(self, episode: Episode, survey: dict[str, str], source: RowSource) -> None:
        file = f"{episode.folder}/{SURVEY_FILE}"
        row, scenario = source.draw(source.kinds()[0]), source.draw(FindKind.ADDRESS)
        before = survey[INTENT_FIELD] + ("，" if source.language == "zh" else ", ")
        changed = PlantedRow(
            text=before + row.text, kind=row.kind, start=len(before) + row.start, end=len(before) + row.end
        )
        survey[INTENT_FIELD], survey["scenario"] = changed.text, scenario.text
        self._note(episode, None, FindPlace.INTENT, INTENT_FIELD, changed, file=file)
        self._note(episode, None, FindPlace.SURVEY, "scenario", scenario, file=file)
        self._cells[episode.intent.user_id, episode.intent.time] = {
            INTENT_FIELD: changed.text,
            "scenario": scenario.text,
        }

    def _note(
        self,
        episode: Episode,
        step: int | None,
        place: FindPlace,
        field: str,
        row: PlantedRow,
        *,
        file: str | None = None,
        box: tuple[int, int, int, int] | None = None,
    ) -> None:
        """Remember the value of a row in a text."""
        file = file or f"{episode.folder}/{ACTION_FILE}"
        if row.kind is not None:
            self._add(episode, step, place, row.kind, row.value, file, field, (row.start, row.end), box)

    def _add(
        self,
        episode: Episode,
        step: int | None,
        place: FindPlace,
        kind: FindKind,
        value: str,
        file: str,
        field: str = "",
        span: tuple[int, int] | None = None,
        box: tuple[int, int, int, int] | None = None,
        text_area: int | None = None,
    ) -> None:
        self.secrets.append(
            KnownSecret(
                kind=kind,
                value=value,
                user=episode.intent.user_id,
                episode=episode.episode_id,
                step=step,
                place=place,
                file=file,
                field=field,
                start=span[0] if span else None,
                end=span[1] if span else None,
                box=box,
                text_area=text_area,
            )
        )

    def change_tables(self, folder: Path) -> None:
        """Write the changed intents and scenarios into the tables of the release."""
        for file in sorted(folder.glob("*.csv")):
            with file.open(encoding="utf-8-sig", newline="") as stream:
                rows = list(csv.DictReader(stream))
            if not rows or INTENT_FIELD not in rows[0]:
                continue
            for row in rows:
                row.update(self._cells.get((row["user_id"], row["time"]), {}))
            text = io.StringIO()
            writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            file.write_text(text.getvalue(), encoding="utf-8-sig")


def _action_texts(root: Path, episode: Episode) -> Iterator[TextField]:
    file = f"{episode.folder}/{ACTION_FILE}"
    for number, step in enumerate(episode.steps):
        source = Source(user=episode.intent.user_id, episode=episode.episode_id, step=number, file=file)
        text = action_field(step.raw, step.action, f"line {number + 1}", source)
        if text is not None:
            yield text


def simulate_secrets(root: Path, episodes: Sequence[Episode]) -> Iterator[KnownSecret]:
    """Yield the values of the simulated phones that trees, screenshots, actions and intents show.

    Args:
        root: Folder of the release.
        episodes: Its episodes.
    """
    for episode in episodes:
        secrets = find_secrets_of_episode(root, str(episode.folder))
        survey = Source(
            user=episode.intent.user_id,
            episode=episode.episode_id,
            step=None,
            file=f"{episode.folder}/{SURVEY_FILE}",
        )
        content = read_json((root / survey.file).read_bytes()) or {}
        texts: list[TextField] = list(list_survey_fields(content, survey))
        texts += _action_texts(root, episode)
        for text in texts:
            yield from find_secrets_in_text(text, secrets)
        for number, step in enumerate(episode.steps):
            if step.tree is None:
                continue
            tree = parse_tree((root / step.tree).read_bytes())
            source = Source(
                user=episode.intent.user_id, episode=episode.episode_id, step=number, file=step.tree
            )
            shown = [
                one for text in list_tree_fields(tree, source) for one in find_secrets_in_text(text, secrets)
            ]
            yield from shown
            if step.screenshot is not None:
                size = read_picture_size((root / step.screenshot).read_bytes())
                yield from find_secrets_in_pixels(shown, root / step.tree, step.screenshot, size)
