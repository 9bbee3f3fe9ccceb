"""CITATION.cff: the fields that its format requires, and the same paper and version as everywhere."""

from __future__ import annotations

import re

import yaml

import fingertip_dataset
from fingertip_metrics.conventions import CITATION
from tests.test_architecture import ROOT

FILE = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
REQUIRED = {"cff-version", "message", "title", "authors"}
"""Of https://github.com/citation-file-format/citation-file-format, 1.2.0; of a reference `type` besides."""


def test_the_file_has_what_its_format_requires() -> None:
    assert FILE.keys() >= REQUIRED
    assert FILE["cff-version"] == "1.2.0"
    assert FILE["type"] in ("software", "dataset")
    assert FILE["preferred-citation"].keys() >= {"authors", "title", "type"}
    people = [*FILE["authors"], *FILE["preferred-citation"]["authors"]]
    assert all({"name"} <= one.keys() or {"given-names", "family-names"} <= one.keys() for one in people)


def test_the_version_is_that_of_the_package() -> None:
    assert FILE["version"] == fingertip_dataset.__version__


def test_the_paper_is_the_one_that_the_metrics_cite() -> None:
    paper = FILE["preferred-citation"]
    cited = " ".join(CITATION.split())
    authors = re.search(r"author = \{(.*?)\}", cited)
    assert authors is not None
    names = [f"{one['given-names']} {one['family-names']}" for one in paper["authors"]]
    assert authors[1].split(" and ") == names
    assert f"title = {{{paper['title']}}}" in cited
    assert f"year = {{{paper['year']}}}" in cited
    assert f"eprint = {{{paper['url'].rpartition('/')[2]}}}" in cited
