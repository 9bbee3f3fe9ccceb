"""All texts for readers in a built dataset: its card, the cards of its folders, and croissant.json.

`load_dataset("./fingertip-20k/text")` reads a folder of shards alone. Without a card of its own, `datasets`
finds splits by keywords in file names: it takes both tests for one split "test", and drops `vali`.
"""

from __future__ import annotations

from datetime import date

from fingertip_dataset.parquet.card import describe_files, list_configs, render_card
from fingertip_dataset.parquet.croissant import CROISSANT, render_croissant
from fingertip_dataset.parquet.features import Config
from fingertip_dataset.parquet.manifest import CARD, Manifest
from fingertip_dataset.parquet.shards import FOLDERS

_BODY = {
    "default": "The rows with screenshots and accessibility trees.",
    "text": "The rows without screenshots and accessibility trees.",
    "moments": "Looks at the phone, with and without an intent.",
}


def render_texts(manifest: Manifest, published: date | None = None) -> dict[str, str]:
    """Render every text for readers: name of the file in the dataset -> content.

    Args:
        manifest: Manifest of the dataset.
        published: Day of the release, as in `croissant`.

    Raises:
        DatasetError: The card's YAML does not describe the dataset; this is a bug of the template.
    """
    folders = {
        f"{FOLDERS[config]}/{CARD}": render_folder_card(config, manifest) for config in list_configs(manifest)
    }
    return {CARD: render_card(manifest), CROISSANT: render_croissant(manifest, published), **folders}


def render_folder_card(config: Config, manifest: Manifest) -> str:
    """Render the card of a config's folder, which states the splits of the shards next to it."""
    import yaml  # type: ignore[import-untyped]

    files = describe_files(config, manifest, folder="") | {"config_name": "default", "default": True}
    header = yaml.safe_dump({"configs": [files]}, sort_keys=False, allow_unicode=True, width=110)
    return f"---\n{header}---\n{_BODY[config]} The dataset's card is [one folder up](../{CARD}).\n"
