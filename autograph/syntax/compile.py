"""From a tree back to a function: code objects under the user's file name and lines.

The tree keeps the positions of the user's file, so tracebacks, debuggers and
coverage need no source map. Nothing is executed here: the code object of the function
is taken out of the compiled factory that surrounds it.
"""

from __future__ import annotations
import __future__

import ast
import copy
import inspect
import types
from collections.abc import Mapping, Sequence

import gast

FUTURE_FLAGS = 0
for _feature in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _feature).compiler_flag

_FACTORY = "<factory>"  # no identifier, so it can shadow no name of the user's


def compile_function(
    node: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda,
    filename: str,
    free_variables: Sequence[str],
    flags: int = 0,
    qualname: str | None = None,
) -> types.CodeType:
    """The code object of the function `node`, compiled under `filename`.

    free_variables: names that the function finds in its closure; those it does not use
    are absent from `co_freevars`. Every other name is a local, a global or a builtin.
    flags: `co_flags` of the original code, of which the `from __future__` bits count.
    qualname: `co_qualname` of the result, by default the function's name. Defaults,
    decorators and annotations of `node` itself are left out: the function object has
    them. SyntaxError: Python refuses the tree.

    >>> node = gast.parse("def f(x): return x + k").body[0]
    >>> compile_function(node, "model.py", ["k", "unused"]).co_freevars
    ('k',)
    """
    inner = _bare_function(node)
    body: list[gast.stmt] = [inner]
    if inner.name not in free_variables and inner.name.isidentifier():
        # Without this, a recursive call of a global function would become a closure
        # variable of the factory.
        body.insert(0, gast.copy_location(gast.Global([inner.name]), inner))
    factory = gast.copy_location(
        gast.FunctionDef(
            _FACTORY, _parameters(free_variables), body, [], None, None, []
        ),
        inner,
    )
    tree = gast.gast_to_ast(gast.Module([factory], []))
    module = compile(
        ast.fix_missing_locations(tree),
        filename,
        "exec",
        flags=flags & FUTURE_FLAGS,
        dont_inherit=True,
    )
    code = _inner_code(_inner_code(module, _FACTORY), inner.name)
    return _requalified(code, code.co_qualname, qualname or inner.name)


def rename_code(
    code: types.CodeType, mapping: Mapping[str, str], around: str = ""
) -> types.CodeType:
    """`code` with the names of code objects replaced, at every depth.

    mapping: displayed name for each `co_name` to be replaced. A generated function that
    is displayed as the function around it disappears from qualified names: with
    `{"if_body": "f"}`, `f.<locals>.if_body.<locals>.g` reads `f.<locals>.g`. An empty
    name stands for that of the code around it, which is `around` at first.
    """
    name = mapping.get(code.co_name, code.co_name) or around
    constants = tuple(
        rename_code(constant, mapping, name)
        if isinstance(constant, types.CodeType)
        else constant
        for constant in code.co_consts
    )
    shown = _displayed(code.co_qualname, mapping)
    return _qualified(code.replace(co_consts=constants, co_name=name), shown)


def _displayed(qualname: str, mapping: Mapping[str, str]) -> str:
    shown: list[str] = []
    for part in qualname.split("."):
        name = mapping.get(part, part)
        if not name or (name != part and shown[-2:] == [name, "<locals>"]):
            shown.pop()
        else:
            shown.append(name)
    return ".".join(shown)


def _bare_function(
    node: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda,
) -> gast.FunctionDef | gast.AsyncFunctionDef:
    """`node` as a def, without what Python evaluates outside of the function."""
    arguments = copy.copy(node.args)
    nothing = gast.copy_location(gast.Constant(None, None), node)
    arguments.defaults = [nothing for _ in arguments.defaults]
    arguments.kw_defaults = [
        None if default is None else nothing for default in arguments.kw_defaults
    ]
    for field in ("posonlyargs", "args", "kwonlyargs"):
        setattr(arguments, field, [_unannotated(a) for a in getattr(arguments, field)])
    arguments.vararg = _unannotated(arguments.vararg)
    arguments.kwarg = _unannotated(arguments.kwarg)
    if isinstance(node, gast.Lambda):
        result = gast.copy_location(gast.Return(node.body), node.body)
        return gast.copy_location(
            gast.FunctionDef("<lambda>", arguments, [result], [], None, None, []), node
        )
    bare = copy.copy(node)
    bare.args, bare.decorator_list, bare.returns = arguments, [], None
    # A type parameter that the body reads is one of the original's free variables.
    bare.type_params = []
    return bare


def _unannotated(argument: gast.Name | None) -> gast.Name | None:
    if argument is None or argument.annotation is None:
        return argument
    bare = copy.copy(argument)
    bare.annotation = None
    return bare


def _parameters(names: Sequence[str]) -> gast.arguments:
    parameters = [gast.Name(name, gast.Param(), None, None) for name in names]
    return gast.arguments(parameters, [], None, [], [], None, [])


def _inner_code(code: types.CodeType, name: str) -> types.CodeType:
    return next(
        constant
        for constant in code.co_consts
        if isinstance(constant, types.CodeType) and constant.co_name == name
    )


def _requalified(code: types.CodeType, old: str, new: str) -> types.CodeType:
    """`code` with the prefix `old` of every qualified name replaced by `new`."""
    if old == new:
        return code
    constants = tuple(
        _requalified(constant, old, new)
        if isinstance(constant, types.CodeType)
        else constant
        for constant in code.co_consts
    )
    qualname = code.co_qualname
    if qualname == old or qualname.startswith(old + "."):
        qualname = new + qualname[len(old) :]
    return _qualified(code.replace(co_consts=constants), qualname)


def _qualified(code: types.CodeType, qualname: str) -> types.CodeType:
    """`code` under another qualified name; a class's body has it as a constant too."""
    if code.co_qualname == qualname:
        return code
    constants = code.co_consts
    if not code.co_flags & inspect.CO_OPTIMIZED:  # no function's, so it is a class's
        old = code.co_qualname
        constants = tuple(qualname if each == old else each for each in constants)
    return code.replace(co_consts=constants, co_qualname=qualname)
