"""From a function object to its tree, with the positions of the user's file.

A file is parsed once, as a whole and as it stands: nothing is cut out or dedented, so
every line and column is true. The function is then looked up by the line, name and
columns that its code object remembers. What the file holds is read through `linecache`,
which also knows notebooks, doctests and the interactive prompt of Python 3.13.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import tokenize
import types
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any

import gast

from autograph.errors import SourceNotFoundError
from autograph.syntax.compile import FUTURE_FLAGS
from autograph.syntax.mangle import mangle
from autograph.syntax.positions import best_match
from autograph.syntax.walking import children
from runtime.hushed import warnings_as
from runtime.structs import field, struct

_CACHED_FILES = 64
# What imports of a module may stand in.
_BLOCKS = (ast.If, ast.Try, ast.ExceptHandler, ast.With, ast.For, ast.While)


@struct(eq=False)
class ParsedFunction:
    """The tree of one function, which the caller may change, and where it came from.

    node: FunctionDef, AsyncFunctionDef or Lambda, without decorators; private names
    are written out (`__x` in class `C` is `_C__x`).
    class_name: the innermost class around the function, if any.
    """

    node: Any
    filename: str
    class_name: str | None
    lines: Sequence[str] = field(repr=False)

    def source_line(self, number: int) -> str:
        """Line `number` of the file, counted from 1, without its line break."""
        if not 1 <= number <= len(self.lines):
            return ""
        return self.lines[number - 1].rstrip("\r\n")


@struct(eq=False)
class _Place:
    """A function in the tree of its file."""

    node: Any  # of ast
    qualname: str
    class_name: str | None


@struct(eq=False)
class _File:
    lines: list[str]
    places: dict[tuple[int, str], list[_Place]]  # by first line and name
    tree: ast.Module = field(default_factory=lambda: ast.Module([], []))
    # Of its statements, by the lines of the first of those that share one.
    codes: dict[tuple[int, int], types.CodeType | None] = field(default_factory=dict)


_files: dict[str, _File] = {}


def parse_function(function: types.FunctionType | types.MethodType) -> ParsedFunction:
    """The tree of `function`, a fresh copy for each call.

    SourceNotFoundError: the text is not available, or has changed since.

    >>> def double(x):
    ...     return 2 * x
    >>> print(gast.unparse(parse_function(double).node).strip())
    def double(x):
        return 2 * x
    """
    if isinstance(function, types.MethodType):
        return parse_function(function.__func__)  # type: ignore[arg-type] # a method's is a function
    code = function.__code__
    lines = _source_lines(function)
    place = _find(code, _file(code.co_filename, lines))
    if place is None:
        place = _find(code, _fragment(code, lines))
    if place is None and code.co_filename.startswith("<"):
        # exec names its text `<string>`, and so does `python -c`, which keeps another.
        raise _not_available(function)
    if place is None:
        raise SourceNotFoundError(
            f"the source of `{function.__name__}` in {code.co_filename} is not what it "
            "was made of: the file has changed since; load it again"
        )
    node = gast.ast_to_gast(place.node)
    if not isinstance(node, gast.Lambda):
        node.decorator_list = []
    if place.class_name is not None:
        mangle(node, place.class_name)
    return ParsedFunction(node, code.co_filename, place.class_name, lines)


def written_codes(function: types.FunctionType) -> Iterator[types.CodeType]:
    """The code that Python makes of the text where `function` is, as it stands now.

    None is the function's own where the file has changed since, or where a tool has
    changed what it says (pytest its `assert`). There are several of lambdas in a line.
    SourceNotFoundError: the text is not available.
    """
    code = function.__code__
    file = _file(code.co_filename, _source_lines(function))
    line, flags = code.co_firstlineno, code.co_flags & FUTURE_FLAGS
    around = [
        one
        for one in file.tree.body
        if _first_line(one) <= line <= (one.end_lineno or one.lineno)
    ]
    key = around[0].lineno if around else 0, flags
    if key not in file.codes:
        # How methods of what a module has imported are called depends on that.
        alone = [one for one in _imports(file.tree) if one not in around]
        file.codes[key] = _compiled([*alone, *around], code.co_filename, flags)
    waiting = [file.codes[key]]
    while waiting:
        found = waiting.pop()
        if found is None:
            continue
        if (found.co_firstlineno, found.co_qualname) == (line, code.co_qualname):
            yield found
        waiting += [one for one in found.co_consts if isinstance(one, types.CodeType)]


def parse_file(path: str | PathLike[str]) -> gast.Module:
    """The tree of a file. OSError, SyntaxError: as Python raises them."""
    with tokenize.open(path) as file:
        return gast.ast_to_gast(_parsed(file.read(), str(path)))


def functions_in(module: gast.Module) -> Iterator[tuple[str, Any, str | None]]:
    """Every def of a module: its qualified name, its tree, the class around it.

    >>> tree = gast.parse("class C:\\n  def f(self):\\n    def g(): pass")
    >>> [(name, owner) for name, _, owner in functions_in(tree)]
    [('C.f', 'C'), ('C.f.<locals>.g', 'C')]
    """
    for place in _places(module):
        if not isinstance(place.node, gast.Lambda):
            yield place.qualname, place.node, place.class_name


def _source_lines(function: types.FunctionType) -> list[str]:
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    if lines:
        return lines
    try:
        # It knows more ways: the prompt of Python 3.13 keeps its text by code object.
        return inspect.findsource(function)[0]
    except (OSError, TypeError):
        raise _not_available(function) from None


def _not_available(function: types.FunctionType) -> SourceNotFoundError:
    return SourceNotFoundError(
        f"the source of `{function.__name__}` is not available (it was made by exec or "
        "typed into a Python without source memory); put it in a file"
    )


def _file(filename: str, lines: list[str]) -> _File:
    known = _files.get(filename)
    if known is not None and (known.lines is lines or known.lines == lines):
        return known
    try:
        tree = _parsed("".join(lines), filename)
    except (SyntaxError, ValueError):
        # A notebook cell may hold lines that are no Python; see _fragment.
        tree = ast.Module([], [])
    if len(_files) >= _CACHED_FILES:
        del _files[next(iter(_files))]  # the oldest
    _files[filename] = _indexed(lines, tree)
    return _files[filename]


def _fragment(code: types.CodeType, lines: list[str]) -> _File:
    """The statement that starts at the code's first line, parsed by itself."""
    start = code.co_firstlineno - 1
    for end in range(start + 1, min(len(lines), start + 1000) + 1):
        block = "".join(lines[start:end])
        if block[:1].isspace():
            # The line that opens a block for it takes the place of one above.
            text = "\n" * (start - 1) + "if 1:\n" + block
        else:
            text = "\n" * start + block
        if end < len(lines) and lines[end][:1].isspace() and lines[end].strip():
            continue
        try:
            return _indexed(lines, _parsed(text, code.co_filename))
        except (SyntaxError, ValueError):
            continue
    return _File(lines, {})


def _parsed(text: str, filename: str) -> ast.Module:
    with warnings_as("ignore"):
        # Python has already warned when it compiled the file.
        return ast.parse(text, filename)


def _imports(module: ast.Module) -> list[ast.stmt]:
    """The imports of a module that are in no function or class."""
    waiting: list[Any] = [*module.body]
    for one in waiting:
        if isinstance(one, _BLOCKS):
            waiting += children(one)
    return [one for one in waiting if isinstance(one, (ast.Import, ast.ImportFrom))]


def _compiled(
    statements: list[ast.stmt], filename: str, flags: int
) -> types.CodeType | None:
    tree = ast.Module(statements, [])
    with warnings_as("ignore"):
        try:
            made: types.CodeType = compile(
                tree, filename, "exec", flags=flags, dont_inherit=True
            )
        except (SyntaxError, ValueError):  # `return` outside of a function, by now
            return None
    return made


def _indexed(lines: list[str], tree: ast.Module) -> _File:
    places: dict[tuple[int, str], list[_Place]] = {}
    for place in _places(tree):
        key = (_first_line(place.node), _name(place.node))
        places.setdefault(key, []).append(place)
    return _File(lines, places, tree)


def _places(module: Any) -> Iterator[_Place]:
    """The functions of a tree of ast or gast, in the order of the text."""
    waiting: list[tuple[Any, str, str | None]] = [(module, "", None)]
    while waiting:
        node, prefix, class_name = waiting.pop()
        kind = type(node).__name__
        if kind in ("FunctionDef", "AsyncFunctionDef", "Lambda"):
            qualname = prefix + _name(node)
            yield _Place(node, qualname, class_name)
            prefix = qualname + ".<locals>."
        elif kind == "ClassDef":
            prefix, class_name = f"{prefix}{node.name}.", node.name
        inside = reversed(children(node))
        waiting += [(child, prefix, class_name) for child in inside]


def _find(code: types.CodeType, file: _File) -> _Place | None:
    places = file.places.get((code.co_firstlineno, code.co_name), [])
    places = [place for place in places if _takes(place.node, code)]
    if len(places) < 2:
        return places[0] if places else None
    chosen = best_match(code, [place.node for place in places])
    return places[chosen]


def _takes(node: Any, code: types.CodeType) -> bool:
    """Whether the parameters of `node` are those of `code`."""
    a = node.args
    names = [p.arg for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]]
    names += [p.arg for p in (a.vararg, a.kwarg) if p is not None]
    flags = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    expected = inspect.CO_VARARGS * (a.vararg is not None)
    expected |= inspect.CO_VARKEYWORDS * (a.kwarg is not None)
    found = code.co_varnames[: len(names)]
    same = all(
        mine == theirs or theirs.endswith(mine)  # a private name is written out
        for mine, theirs in zip(names, found, strict=False)
    )
    return same and len(found) == len(names) and code.co_flags & flags == expected


def _first_line(node: Any) -> int:
    decorators = getattr(node, "decorator_list", None)
    line: int = decorators[0].lineno if decorators else node.lineno
    return line


def _name(node: Any) -> str:
    return getattr(node, "name", "<lambda>")
