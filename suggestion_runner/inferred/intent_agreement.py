"""Agreement of inferred intents with those that users declared, and the loss that they bring as a history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.sim1_score import Sim1, sim1
from fingertip_metrics.sr1_score import Sr1, sr1
from fingertip_runs.score_summary import share_interval, user_interval
from suggestion_runner.inferred.inferred_file import InferredIntents, read_inferred


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentAgreement:
    """How like inferred intents are to the declared ones of the same episodes; nothing of it is in the paper.

    Attributes:
        inferred: The inferred intents.
        n: Number of episodes with an inferred intent, over which the scores are.
        sim1: Mean Sim_1 with its interval over users.
        sim1_result: Its parts.
        sr1: Share of intents that the judge holds for the same, with its interval; None without a judge.
        sr1_result: The verdicts; None without a judge.
    """

    inferred: InferredIntents
    n: int
    sim1: Interval
    sim1_result: Sim1
    sr1: Interval | None = None
    sr1_result: Sr1 | None = None

    def lines(self) -> Iterator[str]:
        """The agreement in words."""
        result = self.sim1_result
        yield (
            f"agreement with the declared intents of {self.n:,} episodes (not in the paper): Sim_1 "
            f"{_compute_interval(self.sim1)} (embedder {result.embedder}, cosine {result.cosine:.3f}, text "
            f"{result.levenshtein:.3f})"
        )
        if self.sr1 is not None and self.sr1_result is not None:
            if self.sr1_result.lacks_verdicts:
                n = f"{self.sr1_result.unscored:,} of {self.sr1_result.n:,}"
                yield f"judge {self.sr1_result.judge} gave no verdict on {n} pairs: nothing is known of them"
                return
            share = _compute_interval(self.sr1, factor=100)
            yield f"the same intent by judge {self.sr1_result.judge}: {share} %"
            if self.sr1_result.unscored:
                yield f"{self.sr1_result.unscored:,} pairs have no verdict and count as different"


def intent_agreement(
    dataset: Path, file: Path, *, embedder: Embedder, protocol: str = "release", judge: Judge | None = None
) -> IntentAgreement:
    """Compares the inferred intents of a file with the declared ones.

    Args:
        dataset: The built dataset.
        file: The file.
        embedder: Embedder of Sim_1.
        protocol: "release" or "paper".
        judge: Judge of equal intents; None for none.

    Raises:
        UsageError: The file is of another dataset, or has no intent.
        RunError: A line of the file is broken.
        ModelError: The judge does not answer.
    """
    built = BuiltDataset.open(dataset)
    inferred = read_inferred(file, built)
    ids = {name for name, line in inferred.intents.items() if line.text}
    if not ids:
        raise UsageError("the file has no inferred intent to compare", file=file)
    # an episode may be of two tests
    by_id = {
        row["episode_id"]: row
        for split in built.split_names
        for row in built.rows(split, columns=["episode_id", "user_id", "intent"])
        if row["episode_id"] in ids
    }
    rows = list(by_id.values())
    texts = [inferred.intents[row["episode_id"]].text for row in rows]
    declared, users = [row["intent"] for row in rows], [row["user_id"] for row in rows]
    result = sim1(texts, declared, embedder=embedder, protocol=protocol)
    verdicts = None if judge is None else sr1(texts, declared, judge=judge)
    return IntentAgreement(
        inferred=inferred,
        n=len(rows),
        sim1=user_interval([item.sim1 for item in result.per_item], users),
        sim1_result=result,
        sr1=None if verdicts is None else _shares(verdicts, users),
        sr1_result=verdicts,
    )


def _shares(verdicts: Sr1, users: Sequence[str]) -> Interval:
    return share_interval([float(item.state == "same") for item in verdicts.per_item], users)


def _compute_interval(interval: Interval, *, factor: float = 1) -> str:
    digits = 3 if factor == 1 else 1
    mean = f"{factor * interval.mean:.{digits}f}"
    if interval.low is None or interval.high is None:
        return f"{mean} ({interval.short_reason})"
    return f"{mean} [{factor * interval.low:.{digits}f}, {factor * interval.high:.{digits}f}]"
