"""Files that `fingertip publish` sends to the Hub: a built dataset, or the folder of a Space.

A dataset becomes one commit, so that nobody can load half of it: its shards are sent first, and the commit
that names them is refused if the repo has changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fingertip_dataset.errors import HubError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.croissant import CROISSANT
from fingertip_dataset.parquet.manifest import CARD, MANIFEST, Manifest
from fingertip_dataset.parquet.shards import FOLDERS
from fingertip_dataset.release.origins import UNKNOWN
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.hub.eval_results import benchmark_yaml
from fingertip_leaderboard.hub.pull_request import list_files
from fingertip_leaderboard.hub.repo_names import check_repo

EVAL = "eval.yaml"
"""File by which the Hub makes a dataset repo a benchmark."""

GIT_ATTRIBUTES = ".gitattributes"
"""File that the Hub itself puts into a new repo."""

VIEWER_LIMIT = 300_000_000
"""Bytes of a row group that the Hub's viewer still reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """Files for a repo on the Hub, described in full before anything is sent.

    Attributes:
        repo: Name of the repo, OWNER/NAME.
        repo_type: Kind of the repo.
        title: Title of the commit.
        files: Path within the repo -> file on this machine, or content.
        remarks: What those who see the repo get.
        manifest: Manifest of the dataset; None for a Space.
    """

    repo: str
    repo_type: Literal["dataset", "space"]
    title: str
    files: Mapping[str, Path | bytes]
    remarks: tuple[str, ...] = ()
    manifest: Manifest | None = None

    @property
    def sizes(self) -> dict[str, int]:
        """Path within the repo -> bytes."""
        return {
            name: len(content) if isinstance(content, bytes) else content.stat().st_size
            for name, content in self.files.items()
        }

    def description_lines(self) -> Iterator[str]:
        """Description of the upload, line by line; safe to print."""
        sizes = self.sizes
        yield f"a commit to the {self.repo_type} repo {self.repo}: {self.title}"
        yield from list_files(sizes)
        yield f"  {sum(sizes.values()):,} bytes in {len(sizes)} files"
        for line in self.remarks:
            yield f"  {printable(line, 300)}"


def describe_dataset_upload(dataset: Path, repo: str) -> Upload:
    """Describe the upload of a built dataset: its data files, card, manifest, Croissant file and eval.yaml.

    Every data file is read and compared with the manifest.

    Args:
        dataset: Folder that `fingertip build` finished.
        repo: Name of the dataset repo, OWNER/NAME.

    Raises:
        DatasetError: The dataset is missing, incomplete, or changed since the build.
        UsageError: `repo` is not a valid name.
    """
    check_repo(repo, "--repo")
    built = BuiltDataset.open(dataset)
    built.verify()
    manifest = built.manifest
    names = [CARD, MANIFEST, *(entry.file for entry in manifest.all_files)]
    files: dict[str, Path | bytes] = {name: dataset / name for name in names}
    # older datasets lack some of them
    for name in (CROISSANT, *(f"{folder}/{CARD}" for folder in FOLDERS.values())):
        if (dataset / name).is_file():
            files[name] = dataset / name
    has_tests = any(split.startswith("test") and one.episodes for split, one in manifest.splits.items())
    if has_tests:
        files[EVAL] = benchmark_yaml(manifest, name=_name_dataset(manifest)).encode()
    return Upload(
        repo=repo,
        repo_type="dataset",
        title=f"{_name_dataset(manifest)}: data {manifest.data_sha256[:12]}",
        files=files,
        remarks=tuple(_list_dataset_remarks(built, has_tests)),
        manifest=manifest,
    )


def describe_space_upload(folder: Path, repo: str, *, title: str) -> Upload:
    """Describe the upload of a Space: a metric's folder, or one of `fingertip leaderboard --space`.

    Args:
        folder: Folder with app.py and a README.md whose YAML says `sdk: gradio`.
        repo: Name of the Space, OWNER/NAME.
        title: Title of the commit.

    Raises:
        UsageError: `repo` is not a valid name, or the folder is no Space.
    """
    check_repo(repo, "--repo")
    if not is_space(folder):
        raise UsageError("expected a folder with app.py and a README.md that says `sdk: gradio`", file=folder)
    files: dict[str, Path | bytes] = {
        str(path.relative_to(folder)): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith((".", "__")) for part in path.relative_to(folder).parts)
    }
    return Upload(repo=repo, repo_type="space", title=title, files=files, remarks=("a page by gradio",))


def is_space(folder: Path) -> bool:
    """Whether a folder is a gradio Space."""
    card = folder / CARD
    if not ((folder / "app.py").is_file() and card.is_file()):
        return False
    # by lines: an editor of another system may have changed their ends
    return "sdk: gradio" in card.read_text("utf-8", errors="replace").splitlines()


def check_replaces(upload: Upload, there: Manifest | None, names: frozenset[str]) -> frozenset[str]:
    """Check that an upload may replace what a repo holds, and return the files that it leaves without use.

    Args:
        upload: The upload.
        there: Manifest in the repo; None without one.
        names: Files in the repo.

    Raises:
        HubError: The repo holds files of others, a redacted dataset that this one is not, or one that is not
            redacted and would stay in the history.
    """
    if upload.manifest is None:
        return frozenset()
    strangers = names - upload.files.keys() - {GIT_ATTRIBUTES}
    if there is None:
        if names - {GIT_ATTRIBUTES, CARD}:
            raise HubError(
                f"{upload.repo} has {min(strangers or names)} and no {MANIFEST}: name a new repo, "
                "or one that `fingertip publish` made"
            )
        return frozenset()
    if there.redacted is not None and upload.manifest.redacted is None:
        raise HubError(
            f"{upload.repo} holds a redacted dataset, and this one is not redacted: name another repo"
        )
    if there.redacted is None and upload.manifest.redacted is not None:
        raise HubError(
            f"{upload.repo} holds a dataset that is not redacted, which stays in its history for everyone "
            "who sees the repo: name a new repo, and delete the old one on the Hub"
        )
    return frozenset(entry.file for entry in there.all_files) & strangers


def _name_dataset(manifest: Manifest) -> str:
    return "FingerTip 20K" + ("" if manifest.provenance == "recorded" else f" ({manifest.provenance})")


def _list_dataset_remarks(built: BuiltDataset, has_tests: bool) -> Iterator[str]:
    manifest = built.manifest
    users = f"{manifest.people.users} people, " if manifest.people else ""
    yield f"{users}{manifest.episodes.kept:,} episodes, {manifest.provenance}"
    yield f"licence {', '.join(manifest.licences)}; origin: {'; '.join(manifest.origins)}"
    if manifest.redacted is not None:
        yield f"redacted by {manifest.redacted.by}: {manifest.redacted.total:,} finds"
    elif manifest.provenance == "recorded":
        yield "not redacted: screens and texts are as people recorded them (`fingertip privacy redact`)"
    largest = find_largest_row_group(built)
    fits = "which the Hub's viewer shows" if largest <= VIEWER_LIMIT else "too large for the Hub's viewer"
    yield f"largest row group {largest / 1e6:,.1f} MB, {fits}"
    if not has_tests:
        yield "no episode in either test: without eval.yaml"


def find_largest_row_group(built: BuiltDataset) -> int:
    """Uncompressed bytes of the largest row group of all shards."""
    import pyarrow.parquet as pq

    sizes = [0]
    for shard in built.manifest.shards:
        metadata = pq.read_metadata(built.path / shard.file)
        sizes += [metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups)]
    return max(sizes)


def check_licence(upload: Upload) -> None:
    """Refuse to make data public whose licence nobody has stated.

    Raises:
        UsageError: The licence is unknown.
    """
    if upload.manifest is not None and UNKNOWN in upload.manifest.licences:
        raise UsageError(
            "--public needs a licence, and the dataset states none: build it with --licence ID and --origin"
        )
