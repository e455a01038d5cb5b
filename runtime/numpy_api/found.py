"""What a function gives, as its trials say: each by itself, and all of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import shapes
from runtime import spec as specs
from runtime.dtypes import same_dtype
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import aliasing
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.structs import replace, struct

# Those whose dtype depends on content, in a way that no sample need show.
DTYPE_OF_CONTENT = frozenset(
    """
    roots polyroots chebroots legroots lagroots hermroots hermeroots eig eigvals sqrtm
    logm fractional_matrix_power funm real_if_close r
    """.split()
)

UNKNOWN = TensorSpec(None, None)


@struct
class Found:
    """What a function gives.

    specs: of its results
    whole: the sequence type that they come in; None for one result by itself
    arrays: for each result, whether it is an array also where it has no dims
    lies: for each, the input whose memory it lies in; None: not for any
    changed: the inputs that it changes
    turned: for each, whether it may lie in another order than C's
    """

    specs: tuple[TensorSpec, ...]
    whole: type | None = None
    arrays: tuple[bool, ...] = (False,)
    lies: tuple[aliasing.Lies | None, ...] | None = None
    changed: frozenset[int] = frozenset()
    turned: tuple[bool, ...] = ()


NOTHING_KNOWN = Found((UNKNOWN,))


def is_turned(part: Any) -> bool:
    """True for an array that does not lie in C order, as LAPACK's do not."""
    return isinstance(part, np.ndarray) and not part.flags.c_contiguous


def of_any_dtype(found: Found) -> Found:
    """The same, where the dtypes of results depend on content."""
    return replace(
        found, specs=tuple(TensorSpec(one.shape, None) for one in found.specs)
    )


def asked(function: Callable[..., Any], template: Any) -> str:
    """The name of what is called, or of what an object is asked for."""
    name, (args, _) = getattr(function, "__name__", ""), template
    is_of_object = name in ("_attribute", "call_method") and len(args) > 1
    return str(args[1]) if is_of_object else name


def uncertain(found: Found) -> Found:
    """The same, where nobody can tell which results are parts of which arguments."""
    if found.lies is None:
        return found
    lies = (p if p and p.same else aliasing.joined([p, None]) for p in found.lies)
    return replace(found, lies=tuple(lies))


def agreed_by(found: list[Found]) -> Found:
    """What all trials say."""
    wholes = {one.whole for one in found}
    if len(wholes) != 1:
        return NOTHING_KNOWN
    (whole,) = wholes
    changed: frozenset[int] = frozenset().union(*(one.changed for one in found))
    if len({len(one.specs) for one in found}) == 1:
        columns = zip(*(one.specs for one in found), strict=True)
        arrays = zip(*(one.arrays for one in found), strict=True)
        lies = zip(*(one.lies or () for one in found), strict=True)
        specs_ = tuple(functools.reduce(joined, column) for column in columns)
        whose = tuple(map(aliasing.joined, lies))
        turned = tuple(map(any, zip(*(one.turned for one in found), strict=True)))
        return Found(specs_, whole, tuple(map(all, arrays)), whose, changed, turned)
    items = [spec for one in found for spec in one.specs]
    item = functools.reduce(joined, items)
    if whole is not list or item == UNKNOWN:
        return NOTHING_KNOWN
    each = [place for one in found for place in one.lies or ()]
    place = aliasing.joined([*each, None]) if any(each) else None
    return Found((ListSpec(item),), lies=(place,), changed=changed)


def joined(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    """What is true of both; a dtype that may be one or another is not known."""
    unlike = (LibrarySpec, ObjectSpec)
    if isinstance(a, unlike) or isinstance(b, unlike):
        return a if a == b else UNKNOWN
    shape = shapes.join(a.shape, b.shape)
    if a.weak != b.weak or not same_dtype(a.dtype, b.dtype):
        return UNKNOWN if a.weak or b.weak else TensorSpec(shape, None)
    return specs.join(a, b)
