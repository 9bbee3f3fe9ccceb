"""The secret of a hidden test: which files are refused, and what follows from it."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_leaderboard.hidden_secret import HiddenSecret, read_secret, write_new_secret
from simulated_phone.people.person import make_person

RANDOM = hashlib.sha256(b"a secret of the tests").digest()


def private(file: Path, content: bytes) -> Path:
    file.write_bytes(content)
    file.chmod(0o600)
    return file


@pytest.mark.parametrize(
    "content", [RANDOM, RANDOM[:16], RANDOM.hex().encode(), RANDOM.hex().upper().encode() + b"\n"]
)
def test_random_bytes_and_hex_digits_are_secrets(content: bytes, tmp_path: Path) -> None:
    secret = read_secret(private(tmp_path / "secret", content))
    assert secret.content == (RANDOM[:16] if len(content) == 16 else RANDOM)
    assert RANDOM.hex() not in repr(secret)


GUESSABLE = {
    "nothing": b"",
    "31 hex digits": RANDOM.hex()[:30].encode(),
    "15 bytes": RANDOM[:15],
    "zeros": b"0" * 64,
    "zero bytes": bytes(32),
    "counted": bytes(range(32)),
    "counted in hex": bytes(range(32)).hex().encode(),
    "repeated": RANDOM[:4] * 8,
    "repeated hex": b"0123456789abcdef" * 4,
    "a sentence": b"correct horse battery staple, correct horse battery staple",
    "a number": b"20" + b" " * 30,
    "a large file": RANDOM * 200,
}


@pytest.mark.parametrize("content", GUESSABLE.values(), ids=GUESSABLE)
def test_a_secret_that_can_be_guessed_is_refused(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read_secret(private(tmp_path / "secret", content))
    assert "\n" not in str(refused.value)
    for part in (content, content.hex().encode()):
        assert len(part) < 8 or part[:8] not in str(refused.value).encode()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o601])
def test_a_secret_that_others_can_use_is_refused(mode: int, tmp_path: Path) -> None:
    file = private(tmp_path / "secret", RANDOM)
    file.chmod(mode)
    with pytest.raises(UsageError, match=rf"others may read the secret \(mode {mode:o}\)"):
        read_secret(file)


def link(file: Path) -> None:
    private(file.with_name("content"), RANDOM)
    file.symlink_to("content")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (link, "it is a link"),
        (os.mkfifo, "is not a file"),
        (os.mkdir, "is not a file"),
        (Path.exists, "No such file"),
    ],
)
def test_a_secret_that_is_no_file_is_refused(make: Callable[[Path], None], why: str, tmp_path: Path) -> None:
    make(tmp_path / "secret")
    with pytest.raises(UsageError, match=why):
        read_secret(tmp_path / "secret")


def test_a_secret_that_git_tracks_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "repo" / "deep"
    folder.mkdir(parents=True)
    file = private(folder / "secret", RANDOM)
    subprocess.run(["git", "init", "-q", str(tmp_path / "repo")], check=True)
    assert read_secret(file).content == RANDOM
    subprocess.run(["git", "-C", str(folder), "add", "-f", "secret"], check=True)
    with pytest.raises(UsageError, match="the secret is tracked by git"):
        read_secret(file)


def test_a_new_secret_is_private_and_never_overwrites(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = write_new_secret(tmp_path / "secret")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert read_secret(tmp_path / "secret") == made
    assert write_new_secret(tmp_path / "another") != made
    with pytest.raises(UsageError, match="a secret is never overwritten"):
        write_new_secret(tmp_path / "secret")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(UsageError, match="a secret is never overwritten"):
        write_new_secret(tmp_path / "link")


def test_a_system_without_private_files_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_new_secret(tmp_path / "secret")
    monkeypatch.delattr(os, "O_NOFOLLOW")
    for use, file in ((read_secret, "secret"), (write_new_secret, "new")):
        with pytest.raises(UsageError, match="a hidden test needs Linux or macOS"):
            use(tmp_path / file)


def test_seeds_commitment_and_keyed_hashes_tell_nothing_of_one_another() -> None:
    secret = HiddenSecret(RANDOM)
    derived = [
        f"{secret.seed('one size'):064x}",
        f"{secret.seed('another size'):064x}",
        secret.commitment,
        secret.mac("record", b"one size"),
        secret.mac("tasks", b"one size"),
        RANDOM.hex(),
        hashlib.sha256(RANDOM).hexdigest(),
    ]
    assert len(set(derived)) == len(derived)
    assert HiddenSecret(RANDOM).commitment == secret.commitment
    assert HiddenSecret(RANDOM).seed("one size") == secret.seed("one size")
    assert HiddenSecret(RANDOM[:-1] + b"\0").commitment != secret.commitment


@pytest.mark.parametrize("bit", [0, 63, 64, 127, 128, 255])
def test_people_follow_from_every_bit_of_a_seed(bit: int) -> None:
    seed = HiddenSecret(RANDOM).seed("people")
    one, other = (make_person(0, value) for value in (seed, seed ^ 1 << bit))
    assert one.seed != other.seed
    assert one.leaning("search") != other.leaning("search")
    assert one.generator("deed").random() != other.generator("deed").random()


def test_phones_of_a_wide_seed_have_wide_seeds_and_published_ones_stay() -> None:
    wide = [make_person(number, HiddenSecret(RANDOM).seed("people")).seed for number in range(20)]
    assert len(set(wide)) == 20
    assert max(wide) > 2**120
    assert [make_person(number, 20).seed for number in range(3)] == PUBLISHED


PUBLISHED = [91507, 351089, 864635]
"""Seeds of the first phones of fingertip-sim, whose people are published."""
