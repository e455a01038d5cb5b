"""converting: source -> tree -> analyses -> converters -> code."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast

from autograph.analysis import Analysis, analyze
from autograph.converters import TABLES, Context, convert_function, generators
from autograph.errors import UnsupportedError
from autograph.forms import NOTHING, Converted, Form, Outer
from autograph.syntax import (
    Namer,
    compile_function,
    names_in,
    parse_function,
    rename_code,
    walk,
    written_codes,
)
from runtime.errors import with_notes
from runtime.location import Location

_HAS_FORM = {
    Form.RUN: generators.can_run,
    Form.LAZY: generators.can_be_lazy,
    Form.MANAGER: generators.can_manage,
}
# Run by their bodies.
_RUN = (Form.RUN, Form.MANAGER)


def convert_code(
    function: types.FunctionType, outer: Outer, form: Form
) -> Converted | None:
    """The function's code object converted; None: it is of no such form.

    SourceNotFoundError: its source is not to be had. NotImplementedError: a construct
    cannot be converted; the line is named.
    """
    code = function.__code__
    parsed = parse_function(function)
    if form is not Form.FUNCTION and not _HAS_FORM[form](parsed.node):
        return None
    try:
        tree, generated = convert_tree(parsed.node, outer, form)
    except UnsupportedError as error:
        place = Location(parsed.filename, error.line, code.co_name)
        error.location = place
        raise with_notes(error, place, error.remedy) from None
    free = (*code.co_freevars, "ag__")
    made = compile_function(
        tree, parsed.filename, free, code.co_flags, code.co_qualname
    )
    return Converted(rename_code(made, generated), tree)


def is_of_its_text(
    function: types.FunctionType, is_its: Callable[[types.CodeType], bool]
) -> bool:
    """Whether the text that a conversion goes by is the one that Python has compiled.

    is_its: whether a code is the function's, wherever it was compiled
    """
    return any(map(is_its, written_codes(function)))


def convert_tree(
    node: Any, outer: Outer = NOTHING, form: Form = Form.FUNCTION
) -> tuple[Any, dict[str, str]]:
    """The converted tree of a function, and its generated functions' shown names."""
    parts = walk(node)
    _refuse_our_name(parts)
    has_lambda = any(isinstance(part, gast.Lambda) for part in parts)
    namer = Namer(names_in(node) | {"ag__"})
    emit_name = namer.fresh("emit") if form in _RUN else ""
    if emit_name:
        node.body = generators.alone(node.body, emit_name)
    analysis = analyze(node, runs_generator=form in _RUN)
    _refuse_kind(analysis, node, form)
    parameters = [*node.args.posonlyargs, *node.args.args]
    first = parameters[0].id if parameters else None
    context = Context(node, analysis, TABLES, namer, first_parameter=first)
    context.emit_name = emit_name
    context.outer_arrays = outer.arrays - analysis.locals
    context.outer_objects = outer.objects
    context.computed = outer.computed
    context.overloads = outer.overloads or _makes_class(parts)
    if not has_lambda:
        # All are generated, so each is shown as the function that it is part of.
        context.generated["<lambda>"] = ""
    return _CONVERTERS[form](context), context.generated


_CONVERTERS = {
    Form.FUNCTION: convert_function,
    Form.RUN: generators.convert_run,
    Form.MANAGER: generators.convert_run,
    Form.LAZY: generators.convert_lazy,
}


def _refuse_kind(analysis: Analysis, node: Any, form: Form) -> None:
    if analysis.is_async:
        raise UnsupportedError(
            "an async function", node.lineno, "Decorate the functions that it awaits."
        )
    if analysis.is_generator and form is Form.FUNCTION:
        raise UnsupportedError(
            "`yield`", node.lineno, "Return a list or an array instead of yielding."
        )


def _makes_class(parts: list[Any]) -> bool:
    """Whether a class is made inside, which may have operators."""
    return any(isinstance(part, gast.ClassDef) for part in parts)


def _refuse_our_name(parts: list[Any]) -> None:
    for part in parts:
        if isinstance(part, gast.Name) and part.id == "ag__":
            raise UnsupportedError(
                "a function that uses the name `ag__`",
                part.lineno,
                "Rename it: converted code calls its operators by that name.",
            )
