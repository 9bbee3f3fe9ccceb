"""Sessions of finds: order, decisions for equal texts, boxes that raters add, and what surrounds a find."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_privacy import Find, FindKind, FindPlace, decide_finds, read_decisions
from fingertip_privacy.find_context import ReviewedData, open_reviewed_data
from fingertip_privacy.finds import make_find
from fingertip_privacy.review import AddedBox, FindAnnotation, FindSession, select_finds, unfound_screens
from privacy.tests.fingertip_privacy.review.conftest import EPISODE, Reviewed


def session_of(reviewed: Reviewed) -> FindSession:
    finds = select_finds(reviewed.report)
    return FindSession(reviewed.report, open_reviewed_data(reviewed.raw, "raw"), finds)


def test_finds_of_a_screen_come_together_and_equal_texts_are_decided_at_once(reviewed: Reviewed) -> None:
    places = reviewed.finds
    with session_of(reviewed) as session:
        order = session.order("anna")
        screen = [places[place].id for place in (FindPlace.SCREENSHOT, FindPlace.TREE, FindPlace.ACTION)]
        at = order.index(screen[0])
        assert list(order[at : at + 3]) == screen
        assert session.alike(screen[1]) == (screen[1], screen[2])
        assert session.alike(screen[0]) == (screen[0],), "finds without a text are never alike"
        session.add(screen[1], "anna", FindAnnotation(decision="reject", alike=True))
        session.add(screen[0], "anna", FindAnnotation(decision="confirm"))
        session.add(screen[2], "ben", FindAnnotation(decision="confirm"))
        assert session.labelled("anna") == 3
        with pytest.raises(RunError, match="another process"):
            session_of(reviewed)
    stay = [places[place] for place in (FindPlace.SCREENSHOT, FindPlace.ACTION, FindPlace.INTENT)]
    assert [*decide_finds(reviewed.report)] == stay
    with session_of(reviewed) as again:
        assert again.labelled("anna") == 3
        assert again.raters() == ("anna", "ben")
        (pair,) = again.decisions().agreements()
        assert pair.kappa.n == 1


def test_a_box_is_added_in_pixels_of_the_screenshot_and_can_be_taken_back(reviewed: Reviewed) -> None:
    tree, shot = reviewed.finds[FindPlace.TREE], reviewed.finds[FindPlace.SCREENSHOT]
    drawn = AddedBox(kind=FindKind.PLATE, box=(10, 20, 270, 600), text="京A12345")
    with session_of(reviewed) as session:
        added = session.add_box(tree.id, "王 芳", drawn)
        assert (added.file, added.box, added.kind) == (shot.file, drawn.box, FindKind.PLATE)
        assert (added.episode, added.step, added.why) == (shot.episode, 0, "added by 王 芳")
        assert session.added(shot.id, "王 芳") == (added,)
        assert session.added(shot.id, "ben") == (), "nobody sees what others add"
        for box in ((0, 0, 271, 600), (10, 10, 10, 20)):
            with pytest.raises(UsageError, match="within the screenshot of 270 x 600 px"):
                session.add_box(tree.id, "ben", drawn.model_copy(update={"box": box}))
        with pytest.raises(UsageError, match="no screenshot"):
            session.add_box(reviewed.finds[FindPlace.INTENT].id, "ben", drawn)
        with pytest.raises(KeyError):
            session.take_back(added.id, "ben")
        assert session.add_box(shot.id, "ben", drawn).id == added.id, "the same box has the same id"
        session.take_back(added.id, "ben")
        assert session.added(shot.id, "ben") == ()
        assert [one.id for one in session.added(shot.id, "王 芳")] == [added.id]
    assert [*decide_finds(reviewed.report)][-1].id == added.id
    assert stat.S_IMODE((reviewed.report / "decisions.jsonl").stat().st_mode) == 0o600
    with session_of(reviewed) as again:
        again.take_back(added.id, "王 芳")
        assert again.added(shot.id, "王 芳") == ()
    assert [*decide_finds(reviewed.report)] == [*reviewed.finds.values()]
    assert [*read_decisions(reviewed.report / "decisions.jsonl").added] == [added.id]


def test_the_context_of_a_find_is_read_from_a_release_and_from_its_dataset(
    reviewed: Reviewed, tmp_path: Path
) -> None:
    build(reviewed.raw, tmp_path / "dataset", tables=reviewed.raw.parent / "tables")
    in_raw = open_reviewed_data(reviewed.raw, "raw")
    for find in reviewed.finds.values():
        text = in_raw.field_text(find)
        assert text == {"开始": "开始", "回家": "打车回家", "": None}[find.text]
        assert (in_raw.picture(find) is None) == (find.place is FindPlace.INTENT)
    in_dataset = open_reviewed_data(tmp_path / "dataset", "dataset")
    shard = next(str(file.relative_to(tmp_path / "dataset")) for file in shards_of(tmp_path / "dataset"))
    of_raw = in_raw.picture(reviewed.finds[FindPlace.TREE])
    for find in reviewed.finds.values():
        name = "intent" if find.place is FindPlace.INTENT else find.field
        moved = changed(find, file=shard, field=name)
        assert in_dataset.field_text(moved) == in_raw.field_text(find)
        picture = in_dataset.picture(moved)
        assert (picture.content if picture else None) == (of_raw.content if find.step == 0 else None)
    with pytest.raises(UsageError, match="--data"):
        open_reviewed_data(tmp_path / "nowhere", "raw")


def shards_of(dataset: Path) -> list[Path]:
    """Shards with the episode of the finds."""
    import pyarrow.parquet as pq

    episode = EPISODE.replace("/", "__")
    return [
        file
        for file in sorted(dataset.rglob("*.parquet"))
        if "text" not in file.parts
        and episode in pq.read_table(file, columns=["episode_id"]).column(0).to_pylist()
    ]


def changed(find: Find, **parts: object) -> Find:
    return make_find(**find.model_dump(exclude={"id"}) | parts)


def test_what_is_not_at_its_place_any_more_has_no_context(reviewed: Reviewed, tmp_path: Path) -> None:
    data: ReviewedData = open_reviewed_data(reviewed.raw, "raw")
    tree = reviewed.finds[FindPlace.TREE]
    (tmp_path / "secret.jpg").write_bytes(b"\xff\xd8\xff secret")
    for find in (
        changed(tree, start=1, end=3),
        changed(tree, field="0/0@text"),
        changed(tree, file="../../secret.jpg"),
        changed(tree, file=f"{EPISODE}/missing.xml"),
        changed(tree, place=FindPlace.ACTION, field="line 1@content", step=99),
        changed(tree, place=FindPlace.SURVEY, file=f"{EPISODE}/survey_result.json", field="a.b"),
        changed(tree, place=FindPlace.INDEX, file=f"{EPISODE}/survey_result.json", field="line 1@a"),
    ):
        assert data.field_text(find) is None
    outside = changed(reviewed.finds[FindPlace.SCREENSHOT], file="../../secret.jpg")
    assert data.picture(outside) is None, "no path leads out of the release"


def test_a_part_of_the_finds_is_the_same_part_each_time(reviewed: Reviewed) -> None:
    assert [find.kind for find in select_finds(reviewed.report, kinds=[FindKind.FACE])] == [FindKind.FACE]
    assert select_finds(reviewed.report, user="31") == ()
    some = select_finds(reviewed.report, sample=2)
    assert len(some) == 2
    assert some == select_finds(reviewed.report, sample=2)
    with pytest.raises(UsageError, match="nothing to review"):
        FindSession(reviewed.report, open_reviewed_data(reviewed.raw, "raw"), ())


@pytest.mark.parametrize("kind", ["raw", "dataset"])
def test_screens_without_a_find_are_looked_at_and_boxes_are_added(
    reviewed: Reviewed, tmp_path: Path, kind: str
) -> None:
    source = reviewed.raw
    if kind == "dataset":
        source = tmp_path / "dataset"
        build(reviewed.raw, source, tables=reviewed.raw.parent / "tables")
    every = unfound_screens(reviewed.report, source, kind, 1000)  # type: ignore[arg-type]
    assert len({(screen.episode, screen.step) for screen in every}) == len(every) > 10
    first_step = (EPISODE.replace("/", "__"), 0)
    assert first_step not in {(screen.episode, screen.step) for screen in every}
    some = unfound_screens(reviewed.report, source, kind, 2)  # type: ignore[arg-type]
    assert some == every[:2]
    with FindSession(reviewed.report, open_reviewed_data(source, kind), some) as session:
        drawn = AddedBox(kind=FindKind.NAME, box=(1, 2, 20, 30))
        added = session.add_box(some[0].id, "anna", drawn)
        session.add(some[0].id, "anna", FindAnnotation(decision="confirm"))
        session.add(some[1].id, "anna", FindAnnotation(decision="reject"))
        assert (added.episode, added.step) == (some[0].episode, some[0].step)
    assert [*decide_finds(reviewed.report)] == [*reviewed.finds.values(), added]
