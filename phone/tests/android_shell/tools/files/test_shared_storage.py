"""Files of the shared storage and times of files, which the recorder's root does not have."""

from __future__ import annotations

import re

import pytest

from phone.tests.simulated_phone.conftest import bare_device, run_line


@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        ("umask 077; echo a > /sdcard/f; stat -c '%a %U %G' /sdcard/f", 0, "660 u0_a145 media_rw\n", ""),
        ("mkdir -m 700 /sdcard/d; stat -c '%a %U' /sdcard/d", 0, "2770 u0_a145\n", ""),
        ("chmod 600 /sdcard/Music; stat -c %a /sdcard/Music", 0, "2770\n", ""),
        ("echo a > /data/local/tmp/f; stat -c '%a %U %G' /data/local/tmp/f", 0, "666 shell shell\n", ""),
        ("umask 027; mkdir /data/local/tmp/d; stat -c %a /data/local/tmp/d", 0, "750\n", ""),
        ("ls -ld /sdcard | cut -d' ' -f1,9-", 0, "lrwxrwxrwx -> /storage/self/primary\n", ""),
        (
            "realpath /sdcard/Music; readlink -f /mnt/sdcard",
            0,
            "/storage/emulated/0/Music\n/storage/emulated/0\n",
            "",
        ),
        (
            "ln -s a /sdcard/l",
            1,
            "",
            "ln: cannot create symbolic link from 'a' to '/sdcard/l': Function not implemented\n",
        ),
        (
            "cd /data/local/tmp; touch a; ln a b",
            1,
            "",
            "ln: cannot create hard link from 'a' to 'b': Permission denied\n",
        ),
        ("touch /system/x", 1, "", "touch: '/system/x': Read-only file system\n"),
        ("mkdir /data/x", 1, "", "mkdir: '/data/x': Permission denied\n"),
        ("rm -rf /storage/emulated/0", 1, "", "rm: /storage/emulated/0: Permission denied\n"),
        (
            "df /sdcard | tail -1 | sed 's/.* //'; df -t ext4 -P | tail -1 | cut -d' ' -f1",
            0,
            "/storage/emulated\n/dev/block/dm-0\n",
            "",
        ),
        ("mount -t f2fs", 0, "/dev/block/dm-5 on /data type f2fs (rw,seclabel,nosuid,nodev,noatime)\n", ""),
    ],
)
def test_files_are_as_on_a_phone(line: str, code: int, out: str, err: str) -> None:
    found = run_line(line)
    # what could be removed below the folder is gone, as on a phone
    assert (found[0], found[1], found[2].splitlines(keepends=True)[-1:] if err else "") == (
        code,
        out,
        [err] if err else "",
    )


def test_a_file_that_is_moved_between_the_storages_keeps_its_content_and_time() -> None:
    line = (
        "cd /data/local/tmp; echo a > f; touch -d @1000 f; mv f /sdcard/g && stat -c '%Y %a' /sdcard/g; "
        "mkdir -p d/e; echo b > d/e/x; mv d /sdcard/; find /sdcard/d; ls; mv /sdcard/d .; cat d/e/x"
    )
    assert run_line(line) == (0, "1000 660\n/sdcard/d\n/sdcard/d/e\n/sdcard/d/e/x\nb\n", "")


def test_files_have_the_phones_time_in_its_zone() -> None:
    device = bare_device()
    line = (
        "cd /data/local/tmp; touch f; date +%F_%R; stat -c %y f; ls -l f; TZ=UTC ls -l f; "
        "[ $(stat -c %Y f) = $(date +%s) ] && echo same; date -u +%R; date +%z"
    )
    code, out, err = run_line(line, device)
    moment = device.phone.now
    assert (code, err) == (0, "")
    shown = out.splitlines()
    assert shown[0] == f"{moment:%Y-%m-%d_%H:%M}"
    assert re.fullmatch(rf"{moment:%Y-%m-%d %H:%M:%S}\.\d{{9}} \+0800", shown[1])
    assert f"{moment:%Y-%m-%d %H:%M} f" in shown[2]
    assert " 00:30 f" in shown[3]
    assert shown[4:] == ["same", "00:30", "+0800"]


def test_changes_at_the_same_moment_have_an_order() -> None:
    line = "cd /data/local/tmp; touch b; touch a; touch c; ls -t; find . -newer a"
    assert run_line(line) == (0, "c\na\nb\n.\n./c\n", "")


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("gzip a; ls; gunzip a.gz; cat a", "a.gz\nabc\n"),
        ("gzip -k a; zcat a.gz; ls", "abc\na\na.gz\n"),
        ("gzip -c a | gzip -d; ls", "abc\na\n"),
        ("gzip -k a; gzip -k a; echo $?; gzip -fk a; echo $?", "1\n0\n"),
        ("echo rubbish | gunzip; echo $?; gzip none; echo $?", "1\n1\n"),
        ("tar czf t.tgz a; rm a; tar xzf t.tgz; cat a; tar tf t.tgz", "abc\na\n"),
        ("mkdir d; cp a d; tar cf t.tar --exclude 'a' d; tar tf t.tar", "d/\n"),
        (
            "mkdir d; tar cf t.tar a; tar xf t.tar -C d; ls d; touch -d @9 a; tar cf t.tar a; tar xf t.tar; "
            "stat -c %Y a",
            "a\n9\n",
        ),
        ("expr 1 + 2 \\* 3; expr 5 / 2; expr -7 % 3; expr 2 \\> 10; expr b \\> a", "7\n2\n-1\n0\n1\n"),
        (
            "expr abc : 'a\\(.*\\)'; expr abc : ab; expr 0; echo $?; expr 1 +; echo $?",
            "bc\n2\n0\n1\n2\n",
        ),
        ("expr '' \\| x; expr 3 = 3; expr \\( 1 + 2 \\) \\* 2; expr a + 1; echo $?", "x\n1\n6\n2\n"),
        ("dd if=a of=b bs=1 count=2 2> /dev/null; cat b; echo; dd if=a skip=1 bs=1 status=none", "ab\nbc\n"),
        (
            "tr abc xyz < a; tr -d b < a; echo aabb | tr -s a; echo a-b | tr -c 'a-z\\n' _",
            "xyz\nac\nabb\na_b\n",
        ),
    ],
)
def test_tools_that_the_recorder_lacks(line: str, out: str) -> None:
    code, printed, _ = run_line(f"cd /data/local/tmp; echo abc > a; {line}")
    assert (printed, code) == (out, 0)
