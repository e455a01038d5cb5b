"""autograph-show: a file's converted source, or one function's graph, in a shell.

    autograph-show model.py                      every function and method, converted
    autograph-show model.py::Net.step            one of them; Net: all its methods
    autograph-show model.py::f --graph "float64[n], int32"
                                                 import the file, trace, print the graph
    autograph-show model.py::f --graph "float64[n], int32" --svg out.svg
                                                 write a picture; --html, --dot
    autograph-show model.py::f --graph "float64[n], int32" --stage loops
                                                 print its machine code; llvm, asm

Without --graph the file is neither imported nor run.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from difflib import get_close_matches
from typing import Any

import numpy as np

from autograph.colour import coloured_python
from autograph.converting import convert_tree
from autograph.errors import UnsupportedError
from autograph.function import function
from autograph.syntax import functions_in, parse_file
from autograph.syntax.unparse import unparse
from runtime.graph import Graph
from runtime.spec import TensorSpec
from runtime.text_print import print_graph
from tracer.concrete import ConcreteFunction
from tracer.function import Function
from tracer.method import Method

# option -> what it writes, and its text
PICTURES: dict[str, tuple[str, Callable[[Graph], str]]] = {
    "svg": ("a picture", Graph.to_svg),
    "html": ("a page to walk about in", Graph.to_html),
    "dot": ("a text for Graphviz", Graph.to_dot),
}


class Refusal(Exception):
    """What cannot be shown, in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status, 2 when there is nothing to show."""
    options = _parser().parse_args(arguments)
    path, _, name = options.target.partition("::")
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    try:
        files = {kind: getattr(options, kind) for kind in PICTURES}
        files = {kind: file for kind, file in files.items() if file is not None}
        if options.graph is not None:
            concrete = _traced(path, name, options.graph)
            _show_graph(concrete.graph, files, colour, options.stage is None)
            if options.stage is not None:
                print(_machine_code(concrete, options.stage).rstrip())
        elif files or options.stage is not None:
            raise Refusal(f"--{next(iter(files), 'stage')} needs --graph")
        else:
            _show_source(path, name, colour)
        sys.stdout.flush()
    except Refusal as refusal:
        print(f"autograph-show: {refusal}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; Python flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograph-show",
        description="Show the converted source of Python functions, or a graph.",
    )
    parser.add_argument("target", help="file.py, or file.py::name of one function")
    parser.add_argument(
        "--graph",
        metavar="TYPES",
        help='import the file and print the graph traced for "float64[n], int32"; '
        "other arguments are Python literals",
    )
    for kind, (what, _) in PICTURES.items():
        parser.add_argument(
            f"--{kind}", metavar="FILE", help=f"write the graph as {what}"
        )
    parser.add_argument(
        "--stage",
        help="print the graph's machine code: loops (the loop IR), llvm or asm",
    )
    return parser


def _show_graph(
    graph: Graph, files: Mapping[str, str], colour: bool, as_text: bool
) -> None:
    """Write the pictures asked for; as_text: print the graph where none is."""
    for kind, file in files.items():
        try:
            with open(file, "w", encoding="utf-8", newline="") as opened:
                opened.write(PICTURES[kind][1](graph))
        except OSError as error:
            raise Refusal(f"{file} cannot be written: {error.strerror}") from None
    if not files and as_text:
        print(print_graph(graph, colour=colour).rstrip())


def _machine_code(concrete: ConcreteFunction, stage: str) -> str:
    try:
        text = concrete.inspect(stage)
    except ValueError as error:
        raise Refusal(str(error)) from None
    if not text:
        raise Refusal(f"{concrete.name} has nothing that becomes machine code")
    return text


def _show_source(path: str, name: str, colour: bool) -> None:
    # All of them now: conversion changes the tree, and adds functions to it.
    functions = [(found, node) for found, node, _ in functions_in(_parsed(path))]
    shown = [(found, node) for found, node in functions if _is_asked(found, name)]
    if not functions:
        raise Refusal(f"{path} has no functions")
    if not shown:
        names = [found for found, _ in functions]
        raise Refusal(f"{path} has no function {name!r}{_near(name, names)}")
    text = "\n\n".join(_converted(found, node) for found, node in shown)
    print(coloured_python(text) if colour else text, end="")


def _is_asked(found: str, name: str) -> bool:
    """Whether a function is the one named, or a method of the class named, or any.

    A function inside another is shown with it; by itself only when it is named.
    """
    if name in (found, found.replace(".<locals>", "")):
        return True
    inside = found.removeprefix(f"{name}.") if name else found
    return "<locals>" not in inside and (not name or inside != found)


def _converted(qualname: str, node: Any) -> str:
    heading = f"# {qualname}\n" if "." in qualname else ""
    try:
        tree, _ = convert_tree(node)
    except UnsupportedError as error:
        return f"{heading}# line {error.line}: {error}\n{unparse(node).rstrip()}\n"
    return heading + unparse(tree).rstrip() + "\n"


def _parsed(path: str) -> Any:
    try:
        return parse_file(path)
    except FileNotFoundError:
        raise Refusal(f"there is no file {path}") from None
    except SyntaxError as error:
        line = f" line {error.lineno}" if error.lineno else ""
        raise Refusal(f"{path}{line}: {error.msg}") from None
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Refusal(f"{path} cannot be read: {error}") from None


def _near(name: str, names: Sequence[str]) -> str:
    last = name.rpartition(".")[2]
    near = [known for known in names if known.rpartition(".")[2] == last]
    near = near or get_close_matches(name, names)
    return f"; there is {', '.join(near)}" if near else ""


def _traced(path: str, name: str, types: str) -> ConcreteFunction:
    _parsed(path)
    if not name:
        raise Refusal(f"--graph needs one function: {path}::name")
    arguments = [_argument(text) for text in _split(types)]
    # What the file prints goes beside the graph, not into it.
    with redirect_stdout(sys.stderr):
        found: Any = _imported(path)
        for part in name.split("."):
            found = getattr(found, part, None)
        if not callable(found):
            raise Refusal(f"{path} has no function {name!r}")
        traced = found if isinstance(found, (Function, Method)) else function(found)
        try:
            return traced.get_concrete_function(*arguments)
        except Exception as error:
            raise Refusal(f"{name} cannot be traced: {_one_line(error)}") from None


def _one_line(error: BaseException) -> str:
    text = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _imported(path: str) -> Any:
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location("__shown__", path)
    if spec is None or spec.loader is None:
        raise Refusal(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules["__shown__"] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise Refusal(f"{path} cannot be imported: {_one_line(error)}") from None
    return module


def _split(types: str) -> Iterator[str]:
    """The parts between commas that are outside of brackets and quotes."""
    depth, quote, part = 0, "", ""
    for character in types:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            depth += (character in "[({") - (character in "])}")
        if character == "," and depth == 0 and not quote:
            yield part.strip()
            part = ""
        else:
            part += character
    if part.strip():
        yield part.strip()


def _argument(text: str) -> Any:
    """`float64[n,3]`, `int32` (0-d), `float32[?]`, `float64[...]`, or a literal."""
    matched = re.fullmatch(r"([A-Za-z]\w*)(?:\[(.*)\])?", text)
    if matched is None or matched[1] in ("True", "False", "None"):
        return _literal(text)
    try:
        dtype = np.dtype(matched[1])
    except TypeError:
        raise Refusal(f"{matched[1]!r} is no dtype") from None
    dims = (matched[2] or "").strip()
    if dims == "...":
        return TensorSpec(None, dtype)
    return TensorSpec([_dim(d.strip()) for d in dims.split(",") if d.strip()], dtype)


def _dim(text: str) -> int | str | None:
    if text == "?":
        return None
    if text.isdigit():
        return int(text)
    if text.isidentifier():
        return text
    raise Refusal(f"{text!r} is no dim: use a number, a name or ?")


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise Refusal(f"{text!r} is neither a type nor a Python literal") from None
