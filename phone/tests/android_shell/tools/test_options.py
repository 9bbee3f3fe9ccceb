"""The options of all tools: each letter is read by code, or refused."""

from __future__ import annotations

import inspect
import re
import string
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from types import MappingProxyType

import pytest

from android_shell.command_call import CommandCall, CommandError, UnsupportedError
from android_shell.tools.tool_options import Tool
from phone.tests.android_shell.oracle.record import PREPARE
from phone.tests.simulated_phone.conftest import bare_device, run_line
from simulated_phone.adb.commands import TOYBOX
from simulated_phone.adb.device_state import DeviceState

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {name: run for name, run in TOYBOX.items() if isinstance(run, Tool)}
)
OWN_PARSING = {"[", "chown", "dd", "dmesg", "false", "ifconfig", "kill", "ping", "setenforce", "test", "true"}
"""Tools without options of letters, `kill`, whose signals are options, and `ping`, which reaches nothing."""

FOLDER = "/data/local/tmp"
LINES = r"""
base64 -w 4 nonl; base64 -di nonl
basename -a -s .c a.c
cat -e nonl; cat -t nonl; cat -uv nonl
chmod -R -v 755 dir; chmod -f 600 none
cmp -l -n 9 a.txt nums.txt; cmp -s a.txt nums.txt
cp -p -v a.txt b; cp -i a.txt b; cp -n a.txt b; cp -u a.txt b; touch ro; chmod 444 ro; cp -f a.txt ro
cp -F a.txt b; cp -R dir d2; cp -r dir d3
cp -a dir d4; cp -H a.txt c; cp -L -r dir d5; ln -s a.txt k; cp -P k d; cp -d k d; cp -T a.txt e
cp -t dir a.txt; cp --preserve=mode a.txt f
cut -f1 -d, -s t.csv; cut -D -F 2,1 a.txt; cut -b1 a.txt; cut -c1 -O: a.txt
date -d @0 -u; date -r a.txt; date -I; date -s 01010000
df -H; df -P; df -a -h; df -P -k -t ext4
diff -a -b -d -i -t -T -u -U 1 -L x a.txt nums.txt; diff -w -q -N a.txt nums.txt; diff -r -s dir d3
du -H -a -b dir; du -c -d 1 -h dir; du -K dir; du -b -k dir; du -m -s dir
/system/bin/echo -n x; /system/bin/echo -e x; /system/bin/echo -e -E x; toybox echo -E -e x
env -0; env -i; env -u HOME true
find -H dir; find -L dir
free -b; free -g; free -k; free -m
grep -c a a.txt; grep -n -A1 -B1 -C1 a a.txt; grep -o -b a a.txt; grep -i -w A a.txt; grep -x -v a a.txt
grep -l a a.txt; grep -L a a.txt
grep -E -e a -m1 a.txt; grep -F -f nums.txt a.txt; grep -H a a.txt; grep -h a a.txt nums.txt
grep -q a a.txt; grep -s a none; grep -z a a.txt; grep -Z -l a a.txt
grep -a a bin; grep -I a bin; grep -r --include=x --exclude=y --exclude-dir=z a .; grep -R a .
grep --color=auto --line-buffered a a.txt
gzip -c -d a.txt; gzip -k nonl; gzip -k -f -n nonl; gzip -1 -c a.txt; echo | gzip -2; echo | gzip -3
echo | gzip -4; echo | gzip -5
echo | gzip -6; echo | gzip -7; echo | gzip -8; echo | gzip -9
head -c 3 a.txt; head -n 1 -q a.txt nums.txt; head -v a.txt
id -u -n -r; id -G; id -g; id -Z
ln -s -f -n -v a.txt l; ln -s -T a.txt m; ln -s -t dir b
ls -1 -l -a; ls -A -F -H; ls -L -R; ls -S -l -c; ls -d -f; ls -g -h -i; ls -m -n; ls -m; ls -o -p -r
ls -s -t -u
md5sum -b nonl; md5sum -c -s none
mkdir -m 700 -p -v n/o
mktemp -d -q -p none; mktemp -u -t x.XXX; mktemp -p dir
mount -o rw -w; mount -t f2fs
cp a.txt p; mv -v p /sdcard/p; cp a.txt p; mv -F p /sdcard/p; mv nonl nonl2; mv -n nonl2 a.txt
mv -i nonl2 a.txt; mv -f nonl2 nums.txt; mv -T t.csv t2; mv -t dir t2
nice -n 1 true
nl -b a -l 1 -n rz -s : -v 1 -w 3 a.txt
od -A x -t x1 -N 4 -j 1 -v -w 4 a.txt; od -b a.txt; head -c 64 /dev/zero | od -v; od -c a.txt; od -d a.txt
od -o a.txt; od -s a.txt; od -x a.txt
paste -s -d , nums.txt
pgrep -c -f sys; pgrep -d , -l -n sys; pgrep -o -v -x sys
pidof -o 9 -s init
netstat -t -l -n; netstat -a
pkill -f -l 9 none; pkill -n -v -x none; pkill -o none
printenv -0
ps -A -n; ps -e -f; ps -o PID -p 1; ps -P 1; ps -u shell; ps -U root
readlink -e l; readlink -f -n l; readlink -m l; readlink -q none; readlink -v -z none
realpath -e -q x; realpath -m -s -z x; /system/bin/realpath -e -q x; /system/bin/realpath -m -s -z x
rm -v win.txt; rm -i kv; rm -f none; rm -r d2; rm -R d3
rmdir -p n/o; rmdir --ignore-fail-on-non-empty dir
sed -n -E -e p -s a.txt; sed -r -f kv a.txt; sed -i.b s/q/q/ a.txt; sed -z p a.txt; sed --version
seq -s , 2; seq -w 2; seq -f %g 2
setsid -w true
sort -b -d -f -i nums.txt; sort -C nums.txt; sort -c nums.txt; sort -M -r nums.txt; sort -g nums.txt
sort -n -k 1 -t , -o o nums.txt
sort -s nums.txt; sort -u nums.txt; sort -x nums.txt; sort -z nums.txt
split -a 2 -b 5 a.txt; split -l 2 a.txt
stat -L -c %s a.txt; stat -t a.txt
strings -f -n 2 -t x a.txt; strings -o a.txt
tail -c 3 a.txt; tail -n 1 a.txt; timeout 0.01 tail -f -s 1 a.txt; timeout 0.01 tail -F a.txt
tar -c -f o.tar --exclude none -v dir; tar -c -z -f o.tgz -C dir x; tar -x -k -m -p -f o.tar
tar -x -O -f o.tar; tar -t -f o.tar
tee -a o < nums.txt
timeout -k 1 -s TERM -v 1 true; timeout -v 0.01 sleep 1
top -b -d 1 -m 2 -n 1 -q; top -n 1
touch -a -f a.txt; touch -m -c -h none; touch -d @0 a.txt; touch -r a.txt nums.txt
touch -t 202001010000 a.txt
tr -C a b < nums.txt; tr -c a b < nums.txt; tr -d a < nums.txt; tr -s a < nums.txt
truncate -c -s 1 new
uname -a; uname -m -n -o -r -s -v
uniq -c -f 1 -i -s 1 -w 1 a.txt; uniq -d a.txt; uniq -u -z a.txt
uptime -s
wc -c -l -m -w a.txt
which -a ls
xargs -0 -n 1 -P 1 -r < empty; xargs -E x -t < nums.txt
xxd -c 4 -g 1 -l 2 -o 1 -s 1 a.txt; xxd -i a.txt; xxd -p a.txt; xxd -r a.txt
"""
"""At least one call of each tool with each of its letters."""


def make_device(read: dict[str, set[str]]) -> DeviceState:
    """A device that notes which letters the code of a tool looks at, of those that a call gives."""

    def run_watched(tool: Tool, call: CommandCall) -> object:
        options, operands = tool.options.parse(call)

        async def run() -> None:
            try:
                work = tool.run(call, options, operands)
                if inspect.isawaitable(work):
                    await work
            finally:
                read[call.name] |= options.read & set(options.given)

        return run()

    device = bare_device()
    watched = {name: partial(run_watched, tool) for name, tool in TOOLS.items()}
    device.commands = MappingProxyType({**device.commands, **watched})
    return device


@cache
def read_letters() -> Mapping[str, set[str]]:
    """The letters of each tool that its code has looked at in `LINES`."""
    read: dict[str, set[str]] = defaultdict(set)
    device = make_device(read)
    code, _, err = run_line(f"cd {FOLDER}; {PREPARE.read_text(encoding='utf-8')}", device)
    assert (code, err) == (0, "")
    for line in LINES.split("\n"):
        run_line(f"cd {FOLDER}/w; {line}", device)
    return read


@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if tool.options.list_letters()])
def test_an_option_that_is_taken_is_read(name: str) -> None:
    # tools of one implementation have one set of letters
    same = [other for other, tool in TOOLS.items() if tool.run is TOOLS[name].run] + ["grep"] * (
        "grep" in name
    )
    read = set().union(*(read_letters()[other] for other in same))
    assert set(TOOLS[name].options.list_letters()) - read == set()


@cache
def make_call() -> CommandCall:
    """A call, as the shell hands it to a command."""
    calls: list[CommandCall] = []
    device = bare_device()
    device.commands = MappingProxyType({**device.commands, "ls": calls.append})
    run_line("ls", device)
    return calls[0]


@pytest.mark.parametrize("name", TOOLS)
def test_an_option_that_no_code_reads_is_refused(name: str) -> None:
    table = TOOLS[name].options
    for letter in sorted(set(string.ascii_letters + string.digits) - set(table.list_letters())):
        call = replace(make_call(), name=name, args=[f"-{letter}", "1", "2"])
        if table.passes and letter not in table.refused:
            # an operand, which the tool reads as a phone's does
            assert table.parse(call)[1][0] == f"-{letter}"
            continue
        with pytest.raises(
            (CommandError, UnsupportedError), match=f"^{re.escape(name)}: Unknown option '{letter}'"
        ):
            table.parse(call)


def test_a_refused_option_ends_the_line_and_an_unknown_one_does_not() -> None:
    device = bare_device()
    assert run_line("ls -Z; echo on", device) == (1, "", "ls: Unknown option 'Z' (see \"ls --help\")\n")
    assert run_line("ls -Y; echo on", device) == (0, "on\n", "ls: Unknown option 'Y' (see \"ls --help\")\n")
    assert device.refusals == 1


def test_every_other_tool_is_known() -> None:
    assert {name for name in TOYBOX if name not in TOOLS} == OWN_PARSING


def test_help_that_no_client_asks_for_is_refused() -> None:
    device = bare_device()
    assert run_line("ls --help; echo on", device)[:2] == (1, "")
    assert device.refusals == 1
    code, out, err = run_line("ps --help; echo $?", device)
    assert (code, err) == (0, "")
    # as appium-adb looks for it
    assert "\n-A  All" in out
