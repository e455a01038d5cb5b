"""docs/errors.md, from the cases of tests/errors: each message, its program, its cure.

Nothing is run: that a program says what its case says is tested with the case.

    python -m tests.docs.errors_page
"""

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.docs.documents import ROOT
from tests.errors.saying import Case, unwrapped

PAGE = ROOT / "docs" / "errors.md"
WIDTH = 88
HEAD = """\
# Messages

What a program is told that is refused or fails: each message with a program that
causes it. A message says what happened in the program's own words, then where, then
what mends it. `np` is NumPy, `ag` is autograph.

Where it says that no graph can hold what a program does, the call is made as Python,
and a RuntimeWarning has the message; it is raised by `get_concrete_function`, and by
calls where `ag.config(strict=True)` holds.

This page is made from the tests in tests/errors by `python -m tests.docs.errors_page`.
"""


def page() -> str:
    """The whole text."""
    sections = [
        (inspect.getdoc(module) or "", module.CASES)
        for path in sorted((ROOT / "tests" / "errors").glob("test_*.py"))
        if hasattr(
            module := importlib.import_module(f"tests.errors.{path.stem}"), "CASES"
        )
    ]
    contents = "".join(
        f"- [{_title(title)}](#{_anchor(_title(title))})\n" for title, _ in sections
    )
    return "\n".join(
        [HEAD, contents, *(_section(title, cases) for title, cases in sections)]
    )


def _section(title: str, cases: list[Case]) -> str:
    return "\n".join([f"## {_title(title)}\n", *map(_entry, cases)])


def _title(title: str) -> str:
    return title.partition("\n")[0].rstrip(".")


def _anchor(title: str) -> str:
    """How the page's readers make a heading's address."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _entry(case: Case) -> str:
    source = _source(case)
    return (
        f"### {case.name.replace('_', ' ').strip().capitalize()}\n\n"
        f"```py\n{source}\n\n{_call(case)}\n```\n\n"
        f"```text\n{_message(case, source)}\n```\n"
    )


def _source(case: Case) -> str:
    """What the function needs of its file, then the function as it is decorated."""
    function = _definition(case)
    options = "" if not case.options else f"({_listed(case.options)})"
    first = "" if case.options is None else f"@ag.function{options}\n"
    own = first + _bare(Path(case.file).read_text(), function)
    return "\n\n".join([*_needed(case, function), own])


def _definition(case: Case) -> ast.stmt:
    first = case.program.__code__.co_firstlineno
    return next(
        node
        for node in ast.walk(ast.parse(Path(case.file).read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and first in (node.lineno, *(part.lineno for part in node.decorator_list))
    )


def _bare(text: str, node: ast.stmt, decorators: bool = False) -> str:
    """The lines of a definition, without what is said to linters."""
    kept = getattr(node, "decorator_list", []) if decorators else []
    first = min([node.lineno, *(decorator.lineno for decorator in kept)])
    lines = text.splitlines()[first - 1 : node.end_lineno]
    whole = textwrap.dedent("\n".join(lines))
    return re.sub(r"  # (noqa|type: ignore).*", "", whole)


def _needed(case: Case, function: ast.stmt) -> list[str]:
    """The definitions of the file that a function names, and that those name."""
    text = Path(case.file).read_text()
    known: dict[str, ast.stmt] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            known[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            known[node.targets[0].id] = node
    found: dict[int, ast.stmt] = {}
    todo: list[ast.stmt] = [function]
    while todo:
        for part in _inside(todo.pop(), function):
            named = known.get(part.id) if isinstance(part, ast.Name) else None
            if named is not None and "CASES" not in ast.unparse(named):
                if named.lineno not in found and named is not function:
                    found[named.lineno] = named
                    todo.append(named)
    return [_bare(text, found[line], decorators=True) for line in sorted(found)]


def _inside(node: ast.stmt, case: ast.stmt) -> Iterator[ast.AST]:
    """All parts; of the case itself not the decorator, which has its text."""
    for part in ast.iter_child_nodes(node):
        if node is not case or part not in getattr(node, "decorator_list", []):
            yield from ast.walk(part)


def _call(case: Case) -> str:
    return f"{case.name}({', '.join(map(_written, case.arguments))})"


def _listed(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_written(value)}" for name, value in options.items())


def _written(argument: Any) -> str:
    """An argument as one would write it."""
    if isinstance(argument, np.ndarray):
        return f"np.{argument!r}".replace("dtype=", "dtype=np.").replace("\n", "")
    if isinstance(argument, list):
        return f"[{', '.join(map(_written, argument))}]"
    if inspect.isroutine(argument):
        return argument.__name__
    if isinstance(argument, np.random.Generator):
        return "np.random.default_rng(0)"
    return re.sub(r"<([\w.]*\.)?(\w+) object at 0x\w+>", r"\2()", repr(argument))


def _message(case: Case, source: str) -> str:
    """What is said, with the line's number in the program shown."""
    lines = [line.strip() for line in source.splitlines()]

    def numbered(match: re.Match[str]) -> str:
        file, text = "model.py " if match[1] else "", match[2]
        if text in lines:
            return f"{file}line {lines.index(text) + 1}:  {text}"
        return f"{file.rstrip() or 'a line'}:  {text}"

    text = re.sub(r"(FILE )?line N:  (.*)", numbered, unwrapped(case.text))
    return "\n".join(
        wrapped
        for line in text.splitlines()
        for wrapped in textwrap.wrap(
            line,
            WIDTH,
            subsequent_indent="      ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        or [""]
    )


def write() -> None:
    """Bring the page up to date."""
    PAGE.write_text(page())


if __name__ == "__main__":
    write()
