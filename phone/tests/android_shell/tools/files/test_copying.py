"""`cp`, `mv` and `rm` lose nothing: whatever they are given, what they do not replace stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phone.tests.simulated_phone.conftest import bare_device, run_line

FILES = {"a": b"1", "b": b"22", "d/x": b"333", "d/e/y": b"4444"}
NAMES = st.sampled_from(["a", "b", "d", "d/", "d/e", "d/x", "none", "none/x", ".", "..", "a/", "d/e/../x"])
OPTIONS = st.sampled_from(["", "-n", "-i", "-f", "-r", "-v", "-T"])


@given(
    tool=st.sampled_from(["cp", "mv"]),
    option=OPTIONS,
    names=st.lists(NAMES, min_size=1, max_size=3),
)
def test_a_copy_that_fails_leaves_everything(tool: str, option: str, names: list[str]) -> None:
    device = bare_device()
    root = "/data/local/tmp/w"
    for name, data in FILES.items():
        device.files.write(f"{root}/{name}", data, parents=True)
    if tool == "mv" and option == "-r":
        return
    code, _, err = run_line(f"cd {root}; {tool} {option} {' '.join(names)} < /dev/null", device)
    content = [bytes(entry.data) for _, entry in device.files.walk("/data/local/tmp") if not entry.is_folder]
    assert bool(code) == bool(err) or (option == "-i" and not code)
    # a file is gone only where another one of them was copied over it
    lost = set(FILES.values()) - set(content)
    assert len(lost) <= len(names) - 1
    assert not lost or (code == 0 or len(names) > 2)
    if option in ("-n", "-i"):
        assert not lost


def test_a_folder_cannot_be_within_itself() -> None:
    device = bare_device()
    run_line("cd /data/local/tmp; mkdir -p d/e; echo a > d/x", device)
    for line in ("mv d d/sub", "mv d d/e", "cp -r d d/new", "cp -r d d/e"):
        code, _, err = run_line(f"cd /data/local/tmp; {line}", device)
        assert (code, bool(err)) == (1, True), line
        assert run_line("cd /data/local/tmp; cat d/x", device) == (0, "a\n", "")
    assert run_line("cd /data/local/tmp; find . -name x", device)[1].count("\n") <= 2
