"""README.md of a built dataset: YAML that `datasets` reads, then the template `dataset_card.md` filled in.

A split without episodes has an empty Parquet file, but the YAML does not list it: one empty split makes
`load_dataset` refuse the whole dataset (datasets 5.2, "corresponds to no data"). `fingertip_dataset.load`
returns such a split with its columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fingertip_dataset import paper_facts
from fingertip_dataset.errors import DatasetError
from fingertip_dataset.markdown_table import markdown_table
from fingertip_dataset.parquet.features import CONFIGS, MOMENTS, SCREENS, Config, columns, yaml_features
from fingertip_dataset.parquet.manifest import Manifest
from fingertip_dataset.parquet.shards import FOLDERS
from fingertip_dataset.release.origins import AUTHORS, LICENCES, UNKNOWN
from fingertip_dataset.release.problem_kinds import ProblemKind
from fingertip_dataset.release.provenance import RECORDED
from fingertip_dataset.tasks.history import HISTORY_LIMIT
from fingertip_dataset.tasks.splits import OFFICIAL, PAPER_EPISODES, PUBLIC_RELEASE, RULE_A5_CONTRADICTION
from fingertip_dataset.times import BEIJING

TEMPLATE = "dataset_card.md"

MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "episode_id": "`{user_id}__{time}`, the time as the release's folder is named",
        "user_id": "as the release writes it",
        "user_profile": "who the person is: sex, age, occupation, address, marital status, phone brand; "
        "null where the release does not say",
        "user_type": "1 or 2; null where it is not known",
        "time": "when the episode began: ISO 8601, Beijing time",
        "scenario": "where the person was, as the person wrote it",
        "scenario_category": "the paper's English name of a listed scenario, `other` for any other",
        "app": "package name, sometimes with an activity behind a slash",
        "intent": "what the person wanted, one sentence, mostly Chinese",
        "intent_category": "one of 40 classes; null where no table says it",
        "screenshots": "what the person saw before each step, the release's own JPEG or PNG bytes; "
        "null for a step without one",
        "accessibility_trees": "the accessibility tree of the same moment, the release's own XML; "
        "null for a step without one",
        "actions": "what the person did at each step: type, coordinates in device pixels, direction, text, "
        "content, and `raw`, the action as the release writes it; type `unparsable` where the grammar "
        "refuses it",
        "previous_intents": f"the same user's latest {HISTORY_LIMIT} strictly earlier intents at most, "
        "oldest first",
        "same_user_reference": "what the same user did for the most similar strictly earlier intent; "
        "null without one",
        "other_type_reference": "what a user of the other type did for the most similar intent, earlier "
        "or later; null without one",
    }
)
"""Column -> its description in the card and in croissant.json of the published release."""

OWN_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "time": "when the episode began: ISO 8601, local time with its offset",
        "scenario_category": "English name of a listed place, `other` for any other",
        "intent": "what the person wanted, one sentence, in the person's words",
        "intent_category": "as the tables name it; null where no table says it",
    }
)
"""The same, where a release with settings of its own differs."""

CITATION = """@inproceedings{yang2026fingertip,
  title     = {FingerTip 20K: A Benchmark for Proactive and Personalized Mobile LLM Agents},
  author    = {Yang, Qinglong and Li, Haoming and Zhao, Haotian and Yan, Xiaokai and
               Ding, Jingtao and Xu, Fengli and Li, Yong},
  booktitle = {International Conference on Learning Representations (ICLR)},
  year      = {2026},
  note      = {arXiv:2507.21071}
}"""

NONE = "–"

TAGS = ("mobile-agents", "gui-agents", "android", "personalization", "proactive-agents")
"""Tags of every dataset; the kind of data that are no recordings is one more."""

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def render_card(manifest: Manifest) -> str:
    """Render README.md and check it against the manifest.

    Raises:
        DatasetError: The YAML does not describe the dataset; this is a bug of the template.
    """
    import yaml  # type: ignore[import-untyped]
    from jinja2 import Environment, StrictUndefined

    # Markdown, not HTML: only counts and names of this project are inserted, so nothing needs escaping
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, autoescape=False)  # noqa: S701
    body = environment.from_string(_read_template()).render(**_list_facts(manifest))
    header = yaml.safe_dump(make_card_data(manifest), sort_keys=False, allow_unicode=True, width=110)
    text = f"---\n{header}---\n{body.strip()}\n"
    check_card(text, manifest)
    return text


ENGLISH_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "scenario_en": "English name of a listed place; any other as the person wrote it",
        "app_en": "English name of the app; its package where none is known",
        "intent_category_en": "English name of the class; the class itself where none is known",
    }
)
"""The same of the columns of English names, which are no part of the protocols: agents do not see them."""


EXTRA_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "extra": "what the release states of the episode or its user in no other column, as it writes it: "
        "file (`source`), `name`, `value`, and `line` of a table's row; empty without any",
    }
)
"""The same of the column of what a release states beyond the known layout."""


MOMENT_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "episode_id": "`{user_id}__{time}` of the moment",
        "time": "when the phone was looked at: ISO 8601, local time with its offset",
        "app": "package name of the app of the intent; null where nothing is wanted",
        "intent": "what the person is about to do, one sentence; null where nothing is wanted",
        "intent_category": "class of the intent; null where nothing is wanted",
        "screenshots": "the home screen at the moment, before anything opens",
        "accessibility_trees": "the accessibility tree of the same screen",
        "kind": "`intent`, or what the look is without one: `glance`, `notification`, `just_done`, "
        "`false_routine`, `busy`",
        "condition": "what a false routine is missing: `day`, `place`, `done`, `ended`; null for others",
    }
)
"""The same of the config "moments", where it differs."""


def describe_columns(manifest: Manifest) -> dict[str, str]:
    """Return the description of each column."""
    own = {} if manifest.release is None else OWN_MEANINGS
    english = ENGLISH_MEANINGS if manifest.english_names else {}
    return {**MEANINGS, **own, **english, **(EXTRA_MEANINGS if manifest.has_extra else {})}


def describe_moment_columns(manifest: Manifest) -> dict[str, str]:
    """Return the description of each column of the config "moments"."""
    known = {**describe_columns(manifest), **MOMENT_MEANINGS}
    return {name: known[name] for name in columns(MOMENTS)}


def make_card_data(manifest: Manifest) -> dict[str, Any]:
    """Return the YAML of the card, which the Hub shows and `load_dataset` reads."""
    episodes = manifest.episodes.kept
    return {
        "pretty_name": _make_name(manifest),
        **_state_licence(manifest),
        "language": list(manifest.settings.all_languages),
        "size_categories": [next((name for limit, name in SIZES if episodes < limit), "n>1M")],
        "task_categories": ["image-text-to-text", "text-generation"],
        "tags": [*TAGS, *_list_kinds(manifest)],
        "configs": [
            describe_files(config, manifest, folder=f"{FOLDERS[config]}/")
            for config in list_configs(manifest)
        ],
        # without the sizes of the splits: load_dataset(..., filters=...) fails if they are stated
        "dataset_info": [
            {"config_name": config, "features": yaml_features(config, manifest.schema_version)}
            for config in list_configs(manifest)
        ],
    }


def list_configs(manifest: Manifest) -> tuple[Config, ...]:
    """Return the configs of a dataset: those of the episodes, and that of the moments where there are any."""
    return CONFIGS if manifest.moments is None else (*CONFIGS, MOMENTS)


def _list_kinds(manifest: Manifest) -> list[str]:
    """Kinds of the data other than recordings, such as simulated: nobody must take them for people's."""
    return [kind for kind in manifest.provenance.split("+") if kind != RECORDED]


def _make_name(manifest: Manifest) -> str:
    """Name on the Hub, with the kind of data that are no recordings alone."""
    kinds = f" ({', '.join(_list_kinds(manifest))})" if _list_kinds(manifest) else ""
    return f"{manifest.settings.name}{kinds}"


def check_card(text: str, manifest: Manifest) -> None:
    """Check that the card's YAML agrees with the manifest on every config and split.

    Args:
        text: Content of README.md.
        manifest: Manifest of the same dataset.

    Raises:
        DatasetError: A config, split, file or column is missing or wrong; the message names it.
    """
    data, names = read_yaml(text), list_configs(manifest)
    for key in ("configs", "dataset_info"):
        got = [entry.get("config_name") for entry in data.get(key) or ()]
        _expect(f"the names in {key}", list(names), got)
    for config, files, info in zip(names, data["configs"], data["dataset_info"], strict=True):
        patterns = {entry["split"]: entry["path"] for entry in files["data_files"]}
        _expect(f"splits of {config}", _list_filled_splits(config, manifest), list(patterns))
        _expect(
            f"columns of {config}",
            yaml_features(config, manifest.schema_version),
            info["features"],
        )
        for shard in manifest.all_shards:
            matching = [split for split, pattern in patterns.items() if fnmatchcase(shard.file, pattern)]
            expected = [shard.split] if shard.config == config and shard.split in patterns else []
            _expect(f"the splits of {config} that match {shard.file}", expected, matching)


def read_yaml(text: str) -> dict[str, Any]:
    """Parse the YAML block of a card.

    Raises:
        DatasetError: The card has no valid YAML block.
    """
    import yaml

    parts = text.split("---\n", 2)
    try:
        data = yaml.safe_load(parts[1]) if len(parts) == 3 and not parts[0] else None
    except yaml.YAMLError as error:
        raise DatasetError(f"the card's YAML cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise DatasetError("the card does not begin with a YAML block")
    return data


def _expect(what: str, expected: object, got: object) -> None:
    if expected != got:
        raise DatasetError(f"{what} in the card must be {expected}, got {got}")


def _listed(manifest: Manifest) -> list[str]:
    """Return the splits that the YAML lists: those with an episode."""
    return [split for split in manifest.split_names if manifest.splits[split].episodes]


def _list_filled_splits(config: Config, manifest: Manifest) -> list[str]:
    """Splits of a config that the YAML lists."""
    if config == MOMENTS and manifest.moments is not None:
        return [split for split, counts in manifest.moments.splits.items() if counts.moments]
    return _listed(manifest)


def describe_files(config: Config, manifest: Manifest, *, folder: str) -> dict[str, Any]:
    """Return the YAML of a config: its version, and the shards of each split.

    Args:
        config: Name of the config.
        manifest: Manifest of the dataset.
        folder: Folder of the shards as seen from the card, with a slash at its end; "" for the card's own.
    """
    default = {"default": True} if config == "default" else {}
    patterns = [
        {"split": split, "path": f"{folder}{split}-*.parquet"}
        for split in _list_filled_splits(config, manifest)
    ]
    return {"config_name": config, "version": _version(config, manifest), "data_files": patterns} | default


def _version(config: Config, manifest: Manifest) -> str:
    """Version of a config for `datasets`: the schema's, and 48 bits of the hash of the data.

    `load_dataset` caches a folder by its name and its card's YAML, whatever the files hold: without a
    version of the data a rebuilt dataset, or one of the same name in another folder, would be the old one.
    """
    first, digest = manifest.schema_version, manifest.data_sha256
    if config == MOMENTS and manifest.moments is not None:
        # the first part of a version for `datasets` is a number without a dot
        first, digest = int(manifest.moments.version.partition(".")[0]), manifest.moments.data_sha256
    return f"{first}.{int(digest[:6], 16)}.{int(digest[6:12], 16)}"


def _state_licence(manifest: Manifest) -> dict[str, str]:
    """Return `license` for one licence that the Hub accepts; otherwise "other" with `license_name`."""
    if len(manifest.licences) == 1 and manifest.licences[0] in LICENCES:
        return {"license": manifest.licences[0]}
    return {"license": "other", "license_name": " AND ".join(manifest.licences)}


def _compare_with_paper(manifest: Manifest) -> str:
    """Return a table that compares each split's counts with those of the paper's table 7."""
    names = ("episodes", "screens", "apps", "categories")
    header = ["split", *(cell for name in (*names, "screens an episode") for cell in (name, "paper"))]
    rows = []
    for split, published in paper_facts.TABLE_7.items():
        own = manifest.splits[split]
        counts = (own.episodes, own.screenshots, own.apps, own.categories)
        cells = [split]
        for count, name in zip(counts, names, strict=True):
            cells += [_count(count), _count(published[name])]
        cells.append(_ratio(own.screenshots, own.episodes))
        cells.append(_ratio(published["screens"], published["episodes"]))
        rows.append(cells)
    return markdown_table(header, rows)


def _describe_people(manifest: Manifest) -> str:
    """Return a table that compares the users' sex, age and occupation with the paper's participants."""
    people = manifest.people
    if people is None:
        return "Not counted when this dataset was built."
    known = people.mean_age is not None
    rows = [("users", str(people.users), str(paper_facts.USERS))]
    rows += [
        (f"sex: {name}", str(count), str(paper_facts.SEXES.get(name, NONE)))
        for name, count in people.sexes.items()
    ]
    span = f"{people.youngest} to {people.oldest}" if known else NONE
    rows.append(("age in years", span, f"{paper_facts.YOUNGEST} to {paper_facts.OLDEST}"))
    mean = f"{people.mean_age:.1f}" if people.mean_age is not None else NONE
    rows.append((f"mean age, known of {people.ages_known}", mean, str(paper_facts.MEAN_AGE)))
    for name, count in people.occupations.items():
        rows.append(
            (f"occupation: {name}", str(count), "a third" if name in paper_facts.OCCUPATIONS else NONE)
        )
    return markdown_table(("", "here", "paper, A.3"), rows)


def _count(number: int | None) -> str:
    return NONE if number is None else f"{number:,}"


def _ratio(total: int, count: int) -> str:
    return f"{total / count:.2f}" if count else NONE


def _list_facts(manifest: Manifest) -> dict[str, Any]:
    """Variables of the template."""
    return {
        "manifest": manifest,
        "recorded": manifest.provenance == "recorded",
        "authors": manifest.origins == (AUTHORS,),
        "origins": "; ".join(_quote(origin) for origin in manifest.origins),
        "licences": ", ".join(f"`{licence}`" for licence in manifest.licences),
        "beside_paper": _compare_with_paper(manifest),
        "vali_note": paper_facts.VALI_NOTE,
        "people": _describe_people(manifest),
        "citation": CITATION,
        "official": manifest.split_method == OFFICIAL,
        "paper_episodes": PAPER_EPISODES,
        "public": PUBLIC_RELEASE,
        "rule_a5": RULE_A5_CONTRADICTION,
        "columns": [
            (name, meaning, name not in SCREENS) for name, meaning in describe_columns(manifest).items()
        ],
        "name": _escape_markup(manifest.settings.name),
        "places": {
            _quote(place): _escape_markup(name) for place, name in manifest.settings.listed_places.items()
        },
        "offsets_vary": manifest.settings.zone is not BEIJING,
        "problems": [
            (kind.value, manifest.problems[kind.value], kind.effect.value, kind.meaning)
            for kind in ProblemKind
            if kind.value in manifest.problems
        ],
        "history_limit": HISTORY_LIMIT,
        "extra": [
            (_escape_markup(part.file), _escape_markup(f"{part.kind} {part.name}"), part.count, part.kept_in)
            for part in manifest.extra
        ],
        "moment_columns": describe_moment_columns(manifest) if manifest.moments else {},
        "empty": [split for split in manifest.split_names if split not in _listed(manifest)],
        "sizes": {
            config: _size(sum(shard.bytes for shard in manifest.all_shards if shard.config == config))
            for config in list_configs(manifest)
        },
    }


def _quote(text: str) -> str:
    """Quote text of a survey or of the caller, with its markup escaped."""
    return f'"{_escape_markup(text)}"' if text != UNKNOWN else text


def _escape_markup(text: str) -> str:
    """Text of others on one line, with its markup escaped."""
    from markupsafe import escape

    marks = {ord(mark): f"&#{ord(mark)};" for mark in "`|*_[]#\\{}"}
    return " ".join(str(escape(text)).translate(marks).split())


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _read_template() -> str:
    """Read the template: next to this file in an installed package, at the top of a checkout."""
    here = Path(__file__).with_name(TEMPLATE)
    return (here if here.is_file() else here.parents[2] / TEMPLATE).read_text(encoding="utf-8")
