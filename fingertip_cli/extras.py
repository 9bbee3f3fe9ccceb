"""The optional installs of the project: what each is for, and which commands can ask for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """Extra of the distribution, as in `pip install 'fingertip-20k[plots]'`.

    Attributes:
        use: What it is for, as a phrase in Markdown.
        commands: Commands of `fingertip` that name it in an error if it is missing.
    """

    use: str
    commands: tuple[str, ...] = ()


EXTRAS = {
    "datasets": Extra(use="`load_dataset`, `fingertip_dataset.load`, `evaluate.load`"),
    "hub": Extra(use="sending to the Hugging Face Hub", commands=("submit", "publish")),
    "plots": Extra(use="figures", commands=("stats", "quality", "experiment")),
    "phone": Extra(
        use="an adb where none is installed, and simulated phones in other languages than Chinese",
        commands=("doctor", "record", "sample", "execute", "phone", "benchmark"),
    ),
    "lexical": Extra(
        use="user types by behaviour (`score --also-types behaviour`), several intents with probabilities"
    ),
    "screens": Extra(use="screens for models made smaller in an eighth of the time"),
    "models": Extra(
        use="models and judges behind an OpenAI-compatible server",
        commands=("quality", "suggest", "infer-intents", "execute", "score", "experiment", "benchmark"),
    ),
    "embeddings": Extra(
        use="the paper's sentence embeddings, and models in this process (`--backend local`)",
        commands=("build", "suggest", "score", "report", "experiment", "score-csv", "submit", "export"),
    ),
    "pages": Extra(use="Chinese characters within the pages, for readers without a Chinese font"),
    "leaderboard": Extra(use="the board as a page", commands=("leaderboard",)),
    "ray": Extra(use="work on a Ray cluster (`--engine ray`)", commands=("build", "execute")),
    "uiautomator2": Extra(
        use="a second way to a phone (`--device uiautomator2:SERIAL`): its own tree dump and Chinese input"
    ),
    "gymnasium": Extra(use='`gymnasium.make("fingertip/Phone-v1")` ([environments](environments.md))'),
    "openenv": Extra(use="the same environments behind OpenEnv's protocol"),
    "verifiers": Extra(use="the same tasks in verifiers ([RL frameworks](reference/rl-frameworks.md))"),
    "verl": Extra(use="the same tasks in verl ([RL frameworks](reference/rl-frameworks.md))"),
    "inspect": Extra(use="both tracks as tasks of Inspect ([inspect](inspect.md))"),
    "privacy": Extra(use="finding and redacting private parts, also while recording", commands=("privacy",)),
    "faces": Extra(use="a face detector for that", commands=("privacy",)),
    "train": Extra(use="fine-tuning, and `--adapter`", commands=("suggest", "finetune")),
}
"""Extra -> its use; where several bring a package, the first of them is named, so small ones come first."""
