"""Rules that a dataset gives, made once for all bundles that a process verifies.

Nothing of a bundle is kept in them, so that none can take the memory of the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fingertip_agents.registry import get_agent, moment_baseline_names
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.judges.simulated_judge import Criterion, SimulatedJudge
from suggestion_runner.moments.moment_scoring import KnownMoments


@dataclass(slots=True, kw_only=True)
class KeptRules:
    """The judge of a dataset, what it knows of moments, and our agents that learn from it.

    Args:
        built: The verifier's dataset.
    """

    built: BuiltDataset
    _judges: dict[Criterion, SimulatedJudge] = field(default_factory=dict)
    _known: dict[str, KnownMoments] = field(default_factory=dict)
    _speakers: dict[str, SuggestionAgent] = field(default_factory=dict)

    def make_judge(self, criterion: Criterion = "goal and case") -> SimulatedJudge:
        """Make the judge of simulated data for one bundle, without verdicts on another one.

        Raises:
            FingerTipError: As of `SimulatedJudge.of_dataset`.
        """
        if criterion not in self._judges:
            self._judges[criterion] = SimulatedJudge.of_dataset(self.built, criterion=criterion)
        return self._judges[criterion].renew()

    def know_moments(self, split: str) -> KnownMoments:
        """Return facts and odds of the moments of a split."""
        if split not in self._known:
            self._known[split] = KnownMoments.of_built(self.built, split)
        return self._known[split]

    def list_speakers(self) -> dict[str, SuggestionAgent]:
        """Return our agents that decide when to speak, by name, in the order of tables."""
        for name in moment_baseline_names():
            if name not in self._speakers:
                self._speakers[name] = get_agent(name, AgentSetup(moments=True, dataset=self.built.path))
        return dict(self._speakers)
