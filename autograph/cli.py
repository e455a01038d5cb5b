"""autograph-show: a file's converted source, or one function's graph, in a shell.

    autograph-show model.py                      every function and method, converted
    autograph-show model.py::Net.step            one of them
    autograph-show model.py::f --graph "float64[n], int32"
                                                 import the file, trace, print the graph

Without --graph the file is neither imported nor run.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograph.colour import coloured_python
from autograph.convert import convert_tree
from autograph.errors import UnsupportedError
from autograph.function import function
from autograph.syntax import functions_in, parse_file, unparse
from runtime.spec import TensorSpec
from runtime.text_print import print_graph
from tracer.function import Function


class Refusal(Exception):
    """What cannot be shown, in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status, 2 when there is nothing to show."""
    options = _parser().parse_args(arguments)
    path, _, name = options.target.partition("::")
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    try:
        if options.graph is not None:
            print(_graph(path, name, options.graph, colour))
        else:
            _show_source(path, name, colour)
    except Refusal as refusal:
        print(f"autograph-show: {refusal}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (`| head`) has seen enough.
        sys.stderr.close()
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
    return parser


def _show_source(path: str, name: str, colour: bool) -> None:
    module = _parsed(path)
    texts = []
    names = []
    for qualname, node, _ in functions_in(module):
        names.append(qualname)
        if "<locals>" in qualname or (name and qualname != name):
            continue
        texts.append(_converted(qualname, node))
    if name and not texts:
        raise Refusal(f"{path} has no function {name!r}{_near(name, names)}")
    text = "\n".join(texts)
    print(coloured_python(text) if colour else text, end="")


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
        raise Refusal(f"{path} line {error.lineno}: {error.msg}") from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise Refusal(f"{path} cannot be read: {error}") from None


def _near(name: str, names: Sequence[str]) -> str:
    last = name.rpartition(".")[2]
    near = [known for known in names if known.rpartition(".")[2] == last]
    return f"; there is {', '.join(near)}" if near else ""


def _graph(path: str, name: str, types: str, colour: bool) -> str:
    _parsed(path)
    if not name:
        raise Refusal(f"--graph needs one function: {path}::name")
    found: Any = _imported(path)
    for part in name.split("."):
        if not hasattr(found, part):
            raise Refusal(f"{path} has no function {name!r}")
        found = getattr(found, part)
    traced = found if isinstance(found, Function) else function(found)
    try:
        concrete = traced.get_concrete_function(*map(_argument, _split(types)))
    except Refusal:
        raise
    except Exception as error:
        first = str(error).partition("\n")[0]
        raise Refusal(
            f"{name} cannot be traced: {type(error).__name__}: {first}"
        ) from None
    return print_graph(concrete.graph, colour=colour).rstrip()


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
    except Exception as error:
        raise Refusal(
            f"{path} cannot be imported: {type(error).__name__}: {error}"
        ) from None
    return module


def _split(types: str) -> Iterator[str]:
    """The parts between commas that are outside of brackets and quotes."""
    depth, part = 0, ""
    for character in types:
        depth += (character in "[({") - (character in "])}")
        if character == "," and depth == 0:
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
