"""Weights of fingertip_runs/label_reading.py, learned from lists of labels.

    python -m tests.execution_runner.safety.label_training

prints, for each list, how the reading alone does at several limits, with weights that are learned from the
other lists, the fixed list of actions and the examples. With --write it learns from all and writes
label_weights.tsv; with --without NAME too, a list is left out, and so is each of its labels that stands
elsewhere: the gate then meets that list for the first time. Nothing in it is random.
"""

from __future__ import annotations

import json
import sys
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from fingertip_runs import label_reading
from fingertip_runs.label_reading import find_marks
from tests.execution_runner.safety.gate_cases import Node, read_cases
from tests.execution_runner.safety.label_lists import LabelList, read_lists

EXAMPLES = Path(__file__).with_name("label_examples.toml")
WEIGHTS = Path(label_reading.__file__).with_name("label_weights.tsv")
STRENGTH = 1.0
"""Inverse of the strength of the L2 penalty."""
FEWEST = 2
"""Labels that must have a mark for it to get a weight."""
THRESHOLDS = (-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5)

Known = Mapping[str, bool]
"""Label -> whether it is dangerous."""


def join_labels(lists: Iterable[LabelList]) -> dict[str, bool]:
    """The labels of lists."""
    kinds = [(group, kind == "dangerous") for each in lists for kind, group in each]
    return {label: kind for group, kind in kinds for labels in group.values() for label in labels}


def read_examples() -> LabelList:
    """The labels that were written to learn from."""
    return LabelList.model_validate(tomllib.loads(EXAMPLES.read_text(encoding="utf-8")))


def find_target(node: Node) -> Node | None:
    """The touched node of a screen."""
    return node if node.target else next(filter(None, map(find_target, node.nodes)), None)


def read_case_labels() -> dict[str, bool]:
    """The labels of the touched elements of the fixed list that are called the same in every case."""
    found: dict[str, set[bool]] = {}
    for case in read_cases():
        target = next(filter(None, map(find_target, case.screen or ())), None)
        shown = {target.text, target.desc, target.hint} - {""} if target else set()
        if case.action.name == "click" and len(shown) == 1:
            found.setdefault(shown.pop(), set()).add(case.kind == "dangerous")
    return {label: kinds.pop() for label, kinds in found.items() if len(kinds) == 1}


def learn_weights(labels: Known) -> dict[str, float]:
    """The weight of each mark, rounded; that of "" is the intercept."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    marks = [frozenset(find_marks(label)) for label in labels]
    number = Counter(mark for each in marks for mark in each)
    often = sorted(mark for mark, found in number.items() if found >= FEWEST)
    table = DictVectorizer().fit([dict.fromkeys(often, 1.0)])
    rows = table.transform([dict.fromkeys(each, 1.0) for each in marks])
    model = LogisticRegression(C=STRENGTH, tol=1e-6, max_iter=10_000).fit(rows, list(labels.values()))
    weights = {
        "": model.intercept_[0],
        **dict(zip(table.get_feature_names_out(), model.coef_[0], strict=True)),
    }
    return {mark: found for mark, weight in weights.items() if (found := round(float(weight), 2)) or not mark}


def score_labels(labels: Iterable[str], weights: Mapping[str, float]) -> list[float]:
    """Score of each label by given weights."""
    return [weights[""] + sum(weights.get(mark, 0.0) for mark in find_marks(label)) for label in labels]


def collect_labels(lists: Iterable[LabelList]) -> dict[str, bool]:
    """All labels to learn from: of lists, of the fixed list of actions, and the examples."""
    return read_case_labels() | join_labels([read_examples(), *lists])


def collect_without(name: str) -> dict[str, bool]:
    """All labels to learn from but those that stand in one list."""
    lists = read_lists()
    tried = join_labels([lists.pop(name)])
    return {label: kind for label, kind in collect_labels(lists.values()).items() if label not in tried}


def hash_labels(labels: Known) -> str:
    """SHA-256 of labels and of the marks that each has."""
    marked = [(label, kind, sorted(find_marks(label))) for label, kind in sorted(labels.items())]
    return sha256(json.dumps(marked).encode()).hexdigest()


def format_weights(weights: Mapping[str, float], labels: Known) -> str:
    """The file of the weights, which names the labels that they were learned from by their hash."""
    return f"# {hash_labels(labels)}\n" + "".join(
        f"{weights[mark]:.2f}\t{mark}\n" for mark in sorted(weights)
    )


def print_reading(name: str) -> None:
    """Print how the reading alone does on a list, with weights learned without it."""
    known = join_labels([read_lists()[name]])
    scores = dict(zip(known, score_labels(known, learn_weights(collect_without(name))), strict=True))
    for kind, error in ((True, "dangerous allowed"), (False, "harmless stopped")):
        of_kind = [score for label, score in scores.items() if known[label] == kind]
        rates = [sum((score > limit) != kind for score in of_kind) / len(of_kind) for limit in THRESHOLDS]
        shown = "  ".join(f"{limit}: {rate:.1%}" for limit, rate in zip(THRESHOLDS, rates, strict=True))
        print(f"{name}, {error} above  {shown}")  # noqa: T201 - a report


def main(arguments: Sequence[str]) -> None:
    options = ArgumentParser()
    options.add_argument("--write", action="store_true", help="learn, and write the weights")
    options.add_argument("--without", choices=read_lists(), help="a list to leave out, to try the gate on it")
    chosen = options.parse_args(arguments)
    if not chosen.write:
        for name in read_lists():
            print_reading(name)
        return
    every = collect_labels(read_lists().values())
    labels = collect_without(chosen.without) if chosen.without else every
    WEIGHTS.write_text(format_weights(learn_weights(labels), labels), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
