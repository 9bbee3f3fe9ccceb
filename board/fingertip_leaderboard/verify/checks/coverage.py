"""Check that a run covers every task of the test exactly once, on the verifier's dataset."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.run_caveats import LEFT_OUT
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.task_lists import SPLIT_OF, find_task_list
from fingertip_leaderboard.verify.checks.samples import count_tasks, sample_problem
from fingertip_leaderboard.verify.confusables import name_keys
from fingertip_runs.benchmark_versions import EARLIER_HARNESSES, HARNESS, BenchmarkVersions, is_outdated
from fingertip_runs.device_kinds import DEVICE_KINDS
from simulated_phone.dialogue.instructions import WRITTEN
from simulated_phone.versions import PARTS
from suggestion_runner.suggestion_records import SuggestionRun

SHOWN = 20
"""Maximum number of missing tasks that are listed by id."""


def find_wrong_split(run: SuggestionRun | ExecutionRun) -> str:
    """Return that a run is of something else than its track's test, in words; "" if it is not.

    Of moments the test is that of moments; a run through people's months is none. Instructions that say less,
    and answers, are of simulated phones.
    """
    if isinstance(run, ExecutionRun) and run.of_dialogue and (why := _find_no_dialogue(run)):
        return why
    expected = SPLIT_OF[find_task_list(run)]
    if isinstance(run, SuggestionRun) and run.month is not None:
        return "expected moments on their own, got a run through people's months"
    return "" if run.split == expected else f"expected split {expected}, got {run.split}"


def _find_no_dialogue(run: ExecutionRun) -> str:
    """Return why a run can have no instructions of its own and no answers, in words; "" if it can."""
    option = "--answered-by" if run.answered_by else "--instructions"
    kind = DEVICE_KINDS[run.device]
    if not kind.simulated:
        return f"a run with {option} is of simulated phones only, got one on {kind.command_title}"
    if run.attached and run.answered_by not in (None, "simulated"):
        return f"an attached agent is answered by the simulated person alone, got {run.answered_by}"
    return ""


def check_data(run: SuggestionRun | ExecutionRun, built: BuiltDataset, found: Refusals) -> bool:
    """Whether a run was made on this dataset; each differing field is refused."""
    manifest, claimed = built.manifest, run.dataset
    same = True
    for name in ("data_sha256", "provenance", "split_method", "seed"):
        ours, theirs = getattr(manifest, name), getattr(claimed, name)
        if ours != theirs:
            found.refuse(RefusalKind.OTHER_DATA, f"expected {name} {ours}, got {theirs}", BUNDLE)
            same = False
    if reason := _compare_moments(run, built):
        found.refuse(RefusalKind.OTHER_DATA, reason, BUNDLE)
        same = False
    for reason in _compare_versions(run, built):
        found.refuse(RefusalKind.OLDER_VERSION, reason, BUNDLE)
    for remark in _list_lacks(run, built):
        found.remark(remark)
    for reason in _compare_settings(run, built):
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
    if isinstance(run, SuggestionRun) and (problem := sample_problem(run, built)) is not None:
        found.refuse(RefusalKind.NOT_A_TEST, problem, BUNDLE)
        same = False
    return same


def _compare_moments(run: SuggestionRun | ExecutionRun, built: BuiltDataset) -> str:
    """Return that a run is of other moments than this dataset has, in words; "" if it is not."""
    theirs, known = run.dataset.moments_sha256, built.manifest.moments
    if find_task_list(run) != "moments":
        return f"a run of episodes has no moments, got moments_sha256 {theirs}" if theirs else ""
    if known is None:
        return "this dataset has no moments: the run is of moments"
    return (
        "" if theirs == known.data_sha256 else f"expected moments_sha256 {known.data_sha256}, got {theirs!r}"
    )


def _list_lacks(run: SuggestionRun | ExecutionRun, built: BuiltDataset) -> Iterator[str]:
    """Fields that a run of today has and this one lacks, each with what follows."""
    if run.versions is None:
        yield "the run records no versions: its row has no rank"
    elif is_outdated(run.versions):
        yield f"the run is of harness {run.versions.harness}, an earlier one: its row has no rank"
    if isinstance(run, ExecutionRun) and not run.user_types:
        types = built.manifest.user_types
        yield f"the run does not record how people are put into types; its dataset: {types}"
    if isinstance(run, ExecutionRun) and not run.reference_method:
        method = built.manifest.references.similarity
        yield f"the run does not record how references are found; its dataset: {method}"


def _compare_versions(run: SuggestionRun | ExecutionRun, built: BuiltDataset) -> Iterator[str]:
    """Versions of a run that are not those of this verifier and its data.

    Only a run on simulated phones must record them: other runs of before versions were recorded can be
    scored, but their rows have no rank (`Conditions.outdated`).
    """
    on_phone = isinstance(run, ExecutionRun) and DEVICE_KINDS[run.device].simulated
    expected, again = BenchmarkVersions.of(built, on_phone=on_phone), "run it again with this release"
    if on_phone and expected.suite is None:
        return  # refused already: the phone has only tasks of simulated people
    if run.versions is None:
        if on_phone:
            yield f"the run records no versions of phone, suite and people: {again}"
        return
    if run.versions.harness not in (HARNESS, *EARLIER_HARNESSES):
        theirs = run.versions.harness
        yield f"the run is of harness version {theirs:.40}, the board of {HARNESS}: {again}"
    for part in PARTS:
        ours, theirs = getattr(expected, part), getattr(run.versions, part)
        if ours != theirs:
            yield f"the run is of {part} version {theirs}, the board of {ours}: {again}"


def _compare_settings(run: SuggestionRun | ExecutionRun, built: BuiltDataset) -> Iterator[str]:
    """Contradictions between a run's settings and this dataset."""
    ours = built.manifest.history
    if isinstance(run, ExecutionRun):
        if run.history != ours:
            yield f"the dataset's references are by protocol {ours}, got {run.history}"
        yield from _compare_labels(run, built)
        # runs of before do not say it, and those on simulated phones are refused by their versions
        if DEVICE_KINDS[run.device].simulated:
            yield from _compare_start(run, built)
        if run.step_limit_factor != STEP_LIMIT_FACTOR:
            yield f"attempts end at {STEP_LIMIT_FACTOR} x the person's steps, got {run.step_limit_factor:g} x"
        return
    episodes = count_tasks(built, run.split)
    if episodes is None:
        return  # refused already: it is no test
    if run.selection is not None and run.selection.of != episodes:
        yield f"the test has {episodes} tasks, got a part of {run.selection.of}"
    if run.inferred is not None:
        yield "earlier intents are those that the users declared, got inferred ones"
        return
    own = run.history == "20" and run.protocol == ours
    if own != (run.history_source == "previous_intents"):
        yield f"expected history {run.history} by {run.protocol} from elsewhere, got {run.history_source}"


def _compare_start(run: ExecutionRun, built: BuiltDataset) -> Iterator[str]:
    """Contradictions between where a run on simulated phones begins, what it shows, and its instructions."""
    start = built.start() if run.instructions == "full" else "home"
    if run.start != start:
        whose = "the dataset's episodes" if run.instructions == "full" else "tasks that name no app"
        yield f"{whose} have the start {start}, got {run.start}"
    if run.instructions in WRITTEN and run.reference != "none":
        yield f"{run.instructions.replace('_', '-')} tasks show no reference, got {run.reference}"


def _compare_labels(run: ExecutionRun, built: BuiltDataset) -> Iterator[str]:
    """Contradictions of the words by which a run describes its data, and which caveats are made from."""
    manifest = built.manifest
    # older runs do not say it
    if run.user_types and run.user_types != manifest.user_types:
        yield f"the dataset's people are put into types {manifest.user_types!r}, got {run.user_types!r:.200}"
    method, theirs = manifest.references, run.reference_method
    if theirs not in ("", method.similarity) and not theirs.startswith(f"{method.similarity}, "):
        yield f"the dataset's references are found by {method.similarity!r}, got {theirs!r:.200}"
    elif method.skip_same_task and theirs and not theirs.endswith(LEFT_OUT):
        yield f"the dataset's references leave out the very same task, got {theirs!r:.200}"
    kind = DEVICE_KINDS[run.device]
    if run.trees != "clean" and not kind.simulated:
        yield f"rough trees are of simulated phones only, got them on {kind.command_title}"
    if run.retries and kind.recorded:
        yield f"a recording is never tried again, got {run.retries} retries"
    if not kind.real_phone and (run.between_tasks != "home" or run.settle_s != 1.0):
        yield f"only a person's phone is cleared or waited for, got settings of it on {kind.command_title}"


def check_tasks(
    ids: Iterable[tuple[int, str]], expected: Collection[str], found: Refusals, file: str
) -> bool:
    """Whether a file has exactly one line per task; other lines and missing tasks are refused.

    Args:
        ids: (line number, task id) of each line.
        expected: Task ids of the test.
        found: Collects the refusals.
        file: Name of the file within the bundle.
    """
    seen: dict[str, int] = {}
    looks = {key: task_id for task_id in expected for key in name_keys(task_id)}
    valid = True
    for line, task_id in ids:
        if task_id in seen:
            first = f"the task {task_id!r} was in line {seen[task_id]} already"
            found.refuse(RefusalKind.DUPLICATE_TASK, first, file, line)
        elif task_id not in expected:
            like = next((looks[key] for key in name_keys(task_id) if key in looks), None)
            kind = RefusalKind.CONFUSABLE if like else RefusalKind.UNKNOWN_TASK
            what = f"{task_id!r}, which only looks like {like!r}" if like else repr(task_id)
            found.refuse(kind, f"expected a task of the test, got {what}", file, line)
        else:
            seen[task_id] = line
            continue
        valid = False
    missing = [task_id for task_id in expected if task_id not in seen]
    for task_id in missing[:SHOWN]:
        found.refuse(RefusalKind.MISSING_TASK, f"the task {task_id} has no line", file)
    if len(missing) > SHOWN:
        reason = f"{len(missing) - SHOWN} further tasks have no line"
        found.refuse(RefusalKind.MISSING_TASK, reason, file)
    return valid and not missing
