"""Counts how functions are named: which begin with a verb, and which with a participle.

    python -m tests.function_names [FOLDER]    the shares; of a folder also the names without a verb

Left out are dunder methods, properties, click commands, functions whose body is one return, and the names of
`tests/function_names.txt`, a line each. `VERBS` holds the verbs that names of this project begin with; a new
name may bring a new verb, and then the verb is added.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.test_architecture import ROOT, SOURCES, syntax_tree

VERBS = frozenset(
    """
    accept acknowledge act add advance allow answer append apply apportion ask assign attach attempt
    authorize await begin blend block book bootstrap bound build call cancel carry catch change check
    choose clear clip close collect come commit compare compile complete compose compute confirm connect
    continue convert copy count cover create cut decide decode decrypt delete deliver derive describe
    detect discard disclose disconnect dismiss display divide do download drag draw drop dump duplicate
    edit embed enable encode end enqueue enter erase escape estimate evaluate examine exchange execute
    expand expect explain export extract fail fetch fill filter find finetune finish fit flatten fling
    flip flush focus fold follow forbid force forget format forward freeze gather generate get give go
    grant group guess handle hash hide hold ignore import inject insert inspect install interrupt invoke
    iterate join judge jump keep kill label launch lay leave let lift limit list listen load locate lock
    log look lower make map mark mask match measure merge move name normalize note notify obey observe
    omit open operate pack pad paint parse pass paste pay peek perform pick place plan plant play plot
    pop post predict prefer prepare press print probe project protect prove prune publish push put query
    quote raise rank rate read receive recover redact redirect reduce refuse register reject release
    remark remember remind remove rename render renew reopen repeat replace replay reply report request
    requeue require reserve reset resize resolve restart restore resume retry return reveal reverse roll
    rotate round run sample save say scale scan score scroll search see select send serve set settle
    shift shoot shorten show shrink shuffle sign simulate skip sleep slice solve sort spell split stage
    start stay step stop store strip submit substitute suggest summarize swap switch sync take talk tap
    test tick toggle train transfer transform translate trim truncate try turn type understand undo
    uninstall unlock unpack unset update upload use validate verify visit wait wake walk warn watch
    weigh wrap write yield
    """.split()  # noqa: SIM905 - a list of a line each is long
)
"""Verbs that names begin with, in the imperative."""

QUESTIONS = frozenset({"is", "has", "are", "can", "may", "must", "needs", "should", "was", "were"})
"""First words of functions that answer yes or no; they count as verbs."""

IRREGULAR = frozenset(
    """
    bound brought built chosen cut_off done drawn found frozen given gone held hidden kept known left made
    meant paid put_off read_back run_out said seen sent shown shrunk spoken stolen sold told taken thrown
    understood worn written
    """.split()  # noqa: SIM905 - a list of a line each is long
)
NO_PARTICIPLES = frozenset(
    {"bed", "embed", "feed", "need", "red", "seed", "speed", "shed", "shred", "exceed", "proceed"}
)

EXCEPTIONS = Path(__file__).with_suffix(".txt")
MOST_EXCEPTIONS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFunction:
    """A function of the sources that the rule of names is for.

    Attributes:
        path: Its file.
        line: Line of its `def`.
        name: Its name.
    """

    path: Path
    line: int
    name: str

    @property
    def first_word(self) -> str:
        """The first word of the name, without underscores before it."""
        return self.name.strip("_").split("_")[0].lower()

    @property
    def begins_with_verb(self) -> bool:
        """Whether the name begins with a verb or asks a question."""
        return self.first_word in VERBS | QUESTIONS

    @property
    def begins_with_participle(self) -> bool:
        """Whether the name begins with a participle, such as "shown"."""
        word = self.first_word
        return word in IRREGULAR or (word.endswith("ed") and word not in NO_PARTICIPLES | VERBS)


def read_exceptions() -> list[str]:
    """Read the names that are left out."""
    return EXCEPTIONS.read_text(encoding="utf-8").split() if EXCEPTIONS.exists() else []


def list_functions(paths: list[Path]) -> Iterator[NamedFunction]:
    """Yield the functions of files that the rule is for."""
    exceptions = set(read_exceptions())
    for path in paths:
        for node in ast.walk(syntax_tree(path)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or _is_left_out(node):
                continue
            if node.name not in exceptions:
                yield NamedFunction(path=path, line=node.lineno, name=node.name)


def _is_left_out(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    marks = [ast.unparse(mark) for mark in node.decorator_list]
    body = [
        part
        for part in node.body
        if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
    ]
    return (
        node.name.startswith("__")
        or any(
            "property" in mark or "command" in mark or "overload" in mark or ".setter" in mark
            for mark in marks
        )
        or (len(body) == 1 and isinstance(body[0], ast.Return))
    )


def main(folder: str = "") -> None:
    """Print the shares of a folder, and its names that begin with no verb."""
    functions = list(list_functions([path for path in SOURCES if path.is_relative_to(ROOT / folder)]))
    verbs = sum(one.begins_with_verb for one in functions)
    participles = sum(one.begins_with_participle for one in functions)
    shares = f"verbs {verbs / len(functions):.1%}, participles {participles / len(functions):.1%}"
    print(f"{len(functions)} functions: {shares}")  # noqa: T201
    words = Counter(one.first_word for one in functions if not one.begins_with_verb)
    for one in sorted(functions, key=lambda one: (-words[one.first_word], one.first_word, one.name)):
        if folder and not one.begins_with_verb:
            kind = "participle" if one.begins_with_participle else "noun"
            print(f"  {one.path.relative_to(ROOT)}:{one.line} {one.name} ({kind})")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:2])
