"""The result of checking a bundle on its dataset, and the embedders that bundles name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.schema import Embedding
from fingertip_metrics.embedders import Embedder, get_embedder
from suggestion_runner.moments.moment_run_scores import MomentRunScores
from suggestion_runner.scoring import SuggestionRunScores as SuggestionScores

AnyScores = SuggestionScores | ExecutionScores | MomentRunScores
"""Recomputed scores of a bundle, or of one of its tries."""

if TYPE_CHECKING:
    from fingertip_leaderboard.verify.kept_rules import KeptRules

LATER = "call again once it is in this computer's cache"
"""Advice on an embedder that cannot be loaded: the bundle names it, and no option names another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """Result of checking a bundle that has a line for every task.

    Attributes:
        scores: Recomputed scores; None if the run cannot be scored.
        right: Task id -> target, the intent or the golden actions.
    """

    scores: AnyScores | None
    right: Mapping[str, str]


@dataclass(slots=True)
class Embedders:
    """Embedders by the names that bundles may use, each loaded once, and the rules of each dataset.

    Attributes:
        while_loading: Makes the context in which an embedder, or what a track needs, is loaded.
        loaded: Those that were loaded, or why they cannot be.
        kept: Hash of a dataset -> its rules.
    """

    while_loading: Callable[[], AbstractContextManager[object]] = nullcontext
    loaded: dict[Embedding, Embedder | FingerTipError] = field(default_factory=dict)
    kept: dict[str, KeptRules] = field(default_factory=dict)

    def keep_rules(self, built: BuiltDataset) -> KeptRules:
        """The rules of a dataset, the same for all bundles on it."""
        # runs of track 2 need none of it
        from fingertip_leaderboard.verify.kept_rules import KeptRules

        return self.kept.setdefault(built.manifest.data_sha256, KeptRules(built=built))

    def get(self, name: Embedding) -> Embedder:
        """The embedder of that name; raises the errors of `get_embedder`, and the same each time."""
        if name not in self.loaded:
            with self.while_loading():
                try:
                    self.loaded[name] = get_embedder(name, advice=LATER)
                except FingerTipError as error:
                    # the next bundle that names it does not wait for it again
                    self.loaded[name] = error
        found = self.loaded[name]
        if isinstance(found, FingerTipError):
            raise found
        return found
