"""Checks of bundle.json: no contradictions, no confusable names, no secrets."""

from __future__ import annotations

from collections.abc import Iterator

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.success_labels import LABELS
from fingertip_dataset.release.provenance import SIMULATED
from fingertip_leaderboard.bundle.bundle_files import BUNDLE, VERDICTS
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import Bundle, ExecutionClaims, MomentClaims
from fingertip_leaderboard.bundle.secrets import find_secret_of_json
from fingertip_leaderboard.task_lists import find_task_list
from fingertip_leaderboard.verify.checks.attached_record import list_attached_contradictions
from fingertip_leaderboard.verify.checks.coverage import find_wrong_split
from fingertip_leaderboard.verify.checks.stated_moments import Clock
from fingertip_leaderboard.verify.confusables import describe_disguise
from fingertip_runs.device_kinds import DEVICE_KINDS


def check_manifest(read: ReadBundle, clock: Clock, found: Refusals) -> None:
    """Refuse problems of bundle.json itself, and contradictions with the other files."""
    bundle = read.bundle
    for reason in _find_contradictions(read):
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
    for name, text in _list_names(bundle):
        if disguise := describe_disguise(f"the {name}", text):
            found.refuse(RefusalKind.CONFUSABLE, disguise, BUNDLE)
    secret = find_secret_of_json(bundle.model_dump_json())
    if secret is not None:
        found.refuse(RefusalKind.SECRET, f"the bundle contains what looks like {secret}", BUNDLE)
    if wrong := find_wrong_split(bundle.run):
        found.refuse(RefusalKind.NOT_A_TEST, wrong, BUNDLE)
    made = clock.read(bundle.made, BUNDLE)
    for session in bundle.run.sessions:
        started = clock.read(session.started, BUNDLE)
        if made is not None and started is not None and started > made:
            reason = f"the run started at {session.started}, after the bundle was made at {bundle.made}"
            found.refuse(RefusalKind.BAD_TIME, reason, BUNDLE)


def _find_contradictions(read: ReadBundle) -> Iterator[str]:
    bundle = read.bundle
    run = bundle.run
    if isinstance(bundle.scores, ExecutionClaims) != (bundle.track == "execution"):
        yield f"the scores are not of track {bundle.track}"
    of_moments = find_task_list(run) == "moments"
    if isinstance(bundle.scores, MomentClaims) != of_moments:
        yield "scores of moments are those of a run of moments, and only of such a run"
    if of_moments and bundle.judge is not None:
        yield "hits of moments are decided by the rule for simulated people, got a judge"
    if run.dataset.path:
        yield f"a bundle holds no path of a dataset, got {run.dataset.path!r}"
    tasks = len(read.suggestions) + len(read.executions)
    if tasks != run.tasks:
        yield f"expected {run.tasks} tasks, as the run says, got {tasks}"
    if not run.sessions:
        yield "the run has no session"
    if (bundle.card.weights == "none") != (bundle.card.model is None):
        yield "the card must name a model if it has weights, and only then"
    if bundle.judge is not None and bundle.track == "execution":
        yield "a judge of SR_1 is for track 1 only"
    if bundle.judge is None and VERDICTS in bundle.files:
        yield "there are verdicts but no judge"
    if LABELS in bundle.files and bundle.track == "suggestion":
        yield "success labels are for track 2 only"
    if isinstance(run, ExecutionRun):
        yield from _find_execution_contradictions(run)


def _find_execution_contradictions(run: ExecutionRun) -> Iterator[str]:
    if len(run.task_ids) != run.tasks or len(set(run.task_ids)) != run.tasks:
        yield f"expected {run.tasks} different task ids, got {len(set(run.task_ids))}"
    if run.dry_run:
        yield "a dry run is not ranked: nothing was carried out"
    yield from list_attached_contradictions(run)
    yield from _find_device_contradictions(run)
    if DEVICE_KINDS[run.device].real_phone and run.safety == "off":
        yield "a run on a person's phone needs a safety gate"


def _find_device_contradictions(run: ExecutionRun) -> Iterator[str]:
    """Contradictions between the device and the data: simulated people have no phone that can be held."""
    kind, provenance = DEVICE_KINDS[run.device], run.dataset.provenance
    simulated = SIMULATED in provenance.split("+")
    if kind.real_phone and simulated:
        yield (
            f"the data are {provenance}: their tasks can be carried out on the simulated phone only, not on "
            "a phone behind adb"
        )
    if kind.simulated and not simulated:
        yield f"the data are {provenance}: the simulated phone has only tasks of simulated people"
    if run.faults and not kind.simulated:
        yield f"faults are for simulated phones only, got {', '.join(run.faults)} on {kind.command_title}"


def _list_names(bundle: Bundle) -> Iterator[tuple[str, str]]:
    card = bundle.card
    yield "name", card.name
    yield "contact", card.contact
    yield "model", card.model or ""
    yield "name of the run's agent", bundle.run.agent.name
    yield "judge", bundle.judge.name if bundle.judge else ""
    yield "description", " ".join(card.description.split())
    for link in card.links:
        yield "link", link
