"""Shared parts of the report pages of both tracks: check of the runs, rows of the dataset, HTML file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.source import source
from fingertip_pages.page_policy import file_policy
from fingertip_runs.cells import Scored, run_name
from fingertip_runs.page_template import english_group, page_template
from fingertip_runs.run_record import RunRecord

if TYPE_CHECKING:
    from markupsafe import Markup

_Record = TypeVar("_Record", bound=RunRecord)

_FONT_MARK = "/* font */"
"""Where the font comes once the page's characters are known."""


Filter = tuple[str, str, list[tuple[str, str, str]]]
"""A filter of a page: its field, the key of its label, and its options as (value, key of the words, data); an
option that is data has no key, and the field is its grouping."""


def filter_words(row: Mapping[str, Any], texts: Iterable[str | None]) -> str:
    """Collect the words by which the filter finds a task, in lower case, from its row and from texts."""
    names = ("intent", "user_id", "episode_id", "app", "scenario", "intent_category")
    words = [row.get(name) for name in names]
    groups = {"app": row["app"], "scenario": row["scenario"], "category": row.get("intent_category")}
    words += [english_group(name, by) for by, name in groups.items() if name]
    return " ".join(dict.fromkeys(word for word in [*words, *texts] if word)).lower()


def check_one_split(records: Sequence[RunRecord]) -> None:
    """Refuses runs of different datasets or splits, or with different versions.

    Raises:
        UsageError: The runs have different datasets, splits or versions.
    """
    of_one_version(records)
    if len({(record.dataset.data_sha256, record.split) for record in records}) != 1:
        raise UsageError("the runs are of several splits or datasets: write a page for each")


def of_one_version(records: Iterable[_Record]) -> list[_Record]:
    """The records of runs, all with the same versions of harness, phone, suite and people.

    Raises:
        UsageError: The runs have different versions: they never share a table.
    """
    runs = list(records)
    found: dict[str, dict[str, None]] = {}
    for run in runs:
        found.setdefault(run.versions.words() if run.versions else "not recorded", {})[run.agent.name] = None
    if len(found) > 1:
        named = "; ".join(f"{words} ({', '.join(found[words])})" for words in sorted(found))
        raise UsageError(f"runs with different versions never share a table, got {named}: score them apart")
    return runs


class ReportedRun(Scored, Protocol):
    """Scores of a run of either track, with its record."""

    @property
    def record(self) -> RunRecord:
        """Content of run.json."""


def run_labels(scores: Sequence[ReportedRun]) -> list[str]:
    """A name for each run of a page: the agent's, with the run's own if the agent made several runs."""
    agents = Counter(run.record.agent.name for run in scores)
    names = []
    for run in scores:
        agent, own = run.record.agent.name, run_name(run)
        names.append(agent if agents[agent] == 1 else own if agent in own else f"{agent} · {own}")
    return names


def task_rows(record: RunRecord, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a run's split, read from the dataset path in its record.

    Args:
        record: Record of the run (run.json).
        columns: Names of the columns to read, which may include the screens.

    Raises:
        DatasetError: The dataset is missing.
        UsageError: The path holds another dataset than the run's.
    """
    return open_run_dataset(record).rows(record.split, columns=columns, config="default")


def open_run_dataset(record: RunRecord) -> BuiltDataset:
    """Open the dataset of a run at the path in its record.

    Raises:
        DatasetError: The dataset is missing.
        UsageError: The path holds another dataset than the run's.
    """
    built = BuiltDataset.open(Path(record.dataset.path))
    if built.manifest.data_sha256 != record.dataset.data_sha256:
        raise UsageError(
            "this is another dataset than the run was made on, or it was built again since: bring "
            "that one back to this path",
            file=record.dataset.path,
        )
    return built


def write_page(
    out: Path,
    package: str,
    name: str,
    *,
    script: str,
    pages: Sequence[str],
    style: str = "",
    **content: object,
) -> Path:
    """Renders a report into one HTML file and returns its path.

    The page has the look, the two switches and the Chinese font of all pages (`fingertip_pages`).

    Args:
        out: Path of the HTML file.
        package: Import name of the template's package; the template extends report_base.html.j2.
        name: File name of the template.
        script: JavaScript of the page, which may call `filterItems` of report_filter.js; a Content Security
            Policy forbids all but this and the frame's.
        pages: Names of the tables of messages.toml with the page's texts.
        style: CSS of the page alone: layout, no colour.
        content: Variables of the template; `record` is the record of the first run.

    Raises:
        RunError: The file cannot be written.
    """
    from fingertip_pages.page_files import SCRIPT, base_style, page_file
    from fingertip_pages.page_font import make_font_face

    frame, script = page_file(SCRIPT), f"{_own_file('report_filter.js')}{script}"
    page = page_template(package, name, base=__package__).render(
        **content,
        policy=file_policy([frame, script]),
        font_mark=_mark_safe(_FONT_MARK),
        base_style=_mark_safe(base_style()),
        report_style=_mark_safe(_own_file("report_base.css")),
        style=_mark_safe(style),
        frame_script=_mark_safe(frame),
        script=_mark_safe(script),
        pages=pages,
        commit=source().git_commit,
    )
    page = page.replace(_FONT_MARK, make_font_face(page), 1)
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise RunError(f"the file cannot be written: {error.strerror}", file=out) from error
    return out


def _own_file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _mark_safe(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - our own files, and JSON without an angle bracket
