"""Content Security Policies of every HTML page that the project writes or serves.

No policy allows requests to other hosts, frames, plug-ins, forms, or event handlers in the markup. A script
runs only if it is one of ours: from the page's own server, or within the page with its hash in the policy.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

_CLOSED = "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"

SERVED_POLICY = (
    f"{_CLOSED}; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; "
    "frame-ancestors 'none'"
)
"""Policy of a page whose scripts and styles are files of its own server."""


def file_policy(scripts: Iterable[str]) -> str:
    """Policy of a page that is one file and loads nothing.

    Args:
        scripts: Text of each script in the page, exactly as between its tags.
    """
    return (
        f"{_CLOSED}; script-src {_sources(scripts)}; style-src 'unsafe-inline'; img-src data:; font-src data:"
    )


def space_policy(scripts: Iterable[str]) -> str:
    """Policy of a gradio page, which Spaces show in a frame.

    gradio compiles its components' templates in the browser, so strings may become functions there; event
    handlers and scripts in the markup of a submission still do not run.

    Args:
        scripts: Text of each inline script of gradio's page, exactly as between its tags.
    """
    return (
        f"{_CLOSED}; script-src 'self' 'unsafe-eval' {_sources(scripts)}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
        "worker-src 'self' blob:; frame-ancestors 'self' https://huggingface.co https://*.huggingface.co"
    )


def _sources(scripts: Iterable[str]) -> str:
    """Hashes of scripts as sources of a policy; 'none' without a script."""
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'"
