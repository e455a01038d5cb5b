"""Python source and its trees: reading, writing, filling in and compiling them."""

from autograph.syntax.compile import compile_function, rename_code
from autograph.syntax.names import Namer, names_in
from autograph.syntax.parse import (
    ParsedFunction,
    functions_in,
    parse_file,
    parse_function,
    written_codes,
)
from autograph.syntax.template import (
    expression,
    literal,
    set_context,
    span_of,
    statements,
)
from autograph.syntax.walking import children, walk

__all__ = [
    "Namer",
    "ParsedFunction",
    "children",
    "compile_function",
    "expression",
    "functions_in",
    "literal",
    "names_in",
    "parse_file",
    "parse_function",
    "rename_code",
    "set_context",
    "span_of",
    "statements",
    "walk",
    "written_codes",
]
