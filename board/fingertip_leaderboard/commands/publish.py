"""`fingertip publish`: sends a built dataset, a metric or a board to the Hub, after a preview."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_leaderboard.hub.upload import Upload


@click.command(
    epilog="""\
    fingertip publish ./fingertip-20k --repo OWNER/NAME
    fingertip publish ./fingertip-20k --repo OWNER/NAME --push --public
    fingertip publish fingertip_sim2 --repo OWNER/NAME --json
    """
)
@click.argument("what", metavar="DATASET|METRIC|SPACE")
@shared_options.repo(required=True)
@shared_options.push
@click.option("--public", is_flag=True, help="Everyone may see it. Default: a new repo is private.")
@shared_options.as_json()
def command(what: str, repo: str, push: bool, public: bool, as_json: bool) -> None:
    """Send a built DATASET, a METRIC by its name, or a board's SPACE folder to the Hub.

    A dataset goes as one commit with its card, Croissant file and eval.yaml, so that load_dataset, the viewer
    and the Hub's leaderboard read it. What is left of an older build is removed, and a redacted dataset is
    never replaced by one that is not.
    """
    from fingertip_leaderboard.hub.upload import check_licence

    upload = _upload(what, repo)
    if public:
        check_licence(upload)
    url = None
    _show(upload, push=push, public=public)
    if push:
        url = _push(upload, public=public)
    if as_json:
        _print_json(upload, url)
    elif url is None:
        click.echo("Nothing was sent: --push sends it.")
    else:
        click.echo(f"published: {url}")


def _upload(what: str, repo: str) -> Upload:
    from fingertip_leaderboard.hub.upload import describe_dataset_upload, describe_space_upload, is_space
    from fingertip_metrics import path
    from fingertip_metrics.install import MODULES

    place = Path(what)
    if what in MODULES and not place.exists():
        return describe_space_upload(Path(path(what)), repo, title=f"The metric {what}")
    if not place.is_dir():
        raise UsageError(
            f"expected a built dataset, a Space's folder or one of {', '.join(MODULES)}, got {what[:200]!r}"
        )
    if is_space(place):
        return describe_space_upload(place, repo, title="The board")
    return describe_dataset_upload(place, repo)


def _show(upload: Upload, *, push: bool, public: bool) -> None:
    from huggingface_hub import constants

    verb = "Goes" if push else "Would go"
    seen = "visible to everyone" if public else "private if the repo is new"
    click.echo(f"{verb} to {constants.ENDPOINT}, {seen}:")
    for line in upload.description_lines():
        click.echo(line)


def _push(upload: Upload, *, public: bool) -> str:
    from fingertip_dataset.release.problems import printable
    from fingertip_leaderboard.hub.connection import Hub
    from fingertip_leaderboard.hub.send_upload import send_upload

    hub = Hub.connect()
    click.echo(f"logged in as {printable(hub.user, 100)}")
    return send_upload(hub, upload, public=public)


def _print_json(upload: Upload, url: str | None) -> None:
    found = {
        "repo": upload.repo,
        "repo_type": upload.repo_type,
        "title": upload.title,
        "files": upload.sizes,
        "bytes": sum(upload.sizes.values()),
        "remarks": list(upload.remarks),
        "published": url,
    }
    print_json(found)
