"""Draft the bundle of a run: everything but the screens is in memory, and nothing is written."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from execution_runner.execution_log import Attempt, read_attempts
from execution_runner.execution_log import read_run as read_execution_run
from execution_runner.execution_records import STEPS
from execution_runner.scoring.run_scores import score_run as score_execution
from execution_runner.scoring.success_labels import LABELS, LabelRecord, read_labels
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.split_names import TEST_MOMENTS
from fingertip_dataset.times import now_text
from fingertip_leaderboard.bundle.attempts import list_screens
from fingertip_leaderboard.bundle.bundle_files import VERDICTS, is_screen
from fingertip_leaderboard.bundle.check_secrets import find_secrets_of_file
from fingertip_leaderboard.bundle.claims import (
    make_execution_claims,
    make_moment_claims,
    make_suggestion_claims,
)
from fingertip_leaderboard.bundle.input_logs import collect_inputs
from fingertip_leaderboard.bundle.lines import END, PREDICTION, STEP, AnyLine, public_line
from fingertip_leaderboard.bundle.schema import (
    AgentCard,
    Bundle,
    BundledTry,
    Claims,
    Embedding,
    FileRecord,
    JudgeRecord,
    VerdictLine,
    limit_head,
    measure_head,
)
from fingertip_leaderboard.bundle.secrets import find_secret_of_json
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.sr1_score import Sr1Item
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.input_lines import INPUTS
from fingertip_runs.run_folder import track_of
from fingertip_runs.run_record import RunRecord
from fingertip_runs.try_names import name_tries
from suggestion_runner.moments.moment_scoring import score_moment_run
from suggestion_runner.prediction_log import PREDICTIONS, read_predictions
from suggestion_runner.prediction_log import read_run as read_suggestion_run
from suggestion_runner.scoring import score_run as score_suggestions
from suggestion_runner.suggestion_records import Prediction

AnyModel = TypeVar("AnyModel", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A bundle that is not written yet.

    Attributes:
        run: Folder of the run.
        bundle: Content of bundle.json.
        texts: Name -> content of the other files, without the screens.
        screens: Name within the bundle -> source file of the screen; empty without trajectories.
    """

    run: Path
    bundle: Bundle
    texts: Mapping[str, bytes]
    screens: Mapping[str, Path]


def draft_bundle(
    run: Path,
    card: AgentCard,
    *,
    embedder: tuple[Embedding, Embedder] | None = None,
    protocol: str = "release",
    judge: Judge | None = None,
    trajectories: bool = False,
) -> Draft:
    """Collect the content of a run's bundle, and score the run.

    Args:
        run: Folder of a finished run of either track.
        card: Description of the agent for the leaderboard.
        embedder: Embedder of Sim_1 with its name; required on track 1.
        protocol: Scoring protocol, "release" or "paper".
        judge: Judge of SR_1, on track 1 only; one with a cache answers from its cache.
        trajectories: Whether to include the screens, on track 2 only.

    Raises:
        RunError: The run is missing, broken, not finished or a dry run, or a screen is missing.
        UsageError: An argument is not for this track, or bundle.json would hold a secret.
    """
    if track_of(run) == "execution":
        if judge is not None:
            raise UsageError("verdicts of SR_1 are for runs of track 1", file=run)
        return _draft_execution(run, card, protocol, trajectories)
    if embedder is None:
        raise UsageError("a run of track 1 needs an embedder", file=run)
    if trajectories:
        raise UsageError("--trajectories is for runs of track 2", file=run)
    if read_suggestion_run(run).of_moments:
        if judge is not None:
            raise UsageError(
                "hits of a run of moments are decided by the rule for simulated people: leave out --judge",
                file=run,
            )
        return _draft_moments(run, card, embedder, protocol)
    return _draft_suggestion(run, card, embedder, protocol, judge)


def join_tries(folder: Path, tries: Sequence[Draft]) -> Draft:
    """Join the drafts of the tries of a repeated run into one.

    Args:
        folder: Folder of the repeated run.
        tries: Draft of each try, in their order.

    Raises:
        UsageError: The description of the bundle is too long with all tries.
    """
    first, *others = tries
    bundled, files = [], dict(first.bundle.files)
    texts, screens = dict(first.texts), dict(first.screens)
    for name, draft in zip(name_tries(len(tries))[1:], others, strict=True):
        bundled.append(BundledTry(name=name, run=draft.bundle.run, scores=draft.bundle.scores))
        files |= {f"{name}/{file}": record for file, record in draft.bundle.files.items()}
        texts |= {f"{name}/{file}": text for file, text in draft.texts.items()}
        screens |= {f"{name}/{file}": place for file, place in draft.screens.items()}
    bundle = first.bundle.model_copy(update={"tries": tuple(bundled), "files": files})
    _check_size(bundle, folder)
    return Draft(run=folder, bundle=bundle, texts=texts, screens=screens)


def check_ranked(run: Path) -> None:
    """Check the record of a run for what no board ranks, before anything else is asked for.

    Args:
        run: Folder of a run of either track.

    Raises:
        RunError: It is a dry run, or of a setting that no board takes.
    """
    if track_of(run) != "execution":
        suggestions = read_suggestion_run(run)
        if suggestions.month is not None:
            raise RunError(
                "a board takes no run through people's months, in which each answer depends on the earlier "
                f"ones: run it with --split {TEST_MOMENTS} and without --month",
                file=run,
            )
        if suggestions.inferred is not None:
            raise RunError(
                "a board takes no run with inferred earlier intents: it cannot infer them again; run it with "
                "--history-intents declared",
                file=run,
            )
        return
    record = read_execution_run(run)
    if record.dry_run:
        raise RunError("a dry run has no bundle: nothing was carried out", file=run)
    if record.intents:
        raise RunError(
            "the run carried out suggestions, not the people's own intents: no board ranks it; "
            "run `fingertip execute`",
            file=run,
        )
    if record.reference == "not_same_task":
        raise RunError(
            "the board ranks runs with the dataset's own references, as in table 4 of the paper; this one "
            "leaves the same task out (A.6.7)",
            file=run,
        )
    if record.faults:
        raise RunError(
            f"a board takes no run with faults, got {', '.join(record.faults)}: run it without --fault",
            file=run,
        )


def _draft_suggestion(
    run: Path,
    card: AgentCard,
    embedder: tuple[Embedding, Embedder],
    protocol: str,
    judge: Judge | None,
) -> Draft:
    record, predictions = read_suggestion_run(run), read_predictions(run)
    scores = score_suggestions(run, embedder=embedder[1], protocol=protocol, judge=judge)
    texts = {PREDICTIONS: _lines(_make_suggestion_lines(predictions, run))}
    if scores.sr1 is not None:
        texts[VERDICTS] = _lines(
            _make_verdict_line(prediction.task_id, item, run)
            for prediction, item in zip(predictions, scores.sr1.per_item, strict=True)
        )
    claims = make_suggestion_claims(scores.result, embedder[0], scores.sr1, scores.answers)
    return _finish_draft(
        run, card, record, claims, texts, {}, None if judge is None else _judge_record(judge)
    )


def _draft_moments(run: Path, card: AgentCard, embedder: tuple[Embedding, Embedder], protocol: str) -> Draft:
    check_ranked(run)
    scores = score_moment_run(run, embedder=embedder[1], protocol=protocol)
    if scores.judge is None:
        raise RunError(
            "hits are decided by the rule for simulated people, which needs the run's dataset: "
            f"{scores.why_no_ceiling}",
            file=run,
        )
    claims = make_moment_claims(scores.result, embedder[0], protocol)
    texts = {PREDICTIONS: _lines(_make_suggestion_lines(read_predictions(run), run))}
    return _finish_draft(run, card, scores.record, claims, texts, {}, None)


def _make_suggestion_lines(predictions: Iterable[Prediction], run: Path) -> Iterator[BaseModel]:
    """Lines of predictions.jsonl without the reasons of failed queries."""
    for prediction in predictions:
        yield _fitting(PREDICTION, public_line(prediction, screens=True), run)


def _judge_record(judge: Judge) -> JudgeRecord:
    return JudgeRecord.model_validate(
        {
            "name": judge.name,
            "settings": dict(judge.settings),
            "why_not_comparable": judge.why_not_comparable,
            "remark": judge.remark,
        }
    )


def _draft_execution(run: Path, card: AgentCard, protocol: str, trajectories: bool) -> Draft:
    check_ranked(run)
    record, attempts = read_execution_run(run), read_attempts(run)
    by_rule = DEVICE_KINDS[record.device].success_by_rule
    if by_rule:
        _check_simulated(run, attempts, attached=record.attached)
    scores = score_execution(run, protocol=protocol)
    wrong_app = {task.task_id for task in scores.tasks if task.decided == "wrong app"}
    texts = {STEPS: _lines(_make_attempt_lines(attempts, run, wrong_app, screens=trajectories))}
    if record.attached:
        texts[INPUTS] = _lines(collect_inputs(run, attempts))
    final = {(attempt.end.task_id, attempt.end.attempt) for attempt in attempts}
    labels: list[LabelRecord] = [
        label for label in read_labels(run) if not by_rule and (label.task_id, label.attempt) in final
    ]
    if labels:
        texts[LABELS] = _lines(labels)
    screens = _find_screens(run, attempts) if trajectories else {}
    return _finish_draft(run, card, record, make_execution_claims(scores), texts, screens, None)


def _check_simulated(run: Path, attempts: Sequence[Attempt], *, attached: bool) -> None:
    """Check that a verifier can replay a run on a simulated phone; an attached agent's by its inputs.

    Raises:
        RunError: The log lacks the phone's states.
    """
    judged = [attempt.end for attempt in attempts if attempt.end.success is not None]
    lacks = bool(judged) and all(end.state is None for end in judged)
    for attempt in attempts:
        if lacks or any(
            step.performed and step.state_sha256 is None and step.reply is None and not attached
            for step in attempt.steps
        ):
            raise RunError(
                "a step or an end has no state of the phone, by which a board replays the run: it is a run "
                "of an earlier version; run it again with `fingertip execute`",
                file=run / STEPS,
                episode_id=attempt.end.task_id,
            )


def _make_attempt_lines(
    attempts: Iterable[Attempt], run: Path, wrong_app: Collection[str], *, screens: bool
) -> Iterator[BaseModel]:
    """Lines of steps.jsonl without private fields: the steps of each attempt, then its end.

    Without the names of apps, an end says itself whether the gate stopped the agent in another app.
    """
    for attempt in attempts:
        for step in attempt.steps:
            yield _fitting(STEP, public_line(step, screens=screens), run)
        end = attempt.end
        if end.outcome == "blocked":
            end = end.model_copy(update={"wrong_app": end.task_id in wrong_app})
        yield _fitting(END, public_line(end, screens=screens), run)


def _finish_draft(
    run: Path,
    card: AgentCard,
    record: RunRecord,
    claims: Claims,
    texts: Mapping[str, bytes],
    screens: Mapping[str, Path],
    judge: JudgeRecord | None,
) -> Draft:
    public_run: Any = record.model_copy(update={"dataset": record.dataset.model_copy(update={"path": ""})})
    files = {name: _file_record(content) for name, content in texts.items()}
    files |= {name: _file_record(_read_screen(file)) for name, file in screens.items()}
    bundle = Bundle(
        made=now_text(),
        track=public_run.track,
        card=card,
        run=public_run,
        judge=judge,
        scores=claims,
        files=files,
    )
    _check_public(bundle, texts, screens, run)
    return Draft(run=run, bundle=bundle, texts=texts, screens=screens)


def _check_public(bundle: Bundle, texts: Mapping[str, bytes], screens: Mapping[str, Path], run: Path) -> None:
    """Check that the bundle's description is not too long, and that no file of it holds a secret."""
    found = find_secret_of_json(bundle.model_dump_json())
    if found is not None:
        raise UsageError(f"the bundle would hold what looks like {found}: remove it", file=run)
    _check_size(bundle, run)
    pictures = ((name, _read_screen(file)) for name, file in screens.items())
    for name, content in chain(texts.items(), pictures):
        for line, kind in find_secrets_of_file(name, content):
            raise UsageError(
                f"the bundle would hold what looks like {kind}: remove it", file=run / name, line=line
            )


def _check_size(bundle: Bundle, run: Path) -> None:
    size, most = measure_head(bundle), limit_head(bundle)
    if size > most:
        raise UsageError(
            f"bundle.json takes {size:,} bytes besides its list of files, at most {most:,}: shorten "
            "the settings of the agent",
            file=run,
        )


def _make_verdict_line(task_id: str, item: Sr1Item, run: Path) -> VerdictLine:
    fields = {name: getattr(item, name) for name in VerdictLine.model_fields if name != "task_id"}
    return _validate(VerdictLine, {"task_id": task_id, **fields}, task_id, run)


def _fitting(model: type[AnyLine], record: AnyLine, run: Path) -> AnyLine:
    """Check a record of the run's log against the bounds of a bundle."""
    return _validate(model, record.model_dump(), getattr(record, "task_id", None), run)


def _validate(model: type[AnyModel], fields: Mapping[str, Any], task_id: str | None, run: Path) -> AnyModel:
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise RunError(
            f"the run does not fit into a bundle, at {place}: {first['msg']}",
            file=run,
            episode_id=task_id,
        ) from error


def _lines(records: Iterable[BaseModel]) -> bytes:
    return b"".join(record.model_dump_json().encode() + b"\n" for record in records)


def _find_screens(run: Path, attempts: Sequence[Attempt]) -> dict[str, Path]:
    """Screens of the final attempts: name within the bundle and the run's folder -> file.

    Raises:
        RunError: A line names a file that is not one of its screens.
    """
    found: dict[str, Path] = {}
    for attempt in attempts:
        for name, allowed in list_screens(attempt):
            if name not in allowed or not is_screen(name):
                raise RunError(f"expected the name of a screen, got {name!r}", file=run / STEPS)
            found[name] = run / name
    return found


def _read_screen(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise RunError(f"a screen of the run cannot be read: {error.strerror or error}", file=file) from error


def _file_record(content: bytes) -> FileRecord:
    return FileRecord(sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))
