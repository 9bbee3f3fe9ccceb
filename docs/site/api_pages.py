"""The pages of the Python API: public names of the package roots, by their signatures and docstrings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import griffe

import fingertip_20k
from docs.site.markdown_text import code, fenced, prose
from docs.site.site_map import ROOT
from fingertip_dataset.markdown_table import markdown_table

_LISTS = {
    griffe.DocstringSectionKind.parameters: "Arguments",
    griffe.DocstringSectionKind.other_parameters: "Arguments",
    griffe.DocstringSectionKind.attributes: "Attributes",
    griffe.DocstringSectionKind.raises: "Raises",
    griffe.DocstringSectionKind.returns: "Returns",
    griffe.DocstringSectionKind.yields: "Yields",
}


@cache
def package_folders() -> dict[str, Path]:
    """Find the folder of each package, in the main house and in the wings."""
    roots = [path.parent for pattern in ("*/py.typed", "*/*/py.typed") for path in sorted(ROOT.glob(pattern))]
    return {root.name: root for root in roots}


def packages() -> list[str]:
    """List the packages with a public root: those of the main house, then those of the wings."""
    texts = {name: (root / "__init__.py").read_text("utf-8") for name, root in package_folders().items()}
    return [name for name, text in texts.items() if "__all__" in text]


def api_pages() -> dict[str, str]:
    """File name -> page: `index.md` with every package, and a page for each."""
    loaded = {name: _module(name) for name in packages()}
    rows = [(f"[{code(name)}]({name}.md)", prose(_first_line(package))) for name, package in loaded.items()]
    parts = [
        "# Python API",
        "What each package exports from its root. Everything else is not public and may change.",
        markdown_table(("package", "subject"), rows),
    ]
    pages = {f"{name}.md": _page(package) for name, package in loaded.items()}
    return {"index.md": "\n\n".join(parts) + "\n", **pages}


def _file(name: str) -> Path | None:
    package, *inner = name.split(".")
    path = package_folders().get(package, ROOT / package).joinpath(*inner)
    return next(filter(Path.is_file, (path / "__init__.py", path.with_suffix(".py"))), None)


@cache
def _module(name: str) -> griffe.Module:
    """A module alone: a package with everything below it takes many times as long."""
    file = _file(name) or ROOT / name
    text = file.read_text(encoding="utf-8")
    return griffe.visit(name, file, text, docstring_parser=griffe.Parser.google)


def _defined(path: str) -> griffe.Object | None:
    """Find the object at a dotted path; None for names that an assignment unpacks, such as colours."""
    if _file(path):
        return _module(path)
    module, _, name = path.rpartition(".")
    found = _module(module).members.get(name)
    return _defined(found.target_path) if isinstance(found, griffe.Alias) else found


def _first_line(item: griffe.Object | griffe.Alias) -> str:
    return item.docstring.value.split("\n\n")[0] if item.docstring else ""


def _page(package: griffe.Module) -> str:
    parts = [f"# {package.name}", *_docstring(package)]
    for name in map(str, package.exports or ()):
        parts += _member(package, name)
    return "\n\n".join(parts) + "\n"


def _member(package: griffe.Module, name: str) -> list[str]:
    member = package.members.get(name)
    path = member.target_path if isinstance(member, griffe.Alias) else f"{package.path}.{name}"
    if package.name == fingertip_20k.__name__ and name in fingertip_20k._WINGS:
        path = f"{fingertip_20k._WINGS[name]}.{name}"
    found = _defined(path)
    if found is None:
        return [f"## {name}", f"A constant of {code(path.rpartition('.')[0])}."]
    return _object(found, name)


def _object(found: griffe.Object, name: str) -> list[str]:
    parts = [f"## {name}"]
    if isinstance(found, griffe.Function):
        parts.append(fenced(_signature(found, name), "python"))
    elif isinstance(found, griffe.Class):
        bases = ", ".join(str(base).rpartition(".")[2] for base in found.bases)
        parts.append(fenced(f"class {name}({bases})" if bases else f"class {name}", "python"))
    elif isinstance(found, griffe.Attribute):
        parts.append(fenced(f"{name}: {found.annotation}" if found.annotation else name, "python"))
    parts += _docstring(found)
    if isinstance(found, griffe.Class | griffe.Module):
        for method in _functions(found):
            parts += [f"### {name}.{method.name}", fenced(_signature(method, method.name), "python")]
            parts += _docstring(method)
    return parts


def _functions(found: griffe.Class | griffe.Module) -> list[griffe.Function]:
    """Find the public functions of a class or module; inherited methods stand where their class does."""
    own = [member for name, member in found.members.items() if not name.startswith("_")]
    return [member for member in own if isinstance(member, griffe.Function)]


def _signature(found: griffe.Function, name: str) -> str:
    """A signature on one line if it fits, else an argument a line."""
    line = found.signature(name=name)
    prefix = "async def" if "async" in found.labels else "def"
    if len(line) + len(prefix) <= 88:
        return f"{prefix} {line}"
    arguments = []
    previous: griffe.ParameterKind | None = None
    for parameter in found.parameters:
        if parameter.kind is griffe.ParameterKind.keyword_only and previous not in (
            griffe.ParameterKind.keyword_only,
            griffe.ParameterKind.var_positional,
        ):
            arguments.append("*")
        arguments.append(_parameter(parameter))
        previous = parameter.kind
    ending = f" -> {found.returns}" if found.returns else ""
    return "\n".join([f"{prefix} {name}(", *(f"    {argument}," for argument in arguments), f"){ending}"])


def _parameter(parameter: griffe.Parameter) -> str:
    stars = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}
    text = stars.get(parameter.kind, "") + parameter.name if parameter.kind else parameter.name
    annotated = f"{text}: {parameter.annotation}" if parameter.annotation else text
    if parameter.default is None or text.startswith("*"):
        return annotated
    return (
        f"{annotated} = {parameter.default}" if parameter.annotation else f"{annotated}={parameter.default}"
    )


def _docstring(item: griffe.Object | griffe.Alias) -> list[str]:
    if not item.docstring:
        return []
    parts: list[str] = []
    for section in item.docstring.parse(griffe.Parser.google, warnings=False):
        if section.kind is griffe.DocstringSectionKind.text:
            parts += _texts(section.value)
        elif section.kind is griffe.DocstringSectionKind.examples:
            examples = [text for kind, text in section.value]
            parts += [part for text in examples for part in _texts(text)]
        elif section.kind in _LISTS:
            parts.append(f"**{_LISTS[section.kind]}**\n\n{_rows(section.value)}")
    return parts


def _texts(text: str) -> Iterable[str]:
    """Paragraphs of a docstring; examples and indented lines are code."""
    for paragraph in text.split("\n\n"):
        if paragraph.lstrip().startswith(">>>"):
            yield fenced(paragraph, "pycon")
        elif paragraph.startswith("    "):
            yield fenced("\n".join(line.removeprefix("    ") for line in paragraph.splitlines()))
        elif paragraph.startswith("- "):
            items = paragraph.removeprefix("- ").split("\n- ")
            yield "\n".join(f"- {prose(item)}" for item in items)
        elif paragraph.strip():
            yield prose(paragraph)


def _rows(elements: Iterable[griffe.DocstringElement]) -> str:
    lines = []
    for element in elements:
        name = getattr(element, "name", "") or ""
        head = name or (str(element.annotation) if element.annotation else "")
        # without a type, `Returns:` is one sentence
        text = prose(element.description)
        lines.append(f"- {code(head)}: {text}" if head else f"- {text}")
    return "\n".join(lines)
