"""Attacks on the reading of bundles: their size, the end of a .zip, their place, secrets in any file."""

from __future__ import annotations

import base64
import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from board.tests.fingertip_leaderboard.bundle_factory import BASELINE_CARD, Workshop
from fingertip_dataset.errors import UsageError
from fingertip_leaderboard import RefusalKind, make_bundle, verify_bundle
from fingertip_leaderboard.bundle.contents import open_contents
from fingertip_leaderboard.bundle.lines import PREDICTION
from fingertip_leaderboard.bundle.refusal import Refusal, Refusals
from fingertip_leaderboard.bundle.secrets import find_secret
from fingertip_leaderboard.bundle.strict_json import MOST_LINES, MOST_VALUES, read_record, read_records
from fingertip_leaderboard.commands.leaderboard import command as leaderboard
from fingertip_leaderboard.commands.verify import command as verify

KEY = "sk-abcdEFGH1234ijklMNOP5678"


def problems(place: Path, workshop: Workshop) -> tuple[Refusal, ...]:
    report = verify_bundle(place, workshop.sample)
    assert report.scores is None
    return report.problems


def zipped(workshop: Workshop, place: Path) -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in workshop.parts("model").files().items():
            archive.writestr(name, content)
    return place


def test_lines_are_counted_before_one_is_copied() -> None:
    """A file of 60 MB of line ends, 245 kB in a .zip, took 847 MB."""
    content = b"\n" * (8 << 20)
    found = Refusals()
    tracemalloc.start()
    assert list(read_records(PREDICTION, content, found, "predictions.jsonl")) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [one.kind for one in found.refusals] == [RefusalKind.TOO_LARGE]
    assert f"at most {MOST_LINES:,} lines, got {8 << 20:,}" in found.refusals[0].reason
    assert peak < 100_000


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"[" + b"[]," * MOST_VALUES + b"[]]", id="arrays", marks=pytest.mark.soak),
        pytest.param(b"{" + b'"":{},' * MOST_VALUES + b'"":{}}', id="objects", marks=pytest.mark.soak),
        pytest.param(b"[" + b"1," * MOST_VALUES + b"1]", id="numbers"),
    ],
)
def test_values_are_counted_before_they_are_parsed(line: bytes) -> None:
    found = Refusals()
    tracemalloc.start()
    assert read_record(PREDICTION, line, found, "predictions.jsonl", 1) is None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [one.kind for one in found.refusals] == [RefusalKind.JSON_BOMB]
    assert peak < 3 * len(line)


def test_long_settings_are_refused_and_not_submitted(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("model")
    parts.head["run"]["agent"]["settings"]["prompt"] = "x" * 300_000
    (problem,) = problems(parts.write(tmp_path / "bundle"), workshop)
    assert (problem.kind, problem.file) == (RefusalKind.TOO_LARGE, "bundle.json")
    assert "at most 262,144 bytes besides the list of files" in problem.reason


@pytest.mark.parametrize("behind", [b"x", b"PK\x05\x06" * 8, b"\0" * 70_000], ids=["a byte", "ends", "zeros"])
def test_bytes_behind_the_end_of_a_zip_are_refused(workshop: Workshop, tmp_path: Path, behind: bytes) -> None:
    place = zipped(workshop, tmp_path / "bundle.zip")
    assert verify_bundle(place, workshop.sample).accepted
    place.write_bytes(place.read_bytes() + behind)
    assert {problem.kind for problem in problems(place, workshop)} == {RefusalKind.BROKEN_ZIP}


def test_bytes_between_the_files_of_a_zip_are_refused(workshop: Workshop, tmp_path: Path) -> None:
    place = tmp_path / "bundle.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in workshop.parts("model").files().items():
            archive.writestr(name, content)
            assert archive.fp is not None
            archive.fp.write(b"hidden")
            archive.start_dir = archive.fp.tell()
    kinds = [problem.kind for problem in problems(place, workshop)]
    assert kinds == [RefusalKind.BROKEN_ZIP] * len(workshop.parts("model").files())


@pytest.mark.parametrize("field", ["extra", "comment"])
def test_bytes_beside_an_entry_of_a_zip_are_refused(workshop: Workshop, tmp_path: Path, field: str) -> None:
    place = tmp_path / "bundle.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in workshop.parts("model").files().items():
            entry = zipfile.ZipInfo(name)
            value = b"\xfe\xca\x00\x02" + b"hidden.." * 64 if field == "extra" else b"hidden"
            setattr(entry, field, value)
            archive.writestr(entry, content)
    kinds = {problem.kind for problem in problems(place, workshop)}
    assert kinds == {RefusalKind.BROKEN_ZIP}


def test_a_zip_that_was_written_as_a_stream_is_accepted(workshop: Workshop, tmp_path: Path) -> None:
    """A stream writes the size of a file behind it."""

    class Pipe:
        def __init__(self, place: Path) -> None:
            self.file = place.open("wb")

        def write(self, content: bytes) -> int:
            return self.file.write(content)

        def flush(self) -> None:
            self.file.flush()

    pipe = Pipe(tmp_path / "bundle.zip")
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for name, content in workshop.parts("model").files().items():
            archive.writestr(name, content)
    pipe.file.close()
    assert archive.infolist()[0].flag_bits & 0x8
    report = verify_bundle(tmp_path / "bundle.zip", workshop.sample)
    assert report.accepted, report.problems


def test_a_bundle_may_be_the_folder_above(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = workshop.parts("replayed screens").write(tmp_path / "bundle")
    monkeypatch.chdir(place / "screens")
    for path in ("..", "../", "../.", "../screens/.."):
        report = verify_bundle(Path(path), workshop.sample)
        assert report.accepted, report.problems
    monkeypatch.chdir(tmp_path)
    for path in ("..", ".", "", "/"):
        assert problems(Path(path), workshop)


def test_a_folder_that_cannot_be_listed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Refusals()
    name = "/proc/self/task/1" if Path("/proc/self/task/1").is_dir() else f"/proc/{1}/fdinfo"
    with open_contents(Path(name), found) as contents:
        assert contents is None
    assert found.refusals


def in_predictions(parts: Any, text: str) -> None:  # noqa: ANN401 - the parts of a bundle
    parts.tasks[2]["reasoning"] = text


def in_verdicts(parts: Any, text: str) -> None:  # noqa: ANN401 - the parts of a bundle
    parts.verdicts[2]["output"] = text


FORMS = {
    "as it is": f"the key {KEY}.",
    "behind a Chinese character": f"密钥{KEY}。",
    "in Base64": f"Basic {base64.b64encode(f'user:{KEY}'.encode()).decode()}",
    "in Base64 of addresses": base64.urlsafe_b64encode(f"??{KEY}".encode()).decode(),
    "as in an address": f"https://example.org/?q={quote(KEY).replace('-', '%2D')}",
    "cut by a line end": f"{KEY[:9]}\n{KEY[9:]}",
    "cut by an invisible character": f"{KEY[:9]}\u200b{KEY[9:]}",
    "with numbers of characters": "".join(f"&#{ord(letter):05000};" for letter in KEY),
    "as a sum of strings": f'"{KEY[:9]}" + "{KEY[9:]}"',
    "of a server that quotes it": json.dumps({"error": {"message": f"Incorrect API key: {KEY}"}}),
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_secret_in_the_output_of_a_model_is_refused(workshop: Workshop, tmp_path: Path, text: str) -> None:
    parts = workshop.parts("model")
    parts.tasks[2]["reasoning"] = text
    (problem,) = problems(parts.write(tmp_path / "bundle"), workshop)
    assert (problem.kind, problem.file, problem.line) == (RefusalKind.SECRET, "predictions.jsonl", 3)
    assert KEY not in problem.reason


def test_a_secret_escaped_as_json_may_write_it_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("model")
    parts.tasks[2]["reasoning"] = KEY
    content = parts.files()["predictions.jsonl"].replace(b"sk-", b"\\u0073\\u006b\\u002d")
    parts.raw["predictions.jsonl"] = content
    (problem,) = problems(parts.write(tmp_path / "bundle"), workshop)
    assert (problem.kind, problem.file, problem.line) == (RefusalKind.SECRET, "predictions.jsonl", 3)


def test_a_secret_in_any_file_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    """In the output of a judge, in a thought, in a tree and in the text of a picture."""
    judged = workshop.parts("judged")
    judged.verdicts[2]["output"] += KEY
    screens = workshop.parts("replayed screens")
    screens.tasks[0]["steps"][0]["thought"] = KEY
    tree = next(name for name in screens.screens if name.endswith(".xml"))
    screens.screens[tree] = b'<hierarchy>\n<node text="sk&#45;' + KEY[3:].encode() + b'"/></hierarchy>'
    picture = next(name for name in screens.screens if name.endswith((".png", ".jpg")))
    screens.screens[picture] += b"Comment\0" + KEY.encode()
    found = [
        (problem.kind, problem.file, problem.line)
        for place in (judged.write(tmp_path / "judged"), screens.write(tmp_path / "screens"))
        for problem in problems(place, workshop)
        if problem.kind == RefusalKind.SECRET
    ]
    assert sorted(found, key=str) == sorted(
        [
            (RefusalKind.SECRET, "verdicts.jsonl", 3),
            (RefusalKind.SECRET, "steps.jsonl", 1),
            (RefusalKind.SECRET, tree, 2),
            (RefusalKind.SECRET, picture, None),
        ],
        key=str,
    )


def test_a_run_with_a_secret_is_not_submitted(workshop: Workshop, tmp_path: Path) -> None:
    run = workshop.run("habit")
    copied = tmp_path / "run"
    copied.mkdir()
    for file in run.iterdir():
        if file.is_file():
            (copied / file.name).write_bytes(file.read_bytes())
    lines = (copied / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | {"reasoning": f"the server said: {KEY}"})
    (copied / "predictions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match="what looks like an API key") as raised:
        make_bundle(copied, tmp_path / "bundle", card=BASELINE_CARD, embedder=("lexical", workshop.embedder))
    assert raised.value.line == 2
    assert not (tmp_path / "bundle").exists()


@pytest.mark.parametrize(
    "text",
    [
        "点击“去结算”，然后打开微信。Task-2: open the disk-1 and risk-3-months.",
        "the prefix sk- of keys; sk-learn, sk-estimator-doc-link-and-more-of-it",
        "Bearer authentication-required, Basic authentication",
        "http://127.0.0.1:8080/v1/chat@home and https://example.org/a:b@c",
        "mailto:somebody@example.org?subject=1%20%E4%BD%A0",
        'eyJ is how {" begins in Base64',
        base64.b64encode(bytes(range(256)) * 40).decode(),
        base64.b64encode(b"The quick brown fox jumps over the lazy dog. " * 40).decode(),
        "def4b8a0c1" * 30,
        "a number of no character: &#" + "9" * 5_000,
    ],
)
def test_plain_text_is_no_secret(text: str) -> None:
    assert find_secret(text) is None


def test_no_text_of_a_bundle_is_a_command_of_the_terminal(workshop: Workshop, tmp_path: Path) -> None:
    hidden = "\x1b]0;title\x07\x1b[31m\u202e"
    heads: dict[str, dict[str, object]] = {
        "name": {"version": 3},
        "field": {"version": 3, hidden: 1},
        "value": {"version": hidden},
        "card": {"version": 3, "card": {hidden: 1, "name": hidden}},
        f"folder {hidden}".replace("/", ""): {},
    }
    for name, head in heads.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "bundle.json").write_text(json.dumps(head), encoding="utf-8")
    (tmp_path / "name" / f"{hidden}.txt").write_text("x", encoding="utf-8")
    dataset = ["--dataset", str(workshop.sample)]
    for command, call in (
        (verify, [*map(str, sorted(tmp_path.iterdir())), *dataset]),
        (leaderboard, [str(tmp_path), *dataset, "--verify-only"]),
    ):
        done = CliRunner().invoke(command, call)
        assert "refused" in done.output
        assert {"\x1b", "\x07", "\u202e"} & set(done.output) == set()
