"""Each defect of a release one by one: its name, its place, and what becomes of the episode."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingertip_dataset.actions import Click, Finished
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import ReleaseError, UsageError
from fingertip_dataset.release.read_release import read_release
from tests.vectors import read_vectors

if TYPE_CHECKING:
    from tests.fingertip_dataset.conftest import RawMaker

VECTORS = read_vectors(__file__)


def test_a_clean_episode(maker: RawMaker) -> None:
    maker.episode()
    check, _ = maker.check()
    assert (check.given, check.kept, check.rejected, check.steps) == (1, 1, 0, 2)
    release = maker.read()
    (episode,) = release.episodes
    assert episode.episode_id == "3__20250310_081530"
    assert (episode.intent.text, episode.intent.scenario, episode.intent.app) == ("买票", "住所", "com.a")
    assert episode.intent.category is None
    assert episode.profile == UserProfile()
    assert episode.folder == Path("3/20250310_081530")
    assert [step.action for step in episode.steps] == [Click(x=5, y=6, content="买票"), Finished()]
    assert episode.steps[0].screenshot == "3/20250310_081530/Screenshots/11.jpg"
    assert episode.steps[0].tree == "3/20250310_081530/Screenshots/tree_11.xml"
    assert (release.provenance, release.tables) == ("recorded", None)
    assert release.root == maker.raw.resolve()


def test_both_layouts_even_of_one_user_in_the_order_of_users_and_times(maker: RawMaker) -> None:
    maker.episode("10", "20250102_000000")
    maker.episode("9", "20250103_000000", folder="9/9/20250103_000000")
    maker.episode("9", "20250101_000000")
    maker.check()
    assert [episode.episode_id for episode in maker.read().episodes] == [
        "9__20250101_000000",
        "9__20250103_000000",
        "10__20250102_000000",
    ]


def test_a_user_folder_without_episodes_is_an_empty_release(maker: RawMaker) -> None:
    (maker.raw / "3").mkdir(parents=True)
    check, _ = maker.check()
    assert (check.given, check.kept) == (0, 0)


@pytest.mark.parametrize(("folder", "user", "time"), VECTORS["unusual_spellings_that_can_mean_one_thing"])
def test_unusual_spellings_that_can_mean_one_thing(
    maker: RawMaker, folder: str, user: str, time: str
) -> None:
    maker.episode(folder=folder)
    _, (problem,) = maker.check(folder_spelling=1)
    assert problem.episode_id == f"{user}__{time}"
    assert maker.read().episodes[0].episode_id == f"{user}__{time}"


def test_users_may_have_names(maker: RawMaker) -> None:
    maker.episode("guest")
    maker.episode("12")
    maker.check()
    assert [episode.intent.user_id for episode in maker.read().episodes] == ["12", "guest"]


@pytest.mark.parametrize(
    "name", ["20251310_081530", "notes", "20250310_0815", "２０２５0310_081530", "20250310_081530x"]
)
def test_a_folder_that_is_no_time_is_rejected(maker: RawMaker, name: str) -> None:
    maker.episode()
    maker.episode(folder=f"3/{name}")
    check, (problem,) = maker.check(bad_folder_name=1)
    assert (check.given, check.kept, check.rejected) == (2, 1, 1)
    assert problem.file == f"3/{name}"


def test_the_same_recording_in_both_layouts_is_one(maker: RawMaker) -> None:
    path = maker.episode()
    shutil.copytree(path, maker.raw / "3/3" / path.name)
    check, (problem,) = maker.check(duplicate_episode=1)
    assert (check.given, check.kept, check.rejected) == (2, 1, 1)
    assert problem.file == "3/3/20250310_081530"
    assert maker.read().episodes[0].folder == Path("3/20250310_081530")


@pytest.mark.parametrize(
    "file", ["survey_result.json", "action.jsonl", "Screenshots/11.jpg", "Screenshots/x.xml"]
)
def test_different_recordings_of_one_time_are_both_rejected(maker: RawMaker, file: str) -> None:
    path = maker.episode()
    copy = maker.raw / "3/3" / path.name
    shutil.copytree(path, copy)
    (copy / file).write_bytes(b"other")
    check, problems = maker.check(conflicting_episodes=2)
    assert (check.given, check.kept, check.rejected) == (2, 0, 2)
    assert {problem.file for problem in problems} == {"3/20250310_081530", "3/3/20250310_081530"}


def test_a_link_to_another_episode_of_the_release_is_followed(maker: RawMaker) -> None:
    path = maker.episode()
    (maker.raw / "3/3").mkdir()
    (maker.raw / "3/3" / path.name).symlink_to(path)
    maker.check(duplicate_episode=1)


def test_an_episode_that_is_a_link_out_of_the_release_is_rejected(maker: RawMaker, tmp_path: Path) -> None:
    maker.episode()
    path = maker.episode("3", "20250311_000000")
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    check, (problem,) = maker.check(episode_outside=1)
    assert (check.given, check.kept, check.rejected) == (2, 1, 1)
    assert (problem.file, problem.episode_id) == ("3/20250311_000000", "3__20250311_000000")


@pytest.mark.parametrize(("file", "expected"), VECTORS["links_out_of_the_release_are_not_followed"])
def test_links_out_of_the_release_are_not_followed(
    maker: RawMaker, tmp_path: Path, file: str, expected: dict[str, int]
) -> None:
    path = maker.episode() / file
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    maker.check(**expected)


def test_a_user_who_is_a_link_out_of_the_release_is_left_out(maker: RawMaker, tmp_path: Path) -> None:
    maker.episode()
    maker.episode("4")
    (maker.raw / "4").rename(tmp_path / "4")
    (maker.raw / "4").symlink_to(tmp_path / "4")
    check, (problem,) = maker.check(link_outside=1)
    assert (check.given, problem.file) == (1, "4")


def test_links_within_the_release_are_followed(maker: RawMaker) -> None:
    path = maker.episode()
    (path / "Screenshots/11.jpg").rename(path / "Screenshots/99.jpg")
    (path / "Screenshots/11.jpg").symlink_to("99.jpg")
    maker.check(unused_screenshot=1)


def test_the_cache_of_the_hub_is_a_release_though_every_file_is_a_link(
    tmp_path: Path, maker: RawMaker
) -> None:
    blobs = tmp_path / "blobs"
    blobs.mkdir()
    maker.raw = tmp_path / "snapshots/abc/raw"
    path = maker.episode()
    for number, file in enumerate([file for file in path.rglob("*") if file.is_file()]):
        file.rename(blobs / str(number))
        file.symlink_to(blobs / str(number))
    check, _ = maker.check()
    assert (check.kept, check.steps) == (1, 2)


def test_hidden_files_are_no_problem_and_unknown_ones_are(maker: RawMaker) -> None:
    path = maker.episode()
    for name in (".DS_Store", "3/.hidden", "README.md", "total.csv.md"):
        (maker.raw / name).write_bytes(b"")
    maker.check()
    for name in ("3.zip", "3/note.txt"):
        (maker.raw / name).write_bytes(b"")
    (maker.raw / "papers").mkdir()
    (path / "video.mp4").write_bytes(b"")
    (path / "Screenshots/notes.txt").write_bytes(b"")
    (path / "Screenshots/more").mkdir()
    check, problems = maker.check(unexpected_file=6)
    assert {problem.file for problem in problems} == {
        "3.zip",
        "3/note.txt",
        "papers",
        "3/20250310_081530/video.mp4",
        "3/20250310_081530/Screenshots/notes.txt",
        "3/20250310_081530/Screenshots/more",
    }
    assert check.kept == 1


# the survey


def test_without_survey_and_table_row_an_episode_is_rejected(maker: RawMaker) -> None:
    (maker.episode() / "survey_result.json").unlink()
    check, (problem,) = maker.check(no_intent=1)
    assert (check.given, check.kept, check.rejected) == (1, 0, 1)
    assert problem.file == "3/20250310_081530/survey_result.json"


@pytest.mark.parametrize(
    "survey",
    [
        b"",
        b"{",
        b"[]",
        b"\x00\x01\xff",
        b'{"intentDescription": "  "}',
        b"1" * 5000,
        b"[" * 100_000,
        b"x" * 300_000,
        b'{"intentDescription": ["a"]}',
    ],
)
def test_a_survey_without_an_intent(maker: RawMaker, survey: bytes) -> None:
    maker.episode(survey=survey)
    maker.check(no_intent=1)
    maker.table("total.csv", maker.row())
    check, (problem,) = maker.check(unreadable_survey=1)
    assert check.kept == 1
    assert problem.file == "3/20250310_081530/survey_result.json"
    assert maker.read().episodes[0].intent.category == "购物"


def test_a_missing_survey_is_mended_from_the_table(maker: RawMaker) -> None:
    (maker.episode() / "survey_result.json").unlink()
    maker.table("train_set.csv", maker.row(text="订酒店"))
    check, _ = maker.check(missing_survey=1, missing_table=5)
    assert (check.kept, maker.read().episodes[0].intent.text) == (1, "订酒店")


@pytest.mark.parametrize("text", [12345, 1.5, True, ["x"], "\u200b", "\u200b\u200d ", "x" * 100_000])
def test_a_survey_whose_intent_is_no_sentence_states_none(maker: RawMaker, text: object) -> None:
    maker.episode(survey=maker.survey(intentDescription=text))
    maker.check(no_intent=1)
    maker.table("total.csv", maker.row(text="订酒店"))
    maker.check(unreadable_survey=1)
    assert maker.read().episodes[0].intent.text == "订酒店"


@pytest.mark.parametrize("year", ["1970", "2007", "2099"])
def test_a_time_that_cannot_be_is_named(maker: RawMaker, year: str) -> None:
    maker.episode(folder=f"3/{year}0310_081530", survey=maker.survey(time=f"{year}0310_081530"))
    maker.check(impossible_time=1)


def test_coordinates_in_full_width_digits_are_named(maker: RawMaker) -> None:
    text = "click(coordinates=(３, ４), content='５')"
    maker.episode(lines=[{"11.jpg": text}, {"12.jpg": "finished()"}])
    maker.check(action_spelling=1)


@pytest.mark.parametrize(
    "changes", [{"user_id": "4"}, {"time": "20250310_081531"}, {"user_id": ""}, {"time": "soon"}]
)
def test_the_folder_takes_precedence_over_the_survey(maker: RawMaker, changes: dict[str, object]) -> None:
    maker.episode(survey=maker.survey(**changes))
    maker.check(survey_against_folder=1)
    assert maker.read().episodes[0].episode_id == "3__20250310_081530"


@pytest.mark.parametrize(
    "changes", [{"user_id": 3}, {"user_id": " 03"}, {"time": "2025-03-10 08:15:30"}, {"time": 20250310081530}]
)
def test_spellings_in_the_survey_that_can_mean_one_thing(maker: RawMaker, changes: dict[str, object]) -> None:
    maker.episode(survey=maker.survey(**changes))
    maker.check()


@pytest.mark.parametrize(("changes", "fields"), VECTORS["the_table_takes_precedence_over_the_survey"])
def test_the_table_takes_precedence_over_the_survey(
    maker: RawMaker, changes: dict[str, object], fields: int
) -> None:
    maker.episode(survey=maker.survey(**changes))
    maker.table("total.csv", maker.row())
    maker.check(**({"survey_against_table": fields} if fields else {}))
    intent = maker.read().episodes[0].intent
    assert (intent.text, intent.scenario, intent.app, intent.category) == ("买票", "住所", "com.a", "购物")


def test_empty_table_fields_are_filled_from_the_survey(maker: RawMaker) -> None:
    maker.episode()
    maker.table("total.csv", maker.row(scenario=""))
    maker.check()
    assert maker.read().episodes[0].intent.scenario == "住所"


def test_a_missing_scenario_is_a_problem(maker: RawMaker) -> None:
    survey = maker.survey(scenario=None)
    del survey["app"]
    maker.episode(survey=survey)
    maker.check(empty_field=2)


def test_the_survey_may_have_a_bom_and_other_names_and_says_where_it_comes_from(maker: RawMaker) -> None:
    output = {
        "userId": "3",
        "Time": "20250310_081530",
        "scenario": "a",
        "app": "b",
        "intent_description": "c",
    }
    data = json.dumps({**output, "provenance": "sample"}).encode()
    maker.episode(survey=b"\xef\xbb\xbf" + data)
    maker.episode("4", survey=maker.survey("4", provenance="simulated"))
    maker.check()
    assert maker.read().provenance == "sample+simulated"


@pytest.mark.parametrize("survey", [rb'"\ud83d"', b'"\xff"'])
def test_text_that_is_no_utf8_is_mended(maker: RawMaker, survey: bytes) -> None:
    whole = json.dumps(maker.survey()).encode().replace(b'"com.a"', survey)
    maker.episode(survey=whole)
    maker.check(broken_text=1)
    assert maker.read().episodes[0].intent.app == "\ufffd"


# action.jsonl


@pytest.mark.parametrize("lines", [b"", b"\n\r\n\n", b"\xef\xbb\xbf", None])
def test_without_actions_the_screenshots_are_the_steps(maker: RawMaker, lines: bytes | None) -> None:
    path = maker.episode(lines=lines or b"", images={"9.jpg": maker.jpeg, "10.jpg": maker.jpeg})
    if lines is None:
        (path / "action.jsonl").unlink()
    _, problems = maker.check(missing_actions=1, missing_tree=2, unused_tree=2)
    steps = maker.read().episodes[0].steps
    assert [(step.raw, step.action) for step in steps] == [("", None)] * 2
    assert [step.screenshot and step.screenshot[-5:] for step in steps] == ["9.jpg".rjust(5, "/"), "0.jpg"]
    assert problems[0].file == "3/20250310_081530/action.jsonl"


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b'"click()"',
        b"{}",
        b'{"a.jpg": "wait()", "a.jpg": "wait()"}',
        b'{"a.jpg": 5}',
        b'[["a.jpg", "wait()"]]',
        b"\x00\x01\xfe",
        b'{"a.jpg": "wait()"',
        b"9" * 5000,
        b'{"a": "' + b"x" * 70_000 + b'"}',
    ],
)
def test_a_line_that_is_no_pair_keeps_its_place_and_text(maker: RawMaker, line: bytes) -> None:
    first, last = b'{"11.jpg": "wait()"}\n', b'\n{"12.jpg": "finished()"}\n'
    maker.episode(lines=first + line + last)
    broken = {"broken_text": 1} if b"\xfe" in line else {}
    _, problems = maker.check(unreadable_action_line=1, missing_screenshot=1, missing_tree=1, **broken)
    assert {(problem.file, problem.line) for problem in problems} == {("3/20250310_081530/action.jsonl", 2)}
    steps = maker.read().episodes[0].steps
    assert [step.action is None for step in steps] == [False, True, False]
    assert steps[1].raw == line.decode(errors="replace")[:2000]


@pytest.mark.parametrize(
    "raw", ["input(text='x')", "", "click(coordinates=(1, 2)", "click('" + "a" * 300 + "\x1b[2J", "\x00"]
)
def test_an_action_outside_the_grammar_keeps_its_place_and_text(maker: RawMaker, raw: str) -> None:
    maker.episode(lines=[{"11.jpg": raw}, {"12.jpg": "finished()"}])
    _, (problem,) = maker.check(unparsable_action=1)
    assert (problem.line, problem.file) == (1, "3/20250310_081530/action.jsonl")
    assert problem.detail.startswith("expected ")
    assert problem.detail.isprintable()
    step = maker.read().episodes[0].steps[0]
    assert (step.raw, step.action) == (raw, None)


def test_empty_lines_are_skipped_and_other_line_ends_read(maker: RawMaker) -> None:
    maker.episode(lines=b'\xef\xbb\xbf\r\n{"11.jpg": "wait()"}\r\n\r\n\n{"12.jpg": "bad"}')
    _, (problem,) = maker.check(unparsable_action=1)
    assert problem.line == 5
    assert len(maker.read().episodes[0].steps) == 2


def test_a_lone_surrogate_in_an_action_is_replaced(maker: RawMaker) -> None:
    maker.episode(lines=rb'{"11.jpg": "type(text=' + rb"'\ud83d')" + b'"}\n{"12.jpg": "finished()"}')
    maker.check(broken_text=1)
    assert maker.read().episodes[0].steps[0].raw == "type(text='\ufffd')"


def test_a_million_lines_are_cut(maker: RawMaker) -> None:
    maker.episode(lines=b'{"11.jpg":"wait()"}\n' * 300_000)
    _, problems = maker.check(repeated_step_name=4999, long_actions=1, unused_screenshot=1, unused_tree=1)
    assert len(maker.read().episodes[0].steps) == 5000
    assert next(problem.line for problem in problems if problem.kind == "long_actions") == 5001
    maker.raw.joinpath("3/20250310_081530/action.jsonl").write_bytes(b'{"11.jpg":"wait()"}\n' * 1_000_000)
    maker.check(missing_actions=1)


def test_names_that_repeat_and_times_that_go_backwards(maker: RawMaker) -> None:
    maker.episode(lines=[{"12.jpg": "wait()"}, {"12.jpg": "wait()"}, {"11.jpg": "finished()"}])
    _, problems = maker.check(repeated_step_name=1, steps_out_of_order=1)
    assert [(problem.kind.value, problem.line) for problem in problems] == [
        ("repeated_step_name", 2),
        ("steps_out_of_order", 3),
    ]


# the screens


def test_screens_that_are_missing_leave_a_none(maker: RawMaker) -> None:
    maker.episode(images={"12.jpg": maker.jpeg}, trees={"12.xml": maker.tree})
    _, problems = maker.check(missing_screenshot=1, missing_tree=1)
    assert [problem.line for problem in problems] == [1, 1]
    first, second = maker.read().episodes[0].steps
    assert (first.screenshot, first.tree) == (None, None)
    assert second.screenshot
    assert second.tree


def test_without_screenshot_folder(maker: RawMaker) -> None:
    shutil.rmtree(maker.episode() / "Screenshots")
    maker.check(no_screenshot_folder=1, missing_screenshot=2, missing_tree=2)


def test_folders_whose_names_begin_with_screenshots_are_all_read(maker: RawMaker) -> None:
    path = maker.episode(images={"11.jpg": maker.jpeg}, trees={})
    other = path / "Screenshots_20250310"
    other.mkdir()
    (other / "12.PNG").write_bytes(maker.picture(format="PNG"))
    (other / "a_11.xml").write_bytes(maker.tree)
    (other / "12.xml").write_bytes(maker.tree)
    maker.check(several_screenshot_folders=1)
    assert maker.read().episodes[0].steps[1].screenshot == "3/20250310_081530/Screenshots_20250310/12.PNG"
    (path / "Screenshots").rename(path / "Screenshots (2)")
    shutil.rmtree(other)
    maker.check(missing_screenshot=1, missing_tree=2)


def test_screenshots_without_a_matching_name_join_by_position(maker: RawMaker) -> None:
    maker.episode(
        images={"11.jpg": maker.jpeg, "13.jpg": maker.jpeg},
        trees={"11.xml": maker.tree, "13.xml": maker.tree},
    )
    _, (problem,) = maker.check(screenshot_by_position=1)
    assert problem.line == 2
    assert maker.read().episodes[0].steps[1].tree == "3/20250310_081530/Screenshots/13.xml"


def test_screens_after_the_last_step_are_reported(maker: RawMaker) -> None:
    extra = {"11.jpg": maker.jpeg, "12.jpg": maker.jpeg, "13.jpg": maker.jpeg}
    maker.episode(images=extra, trees={"11.xml": maker.tree, "12.xml": maker.tree, "13.xml": maker.tree})
    _, problems = maker.check(unused_screenshot=1, unused_tree=1)
    assert [problem.file for problem in problems] == [
        "3/20250310_081530/Screenshots/13.jpg",
        "3/20250310_081530/Screenshots/13.xml",
    ]


def test_a_folder_named_like_a_picture_is_none(maker: RawMaker) -> None:
    path = maker.episode(images={"11.jpg": maker.jpeg})
    (path / "Screenshots/12.jpg").mkdir()
    maker.check(missing_screenshot=1, unexpected_file=1)


# the tables


def test_tables_lie_in_the_release_or_in_tables_or_where_they_are_said_to(
    maker: RawMaker, tmp_path: Path
) -> None:
    maker.episode()
    (maker.raw / "tables").mkdir()
    maker.table("tables/total.csv", maker.row())
    assert maker.read().tables is not None
    (maker.raw / "tables").rename(tmp_path / "csv")
    assert maker.read().tables is None
    assert read_release(maker.raw, tmp_path / "csv").tables is not None
    with pytest.raises(ReleaseError, match="expected one of the tables"):
        read_release(maker.raw, tmp_path)
    with pytest.raises(ReleaseError, match="expected one of the tables"):
        read_release(maker.raw, tmp_path / "nowhere")


def test_rows_without_episode_and_episodes_without_row(maker: RawMaker) -> None:
    maker.episode()
    maker.table("total.csv", maker.row("3", "20250101_000000"), maker.row("5"))
    maker.table("train_set.csv", maker.row("5"))
    _, problems = maker.check(row_without_episode=2, episode_in_no_table=1, missing_table=4)
    assert {(problem.episode_id, problem.file, problem.line) for problem in problems if problem.line} == {
        ("3__20250101_000000", "total.csv", 2),
        ("5__20250310_081530", "train_set.csv", 2),
    }
    assert [intent.episode_id for intent in maker.read().intents] == [
        "3__20250101_000000",
        "3__20250310_081530",
        "5__20250310_081530",
    ]


def test_a_rejected_episode_is_still_known_by_its_row(maker: RawMaker) -> None:
    path = maker.episode()
    maker.episode(folder=f"3/3/{path.name}", lines=b"other")
    maker.table("total.csv", maker.row())
    maker.check(conflicting_episodes=2)
    assert [intent.episode_id for intent in maker.read().intents] == ["3__20250310_081530"]


def test_users_without_profile_and_profiles_without_user(maker: RawMaker) -> None:
    maker.episode()
    maker.table("user_profile.csv", "4,女", header="user_id,sex")
    expected = {"missing_profile": 1, "unused_profile": 1, "missing_column": 5}
    maker.check(**expected)


# the call itself


def test_a_folder_that_is_no_release_is_refused_with_a_hint(maker: RawMaker, tmp_path: Path) -> None:
    maker.raw = tmp_path / "one/two/raw"
    maker.episode()
    for wrong in (tmp_path / "one", tmp_path / "one/two", maker.raw / "3"):
        with pytest.raises(UsageError, match=f"did you mean {maker.raw}"):
            read_release(wrong)
    (tmp_path / "empty").mkdir()
    for wrong, got in (
        (tmp_path / "empty", "no users' folders"),
        (tmp_path / "no", "nothing"),
        (Path(__file__), "a file"),
    ):
        with pytest.raises(UsageError, match=got):
            read_release(wrong)


def test_a_release_that_is_still_packed(tmp_path: Path) -> None:
    (tmp_path / "fingertip.zip").write_bytes(b"PK")
    with pytest.raises(UsageError, match=r"is fingertip\.zip still to be unpacked\?"):
        read_release(tmp_path)


def test_the_real_screens_match_an_independent_count(real_release: Path) -> None:
    counts: Counter[str] = Counter()
    for folder in (*real_release.glob("raw/*/2*_*"), *real_release.glob("raw/*/*/2*_*")):
        counts["episodes"] += 1
        names = [file.name for file in folder.glob("Screenshots/*")]
        for line in (folder / "action.jsonl").read_text(encoding="utf-8").splitlines():
            ((name, _),) = json.loads(line).items()
            counts["steps"] += 1
            counts["missing_screenshot"] += name not in names
            counts["missing_tree"] += f"tree_{name[:-4]}.xml" not in names
    release = read_release(real_release / "raw", real_release / "tables")
    found = Counter(problem.kind.value for problem in release.problems)
    assert (release.given, release.kept, release.rejected) == (counts["episodes"], 23, 0)
    assert sum(len(episode.steps) for episode in release.episodes) == counts["steps"] == 142
    assert found["missing_screenshot"] == counts["missing_screenshot"] == 11
    assert found["missing_tree"] == counts["missing_tree"] == 18
    assert found == {"missing_screenshot": 11, "missing_tree": 18, "duplicate_row": 1}
    assert all(step.action for episode in release.episodes for step in episode.steps)
    assert {intent.category for intent in release.intents} >= {"音乐/音频", "学习/教育"}
    assert release.episodes[0].profile.age == 21
    assert [len(release.intents), release.episodes[-1].folder] == [23, Path("74/74/20250115_100000")]
