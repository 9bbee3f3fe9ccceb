"""Rule by which a simulated person answers a suggestion.

The person answers the first suggestions of a day, and rejects as many as their patience allows. Then they
look at none until the next day: even what they want is ignored. Before that they

1. accept a suggestion of what they want at this moment;
2. say "not now" to a suggestion of something that they do in the month, but not at this moment;
3. say "never" to a suggestion of what they do not do.

The answer depends on the suggestion, the moment and the rejections of the day alone. It is the same in every
run, and a verifier can repeat it.
"""

from __future__ import annotations

from fingertip_dataset.tasks.feedback import REJECTIONS, Feedback

PERSON_RULE = "1.1"
"""Version of this rule; increment it when an answer can change."""


def answer_offer(*, wanted: bool, own: bool, patience: int, rejected_today: int) -> Feedback:
    """Answer a suggestion.

    Args:
        wanted: Whether it is what the person wants at this moment.
        own: Whether it is something that the person does in the month.
        patience: Number of suggestions that the person rejects on a day, at least 0.
        rejected_today: Number of suggestions that they have rejected on this day.

    Raises:
        ValueError: `patience` or `rejected_today` is negative.

    >>> answer_offer(wanted=True, own=True, patience=2, rejected_today=1)
    'accepted'
    >>> answer_offer(wanted=False, own=True, patience=2, rejected_today=1)
    'not_now'
    >>> answer_offer(wanted=True, own=True, patience=2, rejected_today=2)
    'ignored'
    """
    if patience < 0 or rejected_today < 0:
        raise ValueError(f"expected counts of 0 or more, got {patience} and {rejected_today}")
    if rejected_today >= patience:
        return "ignored"
    if wanted:
        return "accepted"
    return "not_now" if own else "never"


def is_rejection(feedback: Feedback) -> bool:
    """Whether an answer rejects the suggestion; one that nobody looked at is not rejected.

    >>> is_rejection("never"), is_rejection("ignored")
    (True, False)
    """
    return feedback in REJECTIONS
