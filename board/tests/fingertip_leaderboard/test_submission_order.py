"""Order of submission: signed lists, the Hub's history, and what they say of near copies."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from board.tests.fingertip_leaderboard.boards import LATER
from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.hub_server import Hub, served_hub
from fingertip_dataset.errors import HubError, UsageError
from fingertip_dataset.parquet.source import source
from fingertip_leaderboard.commands.leaderboard import command
from fingertip_leaderboard.decisions import read_decisions
from fingertip_leaderboard.hub.merge_history import read_hub_order
from fingertip_leaderboard.results_file import read_results
from fingertip_leaderboard.submission_order import NAMESPACE, SubmissionOrder, read_signed_order
from fingertip_leaderboard.verified_records import VerifiedResults
from fingertip_leaderboard.verify.verify_cache import VerifyCache
from fingertip_leaderboard.verify_folder import read_heads, verify_folder

REPO = "board/submissions"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A maintainer's key, a stranger's key, and the file of allowed signers, which names the maintainer."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("maintainer", "stranger"):
        call = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
        subprocess.run(call, check=True)
    public = (folder / "maintainer.pub").read_text(encoding="utf-8")
    (folder / "signers").write_text(f"maintainer@example.org {public}", encoding="utf-8")
    return folder


def signed(file: Path, lines: list[str], key: Path, namespace: str = NAMESPACE) -> Path:
    """Write a list and sign it as docs/board.md says."""
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    file.with_name(f"{file.name}.sig").unlink(missing_ok=True)
    subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(key), str(file)],
        check=True,
        capture_output=True,
    )
    return file


@pytest.fixture(scope="module")
def folder(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A thief's copy whose name sorts first, and the honest original."""
    made = tmp_path_factory.mktemp("order") / "submissions"
    workshop.parts("model").write(made / "model")
    copied = workshop.parts("model")
    copied.head["card"]["name"] = "Aaa"
    for number, line in enumerate(copied.tasks):
        line["time_s"] += 0.1 + number / 100
    copied.write(made / "aaa")
    return made


def hashes(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256(head).hexdigest() for name, head in read_heads(folder).items()}


def lines_of(folder: Path, *names: str) -> list[str]:
    return [f"{hashes(folder)[name]}  submissions/{name}/bundle.json" for name in names]


def earlier(results: VerifiedResults) -> dict[str, list[str]]:
    """File -> which of two near copies is the earlier one."""
    return {one.file: [mark.earlier for mark in one.marks] for one in results.submissions}


def test_without_a_source_no_row_is_called_earlier(workshop: Workshop, folder: Path) -> None:
    results = verify_folder(folder, [workshop.sample], now=LATER)
    assert results.order == "unknown"
    assert earlier(results) == {"aaa": ["unknown"], "model": ["unknown"]}
    assert [one.submitted for one in results.submissions] == [None, None]


def test_a_signed_list_gives_the_order(workshop: Workshop, folder: Path, keys: Path, tmp_path: Path) -> None:
    file = signed(tmp_path / "order.txt", lines_of(folder, "model", "aaa"), keys / "maintainer")
    order = read_signed_order(file, keys / "signers")
    results = verify_folder(folder, [workshop.sample], now=LATER, order=order)
    assert results.order == "the list order.txt, signed by maintainer@example.org"
    assert earlier(results) == {"aaa": ["other"], "model": ["this"]}


def test_a_list_that_its_signers_did_not_sign_is_refused(folder: Path, keys: Path, tmp_path: Path) -> None:
    lines, signers = lines_of(folder, "aaa", "model"), keys / "signers"
    by_stranger = signed(tmp_path / "stranger.txt", lines, keys / "stranger")
    other_use = signed(tmp_path / "git.txt", lines, keys / "maintainer", namespace="git")
    changed = signed(tmp_path / "changed.txt", lines, keys / "maintainer")
    changed.write_text("".join(f"{line}\n" for line in reversed(lines)), encoding="utf-8")
    for file in (by_stranger, other_use, changed):
        with pytest.raises(UsageError, match="the signature is not of this list by one of signers"):
            read_signed_order(file, signers)
    unsigned = tmp_path / "unsigned.txt"
    unsigned.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with pytest.raises(UsageError, match=f"sign the list with `ssh-keygen -Y sign -n {NAMESPACE}"):
        read_signed_order(unsigned, signers)
    with pytest.raises(UsageError, match="name the file of signers"):
        read_signed_order(changed, tmp_path / "nobody")


def test_a_submitters_keys_are_no_signers(folder: Path, keys: Path, tmp_path: Path) -> None:
    file = signed(tmp_path / "order.txt", lines_of(folder, "aaa", "model"), keys / "stranger")
    public = (keys / "stranger.pub").read_text(encoding="utf-8")
    planted = folder / "signers"
    planted.write_text(f"maintainer@example.org {public}", encoding="utf-8")
    try:
        with pytest.raises(UsageError, match="must not lie among bundles"):
            read_signed_order(file, planted)
    finally:
        planted.unlink()


def test_missing_double_and_broken_entries_are_one_line_errors(
    workshop: Workshop, folder: Path, keys: Path, tmp_path: Path
) -> None:
    key, signers = keys / "maintainer", keys / "signers"
    part = signed(tmp_path / "order.txt", lines_of(folder, "model"), key)
    with pytest.raises(UsageError, match=r"signed by maintainer@example\.org has no entry of aaa: append"):
        verify_folder(folder, [workshop.sample], now=LATER, order=read_signed_order(part, signers))
    double = signed(tmp_path / "order.txt", lines_of(folder, "model", "aaa", "model"), key)
    with pytest.raises(UsageError, match="the bundle has an entry in line 1 already"):
        read_signed_order(double, signers)
    broken = signed(tmp_path / "order.txt", [*lines_of(folder, "model"), "aaa"], key)
    with pytest.raises(UsageError, match=r"expected a line of `sha256sum FOLDER/bundle\.json`, got 'aaa'"):
        read_signed_order(broken, signers)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    from huggingface_hub.utils import close_session

    monkeypatch.delenv("HF_TOKEN", raising=False)
    with served_hub("hf_" + "0rderS3cret" * 3) as server:
        server.public = True
        server.new_repo("dataset", REPO)
        yield server
        close_session()


def published(hub: Hub, folder: Path, **times: str) -> dict[str, bytes]:
    """Put bundles into the Hub's repo, each by a commit of its time; the content of each bundle.json."""
    heads, repo = read_heads(folder), hub.repos["dataset", REPO]
    for name, time in times.items():
        path = f"submissions/{name}/bundle.json"
        repo.files[path] = heads[name]
        repo.dates[path] = time
    return heads


def test_the_hubs_history_gives_the_order(workshop: Workshop, folder: Path, hub: Hub) -> None:
    heads = published(hub, folder, model="2026-11-01T08:00:00.000Z", aaa="2026-11-02T08:00:00.000Z")
    order = read_hub_order(REPO, heads, endpoint=hub.endpoint)
    results = verify_folder(folder, [workshop.sample], now=LATER, order=order)
    assert results.order == "the history of board/submissions on the Hub"
    assert earlier(results) == {"aaa": ["other"], "model": ["this"]}
    submitted = {one.file: one.submitted or "" for one in results.submissions}
    assert submitted["model"].startswith("2026-11-01 08:00 UTC, commit ")
    page = next(one.page for one in results.submissions if one.file == "model")
    assert page == f"{hub.endpoint}/datasets/{REPO}/tree/{'a' * 40}/submissions/model"


def test_another_content_or_one_commit_has_no_order(workshop: Workshop, folder: Path, hub: Hub) -> None:
    heads = published(hub, folder, model="2026-11-01T08:00:00.000Z", aaa="2026-11-01T08:00:00.000Z")
    same = verify_folder(
        folder, [workshop.sample], now=LATER, order=read_hub_order(REPO, heads, endpoint=hub.endpoint)
    )
    assert earlier(same) == {"aaa": ["unknown"], "model": ["unknown"]}
    hub.repos["dataset", REPO].files["submissions/aaa/bundle.json"] = b"{}"
    order = read_hub_order(REPO, heads, endpoint=hub.endpoint)
    assert set(order.places) == {hashes(folder)["model"]}
    del hub.repos["dataset", REPO].files["submissions/model/bundle.json"]
    with pytest.raises(HubError, match="has none of these bundles below submissions/: is it their repo"):
        read_hub_order(REPO, heads, endpoint=hub.endpoint)


def call(folder: Path, workshop: Workshop, *options: str) -> Result:
    words = [str(folder), "--dataset", str(workshop.sample), "--verify-only", *options]
    return CliRunner().invoke(command, words)


def test_a_person_decides_on_marked_submissions(workshop: Workshop, folder: Path, tmp_path: Path) -> None:
    sha256 = hashes(folder)
    done = call(folder, workshop)
    assert done.exit_code == 1, done.output
    assert "2 verified, 0 refused" in done.output
    assert "answers nearly equal to Aaa (12 of 12), order unknown" in done.output
    assert "2 marked: a person must decide with --decisions" in done.output
    assert f"  {sha256['model']}  model" in done.output
    decisions, results = tmp_path / "decisions.json", tmp_path / "results.json"
    keep = {"decision": "keep", "reason": "the same team"}
    decisions.write_text(json.dumps({sha256["model"]: keep, sha256["aaa"]: keep}), encoding="utf-8")
    done = call(folder, workshop, "--decisions", str(decisions))
    assert (done.exit_code, "marked: a person" in done.output) == (0, False), done.output
    remove = {"decision": "remove", "reason": "a copy of model"}
    decisions.write_text(json.dumps({sha256["aaa"]: remove}), encoding="utf-8")
    done = call(folder, workshop, "--decisions", str(decisions), "--results", str(results))
    assert done.exit_code == 0, done.output
    found = read_results(results)
    assert [(one.file, one.marks) for one in found.submissions] == [("model", ())]
    assert [(one.file, one.reason) for one in found.removed] == [("aaa", "a copy of model")]


def test_wrong_decisions_and_options_are_one_line_errors(
    workshop: Workshop, folder: Path, tmp_path: Path, keys: Path
) -> None:
    file = tmp_path / "decisions.json"
    for text, words in (
        ("[]", "got at the whole file"),
        ('{"ab": {"decision": "keep", "reason": "x"}}', r"got at ab"),
        (json.dumps({"0" * 64: {"decision": "hide", "reason": "x"}}), "decision"),
        (json.dumps({"0" * 64: {"decision": "keep", "reason": ""}}), "reason"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=words):
            read_decisions(file)
    with pytest.raises(UsageError, match="the file of decisions cannot be read"):
        read_decisions(tmp_path / "nowhere.json")
    file.write_text(json.dumps({"0" * 64: {"decision": "keep", "reason": "x"}}), encoding="utf-8")
    for options, words in (
        (["--decisions", str(file)], "no accepted submission of this folder"),
        (["--order", str(file)], "--order and --signers go together"),
        (["--order-from", "git:x/y"], "expected --order-from hub:OWNER/NAME"),
        (["--order-from", "hub:x"], "expected --order-from hub: as OWNER/NAME"),
        (
            ["--order", str(file), "--signers", str(keys / "signers"), "--order-from", "hub:x/y"],
            "exclude each other",
        ),
    ):
        done = call(folder, workshop, *options)
        assert isinstance(done.exception, UsageError), done.output
        assert words in str(done.exception)


def test_the_cache_is_the_users_and_is_keyed_by_content(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINGERTIP_CACHE", str(tmp_path / "cache"))
    place = workshop.parts("habit").write(tmp_path / "bundles" / "habit")
    known = not source().dirty
    first = verify_folder(tmp_path / "bundles", [workshop.sample], now=LATER, cache=VerifyCache())
    entries = list((tmp_path / "cache").rglob("*.json"))
    assert len(entries) == known, "code with changes has no version"
    again = verify_folder(tmp_path / "bundles", [workshop.sample], now=LATER, cache=VerifyCache())
    assert again.submissions == first.submissions
    with (place / "predictions.jsonl").open("a") as file:
        file.write("\n")
    changed = verify_folder(tmp_path / "bundles", [workshop.sample], now=LATER, cache=VerifyCache())
    assert [one.file for one in changed.refused] == ["habit"]
    assert list((tmp_path / "cache").rglob("*.json")) == entries, "refused bundles are not kept"


def test_a_cache_that_others_may_write_is_not_read(tmp_path: Path, workshop: Workshop) -> None:
    place = workshop.parts("habit").write(tmp_path / "habit")
    (tmp_path / "cache" / "verified").mkdir(parents=True)
    (tmp_path / "cache" / "verified").chmod(0o777)
    assert VerifyCache(tmp_path / "cache").key(place, ()) is None


def test_the_order_of_unknown_bundles_is_unknown() -> None:
    order = SubmissionOrder(places={"a": 1, "b": 2, "c": 2})
    assert [order.earlier(*pair) for pair in ("ab", "ba", "bc", "ad", "da")] == [
        "this",
        "other",
        "unknown",
        "unknown",
        "unknown",
    ]
