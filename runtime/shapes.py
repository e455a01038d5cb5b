"""Shapes whose dims may be unknown: broadcasting and joining them.

A dim is an int, a name (equal names are equal sizes), or None (any size). A shape is
a tuple of dims, or None when even the rank is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable

Dim = int | str | None
Shape = tuple[Dim, ...] | None


def broadcast(*shapes: Shape) -> Shape:
    """The shape of an elementwise result, by NumPy's rule.

    >>> broadcast((3, 1), (4,))
    (3, 4)
    >>> broadcast((None,), (1,)), broadcast((None,), (3,)), broadcast(None, (3,))
    ((None,), (3,), None)

    ValueError: two known sizes differ and neither is 1.
    """
    if any(shape is None for shape in shapes):
        return None
    known = [shape for shape in shapes if shape is not None]
    rank = max((len(shape) for shape in known), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in known]
    try:
        return tuple(_broadcast_dims(dims) for dims in zip(*padded, strict=True))
    except ValueError:
        text = " ".join(shape_text(shape) for shape in known)
        raise ValueError(
            f"operands could not be broadcast together with shapes {text} "
        ) from None


def _broadcast_dims(dims: Iterable[Dim]) -> Dim:
    wide = [dim for dim in dims if dim != 1]
    sizes = {dim for dim in wide if isinstance(dim, int)}
    if len(sizes) > 1:
        raise ValueError(sizes)
    if sizes:
        return sizes.pop()
    names = set(wide)
    return names.pop() if len(names) == 1 else (None if names else 1)


def join(a: Shape, b: Shape) -> Shape:
    """The smallest shape that describes both: differing dims become unknown.

    >>> join((2, 3), (2, 4)), join((2,), (2, 2))
    ((2, None), None)
    """
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(p if p == q else None for p, q in zip(a, b, strict=True))


def describes(general: Shape, special: Shape) -> bool:
    """True when every array of shape `special` also has shape `general`."""
    if general is None:
        return True
    if special is None or len(general) != len(special):
        return False
    pairs = zip(general, special, strict=True)
    return all(g is None or g == s for g, s in pairs)


def accepts(spec_shape: Shape, shape: tuple[int, ...]) -> bool:
    """True when an array of `shape` fits; a name stands for one size throughout."""
    if spec_shape is None:
        return True
    if len(spec_shape) != len(shape):
        return False
    names: dict[str, int] = {}
    for dim, size in zip(spec_shape, shape, strict=True):
        if isinstance(dim, str) and names.setdefault(dim, size) != size:
            return False
        if isinstance(dim, int) and dim != size:
            return False
    return True


def is_static(shape: Shape) -> bool:
    """True when every dim is a known int."""
    return shape is not None and all(isinstance(dim, int) for dim in shape)


def size_of(shape: Shape) -> int | None:
    """The number of elements, or None when a dim is unknown."""
    if shape is None:
        return None
    count = 1
    for dim in shape:
        if not isinstance(dim, int):
            return None
        count *= dim
    return count


def shape_text(shape: Shape) -> str:
    """A shape as NumPy's messages print it: `(2,3)`, `(2,)`, with `?` for unknown.

    >>> shape_text((2, None)), shape_text((4,))
    ('(2,?)', '(4,)')
    """
    if shape is None:
        return "(...)"
    dims = ["?" if dim is None else str(dim) for dim in shape]
    return f"({dims[0]},)" if len(dims) == 1 else "(" + ",".join(dims) + ")"


def differ(a: Shape, b: Shape) -> bool:
    """True when no array has both shapes.

    >>> differ((2, 3), (2, None)), differ((2, 3), (3, 2)), differ(None, (3, 2))
    (False, True, False)
    """
    if a is None or b is None:
        return False
    pairs = [(x, y) for x, y in zip(a, b, strict=False) if isinstance(x, int)]
    return len(a) != len(b) or any(isinstance(y, int) and x != y for x, y in pairs)
