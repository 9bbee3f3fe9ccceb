"""Pages of the site beside their sources: the builder reads each construct as GitHub does."""

from __future__ import annotations

from functools import cache

import markdown
import pytest
from lxml import html

from docs.site.build import ENGLISH, configuration
from docs.site.builder_markdown import adapt_markdown
from docs.site.site_map import ROOT, page_files
from tests.docs.site.shown_blocks import Block, list_blocks, read_github

CONSTRUCTS = """\
# Everything

Text above:
- a
- b
  - c in b
    - d in c

  a paragraph of b
- e
1. one

   ```python a_file.py
   x = 1

   def f(): return "```"
   ```

   below
2. two
   - nested `a | b`
     ````text tag
     ```
     # no heading
     ```
     ````

A sentence about
2024. It was a year.

Paragraph
| a | b |
|---|---|
| `x \\| y` | z |

~~~bash run me.sh
# comment
~~~

10) ten
11) eleven

    deeper

* * *

```py
- not a list\twith a tab
  | a \\| b |
```
Text
```sh
direct
```
- list below code

Text

    indented code
      - not a list
"""


@cache
def make_builder() -> markdown.Markdown:
    """The builder's reader with the extensions of the site, without the signs at headings."""
    listed = configuration(ENGLISH)["markdown_extensions"]
    pairs = [next(iter(one.items())) if isinstance(one, dict) else (one, {}) for one in listed]
    settings = {name: dict(options) for name, options in pairs}
    settings["toc"] = {"permalink": False}
    return markdown.Markdown(extensions=list(settings), extension_configs=settings)


def read_built(text: str) -> list[Block]:
    return list_blocks(html.fromstring(f"<div>{make_builder().reset().convert(text)}</div>"))


def list_differences(source: str, read: list[Block]) -> list[tuple[Block, Block]]:
    wanted = read_github(source)
    pairs = zip(wanted, read, strict=False)
    return [pair for pair in pairs if pair[0] != pair[1]] or [
        (("blocks", str(len(wanted))), ("blocks", str(len(read)))) for _ in [0] if len(wanted) != len(read)
    ]


@pytest.mark.parametrize("page", sorted(page_files()))
def test_every_block_of_a_page_is_shown_as_it_is_written(page: str) -> None:
    """Headings, paragraphs, items, cells and code, in their order: none swaps, none becomes another."""
    source = (ROOT / page).read_text(encoding="utf-8")
    assert list_differences(source, read_built(adapt_markdown(source))) == []


def test_the_builder_reads_constructs_that_no_page_has_yet() -> None:
    assert list_differences(CONSTRUCTS, read_built(adapt_markdown(CONSTRUCTS))) == []
    assert ("pre", 'x = 1\n\ndef f(): return "```"') in read_built(adapt_markdown(CONSTRUCTS))
    # without the change of the page the two differ, so the comparison sees what it is for
    assert list_differences(CONSTRUCTS, read_built(CONSTRUCTS)) != []


def test_the_name_of_a_file_is_the_title_of_its_code() -> None:
    shown = (
        make_builder()
        .reset()
        .convert(adapt_markdown("```python my_agents.py\nx\n```\n```python ray\ny\n```\n"))
    )
    titles = html.fromstring(f"<div>{shown}</div>").xpath("//*[contains(@class, 'filename')]/text()")
    assert titles == ["my_agents.py"]
