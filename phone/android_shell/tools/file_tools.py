"""Commands on files: ls, cat, rm, cp, mv, mkdir, touch, stat, find, df, du and the like."""

from __future__ import annotations

import hashlib
import posixpath
import stat
import time
from collections.abc import Callable
from functools import partial

from android_shell.command_call import CommandCall, CommandError
from android_shell.files import CAPACITY, FileEntry, FileError
from android_shell.shell.globbing import compile_pattern
from android_shell.tools.tool_arguments import open_inputs, parse_options, read_contents

_BLOCK = 4096


async def cat(call: CommandCall) -> None:
    """`cat [FILE ...]`, or the standard input."""
    call.pop_flag("-u", "-v", "-e", "-t")
    for _, source in open_inputs(call, call.args):
        while data := await source.read():
            call.print(data)
            await call.flush()


def ls(call: CommandCall) -> None:
    """`ls [-l] [-a] [-A] [-d] [-1] [-R] [-t] [-S] [-r] [-h] [PATH ...]`."""
    flags, names = parse_options(call, "lAad1RtSrhsiFpCZnogLmc", ("color=", "color"))
    several = len(names) > 1
    for name in names or ["."]:
        with call.reporting(name):
            entry = call.device.files.find(call.path(name))
            if entry.is_folder and "-d" not in flags:
                _list_folder(call, name, flags, title=several or "-R" in flags)
            else:
                call.print(_format_line(name, entry, flags))


def _list_folder(call: CommandCall, name: str, flags: dict[str, str], *, title: bool) -> None:
    files = call.device.files
    if title:
        call.print(f"{name}:\n")
    path = call.path(name)
    found = [(one, files.find(posixpath.join(path, one))) for one in files.names(path)]
    if "-t" in flags:
        found.sort(key=lambda pair: -pair[1].changed)
    if "-S" in flags:
        found.sort(key=lambda pair: -len(pair[1].data))
    if "-r" in flags:
        found.reverse()
    if not {"-a", "-A"} & set(flags):
        found = [pair for pair in found if not pair[0].startswith(".")]
    if "-l" in flags:
        call.print(f"total {sum(-(-len(entry.data) // _BLOCK) * 4 for _, entry in found)}\n")
    for one, entry in found:
        call.print(_format_line(one, entry, flags))
    if "-R" in flags:
        for one, entry in found:
            if entry.is_folder:
                call.print("\n")
                _list_folder(call, posixpath.join(name, one), flags, title=True)


def _format_line(name: str, entry: FileEntry, flags: dict[str, str]) -> str:
    shown = name + ("/" if entry.is_folder and {"-F", "-p"} & set(flags) else "")
    if "-l" not in flags:
        return shown + "\n"
    moment = time.strftime("%Y-%m-%d %H:%M", time.gmtime(entry.changed))
    size = _format_size(len(entry.data)) if "-h" in flags else str(len(entry.data))
    links = 2 if entry.is_folder else 1
    return f"{stat.filemode(entry.mode)} {links} shell shell {size:>8} {moment} {shown}\n"


def _format_size(size: float) -> str:
    for unit in ("", "K", "M"):
        if size < 1000:
            return f"{size:.1f}{unit}" if unit and size < 10 else f"{size:.0f}{unit}"
        size /= 1024
    return f"{size:.1f}G"


def _do_each(call: CommandCall, names: list[str], work: Callable[[str], None]) -> None:
    if not names:
        raise call.usage_error("Needs 1 argument")
    for name in names:
        with call.reporting(name):
            work(call.path(name))


def rm(call: CommandCall) -> None:
    """`rm [-f] [-r] [-R] PATH ...`."""
    flags, names = parse_options(call, "firRv")
    recursive = bool({"-r", "-R"} & set(flags))
    if "-f" in flags:
        names = [name for name in names if call.device.files.get(call.path(name)) is not None]
        if not names:
            return
    _do_each(call, names, partial(call.device.files.remove, recursive=recursive))


def rmdir(call: CommandCall) -> None:
    """`rmdir FOLDER ...`."""

    def remove(path: str) -> None:
        if call.device.files.names(path):
            raise FileError("Directory not empty")
        call.device.files.remove(path, recursive=True)

    _do_each(call, parse_options(call, "p")[1], remove)


def mkdir(call: CommandCall) -> None:
    """`mkdir [-p] FOLDER ...`."""
    flags, names = parse_options(call, "pm:v")
    _do_each(call, names, partial(call.device.files.make_folder, parents="-p" in flags))


def touch(call: CommandCall) -> None:
    """`touch [-c] FILE ...`."""
    flags, names = parse_options(call, "camd:t:r:")
    if "-c" in flags:
        return
    _do_each(call, names, lambda path: call.device.files.append(path, b""))


def chmod(call: CommandCall) -> None:
    """`chmod MODE PATH ...`: an octal mode, or +x and the like, which adds or removes bits for all."""
    if len(call.args) < 2:
        raise call.usage_error("Needs 2 arguments")
    call.pop_flag("-R", "-f", "-v")
    mode, names = call.args[0], call.args[1:]

    def change(path: str) -> None:
        entry = call.device.files.find(path)
        entry.mode = _change_mode(mode, entry.mode)

    _do_each(call, names, change)


def _change_mode(text: str, mode: int) -> int:
    if text.isdecimal() and set(text) <= set("01234567"):
        return stat.S_IFMT(mode) | int(text[-4:], 8)
    who, sign, letters = text.partition("+") if "+" in text else text.partition("-")
    if not sign or not set(letters) <= set("rwxX") or not set(who) <= set("ugoa"):
        raise CommandError(f"chmod: bad mode '{text}'")
    bits = sum({"r": 0o444, "w": 0o222, "x": 0o111, "X": 0o111}[letter] for letter in set(letters))
    return mode | bits if sign == "+" else mode & ~bits


def copy(call: CommandCall) -> None:
    """`cp [-r] FROM ... TO` and `mv FROM ... TO`."""
    flags, names = parse_options(call, "rRafpivnTd")
    if len(names) < 2:
        raise call.usage_error("Needs 2 arguments")
    files, target = call.device.files, call.path(names[-1])
    entry = files.get(target)
    for name in names[:-1]:
        path = call.path(name)
        end = (
            posixpath.join(target, posixpath.basename(name.rstrip("/")))
            if entry and entry.is_folder
            else target
        )
        with call.reporting(name):
            inside = files.walk(path)
            if inside[0][1].is_folder and call.name == "cp" and not {"-r", "-R", "-a"} & set(flags):
                raise FileError("Skipped dir")
            for rest, one in inside:
                if one.is_folder:
                    files.make_folder(end + rest, parents=True)
                else:
                    files.write(end + rest, bytes(one.data), mode=one.mode & 0o777)
            # a file that is moved onto itself stays, as with rename(2)
            if call.name == "mv" and not files.same(path, end):
                files.remove(path, recursive=True)


async def sums(call: CommandCall) -> None:
    """`md5sum|sha1sum|sha256sum [-b] [FILE ...]`."""
    flags, names = parse_options(call, "bcs")
    async for name, data in read_contents(call, names):
        digest = hashlib.new(call.name.removesuffix("sum"), data, usedforsecurity=False).hexdigest()
        call.print(f"{digest}\n" if "-b" in flags else f"{digest}  {name}\n")


def stat_(call: CommandCall) -> None:
    """`stat [-c FORMAT] PATH ...`; of the format: %n %s %a %A %F %U %G %u %g %Y %y %b %B %i %h."""
    flags, names = parse_options(call, "c:fLt")
    for name in names:
        entry = call.device.files.get(call.path(name))
        if entry is None:
            call.print_error(f"stat: '{name}': No such file or directory\n")
            call.code = 1
            continue
        fields = _list_stat_fields(name, entry)
        form = flags.get("-c", _STAT)
        text = "".join(fields.get(part[0], "?") + part[1:] for part in form.split("%")[1:] if part)
        call.print(form.split("%")[0] + text + "\n")


_STAT = (
    "  File: %n\n  Size: %s\t Blocks: %b\t IO Blocks: 512\t%F\nDevice: fe05h/65029d\t Inode: %i\t Links: %h\n"
    "Access: (0%a/%A)\tUid: ( 2000/   shell)\tGid: ( 2000/   shell)\nAccess: %y\nModify: %y\nChange: %y"
)


def _list_stat_fields(name: str, entry: FileEntry) -> dict[str, str]:
    size = len(entry.data)
    moment = time.strftime("%Y-%m-%d %H:%M:%S.000000000 +0800", time.gmtime(entry.changed + 8 * 3600))
    kind = "directory" if entry.is_folder else "regular file" if size else "regular empty file"
    return {
        "n": name,
        "N": f"`{name}'",
        "s": str(size),
        "a": f"{entry.mode & 0o777:o}",
        "A": stat.filemode(entry.mode),
        "F": kind,
        "f": f"{entry.mode:x}",
        "b": str(-(-size // _BLOCK) * 8),
        "B": "512",
        "o": str(_BLOCK),
        **dict.fromkeys("UG", "shell"),
        **dict.fromkeys("ug", "2000"),
        **dict.fromkeys("XYZ", str(entry.changed)),
        **dict.fromkeys("xyz", moment),
        **dict.fromkeys("ih", "1"),
    }


def df(call: CommandCall) -> None:
    """`df [-h] [-k] [PATH ...]`."""
    flags, names = parse_options(call, "hkHPiat:")
    used = call.device.files.size + (20 << 30)
    total = CAPACITY + (20 << 30)
    mounts = {"/": ("/dev/block/dm-0", 1 << 30, 1 << 30), "/data": ("/dev/block/dm-5", total, used)}
    mounts["/storage/emulated"] = ("/dev/fuse", total, used)
    if names:
        for name in names:
            with call.reporting(name):
                call.device.files.find(call.path(name))
        mounts = {"/storage/emulated" if "sdcard" in name else "/data": mounts["/data"] for name in names}
    human = "-h" in flags
    call.print(
        f"{'Filesystem':<18}{'Size' if human else '1K-blocks':>10}{'Used':>10}{'Available':>10}"
        f"{' Use%'}{' Mounted on'}\n"
    )
    for place, (device, size, taken) in mounts.items():
        cells = [
            _format_size(value) if human else str(value // 1024) for value in (size, taken, size - taken)
        ]
        share = f"{-(-taken * 100 // size)}%"
        call.print(f"{device:<18}" + "".join(f"{cell:>10}" for cell in cells) + f"{share:>5} {place}\n")


def du(call: CommandCall) -> None:
    """`du [-s] [-h] [-k] [PATH ...]`."""
    flags, names = parse_options(call, "shkamxd:")
    for name in names or ["."]:
        with call.reporting(name):
            _print_sizes(call, name, flags)


def _print_sizes(call: CommandCall, name: str, flags: dict[str, str]) -> None:
    inside = call.device.files.walk(call.path(name))
    folders = [""] if "-s" in flags else [path for path, entry in inside if entry.is_folder or not path]
    for folder in reversed(folders):
        size = sum(
            -(-len(entry.data) // _BLOCK) * 4 + 4 * entry.is_folder
            for path, entry in inside
            if path == folder or path.startswith(folder + "/")
        )
        call.print(f"{_format_size(size * 1024) if '-h' in flags else size}\t{name}{folder}\n")


async def find(call: CommandCall) -> None:
    """`find [PATH ...] [TEST ...]`: -name, -iname, -path, -type, -maxdepth, -size, -exec, -delete, -print."""
    starts, tests = _find_arguments(call)
    for start in starts:
        try:
            inside = call.device.files.walk(call.path(start))
        except FileError as error:
            call.report(start, error)
            continue
        for path, entry in inside:
            await _apply_tests(call, start.rstrip("/") + path or "/", path.count("/"), entry, tests)


def _find_arguments(call: CommandCall) -> tuple[list[str], list[tuple[str, list[str]]]]:
    args, starts = list(call.args), []
    while args and not args[0].startswith(("-", "(", "!")):
        starts.append(args.pop(0))
    tests: list[tuple[str, list[str]]] = []
    while args:
        name = args.pop(0)
        if name == "-exec":
            ends = [index for index, arg in enumerate(args) if arg in (";", "+")]
            if not ends:
                raise CommandError("find: -exec needs ;")
            tests.append((name, args[: ends[0]]))
            args = args[ends[0] + 1 :]
        elif name in ("-print", "-print0", "-delete", "-follow", "-xdev", "!", "-a"):
            tests.append((name, []))
        elif name in _FIND_TESTS or name in ("-maxdepth", "-mindepth"):
            if not args:
                raise CommandError(f"find: '{name}' needs 1 arg")
            tests.append((name, [args.pop(0)]))
        else:
            raise CommandError(f"find: bad arg '{name}'")
    return starts or ["."], tests


def _is_size(entry: FileEntry, text: str) -> bool:
    units = {"c": 1, "k": 1024, "M": 1 << 20, "G": 1 << 30}
    unit = units.get(text[-1:], 512)
    digits = text.lstrip("+-").rstrip("ckMGb")
    if not digits.isdecimal():
        raise CommandError(f"find: bad size '{text}'")
    size = -(-len(entry.data) // unit)
    return (
        size > int(digits)
        if text[0] == "+"
        else size < int(digits)
        if text[0] == "-"
        else size == int(digits)
    )


_FIND_TESTS: dict[str, Callable[[str, FileEntry, str], bool]] = {
    "-name": lambda path, _, text: bool(compile_pattern(text).match(posixpath.basename(path))),
    "-iname": lambda path, _, text: bool(
        compile_pattern(text.lower()).match(posixpath.basename(path).lower())
    ),
    "-path": lambda path, _, text: bool(compile_pattern(text).match(path)),
    "-type": lambda _, entry, text: text == ("d" if entry.is_folder else "f"),
    "-size": lambda _, entry, text: _is_size(entry, text),
    "-mtime": lambda _path, _entry, _text: True,
    "-mmin": lambda _path, _entry, _text: True,
    "-newer": lambda _path, _entry, _text: True,
    "-user": lambda _path, _entry, text: text == "shell",
}


async def _apply_tests(
    call: CommandCall, path: str, depth: int, entry: FileEntry, tests: list[tuple[str, list[str]]]
) -> None:
    acted = inverted = False
    for name, args in tests:
        if name == "!":
            inverted = True
        elif name in ("-maxdepth", "-mindepth"):
            limit = int(args[0]) if args[0].isdecimal() else 0
            if depth > limit if name == "-maxdepth" else depth < limit:
                return
        elif name in _FIND_TESTS:
            if _FIND_TESTS[name](path, entry, args[0]) == inverted:
                return
            inverted = False
        elif name == "-delete":
            call.device.files.remove(call.path(path), recursive=entry.is_folder)
            acted = True
        elif name == "-exec":
            await call.flush()
            acted = True
            if await call.execute([arg.replace("{}", path) for arg in args]):
                return
        elif name in ("-print", "-print0"):
            call.print(path + ("\0" if name == "-print0" else "\n"))
            acted = True
    if not acted:
        call.print(path + "\n")


def basename(call: CommandCall) -> None:
    """`basename PATH [SUFFIX]`."""
    if not call.args:
        raise call.usage_error("Needs 1 argument")
    name = posixpath.basename(call.args[0].rstrip("/")) or "/"
    suffix = call.args[1] if len(call.args) > 1 else ""
    call.print((name.removesuffix(suffix) if name != suffix else name) + "\n")


def dirname(call: CommandCall) -> None:
    """`dirname PATH ...`."""
    for arg in call.args:
        call.print((posixpath.dirname(arg.rstrip("/")) or ("/" if arg.startswith("/") else ".")) + "\n")


def realpath(call: CommandCall) -> None:
    """`realpath PATH ...` and `readlink -f PATH ...`."""
    flags, names = parse_options(call, "feqn")
    for name in names:
        path = posixpath.normpath(call.path(name))
        with call.reporting(name):
            call.device.files.find(path)
            if call.name == "readlink" and "-f" not in flags:
                call.code = 1
                continue
            call.print(("/storage/emulated/0" + path[7:] if path.startswith("/sdcard") else path) + "\n")


def mktemp(call: CommandCall) -> None:
    """`mktemp [-d]`: create a file or a folder with a name of its own."""
    flags, _ = parse_options(call, "dqup:t")
    files = call.device.files
    number = next(
        number for number in range(100_000) if files.get(f"/data/local/tmp/tmp.{number:06}") is None
    )
    path = f"/data/local/tmp/tmp.{number:06}"
    if "-d" in flags:
        files.make_folder(path)
    else:
        files.write(path, b"")
    call.print(path + "\n")
