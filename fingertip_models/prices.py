"""Token prices, given by the user: providers change theirs too often for a list."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

PER = 1_000_000
"""Number of tokens that a price is for."""


class Prices(BaseModel):
    """Prices of a million prompt tokens and a million completion tokens, in `currency`."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)
    currency: str

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the cost of prompt and completion tokens, in `currency`.

        >>> Prices(prompt=2, completion=8, currency="CNY").cost(500_000, 1000)
        1.008
        """
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / PER
