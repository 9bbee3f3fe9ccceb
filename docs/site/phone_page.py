"""The lists of docs/reference/phone.md, from the tables by which the simulated phone answers.

python -m docs.site.phone_page

writes them again.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from android_shell.shell.builtins import BUILTINS, CARRIED_OUT, LACKING
from android_shell.shell.syntax import UNSUPPORTED
from android_shell.tools.tool_options import Tool
from docs.site.page_lists import with_lists
from simulated_phone.adb.commands import CMD_SERVICES, COMMANDS, window
from simulated_phone.adb.commands.activity import activities
from simulated_phone.adb.commands.activity.implicit_intents import ACTIONS, CATEGORY_APPS, SETTINGS_PAGES
from simulated_phone.adb.commands.activity.intents import INTENT_OPTIONS
from simulated_phone.adb.commands.content import EMPTY_PROVIDERS
from simulated_phone.adb.commands.dump.dumpsys import DUMPSYS_SERVICES
from simulated_phone.adb.commands.keys import input
from simulated_phone.adb.commands.keys.keyboards import ACTIONS as BROADCASTS
from simulated_phone.adb.commands.package import packages
from simulated_phone.adb.commands.subcommand import Subcommand, take_options
from simulated_phone.adb.helper_apps import HELPER_APPS
from simulated_phone.adb.phone_device import make_device
from simulated_phone.adb.system_files import system_files
from simulated_phone.device_servers.appium.webdriver_session import WebDriverSession
from simulated_phone.device_servers.portal.portal import AUTHORITIES, QUERIES
from simulated_phone.device_servers.portal.portal_actions import ACTIONS as ACTIONS_OF_PORTAL
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import Uiautomator2Calls
from simulated_phone.phone import Phone

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "phone.md"

# builtins that read their options themselves
SPELLED_OPTIONS = {"echo": "neE", "kill": "ls:", "set": "aefhuxCo:"}

# what people look for and a production phone does not have either
ABSENT = ("sqlite3", "su", "busybox", "python", "curl", "hexdump", "nano", "strace", "tcpdump")


def small_phone() -> Phone:
    """A phone with nothing but the launcher."""
    return Phone(size=(540, 1200), density=210, apps=())


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def _usage(run: Callable[..., object]) -> str:
    text = inspect.getdoc(run.run if isinstance(run, Tool) else run) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")


def commands() -> str:
    """A table of the shell's commands."""
    names: dict[str, list[str]] = {}
    for name, run in COMMANDS.items():
        names.setdefault(_usage(run), []).append(name)
    rows = sorted((sorted(group), usage) for usage, group in names.items())
    lines = [f"| {', '.join(f'`{name}`' for name in group)} | {usage} |" for group, usage in rows]
    return "\n".join(["| command | what it takes |", "|---|---|", *lines])


LANGUAGE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "lists": ("a; b", "a && b", "a || b", "! a", "a &", "a | b", "time a", "( a; b )", "{ a; b; }"),
        "words": (
            "'a' \"b\" \\c $'\\n'",
            "$(a)",
            "`a`",
            "$(< FILE)",
            "{a,b}",
            "~",
            "*",
            "?",
            "[a-z]",
            "[!a]",
            "[[:digit:]]",
        ),
        "variables": (
            "x=a",
            "x+=b",
            "x=a b",
            "${x:-a}",
            "${x:=a}",
            "${x:?a}",
            "${x:+a}",
            "${#x}",
            "${x#a}",
            "${x##a}",
            "${x%a}",
            "${x%%a}",
            "${x/a/b}",
            "${x//a/b}",
            "${x/#a/b}",
            "${x/%a/b}",
            "${x:1:2}",
            "${x@Q}",
        ),
        "parameters": ("$1", "$@", "$*", "$#", "$?", "$$", "$!", "$-", "$0"),
        "numbers of 32 bits": ("$((x + 1))", "((x++))", "let x=1", "$((16#ff))"),
        "redirections": (
            "< f",
            "> f",
            ">> f",
            ">| f",
            "2> f",
            "&> f",
            "2>&1",
            "<&3",
            ">&-",
            "<<< a",
            "<< END",
            "<<- END",
            "exec 3> f",
        ),
        "control": (
            "if a; then b; elif c; then d; else e; fi",
            "for x in a b; do c; done",
            "while a; do b; done",
            "until a; do b; done",
            "case a in a|b) c ;; esac",
            "[[ a == b* && -f c ]]",
            "f() { a; }",
            "function f { a; }",
        ),
    }
)
"""Parts of the shell's language -> forms of them."""


def language() -> str:
    """A table of the shell's language."""
    return "\n".join(
        [
            "| part | forms |",
            "|---|---|",
            *(f"| {part} | {_forms(forms)} |" for part, forms in LANGUAGE.items()),
        ]
    )


def refused() -> str:
    """Constructs that mksh has and the shell refuses."""
    parts = [f"- {feature}: {_forms(forms)}" for feature, forms in UNSUPPORTED.items()]
    options = [
        f"`{name} {' '.join(f'-{letter}' for letter in sorted(builtin.lacking) if letter.isalpha())}`"
        for name, builtin in sorted(BUILTINS.items())
        if builtin.lacking
    ]
    return "\n".join([*parts, f"- commands: {_code(LACKING)}", f"- options: {', '.join(options)}"])


def _forms(forms: Iterable[str]) -> str:
    marked = (f"`` {form} ``" if "`" in form else f"`{form}`" for form in forms)
    return ", ".join(marked).replace("|", "\\|")


def builtins() -> str:
    """The shell's own commands, with their options."""
    names = sorted(CARRIED_OUT)
    return ", ".join(f"`{' '.join([name, *_list_options(name)])}`" for name in names)


def _list_options(name: str) -> list[str]:
    letters = re.findall(r"\w[:;]?", SPELLED_OPTIONS.get(name) or BUILTINS[name].letters or "")
    return [f"-{letter[0]}" for letter in letters]


def subcommands() -> str:
    """A table of the subcommands and services of Android's commands."""
    parts: Mapping[str, Mapping[str, object]] = {
        "am": activities.SUBCOMMANDS,
        "cmd": CMD_SERVICES,
        "dumpsys": DUMPSYS_SERVICES,
        "input": input.SUBCOMMANDS,
        "pm": packages.SUBCOMMANDS,
        "wm": window.SUBCOMMANDS,
    }
    lines = []
    for name, runs in parts.items():
        options = {word: _list_options(run) for word, run in runs.items()}
        lines.append(f"| `{name}` | {_code(word for word in runs if not options[word])} | |")
        lines += [f"| `{name}` | `{word}` | {options[word]} |" for word in sorted(runs) if options[word]]
    return "\n".join(["| command | subcommands or services | options |", "|---|---|---|", *lines])


def _list_options(run: object) -> str:
    """The options of a subcommand; those of an intent stand as INTENT."""
    if not isinstance(run, Subcommand) or not (run.flags or run.values):
        return ""
    intent = take_options(run.run, INTENT_OPTIONS)
    own, names = replace(run), set(run.flags or ()) | run.values.keys()
    if intent.values.keys() <= names:
        values = {name: count for name, count in run.values.items() if name not in intent.values}
        own = replace(run, flags=(run.flags or frozenset()) - (intent.flags or frozenset()), values=values)
        return f"`INTENT {own.usage}`".replace(" `", "`")
    return f"`{own.usage}`"


def intents() -> str:
    """Intents without a component, with the page that they open."""
    pages = "".join(
        f"| `android.settings.{name}` | settings: {page} |\n" for name, page in SETTINGS_PAGES.items()
    )
    apps = "".join(f"| MAIN with `{name}` | {app} |\n" for name, app in CATEGORY_APPS.items())
    return f"Actions: {_code(ACTIONS)}.\n\n| intent | what it opens |\n|---|---|\n{pages}{apps}".rstrip()


def helpers() -> str:
    """A table of the helper apps that are accepted."""
    lines = [
        f"| {app.framework} | `{package}` | {', '.join(f'`{name}`' for name in app.keyboards)} |"
        for package, app in sorted(HELPER_APPS.items())
    ]
    return "\n".join(["| framework | package | keyboards |", "|---|---|---|", *lines])


def broadcasts() -> str:
    """The broadcasts of each keyboard."""
    return "\n".join(f"- `{name}`: {_code(actions)}" for name, actions in BROADCASTS.items())


def methods() -> str:
    """The methods of uiautomator2's server."""
    return _code(Uiautomator2Calls(make_device(small_phone())).methods)


def appium() -> str:
    """The commands of Appium's server."""
    commands = WebDriverSession(make_device(small_phone()), "", {}).commands
    return _code(f"{method} {path}".strip() for method, path in commands)


def portal() -> str:
    """Queries and methods of DroidRun's portal."""
    return f"Queries: {_code(QUERIES)}.\n\nMethods: {_code(ACTIONS_OF_PORTAL)}."


def files() -> str:
    """The system's files."""
    names = (name for name in system_files(small_phone()))
    return _code(name for name in names if not name.startswith("/system/bin/"))


def providers() -> str:
    """Content providers."""
    return f"{_code(['settings', *AUTHORITIES])}; without rows: {_code(EMPTY_PROVIDERS)}"


def absent() -> str:
    """Commands that people look for and that are not found."""
    return _code(ABSENT)


LISTS = (
    commands,
    language,
    builtins,
    refused,
    subcommands,
    intents,
    helpers,
    broadcasts,
    methods,
    appium,
    portal,
    files,
    providers,
    absent,
)


if __name__ == "__main__":
    PAGE.write_text(with_lists(PAGE.read_text(encoding="utf-8"), LISTS), encoding="utf-8")
