"""`fingertip submit` and `fingertip verify`: a look, a bundle, its scores made again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from board.tests.fingertip_leaderboard.asking_runs import run_asking
from board.tests.fingertip_leaderboard.bundle_factory import InProcessEnvironment, Workshop
from execution_runner.execution_run import run_execution
from execution_runner.run_plan import plan_tasks
from fingertip_agents.registry import get_agent, get_execution_agent
from fingertip_dataset.errors import FingerTipError, RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.commands import submit, verify
from fingertip_runs.run_record import CALL_REPEATS
from suggestion_runner.suggestion_run import run_suggestions

CARD = ("--name", "我的助手", "--contact", "a@example.org")
LEXICAL = ("--embedder", "lexical")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory)


def run(command: str, *arguments: str | Path) -> Result:
    called = {"submit": submit.command, "verify": verify.command}[command]
    return CliRunner().invoke(called, [*map(str, arguments)])


def error(result: Result) -> FingerTipError:
    assert isinstance(result.exception, FingerTipError), result.output
    return result.exception


def test_a_preview_writes_nothing(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = run("submit", workshop.run("habit"), *CARD, *LEXICAL, "--judge", "lexical")
    assert made.exit_code == 0, made.output
    expected_lines = [
        "bundle.json", "predictions.jsonl", "verdicts.jsonl", "predicted_intent", "may repeat",
        '"hours": 2.0',
        "Shown on the board: 我的助手, a@example.org", "Not in it: true intents, golden actions",
        "Nothing is written",
    ]  # fmt: skip
    assert [words for words in expected_lines if words not in made.output] == []
    assert list(tmp_path.iterdir()) == []


def test_the_preview_names_raters_and_screens(workshop: Workshop, tmp_path: Path) -> None:
    made = run("submit", workshop.run("phone"), *CARD)
    assert "raters' names and reasons: Zoë, 李雷, 王芳" in made.output
    assert "No screens" in made.output
    made = run("submit", workshop.run("replayed"), *CARD, "--trajectories", "--out", tmp_path)
    assert "everything that was on the phone" in made.output
    assert sorted((tmp_path / "replayed" / "screens").iterdir())


def test_runs_of_both_tracks_become_bundles_that_are_accepted(workshop: Workshop, tmp_path: Path) -> None:
    runs = [workshop.run("habit"), workshop.run("replayed")]
    made = run("submit", *runs, *CARD, *LEXICAL, "--zip", "--out", tmp_path / "out")
    assert made.exit_code == 0, made.output
    bundles = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in bundles] == ["habit.zip", "replayed.zip"]
    seen = run("verify", *bundles, "--dataset", workshop.sample)
    assert seen.exit_code == 0, seen.output
    assert seen.output.count(": accepted") == 2
    assert "Track 1" in seen.output
    assert "Track 2" in seen.output


def test_wrong_places_and_names_are_named(workshop: Workshop, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    done, bundle = workshop.run("replayed"), workshop.parts("replayed").write(tmp_path / "bundle")
    assert "there is no folder none in " in error(run("submit", tmp_path / "none")).message
    assert "the bundle could not be written: " in str(error(run("submit", done, *CARD, "--out", file / "x")))
    hidden = error(run("submit", done, *CARD, "--name", "h\u0430bit"))
    assert hidden.message == "--name cannot be 'h\u0430bit': it has a word of two alphabets, 'h\u0430bit'"
    assert "it is a bundle already: --repo" in str(error(run("submit", bundle, *CARD)))


def test_a_refusal_names_file_line_and_kind(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("model")
    parts.tasks[2]["time_s"] = -1.0
    place = parts.write(tmp_path / "bundle")
    seen = run("verify", place, "--dataset", workshop.sample)
    assert seen.exit_code == 1
    assert f"{place}: refused, 1 problem\n  predictions.jsonl:3: " in seen.output
    assert "[out_of_range]" in seen.output


def test_one_refused_bundle_is_exit_code_1(workshop: Workshop, tmp_path: Path) -> None:
    good = workshop.parts("habit").write(tmp_path / "good")
    seen = run("verify", good, tmp_path / "none", "--dataset", workshop.sample)
    assert seen.exit_code == 1
    assert "good: accepted" in seen.output
    assert "[no_bundle]" in seen.output


def test_a_run_folder_is_named_as_such_by_verify(workshop: Workshop) -> None:
    seen = error(run("verify", workshop.run("habit"), "--dataset", workshop.sample))
    assert (
        seen.message == "this is a run, not a bundle: `fingertip submit RUN --out DIR` makes a bundle of it"
    )


def test_wrong_calls(workshop: Workshop, tmp_path: Path) -> None:
    habit = workshop.run("habit")
    no_contact = error(run("submit", habit, "--name", "A", "--contact", "nobody", *LEXICAL))
    assert "--contact cannot be 'nobody': give an e-mail address or an https link" in str(no_contact)
    assert "--model-size" in str(error(run("submit", habit, *CARD, *LEXICAL, "--size", "large")))
    assert "--link" in str(error(run("submit", habit, *CARD, *LEXICAL, "--link", "http://x.org")))
    assert "track 2" in str(error(run("submit", habit, *CARD, *LEXICAL, "--trajectories")))
    assert "track 1" in str(error(run("submit", workshop.run("phone"), *CARD, "--judge", "lexical")))
    assert isinstance(error(run("submit", tmp_path / "none", *CARD)), RunError)
    assert "the same name" in str(error(run("submit", habit, habit, *CARD, *LEXICAL)))
    assert "--contact" in str(error(run("submit", habit, "--name", "A", *LEXICAL)))
    assert run("verify", habit).exit_code == 2


def test_nothing_is_overwritten(workshop: Workshop, tmp_path: Path) -> None:
    call = ("submit", workshop.run("habit"), *CARD, *LEXICAL, "--out", tmp_path)
    assert run(*call).exit_code == 0
    assert "the path exists" in str(error(run(*call)))


def test_a_run_that_is_not_finished_is_no_bundle(workshop: Workshop, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    cut.mkdir()
    finished = workshop.run("habit")
    (cut / "run.json").write_bytes((finished / "run.json").read_bytes())
    lines = (finished / "predictions.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "predictions.jsonl").write_bytes(b"".join(lines[:-1]))
    assert "the run is not finished (11 of 12 tasks)" in str(error(run("submit", cut, *CARD, *LEXICAL)))


def part_of(workshop: Workshop, out: Path, **options: object) -> Path:
    """A finished run of a part of the test."""
    run_suggestions(workshop.sample, get_agent("habit"), out, **options)  # type: ignore[arg-type]
    return out


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"limit": 1}, "got the first 1 of 12 tasks by habit: run it on the whole test: without --limit"),
        ({"sample": 6, "seed": 0}, "got a sample of 6 of 12 tasks (seed 0) by habit"),
        ({"split": "train"}, "expected split test_suggestion, got train"),
    ],
    ids=["--limit", "--sample", "another split"],
)
def test_a_run_that_every_board_refuses_is_refused_before_anything_is_written(
    workshop: Workshop, tmp_path: Path, options: dict[str, object], reason: str
) -> None:
    part = part_of(workshop, tmp_path / "part", **options)
    call = ("submit", part, *CARD, *LEXICAL, "--out", tmp_path / "out")
    refused = error(run(*call))
    assert isinstance(refused, UsageError)
    assert refused.message.startswith("every board refuses this run: ")
    assert reason in refused.message
    assert refused.message.endswith("--partial makes the bundle all the same")
    assert not (tmp_path / "out").exists()
    made = run(*call, "--partial")
    assert made.exit_code == 0, made.output
    assert "note: every board refuses this run: " in made.output
    # the board refuses it for the same rule
    seen = run("verify", tmp_path / "out" / "part", "--dataset", workshop.sample)
    assert seen.exit_code == 1
    assert "[not_a_test]" in seen.output


def test_missing_tasks_of_track_2_are_counted_and_named(workshop: Workshop, tmp_path: Path) -> None:
    built = BuiltDataset.open(workshop.simulated)
    environment = InProcessEnvironment(built.simulations())
    run_execution(
        workshop.simulated, get_execution_agent("imitate"), [environment], tmp_path / "part", limit=1
    )
    refused = error(run("submit", tmp_path / "part", *CARD))
    tasks = len(plan_tasks(built).tasks)
    assert f"{tasks - 1} of the {tasks} tasks of the test are missing (" in refused.message
    assert "without --limit" in refused.message
    made = run("submit", tmp_path / "part", *CARD, "--dataset", workshop.sample)
    assert "has other data (" in made.output
    assert "so nobody has checked that the run has every task of the test" in made.output


def test_what_a_board_will_make_of_a_run_is_noted(workshop: Workshop, tmp_path: Path) -> None:
    made = run("submit", workshop.run("person imitated"), *CARD)
    assert "note: the run is of simulated people of your own (data " in made.output
    moved = shutil.copytree(workshop.run("habit"), tmp_path / "moved")
    record = json.loads((moved / "run.json").read_text(encoding="utf-8"))
    record["dataset"]["path"] = str(tmp_path / "gone")
    (moved / "run.json").write_text(json.dumps(record), encoding="utf-8")
    made = run("submit", moved, *CARD, *LEXICAL)
    assert "gone is not there, so nobody has checked that the run has every task of the test" in made.output
    made = run("submit", moved, *CARD, *LEXICAL, "--dataset", workshop.sample)
    assert "note: " not in made.output


def test_a_try_alone_is_not_the_repeated_run_that_it_began(workshop: Workshop, tmp_path: Path) -> None:
    before = CALL_REPEATS.set(3)
    try:
        part = part_of(workshop, tmp_path / "try-1")
    finally:
        CALL_REPEATS.reset(before)
    refused = error(run("submit", part, *CARD, *LEXICAL))
    assert "the run began with --repeats 3, got 1 of its tries: a board takes them all" in refused.message


def test_a_key_in_the_settings_never_leaves(workshop: Workshop, tmp_path: Path) -> None:
    finished, unfinished = workshop.run("habit"), tmp_path / "run"
    unfinished.mkdir()
    record = json.loads((finished / "run.json").read_text(encoding="utf-8"))
    record["agent"]["settings"]["header"] = "Bearer " + "aB3" * 10
    (unfinished / "run.json").write_text(json.dumps(record), encoding="utf-8")
    for name in ("predictions.jsonl", "targets.jsonl"):
        (unfinished / name).write_bytes((finished / name).read_bytes())
    refused = error(run("submit", unfinished, *CARD, *LEXICAL, "--out", tmp_path / "out"))
    assert "what looks like a bearer token" in str(refused)
    assert "aB3aB3" not in str(refused)
    assert not (tmp_path / "out").exists()


def test_the_same_run_gives_the_same_zip_except_its_time(workshop: Workshop, tmp_path: Path) -> None:
    names = []
    for out in ("one", "other"):
        run("submit", workshop.run("phone"), *CARD, "--zip", "--out", tmp_path / out)
        with ZipFile(tmp_path / out / "phone.zip") as archive:
            names.append({name: archive.read(name) for name in archive.namelist() if name != "bundle.json"})
    assert names[0] == names[1]
    assert set(names[0]) == {"steps.jsonl", "labels.jsonl"}


def test_a_run_with_questions_is_submitted_and_verified(workshop: Workshop, tmp_path: Path) -> None:
    data = workshop.simulated
    run_dir = run_asking(data, tmp_path / "asking", "ask-all")
    made = run("submit", run_dir, *CARD, "--dataset", data, "--out", tmp_path / "out")
    assert made.exit_code == 0, made.output
    assert "Every question and its reply, which says a part of what the person wanted" in made.output
    assert "next: fingertip verify" in made.output
    seen = run("verify", tmp_path / "out" / "asking", "--dataset", data)
    assert seen.exit_code == 0, seen.output
    assert "questions" in seen.output


def test_no_board_shows_the_bundle_of_a_part_of_the_tasks(workshop: Workshop, tmp_path: Path) -> None:
    data = workshop.simulated
    run_dir = run_asking(data, tmp_path / "asking", "ask-all", level="no_app", limit=1)
    written = ("submit", run_dir, *CARD, "--dataset", data, "--out", tmp_path / "out")
    assert "tasks of the test are missing" in str(error(run(*written)))
    made = run(*written, "--partial")
    assert made.exit_code == 0, made.output
    assert "Named in it, which no board shows: 我的助手" in made.output
    assert "Shown on the board" not in made.output
    assert "next:" not in made.output
