"""The folder of an export: rows of each framework, counts, the choice of episodes, and what is refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset import BuiltDataset, FingerTipError, UsageError
from fingertip_dataset.parquet.dataset_rows import Row
from fingertip_training import ExportOrder, ExportRecord, check_export, export_samples, token_counter
from fingertip_training.episode_choice import choose_episodes
from tests.command_line import fingertip

Export = Callable[..., Path]


@pytest.fixture
def export(people: Path, tmp_path: Path) -> Export:
    def make(name: str = "export", **order: Any) -> Path:  # noqa: ANN401 - fields of an order
        export_samples(people, tmp_path / name, ExportOrder(**order))
        return tmp_path / name

    return make


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_the_rows_of_the_frameworks_hold_the_same_samples(export: Export) -> None:
    order = {"track": "execution", "agent": "qwen3-vl", "max_pixels": 60_000, "validation": True}
    trl, swift = export("trl", **order), export("swift", format="ms-swift", **order)
    llama = export("llama", format="llama-factory", **order)
    for split in ("train", "vali"):
        pairs = rows(trl / f"{split}.jsonl"), rows(swift / f"{split}.jsonl"), rows(llama / f"{split}.jsonl")
        for one, other, third in zip(*pairs, strict=True):
            system, user, answer = other["messages"]
            assert other == third
            (completion,) = one["completion"]
            assert one["images"] == other["images"]
            assert completion["content"] == [{"type": "text", "text": answer["content"]}]
            words, picture = one["prompt"][1]["content"]
            assert (user["content"], picture) == (words["text"] + "<image>", {"type": "image"})
            (instruction,) = one["prompt"][0]["content"]
            assert (system["role"], instruction["text"]) == (one["prompt"][0]["role"], system["content"])
    info = json.loads((llama / "dataset_info.json").read_text(encoding="utf-8"))
    assert [entry["file_name"] for entry in info.values()] == ["train.jsonl", "vali.jsonl"]


def test_datasets_loads_the_rows_and_trl_places_each_picture(export: Export, tmp_path: Path) -> None:
    from datasets import load_dataset
    from trl.data_utils import prepare_multimodal_messages

    def loaded(kind: str, folder: Path) -> Any:  # noqa: ANN401 - a dataset
        cache = str(tmp_path / "cache")
        return load_dataset(
            kind, data_files=str(next(folder.glob("train.*"))), split="train", cache_dir=cache
        )

    files = export("files", track="execution", agent="ui-tars-v1", max_pixels=90_000, episodes=3)
    embedded = export(
        "embedded", track="execution", agent="ui-tars-v1", max_pixels=90_000, episodes=3, embed=True
    )
    assert check_export(embedded) == check_export(files)
    assert sorted(path.name for path in embedded.iterdir()) == ["README.md", "export.json", "train.parquet"]
    for text, whole in zip(loaded("json", files), loaded("parquet", embedded), strict=True):
        pictures = whole["images"]
        assert all(picture.width * picture.height <= 90_000 for picture in pictures)
        placed = prepare_multimodal_messages(text["prompt"], images=pictures)
        parts = [part for message in placed for part in message["content"] if part["type"] == "image"]
        assert [part["image"] for part in parts] == pictures
        assert placed[-1]["content"] == [parts[-1]]
        assert text["prompt"] == without_nulls(whole["prompt"])
        assert text["completion"] == without_nulls(whole["completion"])
    # a model without pictures trains on rows without the column
    assert set(rows(export(track="suggestion") / "train.jsonl")[0]) == {
        "prompt",
        "completion",
        "episode_id",
        "step",
    }


@pytest.mark.parametrize("format", ["trl", "llama-factory", "parquet"])
def test_load_dataset_finds_every_split_of_the_folder(
    export: Export, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    from datasets import load_dataset

    kind = {"embed": True} if format == "parquet" else {"format": format}
    folder = export(track="suggestion", screenshots=1, validation=True, episodes=3, **kind)
    record = ExportRecord.read(folder)
    expected = {split.split: split.rows for split in record.splits}
    assert list(expected) == ["train", "vali"]
    monkeypatch.chdir(tmp_path)
    loaded = load_dataset("./export", cache_dir=str(tmp_path / "cache"))
    assert {name: len(split) for name, split in loaded.items()} == expected


def without_nulls(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Parquet has a text for every part, which is null for pictures."""
    return [
        {**message, "content": [{k: v for k, v in part.items() if v} for part in message["content"]]}
        for message in messages
    ]


def test_no_prompt_holds_its_target(export: Export, people: Path) -> None:
    """An intent may occur in its own prompt only within an earlier intent, and an app never."""
    known = {row["episode_id"]: row for row in BuiltDataset.open(people).rows("train")}
    folder = export(track="suggestion", screenshots=1)
    for row, sample in zip(known.values(), rows(folder / "train.jsonl"), strict=True):
        texts = "\n".join(message["content"] for message in sample["prompt"])
        earlier = {one["intent"] for one in row["previous_intents"]}
        # a habit's words may come back, whole or with others before them
        assert row["intent"] not in texts or any(row["intent"] in one for one in earlier)
        assert row["app"] not in texts
    folder = export("two", track="execution", agent="autodroid")
    for sample in rows(folder / "train.jsonl"):
        row, text = known[sample["episode_id"]], sample["prompt"][-1]["content"]
        assert row["intent"] in text
        assert row["app"] not in text
        assert f"{row['time']:%Y-%m-%d}" not in text


def test_an_export_shows_what_its_order_adds(export: Export, people: Path) -> None:
    known = {row["episode_id"]: row for row in BuiltDataset.open(people).rows("train")}
    order = {"track": "execution", "agent": "autodroid", "without": ("profile",)}
    folder = export("more", more=("time", "package"), **order)
    for sample in rows(folder / "train.jsonl"):
        row, text = known[sample["episode_id"]], sample["prompt"][-1]["content"]
        assert f"{row['time']:%Y-%m-%d}" in text
        assert "前台应用：com." in text
        assert "手机主人" not in text
    with pytest.raises(UsageError, match="--with needs --track execution or joint"):
        ExportOrder(track="suggestion", more=("time",))
    with pytest.raises(UsageError, match="expected to hide profile, reference, tree, past, got 'time'"):
        ExportOrder(track="execution", without=("time",))


def test_a_prompt_file_of_track_1_shows_what_its_order_does(tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text("{place}")
    assert ExportOrder(track="suggestion", prompt_file=str(file)).suggestion_files is not None
    with pytest.raises(UsageError, match=r"has {place}, which --without scenario hides"):
        ExportOrder(track="suggestion", prompt_file=str(file), without=("scenario",))
    file.write_text("{plase}")
    with pytest.raises(UsageError, match=r"unknown placeholder {plase}: did you mean {place}") as refused:
        ExportOrder(track="suggestion", prompt_file=str(file))
    assert "\n" not in str(refused.value)


def words_of(message: Row) -> str:
    """The text of a message, alone or as the only part of its content."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@pytest.mark.parametrize("agent", ["autodroid", "generalist"])
def test_every_step_is_in_a_sample_or_counted(export: Export, people: Path, agent: str) -> None:
    recorded = [action for row in BuiltDataset.open(people).rows("train") for action in row["actions"]]
    folder = export(track="execution", agent=agent)
    (split,) = ExportRecord.read(folder).splits
    answers = [words_of(row["completion"][0]) for row in rows(folder / "train.jsonl")]
    # AutoDroid's input is a click and the text typed after it
    pairs = sum('"action": "input"' in answer for answer in answers)
    assert split.rows + pairs + sum(kind.count for kind in split.dropped) == len(recorded)
    if agent == "generalist":
        assert answers == [action["raw"] for action in recorded]
    else:
        assert split.dropped
        for kind in split.dropped:
            name = kind.kind.rpartition(": ")[2]
            assert re.fullmatch(rf"episode \d+__\d+_\d+, step \d+: {name}\(.*\)", kind.example)


def test_a_joint_export_mixes_both_tracks_by_seed(export: Export) -> None:
    order = {"track": "joint", "agent": "autodroid", "episodes": 5}
    folder, again, other = export(**order), export("again", **order), export("other", **order, seed=1)
    assert (folder / "train.jsonl").read_bytes() == (again / "train.jsonl").read_bytes()
    assert (folder / "train.jsonl").read_bytes() != (other / "train.jsonl").read_bytes()
    (split,) = ExportRecord.read(folder).splits
    assert (split.samples["suggestion"], split.episodes, split.users) == (5, 5, 2)
    tracks = [row["completion"][0]["content"].startswith("{") for row in rows(folder / "train.jsonl")]
    assert tracks != sorted(tracks)


def test_users_have_equal_shares_and_each_at_least_one() -> None:
    users = {str(user): [f"{user}-{number}" for number in range(user * 7)] for user in range(1, 20)}
    total = sum(map(len, users.values()))
    for number in (3, 19, 40, 500, total):
        chosen = choose_episodes(users, number, seed=4)
        shares = Counter(episode.partition("-")[0] for episode in chosen)
        assert len(chosen) == number
        assert len(shares) == min(number, len(users))
        if number > 200:
            assert all(abs(shares[user] - number * len(ids) / total) < 2 for user, ids in users.items())
    assert choose_episodes(users, 40, seed=4) != choose_episodes(users, 40, seed=5)


def test_only_episodes_of_the_wanted_users_are_exported(export: Export, people: Path, tmp_path: Path) -> None:
    by_user: dict[str, set[str]] = {}
    for row in BuiltDataset.open(people).rows("train"):
        by_user.setdefault(row["user_id"], set()).add(row["episode_id"])
    user = sorted(by_user)[-1]
    folder = export(track="suggestion", users=(user,), validation=True, episodes=3)
    exported = {split.split: split for split in ExportRecord.read(folder).splits}
    assert {row["episode_id"] for row in rows(folder / "train.jsonl")} < by_user[user]
    assert (exported["train"].users, exported["train"].rows, exported["vali"].users) == (1, 3, 1)
    assert ExportRecord.read(folder).options["users"] == [user]

    (tmp_path / "ids.txt").write_text("\n".join([user, *by_user]) + "\n")
    every = ("export", people, "--track", "suggestion", "--format", "trl")
    for number, value in enumerate((tmp_path / "ids.txt", f"{user}, {','.join(by_user)}")):
        done = fingertip(*every, "--users", value, "--out", tmp_path / str(number), "--json")
        record = ExportRecord.model_validate_json(done.stdout)
        assert record.options["users"] == sorted(by_user)
        assert record.splits[0].episodes == sum(map(len, by_user.values()))


def test_held_out_values_are_in_no_prompt_and_no_answer(export: Export, people: Path) -> None:
    built = BuiltDataset.open(people)
    unseen = built.unseen_episodes()
    known: list[Row] = [row for split in ("train", "vali") for row in built.rows(split)]
    intents = {row["intent"] for row in known if row["episode_id"] in unseen}
    intents -= {row["intent"] for row in known if row["episode_id"] not in unseen}
    assert intents
    folder = export(track="joint", agent="autodroid", exclude_unseen=True)
    text = (folder / "train.jsonl").read_text(encoding="utf-8")
    assert [intent for intent in intents if json.dumps(intent, ensure_ascii=False)[1:-1] in text] == []
    whole = (export("whole", track="joint", agent="autodroid") / "train.jsonl").read_text(encoding="utf-8")
    assert any(intent in whole for intent in intents)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda row, folder: row.update(images=row["images"] * 2), "a placeholder for each picture"),
        (lambda row, folder: (folder / row["images"][0]).unlink(), "is not there"),
        (lambda row, folder: row["messages"].pop(), "no answer"),
        (lambda row, folder: row["messages"][-1].update(content=" "), "no answer"),
        (lambda row, folder: row.pop("images"), "no column images"),
        (lambda row, folder: row.pop("messages"), "no messages"),
    ],
)
def test_a_row_that_a_loader_would_accept_is_refused(
    export: Export, change: Callable[[Row, Path], object], problem: str
) -> None:
    folder = export(track="suggestion", screenshots=1, format="ms-swift", episodes=3)
    assert check_export(folder).rows == 3
    first, second, *rest = rows(folder / "train.jsonl")
    change(second, folder)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (first, second, *rest))
    (folder / "train.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(FingerTipError, match=f"{problem}.*export again.*line 2"):
        check_export(folder)
    (folder / "train.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(FingerTipError, match="expected 3 rows, got 0"):
        check_export(folder)


def test_rows_beyond_a_length_are_counted(export: Export, tiny_models: Callable[[str], Path]) -> None:
    folder, count = export(track="suggestion"), token_counter(str(tiny_models("qwen2_5_vl")))
    longest = check_export(folder, count_tokens=count).longest
    assert longest is not None
    assert longest > 100
    whole = check_export(folder, count_tokens=count, max_length=longest)
    assert (whole.cut, whole.unlabelled) == (0, 0)
    short = check_export(folder, count_tokens=count, max_length=20)
    assert short.cut == short.unlabelled == short.rows


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            ("--track", "execution", "--agent", "habit"),
            "the agent habit is of track 1: expected one of",
        ),
        (("--track", "execution", "--agent", "nobody"), "expected an agent around a model, one of aguvis"),
        (("--track", "suggestion", "--agent", "cogagent"), "--agent cogagent is of track 2: leave it out"),
        (("--track", "suggestion", "--max-pixels", "9"), "--max-pixels needs pictures: give --screenshots"),
        (("--track", "execution", "--agent", "autodroid", "--max-pixels", "900"), "is sent no picture"),
        (
            ("--track", "suggestion", "--users", "1001,9,8"),
            "split train has no episodes to train on of users 8, 9; it has those of users 1001, 1002",
        ),
        (("--track", "suggestion", "--users", ","), "expected ids such as 1001,1002, or a file of them"),
        (
            ("--track", "suggestion", "--users", "."),
            ". is a folder: give ids such as 1001,1002, or a text file",
        ),
        (("--track", "suggestion", "--users", "/none/1001"), "there is no file /none/1001: give ids such as"),
        (
            ("--track", "suggestion", "--users", ",".join(map(str, range(1, 400)))),
            "no episodes to train on of users 1, 10, 100, 101, 102 and 394 more; it has those of",
        ),
        (("--track", "suggestion", "--users", "1001", "--episodes", "9"), "too few for --episodes 9"),
        (("--track", "suggestion", "--episodes", "0"), "expected a number of 1 or more, or all, got '0'"),
        (("--track", "suggestion", "--max-length", "9"), "--max-length needs --tokenizer"),
        (("--track", "suggestion", "--tokenizer", "/none"), "the tokenizer /none cannot be loaded"),
        (("--track", "suggestion", "--embed", "--format", "ms-swift"), "--embed is for --format trl"),
        (
            ("--track", "execution", "--start", "home"),
            "whose episodes begin in their app, got home: add --start app, or make a dataset with",
        ),
        (
            ("--track", "joint", "--agent", "ui-tars-1.5", "--format", "llama-factory"),
            "LLaMA-Factory leaves out rows of several answers",
        ),
    ],
)
def test_a_wrong_call_is_one_line(people: Path, tmp_path: Path, call: tuple[str, ...], message: str) -> None:
    done = fingertip("export", people, "--format", "trl", "--out", tmp_path / "export", *call)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_counts_and_refuses_to_overwrite(people: Path, tmp_path: Path) -> None:
    call = ("export", people, "--track", "execution", "--format", "trl", "--out", tmp_path / "export")
    done = fingertip(*call, "--json", "--episodes", 4)
    assert done.returncode == 0, done.stderr
    assert ExportRecord.model_validate_json(done.stdout) == ExportRecord.read(tmp_path / "export")
    again = fingertip(*call)
    assert again.returncode == 2
    assert again.stderr.startswith("fingertip: the folder exists: give another --out, or remove it")
    shown = fingertip(*call[:-1], tmp_path / "two", "--agent", "cogagent")
    assert "rows (" in shown.stdout
    assert "left out" in shown.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export", "two"]
