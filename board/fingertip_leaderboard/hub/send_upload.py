"""Send an `Upload` to the Hub as one commit, after a look at what the repo holds."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_dataset.errors import HubError, UsageError
from fingertip_dataset.parquet.manifest import MANIFEST, Manifest
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.hub.connection import Hub, check_no_token, convert_hub_errors
from fingertip_leaderboard.hub.upload import Upload, check_licence, check_replaces

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete


@dataclass(frozen=True, slots=True, kw_only=True)
class RepoState:
    """A repo before an upload.

    Attributes:
        commit: Its latest commit.
        private: Whether only its owner sees it.
        names: Its files.
    """

    commit: str
    private: bool
    names: frozenset[str]


def send_upload(hub: Hub, upload: Upload, *, public: bool) -> str:
    """Send an upload as one commit; a repo that does not exist is made.

    Args:
        hub: The connection.
        upload: What is sent.
        public: Whether everyone may see it; of a repo that exists, whether everyone sees it.

    Returns:
        URL of the repo.

    Raises:
        HubError: The Hub refuses, or the repo holds something that must not be replaced.
        UsageError: `public` without a stated licence, or another visibility than the repo's.
    """
    if public:
        check_licence(upload)
    check_no_token(_small_files(upload))
    state = _read_repo_state(hub, upload)
    if state is None:
        _make_repo(hub, upload, public=public)
        state = _read_repo_state(hub, upload)
        if state is None:
            raise HubError(f"{upload.repo} was made, and {hub.endpoint} does not show it: try again")
    elif not state.private and not public:
        raise UsageError(f"{upload.repo} is public: --public says that everyone may see these files")
    elif state.private and public:
        raise UsageError(
            f"{upload.repo} is private, and --public makes only a new repo public: leave it out, and change "
            "the repo's visibility in its settings on the Hub afterwards"
        )
    unused = check_replaces(upload, _read_manifest_there(hub, upload, state), state.names)
    with convert_hub_errors(hub.endpoint, f"write to the {upload.repo_type} repo {upload.repo}"):
        hub.api.create_commit(
            upload.repo,
            _list_operations(upload, unused),
            commit_message=upload.title,
            repo_type=upload.repo_type,
            # the Hub refuses the commit if the repo has changed since we looked
            parent_commit=state.commit,
        )
    folder = {"dataset": "datasets/", "space": "spaces/"}[upload.repo_type]
    return f"{hub.endpoint}/{folder}{upload.repo}"


def _small_files(upload: Upload) -> dict[str, bytes]:
    """The content of every file but shards, in which nobody types."""
    return {
        name: content if isinstance(content, bytes) else content.read_bytes()
        for name, content in upload.files.items()
        if not name.endswith(".parquet")
    }


def _list_operations(
    upload: Upload, unused: frozenset[str]
) -> list[CommitOperationAdd | CommitOperationDelete]:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    return [
        *(
            CommitOperationAdd(path_in_repo=name, path_or_fileobj=content)
            for name, content in upload.files.items()
        ),
        *(CommitOperationDelete(path_in_repo=name) for name in sorted(unused)),
    ]


def _read_repo_state(hub: Hub, upload: Upload) -> RepoState | None:
    """Read the state of the repo, or None if this user sees no such repo."""
    from huggingface_hub.errors import RepositoryNotFoundError

    with convert_hub_errors(hub.endpoint, f"show the {upload.repo_type} repo {upload.repo}"):
        try:
            ask = hub.api.dataset_info if upload.repo_type == "dataset" else hub.api.space_info
            info = ask(upload.repo)
        except RepositoryNotFoundError:
            return None
    if not info.sha:
        raise HubError(f"{upload.repo} has no commit yet")
    names = frozenset(one.rfilename for one in info.siblings or ())
    return RepoState(commit=str(info.sha), private=bool(info.private), names=names)


def _make_repo(hub: Hub, upload: Upload, *, public: bool) -> None:
    with convert_hub_errors(hub.endpoint, f"make the {upload.repo_type} repo {upload.repo}", sends=True):
        hub.api.create_repo(
            upload.repo,
            repo_type=upload.repo_type,
            private=not public,
            space_sdk="gradio" if upload.repo_type == "space" else None,
        )


def _read_manifest_there(hub: Hub, upload: Upload, state: RepoState) -> Manifest | None:
    """Read the manifest in a dataset repo, or None if it has no manifest."""
    if upload.manifest is None or MANIFEST not in state.names:
        return None
    # a folder that is removed again, because a cache would keep a private dataset's manifest
    with tempfile.TemporaryDirectory(prefix="fingertip-hub-") as folder:
        with convert_hub_errors(hub.endpoint, f"send {MANIFEST} of {upload.repo}"):
            file = hub.api.hf_hub_download(
                upload.repo, MANIFEST, repo_type=upload.repo_type, revision=state.commit, local_dir=folder
            )
        try:
            return Manifest.read(Path(file))
        except Exception as error:
            raise HubError(
                f"{MANIFEST} of {upload.repo} is none of `fingertip build`: {printable(str(error), 200)}"
            ) from None
