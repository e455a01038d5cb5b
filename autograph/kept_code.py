"""kept_code: converted code, for the next process that meets the same function.

It is found by all that a conversion goes by: the code that Python made of the function
(its lines and columns, too, but not the name of its file), what holds arrays and
objects around it, the form, our own sources and the versions. Functions with the same
code mean the same, so their text is not read. Where it is found, nothing is parsed, and
none of the modules that convert is loaded.
"""

from __future__ import annotations

import functools
import marshal
import os
import sys
import types
from importlib.util import find_spec
from typing import Any, NamedTuple

from autograph.forms import Form, Outer
from runtime import store
from runtime.digests import digest
from runtime.sources import sources_in

# The folder of converted code, beside those of programs and machine code.
FOLDER = "conversions"
_HOME = os.path.dirname(os.path.abspath(__file__))
# Where what converts is written.
_SOURCES = (".", "analysis", "converters", "syntax")
# The libraries that convert, too.
_LIBRARIES = ("gast",)
# In marshal's version 2 a thing has one form, whoever else holds it.
_VERSION = 2


class Kept(NamedTuple):
    """What was kept; without code where the function has no such form."""

    code: types.CodeType | None


def key_of(code: types.CodeType, outer: Outer, form: Form) -> str:
    """The name of a conversion; empty where it has none."""
    surroundings = _surroundings()
    if not surroundings:
        return ""
    arrays, objects, overloads, computed = outer
    around = sorted(arrays), sorted(objects), overloads, sorted(computed)
    try:
        words = marshal.dumps((_words(code), around, form.name), _VERSION)
    except ValueError:  # a constant that is no plain value
        return ""
    return digest(surroundings + words).hex()


def found(key: str, filename: str) -> Kept | None:
    """What was kept by this name, as code of this file; None: nothing was."""
    content = store.read(key, FOLDER)
    if content is None:
        return None
    code = marshal.loads(content)
    return Kept(code and _in_file(code, filename))


def keep(key: str, code: types.CodeType | None) -> None:
    """Keep converted code, or that there is none, by its name."""
    try:
        content = marshal.dumps(code)
    except ValueError:  # a constant that is no plain value
        return
    store.write(key, FOLDER, content)


@functools.cache
def _surroundings() -> bytes:
    """What conversions depend on beside the function; empty where that is not told."""
    sources = sources_in(_HOME, _SOURCES)
    libraries = [_written(name) for name in _LIBRARIES]
    if not sources or None in libraries:
        return b""
    told = sys.version, sys.flags.optimize, store.VERSION, _HOME, sources, libraries
    return digest(marshal.dumps(told, _VERSION))


def _written(library: str) -> tuple[str, int, int] | None:
    """Where a library is, its size and when it was written: it need not be loaded.

    None: it is in no file of its own, but in an archive or in a frozen program
    """
    try:
        spec = find_spec(library)
        if spec is None or spec.origin is None:
            return None
        at = os.stat(spec.origin)
    except (OSError, ValueError):
        return None
    return spec.origin, at.st_size, at.st_mtime_ns


def _words(thing: Any) -> Any:
    """A constant, or code without the name of its file, in plain values."""
    if isinstance(thing, tuple):
        return [_words(one) for one in thing]
    if isinstance(thing, frozenset):
        # In the order of their words: their own is another one in each process.
        return "set", sorted(marshal.dumps(_words(one), _VERSION) for one in thing)
    if not isinstance(thing, types.CodeType):
        return thing
    return (
        *(thing.co_qualname, thing.co_firstlineno, thing.co_flags, thing.co_argcount),
        *(thing.co_posonlyargcount, thing.co_kwonlyargcount, thing.co_name),
        *(thing.co_varnames, thing.co_cellvars, thing.co_freevars, thing.co_names),
        *(thing.co_code, thing.co_linetable, thing.co_exceptiontable),
        _words(thing.co_consts),
    )


def _in_file(code: types.CodeType, filename: str) -> types.CodeType:
    """The code, and that of the functions in it, as of this file."""
    if code.co_filename == filename:
        return code
    constants = tuple(
        _in_file(one, filename) if isinstance(one, types.CodeType) else one
        for one in code.co_consts
    )
    return code.replace(co_filename=filename, co_consts=constants)
