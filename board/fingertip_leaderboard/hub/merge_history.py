"""Order of submission from the Hub's history of a submissions repo."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fingertip_dataset.errors import HubError
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.hub.connection import convert_hub_errors, make_public_api
from fingertip_leaderboard.hub.repo_names import SUBMISSIONS, check_repo
from fingertip_leaderboard.submission_order import SubmissionOrder

if TYPE_CHECKING:
    from huggingface_hub.hf_api import RepoFile

AT_ONCE = 50
"""Maximum number of paths of a request: with their last commits, the Hub answers slowly."""


def read_hub_order(
    repo: str, bundles: Mapping[str, bytes], *, endpoint: str | None = None
) -> SubmissionOrder:
    """Order of submission by the commits that last wrote each bundle.json of a repo.

    That commit is the merge of its pull request: a bundle that was changed later counts as submitted then.

    Args:
        repo: The submissions repo, OWNER/NAME.
        bundles: Name of a bundle's folder -> content of its bundle.json. One that the repo does not have, or
            has with another content, gets no place.
        endpoint: URL of the Hub; None for that of HF_ENDPOINT.

    Raises:
        UsageError: `repo` is not a valid repo name.
        HubError: The Hub cannot be reached or refuses the request.
    """
    from huggingface_hub.hf_api import RepoFile

    check_repo(repo, "--order-from hub:")
    api, address = make_public_api(endpoint)
    names = {f"{SUBMISSIONS}/{folder}/{BUNDLE}": content for folder, content in bundles.items()}
    places: dict[str, float] = {}
    shown: dict[str, str] = {}
    pages: dict[str, str] = {}
    with convert_hub_errors(address, f"show the history of the dataset repo {repo}"):
        commit = api.repo_info(repo, repo_type="dataset").sha
        paths = sorted(names)
        for start in range(0, len(paths), AT_ONCE):
            some = paths[start : start + AT_ONCE]
            for found in api.get_paths_info(repo, some, revision=commit, repo_type="dataset", expand=True):
                content, last = names.get(found.path), found.last_commit
                if content is None or last is None or not isinstance(found, RepoFile):
                    continue
                if not _is_content(found, content):
                    continue
                sha256 = hashlib.sha256(content).hexdigest()
                places[sha256] = last.date.timestamp()
                folder = found.path.removesuffix(f"/{BUNDLE}")
                pages[sha256] = f"{address}/datasets/{repo}/tree/{commit}/{folder}"
                shown[sha256] = f"{last.date:%Y-%m-%d %H:%M} UTC, commit {last.oid[:12]}"
    if bundles and not places:
        raise HubError(f"{repo} has none of these bundles below {SUBMISSIONS}/: is it their repo?")
    return SubmissionOrder(
        source=f"the history of {repo} on the Hub", places=places, shown=shown, pages=pages
    )


def _is_content(found: RepoFile, content: bytes) -> bool:
    """Whether a file of the repo has this content, by the hash that the Hub keeps of it."""
    if getattr(found, "lfs", None) is not None:
        return bool(found.lfs and found.lfs.sha256 == hashlib.sha256(content).hexdigest())
    blob = b"blob %d\0" % len(content) + content
    return bool(found.blob_id == hashlib.sha1(blob).hexdigest())  # noqa: S324 - git's name of a blob
