"""Last lines of a review: how much each rater labelled, and how far raters agree."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from fingertip_dataset.release.problems import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fingertip_metrics.agreement import PairAgreement
    from fingertip_runs.annotation import AnnotationSession


def print_counts(session: AnnotationSession[Any, Any, Any], items: str) -> None:
    """Print how many items each rater labelled.

    Args:
        session: The session.
        items: Noun for the items, in the plural.
    """
    for rater in session.raters():
        click.echo(f"{printable(rater)}: {session.labelled(rater):,} of {len(session):,} labelled")
    if not session.raters():
        click.echo(f"nobody has labelled any of the {len(session):,} {items} yet")


def review_object(
    session: AnnotationSession[Any, Any, Any], agreements: Iterable[PairAgreement] = ()
) -> dict[str, Any]:
    """Object of a review for --json: the number of labels of each rater, and the agreement of pairs."""
    return {
        "items": len(session),
        "raters": {rater: session.labelled(rater) for rater in session.raters()},
        "agreements": [asdict(pair) for pair in agreements],
    }


def agreement_lines(pair: PairAgreement) -> Iterator[str]:
    """Yield the lines on the agreement of two raters; a kappa always has its interval or its caveat."""
    unsure = f", {pair.unsure} left out as unsure" if pair.unsure else ""
    both = f"{printable(pair.one)} and {printable(pair.other)}"
    result = pair.kappa
    if result is None:
        yield f"{both}: nothing to compare{unsure}"
        return
    if result.kappa is None:
        value = f"kappa undefined ({result.why})"
    elif result.low is None or result.high is None:
        value = f"kappa {result.kappa:.2f} ({result.why})"
    else:
        value = f"kappa {result.kappa:.2f} [{result.low:.2f}, {result.high:.2f}]"
    yield f"{both}: {value}, the same answer to {100 * result.agreement:.0f} % of {result.n}{unsure}"
    (no_no, no_yes), (yes_no, yes_yes) = result.matrix
    yield f"  both yes {yes_yes}, both no {no_no}, only the first yes {yes_no}, only the second yes {no_yes}"
    if result.warning:
        yield f"  {result.warning}"
