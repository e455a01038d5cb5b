"""The converters: one construct per file, looked up by the type of the node.

There is one walk over the tree and no ladder of passes: no converter leaves work for
another, since exits are values (docs/decisions). A node type that is in neither table
stays as it is, with what it contains converted.
"""

import gast

from autograph.converters import (
    assert_,
    assign,
    augmented,
    calls,
    compare,
    compound,
    comprehensions,
    delete,
    displays,
    for_,
    fstring,
    functions,
    generators,
    if_,
    jumps,
    logical,
    match_,
    names,
    raise_,
    ternary,
    try_,
    while_,
    with_,
)
from autograph.converters.context import Context as Context
from autograph.converters.context import Tables
from autograph.converters.functions import convert_function as convert_function

TABLES = Tables(
    statements={
        gast.If: if_.convert,
        gast.While: while_.convert,
        gast.For: for_.convert,
        gast.With: with_.convert,
        gast.Try: try_.convert,
        gast.Match: match_.convert,
        gast.Break: jumps.convert_break,
        gast.Continue: jumps.convert_continue,
        gast.Return: jumps.convert_return,
        gast.Assign: assign.convert,
        gast.AnnAssign: assign.convert_annotated,
        gast.AugAssign: augmented.convert,
        gast.Delete: delete.convert,
        gast.Assert: assert_.convert,
        gast.Raise: raise_.convert,
        gast.FunctionDef: functions.convert_def,
        gast.AsyncFunctionDef: functions.convert_def,
        gast.ClassDef: functions.convert_class,
        gast.Global: functions.convert_declaration,
        gast.Nonlocal: functions.convert_declaration,
    },
    expressions={
        gast.IfExp: ternary.convert,
        gast.BoolOp: logical.convert,
        gast.UnaryOp: logical.convert_not,
        gast.Compare: compare.convert,
        gast.Call: calls.convert,
        gast.JoinedStr: fstring.convert,
        gast.BinOp: displays.convert_operation,
        gast.Name: names.convert,
        gast.Subscript: names.convert_subscript,
        gast.Attribute: names.convert_attribute,
        gast.Lambda: functions.convert_lambda,
        gast.Starred: displays.convert_star,
        gast.Tuple: displays.convert_tuple,
        gast.List: displays.convert,
        gast.Dict: displays.convert,
        gast.Set: displays.convert,
        gast.ListComp: comprehensions.convert,
        gast.DictComp: comprehensions.convert,
        gast.SetComp: comprehensions.convert,
        gast.GeneratorExp: comprehensions.convert,
    },
    leaving={
        gast.If: if_.parts,
        gast.While: while_.parts,
        gast.For: for_.parts,
        gast.With: with_.parts,
        gast.Try: try_.parts,
        gast.Match: match_.parts,
        gast.Expr: generators.parts,
    },
)
if hasattr(gast, "TryStar"):
    TABLES.statements[gast.TryStar] = compound.convert_plain
    TABLES.leaving[gast.TryStar] = compound.parts
