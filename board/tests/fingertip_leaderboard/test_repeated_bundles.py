"""Bundles of repeated runs: all tries in one, each verified, means and pass^k on the board."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import BASELINE_CARD
from fingertip_agents.registry import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_leaderboard import verify_bundles
from fingertip_leaderboard.bundle.draft import Draft, draft_bundle, join_tries
from fingertip_leaderboard.bundle.make import make_bundle, write_bundle
from fingertip_leaderboard.bundle.refusal import RefusalKind
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.space.render import render_boards
from fingertip_leaderboard.verify_folder import verify_folder
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.judges import LexicalJudge
from fingertip_runs.repeats import begin_repeats
from suggestion_runner.suggestion_run import run_suggestions
from tests.shared_datasets import built_sample

TRIES = 3


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_sample(tmp_path_factory)


@pytest.fixture(scope="module")
def repeated(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repeated run of the agent that draws."""
    folder = tmp_path_factory.mktemp("repeated") / "drawn"
    record = begin_repeats(folder, track="suggestion", repeats=TRIES, seed=5)
    for name, seed in zip(record.tries, record.seeds, strict=True):
        run_suggestions(dataset, get_agent("random", AgentSetup(seed=seed)), folder / name)
    return folder


def draft(run: Path) -> Draft:
    return draft_bundle(
        run, BASELINE_CARD, embedder=("lexical", get_embedder("lexical")), judge=LexicalJudge()
    )


@pytest.fixture(scope="module")
def bundle(repeated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    tries = [draft(repeated / f"try-{number}") for number in range(1, TRIES + 1)]
    return write_bundle(join_tries(repeated, tries), tmp_path_factory.mktemp("bundles"))


@pytest.fixture
def forge(
    bundle: Path, dataset: Path, tmp_path: Path
) -> Callable[[Callable[[Path], None]], set[RefusalKind]]:
    """Verifies a changed copy of the bundle, and returns the kinds of its refusals."""

    def verify(change: Callable[[Path], None]) -> set[RefusalKind]:
        copy = tmp_path / "forged"
        shutil.copytree(bundle, copy)
        change(copy)
        (report,) = verify_bundles([copy], dataset)
        assert not report.accepted
        return {problem.kind for problem in report.problems}

    return verify


def edit_head(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def edit(place: Path) -> None:
        head = json.loads((place / "bundle.json").read_text(encoding="utf-8"))
        change(head)
        (place / "bundle.json").write_text(json.dumps(head, ensure_ascii=False), encoding="utf-8")

    return edit


def test_each_try_is_verified_and_the_board_shows_means_and_pass_hat_k(
    bundle: Path, repeated: Path, dataset: Path
) -> None:
    results = verify_folder(bundle.parent, [dataset])
    assert results.refused == ()
    (submission,) = results.submissions
    singles = [draft(repeated / f"try-{number}").bundle.scores for number in range(1, TRIES + 1)]
    assert submission.repeats == TRIES
    assert submission.scores["sim1"].mean == pytest.approx(sum(one.sim1 for one in singles) / TRIES)
    assert submission.scores["sr1"].mean == pytest.approx(sum(one.sr1 for one in singles) / TRIES)
    assert submission.scores["sr1_every"].mean <= submission.scores["sr1"].mean
    assert submission.scores["sr1_every"].n == len(results.benchmarks[0].task_ids["suggestion"])
    page = render_boards(results, make_tables(results, ("sim1", "sr1")))
    assert f"k = {TRIES}" in page
    assert f"mean of {TRIES} tries" in page


def test_a_bundle_of_one_try_says_nothing_of_tries_and_stays_as_it_was(
    repeated: Path, dataset: Path, tmp_path: Path
) -> None:
    place = make_bundle(
        repeated / "try-1", tmp_path, BASELINE_CARD, embedder=("lexical", get_embedder("lexical"))
    )
    assert "tries" not in json.loads((place / "bundle.json").read_text(encoding="utf-8"))
    (submission,) = verify_folder(tmp_path, [dataset]).submissions
    assert submission.repeats == 1
    assert "sr1_every" not in submission.scores


def test_a_better_score_of_a_later_try_is_refused(
    forge: Callable[[Callable[[Path], None]], set[RefusalKind]],
) -> None:
    kinds = forge(edit_head(lambda head: head["tries"][1]["scores"].update(sim1=0.99)))
    assert kinds == {RefusalKind.WRONG_SCORE}


def test_a_try_with_the_seed_of_another_is_refused(
    forge: Callable[[Callable[[Path], None]], set[RefusalKind]],
) -> None:
    kinds = forge(edit_head(lambda head: head["tries"][0]["run"]["agent"]["settings"].update(seed=5)))
    assert RefusalKind.CONTRADICTION in kinds


def test_a_try_that_is_the_first_one_again_is_refused(
    forge: Callable[[Callable[[Path], None]], set[RefusalKind]],
) -> None:
    def copy_first(place: Path) -> None:
        names = [name for name in ("predictions.jsonl", "verdicts.jsonl")]
        for name in names:
            shutil.copyfile(place / name, place / "try-3" / name)

        def claim(head: dict[str, Any]) -> None:
            head["files"] |= {f"try-3/{name}": head["files"][name] for name in names}
            head["tries"][1]["scores"] = head["scores"]

        edit_head(claim)(place)

    assert RefusalKind.COPIED_RUN in forge(copy_first)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda head: head["tries"].pop(), RefusalKind.UNKNOWN_FILE),
        (lambda head: head["tries"][1].update(name="try-4"), RefusalKind.CONTRADICTION),
        (lambda head: head["tries"].reverse(), RefusalKind.CONTRADICTION),
        (lambda head: head["tries"][0]["run"]["dataset"].update(path="/home/a"), RefusalKind.CONTRADICTION),
        (lambda head: head["tries"][0]["run"].update(tasks=1), RefusalKind.CONTRADICTION),
        (
            lambda head: head["tries"][0]["run"].update(
                selection={"kind": "sample", "of": head["run"]["tasks"], "seed": 3}
            ),
            RefusalKind.CONTRADICTION,
        ),
        (lambda head: head["tries"][0]["run"]["agent"].update(name="habit"), RefusalKind.CONTRADICTION),
        (lambda head: head["run"]["sessions"][0].update(repeats=TRIES + 1), RefusalKind.CONTRADICTION),
    ],
    ids=[
        "a try left out",
        "a gap",
        "another order",
        "a path",
        "another number of tasks",
        "another sample",
        "another agent",
        "fewer tries than the first one declares",
    ],
)
def test_a_wrong_list_of_tries_is_refused(
    forge: Callable[[Callable[[Path], None]], set[RefusalKind]],
    change: Callable[[dict[str, Any]], None],
    kind: RefusalKind,
) -> None:
    assert kind in forge(edit_head(change))
