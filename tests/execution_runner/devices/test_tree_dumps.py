"""Each dump of a tree has a file of its own."""

from __future__ import annotations

from execution_runner.devices.tree_dumps import DumpFiles


def test_each_dump_has_a_file_of_its_own_and_a_left_one_is_deleted() -> None:
    files = DumpFiles()
    first, second = files.make_line(), files.make_line()
    files.forget()
    third = files.make_line()
    names = [line.split()[2].rstrip(";") for line in (first, second, third)]
    assert len({*names, DumpFiles().make_line().split()[2]}) == 4
    assert second.endswith(f"rm -f {names[1]} {names[0]}")
    assert third.endswith(f"rm -f {names[2]}")
