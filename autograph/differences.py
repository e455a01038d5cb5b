"""differences: where two things are not the same, in words; strictly, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.records import field_names, is_record
from runtime.variable import Variable
from tracer.function import Function


def both(what: str, python: str, graph: str) -> Iterator[str]:
    """Lines that show two texts."""
    yield f"{what}:"
    yield f"  in Python: {python}"
    yield f"  the graph: {graph}"


def error_text(error: BaseException | None) -> str:
    """Type and message."""
    return "none" if error is None else f"{type(error).__name__}: {error}"


def between(
    what: str, python: Any, graph: Any, around: tuple[int, ...] = ()
) -> Iterator[str]:
    """What differs between two things, in the innermost part where it does."""
    parts, others = _parts(python), _parts(graph)
    if type(python) is not type(graph) or parts is None or others is None:
        same = type(python) is type(graph) and _equal(python, graph)
    elif list(parts) != list(others):
        same = False
    else:
        same = True
        if id(python) not in around:
            inside = (*around, id(python))
            for way, part in parts.items():
                yield from between(f"{way} of {what}", part, others[way], inside)
    if not same:
        yield from both(what, shown(python), shown(graph))


def _parts(thing: Any) -> dict[str, Any] | None:
    """What a container or object holds, by words; None for what is compared whole."""
    if isinstance(thing, (list, tuple)):
        return {f"[{i}]": item for i, item in enumerate(thing)}
    if isinstance(thing, dict):
        return {f"[{key!r}]": item for key, item in thing.items()}
    if isinstance(thing, (np.ndarray, Variable, Function, BaseException)):
        return None
    if callable(thing):
        return None
    if is_record(type(thing)):
        names = field_names(type(thing))
        return {f".{n}": getattr(thing, n) for n in names if hasattr(thing, n)}
    if _has_equality(thing) or not hasattr(thing, "__dict__"):
        return None
    return {f".{name}": item for name, item in vars(thing).items()}


def _equal(python: Any, graph: Any) -> bool:
    """Whether two things of one type are the same; arrays bit by bit, NaNs are one."""
    if isinstance(python, Variable):
        return _equal(np.asarray(python), np.asarray(graph))
    if isinstance(python, (np.ndarray, np.generic)):
        if python.dtype != graph.dtype or python.shape != graph.shape:
            return False
        if python.dtype.hasobject:
            return not any(between("", python.tolist(), graph.tolist()))
        return _bits(python) == _bits(graph)
    if isinstance(python, (float, complex)):
        return repr(python) == repr(graph)
    if isinstance(python, BaseException):
        return error_text(python) == error_text(graph)
    if callable(python) or not _has_equality(python):
        # Copies of an object that says nothing of its content are told apart by none.
        return True
    try:
        return bool(python == graph)
    except ValueError:
        # Of an object like pandas' `==` is asked of each element.
        return repr(python) == repr(graph) and not any(
            between("", _elements(python), _elements(graph))
        )


def _elements(thing: Any) -> Any:
    whole = thing.toarray() if hasattr(thing, "toarray") else thing
    return np.asarray(whole)


def _has_equality(thing: Any) -> bool:
    own: Any = type(thing).__eq__
    return own is not object.__eq__


def _bits(array: Any) -> bytes:
    whole = np.asarray(array)
    if whole.dtype.kind in "fc":
        whole = np.where(np.isnan(whole), np.nan, whole)
    return whole.tobytes()


def shown(thing: Any) -> str:
    """Its type, dtype and text."""
    if isinstance(thing, np.generic):
        return repr(thing)
    if type(thing) is np.ndarray:
        return f"{thing.dtype} {thing!r}"
    return f"{type(thing).__name__} {thing!r}"


def identity(
    python: Any, graph: Any, first: dict[int, str], second: dict[int, str]
) -> Iterator[str]:
    """An argument that is returned is the very array that was passed."""
    before, after = first.get(id(python)), second.get(id(graph))
    if before != after:
        words = [
            "a new array" if name is None else f"the very argument {name}"
            for name in (before, after)
        ]
        yield from both("the result", *words)
    parts, others = _parts(python), _parts(graph)
    if parts and others and isinstance(python, (list, tuple, dict)):
        for way, part in parts.items():
            if way in others:
                yield from identity(part, others[way], first, second)
