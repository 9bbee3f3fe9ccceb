"""The board's page in gradio: a tab per track, a page per submission, refusals, how to submit.

Nothing is loaded from other hosts: fonts are local, and analytics are off.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_leaderboard.hidden_records import HiddenTestRecord
from fingertip_leaderboard.ranking import RankingTable, filter_tables, make_tables
from fingertip_leaderboard.space.board_text import (
    HEAD,
    HEAD_ZH,
    HOW_TO_READ,
    HOW_TO_READ_ZH,
    NOT,
    NOT_ZH,
    SUBMIT,
    SUBMIT_ZH,
)
from fingertip_leaderboard.space.hidden_section import render_hidden
from fingertip_leaderboard.space.policy import PolicyMiddleware
from fingertip_leaderboard.space.render import render_boards, render_refused, render_submission
from fingertip_leaderboard.verified_records import ScoreKind, VerifiedResults
from fingertip_metrics.space_look import make_space_head, make_space_theme, read_space_scripts
from fingertip_pages.message_catalogue import read_messages
from fingertip_pages.request_guard import RequestGuard
from fingertip_pages.sentences import read_sentences, translate
from fingertip_runs.device_kinds import DEVICE_KINDS

HERE = Path(__file__).parent
SHOWN_NAME = 60
"""Maximum characters of a name in the list of submissions."""

ALL = "all"
WEIGHTS = MappingProxyType({"open weights": "open", "closed weights": "closed", "no model": "none"})
PROTOCOLS = MappingProxyType({"release": "release", "paper": "paper"})
DEVICES: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        choice: tuple(kind.name for kind in DEVICE_KINDS.values() if kind.board_filter == choice)
        for choice in dict.fromkeys(kind.board_filter for kind in DEVICE_KINDS.values())
    }
)
"""Choice of the filter "Phones" -> kinds of device."""

EXECUTION: tuple[ScoreKind, ...] = ("execution",)
SUGGESTION: tuple[ScoreKind, ...] = ("sim1", "sr1")
MOMENTS: tuple[ScoreKind, ...] = ("moments",)
ASKING: tuple[ScoreKind, ...] = ("asking",)


def build_page(results: VerifiedResults, hidden: Sequence[HiddenTestRecord] = ()) -> Any:  # noqa: ANN401 - gradio is optional
    """Build the page of verified results without starting it.

    Args:
        results: Verified results.
        hidden: Records of hidden tests, which have the first section.

    Raises:
        MissingExtraError: gradio is not installed.
    """
    gradio = _import_gradio()
    # once a page: the pairwise tests of a large table take seconds
    suggestion, execution = make_tables(results, SUGGESTION), make_tables(results, EXECUTION)
    moments, asking = make_tables(results, MOMENTS), make_tables(results, ASKING)
    found = (*suggestion, *execution, *moments, *asking)
    with gradio.Blocks(title="FingerTip 20K leaderboard", analytics_enabled=False) as blocks:
        _add_both(gradio, HEAD, HEAD_ZH)
        if hidden:
            gradio.HTML(render_hidden(hidden), elem_id="run-by-the-board")
        with gradio.Tabs() as tabs:
            with gradio.Tab("Suggestion", id="suggestion"):
                _add_board(gradio, results, suggestion, devices=False)
            with gradio.Tab("Execution", id="execution"):
                _add_board(gradio, results, execution, devices=True)
            # the paper has neither of these, so without a submission there is nothing to show
            if asking:
                with gradio.Tab("Ask or know", id="asking"):
                    _add_board(gradio, results, asking, devices=False)
            if moments:
                with gradio.Tab("When to speak", id="moments"):
                    _add_board(gradio, results, moments, devices=False)
            with gradio.Tab("Submissions", id="submission"):
                choice, shown = _add_submissions(gradio, results, found)
            with gradio.Tab("Refused", id="refused"):
                _add_both(
                    gradio,
                    "A bundle that is not what it says is never ranked. What was found first, of each:",
                    "与自述不符的提交包不参加排名。每个包最先查到的问题：",
                )
                gradio.HTML(render_refused(results), elem_id="refused-bundles")
            with gradio.Tab("How to submit", id="submit"):
                _add_both(gradio, SUBMIT, SUBMIT_ZH)
            with gradio.Tab("What it is not", id="not"):
                _add_both(gradio, NOT, NOT_ZH)
        _add_both(gradio, _write_foot(results), _write_foot_zh(results))
        blocks.load(_make_opener(gradio, results, found), None, [tabs, choice, shown], show_progress="hidden")
    return blocks


def launch(
    blocks: Any,  # noqa: ANN401 - as gradio has it
    notify: Callable[[str], None],
    hosts: Sequence[str] = (),
    **options: Any,  # noqa: ANN401
) -> None:
    """Serve the page with the board's theme until Ctrl-C.

    Args:
        blocks: Result of `build_page`.
        notify: Called with the page's address.
        hosts: Names under which the page is known outside, as of a proxy; a Space adds its own.
        options: Keyword arguments of gradio's `launch`.

    Raises:
        UsageError: The port is taken.
    """
    _import_gradio()
    from starlette.middleware import Middleware  # a dependency of gradio

    # submissions that are chosen later have notes whose characters are in no part yet
    shown = f"{blocks.get_config_file()}{read_sentences()}"
    head = make_space_head(read_messages(), shown=shown)
    # of a Space, by the Hub
    named = [*hosts, *os.environ.get("SPACE_HOST", "").split(",")]
    middleware = [
        Middleware(RequestGuard, hosts=[name.strip() for name in named if name.strip()]),
        Middleware(PolicyMiddleware, scripts=read_space_scripts()),
    ]
    try:
        _, address, _ = blocks.launch(
            theme=make_space_theme(),
            head=head,
            css_paths=HERE / "board.css",
            footer_links=[],
            share=False,
            ssr_mode=False,
            quiet=True,
            prevent_thread_lock=True,
            app_kwargs={"middleware": middleware},
            **options,
        )
    except OSError as error:
        raise UsageError(f"expected a free port, got: {str(error).partition('.')[0]}") from error
    notify(address)
    blocks.block_thread()


def _add_both(gradio: Any, english: str, chinese: str) -> None:  # noqa: ANN401
    """Add a text in both languages, of which the page shows one."""
    for text, name in ((english, "en"), (chinese, "zh")):
        gradio.Markdown(text, elem_classes=f"only-{name}")


def _import_gradio() -> Any:  # noqa: ANN401 - gradio is optional
    try:
        import gradio
    except ImportError:
        raise MissingExtraError("gradio", "leaderboard") from None
    return gradio


def _add_board(
    gradio: Any,  # noqa: ANN401
    results: VerifiedResults,
    found: Sequence[RankingTable],
    *,
    devices: bool,
) -> None:
    """Add the filters and tables of one track."""
    with gradio.Row():
        kinds = [_filter(gradio, "Weights", WEIGHTS), _filter(gradio, "Protocol", PROTOCOLS)]
        if devices:
            kinds.append(_filter(gradio, "Phones", DEVICES))
        published = gradio.Checkbox(True, label="The paper's rows", container=True, min_width=160)
    board = gradio.HTML(
        render_boards(results, found), js_on_load=(HERE / "board.js").read_text(encoding="utf-8")
    )
    _add_both(gradio, HOW_TO_READ, HOW_TO_READ_ZH)

    def show(beside: bool, weights: str, protocol: str, device: str = ALL) -> str:
        kept = filter_tables(
            found,
            weights=None if weights == ALL else {WEIGHTS[weights]},
            protocols=None if protocol == ALL else {PROTOCOLS[protocol]},
            devices=None if device == ALL else DEVICES[device],
            published=beside,
        )
        return render_boards(results, kept)

    gradio.on(
        [control.change for control in (published, *kinds)],
        show,
        [published, *kinds],
        board,
        show_progress="hidden",
        api_visibility="private",
    )


def _filter(gradio: Any, label: str, choices: MappingProxyType[str, Any]) -> Any:  # noqa: ANN401
    return gradio.Dropdown([ALL, *choices], value=ALL, label=label, min_width=160, filterable=False)


def _add_submissions(gradio: Any, results: VerifiedResults, found: Sequence[RankingTable]) -> tuple[Any, Any]:  # noqa: ANN401
    """Add the list of submissions and the page of the selected one."""
    choices = [
        (f"{it.card.name[:SHOWN_NAME]} ({it.conditions[0].task_list}, {it.name})", it.name)
        for it in results.submissions
    ]
    first = choices[0][1] if choices else None
    choice = gradio.Dropdown(choices, value=first, label="Submission", visible=bool(choices))
    shown = gradio.HTML(_render_page_of(results, found, first))
    choice.change(
        lambda name: _render_page_of(results, found, name),
        choice,
        shown,
        show_progress="hidden",
        api_visibility="private",
    )
    return choice, shown


def _render_page_of(results: VerifiedResults, found: Sequence[RankingTable], name: str | None) -> str:
    for submission in results.submissions:
        if submission.name == name:
            return render_submission(results, found, submission)
    return "<p>No submission of that name is here.</p>" if name else "<p>There is no submission yet.</p>"


def _make_opener(gradio: Any, results: VerifiedResults, found: Sequence[RankingTable]) -> Any:  # noqa: ANN401
    """Make the load handler that opens the submission named in the page's address."""
    names = {submission.name for submission in results.submissions}

    def open_submission(request: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401 - gradio's, see below
        name = request.query_params.get("submission") if request else None
        if name is None:
            return gradio.skip(), gradio.skip(), gradio.skip()
        chosen = gradio.Dropdown(value=name) if name in names else gradio.skip()
        return gradio.Tabs(selected="submission"), chosen, _render_page_of(results, found, name)

    # gradio passes the request to a parameter with exactly this annotation
    open_submission.__annotations__ = {"request": gradio.Request}
    return open_submission


def _write_foot(results: VerifiedResults) -> str:
    data = ", ".join(f"{it.name} ({it.data_sha256[:8]})" for it in results.benchmarks) or "none"
    verified = len(results.submissions)
    return (
        f"{verified} verified, {len(results.refused)} refused · data {data} · "
        f"order of submission: {results.order} · checked {results.checked[:10]}"
    )


def _write_foot_zh(results: VerifiedResults) -> str:
    data = "、".join(f"{it.name}（{it.data_sha256[:8]}）" for it in results.benchmarks) or "无"
    verified, refused = len(results.submissions), len(results.refused)
    return (
        f"已核验 {verified}，被拒绝 {refused} · 数据 {data} · "
        f"提交次序：{translate(results.order) or results.order} · 检查于 {results.checked[:10]}"
    )
