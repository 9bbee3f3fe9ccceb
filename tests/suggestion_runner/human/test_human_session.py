"""Human sessions: assigned tasks, predictions from answers, and the content of the server's responses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import suggestion_task
from fingertip_metrics.embedders import get_embedder
from fingertip_runs.annotation import PageServer
from suggestion_runner import notes, read_predictions, score_run
from suggestion_runner.human import HumanPage, HumanSession
from suggestion_runner.human.human_session import SavedAnswer
from suggestion_runner.human.rater_answers import ANSWERS, read_answers
from suggestion_runner.task_view import TaskView
from tests.served_page import ask
from tests.suggestion_runner.human.asking import answering


def session(dataset: Path, out: Path, *raters: str, overlap: float = 0.5, **view: object) -> HumanSession:
    return HumanSession(dataset, out, view=TaskView(**view), overlap=overlap, raters=raters)  # type: ignore[arg-type]


def say(run: HumanSession, rater: str, text: str, count: int = 100) -> None:
    """Answers up to `count` tasks of a rater."""
    for _ in range(count):
        keys, _ = run.open_for(rater)
        if not keys:
            return
        run.add(keys[0], rater, SavedAnswer(text=text, seconds=2.5, language="zh"))


def test_the_first_place_counts_and_the_others_answers_are_kept(small_dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with session(small_dataset, out, "A", "B", overlap=1) as run:
        say(run, "B", "b")
        assert [line.predicted_intent for line in read_predictions(out)] == ["b"] * 4
        say(run, "A", "a", 3)
        assert sorted(line.predicted_intent for line in read_predictions(out)) == ["a", "a", "a", "b"]
        assert (run.complete, run.open_places, run.answered_tasks) == (False, 1, 4)
    with session(small_dataset, out, overlap=1) as run:
        say(run, "A", "  a\n of two lines ")
        assert run.complete
    texts = [line.predicted_intent for line in read_predictions(out)]
    assert sorted(texts) == ["a", "a", "a", "a of two lines"]
    assert len(read_answers(out)) == 8
    (out / "predictions.jsonl").unlink()
    with session(small_dataset, out, overlap=1):
        assert [line.predicted_intent for line in read_predictions(out)] == texts


def test_tasks_of_late_and_absent_raters_are_reassigned(small_dataset: Path, tmp_path: Path) -> None:
    with session(small_dataset, tmp_path / "run", "gone", overlap=0) as run:
        say(run, "gone", "x", 1)
        run.join("late")
        keys, own = run.open_for("late")
        assert (len(keys), own) == (2, True)
        say(run, "late", "y", 2)
        keys, own = run.open_for("late")
        assert (len(keys), own) == (1, False), "what the other one left"
        say(run, "late", "y")
        assert run.complete
        assert [len(run.answered(rater)) for rater in ("gone", "late")] == [1, 3]


def test_agreement_is_over_the_tasks_with_two_answers(small_dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with session(small_dataset, out, "A", "B", overlap=1) as run:
        say(run, "A", "打开微信")
        say(run, "B", "打开微信", 3)
        say(run, "B", "听歌")
    scores = score_run(out, embedder=get_embedder("lexical"))
    found = scores.raters
    assert found is not None
    assert found.sim1 is not None
    assert (found.raters, found.answers, found.tasks, found.pairs) == (2, 8, 4, 4)
    assert found.sim1.mean == pytest.approx(0.75)
    assert (found.seconds, found.judge, found.same) == (2.5, None, None)
    assert scores.seconds == 2.5
    assert any(line.startswith("Agreement of people over 4 tasks") for line in notes([scores]))


def test_a_run_of_one_rater_has_no_agreement(small_dataset: Path, tmp_path: Path) -> None:
    with session(small_dataset, tmp_path / "run", "A") as run:
        say(run, "A", "听歌")
        assert (run.complete, run.answered_tasks) == (False, 4)
    scores = score_run(tmp_path / "run", embedder=get_embedder("lexical"))
    assert any("No task was answered by several people" in line for line in notes([scores]))


def test_a_sample_as_large_as_the_papers_is_no_caveat(small_dataset: Path, tmp_path: Path) -> None:
    with session(small_dataset, tmp_path / "run", "A", overlap=0, sample=3) as run:
        say(run, "A", "听歌")
        assert run.complete
    file = tmp_path / "run" / "run.json"
    small = score_run(tmp_path / "run", embedder=get_embedder("lexical"))
    assert any(
        "a sample of 3 of 4 tasks (seed 0): the paper's people answered 400" in it for it in small.caveats
    )
    record = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(
        json.dumps({**record, "tasks": 400, "selection": {**record["selection"], "of": 996}}),
        encoding="utf-8",
    )
    large = score_run(tmp_path / "run", embedder=get_embedder("lexical"), partial=True)
    assert not any(it.startswith("a sample of") for it in large.caveats)


def test_a_cut_line_is_dropped_and_a_broken_one_refused(small_dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with session(small_dataset, out, "A") as run:
        say(run, "A", "听歌", 2)
        with pytest.raises(RunError, match="is writing this run"), session(small_dataset, out):
            pass
    content = (out / ANSWERS).read_bytes()
    (out / ANSWERS).write_bytes(content[:-20])
    with session(small_dataset, out) as run:
        assert run.answered_tasks == 1
    for line, message in (
        (b'{"version":2,"kind":"answer"}\n', "a newer fingertip-20k reads them"),
        (b'{"version":1,"kind":"answer"}\n', "expected a line of rater_answers.jsonl, got at "),
        (content.splitlines(keepends=True)[-1].replace(b"__", b"_"), "not one of this run"),
    ):
        (out / ANSWERS).write_bytes(content + line)
        with pytest.raises(RunError, match=message), session(small_dataset, out):
            pass


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"distribution": True}, "set up without distributions, and the run is with them"),
        ({"history": "relevant"}, "got human"),
        ({"overlap": 1.5}, "0 to 1"),
    ],
)
def test_invalid_arguments_are_refused(
    words: dict[str, object], message: str, small_dataset: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message), session(small_dataset, tmp_path / "run", **words):  # type: ignore[arg-type]
        pass


def test_no_response_contains_a_target(sample_dataset: Path, tmp_path: Path) -> None:
    tasks = [suggestion_task(row) for row in BuiltDataset.open(sample_dataset).rows("test_suggestion")]
    with (
        session(sample_dataset, tmp_path / "run", "A", overlap=0, without=("time",)) as run,
        answering(run) as url,
    ):
        output = [ask(f"{url}session?rater=A")[1]]
        while keys := run.open_for("A")[0]:
            output.append(ask(f"{url}task/{keys[0]}?rater=A")[1])
            body = {"text": "听歌", "seconds": 1.5, "language": "en"}
            status, state = ask(f"{url}answer/{keys[0]}?rater=A", body)
            assert status == 200
            output += [state, ask(f"{url}task/{keys[0]}?rater=A")[1]]
    sent = json.dumps(output, ensure_ascii=False)
    for task in tasks:
        assert task.input.task_id not in sent
        assert f'"{task.target.app}"' not in sent
        shown = [text.text for text in make_suggestion_messages(task.input, "zh")]
        if not any(task.target.intent in text for text in shown):
            others = [make_suggestion_messages(other.input, "zh")[-1].text for other in tasks]
            assert any(task.target.intent in text for text in others) or task.target.intent not in sent


def test_only_this_page_is_served_and_only_answers_are_stored(small_dataset: Path, tmp_path: Path) -> None:
    good = {"text": "听歌", "seconds": 1, "language": "zh"}
    with session(small_dataset, tmp_path / "run", "A", "B") as run, answering(run, "A", "B") as url:
        assert ask(url + "session") == (200, {"rater": None, "raters": ["A", "B"], "language": "zh"})
        key = ask(url + "session?rater=A")[1]["tasks"][0]["key"]
        for place, body, status in (
            (f"answer/{key}?rater=C", good, 403),
            (f"answer/{key}", good, 400),
            (f"answer/{key}?rater=A", {**good, "text": " "}, 400),
            (f"answer/{key}?rater=A", {**good, "text": "x" * 2001}, 400),
            (f"answer/{key}?rater=A", {**good, "seconds": -1}, 400),
            (f"answer/{key}?rater=A", {**good, "language": "fr"}, 400),
            (f"answer/{key}?rater=A", {**good, "rater": "B"}, 400),
            ("answer/none?rater=A", good, 404),
            ("elsewhere?rater=A", {}, 404),
            ("task/none", None, 404),
            (f"screen/{key}/0", None, 404),
            (f"screen/{key}/x", None, 404),
        ):
            assert ask(url + place, body)[0] == status, place
        assert run.answered_tasks == 0
        assert ask(f"{url}answer/{key}?rater=A", good)[1]["tasks"][0]["label"] == {
            "text": "听歌",
            "seconds": 1.0,
        }
        assert ask(url + "leave?rater=A", {})[0] == 200
        assert ask(url + "session?rater=B")[0] == 200, "the others go on"
    with session(small_dataset, tmp_path / "run") as run, PageServer(HumanPage(run)) as server:
        assert server.url.startswith("http://127.0.0.1:")
